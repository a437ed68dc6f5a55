"""What trigpoint refuses and what it warns of, as types, so that nobody has to search a message."""


class InputError(ValueError):
    """Input that cannot be used: which argument, what it must be, and what it was.

    The message is ``argument rule; got value.``, or ``argument rule.`` where there is no value to tell.

    Attributes
    ----------
    argument : name of the argument, as the function that was called spells it
    rule : what holds of it, beginning with the verb: "must lie in [1, 9] for 10 samples"
    value : what was given, or words that describe it
    """

    def __init__(self, argument: object, rule: str, value: object = None) -> None:
        super().__init__(argument, rule, value)  # all of it, so that worker processes can hand it on
        self.argument, self.rule, self.value = str(argument), rule, value

    def __str__(self) -> str:
        got = "" if self.value is None else f"; got {self.value}"
        return f"{self.argument} {self.rule}{got}."


def needs_extra(library: str, extra: str) -> str:
    """The rule of what cannot be done without a library that only an extra brings.

    >>> needs_extra("matplotlib", "plots")
    'needs matplotlib; install it with: pip install "trigpoint[plots]"'
    """
    return f'needs {library}; install it with: pip install "trigpoint[{extra}]"'


class UnreachedWarning(UserWarning):
    """Some samples lie in parts of the graph that hold no label, so nothing is known of them."""

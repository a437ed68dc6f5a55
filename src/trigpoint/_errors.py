"""What trigpoint refuses and what it warns of, as types, so that nobody has to search a message."""


class InputError(ValueError):
    """Input that cannot be used: which argument, what it must be, and what it was.

    The message is ``argument rule; got value.``, or ``argument rule.`` where there is no value to tell.

    Attributes
    ----------
    argument : name of the argument, as the function that was called spells it
    rule : what holds of it, beginning with the verb: "must lie in [1, 9] for 10 samples"
    value : what was given, or words that describe it

    Examples
    --------
    >>> import trigpoint as tp
    >>> try:
    ...     tp.neighbor_graph([1.0, 2.0])
    ... except tp.InputError as error:
    ...     print(error.argument, "|", error.value)
    X | shape (2,)
    """

    argument: str
    rule: str
    value: object

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
    """Some samples lie in parts of the graph that hold no label, so nothing is known of them.

    Notes
    -----
    Their values are NaN, their class is unknown, and their uncertainty is the largest. Label a sample in
    each of these parts, or connect them with more neighbors.

    Examples
    --------
    >>> import warnings, trigpoint as tp
    >>> phi = tp.laplacian(tp.graph_from_edges([[0, 1], [2, 3]]))
    >>> with warnings.catch_warnings(record=True) as told:
    ...     warnings.simplefilter("always")
    ...     values = tp.propagate(phi, [0], [5.0])
    >>> values, told[0].category.__name__
    (array([ 5.,  5., nan, nan]), 'UnreachedWarning')
    """

"""How a run ends: one line on standard error, and an exit code.

2    bad input: the line names what, the rule and the value, in the words of the command line
130  Ctrl-C
1    anything else, which is a bug or a lack of memory
"""

import os
import re

import typer

from trigpoint.cli._interrupt import STOPPED, WORDS

MISUSE: type[Exception] = typer.BadParameter.__mro__[1]  # click's UsageError, wherever typer keeps it
FLAGS = {
    "id_column": "--id-column",
    "text_column": "--text-column",
    "label_column": "--label-column",
    "image_size": "--image-size",
    "held_out": "--held-out",
    "n_splits": "--splits",
    "n_neighbors": "--neighbors",
    "y": "--labels",
    **{
        name: f"--{name}"
        for name in (
            "columns",
            "features",
            "color",
            "key",
            "task",
            "graph",
            "metric",
            "method",
            "methods",
            "budgets",
            "data",
            "reference",
        )
    },
}
NAMES = "|".join(FLAGS)


class StoppedError(Exception):
    """Ctrl-C, as commands pass it on: typer would answer KeyboardInterrupt in its own way."""


def exit_code(error: BaseException) -> int:
    """Say in one line what happened, and return the exit code for it."""
    if isinstance(error, SystemExit):  # typer's answer to a closed pipe: silence
        raise error
    if isinstance(error, StoppedError | KeyboardInterrupt | typer.Abort):
        tell(WORDS)
        return STOPPED
    if isinstance(error, MISUSE):
        tell(error.format_message())  # type: ignore[attr-defined]
        return 2
    if isinstance(error, ValueError | OSError):
        tell(in_options(_spoken(error)))
        return 2
    if isinstance(error, MemoryError):
        tell(f"not enough memory. {error}")
        return 1
    tell(f"internal error, please report it: {type(error).__name__}: {error}")
    if os.environ.get("TRIGPOINT_TRACEBACK"):
        raise error
    return 1


def tell(text: str) -> None:
    """One line on standard error."""
    typer.echo("trigpoint: " + " ".join(text.split()), err=True)


def _spoken(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror and error.filename is not None:
        return f"{error.filename}: {error.strerror}."
    return str(error)


def in_options(message: str) -> str:
    """A message of the library with its arguments as a user of the command line knows them.

    >>> in_options("id_column must be a column of a.csv; got 'x'.")
    "--id-column must be a column of a.csv; got 'x'."
    >>> in_options("say graph=True or graph=False, or key=.")
    'say --graph or --no-graph, or --key.'
    """
    message = message.replace("graph=True", "--graph").replace("graph=False", "--no-graph")
    message = re.sub(rf"^({NAMES})(?= must | has )", lambda m: FLAGS[m[1]], message)
    message = re.sub(rf"\b({NAMES})=(?=[ ,.;:)]|$)", lambda m: FLAGS[m[1]], message)
    return re.sub(rf"\b({NAMES})='(\w+)'", lambda m: f"{FLAGS[m[1]]} {m[2]}", message)

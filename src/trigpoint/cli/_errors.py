"""How a run ends: one line on standard error, and an exit code.

2    bad input: the line names what, the rule and the value, in the words of the command line
130  Ctrl-C
1    anything else, which is a bug, a lack of memory or a cluster that went away
"""

import os
import re
from importlib.util import find_spec

import typer

from trigpoint._errors import InputError, needs_extra
from trigpoint.cli import STOPPED, WORDS
from trigpoint.distributed import ClusterError
from trigpoint.selection import METHODS

MISUSE: type[Exception] = typer.BadParameter.__mro__[1]  # click's UsageError, wherever typer keeps it
FLAGS = {
    "id_column": "--id-column",
    "text_column": "--text-column",
    "label_column": "--label-column",
    "weight_column": "--weight-column",
    "image_size": "--image-size",
    "text_features": "--text-features",
    "image_features": "--image-features",
    "text_features='embeddings'": "--text-features embeddings",
    "held_out": "--held-out",
    "n_splits": "--splits",
    "n_neighbors": "--neighbors",
    "y": "--labels",
    "graph=True": "--graph",
    **{
        name: f"--{name}"
        for name in (
            "columns",
            "drop",
            "scale",
            "missing",
            "features",
            "color",
            "key",
            "task",
            "graph",
            "metric",
            "view",
            "predictor",
            "method",
            "methods",
            "predictors",
            "budgets",
            "data",
            "reference",
            "alignment",
        )
    },
    **{name: f"--method {name}" for name in METHODS},  # of its own accord a method says that n is too large
}
NAMED = re.compile(
    rf"\b({'|'.join(name for name in FLAGS if '=' not in name)})=(True|False|'(\w+)'|(?=[ ,.;:)]|$))"
)


class StoppedError(Exception):
    """Ctrl-C, as commands pass it on: typer would answer KeyboardInterrupt in its own way."""


def check_studio(command: str) -> None:
    """Refuse a command that needs the extra of the studio, before all else."""
    missing = [name for name in ("starlette", "uvicorn", "msgspec") if find_spec(name) is None]
    if missing:
        raise InputError(command, needs_extra(", ".join(missing), "studio"))


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
    if isinstance(error, InputError):
        tell(in_options(error))
        return 2
    if isinstance(error, ValueError | OSError):
        tell(_spoken(error))
        return 2
    if isinstance(error, ClusterError):
        tell(str(error))
        return 1
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


def in_flags(text: str) -> str:
    """Words of the library, with its arguments as the command line calls them.

    >>> in_flags("taken for classes (task='regression' takes them for quantities)")
    'taken for classes (--task regression takes them for quantities)'
    """
    return NAMED.sub(_flag, text)


def in_options(error: InputError) -> str:
    """The message of a refusal, its argument as the command line calls it, and those that its rule names.

    >>> in_options(InputError("id_column", "must be a column of a.csv", "'x'"))
    "--id-column must be a column of a.csv; got 'x'."
    >>> in_options(InputError("a.npz", "may be either: say graph=True or graph=False, or key="))
    'a.npz may be either: say --graph or --no-graph, or --key.'
    """
    value = error.value if error.value is None else in_flags(str(error.value))
    return str(InputError(FLAGS.get(error.argument, error.argument), in_flags(error.rule), value))


def _flag(found: re.Match[str]) -> str:
    """The flag for ``name=``, ``name='value'``, ``name=True`` or ``name=False``."""
    flag, value, quoted = FLAGS[found[1]], found[2], found[3]
    if value == "False":
        return flag.replace("--", "--no-", 1)
    return f"{flag} {quoted}" if quoted else flag

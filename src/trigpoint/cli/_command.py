"""Commands whose options come in groups.

A parameter whose type is a dataclass stands for all fields of it, each an option of its own, so that
what commands share is written once:

    @command
    def bound(pool: PoolOptions, landmarks: Annotated[Path, typer.Option()], run: RunOptions) -> None: ...
"""

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import wraps
from inspect import Parameter, Signature, signature
from typing import Any, get_type_hints

from trigpoint.cli._errors import StoppedError, tell


def command(function: Callable[..., None]) -> Callable[..., None]:
    """The function as typer calls it: options by name, a line a warning, and Ctrl-C as `StoppedError`."""
    hints = get_type_hints(function, include_extras=True)
    groups: dict[str, Any] = {name: hint for name, hint in hints.items() if is_dataclass(hint)}
    parameters = []
    for given in signature(function).parameters.values():
        if given.name in groups:
            parameters += _options(groups[given.name])
        else:
            parameters.append(given.replace(kind=Parameter.KEYWORD_ONLY, annotation=hints[given.name]))

    @wraps(function)
    def call(**given: Any) -> None:
        try:
            whole = {
                name: group(**{field.name: given.pop(field.name) for field in fields(group)})
                for name, group in groups.items()
            }
            with _one_line_warnings():
                function(**given, **whole)
        except KeyboardInterrupt:
            raise StoppedError from None

    call.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    call.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return call


def _options(group: Any) -> list[Parameter]:
    hints = get_type_hints(group, include_extras=True)
    return [
        Parameter(field.name, Parameter.KEYWORD_ONLY, default=_default(field), annotation=hints[field.name])
        for field in fields(group)
    ]


def _default(field: Field[Any]) -> Any:
    return Parameter.empty if field.default is MISSING else field.default


@contextmanager
def _one_line_warnings() -> Iterator[None]:
    """The library's warnings without the line of code that they come from, each once."""
    said = set()

    def show(message: Warning | str, *place: Any, **more: Any) -> None:
        if str(message) not in said:
            said.add(str(message))
            tell(f"warning: {message}")

    with warnings.catch_warnings():
        warnings.simplefilter("always", UserWarning)
        warnings.showwarning = show
        yield

"""What is loaded when it is first used: names of a package, and records of methods.

A name costs nothing until somebody asks for it, and a file is read only where what it holds is used.
"""

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from typing import Any, Generic, TypeVar

from trigpoint._errors import needs_extra

Record = TypeVar("Record")


def on_first_use(package: str, files: Mapping[str, str], extra: str = "") -> Callable[[str], Any]:
    """A ``__getattr__`` for a package: ``files`` gives each name its "file", or its "file.name_there".

    Where the libraries of an ``extra`` are not installed, the error names it.
    """

    def load(name: str) -> Any:
        if name not in files:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        file, _, there = files[name].partition(".")
        try:
            return getattr(import_module(f"{package}.{file}"), there or name)
        except ModuleNotFoundError as error:
            if not extra or error.name is None:
                raise
            rule = needs_extra(error.name, extra)
            raise ModuleNotFoundError(f"{package}.{name} {rule}.", name=error.name) from None

    return load


class Records(Mapping[str, Record], Generic[Record]):
    """Name -> record, in the order of ``names``.

    The record of the method "gcls" is the ``variable`` of the file `_gcls.py` in its room.
    """

    def __init__(self, room: str, variable: str, names: tuple[str, ...]) -> None:
        self._room, self._variable = room, variable
        self.names: tuple[str, ...] = names

    def __getitem__(self, name: str) -> Record:
        if name not in self.names:
            raise KeyError(name)
        record: Record = getattr(import_module(f"{self._room}._{name}"), self._variable)
        return record

    def __contains__(self, name: object) -> bool:
        return name in self.names

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

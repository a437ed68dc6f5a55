"""Records of methods by name, each beside its function.

The record of the method "gcls" is in the file `_gcls.py` of its room, and is read when somebody asks for it:
the names cost nothing, and a method's file is loaded only where the method is used.
"""

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Generic, TypeVar

Record = TypeVar("Record")


class Records(Mapping[str, Record], Generic[Record]):
    """Name -> record, in the order of ``names``; ``variable`` is what the record is called in its file."""

    def __init__(self, room: str, variable: str, names: tuple[str, ...]) -> None:
        self._room, self._variable, self.names = room, variable, names

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

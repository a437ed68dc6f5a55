"""Values as plain JSON beside arrays, and back: what `_archive` keeps.

None, bools, numbers, text and lists are themselves. All else is a dict that says what it is:

    {"float": "nan"}                              numbers that JSON does not have
    {"tuple": [...]}, {"dict": [[key, value], ...]}
    {"array": name}                               its entries beside
    {"objects": [...], "shape": [...]}            an array of plain values, such as text
    {"sparse": [data, indices, indptr], "shape": [...], "number": 3}
    {"record": name, "number": 7, "fields": {...}}
    {"again": 7}                                  the same sparse matrix or record as before

Records are of types that the caller lists: a file can name no others, and so runs no code of its own.
"""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from scipy.sparse import csr_array, issparse

from trigpoint._errors import InputError
from trigpoint._types import Array

INDEX = (np.int32, np.int64)


@dataclass(frozen=True)
class Form:
    """How records of a type are kept.

    Attributes
    ----------
    type : of the records
    kept : record -> {name: value}
    made : the same by name -> record
    """

    type: type
    kept: Callable[[Any], dict[str, Any]]
    made: Callable[..., Any]


def form_of(record: type) -> Form:
    """Of a dataclass that is made from its fields."""
    names = [field.name for field in fields(record) if field.init]
    return Form(record, lambda one: {name: getattr(one, name) for name in names}, record)


def to_plain(value: Any, forms: Iterable[Form] = ()) -> tuple[Any, dict[str, Array]]:
    """What JSON can tell, and the arrays beside it by name; TypeError for what cannot be kept."""
    writer = _Writer({form.type: form for form in forms})
    return writer.plain(value, ""), writer.arrays


def from_plain(plain: Any, arrays: dict[str, Array], forms: Iterable[Form] = ()) -> Any:
    """The value that `to_plain` was given."""
    return _Reader(arrays, {form.type.__name__: form for form in forms}).value(plain)


class _Writer:
    def __init__(self, forms: dict[type, Form]) -> None:
        self.forms = forms
        self.arrays: dict[str, Array] = {}
        self.seen: dict[int, tuple[Any, dict[str, Any]]] = {}  # by identity; the object stays alive
        self.count = 0

    def plain(self, value: Any, place: str) -> Any:
        if isinstance(value, np.generic) and not isinstance(value, np.void):
            value = value.item()
        if value is None or isinstance(value, bool | int | str):
            return value
        if isinstance(value, float):
            return value if math.isfinite(value) else {"float": repr(value)}
        if type(value) is list:
            return self._all(value, place)
        if type(value) is tuple:
            return {"tuple": self._all(value, place)}
        if type(value) is dict:
            return {"dict": [self._all(pair, f"{place}[{pair[0]!r}]") for pair in value.items()]}
        if id(value) in self.seen:
            return self.seen[id(value)][1]
        return self._object(value, place)

    def _all(self, values: Iterable[Any], place: str) -> list[Any]:
        return [self.plain(value, place) for value in values]

    def _object(self, value: Any, place: str) -> Any:
        if isinstance(value, np.ndarray) and value.dtype != object:
            name = str(len(self.arrays))
            self.arrays[name] = value
            return self._note(value, {"array": name}, {"array": name})
        if isinstance(value, np.ndarray):
            entries = [_entry(entry, place) for entry in value.ravel().tolist()]
            return {"objects": entries, "shape": list(value.shape)}
        number = self.count = self.count + 1
        if issparse(value):
            matrix = csr_array(value)
            parts = self._all([matrix.data, matrix.indices, matrix.indptr], place)
            told = {"sparse": parts, "shape": list(matrix.shape), "number": number}
        elif type(value) in self.forms:
            name = type(value).__name__
            kept = self.forms[type(value)].kept(value)
            told = {
                "record": name,
                "number": number,
                "fields": {key: self.plain(part, f"{place}.{key}") for key, part in kept.items()},
            }
        else:
            raise TypeError(f"{place.lstrip('.') or 'it'} is a {type(value).__name__}")
        return self._note(value, told, {"again": number})

    def _note(self, value: Any, told: dict[str, Any], again: dict[str, Any]) -> dict[str, Any]:
        self.seen[id(value)] = (value, again)
        return told


def _entry(value: Any, place: str) -> Any:
    if value is None or isinstance(value, bool | int | str) or (isinstance(value, float) and value == value):
        return value
    raise TypeError(f"{place.lstrip('.') or 'it'} holds a {type(value).__name__}")


class _Reader:
    def __init__(self, arrays: dict[str, Array], forms: dict[str, Form]) -> None:
        self.arrays, self.forms = arrays, forms
        self.numbered: dict[int, Any] = {}

    def value(self, plain: Any) -> Any:
        if isinstance(plain, list):
            return [self.value(part) for part in plain]
        if not isinstance(plain, dict):
            return plain
        if "float" in plain:
            return float(plain["float"])
        if "tuple" in plain:
            return tuple(self.value(plain["tuple"]))
        if "dict" in plain:
            return {self.value(key): self.value(part) for key, part in plain["dict"]}
        if "array" in plain:
            return self.arrays[plain["array"]]
        if "objects" in plain:
            return self._objects(plain["objects"], plain["shape"])
        if "again" in plain:
            return self.numbered[plain["again"]]
        found = self._sparse(plain) if "sparse" in plain else self._record(plain)
        self.numbered[plain["number"]] = found
        return found

    def _objects(self, entries: list[Any], shape: list[int]) -> Array:
        found = np.empty(len(entries), dtype=object)
        found[:] = entries
        return found.reshape(shape)

    def _sparse(self, plain: dict[str, Any]) -> Any:
        data, indices, indptr = self.value(plain["sparse"])
        if indices.dtype not in INDEX or indptr.dtype not in INDEX:
            raise InputError("indices", "must be whole numbers", f"{indices.dtype} and {indptr.dtype}")
        found = csr_array((data, indices, indptr), shape=tuple(plain["shape"]))
        found.check_format(full_check=True)
        return found

    def _record(self, plain: dict[str, Any]) -> Any:
        form = self.forms[plain["record"]]
        return form.made(**{name: self.value(part) for name, part in plain["fields"].items()})

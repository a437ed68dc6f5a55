"""What has become of a pool since its studio was last opened: samples new, gone, or not as they were.

The store keeps the id of each sample and a *mark*, a short hash of what people see of it. Of a picture it
is the size of its file: a folder is looked at without opening its files. Ids decide which sample is which.
Where they are row numbers, the rows that were there must be as they were: only at the end may there be
more.
"""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import issparse

from trigpoint.io import Samples, content


@dataclass(frozen=True)
class PoolChange:
    """How many samples are new, how many are gone, and how many are not as they were."""

    added: int = 0
    gone: int = 0
    changed: int = 0

    def __bool__(self) -> bool:
        return bool(self.added or self.gone or self.changed)

    def __str__(self) -> str:
        """A sentence without its end, such as "37 new samples, 2 are gone"."""
        said = []
        if self.added:
            said.append(f"{self.added:,} new sample{'s' * (self.added != 1)}")
        for count, one, more in (
            (self.gone, "is gone", "are gone"),
            (self.changed, "has changed and keeps its label", "have changed and keep their labels"),
        ):
            if count:
                what = "" if said else f" sample{'s' * (count != 1)}"
                said.append(f"{count:,}{what} {one if count == 1 else more}")
        return ", ".join(said)


def known_samples(samples: Samples) -> dict[str, Any]:
    """What a store keeps of a pool, to be compared with."""
    return {"ids": samples.ids.tolist(), "marks": list(_marks(samples))}


def pool_change(known: Mapping[str, Any], now: Mapping[str, Any]) -> PoolChange:
    """What has become of known samples, by their ids."""
    before = dict(zip(known["ids"], known["marks"], strict=True))
    after = dict(zip(now["ids"], now["marks"], strict=True))
    there = before.keys() & after.keys()
    changed = sum(before[name] != after[name] for name in there)
    return PoolChange(len(after) - len(there), len(before) - len(there), changed)


def only_appended(known: Mapping[str, Any], now: Mapping[str, Any]) -> bool:
    """Whether the first rows are those that were known."""
    marks: list[str] = known["marks"]
    return bool(now["marks"][: len(marks)] == marks)


def _marks(samples: Samples) -> Iterable[str]:
    shown = samples.shown
    if samples.kind == "table":
        columns = [column.tolist() if isinstance(column, np.ndarray) else column for column in shown.values()]
        return (_hash(repr(row).encode()) for row in zip(*columns, strict=True))
    if samples.kind == "text":
        return (_hash(text.encode("utf-8", "surrogatepass")) for text in shown)
    if samples.kind == "images" and not isinstance(shown, np.ndarray):
        return (format(Path(file).stat().st_size, "x") for file in shown)
    rows = shown if samples.kind == "images" else samples.X
    if rows is None or issparse(rows):
        return (_hash(repr(content(samples, i)).encode()) for i in range(samples.n_samples))
    return (_hash(np.ascontiguousarray(row).tobytes()) for row in rows)


def _hash(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=8).hexdigest()

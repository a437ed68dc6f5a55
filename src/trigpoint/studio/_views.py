"""Lists of samples that a person may want to see: the least sure ones, and those that hold a word."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from trigpoint._types import Array, Ints
from trigpoint.io import Samples, content

ROWS = 20_000  # samples whose columns are searched; ids and texts are searched in pools of any size


def least_sure(doubt: Array, known: Iterable[int], limit: int) -> list[int]:
    """Samples by falling doubt, without those whose label is known; the first of equals first."""
    waiting = np.ones(len(doubt), dtype=bool)
    waiting[list(known)] = False
    some: Ints = np.flatnonzero(waiting)
    order = np.argsort(-doubt[some], kind="stable")[:limit]
    return [int(i) for i in some[order]]


def holding(samples: Samples, words: str, limit: int) -> tuple[list[int], int]:
    """The first samples whose id, text or cells hold the words, in whatever case; and how many do."""
    words = words.casefold()
    found: list[int] = []
    total = 0
    for i in range(samples.n_samples):
        if words in samples.ids[i].casefold() or words in _text(samples, i).casefold():
            total += 1
            if len(found) < limit:
                found.append(i)
    return found, total


def _text(samples: Samples, i: int) -> str:
    if samples.kind == "text":
        return str(samples.shown[i])
    if samples.kind == "table" and i < ROWS:
        row: dict[str, Any] = content(samples, i)["row"]
        return " ".join(str(value) for value in row.values() if isinstance(value, str))
    return ""

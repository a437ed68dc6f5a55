"""A sample as the page shows it, and the search for words in samples.

A sample is a picture by its address, a text, or a row of named values. Nothing is guessed: a row of numbers
is shown as numbers, even where it might be a picture. Very long samples are cut, and the cut is marked.
"""

import math
from typing import Any

from trigpoint.io import Samples, content
from trigpoint.studio._pictures import picture_size

LONGEST = 100_000  # characters of a text or of a cell
WIDEST = 200  # columns of a row
EXACT = 2**53  # whole numbers beyond this are not whole in a browser


def item_fields(samples: Samples, i: int) -> dict[str, Any]:
    """The fields of `Item` that come from the sample itself; None for what it is not."""
    shown = content(samples, i)
    item = {
        "sample": i,
        "id": str(shown["id"]),
        "kind": "row",
        "image": None,
        "size": None,
        "text": None,
        "row": None,
    }
    if "text" in shown:
        return item | {"kind": "text", "text": shortened(shown["text"])}
    if "row" in shown:
        return item | {"row": _pairs(shown["row"])}
    return item | {"kind": "image", "image": f"/api/pictures/{i}", "size": picture_size(samples, i)}


def shortened(text: str) -> str:
    if len(text) <= LONGEST:
        return text
    return f"{text[:LONGEST]} … (cut here: the first {LONGEST:,} of {len(text):,} characters)"


def _pairs(row: dict[str, Any]) -> list[list[Any]]:
    pairs = [[name, _value(value)] for name, value in list(row.items())[:WIDEST]]
    more = len(row) - WIDEST
    return pairs if more <= 0 else [*pairs, ["…", f"and {more:,} more columns"]]


def _value(value: Any) -> str | int | float | None:
    if isinstance(value, list):  # the neighbors of a node
        return shortened(", ".join(map(str, value)))
    if isinstance(value, str):
        return shortened(value)
    if value is None:
        return None
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return float(value) if abs(value) > EXACT else value


ROWS = 20_000  # samples whose columns are searched; ids and texts are searched in pools of any size


def search(samples: Samples, words: str, limit: int) -> tuple[list[int], int]:
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

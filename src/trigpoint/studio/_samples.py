"""A sample as the page shows it: a picture by its address, a text, or a row of named values, as JSON.

Nothing is guessed: a row of numbers is shown as numbers, even where it might be a picture. Very long
samples are cut, and the cut is told where it was made.
"""

import math
from typing import Any

from trigpoint.io import Samples, content
from trigpoint.studio._pictures import picture_size

LONGEST = 100_000  # characters of a text or of a cell
WIDEST = 200  # columns of a row
EXACT = 2**53  # whole numbers beyond this are not whole in a browser


def item_json(samples: Samples, i: int) -> dict[str, Any]:
    """The part of an item that is the sample itself.

    ``{"sample": i, "id": ..., "kind": "image", "text" or "row", "image": address, "size": [width, height],
    "text": ..., "row": [[name, value], ...]}``, with None for what it is not.
    """
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

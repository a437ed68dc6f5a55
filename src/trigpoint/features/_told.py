"""The use of columns in a line."""

from collections.abc import Sequence

from trigpoint.features._recipe import ColumnUse

PLURALS = {"category": "categories", "ordered": "ordered", "embedding": "embeddings"}
NAMED = 8  # columns that a line names


def told_columns(uses: Sequence[ColumnUse]) -> str:
    """Which columns are used, how, and which are left out and why; "" where there are none.

    >>> told_columns([ColumnUse("a", "number"), ColumnUse("b", "number"), ColumnUse("c", None, "constant")])
    'columns used: 2 numbers (a, b); left out: c (constant)'
    """
    if not uses:
        return ""
    kinds: dict[str, list[str]] = {}
    for use in uses:
        if use.use is not None:
            kinds.setdefault(use.use, []).append(use.name)
    used = ", ".join(_kind(kind, names) for kind, names in kinds.items()) or "none"
    apart = [f"{use.name} ({use.why})" for use in uses if use.use is None and use.why != "not chosen"]
    more = f" and {len(apart) - NAMED} more" if len(apart) > NAMED else ""
    left = f"; left out: {', '.join(apart[:NAMED])}{more}" if apart else ""
    return f"columns used: {used}{left}"


def _kind(kind: str, names: list[str]) -> str:
    listed = f" ({', '.join(names)})" if len(names) <= NAMED else ""
    word = kind if len(names) == 1 else PLURALS.get(kind, kind + "s")
    return f"{len(names)} {word}{listed}"

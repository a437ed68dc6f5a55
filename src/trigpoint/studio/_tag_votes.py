"""Sets of tags as labels: in order, by their names of now, and what several people come to.

A tag is given where more than half of the people gave it, so that a tie is no tag.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from trigpoint.annotators import Value

Chances: TypeAlias = dict[str, float] | None


def tag_set(names: Iterable[str], now: Callable[[str], str] = str) -> tuple[str, ...]:
    """
    >>> tag_set(["b", "a", "b"])
    ('a', 'b')
    """
    return tuple(sorted({now(name) for name in names}))


def voted_tags(votes: Sequence[Iterable[str]]) -> tuple[str, ...]:
    """
    >>> voted_tags([("a", "b"), ("a",), ("a", "c")]), voted_tags([("a",), ("b",)])
    (('a',), ())
    """
    counts = Counter(tag for vote in votes for tag in set(vote))
    return tuple(sorted(tag for tag, count in counts.items() if 2 * count > len(votes)))


def likely_tags(names: Sequence[str], chances: Iterable[float], now: Callable[[str], str | None]) -> Chances:
    """Tags by their names of now, with how likely each is; of two that became one, the likelier counts.

    None where there is no tag, or nothing is known.

    >>> likely_tags(["a", "b", "c"], [0.2, 0.7, 0.5], {"a": "x", "b": "x"}.get)
    {'x': 0.7}
    """
    found: dict[str, float] = {}
    for name, p in zip(names, chances, strict=True):
        known = now(name)
        if math.isnan(p):
            return None
        if known is not None:
            found[known] = max(p, found.get(known, 0.0))
    return found or None


def is_tags(value: object) -> bool:
    """Whether a label is a set of tags; the empty set is one."""
    return isinstance(value, tuple) and all(isinstance(name, str) for name in value)


def renamed_value(value: Value | None, old: str, new: str) -> Value | None:
    """The label with a class, or a tag, of another name."""
    if isinstance(value, str):
        return new if value == old else value
    if value is None or not is_tags(value):
        return value
    return tag_set(new if name == old else str(name) for name in value)


def parted_value(value: Value | None, before: Value | None, old: str, new: str) -> Value | None:
    """The label without the merge of ``old`` into ``new``; ``before`` is what it was until then.

    >>> parted_value(("new", "y"), ("old", "x"), "old", "new")  # x was renamed since
    ('old', 'y')
    """
    if isinstance(before, str):
        return old if before == old else value
    if value is None or before is None or not is_tags(value) or old not in before:
        return value
    gone = () if new in before else (new,)
    return tag_set([old, *(str(name) for name in value if name not in gone)])

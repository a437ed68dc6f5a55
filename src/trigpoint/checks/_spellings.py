"""Classes that may be one class under two spellings.

Two names are the same spelling if they differ only in case, in spaces at the ends, in what stands between
words (spaces, "_", "-"), in the form of their Unicode characters, or in how a number is written: "cat",
" Cat" and "CAT"; 3, "3" and "3.0". Names of one letter may mean their case: "a" and "A" of handwriting.

A typo is one letter more, less, changed or exchanged with the next, in a name of `LONG` letters or more,
whose class is rare beside the other one. Digits do not count: "class 1" and "class 2" are two classes.
"""

import math
import re
import unicodedata
from collections.abc import Hashable, Iterator, Sequence

from trigpoint._types import Ints

LONG = 5  # letters
RARE = 0.05  # of the labels of the other class, and always a single one
BETWEEN = re.compile(r"[\s_\-‐-―]+")


def spelling(name: Hashable) -> tuple[str, str]:
    """What names of one class have in common.

    >>> spelling("3") == spelling(3) == spelling(" 3.0 ")
    True
    >>> spelling("Credit_Card") == spelling("credit card"), spelling("a") == spelling("A")
    (True, False)
    """
    text = unicodedata.normalize("NFKC", str(name)).strip()
    number = _number(text)
    if number is not None:
        return "number", number
    words = BETWEEN.sub(" ", text).strip()
    return "name", words if len(words) < 2 else unicodedata.normalize("NFKC", words.casefold())


def _number(text: str) -> str | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return repr(value) if math.isfinite(value) and "_" not in text else None


def same_spelling(classes: Sequence[Hashable], counts: Ints) -> list[list[int]]:
    """Groups of classes of one spelling, two or more; the most frequent one first, else the shortest name."""
    found: dict[tuple[str, str], list[int]] = {}
    for code, name in enumerate(classes):
        found.setdefault(spelling(name), []).append(code)

    def rank(code: int) -> tuple[int, int, int]:
        return -int(counts[code]), len(str(classes[code])), code

    return [sorted(group, key=rank) for group in found.values() if len(group) > 1]


def typos(classes: Sequence[Hashable], counts: Ints) -> list[tuple[int, int]]:
    """Pairs (rare class, frequent class) whose names differ by one letter."""
    names = [spelling(name) for name in classes]
    by_shape: dict[str, list[int]] = {}
    for code, (kind, name) in enumerate(names):
        if kind == "name" and len(name) >= LONG:
            for shape in _shapes(name):
                by_shape.setdefault(shape, []).append(code)
    pairs = set()
    for code, (kind, name) in enumerate(names):
        if kind != "name" or len(name) < LONG:
            continue
        for other in {other for shape in _shapes(name) for other in by_shape[shape]}:
            few, many = int(counts[code]), int(counts[other])
            rare = few < many and (few == 1 or few <= RARE * many)
            if rare and _one_letter(name, names[other][1]):
                pairs.add((code, other))
    return sorted(pairs)


def _shapes(name: str) -> Iterator[str]:
    """The name, and the name without each of its letters: names one letter apart share one."""
    yield name
    for i in range(len(name)):
        yield name[:i] + name[i + 1 :]


def _one_letter(a: str, b: str) -> bool:
    """Whether one letter was added, lost, changed, or exchanged with the next; and no digit.

    >>> _one_letter("airplan", "airplane"), _one_letter("tabel", "table"), _one_letter("class 1", "class 2")
    (True, True, False)
    """
    start = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    end = 0
    while end < min(len(a), len(b)) - start and a[-1 - end] == b[-1 - end]:
        end += 1
    x, y = a[start : len(a) - end], b[start : len(b) - end]
    apart = (len(x) <= 1 and len(y) <= 1 and x != y) or (len(x) == 2 and x == y[::-1] and x != y)
    return apart and not any(letter.isdigit() for letter in x + y)

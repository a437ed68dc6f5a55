"""Are labels classes or real values, where nobody says it?

Words are classes. Numbers are real values if one is not whole, or if there are several columns of them. Whole
numbers are classes, unless they leave many gaps: with m > `FEW` different values, from the smallest to the
largest it is at least `GAPS` m, as it is for masses in grams. Words say what was assumed then, and also where
most labels differ or it is at least 2 m.
"""

import math
from collections.abc import Sequence

FEW = 10  # different values, that may well be classes
GAPS = 10  # times as many whole numbers as values


def task_of(numbers: Sequence[float | None], several: bool = False) -> tuple[str, str]:
    """The task of labels, each a number or None for a word, and what to say of it; "" if it is plain.

    >>> task_of([2700.0, 3400.0, 5250.0, 4000.0] * 3)
    ('classification', '')
    >>> task_of([100.0 * i for i in range(20)])[0]
    'regression'
    """
    if not numbers or None in numbers:
        return "classification", ""
    known = [value for value in numbers if value is not None and math.isfinite(value)]
    if several or any(value % 1 for value in known):
        return "regression", ""
    values = set(known)
    m = len(values)
    if m <= FEW:
        return "classification", ""
    low, high = int(min(values)), int(max(values))
    about = f"the labels are whole numbers with {m} different values, from {low} to {high}"
    if high - low + 1 >= GAPS * m:
        return "regression", f"{about}: taken for quantities (task='classification' takes them for classes)"
    if 2 * m > len(known) or high - low + 1 >= 2 * m:
        return "classification", f"{about}: taken for classes (task='regression' takes them for quantities)"
    return "classification", ""


def told_joined(words: Sequence[str]) -> str:
    """What to say of classes that look like joined tags, of which one is in two labels; "" of others.

    >>> told_joined(["cat;outdoor", "outdoor", "cat;indoor"])[:28]
    'the labels hold semicolons, '
    >>> told_joined(["a;b", "c"])
    ''
    """
    labels = [{part.strip() for part in word.split(";")} for word in sorted(set(words))]
    parts = [part for label in labels for part in label]
    if len(parts) == len(labels) or len(parts) == len(set(parts)):
        return ""
    first = next(word for word in words if ";" in word)
    about = f"the labels hold semicolons, as {first!r} does"
    return f"{about}: taken for classes (task='tags' takes them for sets of tags)"

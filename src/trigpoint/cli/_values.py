"""What options spell out in text: settings, names and sizes."""

import csv
import json
import re
from typing import Any

from trigpoint._errors import InputError


def settings(texts: list[str] | None, flag: str) -> dict[str, Any]:
    """Options of a method, each as KEY=VALUE; a value is read as JSON, and as text where it is none.

    >>> settings(["strategy=two_candidates", "alpha=0.5", 'sigma="median"'], "--option")
    {'strategy': 'two_candidates', 'alpha': 0.5, 'sigma': 'median'}
    """
    found: dict[str, Any] = {}
    for text in texts or []:
        key, mark, value = text.partition("=")
        key = key.strip().replace("-", "_")
        if not mark or not key.isidentifier():
            raise InputError(flag, "must look like KEY=VALUE", repr(text))
        if key in found:
            raise InputError(flag, f"must be given once for {key}", "it twice")
        found[key] = _value(value.strip())
    return found


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def names(texts: list[str] | None, flag: str = "names") -> list[str] | None:
    """Names between commas, and in quotes where they hold one.

    >>> names(['a,"b, c"', "d"])
    ['a', 'b, c', 'd']
    """
    if not texts:
        return None
    try:
        return [name.strip() for row in csv.reader(texts, skipinitialspace=True) for name in row]
    except csv.Error:  # the end of a line outside quotes
        raise InputError(
            flag, "must be names on one line, with commas between them", f"{ascii(texts)[:60]}"
        ) from None


def size(text: str) -> tuple[int, int]:
    """Height and width.

    >>> size("28x20"), size("16")
    ((28, 20), (16, 16))
    """
    found = re.fullmatch(r"(\d+)(?:[x×](\d+))?", text.strip().lower())
    if not found:
        raise InputError("--image-size", "must look like 32x32, height and width", repr(text))
    return int(found[1]), int(found[2] or found[1])


def share(text: str) -> float | str:
    """A share, or a word such as auto.

    >>> share("0.1"), share("auto")
    (0.1, 'auto')
    """
    try:
        return float(text)
    except ValueError:
        return text

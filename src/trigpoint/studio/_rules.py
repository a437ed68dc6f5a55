"""What a class may be called, and what a value must be. Each function says what is wrong, or None."""

import sys
from typing import Any

LONGEST = 200


def name_problem(name: Any, what: str) -> str | None:
    """Why ``name`` cannot be a class."""
    if not isinstance(name, str):
        return f"{what} must be text; got {shown(name)}."
    if not name or name != name.strip():
        return f"{what} must be text without spaces around it; got {shown(name)}."
    if len(name) > LONGEST:
        return f"{what} must have at most {LONGEST} characters; got {len(name)}."
    try:
        name.encode()
    except UnicodeEncodeError:
        return f"{what} must be text that can be written; got {shown(name)}."
    return None


def numbers_problem(value: Any, width: int, what: str) -> str | None:
    """Why ``value`` is not a list of ``width`` finite numbers."""
    if not isinstance(value, list | tuple) or len(value) != width:
        return f"{what} must be a list of {width} number{'s' * (width > 1)}; got {shown(value)}."
    if not all(_is_finite(number) for number in value):
        return f"{what} must hold finite numbers; got {shown(value)}."
    return None


def count_problem(value: Any, what: str) -> str | None:
    """Why ``value`` is not a positive whole number."""
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        return f"{what} must be a whole number from 1; got {shown(value)}."
    return None


def shown(value: Any) -> str:
    text = ascii(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _is_finite(number: Any) -> bool:
    """Compared, since a whole number may be too large to convert."""
    most = sys.float_info.max
    return isinstance(number, int | float) and not isinstance(number, bool) and -most <= number <= most

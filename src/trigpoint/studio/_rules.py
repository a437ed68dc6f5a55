"""What classes and people may be called, and what a value must be. Each function says what is wrong, or None.

Values stay far from the ends of what a float holds, since the learner squares them.
"""

import sys
from typing import Any

LONGEST = 200  # characters of a class
LONGEST_PERSON = 60
MOST = 10**9  # a number of samples that no pool reaches
LEAST_SIZE, MOST_SIZE = 1e-100, 1e100  # of a value that is not 0


def name_problem(name: Any, what: str) -> str | None:
    """Why ``name`` cannot be a class."""
    if not isinstance(name, str):
        return f"{what} must be text; got {shown(name)}."
    if not name or name != name.strip():
        return f"{what} must be text without spaces around it; got {shown(name)}."
    if len(name) > LONGEST:
        return f"{what} must have at most {LONGEST} characters; got {len(name)}."
    return text_problem(name, what)


def person_problem(name: Any, what: str) -> str | None:
    """Why ``name`` cannot be an annotator; spaces around it do not count."""
    if not isinstance(name, str):
        return f"{what} must be text; got {shown(name)}."
    if not 1 <= len(name.strip()) <= LONGEST_PERSON:
        return f"{what} must have 1 to {LONGEST_PERSON} characters, and not blanks alone; got {shown(name)}."
    return text_problem(name, what)


def text_problem(text: str, what: str) -> str | None:
    """Why ``text`` would not survive a file."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return f"{what} must be text that can be written; got {shown(text)}."
    return f"{what} must hold no NUL; got {shown(text)}." if "\0" in text else None


def numbers_problem(value: Any, width: int, what: str) -> str | None:
    """Why ``value`` is not a list of ``width`` numbers that can be learned from."""
    if not isinstance(value, list | tuple) or len(value) != width:
        return f"{what} must be a list of {width} number{'s' * (width > 1)}; got {shown(value)}."
    if not all(_is_finite(number) for number in value):
        return f"{what} must hold finite numbers; got {shown(value)}."
    if not all(number == 0 or LEAST_SIZE <= abs(number) <= MOST_SIZE for number in value):
        rule = f"numbers that are 0 or of a size from {LEAST_SIZE:g} to {MOST_SIZE:g}"
        return f"{what} must hold {rule}; got {shown(value)}."
    return None


def count_problem(value: Any, what: str) -> str | None:
    """Why ``value`` is not a number of samples."""
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        return f"{what} must be a whole number from 1; got {shown(value)}."
    return None if value <= MOST else f"{what} must be at most {MOST:,}; got {shown(value)}."


def shown(value: Any) -> str:
    text = ascii(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _is_finite(number: Any) -> bool:
    """Compared, since a whole number may be too large to convert."""
    most = sys.float_info.max
    return isinstance(number, int | float) and not isinstance(number, bool) and -most <= number <= most

"""What the cells of a column of text say: numbers in the ways that people write them, dates, answers, ranks.

A cell is looked at without the spaces around it. Words for "missing" (`MISSING`) are missing values. A column
is read in the first way that fits all its other cells:

    boolean     true/false, yes/no, y/n, t/f, on/off
    number      1.5, 1e3; 1,234.5 with thousands; 1.234,5 with a decimal comma; $ or EUR before or after
    percentage  12%, 1.5 %
    date        2024-03-01, 2024-03-01T12:30, 01.03.2024, 3/14/2024, 1 Mar 2024; times of a day, 12:30
    ordered     low/medium/high and the like (`SCALES`), 1st/2nd, ranges such as 18-25, <18 and 65+

A style of numbers is chosen for a whole column. "1,234" alone may be 1.234 or 1234: then ``comma`` decides.
Dates such as 03/04/2024, all of whose days and months may change places, are not read.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, time
from math import isfinite

MISSING = frozenset(("", "-", "--", "?", ".", "na", "n/a", "n.a.", "#n/a", "<na>", "nan", "-nan", "nat")) | {
    *("null", "none", "nil", "missing", "unknown", "not available"),
    *("#null!", "#div/0!", "#value!", "#ref!", "#name?", "#num!"),
}
ANSWERS = (
    {"false": 0, "true": 1},
    {"no": 0, "yes": 1},
    {"n": 0, "y": 1},
    {"f": 0, "t": 1},
    {"off": 0, "on": 1},
)
SCALES = tuple(
    {word: rank for rank, level in enumerate(scale.split(" < ")) for word in level.split(", ")}
    for scale in (
        "very low, vlow < low < medium, moderate, middle, mid, med, normal < high < very high, vhigh",
        "xxs < xs < s < m < l < xl < xxl < xxxl",
        "tiny, very small < small < medium, med, middle < large, big < huge, very large",
        "very bad < bad < neutral, average < good < very good < excellent",
        "very poor < poor < fair, average < good < very good < excellent",
        "never < rarely, seldom < sometimes < often < always",
        "strongly disagree < disagree < neutral < agree < strongly agree",
        "mild < moderate < severe",
        "beginner < intermediate < advanced < expert",
        "first < second < third < fourth < fifth",
        "bronze < silver < gold < platinum",
        "cold < cool < mild < warm < hot",
    )
)
DATES = ("%Y/%m/%d", "%d.%m.%Y", "%d %b %Y", "%d %B %Y", "%b %d, %Y", "%B %d, %Y", "%d-%b-%Y")
MIXED = (("%d/%m/%Y", "%m/%d/%Y"), ("%d-%m-%Y", "%m-%d-%Y"))  # the same text may be either
CLOCKS = ("", " %H:%M", " %H:%M:%S")
DAY = 24 * 60 * 60.0  # seconds
MONEY = re.compile(
    r"^([+-]?)\s*(?:[$€£¥₹]|(?:usd|eur|gbp|chf)\b)\s*|\s*(?:[$€£¥₹]|\b(?:usd|eur|gbp|chf))$", re.I
)
PLAIN = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?", re.I)
THOUSANDS = re.compile(r"[+-]?(?:[1-9]\d{0,2}(?:,\d{3})+|\d+)(?:\.\d+)?")
COMMA = re.compile(r"[+-]?(?:[1-9]\d{0,2}(?:\.\d{3})+|\d+)(?:,\d+)?")
EITHER = re.compile(r"[+-]?[1-9]\d{0,2},\d{3}|[+-]?\d+")
ORDINAL = re.compile(r"(\d+)(?:st|nd|rd|th|\.)", re.I)
RANGE = re.compile(r"(\d+(?:\.\d+)?)\s*(?:-|–|to|\.\.)\s*(\d+(?:\.\d+)?)", re.I)
INTERVAL = re.compile(r"[\[(]\s*(-?\d+(?:\.\d+)?)\s*,\s*(-?\d+(?:\.\d+)?)\s*[\])]")  # of pandas.cut
OPEN = re.compile(
    r"(?:(<=?|≤|under|up to)|(>=?|≥|over))\s*(\d+(?:\.\d+)?)|(\d+(?:\.\d+)?)\s*(?:\+|and over)", re.I
)


@dataclass(frozen=True)
class Reading:
    """A way to read the cells of a column.

    Attributes
    ----------
    use : "boolean", "number", "percentage", "date" or "ordered"
    style : which of the ways to write it, so that new cells are read in the same way
    levels : of "ordered", the words from low to high
    """

    use: str
    style: str
    levels: tuple[str, ...] = ()


def missing(word: str) -> bool:
    return word.lower() in MISSING


def reading_of(words: Iterable[str], comma: str | None = None) -> Reading | None:
    """How to read the distinct words of a column, none of them missing; None where they are mere words.

    ``comma`` is what a comma means in numbers such as 1,234: "thousands" or "decimal"; None: not known, and
    then such a column is not read.
    """
    known = list(words)
    lower = {word.lower() for word in known}
    if any(lower <= answers.keys() for answers in ANSWERS):
        return Reading("boolean", "answer")
    for use, style in _styles(known, comma):
        if all(value_of(word, use, style) is not None for word in known):
            return Reading(use, style)
    return _ordered(known)


def _styles(words: list[str], comma: str | None) -> Iterable[tuple[str, str]]:
    """Uses and styles that the first word admits, the plainest first."""
    if all(EITHER.fullmatch(MONEY.sub(r"\1", word)) for word in words) and any("," in word for word in words):
        money = any(MONEY.search(word) for word in words)
        said = "thousands" if money else comma
        return [] if said is None else [("number", said)]
    first, styles = words[0], []
    for use in ("number", "percentage"):
        styles += [
            (use, style)
            for style in ("plain", "thousands", "decimal")
            if _number(first, use, style) is not None
        ]
    formats = [form + clock for form in ("iso", *DATES) for clock in CLOCKS if form != "iso" or not clock]
    formats += ["time"]
    for day_first, month_first in MIXED:
        for clock in CLOCKS:
            both = [form + clock for form in (day_first, month_first)]
            fits = [form for form in both if all(_moment(word, form) is not None for word in words)]
            formats += fits if len(fits) == 1 else []
    return styles + [("date", form) for form in formats if _moment(first, form) is not None]


def _ordered(words: list[str]) -> Reading | None:
    lower = {word.lower() for word in words}
    for scale in SCALES:
        if len(lower) > 1 and lower <= scale.keys():
            return Reading("ordered", "words", tuple(sorted(lower, key=lambda word: (scale[word], word))))
    for style in ("ordinal", "range"):
        ranks = {word: value_of(word, "ordered", style) for word in words}
        if all(rank is not None for rank in ranks.values()):
            return Reading("ordered", style)
    return None


def value_of(word: str, use: str, style: str) -> float | None:
    """The number that a word spells when it is read in this way; None where it does not."""
    if use == "boolean":  # a pool of 0 and 1, or of a frame's booleans, and new rows of true and false
        found = [answers[word.lower()] for answers in ANSWERS if word.lower() in answers]
        if found or style == "answer":
            return float(found[0]) if found else None
    if use == "date":
        return _moment(word, style)
    if use == "ordered":
        return _RANKS[style](word)
    return _number(word, use, style)


def _number(word: str, use: str, style: str) -> float | None:
    if use == "percentage":
        if not word.endswith("%"):
            return None
        word = word[:-1].rstrip()
    else:
        word = MONEY.sub(r"\1", word)
    if style == "plain":
        return _float(word) if PLAIN.fullmatch(word) else None
    if style == "thousands":
        return _float(word.replace(",", "")) if THOUSANDS.fullmatch(word) else None
    return _float(word.replace(".", "").replace(",", ".")) if COMMA.fullmatch(word) else None


def _float(word: str) -> float | None:
    value = float(word)
    return value if isfinite(value) else None


def _moment(word: str, form: str) -> float | None:
    """Days since 1970, or hours of the day."""
    try:
        if form == "time":
            if ":" not in word:
                return None
            clock = time.fromisoformat(word)
            return clock.hour + clock.minute / 60 + clock.second / 3600
        if form == "iso":
            if "-" not in word[1:]:
                return None
            moment = datetime.fromisoformat(word)
        else:
            moment = datetime.strptime(word, form)
    except ValueError:
        return None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp() / DAY


def _ordinal(word: str) -> float | None:
    found = ORDINAL.fullmatch(word)
    return float(found[1]) if found else None


def _range(word: str) -> float | None:
    """The middle of a range; an open end is its border."""
    if found := RANGE.fullmatch(word) or INTERVAL.fullmatch(word):
        low, high = float(found[1]), float(found[2])
        return (low + high) / 2 if low <= high else None
    if found := OPEN.fullmatch(word):
        return float(found[3] or found[4])
    return _float(word) if PLAIN.fullmatch(word) else None


_RANKS: dict[str, Callable[[str], float | None]] = {"ordinal": _ordinal, "range": _range}

import pytest

from trigpoint.features import missing
from trigpoint.features._cells import Reading, reading_of, value_of


def values(words, comma=None):
    """What all words are read as."""
    found = reading_of(words, comma)
    assert found is not None
    return found.use, [value_of(word, found.use, found.style) for word in words]


@pytest.mark.parametrize(
    "word", ["", "NA", "n/a", "N/A", "null", "None", "nan", "NaN", "-", "?", ".", "#DIV/0!"]
)
def test_words_for_missing(word):
    assert missing(word)


@pytest.mark.parametrize("word", ["0", "no", "false", "north", "x", "--- "])
def test_words_that_are_not_missing(word):
    assert not missing(word)


@pytest.mark.parametrize(
    ("words", "use", "expected"),
    [
        (["Yes", "no"], "boolean", [1, 0]),
        (["Y", "N"], "boolean", [1, 0]),
        (["TRUE", "False"], "boolean", [1, 0]),
        (["1.5", "-2e3", ".5", "+7"], "number", [1.5, -2000, 0.5, 7]),
        (["12%", "1.5 %", "-3%"], "percentage", [12, 1.5, -3]),
        (["12,5%", "1 %"], "percentage", [12.5, 1]),
        (["$1,234.50", "$7", "-$3"], "number", [1234.5, 7, -3]),
        (["1.234,50 €", "3 €"], "number", [1234.5, 3]),
        (["EUR 5", "7 USD"], "number", [5, 7]),
        (["1,234,567", "12", "1,000.5"], "number", [1234567, 12, 1000.5]),
        (["1,5", "2", "-0,25"], "number", [1.5, 2, -0.25]),
        (["0,125", "1,250"], "number", [0.125, 1.25]),
        (["1.234.567,5", "2"], "number", [1234567.5, 2]),
        (["$52,000", "$48,500"], "number", [52000, 48500]),
        (["1970-01-02", "1970-01-01T12:00"], "date", [1, 0.5]),
        (["1970-01-02 00:00:00+02:00"], "date", [1 - 2 / 24]),
        (["02.01.1970", "31.01.1970"], "date", [1, 30]),
        (["1/13/1970", "1/2/1970"], "date", [12, 1]),
        (["13/1/1970", "2/1/1970"], "date", [12, 1]),
        (["2 Jan 1970", "31 Jan 1970"], "date", [1, 30]),
        (["Jan 2, 1970 06:00"], "date", [1.25]),
        (["12:30", "06:00:36"], "date", [12.5, 6.01]),
        (["1st", "2nd", "10th"], "ordered", [1, 2, 10]),
        (["18-25", "<18", "65+", "26 to 35", "40"], "ordered", [21.5, 18, 65, 30.5, 40]),
        (["2", "5+", "1"], "ordered", [2, 5, 1]),
    ],
)
def test_ways_to_write_numbers(words, use, expected):
    found, said = values(words)
    assert found == use
    assert said == pytest.approx(expected)


@pytest.mark.parametrize(
    ("words", "levels"),
    [
        (["High", "low", "MEDIUM"], ("low", "medium", "high")),
        (["vhigh", "med", "low", "high"], ("low", "med", "high", "vhigh")),
        (["L", "S", "XL", "M"], ("s", "m", "l", "xl")),
        (["agree", "strongly disagree", "neutral"], ("strongly disagree", "neutral", "agree")),
    ],
)
def test_words_in_a_plain_order(words, levels):
    assert reading_of(words) == Reading("ordered", "words", levels)


@pytest.mark.parametrize(
    "words",
    [
        ["red", "green"],
        ["low", "left"],
        ["low"],
        ["1.5", "two"],
        ["1,5", "2.5"],  # two styles
        ["1_000"],
        ["inf", "1"],
        ["12%", "13"],
        ["20-10"],
        ["03/04/2024", "05/06/2024"],  # days and months may change places
        ["2024-13-01"],
    ],
)
def test_mere_words(words):
    assert reading_of(words) is None


def test_a_comma_that_may_mean_either_needs_a_word():
    words = ["1,234", "56,789"]
    assert reading_of(words) is None
    assert values(words, "thousands")[1] == [1234, 56789]
    assert values(words, "decimal")[1] == [1.234, 56.789]

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trigpoint.checks._spellings import same_spelling, spelling, typos


@pytest.mark.parametrize(
    "names",
    [
        ("cat", " Cat", "CAT", "cat\u00a0"),
        (3, "3", "3.0", " 3 ", "03"),
        ("credit_card", "Credit Card", "credit-card"),
        ("café", "cafe\u0301", "CAFÉ"),
        ("ﬁle", "file"),
        ("straße", "STRASSE"),
        ("-1", "-1.0"),
    ],
)
def test_one_class(names):
    assert len({spelling(name) for name in names}) == 1


@pytest.mark.parametrize(
    "names",
    [
        ("a", "A", "b"),
        ("cat", "cats", "car"),
        ("class 1", "class 2", "class 11"),
        ("3", "-3", "3.5", "three"),
        ("1_000", "1000"),
        ("cafe", "café"),
        ("nan", "inf", "none"),
    ],
)
def test_several_classes(names):
    assert len({spelling(name) for name in names}) == len(names)


def test_the_most_frequent_spelling_leads():
    classes = ["CAT", "cat", " cat", "dog", "Dog ", "bird"]
    counts = np.array([2, 9, 1, 3, 3, 5])
    assert same_spelling(classes, counts) == [[1, 0, 2], [3, 4]]


def distance_one(a, b):
    """Whether one insertion, deletion, change or exchange of neighbors makes b of a."""
    letters = sorted(set(a + b))
    made = {a[:i] + a[i + 1 :] for i in range(len(a))}
    made |= {a[:i] + c + a[i:] for i in range(len(a) + 1) for c in letters}
    made |= {a[:i] + c + a[i + 1 :] for i in range(len(a)) for c in letters}
    made |= {a[:i] + a[i + 1] + a[i] + a[i + 2 :] for i in range(len(a) - 1)}
    return a != b and b in made


WORDS = st.text("abc", min_size=5, max_size=7)


@given(st.lists(WORDS, min_size=2, max_size=6, unique=True))
def test_typos_are_one_letter_away(names):
    counts = np.array([1] + [50] * (len(names) - 1))
    expected = [(0, j) for j in range(1, len(names)) if distance_one(names[0], names[j])]
    assert typos(names, counts) == expected


@pytest.mark.parametrize(
    ("rare", "frequent", "counts"),
    [
        ("airplan", "airplane", (1, 9)),
        ("airplnae", "airplane", (2, 40)),
        ("aeroplane", "aaroplane", (5, 100)),
    ],
)
def test_a_rare_name_may_be_a_typo(rare, frequent, counts):
    assert typos([rare, frequent], np.array(counts)) == [(0, 1)]


@pytest.mark.parametrize(
    ("one", "other", "counts"),
    [
        ("class 1", "class 2", (1, 90)),
        ("airplan", "airplane", (30, 40)),
        ("airplan", "airplane", (3, 40)),
        ("cat", "car", (1, 90)),
        ("10001", "10002", (1, 90)),
        ("airplane", "aeroplane", (1, 90)),
        ("airplan", "airplane", (1, 1)),
    ],
)
def test_others_are_not(one, other, counts):
    assert typos([one, other], np.array(counts)) == []


def test_many_names_are_not_compared_one_by_one():
    names = [f"class {chr(97 + i % 26)}{i}" for i in range(3000)]
    assert typos(names, np.ones(3000, dtype=int)) == []

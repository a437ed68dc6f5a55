"""When a label is confirmed, and when it is shown all the same."""

import pytest

from trigpoint.studio._history import Action
from trigpoint.studio._keeps import Keep, confirmed_at, is_shown


def given(seq, value, source="check"):
    return Action(seq, 0.0, "label", f"p{seq}", 0, value, None, source, None, None, False)


def kept(seq, value, quality):
    return Keep(seq, 0.0, "keep", f"p{seq}", 0, value, None, "check", None, None, False, None, quality)


@pytest.mark.parametrize(
    ("label", "actions", "expected"),
    [
        ("a", [], None),
        ("a", [given(1, "a", "queue")], None),
        ("a", [given(1, "a")], 0.0),
        ("a", [given(1, "b")], None),
        ("a", [kept(1, "a", 0.3)], 0.3),
        ("a", [kept(1, "b", 0.3)], None),
        ("a", [kept(2, "a", 0.3), kept(1, "a", 0.1)], 0.3),
        ("a", [kept(1, "a", 0.3), given(2, "a")], 0.0),
        ("a", [given(1, "a"), kept(2, "a", 0.3)], 0.3),
        ((1.0, 2.0), [kept(1, (1.0, 2.0), 0.2)], 0.2),
        ((1.0, 2.0), [kept(1, (1.0, 2.5), 0.2)], None),
    ],
)
def test_confirmed_by_hand(label, actions, expected):
    assert confirmed_at(label, actions) == expected


@pytest.mark.parametrize(
    ("quality", "confirmed", "shown"),
    [
        (0.4, None, True),
        (0.2, 0.3, False),
        (0.01, 0.3, False),
        (0.009, 0.3, True),
        (0.0, 0.1, True),
        (0.0, 0.09, False),
        (0.0, 0.0, False),
    ],
)
def test_what_was_doubtful_and_is_hopeless_is_shown_again(quality, confirmed, shown):
    assert is_shown(quality, confirmed) == shown

import pytest

from trigpoint.studio._consensus import Verdict, verdict
from trigpoint.studio._history import Action


def actions(*said):
    """Actions out of "a" (a label), ("a", "final"), "?" (unsure), "-" (skip), or a tuple of numbers."""
    made = []
    for seq, what in enumerate(said):
        value, final = (what[0], True) if what[-1] == "final" else (what, False)
        kind = {"?": "unsure", "-": "skip"}.get(value, "label")
        label = value if kind == "label" else None
        made.append(Action(seq, 0.0, kind, f"p{seq}", 0, label, None, "queue", None, None, final))
    return made


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ((), Verdict()),
        (("-", "-"), Verdict()),
        (("?",), Verdict(unsure=True)),
        (("?", "-"), Verdict(unsure=True)),
        (("a",), Verdict("a")),
        (("a", "?", "-"), Verdict("a")),
        (("a", "a"), Verdict("a")),
        (("a", "b"), Verdict(disputed=True)),
        (("a", "b", "b"), Verdict("b", disputed=True)),
        (("a", "b", "b", "a", "c"), Verdict(disputed=True)),
        (("a", "a", ("b", "final")), Verdict("b")),
        ((("b", "final"), ("c", "final"), "a"), Verdict("c")),
        (((1.0, 2.0),), Verdict((1.0, 2.0))),
        (((1.0, 2.0), (3.0, 2.0)), Verdict((2.0, 2.0), disputed=True)),
        (((1.0, 2.0), (1.0, 2.0)), Verdict((1.0, 2.0))),
        (((1.7e308,), (1.7e308,)), Verdict((1.7e308,))),
    ],
)
def test_verdicts_by_hand(said, expected):
    assert verdict(actions(*said)) == expected


def test_the_latest_final_label_wins_in_whatever_order_they_come():
    first, second = actions(("a", "final"), ("b", "final"))
    assert verdict([second, first]) == verdict([first, second]) == Verdict("b")

import pytest

from trigpoint.studio._history import Action, Consensus, consensus


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
        ((), Consensus()),
        (("-", "-"), Consensus()),
        (("?",), Consensus(unsure=True)),
        (("?", "-"), Consensus(unsure=True)),
        (("a",), Consensus("a")),
        (("a", "?", "-"), Consensus("a")),
        (("a", "a"), Consensus("a")),
        (("a", "b"), Consensus(disputed=True)),
        (("a", "b", "b"), Consensus("b", disputed=True)),
        (("a", "b", "b", "a", "c"), Consensus(disputed=True)),
        (("a", "a", ("b", "final")), Consensus("b")),
        ((("b", "final"), ("c", "final"), "a"), Consensus("c")),
        (((1.0, 2.0),), Consensus((1.0, 2.0))),
        (((1.0, 2.0), (3.0, 2.0)), Consensus((2.0, 2.0), disputed=True)),
        (((1.0, 2.0), (1.0, 2.0)), Consensus((1.0, 2.0))),
        (((1.7e308,), (1.7e308,)), Consensus((1.7e308,))),
    ],
)
def test_verdicts_by_hand(said, expected):
    assert consensus(actions(*said)) == expected


def test_the_latest_final_label_wins_in_whatever_order_they_come():
    first, second = actions(("a", "final"), ("b", "final"))
    assert consensus([second, first]) == consensus([first, second]) == Consensus("b")


def test_ties_go_to_the_better_people():
    said = actions("a", "b")
    assert consensus(said, {"p0": 0.9, "p1": 0.6}, 3) == Consensus("a", disputed=True)
    assert consensus(said, {"p0": 0.6, "p1": 0.9}, 3) == Consensus("b", disputed=True)
    assert consensus(said, {"p0": 0.7, "p1": 0.7}, 3) == Consensus(disputed=True)
    assert consensus(said, {"p0": 0.9}, 3) == Consensus(disputed=True), "of p1 nothing is known"
    assert consensus(actions("a", "b", "b"), {"p0": 0.99, "p1": 0.5, "p2": 0.5}, 3).label == "b"
    four = actions("a", "b", "b", "a", "c")
    assert consensus(four, {"p0": 0.6, "p1": 0.9, "p2": 0.5, "p3": 0.6, "p4": 0.99}, 3).label == "b"

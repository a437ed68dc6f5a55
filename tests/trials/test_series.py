import numpy as np

from trigpoint.trials import Tally, against, series, tally


def rows(**values):
    """Trials of methods in one cell, l = 5."""
    return [
        {"trial": trial, "method": method, "l": 5, "error": value}
        for method, trials in values.items()
        for trial, value in enumerate(trials)
    ]


def test_trials_stay_in_their_places():
    held = series(
        [
            {"trial": 2, "method": "a", "l": 5, "error": 7.0},
            {"trial": 0, "method": "a", "l": 5, "error": 1.0},
            {"trial": 0, "method": "b", "l": 9, "error": None},
        ],
        ("l",),
        "error",
    )
    np.testing.assert_array_equal(held.held[(5,)]["a"], [1.0, np.nan, 7.0])
    np.testing.assert_array_equal(held.held[(9,)]["b"], [np.nan] * 3)
    assert held.methods(["b", "c", "a"]) == ["b", "a"]
    assert held.estimate((5,), "b").trials == 0


def test_where_takes_the_start_of_a_cell_off():
    held = series([{"trial": 0, "method": "a", "set": "x", "l": 5, "error": 1.0}], ("set", "l"), "error")
    assert held.where("x").cells == [(5,)]
    assert held.where("y").cells == []


def test_comparisons_are_counted():
    held = series(rows(a=[1, 2, 3], b=[2, 3, 4.1], c=[0, 1, 2.1], d=[1, 3, 2]), ("l",), "error")
    assert against(held, "a", ["a", "b", "c", "d"]) == Tally(lower=1, even=1, higher=1)


def test_fewer_than_three_pairs_do_not_count():
    assert tally([(np.array([1.0, 2.0]), np.array([5.0, 6.1]))]) == Tally(left_out=1)

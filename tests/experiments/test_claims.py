import numpy as np

from trigpoint.experiments import _claims
from trigpoint.experiments._paper_methods import METHODS
from trigpoint.experiments._settings import FULL
from trigpoint.trials import Series, Tally


def by_construction(cells, best, trials=5):
    """Every method has error about 10 in every trial, but for the best, which has 5."""
    rng = np.random.default_rng(0)
    return Series(
        {
            cell: {name: (5.0 if name == best else 10.0) + rng.random(trials) for name in METHODS}
            for cell in cells
        }
    )


def regression_cells():
    return [
        (known.name, condition, matrix, budget)
        for known in FULL.regression
        for condition in ("clean", "noisy")
        for matrix in ("laplacian", "ltsa")
        for budget in known.budgets
    ]


def verdicts(findings):
    return {one.claim: one.verdict for one in findings}


def test_a_claim_needs_half_of_its_comparisons_and_may_lose_one_in_twenty():
    assert _claims.judged("", Tally(10, 9, 1)).verdict == _claims.CONFIRMED
    assert _claims.judged("", Tally(10, 8, 2)).verdict == _claims.REFUTED
    assert _claims.judged("", Tally(9, 11, 0)).verdict == _claims.REFUTED
    assert _claims.judged("", Tally()).verdict == _claims.UNTESTABLE
    assert _claims.judged("", Tally(0, 0, 5), lower=False).verdict == _claims.CONFIRMED


def test_what_is_built_to_win_wins():
    held = by_construction(regression_cells(), "GCLS")
    found = verdicts(_claims.regression(held, held))
    assert found["GCLS has lower error than its competitors in most situations"] == _claims.CONFIRMED
    assert found["GCLS has the lowest mean error in most situations"] == _claims.CONFIRMED
    assert found["GCLS, two candidates has the lowest mean error in most situations"] == _claims.REFUTED
    assert found["With few landmarks GCLS is at least comparable"] == _claims.CONFIRMED
    assert found["GCLS is consistently superior on lips"] == _claims.CONFIRMED
    assert found["GCLS is better than others on jazz hands at the largest l"] == _claims.CONFIRMED
    assert found["GCLS is worse than others on faces at the smallest l"] == _claims.REFUTED
    assert found["(ours) The default has lower error than GCLS"] == _claims.REFUTED
    two = "GCLS, two candidates has lower error than its competitors in most situations"
    assert found[two] == _claims.REFUTED


def test_two_trials_test_nothing():
    held = by_construction(regression_cells(), "GCLS", trials=2)
    assert set(verdicts(_claims.regression(held, held)).values()) == {_claims.UNTESTABLE}


def test_the_matrix_that_is_better_is_seen():
    held = by_construction(regression_cells(), "none")
    for cell, got in held.held.items():
        if cell[2] == "ltsa":
            held.held[cell] = {name: values + 3 for name, values in got.items()}
    found = verdicts(_claims.regression(held, held))
    assert found["Selecting on the Laplacian is better than on LTSA (LS)"] == _claims.CONFIRMED
    worse = Series({c: {n: -v for n, v in got.items()} for c, got in held.held.items()})
    found = verdicts(_claims.regression(held, worse))
    assert found["Selecting on the Laplacian is better than on LTSA (Spec)"] == _claims.REFUTED


def test_the_smallest_and_largest_budgets_are_those_of_each_set():
    held = Series({("a", 5): {}, ("a", 9): {}, ("b", 100): {}, ("b", 200): {}})
    small, large = _claims._first_and_last(held)
    assert small.cells == [("a", 5), ("b", 100)]
    assert large.cells == [("a", 9), ("b", 200)]


def test_accuracy_is_judged_by_what_is_wrong():
    held = by_construction([("ar", 10), ("ar", 15)], "GCLS")
    found = verdicts(_claims.classification(held))
    assert found["GCLS significantly improves accuracy"] == _claims.CONFIRMED


def test_ratios_of_times():
    cells = [(500, 50), (500, 100)]
    held = by_construction(cells, "none")
    for got in held.held.values():
        got["MinCond"], got["GCLS"] = got["Random"] * 50, got["Random"]
    found = verdicts(_claims.runtime(held, 500))
    assert found["MinCond takes about 100 times as long as GCLS"] == _claims.CONFIRMED
    for got in held.held.values():
        got["MinCond"] = got["Random"] * 5
    found = verdicts(_claims.runtime(held, 500))
    assert found["MinCond takes about 100 times as long as GCLS"] == _claims.REFUTED

"""How the project's bake-off joins and ranks comparisons of several pools."""

import importlib
from pathlib import Path

import numpy as np
import pytest

import trigpoint as tp
from trigpoint.comparison import Comparison

ROOM = Path(__file__).parents[2] / "benchmarks" / "selection"
RANDOM = np.array([[0.4, 0.6], [0.2, 0.2]])


@pytest.fixture
def bench(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOM))
    return lambda name: importlib.import_module(name)


def made(asks=(), **errors):
    held = {**errors, "random": RANDOM}
    stacked = np.array(list(held.values()))
    seconds = np.where(np.isnan(stacked), np.nan, 1.0)
    both = {"held_out": stacked[:, None], "rest": stacked[:, None]}
    return Comparison(
        tuple(held),
        ("propagation",),
        (5, 20),
        "classification",
        both,
        seconds,
        75,
        25,
        {"seed": 0},
        [],
        tuple(asks),
    )


def test_standings_by_hand(bench):
    few = np.array([[0.1, np.nan], [0.2, np.nan]])  # a quarter, then as random
    found = {
        "one": made(auto=RANDOM / 2, other=RANDOM, few=few),
        "two": made(auto=RANDOM * [[1.0], [0.25]], learner=RANDOM / 8, asks=["learner"]),
    }
    lines = {line.name: line for line in bench("standings").standings(found, "held_out")}
    assert list(lines) == ["auto", "few", "other", "random"]  # no learner; the lowest ratio first
    auto, other = lines["auto"], lines["other"]
    assert auto.ratio == pytest.approx((0.5 * 0.5 * 1.0 * 0.25) ** 0.25)
    assert (auto.cells, auto.trials, auto.full) == (4, "2", True)
    assert (auto.worst, auto.where) == (pytest.approx(1.0), "two, 5")
    assert auto.rank == pytest.approx((1.0 + (1.5 + 1.0) / 2) / 2)
    assert (other.cells, other.full) == (2, False)
    assert other.rank == pytest.approx(2.5)  # beside random
    assert other.rank_among_full == pytest.approx(2.5)
    assert other.beside_auto == pytest.approx(0.5)
    assert (lines["few"].trials, lines["few"].full) == ("1", False)
    assert lines["few"].ratio == pytest.approx(0.5)
    assert lines["few"].rank_among_full == pytest.approx((1.0 + 2.5) / 2)  # with auto and random alone


def test_no_error_at_all_has_a_standing(bench):
    (line, _) = bench("standings").standings({"one": made(perfect=0 * RANDOM)}, "rest")
    assert 0 < line.ratio < 0.1


@pytest.mark.slow
def test_joined_comparisons_are_those_of_one_run(bench):
    rng = np.random.default_rng(0)
    y = np.arange(60) % 3
    X = rng.standard_normal((60, 2)) + 4 * y[:, None]
    settings = {"predictors": ["propagation"], "budgets": [3, 9]}
    whole = tp.compare(X, y, methods=["kmeans", "gcls", "learner"], n_splits=3, **settings)
    some = tp.compare(X, y, methods=["kmeans"], n_splits=3, **settings)
    rest = tp.compare(X, y, methods=["gcls", "learner"], n_splits=2, **settings)
    joined = bench("bake").joined([some, rest])
    assert joined.methods == ("kmeans", "random", "gcls", "learner")
    assert joined.asks == ("learner",)
    for name in joined.methods:
        mine, theirs = (one.errors["rest"][one.methods.index(name), 0] for one in (joined, whole))
        count = 3 if name in some.methods else 2
        np.testing.assert_array_equal(mine[:, :count], theirs[:, :count])
        assert np.isnan(mine[:, count:]).all()
    assert len(joined.rows) == 2 * (2 * 3 + 2 * 2)
    assert joined.ratios("gcls") == pytest.approx(rest.ratios("gcls"))

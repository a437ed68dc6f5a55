import numpy as np
import pytest
from numpy.testing import assert_array_equal

import trigpoint as tp
from trigpoint.demo import demo_report, draw_demo, run_demo
from trigpoint.report import page

TOLD = []


@pytest.fixture(scope="module")
def demo():
    with tp.progress(TOLD.append):
        return run_demo(budget=40, seed=1)


@pytest.mark.slow
def test_the_demo_beats_random_and_repeats(demo):
    assert demo.accuracy[-1] > demo.random_accuracy[:, -1].mean()
    assert demo.accuracy[-1] > 0.95
    assert_array_equal(demo.predicted[demo.landmarks], demo.y[demo.landmarks])
    assert not demo.uncertainty[demo.landmarks].any()
    assert ((demo.uncertainty >= -1e-9) & (demo.uncertainty <= 1)).all()
    assert list(demo.seconds) == [one.stage for one in TOLD if one.ended and len(one.path) == 1]
    again = run_demo(budget=40, seed=1)
    assert_array_equal(again.landmarks, demo.landmarks)
    assert_array_equal(again.random_accuracy, demo.random_accuracy)
    assert_array_equal(again.coordinates, demo.coordinates)


@pytest.mark.slow
def test_uncertainty_points_at_mistakes(demo):
    wrong = demo.predicted != demo.y
    assert wrong[demo.uncertain].mean() > 2 * wrong[demo.rest].mean()


def test_a_tiny_budget():
    demo = run_demo(budget=2)
    assert demo.budgets.tolist() == [2]
    assert np.isfinite(demo.uncertainty).all()


def test_budgets_beyond_the_pool_are_refused():
    with pytest.raises(ValueError, match=r"budget must be an integer and lie in \[2, 1796\] for 1797 digits"):
        run_demo(budget=5000)


def test_the_report_tells_what_the_demo_found(tmp_path):
    demo = run_demo(budget=12, seed=1)
    text = page(demo_report(demo))
    assert f"12 labels for 1797 digits: {100 * demo.accuracy[-1]:.1f}\u00a0% of the others right" in text
    assert "trigpoint demo --budget 12 --seed 1" in text
    assert text.count("<img") == 12 + 24
    assert len(text) < 200_000
    draw_demo(demo, tmp_path / "picture.svg")
    assert (tmp_path / "picture.svg").exists()

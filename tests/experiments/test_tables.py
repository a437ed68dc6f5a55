import numpy as np
import pytest

from trigpoint.experiments._paper import reported
from trigpoint.experiments._tables import rank_agreement
from trigpoint.trials import Series


def test_rank_agreement():
    held = Series({(5,): {name: np.array([float(k)]) for k, name in enumerate("abcd")}})
    same = {("s", 5, name): (10.0 * k, None) for k, name in enumerate("abcd")}
    assert rank_agreement(held, same, ("s",), "abcd") == [pytest.approx(1)]
    reverse = {key: (-value, None) for key, (value, _) in same.items()}
    assert rank_agreement(held, reverse, ("s",), "abcd") == [pytest.approx(-1)]
    assert np.isnan(rank_agreement(held, {}, ("s",), "abcd")).all()


def test_the_papers_figures(reference_folder):
    regression = reported("regression", reference_folder)
    assert regression[("Face", "clean", 40, "Random")] == (11.23, 0.23)
    assert len(regression) == 360
    assert reported("classification", reference_folder)[("AR", 10, "GCLS")] == (86.67, None)
    torus = reported("torus", reference_folder)
    assert torus[(0.0, "LS", 20, "GCLS, two candidates")] == (14.107, None)
    assert len(torus) == 100


def test_figures_that_are_missing_or_odd_are_named(tmp_path):
    assert reported("regression", None) == {}
    assert reported("runtime", tmp_path) == {}
    with pytest.raises(FileNotFoundError, match=r"paper_regression\.csv must hold the paper's figures"):
        reported("regression", tmp_path)
    (tmp_path / "paper_regression.csv").write_text("a,b\n1,2\n")
    with pytest.raises(ValueError, match=r"paper_regression\.csv must hold the columns"):
        reported("regression", tmp_path)

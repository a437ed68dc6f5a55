import numpy as np
import pytest

from trigpoint.experiments._paper import reported
from trigpoint.experiments._series import Series
from trigpoint.experiments._statistics import Estimate
from trigpoint.experiments._tables import budget_table, markdown, number, rank_agreement, shown, summary

HELD = Series(
    {
        (5,): {"a": np.array([1.0, 2.0, 3.0]), "b": np.array([1.0, np.nan, np.nan])},
        (9,): {"a": np.array([4.0, 4.0, 4.0])},
    }
)


def test_a_table():
    assert markdown(["", "x"], [["a", "1"]]) == "|  | x |\n|---|---:|\n| a | 1 |\n"


@pytest.mark.parametrize(
    ("value", "text"),
    [(12.345, "12.35"), (0.00123, "0.0012"), (123.4, "123"), (1.2e7, "1.2e+07"), (0.0, "0.00")],
)
def test_numbers_are_short(value, text):
    assert number(value) == text
    assert number(np.nan) == "–"


def test_ours_beside_the_papers():
    assert shown(Estimate(1.5, 0.25, 20), (1.63, 0.07)) == "1.50 ± 0.25 [1.63]"
    assert shown(Estimate(1.5, np.nan, 1)) == "1.50"
    assert shown(Estimate(np.nan, np.nan, 0), (1.63, 0.07)) == "[1.63]"
    assert shown(Estimate(np.nan, np.nan, 0)) == ""


def test_the_best_is_bold_and_few_trials_are_told():
    table = budget_table(HELD, ["a", "b"], {("Set", 5, "a"): (7.0, None)}, ("Set",))
    assert table.splitlines()[2] == "| a | **2.00 ± 2.48 [7.00]** | **4.00 ± 0.00** |"
    assert table.splitlines()[3] == "| b (1 of 3 trials) | 1.00 |  |"
    highest = budget_table(HELD, ["a", "b"], {}, (), "highest")
    assert "**2.00 ± 2.48**" in highest


def test_rank_agreement():
    held = Series({(5,): {name: np.array([float(k)]) for k, name in enumerate("abcd")}})
    same = {("s", 5, name): (10.0 * k, None) for k, name in enumerate("abcd")}
    assert rank_agreement(held, same, ("s",), "abcd") == [pytest.approx(1)]
    reverse = {key: (-value, None) for key, (value, _) in same.items()}
    assert rank_agreement(held, reverse, ("s",), "abcd") == [pytest.approx(-1)]
    assert np.isnan(rank_agreement(held, {}, ("s",), "abcd")).all()


def test_a_summary_has_a_row_a_cell_and_method():
    found = summary(HELD, ("l",), "error", ["a", "b"])
    assert [(row["l"], row["method"], row["trials"]) for row in found] == [
        (5, "a", 3),
        (5, "b", 1),
        (9, "a", 3),
    ]


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

import numpy as np
import pytest

from trigpoint.trials import Estimate, Series, budget_table, markdown, number, shown, summary

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


def test_a_summary_has_a_row_a_cell_and_method():
    found = summary(HELD, ("l",), "error", ["a", "b"])
    assert [(row["l"], row["method"], row["trials"]) for row in found] == [
        (5, "a", 3),
        (5, "b", 1),
        (9, "a", 3),
    ]

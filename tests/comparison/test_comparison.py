"""What is said of trials whose errors are made up."""

import csv
from dataclasses import replace

import numpy as np
import pytest

from trigpoint.comparison import Comparison
from trigpoint.trials import estimate, ratio

BUDGETS = (5, 20)
RANDOM = np.array([[0.4, 0.6, 0.5, 0.5], [0.2, 0.2, 0.25, 0.15]])


def made_ways(methods, predictors, errors):
    """A comparison with these errors, (methods, predictors, budgets, splits)."""
    rows = [
        {
            "trial": k,
            "method": name,
            "predictor": by,
            "n_landmarks": budget,
            "rest": errors[m, p, b, k] / 2,
            "held_out": errors[m, p, b, k],
            "seconds": 0.5,
        }
        for m, name in enumerate(methods)
        for p, by in enumerate(predictors)
        for b, budget in enumerate(BUDGETS)
        for k in range(errors.shape[3])
    ]
    both, seconds = {"held_out": errors, "rest": errors / 2}, np.full_like(errors[:, 0], 0.5)
    return Comparison(methods, predictors, BUDGETS, "classification", both, seconds, 75, 25, {}, rows)


def made(**errors):
    """A comparison with these errors, (budgets, splits) a method, beside random's."""
    held = {**{name: np.array(value, dtype=float) for name, value in errors.items()}, "random": RANDOM}
    stacked = np.array(list(held.values()))
    return made_ways(tuple(held), ("auto",), stacked[:, None])


def test_figures_by_hand():
    found = made(half=RANDOM / 2, odd=RANDOM * [[2.0], [0.5]])
    assert found.mean("random", 5).mean == pytest.approx(0.5)
    assert found.difference("half", 20).mean == pytest.approx(-0.1)
    assert found.difference("half", 20).ci95 == pytest.approx(estimate(RANDOM[1] / 2).ci95)
    assert found.ratio("half", 5) == ratio(RANDOM[0] / 2, RANDOM[0])
    assert found.overall("half").value == pytest.approx(0.5)
    assert found.overall("odd").value == pytest.approx(1.0)
    assert found.overall("odd", to="half").value == pytest.approx(2.0)
    assert found.worst("odd") == (5, pytest.approx(2.0))
    assert found.mean_ranks() == {"half": 1.25, "odd": 2.25, "random": 2.5}  # half and odd tie at 20
    assert found.best() == "half"


@pytest.mark.parametrize(
    ("errors", "words"),
    [
        (RANDOM / 2, "new beats random at every budget: error 0.50 times as large (95 %: 0.50–0.50)."),
        (
            RANDOM * [[0.5], [1.0]],
            "new beats random, significantly at 1 of 2 budgets: error 0.71 times as large",
        ),
        (
            RANDOM - [[0.1, -0.1, 0.03, -0.02], [-0.05, 0.05, 0.0, 0.01]],
            "No method beats random significantly; the best is new: error 0.9",
        ),
        (RANDOM * 2, "No method beats random; the best is new: error 2.00"),
        (
            RANDOM - [[0.31, -0.02, 0.1, 0.1], [-0.02, 0.12, 0.06, 0.04]],
            "new beats random over all budgets together: error 0.",
        ),
    ],
)
def test_the_answer_in_words(errors, words):
    assert made(new=errors).winner().startswith(words)


def test_the_answer_where_there_is_little_to_tell():
    assert made().winner() == "Only random was compared."
    single = made(new=RANDOM / 2)
    single = replace(
        single,
        errors={where: held[..., :1] for where, held in single.errors.items()},
        seconds=single.seconds[:, :, :1],
    )
    assert single.winner().startswith("No method beats random significantly; the best is new: error 0.50")
    assert "(one split, no interval)" in single.winner()


def test_no_wrong_label_at_all_is_not_infinitely_better():
    found = made(perfect=0 * RANDOM)
    assert found.overall("perfect").value == pytest.approx(0.005 / np.sqrt(0.5 * 0.2))  # half of 100 labels
    assert found.winner().startswith("perfect beats random at every budget: error 0.02 ")


def told(found, name):
    """The same, but that this method was told labels as it chose."""
    return replace(found, asks=(name,))


@pytest.mark.parametrize(
    ("errors", "words"),
    [
        (RANDOM / 4, "Labels in the loop help: new has 0.50 times the error of half (95 %: 0.50–0.50)."),
        (RANDOM, "Labels in the loop do harm: new has 2.00 times the error of half (95 %: 2.00–2.00)."),
        (
            RANDOM / 2 + [[0.1, -0.1, 0.03, -0.02], [-0.05, 0.05, 0.0, 0.01]],
            "Labels in the loop make no significant difference: new has 1.0",
        ),
    ],
)
def test_what_labels_in_the_loop_bring(errors, words):
    found = told(made(new=errors, half=RANDOM / 2), "new")
    assert found.loop().startswith(words)
    assert found.best() == "half"
    assert found.winner().startswith("half beats random at every budget: error 0.50")
    assert found.mean_ranks()["half"] == 1.0  # whatever the labels bring
    assert made(half=RANDOM / 2).loop() == ""


WAYS = {  # times the errors of random labels with "auto"
    ("auto", "auto"): 0.5,
    ("auto", "propagation"): 0.6,
    ("auto", "logistic"): 0.8,
    ("random", "auto"): 1.0,
    ("random", "propagation"): 1.2,
    ("random", "logistic"): 1.4,
    ("kmeans", "auto"): 0.9,
    ("kmeans", "propagation"): 1.1,
    ("kmeans", "logistic"): 0.7,
}


def ways(**other):
    """Of three methods and three predictors; ``other`` changes some: kmeans_logistic=0.2."""
    times = WAYS | {tuple(name.split("_")): value for name, value in other.items()}
    methods, predictors = ("auto", "random", "kmeans"), ("auto", "propagation", "logistic")
    errors = np.array([[times[name, by] * RANDOM for by in predictors] for name in methods])
    return made_ways(methods, predictors, errors)


def test_figures_of_ways_by_hand():
    found = ways()
    assert found.mean("kmeans", 5, predictor="logistic").mean == pytest.approx(0.35)
    assert found.mean("kmeans", 5).mean == pytest.approx(0.45)  # with the first
    assert found.ratio("kmeans", 5, predictor="logistic").value == pytest.approx(0.5)  # to random with it
    beside = found.ratio("kmeans", 5, predictor="logistic", to="auto", to_predictor="auto")
    assert beside.value == pytest.approx(1.4)
    assert found.ratio("auto", 5, to="auto", to_predictor="auto").high == 1.0
    assert found.ratio("auto", 5, to="auto", to_predictor="logistic").value == pytest.approx(0.625)
    gap = found.difference("kmeans", 20, predictor="logistic", to="auto", to_predictor="auto")
    assert gap.mean == pytest.approx(0.2 * 0.2)
    assert found.overall("kmeans", predictor="logistic").value == pytest.approx(0.5)
    assert found.overall("auto", to="auto", to_predictor="logistic").value == pytest.approx(0.625)
    assert found.over_budgets("auto", predictor="logistic") == pytest.approx(0.8 * np.sqrt(0.5 * 0.2))
    assert found.ratios("kmeans", predictor="propagation") == pytest.approx([1.1 / 1.2] * 2)
    assert found.worst("kmeans", predictor="logistic") == (5, pytest.approx(0.5))
    assert found.mean_ranks(predictor="logistic") == {"auto": 2.0, "random": 3.0, "kmeans": 1.0}
    assert found.best(predictor="logistic") == "kmeans"
    assert found.best() == "auto"
    assert found.ways()[:3] == [("auto", "auto"), ("auto", "propagation"), ("kmeans", "logistic")]
    assert found.winner(predictor="logistic").startswith("kmeans beats random at every budget: error 0.50")
    with pytest.raises(ValueError, match="predictor must be one of 'auto', 'propagation', 'logistic'"):
        found.mean("auto", 5, predictor="svm")


def test_the_best_way_in_words():
    assert ways().answer() == (
        "On this pool, auto labels with our predictor have the least error: 0.71 times that of kmeans labels "
        "with logistic regression (95 %: 0.71–0.71)."
    )
    assert ways(kmeans_logistic=0.25).answer() == (
        "On this pool, kmeans labels with logistic regression have the least error, not our default: "
        "0.50 times that of auto labels with our predictor (95 %: 0.50–0.50)."
    )
    equal = made_ways(("kmeans", "auto", "random"), ("svm", "auto"), np.full((3, 2, 2, 4), 0.25))
    assert equal.ways()[:2] == [("auto", "auto"), ("kmeans", "svm")]  # of equal ones ours first
    without = ways()
    errors = {where: held[1:] for where, held in without.errors.items()}
    without = replace(without, methods=("random", "kmeans"), errors=errors, seconds=without.seconds[1:])
    assert without.answer() == (
        "On this pool, kmeans labels with logistic regression have the least error: 0.50 times that of "
        "random labels with logistic regression (95 %: 0.50–0.50)."
    )
    assert made(new=RANDOM / 2).answer() == ""


def test_a_best_way_in_doubt_says_so():
    found = ways(kmeans_logistic=0.49)
    errors = found.errors["held_out"].copy()
    errors[2, 2] += [[0.1, -0.1, 0.05, -0.05], [0.02, -0.02, 0.03, -0.03]]
    found = replace(found, errors={**found.errors, "held_out": errors})
    assert found.answer().startswith(
        "On this pool, kmeans labels with logistic regression have the least error,"
    )
    assert found.answer().endswith("), which is no significant difference.")


def test_methods_that_ask_are_no_best_way():
    found = told(ways(kmeans_logistic=0.1), "kmeans")
    assert found.ways()[0] == ("auto", "auto")
    assert ("kmeans", "logistic") not in found.ways()


def test_ways_on_the_page(tmp_path):
    found = ways(kmeans_logistic=0.25)
    page = (found.write(tmp_path) / "README.md").read_text()
    assert f"**{found.answer()} With our predictor: {found.winner()}**" in page
    assert "kmeans labels with logistic regression was picked as the best of 9" in page
    assert "| kmeans | 28.46 | 34.79 | **7.91** |" in page  # of sqrt(.5 * .2), in %
    assert "| kmeans | 0.90 (0.90–0.90) | 0.92 (0.92–0.92) | 0.18 (0.18–0.18) |" in page
    assert "| kmeans, logistic | **12.50 ± 3.25** |" in page
    with (tmp_path / "summary.csv").open() as stream:
        lines = list(csv.DictReader(stream))
    assert len(lines) == 2 * 2 * 9
    assert (lines[2]["method"], lines[2]["predictor"], lines[2]["ratio"]) == ("auto", "logistic", "0.571429")
    lines = found.picture().axes[0].lines
    assert len(lines) == 4  # three methods with our predictor, and the best way


def test_a_learner_alone_is_held_against_random():
    found = told(made(new=RANDOM / 2), "new")
    assert found.winner() == "Only random was compared of those that see no label."
    assert found.loop().startswith("Labels in the loop help: new has 0.50 times the error of random")
    assert found.loop().endswith(", including the gain from coverage alone.")
    assert found.mean_ranks() == {"new": 1.0, "random": 1.0}


def test_the_best_in_doubt_does_not_hide_one_that_is_sure():
    found = made(even=RANDOM * 0.75, wild=RANDOM * [[0.1, 1.3, 0.1, 1.0], [0.1, 1.3, 0.1, 1.0]])
    assert found.best() == "wild"
    assert found.overall("wild").high > 1 > found.overall("even").high
    assert found.winner() == (
        "even beats random over all budgets together: error 0.75 times as large (95 %: 0.75–0.75); "
        "wild has a lower error, but does not beat random significantly: "
        f"error {found.overall('wild').value:.2f} times as large "
        f"(95 %: {found.overall('wild').low:.2f}–{found.overall('wild').high:.2f})."
    )


def test_a_method_beside_itself_has_no_interval():
    found = made(new=RANDOM / 2)
    wide = replace(found, errors={**found.errors, "held_out": found.errors["held_out"] ** 9})
    for name in found.methods:
        own = wide.ratio(name, 5, to=name)
        assert (own.value, own.low, own.high) == (1.0, 1.0, 1.0)


def test_only_a_best_of_several_is_flattered(tmp_path):
    for errors, several in (({"new": RANDOM / 2}, False), ({"new": RANDOM / 2, "old": RANDOM}, True)):
        page = (made(**errors).write(tmp_path) / "README.md").read_text()
        assert ("was picked as the best of 2" in page) == several
        assert ("flatters" in page) == several


def test_a_method_with_fewer_splits_is_compared_on_those(tmp_path):
    few = np.where([True, True, False, False], RANDOM / 2, np.nan)
    found = made(few=few, half=RANDOM / 2 + 0.01)
    seconds = np.where(np.isnan(found.errors["rest"][:, 0]), np.nan, found.seconds)
    rows = [row for row in found.rows if np.isfinite(row["rest"])]
    found = replace(found, seconds=seconds, rows=rows)
    assert found.ratios("few") == pytest.approx([0.5, 0.5])
    assert found.overall("few").value == pytest.approx(0.5)
    assert found.mean("few", 5).trials == 2
    assert found.mean_ranks() == {"few": 1.0, "half": 1.0, "random": 2.0}  # half is not ranked with it
    assert found.mean_ranks(among=["half"]) == {"few": 1.0, "half": 1.0, "random": 2.0}
    assert found.table()[0]["splits"] == 2
    assert found.table()[0]["seconds"] == 0.5
    assert "few (2 of 4 trials)" in found.write(tmp_path).joinpath("README.md").read_text()


def test_no_wrong_label_in_few_splits_counts_half_a_label_of_those():
    few = np.where([True, True, False, False], 0.0, np.nan)
    found = made(few=np.broadcast_to(few, (2, 4)))
    found = replace(found, seconds=np.where(np.isnan(found.errors["rest"][:, 0]), np.nan, found.seconds))
    assert found.ratios("few") == pytest.approx([0.01 / 0.5, 0.01 / 0.2])  # half of 2 * 25 labels


def test_the_table_has_a_row_a_measure_budget_and_method():
    rows = made(new=RANDOM / 2).table()
    assert len(rows) == 2 * 2 * 2
    first = rows[0]
    assert (first["measure"], first["n_landmarks"], first["method"]) == ("held_out", 5, "new")
    assert (first["error"], first["difference"], first["ratio"]) == pytest.approx((0.25, -0.25, 0.5))
    assert {row["measure"] for row in made().table(where="rest")} == {"rest"}


def test_unknown_names_are_refused():
    found = made()
    with pytest.raises(ValueError, match=r"budget must be one of \[5, 20\]; got 6"):
        found.mean("random", 6)
    with pytest.raises(ValueError, match="method must be one of 'random'; got 'auto'"):
        found.overall("auto")
    with pytest.raises(ValueError, match="where must be one of"):
        found.mean_ranks(where="there")


def test_a_folder_with_the_page(tmp_path):
    found = made(new=RANDOM / 2)
    folder = found.write(tmp_path / "deep" / "out")
    assert {file.name for file in folder.iterdir()} == {
        "README.md",
        "summary.csv",
        "trials.csv",
        "compare.png",
    }
    page = (folder / "README.md").read_text()
    assert f"**{found.winner()}**" in page
    assert "| new | 0.50 (0.50–0.50) | 1.00 | 0.50 at 5 |" in page
    assert "| new | **25.00 ± 6.50** | **10.00 ± 3.25** |" in page
    assert "](compare.png)" in page
    with (folder / "summary.csv").open() as stream:
        assert len(list(csv.DictReader(stream))) == 8
    with (folder / "trials.csv").open() as stream:
        assert len(list(csv.DictReader(stream))) == 16


def test_the_picture_has_a_panel_a_measure():
    figure = made(new=RANDOM / 2).picture()
    assert [axis.get_title() for axis in figure.axes] == ["samples held out", "unlabeled rest of the pool"]
    heights = {line.get_color(): line.get_ydata().tolist() for line in figure.axes[0].lines}
    assert sorted(heights.values()) == [pytest.approx([25, 10]), pytest.approx([50, 20])]

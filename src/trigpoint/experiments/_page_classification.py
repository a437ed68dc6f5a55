"""The classification suite as a page: Table 3 of the paper, the labels spent, its claims."""

from trigpoint.experiments import _claims
from trigpoint.experiments._paper import Reported
from trigpoint.experiments._paper_methods import METHODS
from trigpoint.experiments._settings import Preset
from trigpoint.experiments._tables import BESIDE, claims_table
from trigpoint.trials import Page, Row, Series, budget_table, series, summary

BY = ("dataset", "labels_per_class")
MEASURES = {
    "accuracy": "accuracy (%) on the samples that were never labeled",
    "accuracy_untrained": "accuracy (%) on all samples that were not trained on",
    "labels_spent": "labels spent until every class has enough",
}


def classification_page(rows: list[Row], preset: Preset, paper: Reported) -> Page:
    held = {
        name: series(rows, BY, name) for name in (*MEASURES, "n_unlabeled", "train_seconds", "select_seconds")
    }
    methods = held["accuracy"].methods(METHODS)
    trials = len({row["trial"] for row in rows})
    wrong = {measure: _wrong(held[measure]) for measure in ("accuracy", "accuracy_untrained")}
    blocks = [
        "# Classification\n",
        f"{BESIDE} Columns are labels a class. {trials} trials.\n",
        "GF is V-optimality, which looks at no labels; the paper's may have been the one that does.\n",
        "## The paper's claims\n",
    ]
    for measure, part in wrong.items():
        blocks += [f"By {MEASURES[measure]}:\n", claims_table(_claims.classification(part))]
    for known in preset.classification:
        if not any(cell[0] == known.name for cell in held["accuracy"].cells):
            continue
        for measure, title in MEASURES.items():
            part = held[measure].where(known.name)
            table = budget_table(
                part,
                methods,
                paper if measure == "accuracy" else {},
                (known.paper,),
                "lowest" if measure == "labels_spent" else "highest",
            )
            blocks += [f"## {known.title}: {title}\n", table]
    blocks.append(_hours(rows))
    found = [row for name, part in held.items() for row in summary(part, BY, name, methods)]
    names = {known.name: known.paper for known in preset.classification}
    for row in found:
        if row["measure"] == "accuracy":
            key = (names[str(row["dataset"])], row["labels_per_class"], row["method"])
            row["paper_mean"] = paper.get(key, (None, None))[0]
    return Page(blocks, found)


def _wrong(held: Series) -> Series:
    return Series({cell: {name: 100 - v for name, v in got.items()} for cell, got in held.held.items()})


def _hours(rows: list[Row]) -> str:
    """One core's time a trial of all methods: every dictionary once, and every selection once."""
    selecting = {
        (row["dataset"], row["trial"], row["method"], row["select_seconds"]): row["select_seconds"]
        for row in rows  # one order serves all rows of a nested method
    }
    trials = len({row["trial"] for row in rows})
    spent = sum(row["train_seconds"] for row in rows) + sum(selecting.values())
    hours = spent / 3600 / max(trials, 1)
    return f"\nOne trial of all data sets and methods takes {hours:.2f} hours of one core.\n"

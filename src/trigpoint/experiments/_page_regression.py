"""The regression suite as a page: Tables 1 and 2 of the paper, its figure of LS and Spec, its claims."""

from collections.abc import Sequence

import numpy as np

from trigpoint.experiments import _claims
from trigpoint.experiments._figures import regression_figure
from trigpoint.experiments._paper import Reported
from trigpoint.experiments._paper_methods import METHODS, PAPER
from trigpoint.experiments._settings import CONDITIONS, Preset, RegressionSet
from trigpoint.experiments._tables import BESIDE, claims_table, rank_agreement
from trigpoint.trials import Page, Row, Series, budget_table, markdown, number, series, summary, tally

RENDERED = "Rendered here: compare orders, not sizes, with the paper's."
REAL = (
    "The images are 32 x 32 and the labels z-scored, so that errors are relative to values around zero: "
    "compare orders, not sizes, with the paper's."
)
BY = ("dataset", "condition", "selected_on", "n_landmarks")


def regression_page(rows: list[Row], preset: Preset, paper: Reported) -> Page:
    ls, spec = series(rows, BY, "ls_error"), series(rows, BY, "spec_error")
    methods = ls.methods(METHODS)
    there = {cell[0] for cell in ls.cells}
    sets = [known for known in preset.regression if known.name in there]
    blocks = [
        "# Regression: relative error (%)\n",
        f"{BESIDE} Landmarks are selected on the Laplacian; the paper has no figures for Spec.\n",
        "## The paper's claims\n",
        claims_table(_claims.regression(ls, spec)),
    ]
    for known in sets:
        mean = np.mean([row["mean_error"] for row in rows if row["dataset"] == known.name])
        blocks += _tables(known, ls, spec, float(mean), methods, paper)
    blocks += ["## Selecting on LTSA instead of the Laplacian\n", _matrices(ls, spec, methods)]
    return Page(
        blocks,
        _summary(ls, spec, methods, paper, {known.name: known.paper for known in sets}),
        {
            f"{known.name}.png": regression_figure(
                _on_laplacian(ls, known.name), _on_laplacian(spec, known.name), known.title, methods
            )
            for known in sets
        },
    )


def _tables(
    known: RegressionSet, ls: Series, spec: Series, mean: float, methods: Sequence[str], paper: Reported
) -> list[str]:
    pixels = "the pixels" if known.n_features is None else f"{known.n_features} principal components"
    blocks = [
        f"## {known.title}\n",
        f"n = {known.n_samples} drawn from {known.pool}, {pixels}, K = {known.n_neighbors}. "
        f"Without inference, the mean of the landmarks has an error of {number(mean)} %. "
        f"{REAL if known.real else RENDERED}\n",
    ]
    for condition in CONDITIONS:
        key = (known.paper, condition)
        held = ls.where(known.name, condition, "laplacian")
        blocks += [f"### {known.title}, {condition}, LS\n", budget_table(held, methods, paper, key)]
        agreement = rank_agreement(held, paper, key, PAPER)
        if np.isfinite(agreement).any():
            told = ", ".join(number(one) for one in agreement)
            blocks.append(f"Rank correlation of the paper's methods with its own order: {told}.\n")
        held = spec.where(known.name, condition, "laplacian")
        blocks += [f"### {known.title}, {condition}, Spec\n", budget_table(held, methods, {}, ())]
    return blocks


def _matrices(ls: Series, spec: Series, methods: Sequence[str]) -> str:
    """A method a row: error with landmarks from LTSA over that from the Laplacian, and paired verdicts."""
    rows = []
    for name in methods:
        row = [name]
        for held in (ls, spec):
            pairs = [
                (got[name], other[name])
                for cell, got in held.held.items()
                if cell[2] == "laplacian"
                and name in got
                and name in (other := held.held.get((*cell[:2], "ltsa", cell[3]), {}))
            ]
            if pairs:
                ratio = np.exp(np.mean([np.log(np.nanmean(b) / np.nanmean(a)) for a, b in pairs]))
                found = tally(pairs)
                row += [number(float(ratio)), f"{found.lower} / {found.even} / {found.higher}"]
        if len(row) == 5:
            rows.append(row)
    header = [
        "",
        "LS: LTSA / Laplacian",
        "better / even / worse",
        "Spec: LTSA / Laplacian",
        "better / even / worse",
    ]
    note = (
        "Ratio of mean errors, geometric mean over cells: above 1, selecting on the Laplacian is better. "
        "Then the number of cells in which the Laplacian is significantly better, neither, "
        "or significantly worse. "
        "Methods that do not look at the matrix are left out.\n\n"
    )
    return note + markdown(header, rows)


def _on_laplacian(held: Series, name: str) -> Series:
    """Cells (condition, l) of one data set."""
    return Series(
        {
            (condition, budget): got
            for (dataset, condition, matrix, budget), got in held.held.items()
            if dataset == name and matrix == "laplacian"
        }
    )


def _summary(
    ls: Series, spec: Series, methods: Sequence[str], paper: Reported, names: dict[str, str]
) -> list[Row]:
    table = summary(ls, BY, "ls_error", methods)
    for row in table:
        if row["selected_on"] == "laplacian":
            key = (names[str(row["dataset"])], row["condition"], row["n_landmarks"], row["method"])
            row["paper_mean"], row["paper_ci95"] = paper.get(key, (None, None))
    return table + summary(spec, BY, "spec_error", methods)

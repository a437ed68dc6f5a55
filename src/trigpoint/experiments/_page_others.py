"""The suites on run time, on the bound and on the torus as pages."""

from trigpoint.experiments import _claims
from trigpoint.experiments._figures import panel
from trigpoint.experiments._paper import Reported
from trigpoint.experiments._paper_methods import METHODS
from trigpoint.experiments._settings import Preset
from trigpoint.experiments._tables import BESIDE, claims_table
from trigpoint.experiments._torus import NOISES
from trigpoint.plots import curves_picture
from trigpoint.trials import Page, Row, Series, budget_table, series, summary


def runtime_page(rows: list[Row], preset: Preset, paper: Reported) -> Page:
    held = series(rows, ("n", "n_landmarks"), "seconds")
    told = series([{**row, "ms": 1000.0 * row["seconds"]} for row in rows], ("n", "n_landmarks"), "ms")
    methods = held.methods(METHODS)
    n, l = preset.runtime_n, preset.runtime_l  # noqa: E741
    trials = len({row["trial"] for row in rows})
    by_l = Series(
        {cell: got for cell, got in told.where(n).held.items() if cell[0] in preset.runtime_budgets}
    )
    by_n = Series({cell[:1]: got for cell, got in told.held.items() if cell[1] == l})
    blocks = [
        "# Run time of selection\n",
        f"Milliseconds of the processor, on one thread; graph and Laplacian not counted. {trials} trials. "
        "The paper has a figure without numbers.\n",
        "## The paper's claims\n",
        claims_table(_claims.runtime(held, n)),
        f"## Against l, n = {n}\n",
        budget_table(by_l, methods, {}, ()),
        f"## Against n, l = {l}\n",
        budget_table(by_n, methods, {}, ()),
    ]
    panels = [
        panel(by_l, methods, f"n = {n}", "landmarks", "ms", log=True),
        panel(by_n, methods, f"{l} landmarks", "samples", "ms", log=True),
    ]
    figure = curves_picture([panels], "Run time of selection")
    return Page(blocks, summary(held, ("n", "n_landmarks"), "seconds", methods), {"runtime.png": figure})


def bound_page(rows: list[Row], preset: Preset, paper: Reported) -> Page:
    names = {
        "bound_1": "bound with the 1-norm, as the paper writes it",
        "bound_inf": "bound with the infinity-norm, which the circles bound",
        "gershgorin": "Q, what GCLS makes small",
        "condition_number": "condition number",
    }
    held = {name: series(rows, ("n_landmarks",), name) for name in names}
    methods = held["bound_1"].methods(METHODS)
    blocks = [
        "# The bound against the number of landmarks\n",
        f"Rendered faces, Laplacian, n = {preset.regression[0].n_samples}; alpha is 0.001 times the mean of "
        "the diagonal of Phi.\n",
        "## The paper's claims\n",
        claims_table(_claims.bound(held["bound_1"])),
        "The same of Q, which is what the circles make small:\n",
        claims_table(_claims.bound(held["gershgorin"])),
    ]
    for name, title in names.items():
        blocks += [f"## {title[0].upper()}{title[1:]}\n", budget_table(held[name], methods, {}, ())]
    panels = [
        panel(held[name], methods, title, "landmarks", name, log=True)
        for name, title in names.items()
        if name in ("bound_1", "gershgorin")
    ]
    table = [row for name, part in held.items() for row in summary(part, ("n_landmarks",), name, methods)]
    return Page(
        blocks, table, {"bound.png": curves_picture([panels], "The bound against the number of landmarks")}
    )


def torus_page(rows: list[Row], preset: Preset, paper: Reported) -> Page:
    by = ("noise", "n_landmarks")
    held = {"LS": series(rows, by, "ls_error"), "Spec": series(rows, by, "spec_error")}
    methods = held["LS"].methods(METHODS)
    blocks = [
        "# The toolbox's torus: relative error (%)\n",
        f"{BESIDE.replace('the paper', 'the toolbox')} n = {preset.torus_n}, K = 8, everything on LTSA. "
        "The toolbox's farthest point is Euclidean, ours goes along the graph; its LS is soft (0.1), ours "
        "hard; its trials spread widely (a standard deviation of 8 at a mean of 15 for random).\n",
        "## What the toolbox recorded\n",
        claims_table(_claims.torus(held["LS"])),
    ]
    for noise in NOISES:
        for name, part in held.items():
            table = budget_table(part.where(noise), methods, paper, (noise, name))
            blocks += [f"## {name}, noise {noise:g}\n", table]
    panels = [
        [
            panel(part.where(noise), methods, f"{name}, noise {noise:g}", "landmarks", "relative error (%)")
            for noise in NOISES
        ]
        for name, part in held.items()
    ]
    found = [
        row for name, part in held.items() for row in summary(part, by, f"{name.lower()}_error", methods)
    ]
    for row in found:
        propagator = "LS" if row["measure"] == "ls_error" else "Spec"
        key = (row["noise"], propagator, row["n_landmarks"], row["method"])
        row["toolbox_mean"] = paper.get(key, (None, None))[0]
    return Page(blocks, found, {"torus.png": curves_picture(panels, "The toolbox's torus")})

"""Tables: methods down, budgets across, in Markdown; and one row a cell and method, for CSV."""

from collections.abc import Mapping, Sequence

import numpy as np

from trigpoint.trials._series import Cell, Series
from trigpoint.trials._statistics import Estimate

Beside = Mapping[tuple[object, ...], tuple[float, float | None]]  # cell -> mean, half width or None


def markdown(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table; the first column is for words, the others for numbers."""
    lines = ["| " + " | ".join(header) + " |", "|---|" + "---:|" * (len(header) - 1)]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in rows)]) + "\n"


def shown(found: Estimate, paper: tuple[float, float | None] | None = None) -> str:
    """12.3 ± 0.4, and what the paper has in brackets."""
    if found.trials == 0:
        return "" if paper is None else f"[{paper[0]:.2f}]"
    text = number(found.mean)
    if np.isfinite(found.ci95):
        text += f" ± {number(found.ci95)}"
    return text if paper is None else f"{text} [{paper[0]:.2f}]"


def number(value: float) -> str:
    if not np.isfinite(value):
        return "–"
    if value and not 0.01 <= abs(value) < 1e4:
        return f"{value:.2g}"
    return f"{value:.2f}" if abs(value) < 100 else f"{value:.0f}"


def budget_table(
    held: Series, methods: Sequence[str], paper: Beside, key: tuple[object, ...], best: str = "lowest"
) -> str:
    """Cells of ``held`` are (budget,). The best mean of a column is bold; fewer trials are told."""
    cells = held.cells
    most = max((held.estimate(cell, name).trials for cell in cells for name in methods), default=0)
    leaders = {cell: _leader(held, cell, methods, best) for cell in cells}
    rows = []
    for name in methods:
        found = [held.estimate(cell, name) for cell in cells]
        trials = max((one.trials for one in found), default=0)
        row = [name if trials == most else f"{name} ({trials} of {most} trials)"]
        for cell, one in zip(cells, found, strict=True):
            text = shown(one, paper.get((*key, *cell, name)))
            row.append(f"**{text}**" if name == leaders[cell] else text)
        rows.append(row)
    return markdown(["", *(str(cell[-1]) for cell in cells)], rows)


def _leader(held: Series, cell: Cell, methods: Sequence[str], best: str) -> str | None:
    """Of those with as many trials as any."""
    found = {name: held.estimate(cell, name) for name in methods}
    most = max((one.trials for one in found.values()), default=0)
    means: Mapping[str, float] = {name: one.mean for name, one in found.items() if one.trials == most}
    finite = {name: mean for name, mean in means.items() if np.isfinite(mean)}
    if not finite:
        return None
    return min(finite, key=lambda name: finite[name] if best == "lowest" else -finite[name])


def summary(held: Series, by: Sequence[str], measure: str, methods: Sequence[str]) -> list[dict[str, object]]:
    """One row a cell and method: mean, half width of the 95 % interval, trials."""
    rows = []
    for cell in held.cells:
        for name in methods:
            found = held.estimate(cell, name)
            if found.trials:
                rows.append(
                    {
                        **dict(zip(by, cell, strict=True)),
                        "method": name,
                        "measure": measure,
                        "mean": found.mean,
                        "ci95": found.ci95,
                        "trials": found.trials,
                    }
                )
    return rows

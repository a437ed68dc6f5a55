"""Figures of runs that take hours, read again from the tables that they left in docs/.

Nothing is computed but means and ratios of stored rows, by the code of the runs themselves where it is
simple. `./dev bench all --slow` repeats the runs.
"""

import csv
import json
import sys
from collections import defaultdict
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from _figures import Figure

HERE = Path(__file__).parent
DOCS = HERE.parent / "docs"


def rows_of(path: Path) -> list[dict]:
    """Numbers are numbers, and an empty cell is None."""
    with path.open(newline="", encoding="utf-8") as file:
        return [{key: cell(value) for key, value in row.items()} for row in csv.DictReader(file)]


def cell(text: str):
    try:
        return float(text) if text else None
    except ValueError:
        return text


def geometric(values) -> float:
    return float(np.exp(np.mean(np.log(list(values)))))


@contextmanager
def imports_from(folder: Path):
    """Modules of a folder can be imported, and are forgotten afterwards: others have the same names."""
    before = set(sys.modules)
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        for name in set(sys.modules) - before:
            if Path(getattr(sys.modules[name], "__file__", None) or "/").parent == folder:
                del sys.modules[name]


def endtoend():
    with imports_from(HERE / "endtoend"):
        import figures as counted
        from pools import OUTSIDE, OWN, UNSEEN
        from summary import RATIOS

    rows = rows_of(DOCS / "bakeoff" / "endtoend" / "trials.csv")
    held = counted.errors(rows)
    for title, (way, others, _) in RATIOS.items():
        found = counted.best_ratio(held, way, others)
        for group in (OWN, OUTSIDE, UNSEEN):
            yield Figure(f"mistakes {title}, {group} pools", found.among(group).mean, "")
        yield Figure(f"mistakes {title}, all pools", found.mean, "", detail=f"{len(found.by_pool)} pools")
        lost = sum(value > 1 for value in found.by_pool.values())
        yield Figure(f"pools with more mistakes {title}", lost, "", detail=f"of {len(found.by_pool)}")
    logistic = counted.ratio(held, "ours", "logistic")
    seen = {
        pool: value for pool, value in logistic.by_pool.items() if pool not in logistic.among(UNSEEN).by_pool
    }
    yield Figure("mistakes ÷ logistic regression, 31 pools in view", geometric(seen.values()), "")
    ece = counted.calibration(rows, "ours")
    yield Figure("calibration error, one shot, all pools", 100 * ece.mean, "%")
    for budget in (20, 200):
        found = counted.calibration(rows, "ours", budget)
        yield Figure(f"calibration error, one shot, {budget} labels", 100 * found.mean, "%")


def selection():
    rows = [row for row in rows_of(DOCS / "bakeoff" / "summary.csv") if row["measure"] == "held_out"]
    for method in ("auto", "sigma_optimal", "kmeans", "gcls"):
        found = [row["ratio"] for row in rows if row["method"] == method and row["ratio"]]
        yield Figure(f"{method} to random, held out", geometric(found), "", detail=f"{len(found)} cells")


def noise():
    folder = DOCS / "bakeoff" / "noise"
    errors = [row for row in rows_of(folder / "errors.csv") if row["share"]]
    peers = {
        "default score": ("logistic", "knn"),
        "better of two": ("logistic", "knn", "logistic_margin", "knn_margin"),
    }
    for name, ways in peers.items():
        pools, cells = defaultdict(list), defaultdict(list)
        for row in errors:
            ratio = row["ours"] / max(row[way] for way in ways)
            pools[row["pool"]].append(ratio)
            cells[row["labeled"], row["share"], row["kind"]].append(ratio)
        yield Figure(f"average precision to cleanlab, {name}", geometric(map(geometric, pools.values())), "")
        yield Figure(
            f"average precision to cleanlab, {name}: lowest cell", min(map(geometric, cells.values())), ""
        )
    inside = [row["low"] <= row["wrong"] <= row["high"] for row in errors]
    yield Figure("the 90 % interval holds the truth", 100 * float(np.mean(inside)), "%")
    for which, labeled in (("all", 1.0), ("a tenth", 0.1)):
        some = [row for row in errors if row["labeled"] == labeled]
        near = [
            row["n_wrong"] is not None and abs(row["n_wrong"] / row["wrong"] - 1) <= 1 / 3 for row in some
        ]
        yield Figure(f"n_wrong within a third, {which} labeled", 100 * float(np.mean(near)), "%")
    accuracy = rows_of(folder / "accuracy.csv")
    for name, wrong in (("10 to 30 % wrong", True), ("clean labels", False)):
        some = [row for row in accuracy if (row["share"] > 0) == wrong]
        for other, key in (("noise=0", "today"), ("logistic regression", "logistic")):
            pools = defaultdict(list)
            for row in some:
                floor = 0.5 / row["judged"]
                pools[row["pool"]].append(max(row["auto"], floor) / max(row[key], floor))
            found = geometric(map(geometric, pools.values()))
            yield Figure(f"error with 200 labels to {other}, {name}", found, "")
    scale = json.loads((folder / "scale.json").read_text())["100000"]
    yield Figure("100,000 labeled: CPU to the graph", scale["issues_cpu"] / scale["graph_cpu"], "times")
    yield Figure("100,000 labeled: memory", scale["peak_gb"], "GB")


def reproduction():
    times = defaultdict(list)
    for row in rows_of(DOCS / "reproduction" / "runtime" / "trials.csv"):
        if row["seconds"]:
            times[row["n"], row["n_landmarks"], row["method"]].append(row["seconds"])
    sizes = [key[:2] for key in times if key[2] == "MinCond"]
    both = [np.median(times[*size, "MinCond"]) / np.median(times[*size, "GCLS"]) for size in sizes]
    middle = float(f"{np.median(both):.2g}")  # as the page says it: two digits
    yield Figure("time of MinCond to GCLS", middle, "times", detail=f"median of {len(both)} sizes")
    found = defaultdict(dict)
    for row in rows_of(DOCS / "reproduction" / "regression" / "summary.csv"):
        if row["measure"] == "ls_error":
            where = tuple(row[key] for key in ("dataset", "condition", "selected_on", "n_landmarks"))
            found[where][row["method"]] = row["mean"]
    for other in ("Random", "GCLS"):
        both = [
            cells["Facility (our default)"] / cells[other]
            for cells in found.values()
            if "Facility (our default)" in cells and other in cells
        ]
        yield Figure(
            f"regression error of the default to {other}", geometric(both), "", detail=f"{len(both)} cells"
        )


STORED = {"endtoend": endtoend, "selection": selection, "noise": noise, "reproduction": reproduction}
SLOW = {  # the words after ./dev that repeat each; {folder} is where the tables are
    "endtoend": "bench endtoend --splits 2 --most 2500 -o {folder}/bakeoff/endtoend",
    "selection": "bench selection -o {folder}/bakeoff",
    "noise": "bench noise errors accuracy scale --seeds 1 --most 1000 -o {folder}/bakeoff/noise",
    "reproduction": "reproduce all -o {folder}/reproduction",
}

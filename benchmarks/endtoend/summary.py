"""README.md, summary.csv and trials.csv of a run."""

import numpy as np
from figures import best_ratio, calibration, errors, mean_of, worse_cells
from pools import BUDGETS, OUTSIDE, OWN, POOLS, UNSEEN, WHOLE
from ways import PEERS, WAYS

from trigpoint.trials import Page, markdown, number, write_page

READING = """\
Every split draws three quarters of a pool to choose from and holds one quarter out, at most 2,000 samples.
All ways get the same number of labels and are judged by their errors on the samples held out. A cell is a
pool, a split and a budget. A ratio is the geometric mean over the cells of a pool, then over pools; no error
at all counts as half a wrong sample. In brackets: 95 % of bootstrap draws of the pools, and their number.
*Own* pools are those that the project keeps; *outside* and *unseen* ones are tables of the KEEL collection.
The rules were chosen with own and outside pools in view, and before any unseen one was loaded. *Ours* is
`LandmarkSelector` + `ManifoldClassifier` with all defaults, and *in the loop* `ActiveLearner`, ten questions
at a time. *Peers* are SVM, nearest neighbor, LabelSpreading and graphlearning (Laplace and Poisson) on our
labels.
"""
WORST = "worst ≤ 1.05"
RATIOS = {  # what is divided by what, and the goal
    "÷ logistic regression, our labels": ("ours", ("logistic",), f"≤ 0.50, {WORST}"),
    "÷ logistic regression, k-means labels": ("ours", ("kmeans",), f"≤ 0.45, {WORST}"),
    "÷ best peer of each pool, our labels": ("ours", PEERS, f"≤ 0.75, {WORST}"),
    "÷ ours, random labels": ("ours", ("random",), "≤ 0.60, no cell > 1.0"),
    "loop ÷ one shot": ("loop", ("ours",), f"≤ 0.70, {WORST}"),
}
CALIBRATED = ("ours", "random", "loop")


def write(folder, rows, code):
    """``code`` counts the trials of ours by the version that made them."""
    rows = sorted(rows, key=lambda row: (list(POOLS).index(row["pool"]), list(WAYS).index(row["method"])))
    held = errors(rows)
    blocks = ["# End to end\n", READING, _versions(code)]
    blocks += ["## Error of ours, one shot, beside others\n", _figures(held, rows)]
    blocks += ["## By budget\n", _budgets(held, rows), "## By pool\n", _pools(held, rows)]
    blocks += ["## Error by pool and way, in %: mean over splits and budgets\n", _errors(rows)]
    blocks += ["## One shot against random labels, by pool and budget\n", _worse(held)]
    blocks += ["## Digits, % right\n", _digits(rows)]
    blocks += ["## CPU seconds, median over pools and splits\n", _seconds(rows), *_failures(rows)]
    write_page(folder, Page(blocks, _summary(rows)), rows)


def _versions(code):
    told = ", ".join(f"{version} ({count} trials)" for version, count in code.most_common())
    mixed = " **These are several versions: compute ours anew (--again ours,random,loop).**"
    return f"Ours was made by the code {told}.{mixed if len(code) > 1 else ''}\n"


def _figures(held, rows):
    lines = []
    for title, (way, others, goal) in RATIOS.items():
        lines.append([title, *_groups(best_ratio(held, way, others), True), goal])
    for way in CALIBRATED:
        goal = "≤ 5 %, worst ≤ 10 %" if way == "ours" else ""
        lines.append([f"calibration error, {WAYS[way]}", *_groups(calibration(rows, way), False), goal])
    heads = [f"{group} pools{what}" for group in (OWN, OUTSIDE, UNSEEN, "all") for what in ("", ": worst")]
    return markdown(["", *heads, "to reach"], lines)


def _groups(found, log):
    cells = []
    for part in (*(found and found.among(group, log) for group in (OWN, OUTSIDE, UNSEEN)), found):
        if part is None:
            cells += ["–", "–"]
        else:
            interval = f"{_shown(part.low, log)}–{_shown(part.high, log)}, {len(part.by_pool)}"
            cells.append(f"{_shown(part.mean, log)} ({interval})")
            cells.append(f"{_shown(part.by_pool[part.worst], log)} {part.worst}")
    return cells


def _shown(value, log):
    return f"{value:.2f}" if log else f"{100 * value:.1f} %"


def _budgets(held, rows):
    lines = []
    for title, (way, others, _) in RATIOS.items():
        found = [best_ratio(held, way, others, budget) for budget in BUDGETS]
        lines.append([title, *(_mean(one, True) for one in found)])
    for way in CALIBRATED:
        found = [calibration(rows, way, budget) for budget in BUDGETS]
        lines.append([f"calibration error, {WAYS[way]}", *(_mean(one, False) for one in found)])
    return markdown(["", *map(str, BUDGETS)], lines)


def _mean(found, log):
    return "–" if found is None else _shown(found.mean, log)


def _pools(held, rows):
    found = [best_ratio(held, way, others) for way, others, _ in RATIOS.values()]
    known = {row["pool"]: row for row in rows if row["trial"] != WHOLE}
    sure = {way: calibration(rows, way) for way in CALIBRATED}
    lines = []
    for pool, row in known.items():
        splits = len({one["trial"] for one in rows if one["pool"] == pool and one["trial"] != WHOLE})
        line = [f"{pool} ({POOLS[pool].group})", str(row["n"]), str(row["classes"]), str(splits)]
        line += [_of(one, pool, True) for one in found]
        lines.append(line + [_of(sure[way], pool, False) for way in CALIBRATED])
    heads = [
        "samples",
        "classes",
        "splits",
        *RATIOS,
        *(f"calibration error, {WAYS[way]}" for way in CALIBRATED),
    ]
    return markdown(["", *heads], lines)


def _of(found, pool, log):
    return "–" if found is None or pool not in found.by_pool else _shown(found.by_pool[pool], log)


def _errors(rows):
    lines = []
    for pool in dict.fromkeys(row["pool"] for row in rows):
        line = [pool]
        for way in WAYS:
            found = [
                row["held_out"]
                for row in rows
                if (row["pool"], row["method"]) == (pool, way) and row["held_out"] is not None
            ]
            line.append(f"{100 * np.mean(found):.1f}" if found else "–")
        lines.append(line)
    return markdown(["", *WAYS.values()], lines)


def _worse(held):
    count, worse = worse_cells(held, "ours", "random")
    lines = [[f"{pool}, {budget}", f"{value:.2f}"] for (pool, budget), value in worse.items()]
    said = f"With 3 splits or more: worse in {len(worse)} of {count}.\n"
    return said if not lines else said + "\n" + markdown(["", "error ÷ random's"], lines)


def _digits(rows):
    lines = []
    for way in ("ours", "loop"):
        for title, what, whole in (
            ("rest of the whole pool", "rest", True),
            ("rest of three quarters", "rest", False),
            ("held out", "held_out", False),
        ):
            wrong = [mean_of(rows, what, "digits", way, budget, whole) for budget in BUDGETS]
            lines.append([f"{WAYS[way]}: {title}", *(number(100 - 100 * value) for value in wrong)])
    return markdown(["", *map(str, BUDGETS)], lines)


def _seconds(rows):
    lines = []
    for way, title in WAYS.items():
        line = [title]
        for budget in BUDGETS:
            found = [row["seconds"] for row in rows if (row["method"], row["budget"]) == (way, budget)]
            line.append(number(float(np.median(found))) if found else "–")
        lines.append(line)
    return markdown(["", *map(str, BUDGETS)], lines)


def _failures(rows):
    failed = [row for row in rows if row["failed"]]
    if not failed:
        return []
    counts = {}
    for row in failed:
        key = row["method"], row["pool"], row["failed"].splitlines()[0][:100]
        counts[key] = counts.get(key, 0) + 1
    lines = [[f"{WAYS[way]} on {pool}", str(count), why] for (way, pool, why), count in counts.items()]
    return ["## Cells where a peer failed, and is left out\n", markdown(["", "cells", "why"], lines)]


def _summary(rows):
    """One row a pool, way and budget."""
    found = []
    for pool, way, budget in dict.fromkeys((row["pool"], row["method"], row["budget"]) for row in rows):
        line = {"pool": pool, "group": POOLS[pool].group, "method": way, "budget": budget}
        means = {
            what: mean_of(rows, what, pool, way, budget) for what in ("held_out", "rest", "ece", "seconds")
        }
        found.append({**line, **means})
    return found

"""README.md of a run, and errors.csv and accuracy.csv with a row for every cell that was computed.

A ratio of average precisions, or of errors, is the geometric mean over pools (and draws). The best of
cleanlab is the best of its ways in each pool and cell. An error of 0 counts as half a sample.
"""

import json
from collections import Counter

import numpy as np
from _accuracy import CELLS as ACCURACY
from _label_errors import CELLS as ERRORS

from trigpoint.io import write_table, write_text
from trigpoint.trials import columns, markdown, number

DEFAULT = ("logistic", "knn")
ALL = (*DEFAULT, "logistic_margin", "knn_margin")
READING = """\
Wrong labels are planted. *Uniform* ones are any other class. *Pairs*: each class is taken for the one that
logistic regression confuses it with most. cleanlab 2.9 gets probabilities of models that did not see the
labels, out of five folds: logistic regression on standardized features, and the 10 nearest neighbors. Its
best of the two, in each pool and cell, is what ours is divided by.
"""


def write(folder):
    errors, accuracy, code = held(folder)
    blocks = ["# Labels that are wrong\n", READING, versions(errors, accuracy, code)]
    if errors:
        blocks += ["## Ranking: average precision of `label_issues` ÷ that of cleanlab\n", ranking(errors)]
        blocks += ["## How many labels are wrong\n", counts(errors)]
        blocks += ["## Clean labels: how many seem wrong, of how many\n", clean(errors)]
        blocks += ["## Average precision by pool, mean over cells\n", by_pool(errors)]
        write_table(folder / "errors.csv", columns(errors))
    if accuracy:
        blocks += [
            '## Learning from 200 labels: error with `noise="auto"` ÷ that of others\n',
            learning(accuracy),
        ]
        blocks += ["## Errors by pool, in %\n", learned(accuracy)]
        write_table(folder / "accuracy.csv", columns(accuracy))
    if (folder / "scale.json").exists():
        blocks += ["## Large pools, all labeled, 5 % of the labels wrong\n", scale(folder)]
    write_text(folder / "README.md", "\n".join(blocks))


def held(folder):
    """Rows of both parts, in the order of pools and cells, and how many each version of the code made."""
    rows, code = {"errors": [], "accuracy": []}, Counter()
    for path in sorted((folder / "tasks").glob("*.json")):
        found = json.loads(path.read_text())
        rows[path.name.split("-")[0]] += found["rows"]
        code[found["code"]] += 1
    return rows["errors"], rows["accuracy"], code


def versions(errors, accuracy, code):
    told = ", ".join(f"{version} ({count} cells)" for version, count in code.most_common())
    pools = list(dict.fromkeys(row["pool"] for row in (*errors, *accuracy)))
    sizes = f"of at most {max(row['n'] for row in (*errors, *accuracy))} samples" if pools else ""
    draws = len({row["trial"] for row in (*errors, *accuracy)})
    return f"Made by the code {told}. {len(pools)} pools {sizes}, {draws} draw(s): {', '.join(pools)}.\n"


def chosen(rows, **wanted):
    return [row for row in rows if all(row[name] == value for name, value in wanted.items())]


def ratios(rows, ways):
    """pool -> ours over the best of these ways; geometric mean over draws."""
    found = {}
    for row in rows:
        found.setdefault(row["pool"], []).append(np.log(row["ours"] / max(row[way] for way in ways)))
    return {pool: float(np.exp(np.mean(logs))) for pool, logs in found.items()}


def told(by_pool, worst=min):
    if not by_pool:
        return ["–", "–"]
    where = worst(by_pool, key=by_pool.get)
    mean = float(np.exp(np.mean(np.log(list(by_pool.values())))))
    return [number(mean), f"{number(by_pool[where])} {where}"]


def title(cell):
    *labeled, share, kind = cell
    size = [] if not labeled else ["all labeled" if labeled[0] == 1 else f"{100 * labeled[0]:.0f} % labeled"]
    return ", ".join([*size, f"{100 * share:.0f} % wrong" if share else "clean", *([kind] if share else [])])


def ranking(rows):
    lines = []
    for labeled, share, kind in [cell for cell in ERRORS if cell[1]]:
        some = chosen(rows, labeled=labeled, share=share, kind=kind)
        line = [title((labeled, share, kind)), str(len(some))]
        lines.append([*line, *told(ratios(some, DEFAULT)), *told(ratios(some, ALL))])
    some = [row for row in rows if row["share"]]
    lines.append(["**all**", str(len(some)), *told(ratios(some, DEFAULT)), *told(ratios(some, ALL))])
    heads = [
        "cells",
        "÷ cleanlab, its default score",
        "worst pool",
        "÷ the best of both its scores",
        "worst pool",
    ]
    return markdown(["", *heads], lines)


def counts(rows):
    lines = []
    for labeled, share, kind in [*(cell for cell in ERRORS if cell[1]), (None, None, None)]:
        some = [row for row in rows if row["share"]] if labeled is None else []
        some = some or chosen(rows, labeled=labeled, share=share, kind=kind)
        if not some:
            continue
        ours = [row["n_wrong"] / row["wrong"] for row in some]
        line = ["**all**" if labeled is None else title((labeled, share, kind)), *spread(ours)]
        for way in ("counted", "found"):
            best = [min((row[f"{m}_{way}"] / row["wrong"] for m in DEFAULT), key=far) for row in some]
            line += spread(best)
        line.append(percent([row["low"] <= row["wrong"] <= row["high"] for row in some]))
        lines.append(line)
    heads = ["`n_wrong` ÷ truth, median", "within a third"]
    heads += [
        "num_label_issues, better model",
        "within a third",
        "find_label_issues, better model",
        "within a third",
    ]
    return markdown(["", *heads, "our 90 % interval holds"], lines)


def far(ratio):
    return abs(np.log(max(ratio, 1e-9)))


def spread(ratios):
    known = [value for value in ratios if np.isfinite(value)]
    median = number(float(np.median(known))) if known else "–"
    return [median, percent([abs(value - 1.0) <= 1 / 3 for value in ratios])]


def percent(flags):
    return f"{100 * np.mean(flags):.0f} %"


def clean(rows):
    lines = []
    for row in chosen(rows, share=0.0):
        said = [f"{row['n_wrong']:.1f}", f"{row['low']:.0f}–{row['high']:.0f}"]
        said += [str(row[f"{model}_counted"]) for model in DEFAULT]
        lines.append([f"{row['pool']}, {row['labels']} labels", *said])
    heads = ["`n_wrong`", "90 % interval", "cleanlab, logistic regression", "cleanlab, neighbors"]
    return markdown(["", *heads], lines)


def by_pool(rows):
    lines = []
    for pool in dict.fromkeys(row["pool"] for row in rows):
        some = [row for row in rows if row["pool"] == pool and row["share"]]
        if some:
            means = [np.mean([row[way] for row in some]) for way in ("ours", *ALL)]
            seconds = [np.median([row[name] for row in some]) for name in ("seconds", "peer_seconds")]
            head = [pool, str(some[0]["n"]), str(some[0]["classes"]), str(len(some))]
            lines.append([*head, *(f"{value:.3f}" for value in means), *map(number, seconds)])
    heads = ["samples", "classes", "cells", "ours", *(way.replace("_", ", ") for way in ALL)]
    return markdown(["", *heads, "CPU s, ours", "CPU s, both models and cleanlab"], lines)


def error_ratios(rows, way):
    found = {}
    for row in rows:
        ours, theirs = (max(row[name], 0.5 / row["judged"]) for name in ("auto", way))
        found.setdefault(row["pool"], []).append(np.log(ours / theirs))
    return {pool: float(np.exp(np.mean(logs))) for pool, logs in found.items()}


def learning(rows):
    lines = []
    for share, kind in ACCURACY:
        some = chosen(rows, share=share, kind=kind)
        if some:
            line = [title((share, kind)), percent([row["believed"] for row in some])]
            line += told(error_ratios(some, "today"), max) + told(error_ratios(some, "logistic"), max)
            lines.append(line)
    noisy = [row for row in rows if row["share"]]
    line = ["**all that are noisy**", percent([row["believed"] for row in noisy])]
    lines.append(line + told(error_ratios(noisy, "today"), max) + told(error_ratios(noisy, "logistic"), max))
    heads = ["noise is believed", "÷ ours, noise=0", "worst pool", "÷ logistic regression", "worst pool"]
    return markdown(["", *heads], lines)


def learned(rows):
    lines = []
    for pool in dict.fromkeys(row["pool"] for row in rows):
        for share, kind in ACCURACY:
            some = chosen(rows, pool=pool, share=share, kind=kind)
            if some:
                errors = [
                    f"{100 * np.mean([row[way] for row in some]):.1f}"
                    for way in ("auto", "today", "logistic")
                ]
                lines.append([f"{pool}, {title((share, kind))}", *errors])
    return markdown(["", "noise=auto", "noise=0", "logistic regression"], lines)


def scale(folder):
    lines = []
    for row in json.loads((folder / "scale.json").read_text()).values():
        times = [row["graph_cpu"], row["issues_cpu"], row["issues_cpu"] / row["graph_cpu"]]
        times += [row["issues_clock"] / row["graph_clock"], row["peak_gb"]]
        wrong = f"{row['n_wrong']:.0f} ({row['low']:.0f}–{row['high']:.0f}) of {row['wrong']}"
        lines.append(
            [
                f"{row['n']:,} × {row['p']}",
                *map(number, times),
                wrong,
                number(row["precision"]),
                number(row["recall"]),
            ]
        )
    heads = ["CPU s, graph", "CPU s, label_issues", "ratio", "ratio by the clock", "peak GB"]
    return markdown(["", *heads, "wrong: estimate, truth", "precision of `wrong`", "recall"], lines)

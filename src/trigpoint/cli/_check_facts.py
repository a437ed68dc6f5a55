"""The check of a pool that was read, and what programs read of it: tables and JSON."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from trigpoint._errors import InputError
from trigpoint.checks import Finding, PoolCheck, check_pool
from trigpoint.cli._check_words import NO_LABELS
from trigpoint.cli._options import VIEWS, NeighborOptions
from trigpoint.cli._prepare import column_facts, neighbors_of
from trigpoint.cli._progress import Progress
from trigpoint.graph import NeighborGraph, neighbor_graph
from trigpoint.io import Labels, Samples, cached_graph

NO_MEANING = ("images", "text")  # kinds of pools whose columns mean nothing alone
SNIPPET = 90  # characters of a text


def checked(
    samples: Samples, known: Labels | None, asked: NeighborOptions, seed: int, steps: Progress
) -> PoolCheck:
    k, metric = neighbors_of(samples, asked.neighbors, asked.metric, asked.view)

    def graph_of(view: str, X: Any) -> NeighborGraph:
        if asked.no_cache:
            return neighbor_graph(X, k, metric=metric)
        return cached_graph(samples, k, metric, view=view, X=X, folder=asked.cache)

    found = check_pool(
        samples.graph if samples.X is None else samples.X,
        None if known is None else _targets(samples, known),
        ids=samples.ids,
        columns=samples.feature_names or None,
        texts=samples.shown if samples.kind == "text" else None,
        task=None if known is None else known.task,
        view=asked.view or VIEWS[0],
        metric="euclidean" if samples.X is None else metric,
        column_checks=samples.kind not in NO_MEANING,
        random_state=seed,
        graph_of=graph_of,
        step=steps.step,
    )
    if known is None:
        told = {"labels": f"there are none; {NO_LABELS}"}
        found = replace(found, skipped=told | found.skipped)
    return found


def _targets(samples: Samples, known: Labels) -> Any:
    """One label a sample; None or NaN where there is none."""
    if known.task == "tags":
        raise InputError("--labels", "must hold one label a sample for check", "sets of tags")
    if isinstance(known.values, list):
        classes = np.full(samples.n_samples, None, dtype=object)
        classes[known.indices] = known.values
        return classes
    values = np.full((samples.n_samples, *known.values.shape[1:]), np.nan)
    values[known.indices] = known.values
    return values


def issue_table(check: PoolCheck) -> dict[str, Any]:
    """All labels, the most suspicious first."""
    count = check.n_labels
    marks = _marks(check)
    ids = np.asarray(check.ids)[check.labeled]
    labels, corrected = np.asarray(check.labels), np.asarray(check.corrected)
    issues = check.issues
    ranked = np.arange(count) if issues is None else issues.ranked
    order = np.array(sorted(ranked.tolist(), key=lambda place: not marks[place]), dtype=np.int64)
    nothing = np.full(count, np.nan)
    table: dict[str, Any] = {"id": ids[order]}
    table |= _spread("label", labels[order])
    table |= _spread("suggested", np.full(count, None) if issues is None else issues.suggested[order])
    table |= {
        "quality": nothing if issues is None else issues.quality[order],
        "probability": nothing if issues is None else issues.suggested_probability[order],
        "issue": [marks[place] or None for place in order.tolist()],
    }
    return table | _spread("corrected", corrected[order])


def _spread(name: str, values: Any) -> dict[str, Any]:
    """One column, or one for each of several targets."""
    if np.ndim(values) == 1:
        return {name: list(values)}
    return {f"{name}_{j + 1}": values[:, j] for j in range(values.shape[1])}


def _marks(check: PoolCheck) -> list[str]:
    """What was found about each label, in words between spaces."""
    place = {sample: i for i, sample in enumerate(check.labeled.tolist())}
    told: list[list[str]] = [[] for _ in place]
    for kind, word in (
        ("wrong_labels", "wrong"),
        ("spellings", "spelling"),
        ("typos", "typo"),
        ("conflicts", "conflict"),
        ("near_conflicts", "conflict"),
    ):
        for sample in check[kind].samples.tolist() if kind in check else ():
            if word not in told[place[sample]]:
                told[place[sample]].append(word)
    return [" ".join(words) for words in told]


def kept_table(check: PoolCheck, samples: Samples) -> dict[str, Any]:
    rest = np.setdiff1d(np.arange(check.n_samples), check.redundant)
    return {"id": samples.ids[rest], "index": rest}


def json_facts(check: PoolCheck, samples: Samples, written: dict[str, Path | None]) -> dict[str, Any]:
    facts = {
        "pool": str(samples.path),
        "n_samples": check.n_samples,
        **column_facts(samples),
        "n_labels": check.n_labels,
        "task": check.task,
        "healthy": check.healthy,
        "findings": [_finding(check, finding, samples) for finding in check.findings],
        "skipped": check.skipped,
    }
    if check.issues is not None:
        facts["labels_wrong"] = {
            "n_wrong": check.issues.n_wrong,
            "low": check.issues.low,
            "high": check.issues.high,
        }
    return facts | {name: str(path) for name, path in written.items() if path is not None}


def _finding(check: PoolCheck, finding: Finding, samples: Samples) -> dict[str, Any]:
    ids = samples.ids
    told: dict[str, Any] = {
        "kind": finding.kind,
        "severity": finding.severity,
        "sentence": finding.sentence,
        "count": finding.count,
        "samples": ids[finding.samples].tolist(),
        "action": finding.action,
    }
    if finding.groups:
        told["groups"] = [ids[group].tolist() for group in finding.groups]
    if finding.classes:
        told["classes"] = [list(group) for group in finding.classes]
    if finding.columns:
        told["columns"] = [
            [j if check.columns is None else check.columns[j] for j in group] for group in finding.columns
        ]
    if finding.far is not None:
        told["far"] = finding.far.tolist()
    if finding.kind == "wrong_labels" and check.issues is not None:
        issues = check.issues
        told["labels"] = [
            {
                "id": ids[issues.samples[place]],
                "label": _plain(issues.labels[place]),
                "suggested": _plain(issues.suggested[place]),
                "quality": float(issues.quality[place]),
                "probability": float(issues.suggested_probability[place]),
            }
            for place in check.suspects.tolist()
        ]
    return told


def _plain(label: Any) -> Any:
    return label.tolist() if isinstance(label, np.ndarray | np.generic) else label


def snippets(samples: Samples) -> Callable[[int], str] | None:
    """The beginning of a text, for pools of texts."""
    if samples.kind != "text":
        return None

    def shown(i: int) -> str:
        text = " ".join(str(samples.shown[i]).split())
        return text if len(text) <= SNIPPET else f"{text[: SNIPPET - 3].rstrip()}..."

    return shown

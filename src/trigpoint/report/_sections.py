"""What each part of the page holds, as plain data for the template; None for a part that is left out."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from trigpoint.plots import (
    Group,
    Line,
    Mark,
    class_groups,
    histogram,
    line_chart,
    map_picture,
    value_groups,
)
from trigpoint.report._contents import Curve, Report
from trigpoint.report._gallery import SHOWN, gallery
from trigpoint.report._words import (
    SPACE,
    counted,
    duration,
    labeled,
    meaning,
    measured,
    percent,
    resting,
    shortened,
    things,
)

NAME = 40  # characters of a label in the legend

Section = dict[str, Any] | None


def figures(report: Report) -> list[tuple[str, str]]:
    """The few numbers at the top: (name, value)."""
    inferred = report.labels is not None or report.values is not None
    name = "labels" if inferred or labeled(report) else "to label"
    told = [(name, counted(len(report.landmarks))), (report.noun, counted(report.n_samples))]
    curve = report.curve
    if curve is not None:
        told.append((f"{curve.measure}, chosen", measured(curve.ours[-1], curve)))
        if curve.random_mean is not None:
            told.append((f"{curve.measure}, random", measured(curve.random_mean[-1], curve)))
    if report.path is not None and np.isfinite(report.path.coverage[-1]):
        told.append(("of the pool covered", percent(report.path.coverage[-1])))
    if report.seconds:
        told.append(("time in all", duration(sum(report.seconds.values()))))
    return told


def chosen(report: Report) -> Section:
    if not report.shown:
        return None
    return {
        "count": things(len(report.landmarks), report.noun),
        "asked": "that a person was asked about" if labeled(report) else "worth asking a person about",
        "samples": gallery(report.shown, len(report.landmarks), ranked=True),
    }


def pool_map(report: Report) -> Section:
    if report.coordinates is None:
        return None
    groups, meaning = _groups(report)
    least_sure = np.array([s["index"] for s in report.uncertain[:SHOWN] if "index" in s], dtype=np.int64)
    marks = [Mark("cross", least_sure), Mark("trig", report.landmarks, _titles(report))]
    alt = f"Map of {things(report.n_samples, report.noun)} with {things(len(report.landmarks), 'landmarks')}"
    return {
        "noun": report.noun,
        "meaning": meaning,
        "picture": map_picture(np.asarray(report.coordinates, dtype=float), groups, marks, alt),
        "n_chosen": counted(len(report.landmarks)),
        "n_least_sure": counted(len(least_sure)) if len(least_sure) else "",
        "classes": _class_keys(groups) if report.labels is not None else [],
        "ramp": _ramp(groups) if report.labels is None and report.values is not None else None,
        "others": _other_keys(groups),
    }


def _groups(report: Report) -> tuple[list[Group], str]:
    """Who shares a color, and what the color means."""
    if report.labels is not None:
        return class_groups(report.labels), "its color is its label, given or inferred"
    if report.values is not None:
        values = np.asarray(report.values, dtype=float)
        return value_groups(values), "its color is its value, given or inferred"
    return [Group("samples", "class-0", np.arange(report.n_samples))], ""


def _titles(report: Report) -> list[str]:
    titles = []
    for rank, sample in enumerate(report.shown, 1):
        label = sample.get("label")
        told = "" if label is None else f", {shortened(str(label), NAME)}"
        titles.append(f"pick {rank}: {shortened(str(sample.get('id', '')), NAME)}{told}")
    return titles + [f"pick {k}" for k in range(len(titles) + 1, len(report.landmarks) + 1)]


def _class_keys(groups: Sequence[Group]) -> list[dict[str, str]]:
    own = [group for group in groups if group.color not in ("class-rest", "class-none")]
    return [_key(group.color, shortened(group.name, NAME), len(group.members)) for group in own]


def _other_keys(groups: Sequence[Group]) -> list[dict[str, str]]:
    """Of the classes that share a gray, and of the samples without an answer."""
    gray = [group for group in groups if group.color == "class-rest"]
    size = sum(len(group.members) for group in gray)
    keys = [_key("class-rest", f"{counted(len(gray))} other labels", size)] if gray else []
    return keys + [_key(g.color, g.name, len(g.members)) for g in groups if g.color == "class-none"]


def _key(color: str, name: str, size: int) -> dict[str, str]:
    return {"color": color, "name": name, "count": counted(size)}


def _ramp(groups: Sequence[Group]) -> dict[str, Any]:
    steps = [group for group in groups if group.color != "class-none"]
    low, high = steps[0].name.split(" to ")[0], steps[-1].name.split(" to ")[1]
    return {"low": low, "high": high, "colors": [group.color for group in steps]}


def bought(report: Report) -> Section:
    curve = report.curve
    if curve is None:
        return None
    every = np.arange(len(curve.budgets))
    lines = [Line("chosen", curve.budgets, np.asarray(curve.ours, dtype=float), "ours", dots=every)]
    if curve.random_mean is not None:
        random = Line(
            "random", curve.budgets, curve.random_mean, "random", curve.random_low, curve.random_high, every
        )
        lines = [random, *lines]
    alt = f"{curve.measure} against the number of labels; the table below holds the numbers"
    return {
        "note": curve.note,
        "name": curve.measure[:1].upper() + curve.measure[1:],
        "chart": line_chart(lines, "labels", alt, percent=curve.share),
        "legend": [(line.kind, line.name) for line in lines[::-1]],
        "numbers": _numbers(curve),
    }


def _numbers(curve: Curve) -> dict[str, Any]:
    columns = {
        "labels": [counted(int(budget)) for budget in curve.budgets],
        "chosen": [measured(value, curve) for value in curve.ours],
    }
    if curve.random_mean is not None:
        columns["random"] = [measured(value, curve) for value in curve.random_mean]
    if curve.random_low is not None and curve.random_high is not None:
        ends = zip(curve.random_low, curve.random_high, strict=True)
        columns["low to high"] = [f"{measured(low, curve)} to {measured(high, curve)}" for low, high in ends]
    return {"heads": list(columns), "rows": list(zip(*columns.values(), strict=True))}


def basis(report: Report) -> Section:
    rests = report.basis
    if rests is None:
        return None
    columns: dict[str, list[str]] = {}
    names = list(dict.fromkeys([*rests.weights, *rests.nearness]))
    if rests.weights:
        names.sort(key=lambda name: -rests.weights.get(name, 0.0))
    columns["predictor" if rests.weights else "view"] = names
    columns["what it is"] = [meaning(name, bool(rests.weights)) for name in names]
    if rests.nearness:
        columns["nearness"] = [_number(rests.nearness.get(name)) for name in names]
    if rests.errors:
        told = percent if rests.share else _number
        columns[rests.measure] = [told(rests.errors[name]) if name in rests.errors else "–" for name in names]
    if rests.weights:
        columns["weight"] = [f"{100 * rests.weights.get(name, 0.0):.0f}{SPACE}%" for name in names]
    return {
        "title": "What predicted" if rests.weights else "The view",
        "intro": resting(rests),
        "heads": list(columns),
        "rows": list(zip(*columns.values(), strict=True)),
    }


def _number(value: float | None) -> str:
    return "–" if value is None or not np.isfinite(value) else f"{value:.3g}"


def along(report: Report) -> Section:
    path = report.path
    if path is None:
        return None
    k = np.arange(1, len(path.landmarks) + 1)
    covered = [Line("coverage", k, path.coverage, "ours")]
    lines = [
        Line("by Gershgorin's circles", k, path.gershgorin, "random"),
        Line("by eigenvalues", k, path.bound_inf, "ours", dots=path.checkpoints),
    ]
    near = "a landmark or a neighbor of one" if path.hops == 1 else f"within {path.hops} links of a landmark"
    return {
        "covered": percent(path.coverage[-1]),
        "near": near,
        "coverage": line_chart(covered, "labels", "Coverage against labels", percent=True),
        "bound": line_chart(lines, "labels", "The bound against labels, logarithmic", log=True),
        "legend": [(line.kind, line.name) for line in lines[::-1] if np.isfinite(line.y).any()],
    }


def unsure(report: Report) -> Section:
    chart = None
    if report.uncertainty is not None:
        rest = np.delete(np.asarray(report.uncertainty, dtype=float), report.landmarks)
        chart = histogram(rest, "uncertainty", "Number of samples by uncertainty")
    samples = gallery(report.uncertain, len(report.uncertain), ranked=False)
    if samples is None and chart is None:
        return None
    known = [s for s in report.uncertain if s.get("truth") is not None]
    wrong = sum(str(s["truth"]) != str(s.get("label")) for s in known)
    return {"samples": samples, "chart": chart, "n_known": len(known), "n_wrong": wrong}


def repeat(report: Report) -> Section:
    seconds = {name: duration(value) for name, value in report.seconds.items()}
    return repeated(report.command, Settings=report.settings, Versions=report.versions, Time=seconds)


def repeated(command: str, **tables: Mapping[str, str]) -> Section:
    """How to do it again: the command, and tables of what it was made with."""
    held = {name: list(pairs.items()) for name, pairs in tables.items() if pairs}
    return {"command": command, "tables": held} if command or held else None

"""The map of the pool, with its legend."""

from collections.abc import Sequence

import numpy as np

from trigpoint.plots import Group, Mark, class_groups, map_picture, value_groups
from trigpoint.report._record import Report
from trigpoint.report._samples import SHOWN
from trigpoint.report._words import counted, section, shortened, things, word

NAME = 40  # characters


def atlas(report: Report) -> str:
    if report.coordinates is None:
        return ""
    groups, told = _groups(report)
    doubtful = np.array([s["index"] for s in report.doubtful[:SHOWN] if "index" in s], dtype=np.int64)
    marks = [Mark("cross", doubtful), Mark("trig", report.landmarks, _titles(report))]
    alt = f"Map of {things(report.n_samples, report.noun)} with {things(len(report.landmarks), 'landmarks')}"
    picture = map_picture(np.asarray(report.coordinates, dtype=float), groups, marks, alt)
    intro = f"Each dot is one of the {report.noun}, drawn near those that are like it{told}."
    body = f'<figure class="atlas">{picture}{_legend(report, groups, len(doubtful))}</figure>'
    return section("The pool as a map", f"{intro} Long distances mean little.", body)


def _groups(report: Report) -> tuple[list[Group], str]:
    if report.labels is not None:
        return class_groups(report.labels), "; its color is its label, given or inferred"
    if report.values is not None:
        values = np.asarray(report.values, dtype=float)
        return value_groups(values), "; its color is its value, given or inferred"
    return [Group("samples", "class-0", np.arange(report.n_samples))], ""


def _titles(report: Report) -> list[str]:
    titles = []
    for rank, sample in enumerate(report.shown, 1):
        label = sample.get("label")
        told = "" if label is None else f", {shortened(str(label), NAME)}"
        titles.append(f"pick {rank}: {shortened(str(sample.get('id', '')), NAME)}{told}")
    return titles + [f"pick {k}" for k in range(len(titles) + 1, len(report.landmarks) + 1)]


def _legend(report: Report, groups: Sequence[Group], doubtful: int) -> str:
    keys = [_key('<use href="#trig" class="trig"/>', f"chosen ({counted(len(report.landmarks))})")]
    if doubtful:
        keys.append(_key('<use href="#cross" class="cross"/>', f"least sure ({counted(doubtful)})"))
    if report.labels is not None:
        keys += _class_keys(groups)
    elif report.values is not None:
        keys += _value_keys(groups)
    return f'<ul class="legend">{"".join(keys)}</ul>'


def _class_keys(groups: Sequence[Group]) -> list[str]:
    own = [group for group in groups if group.color not in ("class-rest", "class-none")]
    keys = [_dot(g.color, word(shortened(g.name, NAME)), len(g.members)) for g in own]
    others = [group for group in groups if group.color == "class-rest"]
    if others:
        size = sum(len(group.members) for group in others)
        keys.append(_dot("class-rest", f"{counted(len(others))} other labels", size))
    return keys + _without(groups)


def _value_keys(groups: Sequence[Group]) -> list[str]:
    steps = [group for group in groups if group.color != "class-none"]
    low, high = steps[0].name.split(" to ")[0], steps[-1].name.split(" to ")[1]
    colors = "".join(f'<i style="background:var(--{group.color})"></i>' for group in steps)
    ramp = f'<li class="ramp">{low} <span aria-hidden="true">{colors}</span> {high}</li>'
    return [ramp, *_without(groups)]


def _without(groups: Sequence[Group]) -> list[str]:
    return [_dot(g.color, g.name, len(g.members)) for g in groups if g.color == "class-none"]


def _dot(color: str, name: str, size: int) -> str:
    dot = f'<path class="dot" style="stroke:var(--{color})" d="M0 0h0"/>'
    return _key(dot, f"{name} ({counted(size)})")


def _key(symbol: str, name: str) -> str:
    return f'<li><svg class="key" viewBox="-9 -9 18 18" aria-hidden="true">{symbol}</svg>{name}</li>'

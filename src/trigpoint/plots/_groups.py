"""Who shares a color: samples of one class, or of values close to each other."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from trigpoint._types import Array, Floats, Ints
from trigpoint.plots._palette import LIGHT

TAGGED = 30  # classes whose name is written on the map


@dataclass(frozen=True, eq=False)
class Group:
    """Samples drawn in one color."""

    name: str
    color: str  # a name in the palette
    members: Ints
    tag: str | None = None  # written among the members


def class_groups(labels: Sequence[Any]) -> list[Group]:
    """The classes in the order of their names (numbers as numbers), then samples without a label.

    Of more classes than colors, the largest have one each and the others share a gray.
    """
    names = [label_name(label) for label in labels]
    sizes = Counter(name for name in names if name)
    classes = sorted(sizes, key=_natural)
    codes = {name: code for code, name in enumerate(classes)}
    members = _members(np.array([codes.get(name, len(classes)) for name in names]), len(classes) + 1)
    colors = _class_colors(classes, sizes)
    tagged = len(classes) <= TAGGED
    groups = [Group(c, colors[c], members[codes[c]], c if tagged else None) for c in classes]
    if len(members[-1]):
        groups.append(Group("no label", "class-none", members[-1]))
    return groups


def value_groups(values: Floats) -> list[Group]:
    """Values in equal steps between the 1st and the 99th hundredth of them, then those that are NaN."""
    finite = np.isfinite(values)
    steps = len(LIGHT.ramp)
    codes = np.full(len(values), steps)
    low, high = np.quantile(values[finite], [0.01, 0.99]) if finite.any() else (0.0, 0.0)
    width = (high - low) / steps or 1.0
    codes[finite] = np.clip((values[finite] - low) / width, 0, steps - 1).astype(int)
    members = _members(codes, steps + 1)
    ends = [f"{low + k * width:.4g}" for k in range(steps + 1)]
    groups = [Group(f"{ends[k]} to {ends[k + 1]}", f"ramp-{k}", members[k]) for k in range(steps)]
    return [*groups, Group("no value", "class-none", members[-1])] if len(members[-1]) else groups


def label_name(label: Any) -> str:
    """A label as text; nothing for None and NaN."""
    return "" if label is None or label != label else str(label)


def _natural(name: str) -> tuple[int, float, str]:
    try:
        return 0, float(name), name
    except ValueError:
        return 1, 0.0, name


def _class_colors(classes: list[str], sizes: Counter[str]) -> dict[str, str]:
    own = len(LIGHT.classes)
    largest = {name for name, _ in sizes.most_common(own if len(classes) <= own else own - 1)}
    colors = dict.fromkeys(classes, "class-rest")
    colors |= {name: f"class-{k}" for k, name in enumerate(c for c in classes if c in largest)}
    return colors


def _members(codes: Array, n_codes: int) -> list[Ints]:
    order = np.argsort(codes, kind="stable")
    return np.split(order, np.searchsorted(codes[order], np.arange(1, n_codes)))

"""The page has the colors of the reports, and as many as its scripts count on."""

import re
from importlib.resources import files

from trigpoint.plots import DARK, LIGHT

STATIC = files("trigpoint.studio") / "static"
PAIR = r"--{}: light-dark\((#\w{{6}}), (#\w{{6}})\)"


def pairs(name):
    return re.findall(PAIR.format(name), (STATIC / "style.css").read_text())


def test_colors_of_classes_and_values():
    assert pairs(r"class-\d+") == list(zip(LIGHT.classes, DARK.classes, strict=True))
    assert pairs(r"ramp-\d+") == list(zip(LIGHT.ramp, DARK.ramp, strict=True))
    assert pairs("class-none") == [(LIGHT.none, DARK.none)]


def test_scripts_count_them():
    counts = dict(re.findall(r"const (N_\w+) = (\d+)", (STATIC / "palette.js").read_text()))
    assert counts == {"N_COLORS": str(len(LIGHT.classes)), "N_RAMP": str(len(LIGHT.ramp))}

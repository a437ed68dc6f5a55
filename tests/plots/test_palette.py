"""Colors are told apart by everyone: recomputed from their definitions."""

from itertools import combinations

import numpy as np
import pytest

from trigpoint.plots import DARK, LIGHT, palette_css

PAGES = [(LIGHT, "#ffffff"), (DARK, "#1a1e22")]
# Machado, Oliveira & Fernandes (2009), severity 1, on linear RGB
VISION = {
    "usual": np.eye(3),
    "protan": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deutan": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritan": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}
TO_LMS = [
    [0.4122214708, 0.5363325363, 0.0514459929],
    [0.2119034982, 0.6806995451, 0.1073969566],
    [0.0883024619, 0.2817188376, 0.6299787005],
]
TO_LAB = [
    [0.2104542553, 0.7936177850, -0.0040720468],
    [1.9779984951, -2.4285922050, 0.4505937099],
    [0.0259040371, 0.7827717662, -0.8086757660],
]


def linear(color):
    c = np.array([int(color[k : k + 2], 16) for k in (1, 3, 5)]) / 255
    return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)


def contrast(one, other):
    a, b = sorted(0.05 + linear(color) @ [0.2126, 0.7152, 0.0722] for color in (one, other))
    return b / a


def oklab(color, vision):
    seen = np.clip(np.asarray(VISION[vision]) @ linear(color), 0, 1)
    return 100 * np.asarray(TO_LAB) @ np.cbrt(np.asarray(TO_LMS) @ seen)


@pytest.mark.parametrize(("palette", "page"), PAGES, ids=["light", "dark"])
@pytest.mark.parametrize("vision", VISION)
def test_classes_differ_for_everyone(palette, page, vision):
    least = 8 if vision == "usual" else 5.5
    for (j, one), (k, other) in combinations(enumerate(palette.classes), 2):
        apart = np.linalg.norm(oklab(one, vision) - oklab(other, vision))
        assert apart > (7 if max(j, k) < 10 else least), (one, other)


@pytest.mark.parametrize(("palette", "page"), PAGES, ids=["light", "dark"])
def test_every_color_is_seen_on_its_page(palette, page):
    for color in (*palette.classes, *palette.ramp, palette.rest):
        assert contrast(color, page) > 3, color
    lightness = [oklab(color, "usual")[0] for color in palette.ramp]
    assert np.all(np.diff(lightness) > 0), "larger is brighter"


def test_variables():
    assert "--class-0: #1868d0;" in palette_css(LIGHT)
    assert palette_css(LIGHT).count("--") == palette_css(DARK).count("--") == 24 + 9 + 2

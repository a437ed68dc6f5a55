import re
from base64 import b64decode
from io import BytesIO
from xml.etree import ElementTree

import numpy as np
import pytest

from trigpoint.plots import Group, Mark, class_groups, map_picture


def drawn(coordinates, labels=None, marks=()):
    coordinates = np.asarray(coordinates, dtype=float)
    groups = class_groups(labels) if labels else [Group("all", "class-0", np.arange(len(coordinates)))]
    svg = map_picture(coordinates, groups, marks, "a map")
    ElementTree.fromstring(svg)  # well-formed
    return svg


def dots(svg):
    return np.array([[float(x), float(y)] for x, y in re.findall(r"M([\d.-]+) ([\d.-]+)h0", svg)])


def test_places_keep_the_shape_of_the_coordinates():
    places = dots(drawn([[0, 0], [4, 0], [4, 2], [0, 2]]))
    (left, bottom), (right, top) = places[0], places[2]
    assert right - left == pytest.approx(2 * (bottom - top), abs=0.2)
    assert bottom > top, "y grows upwards"
    assert (places > 0).all()
    assert (places < 720).all()


@pytest.mark.parametrize(
    "coordinates",
    [
        [[3.0, 4.0]],
        [[1, 1], [1, 1]],
        [[0, 0], [0, 5]],
        [[np.nan, 0], [1, 2]],
        [[np.nan, np.nan]],
        [[1e308, 0], [-1e308, 1]],
    ],
    ids=["one", "all the same", "a line", "one unknown", "all unknown", "huge"],
)
def test_odd_coordinates(coordinates):
    svg = drawn(coordinates, marks=[Mark("trig", np.array([0]))])
    assert "nan" not in svg
    assert "inf" not in svg
    assert len(dots(svg)) == np.isfinite(coordinates).all(axis=1).sum()


def test_names_of_classes_and_of_marks_are_escaped():
    svg = drawn([[0, 0], [1, 1]], ["<b>", "&"], [Mark("trig", np.array([1]), ["<script>"])])
    assert "<b>" not in svg
    assert "<script>" not in svg
    assert "<title>&lt;script&gt;</title>" in svg


def test_many_samples_become_two_pictures_of_equal_shape():
    from PIL import Image

    rng = np.random.default_rng(0)
    coordinates = np.concatenate([rng.normal(0, 1, (4000, 2)), rng.normal(9, 1, (4000, 2))])
    svg = drawn(coordinates, ["a"] * 4000 + ["b"] * 4000)
    assert 'class="dot"' not in svg
    light, dark = (
        np.asarray(Image.open(BytesIO(b64decode(uri))).convert("RGBA"))
        for uri in re.findall(r"base64,([^\"]+)", svg)
    )
    assert (light[..., 3] == dark[..., 3]).all()
    assert light[0, 0, 3] == 0, "transparent where nothing is"
    half = light.shape[1] // 2
    left, right = (set(map(tuple, part[part[..., 3] > 0])) for part in (light[:, :half], light[:, half:]))
    assert left == {(0x18, 0x68, 0xD0, 255)}, "the first class lies left, in its color"
    assert right == {(0xD0, 0x60, 0x58, 255)}

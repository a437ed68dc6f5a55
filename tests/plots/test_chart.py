import re
from xml.etree import ElementTree

import numpy as np
import pytest

from trigpoint.plots import Line, histogram, line_chart


def texts(svg):
    return [element.text for element in ElementTree.fromstring(svg).iter() if element.tag == "text"]


def line(y, x=None, **more):
    y = np.asarray(y, dtype=float)
    return Line("ours", np.arange(1, len(y) + 1) if x is None else np.asarray(x), y, "ours", **more)


def test_the_ends_of_a_line_lie_where_the_ticks_say():
    svg = line_chart([line([0.2, 1.0], [10, 50])], "labels", "alt", percent=True)
    assert texts(svg) == ["20 %", "40 %", "60 %", "80 %", "100 %", "10", "20", "30", "40", "50", "labels"]
    assert 'class="line ours" d="M50.0 226.0L424.0 14.0"' in svg


def test_a_logarithmic_axis_has_decades():
    svg = line_chart([line([1, 10, 1000])], "labels", "alt", log=True)
    assert texts(svg)[:4] == ["1", "10", "100", "1,000"]


@pytest.mark.parametrize("log", [False, True])
@pytest.mark.parametrize("percent", [False, True])
@pytest.mark.parametrize(
    "y",
    [[1.0], [1.0, 1.0], [0.0, 0.5], [np.nan, 0.5, np.inf], [-3.0, 0.4], [1e-300, 1e300], [0.999, 1.0]],
    ids=str,
)
def test_any_finite_numbers_can_be_drawn(y, log, percent):
    svg = line_chart([line(y)], "labels", "alt", log=log, percent=percent)
    ElementTree.fromstring(svg)
    assert "nan" not in svg
    assert "inf" not in svg


def test_nothing_finite_is_no_chart():
    assert line_chart([line([np.nan, np.inf])], "labels", "alt") is None
    assert line_chart([line([0.0, -1.0])], "labels", "alt", log=True) is None
    assert line_chart([], "labels", "alt") is None
    assert histogram(np.array([np.nan]), "uncertainty", "alt") is None
    assert histogram(np.empty(0), "uncertainty", "alt") is None


def test_a_band_and_points():
    y = np.array([0.5, 0.6, 0.7])
    svg = line_chart([line(y, low=y - 0.1, high=y + 0.1, dots=np.array([0, 2]))], "labels", "alt")
    assert 'class="band ours"' in svg
    assert len(re.findall("h0", svg)) == 2


def test_the_bars_of_a_histogram_are_as_high_as_their_counts():
    svg = histogram(np.array([0.0, 0.0, 0.0, 1.0]), "uncertainty", "alt", bins=2)
    heights = [float(h) for h in re.findall(r'<rect[^>]*height="([\d.]+)"', svg)]
    assert heights[0] == pytest.approx(3 * heights[1], abs=0.2)
    assert histogram(np.array([4.0, 4.0]), "uncertainty", "alt")

import numpy as np
import pytest

from trigpoint.plots import Curve, Panel, curves_picture, save_picture


def panel(log=False, names=("a", "b"), title="here"):
    x = np.array([40.0, 10.0, 20.0])
    curves = [
        Curve(name, x, x / 10 + k, np.array([0.1, np.nan, 50.0]), name == "b") for k, name in enumerate(names)
    ]
    return Panel(title, curves, "landmarks", "error", log)


def test_every_panel_has_its_curves_in_order_of_x():
    figure = curves_picture([[panel(), panel(title="there")]], "both")
    assert [axis.get_title() for axis in figure.axes] == ["here", "there"]
    line = figure.axes[0].lines[0]
    np.testing.assert_array_equal(line.get_xdata(), [10, 20, 40])
    np.testing.assert_array_equal(line.get_ydata(), [1, 2, 4])


def test_one_legend_names_every_curve_once():
    figure = curves_picture([[panel()], [panel(names=("b", "c"))]], "two rows")
    (legend,) = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == ["a", "b", "c"]


def test_a_curve_keeps_its_look_in_all_panels():
    figure = curves_picture([[panel(names=("a", "b")), panel(names=("b", "a"))]], "two")
    first, second = ({line.get_linewidth(): line.get_color() for line in axis.lines} for axis in figure.axes)
    assert first == second
    assert len(set(first.values())) == 2


def test_wide_bands_do_not_flatten_the_curves():
    low, high = curves_picture([[panel()]], "one").axes[0].get_ylim()
    assert 0 < low < 1
    assert 5 < high < 6


def test_logarithmic_axes(tmp_path):
    figure = curves_picture([[panel(log=True)]], "one")
    assert figure.axes[0].get_xscale() == figure.axes[0].get_yscale() == "log"
    bands = [band.get_paths()[0].vertices[:, 1].min() for band in figure.axes[0].collections]
    assert min(bands) > 0, "whatever the width of a band, it stays on the axis"
    save_picture(figure, tmp_path / "curves.png")
    assert (tmp_path / "curves.png").stat().st_size > 5000


def test_more_curves_than_colors():
    names = tuple(f"m{k}" for k in range(25))
    x = np.array([1.0, 2.0])
    curves = [
        Curve(name, x, x, 0 * x, strong)
        for strong in (False, True)
        for name in (f"{n}{strong}" for n in names)
    ]
    assert len(curves_picture([[Panel("", curves, "", "")]], "").axes[0].lines) == 50


@pytest.mark.parametrize("value", [0.0, 3.0])
def test_a_flat_curve_has_room(value):
    flat = Panel("", [Curve("a", np.array([1.0, 2.0]), np.full(2, value), np.zeros(2))], "", "")
    low, high = curves_picture([[flat]], "").axes[0].get_ylim()
    assert low < value < high

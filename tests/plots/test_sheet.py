import numpy as np
import pytest

from trigpoint.plots import Strip, contact_sheet
from trigpoint.plots._sheet import _sheet

Image = pytest.importorskip("PIL.Image")
RNG = np.random.default_rng(0)
IMAGES = RNG.random((3, 8, 16))
POINTS = RNG.random((3, 4, 2)) * 8


def colors(path):
    with Image.open(path) as image:
        return np.asarray(image.convert("RGB")).astype(int)


def count(pixels, red, green, blue):
    return int((np.abs(pixels - [red, green, blue]).max(axis=2) < 8).sum())


def test_a_sheet_shows_the_pictures_on_white(tmp_path):
    path = tmp_path / "sheet.png"
    contact_sheet([Strip("black", np.zeros((2, 10, 10))), Strip("grey", np.full((2, 10, 20), 0.5))], path)
    pixels = colors(path)
    inches = 2.0 * 150  # a picture is 2 inches wide
    assert (pixels[0] == 255).all()
    assert count(pixels, 0, 0, 0) == pytest.approx(2 * inches * inches, rel=0.03)
    assert count(pixels, 128, 128, 128) == pytest.approx(2 * inches * inches / 2, rel=0.03)


def test_key_points_are_drawn_in_their_colors(tmp_path):
    path, green, red = tmp_path / "sheet.png", (24, 165, 88), (224, 36, 64)
    drawn = {}
    for truth in (None, POINTS):
        for estimate in (None, POINTS):
            contact_sheet([Strip("", IMAGES, truth=truth, estimate=estimate)], path)
            pixels = colors(path)
            drawn[truth is not None, estimate is not None] = (
                count(pixels, *green) > 50,
                count(pixels, *red) > 50,
            )
    assert all(key == value for key, value in drawn.items())


def test_key_points_are_x_and_y_in_pixels():
    figure = _sheet([Strip("", IMAGES, truth=POINTS, estimate=POINTS + 1)])
    for k, axis in enumerate(figure.axes):
        truth, estimate = axis.lines
        np.testing.assert_array_equal(truth.get_xydata(), POINTS[k])
        np.testing.assert_array_equal(estimate.get_xydata(), POINTS[k] + 1)
        assert axis.get_xlim() == (-0.5, 15.5)
        assert axis.get_ylim() == (7.5, -0.5)


def test_titles_and_captions_are_there():
    rows = [Strip("first", IMAGES, captions=["a", "b", "c"]), Strip("second", IMAGES[:1], truth=POINTS[:1])]
    figure = _sheet(rows)
    assert [text.get_text() for text in figure.texts] == ["first", "a", "b", "c", "second"]
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["true"]
    assert len(figure.axes) == 4


@pytest.mark.parametrize("columns", [1, 7, 40])
def test_nothing_overlaps_or_leaves_the_sheet(columns):
    images = np.ones((columns, 30, 20))
    figure = _sheet([Strip("x", images, captions=["y"] * columns), Strip("z", images[:, :10])])
    boxes = np.array([axis.get_position().extents for axis in figure.axes])
    assert boxes.min() > 0
    assert boxes.max() < 1
    for i, (left, bottom, right, top) in enumerate(boxes):
        others = np.delete(boxes, i, axis=0)
        apart = (
            (others[:, 0] >= right)
            | (others[:, 2] <= left)
            | (others[:, 1] >= top)
            | (others[:, 3] <= bottom)
        )
        assert apart.all()
    width, height = figure.get_size_inches()
    assert (boxes[0, 1] - boxes[columns, 3]) * height > 0.45, "room for the captions and the next title"
    assert (boxes[0, 3] - boxes[0, 1]) * height == pytest.approx(1.5 * (boxes[0, 2] - boxes[0, 0]) * width)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([], "rows must hold at least one Strip; got none"),
        ([Strip("", IMAGES[0])], r"rows\[0\].images must have shape \(k, h, w\)"),
        ([Strip("", IMAGES), Strip("", IMAGES[:0])], r"rows\[1\].images must have shape"),
        ([Strip("", IMAGES, captions=["a"])], r"rows\[0\].captions must be one for each of 3 images; got 1"),
        ([Strip("", IMAGES, truth=POINTS[:2])], r"rows\[0\].truth must have shape \(3, m, 2\), x and y"),
        ([Strip("", IMAGES, estimate=POINTS[0])], r"rows\[0\].estimate must have shape \(3, m, 2\)"),
    ],
)
def test_rows_are_checked_before_anything_is_written(rows, message, tmp_path):
    with pytest.raises(ValueError, match=message):
        contact_sheet(rows, tmp_path / "sheet.png")
    assert not list(tmp_path.iterdir())


def test_the_target_is_checked(tmp_path):
    with pytest.raises(ValueError, match="output must end in"):
        contact_sheet([Strip("", IMAGES)], tmp_path / "sheet.txt")
    contact_sheet([Strip("", IMAGES)], str(tmp_path / "sheet.svg"))
    assert [file.name for file in tmp_path.iterdir()] == ["sheet.svg"]

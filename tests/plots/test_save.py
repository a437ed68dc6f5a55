import numpy as np
import pytest
from matplotlib.figure import Figure
from PIL import Image

from trigpoint.plots import Curve, Panel, check_picture, curves_picture, save_picture


class BrokenFigure:
    """Writes half of a file, then fails, as a full disk would."""

    def get_size_inches(self):
        return 4.0, 3.0

    def savefig(self, path, **_):
        path.write_bytes(b"half")
        raise OSError("No space left on device")


def test_a_picture_is_written_whole_or_not_at_all(tmp_path):
    path = tmp_path / "picture.png"
    path.write_bytes(b"the old one")
    with pytest.raises(OSError, match="No space left"):
        save_picture(BrokenFigure(), path)
    assert path.read_bytes() == b"the old one"
    assert list(tmp_path.iterdir()) == [path]


def test_charts_can_be_light(tmp_path):
    figure = curves_picture(
        [[Panel("p", [Curve("a", np.arange(3.0), np.arange(3.0), np.ones(3))], "x", "y")]], "title"
    )
    save_picture(figure, tmp_path / "all.png")
    save_picture(figure, tmp_path / "few.png", few_colors=True)
    with Image.open(tmp_path / "all.png") as whole, Image.open(tmp_path / "few.png") as few:
        assert whole.size == few.size
        assert few.mode == "P"
        gap = np.asarray(whole.convert("RGB"), dtype=int) - np.asarray(few.convert("RGB"), dtype=int)
    assert np.abs(gap).mean() < 2, "of 255"
    assert (tmp_path / "few.png").stat().st_size < (tmp_path / "all.png").stat().st_size / 2


def test_no_picture_is_larger_than_a_reader_can_load(tmp_path):
    figure = Figure(figsize=(10, 100))
    save_picture(figure, tmp_path / "high.png", few_colors=True)
    with Image.open(tmp_path / "high.png") as high:
        assert high.size[1] == pytest.approx(10 * high.size[0], rel=0.01)
        assert 5_000_000 < high.size[0] * high.size[1] <= 5_200_000


def test_what_cannot_be_drawn_is_said_first(tmp_path, monkeypatch):
    with pytest.raises(ValueError, match=r"output must end in .png, .svg, .pdf; got"):
        check_picture(tmp_path / "picture")
    with pytest.raises(ValueError, match="output must lie in a folder that exists"):
        check_picture(tmp_path / "none" / "picture.png")
    monkeypatch.setattr("trigpoint.plots._save.find_spec", lambda name: None)
    with pytest.raises(ValueError, match=r'pip install "trigpoint\[plots\]"'):
        check_picture(tmp_path / "picture.png")

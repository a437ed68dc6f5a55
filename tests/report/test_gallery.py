import re
from base64 import b64decode
from io import BytesIO

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from PIL import Image

from trigpoint.io import content, read_pool
from trigpoint.report import Report, page
from trigpoint.report._thumbnails import shrunk, thumbnail


def seen(html):
    return np.asarray(Image.open(BytesIO(b64decode(re.search(r"base64,([^\"]+)", html)[1]))))


def gallery(samples, total, *, ranked):
    """The samples as a page shows them: as what was chosen, or as what is least sure."""
    n = max(total, 1)
    parts = {"shown": samples} if ranked else {"uncertain": samples}
    text = page(Report("", "", n, np.arange(n), **parts))
    return re.search("<main>(.*)</main>", text, re.DOTALL)[1].strip()


@pytest.mark.parametrize("shape", [(8, 8), (8, 8, 3), (120, 30), (128, 128)])
def test_small_pictures_are_shown_as_they_are(shape):
    image = np.random.default_rng(0).integers(0, 256, shape, dtype=np.uint8)
    assert_array_equal(seen(thumbnail(image).uri), image)


def test_large_pictures_are_averages_of_blocks():
    image = np.zeros((256, 512, 3), dtype=np.uint8)
    image[:, ::2] = 200
    small = shrunk(image)
    assert small.shape == (64, 128, 3)
    assert (small == 100).all()
    assert shrunk(np.full((1000, 3), 7, dtype=np.uint8)).shape == (128, 1)
    assert (shrunk(np.full((333, 257), 7, dtype=np.uint8)) == 7).all()


@pytest.mark.parametrize("pillow", [True, False])
@pytest.mark.parametrize("kind", ["png", "jpeg", "gif", "webp"])
def test_files(kind, pillow, tmp_path, monkeypatch):
    if not pillow:
        monkeypatch.setattr("trigpoint.report._thumbnails.find_spec", lambda name: None)
    path = tmp_path / "picture"
    Image.new("RGB", (300, 200), "#4060a0").save(path, kind)
    html = gallery([{"id": "a", "image": path}], 1, ranked=True)
    assert html.count("<img") == 1
    assert seen(html).shape[:2] == ((85, 128) if pillow else (200, 300))


@pytest.mark.parametrize("pillow", [True, False])
@pytest.mark.parametrize(
    "content", [None, b"", b"<svg onload=alert(1)>", bytes(200_000)], ids=["missing", "empty", "svg", "large"]
)
def test_files_that_are_no_pictures_are_said_to_be_so(content, pillow, tmp_path, monkeypatch):
    if not pillow:
        monkeypatch.setattr("trigpoint.report._thumbnails.find_spec", lambda name: None)
    path = tmp_path / "picture.png"
    if content is not None:
        path.write_bytes(content)
    html = gallery([{"id": "a", "image": path}], 1, ranked=True)
    assert "picture not shown" in html
    assert "<img" not in html


def test_rows_become_a_table_of_a_few_columns():
    rows = [{"id": str(i), "label": "a", "row": {f"c{k}": k / 3 for k in range(12)}} for i in range(3)]
    html = gallery(rows, 3, ranked=True)
    assert html.count("<tr>") == 4
    assert html.count("<th ") == 3 + 8
    assert "and 4 more columns" in html
    assert "0.33333" in html


def test_what_io_shows_can_be_shown(tmp_path):
    (tmp_path / "pool.csv").write_text("id,size,kind\na,1.5,round\nb,2,flat\n")
    np.save(tmp_path / "pool.npy", np.array([[1.5, 2.0], [2.0, 3.25]]))
    for name in ("pool.csv", "pool.npy"):
        pool = read_pool(tmp_path / name)
        html = gallery([content(pool, i) for i in range(pool.n_samples)], pool.n_samples, ranked=True)
        assert "no label" in html


def test_rows_of_different_columns():
    html = gallery([{"id": "0", "row": {"a": 1}}, {"id": "1", "row": {"b": None}}], 2, ranked=False)
    assert html.count("<td>") == 2 * 4


def test_long_texts_are_cut():
    html = gallery([{"id": "x" * 500, "label": "y" * 500, "text": "z" * 5000}], 1, ranked=True)
    assert html.count("z") < 400
    assert html.count("x") < 400
    assert html.count("y") < 100
    assert gallery([], 0, ranked=True) == ""

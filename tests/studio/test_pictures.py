"""Pictures by number: what they are served as, what is refused, and that nothing else of the disk is."""

import os
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from trigpoint.io import glimpse
from trigpoint.studio import _pictures
from trigpoint.studio._pictures import (
    SMALL,
    PictureMissingError,
    Pictures,
    PictureUnreadableError,
    kind_of_picture,
)


@pytest.fixture
def folder(tmp_path):
    """A pool, with a file beside it that is nobody's business."""
    (tmp_path / "secret.png").write_bytes(b"\x89PNG\r\n\x1a\nsecret")
    pool = tmp_path / "pool"
    pool.mkdir()
    return pool


def drawn(picture):
    return Image.open(BytesIO(picture.content))


def saved(path, kind, mode="RGB", size=(300, 200)):
    rng = np.random.default_rng(0)
    shape = (size[1], size[0]) if mode == "L" else (size[1], size[0], len(mode))
    Image.fromarray(rng.integers(0, 256, shape, dtype=np.uint8)).save(path, kind)
    return path.read_bytes()


@pytest.mark.parametrize("kind", ["png", "jpeg", "gif", "webp", "bmp"])
def test_what_browsers_show_comes_as_it_is_by_content_not_by_name(folder, kind):
    content = saved(folder / "a.tif", kind)  # the name lies
    found = Pictures(glimpse(folder)).picture(0)
    assert (found.content, found.kind) == (content, kind)


def test_tiff_becomes_png_with_the_same_pixels(folder):
    saved(folder / "a.png", "tiff")
    found = Pictures(glimpse(folder)).picture(0)
    assert found.kind == "png"
    with Image.open(folder / "a.png") as original:
        assert np.array_equal(np.asarray(drawn(found)), np.asarray(original))


@pytest.mark.parametrize("dtype", [np.uint16, np.float32])
def test_grey_of_more_bits_is_stretched_over_its_range(folder, dtype):
    values = np.linspace(100, 4000, 12).reshape(3, 4).astype(dtype)
    Image.fromarray(values).save(folder / "a.tif")
    found = np.asarray(drawn(Pictures(glimpse(folder)).picture(0)).convert("L"))
    assert (found.min(), found.max()) == (0, 255)
    assert np.all(np.diff(found.ravel().astype(int)) > 0)


@pytest.mark.parametrize(("mode", "kind"), [("RGB", "jpeg"), ("L", "jpeg"), ("RGBA", "png")])
def test_a_thumbnail_is_small_keeps_its_proportions_and_what_shines_through(folder, mode, kind):
    saved(folder / "a.png", "png", mode, size=(800, 400))
    found = Pictures(glimpse(folder)).picture(0, small=True)
    assert (found.kind, kind_of_picture(found.content)) == (kind, kind)
    assert drawn(found).size == (SMALL, SMALL // 2)


def test_a_thumbnail_is_turned_as_the_camera_says(folder):
    turned = Image.Exif()
    turned[0x0112] = 6
    Image.new("RGB", (400, 200)).save(folder / "a.jpg", exif=turned)
    assert drawn(Pictures(glimpse(folder)).picture(0, small=True)).size == (SMALL // 2, SMALL)


def test_thumbnails_are_kept_until_the_file_changes(folder):
    saved(folder / "a.png", "png")
    pictures = Pictures(glimpse(folder))
    first = pictures.picture(0, small=True)
    assert pictures.picture(0, small=True) is first
    Image.new("RGB", (10, 10), "red").save(folder / "new.png")
    (folder / "new.png").replace(folder / "a.png")
    second = pictures.picture(0, small=True)
    assert second.etag != first.etag
    assert drawn(second).size == (10, 10)


def test_no_more_thumbnails_are_kept_than_agreed(folder, monkeypatch):
    monkeypatch.setattr("trigpoint.studio._pictures.KEPT", 2)
    for name in "abc":
        Image.new("RGB", (4, 4), (ord(name), 0, 0)).save(folder / f"{name}.png")
    pictures = Pictures(glimpse(folder))
    kept = [pictures.picture(i, small=True) for i in (0, 1, 2, 1, 0)]
    assert kept[3] is kept[1]  # still there
    assert kept[4] is not kept[0]  # made room
    assert kept[4] == kept[0]


def test_etags_tell_pools_sizes_and_versions_apart(folder, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    tags = set()
    for place in (folder, other):
        Image.new("L", (3, 3)).save(place / "a.png")
        pictures = Pictures(glimpse(place))
        tags |= {pictures.picture(0).etag, pictures.picture(0, small=True).etag}
    assert len(tags) == 4


def test_pixels_of_an_idx_file(tmp_path):
    images = np.arange(2 * 400 * 6, dtype=np.uint32).astype(np.uint8).reshape(2, 400, 6)
    header = bytes([0, 0, 8, 3]) + np.array(images.shape, ">i4").tobytes()
    (tmp_path / "x-idx3-ubyte").write_bytes(header + images.tobytes())
    pictures = Pictures(glimpse(tmp_path / "x-idx3-ubyte"))
    assert np.array_equal(np.asarray(drawn(pictures.picture(1))), images[1])
    assert max(drawn(pictures.picture(1, small=True)).size) <= SMALL
    assert pictures.picture(0).etag != pictures.picture(1).etag


def test_a_sample_that_is_no_picture(tmp_path):
    np.save(tmp_path / "pool.npy", np.zeros((2, 2)))
    with pytest.raises(PictureMissingError, match=r"sample 0 must be a picture; it is not."):
        Pictures(glimpse(tmp_path / "pool.npy")).picture(0)


def test_a_picture_that_vanished(folder):
    Image.new("L", (3, 3)).save(folder / "a.png")
    pictures = Pictures(glimpse(folder))
    (folder / "a.png").unlink()
    with pytest.raises(
        PictureMissingError, match=r"a.png must be in the pool's folder; it cannot be read: No such file"
    ):
        pictures.picture(0)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"<html><script>alert(1)</script>",
        b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>",
        b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n",
        b"II*\x00\xff\xff\xff\xff",
        b"P6\n1 1\n255\n\0\0\0",  # a picture, but of no kind that a pool has
    ],
)
@pytest.mark.parametrize("small", [False, True])
def test_what_is_no_picture_is_never_served(folder, content, small):
    (folder / "a.png").write_bytes(content)
    with pytest.raises(PictureUnreadableError, match=r"a.png must be a picture, whole and undamaged"):
        Pictures(glimpse(folder)).picture(0, small)


def test_a_damaged_picture_has_no_thumbnail(folder):
    Image.fromarray(np.random.default_rng(0).integers(0, 256, (300, 300), dtype=np.uint8)).save(
        folder / "a.png"
    )
    whole = (folder / "a.png").read_bytes()
    (folder / "a.png").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(PictureUnreadableError, match=r"a.png must be a picture"):
        Pictures(glimpse(folder)).picture(0, small=True)


def test_a_file_that_is_too_large(folder, monkeypatch):
    Image.new("L", (3, 3)).save(folder / "a.png")
    monkeypatch.setattr("trigpoint.studio._pictures.LARGEST", 10)
    with pytest.raises(PictureUnreadableError, match="at most 10 bytes"):
        Pictures(glimpse(folder)).picture(0)


@pytest.mark.parametrize(("name", "kind"), [("a.png", "png"), ("a.jpg", "jpeg"), ("a.tif", "tiff")])
def test_a_picture_of_too_many_pixels_is_not_decoded(folder, monkeypatch, name, kind):
    content = saved(folder / name, kind, size=(300, 200))
    monkeypatch.setattr("trigpoint.studio._pictures.MOST_PIXELS", 59_999)
    pictures = Pictures(glimpse(folder))
    message = rf"{name} must have at most 59,999 pixels to be drawn; it has 300 x 200."
    with pytest.raises(PictureUnreadableError, match=message):
        pictures.picture(0, small=True)
    if kind == "tiff":
        with pytest.raises(PictureUnreadableError, match=message):
            pictures.picture(0)
    else:
        assert pictures.picture(0).content == content  # the browser's to decode
    monkeypatch.setattr("trigpoint.studio._pictures.MOST_PIXELS", 60_000)
    assert max(drawn(pictures.picture(0, small=True)).size) == SMALL


def test_one_picture_is_decoded_at_a_time(folder, monkeypatch):
    for i in range(8):
        saved(folder / f"{i}.png", "png", size=(10 + i, 10))
    here, most = [0], [0]

    def watched(content, name, largest):
        here[0] += 1
        most[0] = max(most[0], here[0])
        found = _pictures._drawn_before(content, name, largest)
        here[0] -= 1
        return found

    monkeypatch.setattr(_pictures, "_drawn_before", _pictures._drawn, raising=False)
    monkeypatch.setattr(_pictures, "_drawn", watched)
    pictures = Pictures(glimpse(folder))
    with ThreadPoolExecutor(8) as pool:
        sizes = list(pool.map(lambda i: drawn(pictures.picture(i % 8, small=True)).size[0], range(40)))
    assert sizes == [10 + i % 8 for i in range(40)]
    assert most == [1]


def test_links_of_the_pool_work_as_long_as_they_lead_where_they_did(folder):
    outside = folder.parent / "elsewhere.png"
    Image.new("L", (3, 3)).save(outside)
    (folder / "a.png").symlink_to(outside)
    pictures = Pictures(glimpse(folder))
    assert pictures.picture(0).content == outside.read_bytes()
    (folder / "a.png").unlink()
    (folder / "a.png").symlink_to(folder.parent / "secret.png")
    with pytest.raises(
        PictureMissingError, match=r"a.png must lie in the pool's folder; it now points elsewhere."
    ):
        pictures.picture(0)


def test_a_picture_that_is_swapped_for_a_link_is_refused(folder):
    (folder / "sub").mkdir()
    Image.new("L", (3, 3)).save(folder / "a.png")
    Image.new("L", (3, 3)).save(folder / "sub" / "secret.png")
    pictures = Pictures(glimpse(folder))
    (folder / "a.png").unlink()
    (folder / "a.png").symlink_to(folder.parent / "secret.png")
    (folder / "sub" / "secret.png").unlink()
    (folder / "sub").rmdir()
    (folder / "sub").symlink_to(folder.parent)  # a folder on the way
    for i in (0, 1):
        with pytest.raises(PictureMissingError, match="it now points elsewhere"):
            pictures.picture(i)


def test_a_pool_that_is_reached_by_a_link(folder):
    Image.new("L", (3, 3)).save(folder / "a.png")
    (folder.parent / "link").symlink_to(folder)
    assert Pictures(glimpse(folder.parent / "link")).picture(0).kind == "png"


def test_a_pipe_does_not_hang(folder):
    os.mkfifo(folder / "a.png")
    with pytest.raises(PictureMissingError, match=r"a.png must be a file; it is something else."):
        Pictures(glimpse(folder)).picture(0)


def test_without_pillow_pictures_come_as_they_are(folder, monkeypatch):
    content = saved(folder / "a.png", "png")
    saved(folder / "b.tif", "tiff")
    pictures = Pictures(glimpse(folder))
    monkeypatch.setattr("trigpoint.studio._pictures.find_spec", lambda name: None)
    assert pictures.picture(0, small=True).content == content
    with pytest.raises(
        PictureUnreadableError, match=r'b.tif needs pillow .*pip install "trigpoint\[files\]"'
    ):
        pictures.picture(1)

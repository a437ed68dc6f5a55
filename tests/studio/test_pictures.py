"""Pictures by number: what they are served as, what is refused, and that nothing else of the disk is."""

import os
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO

import numpy as np
import pytest
from PIL import Image, ImageCms, ImageOps

from trigpoint.io import glimpse
from trigpoint.studio import _pictures
from trigpoint.studio._made import THREADS
from trigpoint.studio._pictures import (
    SIDES,
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


def look(pictures, i, side=None):
    return pictures.picture(i, side).result(60)


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
    found = look(Pictures(glimpse(folder)), 0)
    assert (found.content, found.kind) == (content, kind)


def test_tiff_becomes_png_with_the_same_pixels(folder):
    saved(folder / "a.png", "tiff")
    found = look(Pictures(glimpse(folder)), 0)
    assert found.kind == "png"
    with Image.open(folder / "a.png") as original:
        assert np.array_equal(np.asarray(drawn(found)), np.asarray(original))


@pytest.mark.parametrize("dtype", [np.uint16, np.float32])
def test_grey_of_more_bits_is_stretched_over_its_range(folder, dtype):
    values = np.linspace(100, 4000, 12).reshape(3, 4).astype(dtype)
    Image.fromarray(values).save(folder / "a.tif")
    found = np.asarray(drawn(look(Pictures(glimpse(folder)), 0)).convert("L"))
    assert (found.min(), found.max()) == (0, 255)
    assert np.all(np.diff(found.ravel().astype(int)) > 0)


@pytest.mark.parametrize(("mode", "kind"), [("RGB", "jpeg"), ("L", "jpeg"), ("RGBA", "png")])
def test_a_thumbnail_is_small_keeps_its_proportions_and_what_shines_through(folder, mode, kind):
    saved(folder / "a.png", "png", mode, size=(800, 400))
    found = look(Pictures(glimpse(folder)), 0, 160)
    assert (found.kind, kind_of_picture(found.content)) == (kind, kind)
    assert drawn(found).size == (160, 80)


def test_a_thumbnail_is_turned_as_the_camera_says(folder):
    turned = Image.Exif()
    turned[0x0112] = 6
    Image.new("RGB", (400, 200)).save(folder / "a.jpg", exif=turned)
    assert drawn(look(Pictures(glimpse(folder)), 0, 160)).size == (80, 160)


def test_thumbnails_are_kept_until_the_file_changes(folder):
    saved(folder / "a.png", "png")
    pictures = Pictures(glimpse(folder))
    first = look(pictures, 0, 160)
    assert look(pictures, 0, 160) is first
    Image.new("RGB", (10, 10), "red").save(folder / "new.png")
    (folder / "new.png").replace(folder / "a.png")
    second = look(pictures, 0, 160)
    assert second.etag != first.etag
    assert drawn(second).size == (10, 10)


def test_pictures_are_kept_up_to_a_number_of_bytes(folder, monkeypatch):
    for name in "abcde":
        saved(folder / f"{name}.png", "png", "RGBA", size=(161, 161))
    one = len(look(Pictures(glimpse(folder)), 0, 160).content)  # about as many bytes each: it is noise
    monkeypatch.setattr(_pictures, "KEPT", int(4.5 * one))
    pictures = Pictures(glimpse(folder))
    kept = [look(pictures, i, 160) for i in (0, 1, 2, 3, 4, 1, 0)]
    assert kept[5] is kept[1]  # still there
    assert kept[6] is not kept[0]  # made room
    assert kept[6] == kept[0]
    assert pictures._kept.n_bytes == sum(len(one.content) for one in (kept[3], kept[4], kept[1], kept[0]))


def test_etags_tell_pools_sizes_and_versions_apart(folder, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    tags = set()
    for place in (folder, other):
        saved(place / "a.png", "png", size=(2561, 10))
        pictures = Pictures(glimpse(place))
        tags |= {look(pictures, 0, side).etag for side in (None, *SIDES)}
    assert len(tags) == 2 * (1 + len(SIDES))


@pytest.mark.parametrize("kind", ["png", "jpeg", "gif", "webp", "bmp"])
@pytest.mark.parametrize("side", [400, 2560])
def test_a_picture_that_is_small_enough_comes_as_it_is(folder, kind, side):
    content = saved(folder / "a.png", kind)
    pictures = Pictures(glimpse(folder))
    assert look(pictures, 0, side) == look(pictures, 0)
    assert look(pictures, 0).content == content


@pytest.mark.parametrize("turn", range(1, 9))
def test_a_smaller_picture_shows_what_the_large_one_shows(folder, turn):
    """A gradient with a bright corner, in every position of the camera."""
    rows, columns = np.mgrid[:600, :1000]
    values = np.stack([rows / 3, columns / 5, 255 * (rows + columns < 300)], axis=2).astype(np.uint8)
    exif = Image.Exif()
    exif[0x0112] = turn
    Image.fromarray(values).save(folder / "a.jpg", exif=exif, quality=95)
    found = np.asarray(drawn(look(Pictures(glimpse(folder)), 0, 160)), dtype=float)
    with Image.open(folder / "a.jpg") as whole:
        expected = ImageOps.exif_transpose(whole).resize(found.shape[1::-1], Image.Resampling.BOX)
    assert found.shape == ((96, 160, 3) if turn < 5 else (160, 96, 3))
    assert np.abs(found - np.asarray(expected, dtype=float)).mean() < 4


def test_16_bits_are_stretched_in_every_size(folder):
    """Browsers would show the upper 8 bits of it: almost black."""
    values = np.linspace(0, 4000, 500 * 400).reshape(400, 500).astype(np.uint16)
    Image.fromarray(values).save(folder / "a.png")
    pictures = Pictures(glimpse(folder))
    for side, size in ((None, (500, 400)), (800, (500, 400)), (160, (160, 128))):
        found = drawn(look(pictures, 0, side)).convert("L")
        assert found.size == size
        assert np.abs(np.asarray(found, dtype=float).mean() - 127) < 3


def test_cmyk_becomes_rgb(folder):
    Image.new("CMYK", (1000, 500), (0, 255, 255, 0)).save(folder / "a.jpg")
    found = drawn(look(Pictures(glimpse(folder)), 0, 400))
    assert (found.mode, found.size) == ("RGB", (400, 200))
    red, green, blue = np.asarray(found)[100, 100]
    assert (red > 200, green < 60, blue < 60) == (True, True, True)


def test_a_picture_that_moves_goes_on_moving_but_as_a_thumbnail(folder):
    frames = [Image.new("RGB", (1000, 500), color) for color in ("red", "blue")]
    frames[0].save(folder / "a.gif", save_all=True, append_images=frames[1:])
    pictures = Pictures(glimpse(folder))
    assert look(pictures, 0, 800).content == (folder / "a.gif").read_bytes()
    still = drawn(look(pictures, 0, 160))
    assert (still.size, getattr(still, "n_frames", 1)) == ((160, 80), 1)


def test_colors_keep_their_profile(folder):
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    for name, mode in (("a.jpg", "RGB"), ("b.png", "RGBA"), ("c.jpg", "L")):
        Image.new(mode, (500, 300)).save(folder / name, icc_profile=profile)
    pictures = Pictures(glimpse(folder))
    kept = [drawn(look(pictures, i, 400)).info.get("icc_profile") for i in range(3)]
    assert kept == [profile, profile, None]  # one of grey would not fit the colors that it becomes


def test_a_thumbnail_is_made_of_what_was_made_before(folder, monkeypatch):
    saved(folder / "a.jpg", "jpeg", size=(2000, 1000))
    pictures = Pictures(glimpse(folder))
    desk = look(pictures, 0, 800)
    given = []
    draw = _pictures._drawn
    monkeypatch.setattr(
        _pictures, "_drawn", lambda content, *more: given.append(content) or draw(content, *more)
    )
    assert drawn(look(pictures, 0, 160)).size == (160, 80)
    look(pictures, 0, 1600)
    assert given == [desk.content, (folder / "a.jpg").read_bytes()]


def test_what_a_browser_has_is_not_made_again(folder, monkeypatch):
    saved(folder / "a.jpg", "jpeg", size=(2000, 1000))
    etags = [look(Pictures(glimpse(folder)), 0, side).etag for side in (800, None)]
    monkeypatch.setattr(_pictures, "_drawn", None)
    for side, etag in zip((800, None), etags, strict=True):
        found = Pictures(glimpse(folder)).picture(0, side, f'W/"{etag}"').result()
        assert (found.etag, found.content) == (etag, b"")
    plain = Pictures(glimpse(folder)).picture(0, None, f'"{etags[0]}"').result()  # of another size
    assert plain.content == (folder / "a.jpg").read_bytes()


def test_pictures_are_made_ahead_at_the_side_that_pages_ask_for(folder):
    for name in "abc":
        saved(folder / f"{name}.jpg", "jpeg", size=(1000, 500))
    pictures = Pictures(glimpse(folder))
    pictures.ahead(2)  # nobody has asked for one yet
    look(pictures, 0, 160)
    pictures.ahead(2)  # nor for a large one
    assert not pictures._makers._jobs
    look(pictures, 0, 800)
    pictures.ahead(1)
    pictures._makers.now((1, 800)).result(60)
    names = {name[-3:] for name in pictures._kept._things}
    assert names == {"160", "800"}
    assert len(pictures._kept._things) == 3


def test_pixels_of_an_idx_file(tmp_path):
    images = np.arange(2 * 400 * 6, dtype=np.uint32).astype(np.uint8).reshape(2, 400, 6)
    header = bytes([0, 0, 8, 3]) + np.array(images.shape, ">i4").tobytes()
    (tmp_path / "x-idx3-ubyte").write_bytes(header + images.tobytes())
    pictures = Pictures(glimpse(tmp_path / "x-idx3-ubyte"))
    assert np.array_equal(np.asarray(drawn(look(pictures, 1))), images[1])
    assert max(drawn(look(pictures, 1, 160)).size) <= 160
    assert look(pictures, 0).etag != look(pictures, 1).etag


def test_a_sample_that_is_no_picture(tmp_path):
    np.save(tmp_path / "pool.npy", np.zeros((2, 2)))
    with pytest.raises(PictureMissingError, match=r"sample 0 must be a picture; it is not."):
        look(Pictures(glimpse(tmp_path / "pool.npy")), 0)


def test_a_picture_that_vanished(folder):
    Image.new("L", (3, 3)).save(folder / "a.png")
    pictures = Pictures(glimpse(folder))
    (folder / "a.png").unlink()
    with pytest.raises(
        PictureMissingError, match=r"a.png must be in the pool's folder; it cannot be read: No such file"
    ):
        look(pictures, 0)


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
@pytest.mark.parametrize("side", [None, 160, 800])
def test_what_is_no_picture_is_never_served(folder, content, side):
    (folder / "a.png").write_bytes(content)
    with pytest.raises(PictureUnreadableError, match=r"a.png must be a picture, whole and undamaged"):
        look(Pictures(glimpse(folder)), 0, side)


def test_a_damaged_picture_has_no_thumbnail(folder):
    Image.fromarray(np.random.default_rng(0).integers(0, 256, (300, 300), dtype=np.uint8)).save(
        folder / "a.png"
    )
    whole = (folder / "a.png").read_bytes()
    (folder / "a.png").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(PictureUnreadableError, match=r"a.png must be a picture"):
        look(Pictures(glimpse(folder)), 0, 160)


def test_a_file_that_is_too_large(folder, monkeypatch):
    Image.new("L", (3, 3)).save(folder / "a.png")
    monkeypatch.setattr("trigpoint.studio._pictures.LARGEST", 10)
    with pytest.raises(PictureUnreadableError, match="at most 10 bytes"):
        look(Pictures(glimpse(folder)), 0)


@pytest.mark.parametrize(("name", "kind"), [("a.png", "png"), ("a.jpg", "jpeg"), ("a.tif", "tiff")])
def test_a_picture_of_too_many_pixels_is_not_decoded(folder, monkeypatch, name, kind):
    content = saved(folder / name, kind, size=(300, 200))
    monkeypatch.setattr("trigpoint.studio._pictures.MOST_PIXELS", 59_999)
    pictures = Pictures(glimpse(folder))
    message = rf"{name} must have at most 59,999 pixels to be drawn; it has 300 x 200."
    with pytest.raises(PictureUnreadableError, match=message):
        look(pictures, 0, 160)
    if kind == "tiff":
        with pytest.raises(PictureUnreadableError, match=message):
            look(pictures, 0)
    else:
        assert look(pictures, 0).content == content  # the browser's to decode
    monkeypatch.setattr("trigpoint.studio._pictures.MOST_PIXELS", 60_000)
    assert max(drawn(look(pictures, 0, 160)).size) == 160


def test_few_pictures_are_decoded_at_a_time(folder, monkeypatch):
    for i in range(8):
        saved(folder / f"{i}.png", "png", size=(161 + i, 10))
    here, most, calls = [0], [0], []
    draw = _pictures._drawn

    def watched(content, name, side):
        here[0] += 1
        most[0] = max(most[0], here[0])
        calls.append(name)
        found = draw(content, name, side)
        here[0] -= 1
        return found

    monkeypatch.setattr(_pictures, "_drawn", watched)
    pictures = Pictures(glimpse(folder))
    with ThreadPoolExecutor(8) as pool:
        sizes = list(pool.map(lambda i: drawn(look(pictures, i % 8, 160)).size[0], range(40)))
    assert sizes == [160] * 40
    assert most[0] <= THREADS
    assert sorted(calls) == [f"{i}.png" for i in range(8)]


def test_links_of_the_pool_work_as_long_as_they_lead_where_they_did(folder):
    outside = folder.parent / "elsewhere.png"
    Image.new("L", (3, 3)).save(outside)
    (folder / "a.png").symlink_to(outside)
    pictures = Pictures(glimpse(folder))
    assert look(pictures, 0).content == outside.read_bytes()
    (folder / "a.png").unlink()
    (folder / "a.png").symlink_to(folder.parent / "secret.png")
    with pytest.raises(
        PictureMissingError, match=r"a.png must lie in the pool's folder; it now points elsewhere."
    ):
        look(pictures, 0)


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
            look(pictures, i)


def test_a_pool_that_is_reached_by_a_link(folder):
    Image.new("L", (3, 3)).save(folder / "a.png")
    (folder.parent / "link").symlink_to(folder)
    assert look(Pictures(glimpse(folder.parent / "link")), 0).kind == "png"


def test_a_pipe_does_not_hang(folder):
    os.mkfifo(folder / "a.png")
    with pytest.raises(PictureMissingError, match=r"a.png must be a file; it is something else."):
        look(Pictures(glimpse(folder)), 0)


def test_without_pillow_pictures_come_as_they_are(folder, monkeypatch):
    content = saved(folder / "a.png", "png")
    saved(folder / "b.tif", "tiff")
    pictures = Pictures(glimpse(folder))
    monkeypatch.setattr("trigpoint.studio._pictures.find_spec", lambda name: None)
    assert look(pictures, 0, 160).content == content
    with pytest.raises(
        PictureUnreadableError, match=r'b.tif needs pillow; .*pip install "trigpoint\[files\]"'
    ):
        look(pictures, 1)


@pytest.mark.parametrize("kind", ["png", "jpeg", "webp", "tiff"])
def test_the_size_of_a_picture_needs_no_decoding(folder, monkeypatch, kind):
    exif = Image.Exif()
    exif[0x0112] = 6  # lies on its side
    Image.new("RGB", (30, 20)).save(folder / "a.png", kind, exif=exif)
    samples = glimpse(folder)

    def load(self):
        raise AssertionError("decoded")

    for one in (Image.Image, *{kind for kind, *_ in Image.OPEN.values() if isinstance(kind, type)}):
        monkeypatch.setattr(one, "load", load)
    assert _pictures.picture_size(samples, 0) == [20, 30]

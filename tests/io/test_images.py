import gzip
import io
import os
import shutil

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from PIL import Image

from reference.files import PIXELS, idx_bytes, write_images
from trigpoint._errors import InputError
from trigpoint.features import fit_text, picture_recipe
from trigpoint.io import content, png_bytes, read_labels, read_pool, told_skipped


def test_a_folder_of_pictures(tmp_path):
    folder = tmp_path / "images"
    write_images(folder)
    (folder / "sub").mkdir()
    Image.fromarray(PIXELS[0]).save(folder / "sub" / "A.PNG")
    (folder / "notes.txt").write_text("no picture")
    (folder / "._a.png").write_text("left behind by a Mac")
    (folder / ".hidden").mkdir()
    Image.fromarray(PIXELS[0]).save(folder / ".hidden" / "h.png")
    samples = read_pool(folder, image_size=(5, 6), image_features="pixels")
    assert samples.kind == "images"
    assert samples.ids.tolist() == ["a.png", "b.jpg", "c.gif", "d.bmp", "sub/A.PNG"]
    assert samples.X.dtype == np.float32
    for i, pixels in ((0, 0), (2, 2), (3, 3), (4, 0)):  # all but the JPEG are exact
        assert_array_equal(samples.X[i], PIXELS[pixels].ravel())
    assert content(samples, 4) == {"id": "sub/A.PNG", "image": folder / "sub" / "A.PNG"}
    assert read_pool(folder, image_features="pixels").X.shape == (5, 32 * 32)
    assert read_pool(folder).X.shape == (5, 12 * 12 * 8)
    assert read_pool(folder, image_size=(2, 3), color=True).X.shape == (5, 2 * 3 * 3)


def saved(tmp_path, image, name="x.png", **options):
    folder = tmp_path / name.replace(".", "_")
    folder.mkdir()
    image.save(folder / name, **options)
    return folder


def test_transparent_is_white(tmp_path):
    folder = saved(tmp_path, Image.new("RGBA", (4, 4), (0, 0, 0, 0)))
    assert (read_pool(folder, image_features="pixels").X == 255).all()


def test_sixteen_bits_are_scaled_and_not_clipped(tmp_path):
    values = np.array([[0, 65535], [257, 32896]], dtype=np.uint16)
    folder = saved(tmp_path, Image.fromarray(values))
    found = read_pool(folder, image_size=(2, 2), image_features="pixels")
    assert found.X.tolist() == [[0, 255, 1, 128]]
    with pytest.raises(InputError, match=r"none of 1 can; got x\.tif \(damaged: .* not 8 or 16 bits"):
        read_pool(saved(tmp_path, Image.new("F", (2, 2), 0.5), "x.tif"))


def test_pictures_stand_upright(tmp_path):
    picture = Image.fromarray(np.array([[0, 255]], dtype=np.uint8))
    exif = picture.getexif()
    exif[0x0112] = 6  # turn by 90 degrees
    folder = saved(tmp_path, picture, exif=exif)
    assert read_pool(folder, image_size=(2, 1), image_features="pixels").X.tolist() == [[0, 255]]


def test_features_beside_pictures_leave_them_undecoded(tmp_path, monkeypatch):
    folder = tmp_path / "images"
    write_images(folder)
    (folder / "a.png").write_bytes(b"not decoded")
    np.save(tmp_path / "f.npy", np.eye(4))
    from trigpoint.io import _files

    monkeypatch.setattr(_files, "find_spec", lambda _: None)  # not even pillow is needed
    samples = read_pool(folder, features=tmp_path / "f.npy")
    assert isinstance(samples.X, np.memmap)
    assert content(samples, 0)["image"] == folder / "a.png"


def damaged(folder):
    """Ids of two pictures that are damaged, and why."""
    (folder / "b.jpg").write_bytes((folder / "b.jpg").read_bytes()[:-250])
    (folder / "d.bmp").write_bytes(b"")
    return {"b.jpg": "truncated", "d.bmp": "empty"}


def test_a_damaged_picture_is_left_out_and_told(tmp_path):
    folder = tmp_path / "images"
    write_images(folder)
    whole = read_pool(folder)
    why = damaged(folder)
    samples = read_pool(folder)
    assert samples.skipped == why
    assert samples.ids.tolist() == ["a.png", "c.gif"]
    assert_array_equal(samples.X, whole.X[[0, 2]])
    assert content(samples, 1) == {"id": "c.gif", "image": folder / "c.gif"}
    assert samples.fingerprint != whole.fingerprint
    assert whole.skipped == {}
    shutil.rmtree(folder)
    write_images(folder)
    again = read_pool(folder)
    assert again.fingerprint == whole.fingerprint
    assert_array_equal(again.X, whole.X)


def test_why_a_picture_cannot_be_read(tmp_path, monkeypatch):
    folder = saved(tmp_path, Image.new("L", (60, 60), 7), "good.png")
    (folder / "text.png").write_text("no picture at all")
    (folder / "gone.png").symlink_to(tmp_path / "nowhere.png")
    os.mkfifo(folder / "pipe.png")
    Image.new("F", (2, 2), 0.5).save(folder / "floats.tif")
    Image.new("L", (300, 300), 7).save(folder / "large.png")
    broken = bytearray((folder / "large.png").read_bytes())
    broken[45:49] = b"\xff\xff\xff\xff"
    (folder / "bits.png").write_bytes(broken)
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 40_000)
    why = read_pool(folder).skipped
    assert why.pop("bits.png")  # in words of the library
    assert why == {
        "text.png": "not a picture of a known kind",
        "gone.png": "no such file or directory",
        "pipe.png": "damaged: not a file",
        "floats.tif": "damaged: its pixels are not 8 or 16 bits (mode F, up to 0.5)",
        "large.png": "too many pixels",
    }
    assert not any(str(tmp_path) in reason for reason in read_pool(folder).skipped.values())


def test_a_folder_of_damaged_pictures_is_refused(tmp_path):
    folder = tmp_path / "images"
    write_images(folder)
    for path in folder.iterdir():
        path.write_bytes(path.read_bytes()[:20])
    with pytest.raises(InputError, match=r"must hold pictures that can be read; none of 4 can; got a\.png"):
        read_pool(folder)


def test_labels_of_pictures_that_were_left_out(tmp_path):
    folder = tmp_path / "images"
    write_images(folder)
    damaged(folder)
    samples = read_pool(folder)
    (tmp_path / "l.csv").write_text("id,label\na.png,x\nb.jpg,y\nc.gif,x\n")
    labels = read_labels(tmp_path / "l.csv", samples.ids, skip_unknown=samples.skipped)
    assert labels.indices.tolist() == [0, 1]
    assert labels.unknown == ("b.jpg",)
    (tmp_path / "l.csv").write_text("id,label\na.png,x\nb.jpg,y\nz.gif,x\n")
    with pytest.raises(InputError, match=r"must hold ids of the pool only; got 1 unknown, first 'z\.gif'"):
        read_labels(tmp_path / "l.csv", samples.ids, skip_unknown=samples.skipped)
    (tmp_path / "l.csv").write_text("id,label\nb.jpg,y\n")
    with pytest.raises(InputError, match="must hold at least one label"):
        read_labels(tmp_path / "l.csv", samples.ids, skip_unknown=samples.skipped)


def test_new_pictures_by_the_recipe_of_others(tmp_path):
    write_images(tmp_path / "images")
    write_images(tmp_path / "new")
    (tmp_path / "new" / "a.png").unlink()
    old = read_pool(tmp_path / "images", image_size=(5, 6), image_features="pixels")
    new = read_pool(tmp_path / "new", recipe=old.recipe)
    assert new.recipe is old.recipe
    assert_array_equal(new.X, old.X[1:])
    (tmp_path / "x.idx").write_bytes(idx_bytes(PIXELS))
    found = read_pool(tmp_path / "x.idx", recipe=old.recipe)
    assert_array_equal(found.X, PIXELS.reshape(4, 30))
    with pytest.raises(InputError, match="pixels must be pictures of 7 x 6; got shape"):
        read_pool(tmp_path / "x.idx", recipe=picture_recipe((7, 6)))
    with pytest.raises(InputError, match=r"recipe must be one for pictures, .* got one for text"):
        read_pool(tmp_path / "new", recipe=fit_text(["a text"], "words"))
    with pytest.raises(InputError, match="color must not be used together with recipe="):
        read_pool(tmp_path / "new", color=True, recipe=old.recipe)
    with pytest.raises(InputError, match="image_features must be pixels for pictures in color"):
        read_pool(tmp_path / "new", color=True, image_features="gradients")


def test_many_that_were_left_out_are_counted():
    many = {f"{i}.png": "empty" for i in range(7)}
    assert told_skipped(many, 9).endswith("3.png (empty), 4.png (empty), and 2 more")
    assert told_skipped({"a.png": "empty"}, 9).startswith("1 of 9 pictures could not be read and is left out")


def test_folders_without_pictures(tmp_path):
    with pytest.raises(
        ValueError, match=r"must hold pictures \(\.png.*\), \.npy shards, .*; it holds none\.$"
    ):
        read_pool(tmp_path)
    (tmp_path / "train-images-idx3-ubyte.gz").write_bytes(b"x")
    with pytest.raises(ValueError, match=r"name one, such as train-images-idx3-ubyte\.gz"):
        read_pool(tmp_path)


@pytest.mark.parametrize("name", ["x-idx3-ubyte", "x.idx3-ubyte", "x.idx", "x-idx3-ubyte.gz"])
def test_idx_files(tmp_path, name):
    data = idx_bytes(PIXELS)
    (tmp_path / name).write_bytes(gzip.compress(data) if name.endswith("gz") else data)
    samples = read_pool(tmp_path / name, image_features="pixels")
    assert samples.kind == "images"
    assert_array_equal(samples.X, PIXELS.reshape(4, 30))
    described = read_pool(tmp_path / name)
    assert_array_equal(described.X, picture_recipe((5, 6)).transform(PIXELS))
    assert described.fingerprint != samples.fingerprint
    assert_array_equal(content(samples, 2)["pixels"], PIXELS[2])


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (idx_bytes(PIXELS)[:-1], r"must hold the 120 bytes of its shape \(4, 5, 6\); it holds 119"),
        (idx_bytes(PIXELS) + b"x", "it holds more"),
        (idx_bytes(PIXELS)[:9], "it ends in its header"),
        (b"\0\0\x08", "must be an IDX file .* first bytes are 00 00 08"),
        (b"\0\0\x07\x01" + b"\0" * 8, "must be an IDX file"),
        (b"\0\0\x08\x03" + b"\xff" * 12, "must hold the [0-9]+ bytes"),
        (idx_bytes(PIXELS[0, 0]), "must hold pictures, .* are these labels?"),
        (idx_bytes(PIXELS[:0]), "must hold samples in rows"),
    ],
)
def test_bad_idx(tmp_path, data, message):
    (tmp_path / "x.idx").write_bytes(data)
    with pytest.raises(ValueError, match=rf"x\.idx.*{message}"):
        read_pool(tmp_path / "x.idx")


def test_mnist(data_folder):
    folder = data_folder / "mnist"
    samples = read_pool(folder / "t10k-images-idx3-ubyte.gz")
    assert samples.X.shape == (10_000, 1152)
    assert samples.X.dtype == np.float32
    labels = read_labels(folder / "t10k-labels-idx1-ubyte.gz", samples.ids)
    assert labels.values[:5] == ["7", "2", "1", "0", "4"]
    assert len(labels.indices) == 10_000
    with pytest.raises(ValueError, match=r"one label for each of 9 samples; got shape \(10000,\)"):
        read_labels(folder / "t10k-labels-idx1-ubyte.gz", samples.ids[:9])


@pytest.mark.parametrize("shape", [(5, 7), (1, 1), (4, 3, 3)])
def test_our_png_is_what_others_read(shape):
    pixels = np.random.default_rng(0).integers(0, 256, shape, dtype=np.uint8)
    with Image.open(io.BytesIO(png_bytes(pixels))) as picture:
        assert_array_equal(np.asarray(picture), pixels)


def test_png_wants_bytes():
    with pytest.raises(ValueError, match=r"pixels must be uint8 .* got float64 of shape \(2, 2\)"):
        png_bytes(np.ones((2, 2)))

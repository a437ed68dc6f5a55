import gzip
import re
import struct

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from trigpoint.datasets import (
    load_ar_faces,
    load_digits,
    load_extended_yaleb,
    load_isomap_faces,
    load_mnist,
)

RNG = np.random.default_rng(0)
GOOD = {
    load_isomap_faces: (
        "isomap_faces.npz",
        {
            "images": RNG.random((3, 5, 4)),
            "labels": RNG.standard_normal((3, 2)),
            "label_names": np.array(["pan", "tilt"]),
        },
    ),
    load_ar_faces: (
        "ar_faces.npz",
        {
            "images": RNG.integers(0, 256, (3, 2200), dtype=np.uint8),
            "labels": np.array([1, 1, 2], dtype=np.int16),
            "condition": np.array([0, 1, 2], dtype=np.int8),
        },
    ),
    load_extended_yaleb: (
        "extended_yaleb.npz",
        {
            "images_48x42": RNG.integers(0, 256, (3, 48, 42), dtype=np.uint8),
            "labels": np.array([5, 5, 39]),
        },
    ),
}
SOURCES = {
    load_isomap_faces: "Tenenbaum, de Silva & Langford",
    load_ar_faces: "Martinez & Benavente, 1998",
    load_extended_yaleb: "Georghiades, Belhumeur & Kriegman, 2001; Lee, Ho & Kriegman, 2005",
    load_mnist: "LeCun, Cortes & Burges",
}
LOADERS = pytest.mark.parametrize("load", GOOD, ids=lambda load: load.__name__)
EVERY = pytest.mark.parametrize("load", SOURCES, ids=lambda load: load.__name__)


def write(folder, load, **changes):
    name, arrays = GOOD[load]
    arrays = {key: value for key, value in (arrays | changes).items() if value is not None}
    np.savez(folder / name, **arrays)
    return folder / name


def write_idx(path, array, code=8):
    head = bytes([0, 0, code, array.ndim]) + struct.pack(f">{array.ndim}I", *array.shape)
    data = head + array.tobytes()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)


def write_mnist(folder, suffix="", **changes):
    arrays = {
        "train-images-idx3-ubyte": np.arange(3 * 784).reshape(3, 28, 28).astype(np.uint8),
        "train-labels-idx1-ubyte": np.array([3, 1, 4], dtype=np.uint8),
        "t10k-images-idx3-ubyte": np.full((2, 28, 28), 51, dtype=np.uint8),
        "t10k-labels-idx1-ubyte": np.array([9, 0], dtype=np.uint8),
    }
    for name, array in arrays.items():
        write_idx(folder / f"{name}{suffix}", changes.get(name.split("-idx")[0].replace("-", "_"), array))


def test_isomap_faces(data_folder):
    faces = load_isomap_faces(data_folder)
    assert faces.images.shape == (698, 32, 32)
    assert faces.images.dtype == np.float32
    assert (faces.images.min(), faces.images.max()) == (0, 1)
    assert faces.names == ("light", "pan", "tilt")
    assert faces.values.shape == (698, 3)
    assert_allclose(faces.values.std(axis=0), 1, atol=0.01)
    assert faces.images[:, 0, 0].max() < 0.5 < faces.images[:, 8:24, 12:20].max(), "a head amid black"
    assert_array_equal(load_isomap_faces(str(data_folder)).X, faces.X)


def test_ar_faces_stand_upright(data_folder):
    faces = load_ar_faces(data_folder)
    assert faces.images.shape == (2600, 55, 40)
    assert faces.images.dtype == np.float32
    assert faces.images.max() == 1
    assert np.bincount(faces.labels).tolist() == [0] + [26] * 100
    assert np.bincount(faces.condition).tolist() == [1400, 600, 600]
    assert faces.labels.dtype == faces.condition.dtype == np.int64
    mean = faces.images[faces.condition == 0].mean(axis=0)
    assert np.abs(mean - mean[:, ::-1]).mean() < 0.1 * mean.mean(), "a face is symmetric left to right"
    assert mean[20].mean() < mean[10].mean(), "the eyes are darker than the brow above them"
    bare, glasses, scarf = (faces.images[faces.condition == k].mean(axis=0) for k in range(3))
    assert glasses[18:26].mean() < 0.6 * bare[18:26].mean()
    assert scarf[42:].mean() < 0.8 * bare[42:].mean()


def test_extended_yaleb(data_folder):
    faces = load_extended_yaleb(data_folder)
    assert faces.images.shape == (2414, 48, 42)
    assert len(np.unique(faces.labels)) == 38
    assert faces.images.max() == 1
    assert faces.condition is None
    assert np.shares_memory(faces.X, faces.images)


def test_mnist(data_folder):
    digits = load_mnist(data_folder / "mnist")
    assert digits.images.shape == (70000, 28, 28)
    assert digits.images.dtype == np.float32
    assert digits.images.max() == 1
    assert digits.labels[:5].tolist() == [5, 0, 4, 1, 9]
    assert digits.labels[60000:60005].tolist() == [7, 2, 1, 0, 4]
    assert digits.labels.dtype == np.int64


def test_small_folders_by_hand(tmp_path):
    for load in GOOD:
        write(tmp_path, load)
    faces = load_isomap_faces(tmp_path)
    assert faces.names == ("pan", "tilt")
    assert_allclose(faces.images, GOOD[load_isomap_faces][1]["images"], atol=1e-7)
    assert_array_equal(faces.values, GOOD[load_isomap_faces][1]["labels"])
    portraits = load_ar_faces(tmp_path)
    stored = GOOD[load_ar_faces][1]["images"]
    assert_allclose(portraits.images[1, :, 0], stored[1, :55] / 255, atol=1e-7, err_msg="a column first")
    assert portraits.condition.tolist() == [0, 1, 2]
    assert load_extended_yaleb(tmp_path).labels.tolist() == [5, 5, 39]


@pytest.mark.parametrize("suffix", ["", ".gz"])
def test_mnist_plain_and_zipped_training_set_first(suffix, tmp_path):
    write_mnist(tmp_path, suffix)
    digits = load_mnist(tmp_path)
    assert digits.labels.tolist() == [3, 1, 4, 9, 0]
    assert_allclose(digits.images[0, 0, :4], np.arange(4) / 255)
    assert_allclose(digits.images[3:], 0.2)


@EVERY
def test_a_missing_file_is_named_with_its_form_and_source(load, tmp_path):
    name = "train-images-idx3-ubyte or train-images-idx3-ubyte.gz" if load is load_mnist else GOOD[load][0]
    for folder, lacks in ((tmp_path, "has none"), (tmp_path / "nowhere", "does not exist")):
        with pytest.raises(FileNotFoundError) as caught:
            load(folder)
        said = str(caught.value)
        assert said.startswith(f"folder must hold the file {name}; {str(folder)!r} {lacks}. The file holds ")
        assert "(n, " in said
        assert SOURCES[load] in said


def test_each_file_of_mnist_is_missed(tmp_path):
    write_mnist(tmp_path)
    for file in sorted(tmp_path.iterdir()):
        content = file.read_bytes()
        file.unlink()
        with pytest.raises(FileNotFoundError, match=f"must hold the file {file.name} or"):
            load_mnist(tmp_path)
        file.write_bytes(content)


@EVERY
def test_a_file_is_no_folder(load, tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(NotADirectoryError, match=r"folder must be a folder; .*file' is a file"):
        load(tmp_path / "file")


@EVERY
@pytest.mark.parametrize("folder", [None, 3])
def test_what_is_no_path_is_no_folder(load, folder):
    with pytest.raises(TypeError, match=f"folder must be a path, as text or Path; got {folder}"):
        load(folder)


@LOADERS
def test_features_are_a_view_whatever_the_order_on_disk(load, tmp_path):
    key = next(key for key in GOOD[load][1] if key.startswith("images"))
    stored = GOOD[load][1][key]
    write(tmp_path, load)
    expected = load(tmp_path).images
    for images in (stored, stored / np.float32(255) if stored.dtype == np.uint8 else stored * 0.5):
        write(tmp_path, load, **{key: np.asfortranarray(images)})
        found = load(tmp_path)
        assert found.images.flags.c_contiguous
        assert np.shares_memory(found.X, found.images)
        assert_allclose(found.images, expected if stored.dtype == np.uint8 else images, atol=1e-7)


@LOADERS
def test_damaged_archives_are_named(load, tmp_path):
    path = write(tmp_path, load)
    whole = path.read_bytes()
    for content in (b"these are no arrays", whole[: len(whole) // 2]):
        path.write_bytes(content)
        with pytest.raises(ValueError, match=rf"{path.name} must be an .npz archive, whole and undamaged"):
            load(tmp_path)
    path.write_bytes(b"")
    with pytest.raises(ValueError, match=f"{path.name} must not be empty"):
        load(tmp_path)
    path.unlink()
    path.mkdir()
    with pytest.raises(IsADirectoryError, match=f"{path.name} must be a file; it is a folder"):
        load(tmp_path)


@LOADERS
def test_every_array_is_needed_and_never_unpickled(load, tmp_path):
    for key, array in GOOD[load][1].items():
        path = write(tmp_path, load, **{key: None})
        with pytest.raises(ValueError, match=rf"{path.name} must hold an array '{key}' of .*; it holds '"):
            load(tmp_path)
        write(tmp_path, load, **{key: array.astype(object)})
        with pytest.raises(ValueError, match=f"{path.name} must hold plain numbers or text; got pickled"):
            load(tmp_path)
        write(tmp_path, load, **{key: array[None]})
        got = re.escape(f"got shape {(1, *array.shape)} of dtype {array.dtype}.")
        with pytest.raises(ValueError, match=rf"must hold an array '{key}' of .*; {got}$"):
            load(tmp_path)
        write(tmp_path, load, **{key: array[:0]})
        with pytest.raises(ValueError, match=rf"must hold an array '{key}' of .*; got shape \(0"):
            load(tmp_path)


@pytest.mark.parametrize(
    ("load", "changes", "message"),
    [
        (load_isomap_faces, {"labels": np.ones((2, 2))}, "must hold labels of all 3 images; got 2"),
        (load_isomap_faces, {"labels": np.full((3, 2), np.nan)}, "labels must hold finite numbers only"),
        (load_isomap_faces, {"images": np.full((3, 5, 4), np.nan)}, "must hold finite numbers only"),
        (
            load_isomap_faces,
            {"images": np.full((3, 5, 4), 1.5)},
            r"pixels in \[0, 1\] .* got values in \[1.5",
        ),
        (load_isomap_faces, {"images": np.full((3, 5, 4), -0.5)}, r"pixels in \[0, 1\]"),
        (
            load_isomap_faces,
            {"images": np.ones((3, 5, 4)) * 1j},
            "'images' of pictures.* got shape .*complex",
        ),
        (
            load_isomap_faces,
            {"label_names": np.array(["pan"])},
            r"'label_names' .* shape \(2,\); got shape \(1,\)",
        ),
        (load_isomap_faces, {"label_names": np.array([1, 2])}, "'label_names' .* of dtype int64"),
        (
            load_ar_faces,
            {"images": np.ones((3, 2201), dtype=np.uint8)},
            r"shape \(n, 2200\); got shape \(3, 2201\)",
        ),
        (
            load_ar_faces,
            {"images": np.full((3, 2200), 256)},
            r"pixels in \[0, 255\]; got values in \[256, 256\]",
        ),
        (load_ar_faces, {"images": np.full((3, 2200), -1)}, r"pixels in \[0, 255\]"),
        (load_ar_faces, {"condition": np.array([0, 1])}, "must hold condition of all 3 images; got 2"),
        (
            load_ar_faces,
            {"condition": np.array([0, 1, 3])},
            r"must hold condition in \[0, 2\]; got values in \[0, 3\]",
        ),
        (
            load_ar_faces,
            {"condition": np.array([0, -1, 2])},
            r"condition in \[0, 2\]; got values in \[-1, 2\]",
        ),
        (
            load_ar_faces,
            {"labels": np.array([1, 2, 2**64 - 1], dtype=np.uint64)},
            r"must hold labels below 2\^63; got 18446744073709551615",
        ),
        (load_ar_faces, {"labels": np.array([0.5, 1, 2])}, "'labels' of classes, .* of dtype float64"),
        (load_extended_yaleb, {"labels": np.array([1, 2, 3, 4])}, "must hold labels of all 3 images; got 4"),
        (
            load_extended_yaleb,
            {"images_48x42": np.ones((3, 42, 48))},
            r"\(n, 48, 42\); got shape \(3, 42, 48\)",
        ),
    ],
)
def test_arrays_that_are_not_as_they_must_be(load, changes, message, tmp_path):
    path = write(tmp_path, load, **changes)
    with pytest.raises(ValueError, match=message) as caught:
        load(tmp_path)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"train_images": np.zeros((3, 28, 27), np.uint8)},
            r"train-images.* \(n, 28, 28\); got shape \(3, 28, 27\)",
        ),
        ({"t10k_images": np.zeros((0, 28, 28), np.uint8)}, r"t10k-images.* got shape \(0, 28, 28\)"),
        ({"t10k_labels": np.zeros(3, np.uint8)}, "t10k-labels.* must hold labels of all 2 images; got 3"),
        (
            {"train_labels": np.zeros((3, 1), np.uint8)},
            r"train-labels.* whole numbers, \(n,\); got shape \(3, 1\)",
        ),
        ({"train_labels": np.array([0, 10, 1], np.uint8)}, r"digits in \[0, 9\]; got values in \[0, 10\]"),
    ],
)
def test_files_of_mnist_that_are_not_as_they_must_be(changes, message, tmp_path):
    write_mnist(tmp_path, **changes)
    with pytest.raises(ValueError, match=message):
        load_mnist(tmp_path)


def test_damaged_files_of_mnist_are_named(tmp_path):
    write_mnist(tmp_path)
    path = tmp_path / "t10k-images-idx3-ubyte"
    whole = path.read_bytes()
    for content, message in (
        (b"no idx file", "must be an IDX file"),
        (whole[:-1], "must hold the 1568 bytes"),
    ):
        path.write_bytes(content)
        with pytest.raises(ValueError, match=f"t10k-images-idx3-ubyte {message}"):
            load_mnist(tmp_path)


@pytest.mark.parametrize("shipped", [True, False], ids=["read where it lies", "by scikit-learn"])
def test_the_digits_are_those_of_scikit_learn(monkeypatch, shipped):
    from sklearn import datasets

    if not shipped:
        monkeypatch.setattr("trigpoint.datasets._loaders.find_spec", lambda name: None)
    X, y = datasets.load_digits(return_X_y=True)
    found = load_digits()
    assert_array_equal(found.X * 16, X)
    assert_array_equal(found.labels, y)
    assert (found.images.dtype, found.images.shape, found.labels.dtype) == (
        np.float32,
        (1797, 8, 8),
        np.int64,
    )

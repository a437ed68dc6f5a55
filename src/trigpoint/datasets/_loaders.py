"""Loaders of real pictures, faces and digits: each takes the folder that holds the data set's files.

`load_digits` takes none: its pictures come with scikit-learn.
"""

from importlib.util import find_spec
from pathlib import Path

import numpy as np

from trigpoint._errors import InputError
from trigpoint._types import Array
from trigpoint.datasets._folder import Source, array, classes, find, pixels, real_values
from trigpoint.datasets._records import Pictures, Portraits
from trigpoint.io import read_idx

ISOMAP = Source(
    "isomap_faces.npz",
    "the arrays images (n, h, w), numbers in [0, 1] or bytes; labels (n, d), numbers; label_names (d,), text",
    "the data sets page of Isomap (Tenenbaum, de Silva & Langford, Stanford University), face_data.mat",
)
AR = Source(
    "ar_faces.npz",
    "the arrays images (n, 2200), 55 x 40 pixels column by column; labels (n,) and condition (n,), integers",
    "the AR face database (Martinez & Benavente, 1998, now at The Ohio State University), on request",
)
YALE = Source(
    "extended_yaleb.npz",
    "the arrays images_48x42 (n, 48, 42), bytes or numbers in [0, 1]; labels (n,), integers",
    "the Extended Yale Face Database B (Georghiades, Belhumeur & Kriegman, 2001; Lee, Ho & Kriegman, 2005), "
    "UC San Diego",
)
MNIST = "the MNIST database of handwritten digits (LeCun, Cortes & Burges)"
NUMBERS, INTEGERS, TEXT = "iuf", "iu", "U"


def load_digits() -> Portraits:
    """The handwritten digits that come with scikit-learn: 1797 pictures, 8 x 8, ten classes.

    As `sklearn.datasets.load_digits`, with pixels in [0, 1]. Its file is read where it lies, because
    importing that package takes longer than all the rest of a small pool.
    """
    spec = find_spec("sklearn")
    package = Path(spec.origin).parent if spec is not None and spec.origin is not None else Path()
    file = package / "datasets" / "data" / "digits.csv.gz"
    if file.is_file():
        table = np.loadtxt(file, delimiter=",")  # 64 pixels and the class, a row
        pixels, labels = table[:, :-1], table[:, -1]
    else:
        from sklearn import datasets

        pixels, labels = datasets.load_digits(return_X_y=True)
    images = (pixels / 16.0).astype(np.float32).reshape(-1, 8, 8)
    return Portraits(images, labels.astype(np.int64))


def load_isomap_faces(folder: str | Path) -> Pictures:
    """The faces of ISOMAP: 698 pictures of one rendered head, with its light, pan and tilt.

    The folder holds ``isomap_faces.npz``: images (n, h, w), labels (n, d) and label_names (d,).
    """
    path = find(folder, ISOMAP)
    images = pixels(path, array(path, "images", ("n", "h", "w"), NUMBERS, "pictures"))
    labels = array(path, "labels", ("n", "d"), NUMBERS, "values")
    names = array(path, "label_names", (labels.shape[1],), TEXT, "names of the labels")
    return Pictures(images, real_values(path, labels, len(images)), tuple(names.tolist()))


def load_ar_faces(folder: str | Path) -> Portraits:
    """The AR faces: 2600 pictures of 100 people, 55 x 40.

    ``condition`` is 0 for a bare face (14 a person), 1 with sunglasses and 2 with a scarf (6 each). The
    folder holds ``ar_faces.npz``: images (n, 2200), stored column by column, labels (n,) and condition (n,).
    """
    path = find(folder, AR)
    stored = pixels(path, array(path, "images", ("n", 2200), NUMBERS, "pictures, 55 x 40 by columns"))
    images = np.ascontiguousarray(stored.reshape(-1, 40, 55).transpose(0, 2, 1))
    labels = classes(path, array(path, "labels", ("n",), INTEGERS, "classes"), len(images))
    condition = classes(
        path, array(path, "condition", ("n",), INTEGERS, "conditions"), len(images), "condition"
    )
    if condition.min() < 0 or condition.max() > 2:
        got = f"values in [{condition.min()}, {condition.max()}]"
        raise InputError(path, "must hold condition in [0, 2]", got)
    return Portraits(images, labels, condition)


def load_extended_yaleb(folder: str | Path) -> Portraits:
    """The Extended Yale B faces: 2414 pictures of 38 people under changing light, 48 x 42.

    The folder holds ``extended_yaleb.npz``: images_48x42 (n, 48, 42) and labels (n,).
    """
    path = find(folder, YALE)
    images = pixels(path, array(path, "images_48x42", ("n", 48, 42), NUMBERS, "pictures"))
    labels = array(path, "labels", ("n",), INTEGERS, "classes")
    return Portraits(images, classes(path, labels, len(images)))


def load_mnist(folder: str | Path) -> Portraits:
    """The handwritten digits of MNIST: 60000 of the training set, then 10000 of the test set, 28 x 28.

    The folder holds ``train-images-idx3-ubyte``, ``train-labels-idx1-ubyte``, ``t10k-images-idx3-ubyte`` and
    ``t10k-labels-idx1-ubyte``, each plain or with ``.gz``.
    """
    halves = ("train", "t10k")
    files = [(_digit_images(folder, half), _digit_labels(folder, half)) for half in halves]  # all there?
    parts = [_part(*paths) for paths in files]
    return Portraits(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def _digit_images(folder: str | Path, part: str) -> Path:
    holds = "pictures in IDX, (n, 28, 28) bytes"
    return find(folder, Source(f"{part}-images-idx3-ubyte", holds, MNIST), zipped=True)


def _digit_labels(folder: str | Path, part: str) -> Path:
    holds = "digits in IDX, (n,) bytes"
    return find(folder, Source(f"{part}-labels-idx1-ubyte", holds, MNIST), zipped=True)


def _part(images_path: Path, labels_path: Path) -> tuple[Array, Array]:
    images, labels = read_idx(images_path), read_idx(labels_path)
    if images.ndim != 3 or images.shape[1:] != (28, 28) or len(images) == 0 or images.dtype.kind != "u":
        got = f"shape {images.shape} of dtype {images.dtype}"
        raise InputError(images_path, "must hold pictures of bytes, (n, 28, 28)", got)
    if labels.ndim != 1 or labels.dtype.kind not in "iu":
        got = f"shape {labels.shape} of dtype {labels.dtype}"
        raise InputError(labels_path, "must hold whole numbers, (n,)", got)
    digits = classes(labels_path, labels, len(images))
    if digits.min() < 0 or digits.max() > 9:
        raise InputError(
            labels_path, "must hold digits in [0, 9]", f"values in [{digits.min()}, {digits.max()}]"
        )
    return pixels(images_path, images), digits

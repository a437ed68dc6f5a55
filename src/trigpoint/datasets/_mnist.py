"""MNIST from its four IDX files, plain or gzipped."""

from pathlib import Path

import numpy as np

from trigpoint._errors import InputError
from trigpoint._types import Array
from trigpoint.datasets._folder import Source, classes, find, pixels
from trigpoint.datasets._records import Portraits
from trigpoint.io import read_idx

ORIGIN = "the MNIST database of handwritten digits (LeCun, Cortes & Burges)"


def load_mnist(folder: str | Path) -> Portraits:
    """The handwritten digits of MNIST: 60000 of the training set, then 10000 of the test set, 28 x 28.

    The folder holds ``train-images-idx3-ubyte``, ``train-labels-idx1-ubyte``, ``t10k-images-idx3-ubyte`` and
    ``t10k-labels-idx1-ubyte``, each plain or with ``.gz``.
    """
    files = [(_images(folder, part), _labels(folder, part)) for part in ("train", "t10k")]  # all there?
    parts = [_part(*paths) for paths in files]
    return Portraits(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def _images(folder: str | Path, part: str) -> Path:
    holds = "pictures in IDX, (n, 28, 28) bytes"
    return find(folder, Source(f"{part}-images-idx3-ubyte", holds, ORIGIN), zipped=True)


def _labels(folder: str | Path, part: str) -> Path:
    holds = "digits in IDX, (n,) bytes"
    return find(folder, Source(f"{part}-labels-idx1-ubyte", holds, ORIGIN), zipped=True)


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

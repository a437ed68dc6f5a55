"""Loaders of real faces: each takes the folder that holds the data set's file."""

from pathlib import Path

import numpy as np

from trigpoint._errors import InputError
from trigpoint.datasets._folder import Source, array, classes, find, pixels, real_values
from trigpoint.datasets._records import Pictures, Portraits

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
NUMBERS, INTEGERS, TEXT = "iuf", "iu", "U"


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

"""Data sets on disk: which file is missing and where one gets it, and arrays as they must be.

A data set that cannot be shipped is a folder with files of a known form. `Source` says which, and where
the data come from originally; what is not as it says ends in one error that names the file.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from trigpoint._errors import InputError
from trigpoint._types import Array, Floats, Ints
from trigpoint._validation import check_finite
from trigpoint.io import check_file, npz_headers, read_npz


@dataclass(frozen=True)
class Source:
    """A file, what it holds, and where one gets the data."""

    name: str
    holds: str
    origin: str


def find(folder: str | Path, source: Source, *, zipped: bool = False) -> Path:
    """The file of a source in a folder; with ``zipped`` its name may end in .gz."""
    try:
        place = Path(folder)
    except TypeError:
        raise TypeError(f"folder must be a path, as text or Path; got {folder!r}.") from None
    if place.exists() and not place.is_dir():
        raise NotADirectoryError(f"folder must be a folder; {str(folder)!r} is a file.")
    names = [source.name, f"{source.name}.gz"] if zipped else [source.name]
    for name in names:
        if (place / name).exists():
            check_file(place / name)
            return place / name
    lacks = "does not exist" if not place.exists() else "has none"
    raise FileNotFoundError(
        f"folder must hold the file {' or '.join(names)}; {str(folder)!r} {lacks}. "
        f"The file holds {source.holds}. Source of the data: {source.origin}."
    )


def array(path: Path, key: str, shape: tuple[str | int, ...], kinds: str, what: str) -> Array:
    """An array of an .npz file by its name; names in ``shape`` stand for any size from 1."""
    headers = npz_headers(path)
    rule = f"an array {key!r} of {what}, shape {_spelled(shape)}"
    if key not in headers:
        raise InputError(path, f"must hold {rule}; it holds {', '.join(map(repr, headers)) or 'none'}")
    found, dtype, _ = headers[key]
    fits = len(found) == len(shape) and all(
        size > 0 if isinstance(want, str) else size == want for want, size in zip(shape, found, strict=True)
    )
    if not fits or (dtype.kind not in kinds and not dtype.hasobject):
        raise InputError(path, f"must hold {rule}", f"shape {found} of dtype {dtype}")
    return np.asarray(read_npz(path, key))


def pixels(path: Path, images: Array) -> NDArray[np.float32]:
    """Bytes or numbers in [0, 1] as float32 in [0, 1], in C order."""
    if images.dtype.kind in "iu":
        if images.min() < 0 or images.max() > 255:
            raise InputError(
                path, "must hold pixels in [0, 255]", f"values in [{images.min()}, {images.max()}]"
            )
        return np.divide(images, np.float32(255), dtype=np.float32, order="C")
    check_finite(images, str(path))
    if images.min() < 0 or images.max() > 1:
        raise InputError(
            path,
            "must hold pixels in [0, 1] where they are not whole numbers",
            f"values in [{images.min():g}, {images.max():g}]",
        )
    return images.astype(np.float32, order="C")


def classes(path: Path, labels: Array, n: int, name: str = "labels") -> Ints:
    """One whole number a picture, as int64."""
    check_rows(path, len(labels), n, name)
    if labels.max() >= 2**63:
        raise InputError(path, f"must hold {name} below 2^63", labels.max())
    return labels.astype(np.int64)


def real_values(path: Path, values: Array, n: int, name: str = "labels") -> Floats:
    """One row of finite numbers a picture, as float64."""
    check_rows(path, len(values), n, name)
    check_finite(values, f"{path}: {name}")
    return values.astype(np.float64)


def check_rows(path: Path, found: int, n: int, name: str) -> None:
    if found != n:
        raise InputError(path, f"must hold {name} of all {n} images", found)


def _spelled(shape: tuple[str | int, ...]) -> str:
    return f"({', '.join(map(str, shape))}{',' if len(shape) == 1 else ''})"

"""One door to every pool: what kind of file it is, which options it takes, who reads it.

A glimpse is a first look: who is in the pool and what a person is shown, without features that cost time.
Pictures are not opened, texts not counted; columns are read, not scaled. The samples, their order and what
`content` shows of them are those of `read_pool`; so are the errors, for all that is looked at.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from trigpoint._errors import InputError
from trigpoint._types import Array
from trigpoint.features import Recipe
from trigpoint.io._arrays import as_features, npz_headers, read_idx, read_npy, read_npz, read_rows
from trigpoint.io._files import TABLES, check_file, fingerprint, kind_of
from trigpoint.io._graphs import graph_or_features
from trigpoint.io._images import find_images, image_features
from trigpoint.io._matrix_market import read_matrix_market
from trigpoint.io._pool_options import Options, all_options, check_options, recipe_digest
from trigpoint.io._samples import Samples, as_ids, row_numbers
from trigpoint.io._table_pool import beside, table_pool

VERSION = 2  # of what the fingerprint stands for


def read_pool(
    path: str | Path,
    *,
    id_column: str | None = None,
    text_column: str | None = None,
    columns: Sequence[str] | None = None,
    drop: Sequence[str] | None = None,
    scale: str = "auto",
    missing: str = "impute",
    features: str | Path | None = None,
    image_size: tuple[int, int] = (32, 32),
    color: bool = False,
    key: str | None = None,
    graph: bool | None = None,
    recipe: Recipe | None = None,
) -> Samples:
    """A pool of samples from a file or a folder of pictures.

    Parameters
    ----------
    path : .npy, .npz, .csv, .tsv, .parquet, .json, .jsonl, .mtx, IDX, or a folder of pictures
    id_column : column of the ids; by default the first called id, name or filename, else row numbers
    text_column : column of texts to take features from
    columns : columns to take features from; by default all but ids, labels and what cannot be a feature
    drop : columns to take no features from
    scale : of the numbers of a table: "robust", "standard", "none", or "auto": robust, unless all are
        numbers of one kind (see docs/tables.md)
    missing : "impute": missing values of a table get a usual value, and a mark; "refuse": they are an error
    features : .npy or .npz with one row per sample, used instead of features from the file itself
    image_size : (height, width) that pictures are resized to
    color : three numbers per pixel instead of one
    key : name of the array in an .npz
    graph : whether the file is a graph; by default its format decides (see docs/files.md)
    recipe : of an earlier pool (`Samples.recipe`): these samples then have the same features

    Returns
    -------
    Samples

    Raises
    ------
    ValueError, OSError
        One line that names the file, the place in it, the rule and the value.
    """
    given = {
        "id_column": id_column,
        "text_column": text_column,
        "columns": columns,
        "drop": drop,
        "scale": scale,
        "missing": missing,
        "features": features,
        "image_size": image_size,
        "color": color,
        "key": key,
        "graph": graph,
        "recipe": recipe,
    }
    path, kind, options = check_source(path, given)
    samples = _read(path, kind, options)
    return replace(samples, fingerprint=_fingerprint(path, samples, options))


def check_source(path: str | Path, given: dict[str, Any]) -> tuple[Path, str, Options]:
    """The pool's path, its kind and the options, after all checks that need no reading."""
    path = Path(path)
    kind = "folder" if path.is_dir() else kind_of(path)
    if kind != "folder":
        check_file(path)
    return path, kind, check_options(path, kind, given)


def _read(path: Path, kind: str, options: Options) -> Samples:
    if kind in TABLES:
        return table_pool(path, kind, options)
    if kind == "folder":
        return _folder(path, options)
    if kind == "idx":
        return idx_pool(path)
    if kind == "npy":
        X = as_features(read_npy(path), path)
        return Samples(row_numbers(len(X)), X, None, "array", path, "", None)
    return matrix_pool(path, kind, options)


def matrix_pool(path: Path, kind: str, options: Options) -> Samples:
    matrix = read_npz(path, options.key) if kind == "npz" else read_matrix_market(path)
    if sparse.issparse(matrix):
        found = graph_or_features(matrix, path, kind, options.graph)
        if found is not None:
            return Samples(row_numbers(found.n_samples), None, found, "graph", path, "", None)
    elif options.graph:
        raise InputError(path, "must be a sparse matrix to be a graph", "a dense array")
    X = as_features(matrix, path)
    ids = _npz_ids(path, X.shape[0]) if kind == "npz" else None
    if ids is None:
        return Samples(row_numbers(X.shape[0]), X, None, "array", path, "", None)
    return Samples(ids, X, None, "array", path, "", None, named=True)


def _npz_ids(path: Path, n: int) -> Array | None:
    """The array called ids, where there is one."""
    if "ids" not in npz_headers(path):
        return None
    found = read_npz(path, "ids")
    if found.shape != (n,) or found.dtype.kind not in "iuU":
        rule = f"text or whole numbers, one for each of {n} samples"
        raise InputError(f"ids of {path}", f"must be {rule}", f"{found.dtype} of shape {found.shape}")
    names = [str(name) for name in found.tolist()]
    odd = [name for name, count in Counter(names).items() if count > 1 or not name.strip()]
    if odd:
        raise InputError(f"ids of {path}", "must be distinct and not blank", repr(odd[0]))
    return as_ids(names)


def idx_pool(path: Path, with_features: bool = True) -> Samples:
    """The pool; without features, X of pictures is None."""
    images = read_idx(path)
    if images.ndim < 2:
        raise InputError(path, "must hold pictures, (n, h, w)", f"shape {images.shape}: are these labels?")
    if images.ndim == 3 and images.dtype == np.uint8 and not with_features and images.size:
        return Samples(row_numbers(len(images)), None, None, "images", path, "", images)
    X = as_features(images, path).astype(np.float32)
    if images.ndim == 3 and images.dtype == np.uint8:
        return Samples(row_numbers(len(X)), X, None, "images", path, "", images)
    return Samples(row_numbers(len(X)), X, None, "array", path, "", None)


def _folder(path: Path, options: Options) -> Samples:
    found = find_images(path)
    paths = list(found.values())
    if options.features is not None:
        X = beside(options.features, path, len(found))
    else:
        X = image_features(paths, options.image_size, options.color)
    return Samples(as_ids(list(found)), X, None, "images", path, "", paths, named=True)


def _fingerprint(path: Path, samples: Samples, options: Options) -> str:
    files = list(zip(samples.ids, samples.shown, strict=True)) if path.is_dir() else [("", path)]
    if options.features is not None:
        files.append(("features", options.features))
    read_as = asdict(replace(options, features=None, recipe=None)) | {
        "version": VERSION,
        "kind": samples.kind,
        "recipe": recipe_digest(options.recipe),
    }
    return fingerprint(files, read_as)


def glimpse(path: str | Path, **options: Any) -> Samples:
    """The samples of a pool, to be shown.

    Parameters
    ----------
    path, options : as in `read_pool`

    Returns
    -------
    Samples
        With the fingerprint "" and X None, but for arrays, whose rows are all that there is to show.
    """
    return _look(*check_source(path, all_options(options)))


def _look(path: Path, kind: str, options: Options) -> Samples:
    if kind in TABLES:
        return table_pool(path, kind, options, with_features=False)
    if kind == "folder":
        found = find_images(path)
        shown = list(found.values())
        return Samples(as_ids(list(found)), None, None, "images", path, "", shown, named=True)
    if kind == "idx":
        return idx_pool(path, with_features=False)
    if kind == "npy":
        X = as_features(read_rows(path), path, finite=False)
        return Samples(row_numbers(len(X)), X, None, "array", path, "", None)
    return matrix_pool(path, kind, options)

"""One door to every pool: what kind of file it is, which options it takes, who reads it.

A glimpse is a first look: who is in the pool and what a person is shown, without features that cost time.
Pictures are not opened, texts not counted; columns are read, not scaled. The samples, their order and what
`content` shows of them are those of `read_pool`, but for damaged pictures, which a glimpse holds and
`read_pool` leaves out (`Samples.skipped`); so are the errors, for all that is looked at.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from trigpoint._errors import InputError
from trigpoint._types import Array
from trigpoint.features import ColumnUse, PictureRecipe, Recipe, TableRecipe, picture_recipe, recipe_digest
from trigpoint.graph import graph_from_edges, is_graph_object, object_edges
from trigpoint.io._arrays import as_features, npz_headers, read_idx, read_npy, read_npz, read_rows
from trigpoint.io._arrow import dataset_parts, is_dataset
from trigpoint.io._edge_files import counts_columns, holds_edges, read_edges, read_texts
from trigpoint.io._files import TABLES, check_file, fingerprint, gaps_told, kind_of
from trigpoint.io._frames import FRAME, as_frame, plain, read_frame
from trigpoint.io._graphml import read_graphml
from trigpoint.io._graphs import graph_or_features
from trigpoint.io._images import find_images, image_pixels
from trigpoint.io._joined import joined
from trigpoint.io._looks import check_looks
from trigpoint.io._matrix_market import read_matrix_market
from trigpoint.io._numeric_parts import numeric_pool
from trigpoint.io._pool_options import Options, all_options, check_options
from trigpoint.io._read_table import read_table
from trigpoint.io._safetensors import read_safetensors
from trigpoint.io._samples import Samples, as_ids, row_numbers
from trigpoint.io._shards import is_other_type, is_shards, shard_files, shards
from trigpoint.io._table import Plan, Table
from trigpoint.io._table_pool import beside, table_pool
from trigpoint.storage import graph_facts, is_graph_folder, open_graph

VERSION = 2  # of what the fingerprint stands for
GRAPH = Path("graph")  # where the path of a file would be
LINES = {"edges": read_edges, "txt": read_texts}
ZARR = ("zarr.json", ".zarray", ".zgroup")


def read_pool(
    path: Any,
    *,
    id_column: str | None = None,
    text_column: str | None = None,
    text_features: str = "auto",
    columns: Sequence[str] | None = None,
    drop: Sequence[str] | None = None,
    scale: str = "auto",
    missing: str = "impute",
    features: str | Path | None = None,
    image_size: tuple[int, int] = (32, 32),
    color: bool = False,
    image_features: str = "auto",
    key: str | None = None,
    graph: bool | None = None,
    recipe: Recipe | None = None,
) -> Samples:
    """A pool of samples from a file, a folder, a data frame or a graph.

    Parameters
    ----------
    path : str or Path, a data frame, or a graph
        A file (.npy, .npz, .safetensors, .csv, .tsv, .parquet, .arrow, .feather, .json, .jsonl, .txt, .edges,
        .edgelist, .graphml, .mtx, IDX), a folder of pictures, of a Hugging Face dataset, of .npy or .parquet
        shards, or of a graph (`save_graph`); a frame of pandas, polars, pyarrow or another library that
        narwhals knows; a graph of networkx or igraph.
    id_column : column of the ids; by default the first called id, name or filename, else row numbers
    text_column : column of texts to take features from
    text_features : how texts become features: "words", "embeddings" (which needs the extra
        `trigpoint[text]`), or "auto": embeddings where they are installed
    columns : columns to take features from; by default all but ids, labels and what cannot be a feature
    drop : columns to take no features from
    scale : of the numbers of a table: "robust", "standard", "none", or "auto": robust, unless all are
        numbers of one kind (see docs/tables.md)
    missing : "impute": missing values of a table get a usual value, and a mark; "refuse": they are an error
    features : a column of lists of numbers, or a file (.npy, .npz, .safetensors) with one row per sample
        By default the only column of lists of floats is used, if there is one.
    image_size : (height, width) that pictures are resized to
    color : three numbers per pixel instead of one
    image_features : how pictures become features: "gradients", "pixels", or "auto": gradients of grey ones
    key : name of the array in an .npz or .safetensors
    graph : whether the file is a graph; by default its format decides (see docs/files.md)
    recipe : of an earlier pool (`Samples.recipe`): these samples then have the same features

    Returns
    -------
    Samples

    Raises
    ------
    ValueError, OSError
        One line that names the file, the place in it, the rule and the value.

    Notes
    -----
    Cost: one pass over the file. Arrays (.npy, .safetensors, .npz that is not compressed) are memory maps
    and cost nothing until they are used; tables and texts are held in memory; every picture is decoded once.
    Nothing is downloaded, and nothing in a file is run.

    See Also
    --------
    trigpoint.io.read_labels : labels of the samples, from a file beside it.
    neighbor_graph : the next step; `ManifoldClassifier` takes ``samples.X`` at once.

    Examples
    --------
    >>> import pathlib, tempfile, trigpoint as tp
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "pool.csv"
    >>> _ = path.write_text("id,height,width\\na,1,2\\nb,3,4\\nc,5,7\\n")
    >>> samples = tp.read_pool(path)
    >>> samples.X.shape, samples.feature_names, samples.ids.tolist()
    ((3, 2), ('height', 'width'), ['a', 'b', 'c'])
    """
    given = {
        "id_column": id_column,
        "text_column": text_column,
        "text_features": text_features,
        "columns": columns,
        "drop": drop,
        "scale": scale,
        "missing": missing,
        "features": features,
        "image_size": image_size,
        "color": color,
        "image_features": image_features,
        "key": key,
        "graph": graph,
        "recipe": recipe,
    }
    if is_graph_object(path):
        check_options(GRAPH, "graphml", given)
        names, edges, weights = object_edges(path)
        graph_found = graph_from_edges(edges, weights, n_nodes=len(names))
        samples = Samples(as_ids(names), None, graph_found, "graph", GRAPH, "", None, named=True)
        return replace(samples, fingerprint=_digest(samples, {}))
    frame = as_frame(path)
    if frame is not None:
        options = check_options(FRAME, "frame", given)
        samples = table_pool(FRAME, partial(read_frame, frame), options)
        return replace(samples, fingerprint=_digest(samples, _read_as(samples, options)))
    path, kind, options = check_source(path, given)
    samples = _read(path, kind, options)
    return replace(samples, fingerprint=samples.fingerprint or _fingerprint(path, samples, options))


def frame_features(
    data: Any, recipe: Recipe | None = None
) -> tuple[Any, Recipe | None, tuple[ColumnUse, ...]]:
    """The features of a data frame, how they were made and how each column is used.

    What is no frame passes through. So does a frame of numbers alone: it is an array, whose columns may have
    names.
    """
    frame = as_frame(data)
    if frame is None:
        return data, recipe, ()
    if recipe is None and plain(frame):
        return data, None, tuple(ColumnUse(name, "number") for name in _names(frame))
    samples = read_pool(data, graph=False, recipe=recipe)
    return samples.X, samples.recipe, samples.columns


def new_features(data: Any, recipe: Recipe | None, columns: tuple[ColumnUse, ...]) -> Any:
    """The features of new samples; refused where they would not mean what those of the pool do."""
    frame = as_frame(data)
    if frame is None:
        if isinstance(recipe, TableRecipe):
            raise InputError(
                "X", "must be a data frame with the columns of the pool", f"a {type(data).__name__}"
            )
        return data
    if recipe is not None:
        return read_pool(data, graph=False, recipe=recipe).X
    if not plain(frame):
        rule = "must hold numbers alone, none of them missing, as the pool did; read_pool reads other frames"
        raise InputError("X", rule)
    names, known = _names(frame), [use.name for use in columns]
    if names and known and names != known:
        raise InputError("X", f"must have the columns of the pool, in this order: {', '.join(known)}", names)
    return data


def _names(frame: Any) -> list[str]:
    """Of the columns, where all are text, as scikit-learn has it."""
    return list(frame.columns) if all(isinstance(name, str) for name in frame.columns) else []


def check_source(path: str | Path, given: dict[str, Any]) -> tuple[Path, str, Options]:
    """The pool's path, its kind and the options, after all checks that need no reading."""
    if not isinstance(path, str | PathLike):
        rule = "must be a file, a folder, a data frame, or a graph of networkx or igraph"
        raise InputError("path", rule, f"a {type(path).__name__}")
    path = Path(path)
    if path.is_dir():
        kind = _folder_kind(path)
        return path, kind, check_options(path, kind, given)
    if not path.suffix:
        check_file(path)  # a folder that is not there
    kind = kind_of(path)
    check_file(path)
    return path, kind, check_options(path, kind, given)


def _folder_kind(path: Path) -> str:
    """What a folder is: a graph that was saved, a table in parts, an array in parts, or pictures."""
    if any((path / name).is_file() for name in ZARR):
        how = "copy its rows into a .npy, or give dask.array.from_zarr to trigpoint.distributed"
        raise InputError(path, f"must be of another kind: zarr is not read here; {how}")
    kinds = {"stored": _holds_graph, "dataset": is_dataset, "shards": is_shards}
    return next((kind for kind, holds in kinds.items() if holds(path)), "folder")


def _holds_graph(path: Path) -> bool:
    """Also where its about.json is missing: opening it says so, and its arrays are no table in parts."""
    return is_graph_folder(path) or all(
        (path / name).is_file() for name in ("indptr.npy", "indices.npy", "distances.npy")
    )


def _kind_inside(path: Path, kind: str, options: Options) -> str:
    """What a file of lines holds: a .txt texts or edges, a .csv without a header perhaps edges.

    A file that is clearly of another kind than its name says is refused.
    """
    if not path.is_dir():
        check_looks(path, kind)
    if kind == "txt":
        edges = options.graph if options.graph is not None else holds_edges(path)
        return "edges" if edges else "txt"
    told = (options.id_column, options.text_column, options.columns, options.features)
    if kind not in ("csv", "tsv") or options.graph is False or any(value is not None for value in told):
        return kind
    if not holds_edges(path):
        return kind
    if counts_columns(path) and options.graph is None:
        said = "give graph=True (edges) or graph=False (a table whose columns are called so)"
        raise InputError(path, f"could be edges or a table, because its first line counts; {said}")
    return "edges"


def holds_pictures(path: str | Path) -> bool:
    """Whether `read_pool` would take features of pictures from it."""
    return check_source(path, all_options({}))[1] in ("folder", "idx")


def _read(path: Path, kind: str, options: Options) -> Samples:
    inside = _kind_inside(path, kind, options)
    if inside in ("shards", "stored"):
        return _mapped(path, inside)
    if inside in ("parquet", "dataset"):
        large = numeric_pool(path, inside, options)
        if large is not None:
            return replace(large, note=f"{large.note} {_note(path, kind, inside, options)}".strip())
    if inside in TABLES or inside in LINES:
        found = table_pool(path, _reader(path, inside), _for_lines(inside, options))
        return replace(found, note=_note(path, kind, inside, options))
    if kind == "folder":
        return _folder(path, options)
    if kind == "idx":
        return idx_pool(path, options)
    if kind == "npy":
        if is_other_type(path):
            return _mapped(path, "shards")
        X = as_features(read_npy(path), path)
        return Samples(row_numbers(len(X)), X, None, "array", path, "", None)
    return matrix_pool(path, kind, options)


def _mapped(path: Path, kind: str) -> Samples:
    """A graph that was saved, or an array that is copied into the cache; both know their fingerprints."""
    if kind == "stored":
        graph = open_graph(path, check=True)
        arrays = json.dumps(graph_facts(path)["arrays"], sort_keys=True)
        digest = hashlib.blake2b(f"{path.resolve()} {arrays}".encode(), digest_size=16).hexdigest()
        return Samples(row_numbers(graph.n_samples), None, graph, "graph", path, digest, None)
    files = shard_files(path) if path.is_dir() else {path.name: path}
    found = shards(path, files.values())
    X, digest = joined(path, files, [], found.shape, found.dtype, found.blocks)
    return Samples(row_numbers(len(X)), X, None, "array", path, digest, None, note=_gaps(path, list(files)))


def _gaps(path: Path, names: list[str]) -> str:
    told = gaps_told(names) if names else ""
    return told and f"{path}: {told}"


def _note(path: Path, kind: str, inside: str, options: Options) -> str:
    if inside == "dataset":
        return _gaps(path, [str(file.relative_to(path)) for file in dataset_parts(path)])
    if inside == kind or options.graph is not None:
        return ""
    other = "texts, one a line" if kind == "txt" else "a table"
    return f"{path} is read as edges, since its lines are pairs of whole numbers; graph=False reads {other}."


def _reader(path: Path, kind: str) -> Callable[[Plan], Table]:
    return partial(LINES.get(kind, read_table), path, kind)


def _for_lines(kind: str, options: Options) -> Options:
    """Texts of a .txt are its only column."""
    if kind == "edges":
        return replace(options, graph=True)
    return replace(options, text_column="text", graph=False) if kind == "txt" else options


def matrix_pool(path: Path, kind: str, options: Options) -> Samples:
    if kind == "graphml":
        names, graph = read_graphml(path)
        return Samples(names, None, graph, "graph", path, "", None, named=True)
    if kind == "safetensors":
        X = as_features(read_safetensors(path, options.key), path)
        return Samples(row_numbers(len(X)), X, None, "array", path, "", None)
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


def idx_pool(path: Path, options: Options, with_features: bool = True) -> Samples:
    """The pool; without features, X of pictures is None."""
    images = read_idx(path)
    if images.ndim < 2:
        raise InputError(path, "must hold pictures, (n, h, w)", f"shape {images.shape}: are these labels?")
    if images.ndim == 3 and images.dtype == np.uint8 and not with_features and images.size:
        return Samples(row_numbers(len(images)), None, None, "images", path, "", images)
    X = as_features(images, path).astype(np.float32)
    if images.ndim == 3 and images.dtype == np.uint8:
        recipe = _picture_recipe(path, options, (images.shape[1], images.shape[2]))
        X = recipe.transform(images)
        return Samples(row_numbers(len(X)), X, None, "images", path, "", images, recipe=recipe)
    return Samples(row_numbers(len(X)), X, None, "array", path, "", None)


def _picture_recipe(path: Path, options: Options, image_size: tuple[int, int]) -> PictureRecipe:
    """That of the options, or the one given, which decides size and color."""
    if options.recipe is None:
        return picture_recipe(image_size, options.color, options.image_features)
    if not isinstance(options.recipe, PictureRecipe):
        raise InputError(
            "recipe", f"must be one for pictures, as {path} holds", f"one for {options.recipe.kind}"
        )
    return options.recipe


def _folder(path: Path, options: Options) -> Samples:
    found = find_images(path)
    if isinstance(options.features, Path):  # then no picture is opened
        X = beside(options.features, path, len(found))
        return Samples(as_ids(list(found)), X, None, "images", path, "", list(found.values()), named=True)
    recipe = _picture_recipe(path, options, options.image_size)
    pixels, skipped = image_pixels(found, recipe.image_size, recipe.color)
    if len(skipped) == len(found):
        name, why = next(iter(skipped.items()))
        raise InputError(
            path, f"must hold pictures that can be read; none of {len(found)} can", f"{name} ({why})"
        )
    X = recipe.transform(pixels)
    shown = {name: file for name, file in found.items() if name not in skipped}
    ids = as_ids(list(shown))
    files = list(shown.values())
    return Samples(ids, X, None, "images", path, "", files, named=True, recipe=recipe, skipped=skipped)


def _fingerprint(path: Path, samples: Samples, options: Options) -> str:
    if path.is_dir() and samples.kind == "images":
        files = list(zip(samples.ids, samples.shown, strict=True))
    else:
        files = [(part.name, part) for part in dataset_parts(path)] if path.is_dir() else [("", path)]
    if isinstance(options.features, Path):
        files.append(("features", options.features))
    return fingerprint(files, _read_as(samples, options))


def _read_as(samples: Samples, options: Options) -> dict[str, Any]:
    """What the reading depends on, beside the files."""
    column = options.features if isinstance(options.features, str) else None
    return asdict(replace(options, features=column, recipe=None)) | {
        "version": VERSION,
        "kind": samples.kind,
        "recipe": recipe_digest(samples.recipe),
    }


def _digest(samples: Samples, read_as: dict[str, Any]) -> str:
    """The fingerprint of samples that no file holds."""
    total = hashlib.blake2b(json.dumps([read_as, samples.ids.tolist()]).encode(), digest_size=16)
    graph = samples.graph
    arrays: list[Any] = [samples.X] if graph is None else [graph.indptr, graph.indices, graph.similarities]
    for array in arrays:
        found = array if isinstance(array, np.ndarray) else array.toarray()
        total.update(f"{found.dtype} {found.shape}".encode() + np.ascontiguousarray(found).tobytes())
    return total.hexdigest()


def glimpse(path: Any, **options: Any) -> Samples:
    """The samples of a pool, to be shown.

    Parameters
    ----------
    path, options : as in `read_pool`

    Returns
    -------
    Samples
        With the fingerprint "" and X None, but for arrays, whose rows are all that there is to show.
    """
    if as_frame(path) is not None or is_graph_object(path):
        return read_pool(path, **options)
    return _look(*check_source(path, all_options(options)))


def _look(path: Path, kind: str, options: Options) -> Samples:
    inside = _kind_inside(path, kind, options)
    if inside in ("shards", "stored"):
        return replace(_mapped(path, inside), fingerprint="")
    if inside in TABLES or inside in LINES:
        seen = table_pool(path, _reader(path, inside), _for_lines(inside, options), with_features=False)
        return replace(seen, note=_note(path, kind, inside, options))
    if kind == "folder":
        found = find_images(path)
        shown = list(found.values())
        return Samples(as_ids(list(found)), None, None, "images", path, "", shown, named=True)
    if kind == "idx":
        return idx_pool(path, options, with_features=False)
    if kind == "npy":
        X = as_features(read_rows(path), path, finite=False)
        return Samples(row_numbers(len(X)), X, None, "array", path, "", None)
    return matrix_pool(path, kind, options)

"""What was read of a pool before, by a look at its files alone.

Reading a folder of pictures takes longer than a person waits. So the cache also keeps, for the signature of a
pool (names, sizes and times of its files, and how they are read), its ids, features and fingerprint. Files
whose names, sizes and times are as they were count as unchanged, as in make or git. A signature is remembered
only where it was the same before and after the reading. Features of more than `MOST` bytes are not kept.
"""

import hashlib
import json
import warnings
from collections.abc import Iterable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_array, issparse

from trigpoint._types import Array
from trigpoint.features import recipe_digest, text_method
from trigpoint.io._arrow import dataset_files
from trigpoint.io._cache import graph_key
from trigpoint.io._cache_folder import cache_path, used
from trigpoint.io._files import files_signature
from trigpoint.io._images import find_images
from trigpoint.io._pool import VERSION, check_source
from trigpoint.io._pool_options import all_options
from trigpoint.io._samples import Samples, as_ids
from trigpoint.io._shards import shard_files

MOST = 2**29


def ids_digest(ids: Iterable[str]) -> str:
    """A hash of the ids of a pool, in their order."""
    return hashlib.blake2b(json.dumps(list(ids)).encode(), digest_size=16).hexdigest()


def pool_signature(path: str | Path, **options: Any) -> str:
    """A hash of the names, sizes and times of a pool's files, and of the options of `read_pool`.

    No file is opened. Another pool, or another way to read it, has another signature; so has one whose
    files were written anew.
    """
    path, kind, read_as = check_source(path, all_options(options))
    files = find_images(path) if kind == "folder" else {"": path}
    if kind == "dataset":
        files = dataset_files(path)
    elif kind == "shards":
        files = shard_files(path)
    elif kind == "stored":
        files = {file.name: file for file in sorted(path.iterdir())}
    if isinstance(read_as.features, Path):
        files["features"] = read_as.features
    about = asdict(replace(read_as, recipe=None)) | {
        "features": str(read_as.features),
        "version": VERSION,
        "recipe": recipe_digest(read_as.recipe),
        "text_features": text_method(read_as.text_features),  # "auto" depends on what is installed
    }
    return files_signature(files, [about, str(path.resolve())])


def remember_pool(signature: str, samples: Samples, folder: Path) -> None:
    """Keep the features and the ids of a pool of this signature; a graph is not kept."""
    X = samples.X
    if X is None or (X.data.nbytes if issparse(X) else X.nbytes) > MOST:
        return
    about = {"kind": samples.kind, "fingerprint": samples.fingerprint, "ids": samples.ids.tolist()}
    about["skipped"] = samples.skipped
    text = np.frombuffer(json.dumps(about).encode(), dtype=np.uint8)
    try:
        with cache_path(folder / f"pool-{signature}.npz") as part:
            np.savez(part, about=text, shape=np.array(X.shape), **_arrays(X))
    except OSError as error:
        warnings.warn(f"the pool was not remembered: {error}.", UserWarning, stacklevel=2)


def _arrays(X: Any) -> dict[str, Any]:
    if issparse(X):
        return {"data": X.data, "indices": X.indices, "indptr": X.indptr}
    return {"X": np.asarray(X)}


def recall_pool(signature: str, path: Path, folder: Path) -> Samples | None:
    """The pool of this signature, without what a person is shown; None where it is not kept."""
    file = folder / f"pool-{signature}.npz"
    try:
        with file.open("rb") as stream, np.load(stream, allow_pickle=False) as stored:
            about = json.loads(stored["about"].tobytes())
            shape = tuple(stored["shape"].tolist())
            if "X" in stored:
                X: Any = stored["X"]
            else:
                X = csr_array((stored["data"], stored["indices"], stored["indptr"]), shape=shape)
                X.check_format(full_check=True)
        ids, kind, fingerprint = as_ids(about["ids"]), str(about["kind"]), str(about["fingerprint"])
        skipped = dict(about["skipped"])
    except Exception:  # not there, or damaged: then the pool is read
        return None
    used(file)
    sound = X.shape == shape and X.dtype.kind in "fiub" and len(ids) == shape[0]
    return Samples(ids, X, None, kind, path, fingerprint, shown=None, skipped=skipped) if sound else None


def store_map(
    coordinates: Array, fingerprint: str, n_neighbors: int, metric: str, view: str, folder: Path
) -> None:
    """Keep the map of a graph beside it."""
    try:
        with cache_path(_map_file(fingerprint, n_neighbors, metric, view, folder)) as part:
            np.save(part, np.asarray(coordinates, dtype=np.float32))
    except OSError as error:
        warnings.warn(f"the map was not cached: {error}.", UserWarning, stacklevel=2)


def load_map(
    n: int, fingerprint: str, n_neighbors: int, metric: str, view: str, folder: Path
) -> Array | None:
    """(n, 2) float32; None where there is none, or none to be trusted."""
    file = _map_file(fingerprint, n_neighbors, metric, view, folder)
    try:
        with file.open("rb") as stream:
            found: Array = np.load(stream, allow_pickle=False)
    except Exception:  # whatever damage does
        return None
    used(file)
    sound = found.shape == (n, 2) and found.dtype == np.float32 and bool(np.isfinite(found).all())
    return found if sound else None


def _map_file(fingerprint: str, n_neighbors: int, metric: str, view: str, folder: Path) -> Path:
    return folder / f"map-{graph_key(fingerprint, n_neighbors, metric, view)}.npy"

"""What was found of a pool before, by a look at its files alone.

A pool's fingerprint hashes every byte of it; reading them all takes longer than a person waits. So the cache
also keeps, for the signature of a pool (names, sizes and times of its files, and how they are read), the
fingerprint that it had. Files whose names, sizes and times are as they were count as unchanged, as in make
or git. A signature is remembered only where it was the same before and after the reading.

Of the ids a digest is kept: whoever has seen the pool can tell whether these are the same samples.
"""

import hashlib
import json
import warnings
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from trigpoint._types import Array
from trigpoint.graph import NeighborGraph
from trigpoint.io._cache import cache_path, graph_key, load_graph
from trigpoint.io._images import find_images
from trigpoint.io._pool import VERSION, check_source
from trigpoint.io._pool_options import all_options
from trigpoint.io._samples import Samples


@dataclass(frozen=True, eq=False)
class Recalled:
    """A cached graph, and the fingerprint and the `ids_digest` of its pool."""

    graph: NeighborGraph
    fingerprint: str
    ids: str


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
    if read_as.features is not None:
        files["features"] = read_as.features
    about = asdict(read_as) | {"features": str(read_as.features), "version": VERSION}
    total = hashlib.blake2b(json.dumps([about, str(path.resolve())]).encode(), digest_size=16)
    for name, file in files.items():
        state = file.stat()
        total.update(json.dumps([name, state.st_size, state.st_mtime_ns, state.st_ctime_ns]).encode())
    return total.hexdigest()


def remember_pool(signature: str, samples: Samples, folder: Path) -> None:
    """Keep which fingerprint, and which samples, a pool of this signature has."""
    about = {
        "fingerprint": samples.fingerprint,
        "n_samples": samples.n_samples,
        "ids": ids_digest(samples.ids),
    }
    try:
        with cache_path(folder / f"pool-{signature}.json") as part:
            part.write_text(json.dumps(about))
    except OSError as error:
        warnings.warn(f"the pool was not remembered: {error}.", UserWarning, stacklevel=2)


def recall_graph(signature: str, n_neighbors: int, metric: str, folder: Path) -> Recalled | None:
    """The cached graph of a pool of this signature; None where there is none."""
    try:
        about = json.loads((folder / f"pool-{signature}.json").read_bytes())
        fingerprint, ids, n = str(about["fingerprint"]), str(about["ids"]), int(about["n_samples"])
    except Exception:  # not there, or damaged: then the pool is read
        return None
    graph = load_graph(folder, fingerprint, min(n_neighbors, max(n - 1, 1)), metric, n)
    return None if graph is None else Recalled(graph, fingerprint, ids)


def store_map(coordinates: Array, fingerprint: str, n_neighbors: int, metric: str, folder: Path) -> None:
    """Keep the map of a graph beside it."""
    try:
        with cache_path(_map_file(fingerprint, n_neighbors, metric, folder)) as part:
            np.save(part, np.asarray(coordinates, dtype=np.float32))
    except OSError as error:
        warnings.warn(f"the map was not cached: {error}.", UserWarning, stacklevel=2)


def load_map(n: int, fingerprint: str, n_neighbors: int, metric: str, folder: Path) -> Array | None:
    """(n, 2) float32; None where there is none, or none to be trusted."""
    try:
        with _map_file(fingerprint, n_neighbors, metric, folder).open("rb") as stream:
            found: Array = np.load(stream, allow_pickle=False)
    except Exception:  # whatever damage does
        return None
    sound = found.shape == (n, 2) and found.dtype == np.float32 and bool(np.isfinite(found).all())
    return found if sound else None


def _map_file(fingerprint: str, n_neighbors: int, metric: str, folder: Path) -> Path:
    return folder / f"map-{graph_key(fingerprint, n_neighbors, metric)}.npy"

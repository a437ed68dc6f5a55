"""Neighbor graphs that were found before.

One archive a graph, in a folder of the user's, named by a hash of the pool's fingerprint, the view, the
settings and the versions that could change the answer. Files are written whole or not at all, so that several
writers do no harm; one that is damaged is not believed, and made anew. Without a folder to write to,
all works, only slower.
"""

import hashlib
import json
import os
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from trigpoint.graph import NeighborGraph, neighbor_graph, stored_graph
from trigpoint.io._archive import ArchiveKind, read_archive, write_archive
from trigpoint.io._atomic import PREFIX, atomic_path
from trigpoint.io._samples import Samples
from trigpoint.views import fit_view

DAY = 24 * 60 * 60  # seconds: whoever wrote a part that is older is gone
READERS = ("trigpoint", "scikit-learn", "pillow")  # whose releases may read or search differently
GRAPH = ArchiveKind("graph", 1, "trigpoint")
ARRAYS = ("indptr", "indices", "distances")


def cache_folder() -> Path:
    """$TRIGPOINT_CACHE, else $XDG_CACHE_HOME/trigpoint, else ~/.cache/trigpoint."""
    if os.environ.get("TRIGPOINT_CACHE"):
        return Path(os.environ["TRIGPOINT_CACHE"])
    if os.environ.get("XDG_CACHE_HOME"):
        return Path(os.environ["XDG_CACHE_HOME"]) / "trigpoint"
    return Path(os.path.expanduser("~")) / ".cache" / "trigpoint"  # noqa: PTH111, Path.home may raise


def cached_graph(
    samples: Samples,
    n_neighbors: int = 15,
    metric: str = "euclidean",
    *,
    view: str = "raw",
    X: Any = None,
    folder: str | Path | None = None,
    refresh: bool = False,
) -> NeighborGraph:
    """`neighbor_graph` of a pool, from the cache where it is there; a pool that is a graph, as it is.

    Parameters
    ----------
    samples : what `read_pool` returned
    n_neighbors, metric : as in `neighbor_graph`
    view : the name of a view, as in `fit_view`; the graph is that of the features in it
    X : the features in that view, if they are at hand; otherwise they are made where they are needed
    folder : of the cache; `cache_folder()` by default
    refresh : search anew, and replace what is there
    """
    if samples.graph is not None:
        return samples.graph
    place = cache_folder() if folder is None else Path(folder)
    file = place / f"graph-{graph_key(samples.fingerprint, n_neighbors, metric, view)}.npz"
    found = None
    if not refresh:
        found = _load(file, samples.n_samples)
    if found is None:
        features = fit_view(samples.X, view).transform(samples.X) if X is None else X
        found = neighbor_graph(features, n_neighbors, metric=metric)
        _store(file, found)
    return found


@contextmanager
def cache_path(file: Path) -> Iterator[Path]:
    """`atomic_path` in the cache, whose folder is made first."""
    make_folder(file.parent)
    with atomic_path(file) as part:
        yield part


def make_folder(folder: Path) -> None:
    """Make the folder of the cache, or rid it of the parts of writers that were killed."""
    folder.mkdir(parents=True, exist_ok=True)
    for part in folder.glob(f"{PREFIX}*"):
        with suppress(OSError):
            if time.time() - part.stat().st_mtime > DAY:
                part.unlink()


def graph_key(fingerprint: str, n_neighbors: object, metric: object, view: object) -> str:
    """A name for the graph of a pool with these settings, as this release finds it."""
    parts = [
        GRAPH.format,
        fingerprint,
        repr(n_neighbors),
        repr(metric),
        repr(view),
        [_version(name) for name in READERS],
    ]
    return hashlib.blake2b(json.dumps(parts).encode(), digest_size=16).hexdigest()


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def _store(file: Path, graph: NeighborGraph) -> None:
    told = {"metric": graph.metric, "method": graph.method, "recall": graph.recall}
    try:
        make_folder(file.parent)
        write_archive(file, GRAPH, told, {name: getattr(graph, name) for name in ARRAYS})
    except OSError as error:
        warnings.warn(f"the graph was not cached: {error}.", UserWarning, stacklevel=3)


def _load(file: Path, n: int) -> NeighborGraph | None:
    """The graph of a file; None where there is none, or none to be trusted."""
    try:
        told, arrays = read_archive(file, GRAPH)
        words = {name: told[name] for name in ("metric", "method", "recall")}
        graph = stored_graph(arrays["indptr"], arrays["indices"], arrays["distances"], **words)
    except Exception:  # not there, or whatever damage does
        return None
    return graph if graph.n_samples == n else None

"""Neighbor graphs that were found before.

One folder a graph (`storage.save_graph`), named by a hash of the pool's fingerprint, the view, the settings
and the versions that could change the answer, and opened as memory maps. One that is damaged is not believed,
and made anew; graphs of up to `READ` bytes are read in full to see it. Without a folder to write to, all
works, only slower.
"""

import hashlib
import json
import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from scipy.sparse import issparse

from trigpoint._validation import check_choice, check_features
from trigpoint.graph import NeighborGraph, count_neighbors, neighbor_graph, pool_key
from trigpoint.io._cache_folder import alone, cache_folder, cache_size, remove, trim, used
from trigpoint.io._samples import Samples
from trigpoint.storage import GRAPH, graph_facts, is_graph_folder, open_graph, save_graph, searched
from trigpoint.views import VIEWS, fit_view

READ = 2**26
LARGE = 2**28  # bytes of features
READERS = ("trigpoint", "scikit-learn", "pillow")  # whose releases may read or search differently


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

    Its arrays are memory maps. Where another process is making the same graph, this one waits for it.

    Parameters
    ----------
    samples : what `read_pool` returned
    n_neighbors, metric : as in `neighbor_graph`
    view : the name of a view, as in `fit_view`; the graph is that of the features in it
    X : the features in that view, if they are at hand; otherwise they are made where they are needed
    folder : of the cache; `cache_folder()` by default
    refresh : search anew, and replace what is there

    Returns
    -------
    NeighborGraph

    Notes
    -----
    Cost: that of `neighbor_graph` once; later calls open files. Whether the pool is the same is told by a
    digest of its features, or of its files: docs/files.md tells when old graphs are removed.

    See Also
    --------
    trigpoint.build_graph : a folder of your own choice.

    Examples
    --------
    >>> import pathlib, tempfile, trigpoint as tp
    >>> from trigpoint.io import cached_graph
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "pool.csv").write_text("height\\n0\\n1\\n3\\n4\\n")
    >>> cached_graph(tp.read_pool(folder / "pool.csv"), 1, folder=folder / "cache").n_samples
    4
    """
    if samples.graph is not None:
        return samples.graph
    check_choice(view, "view", VIEWS)
    cache_size()  # refused now if it makes no sense
    place = cache_folder() if folder is None else Path(folder)
    entry = place / f"graph-{graph_key(samples.fingerprint, n_neighbors, metric, view)}"
    found = None if refresh else _load(entry, samples.n_samples)
    if found is not None:
        return found
    with alone(entry):
        found = None if refresh else _load(entry, samples.n_samples)  # the other one may have made it
        if found is None:
            features = fit_view(samples.X, view).transform(samples.X) if X is None else X
            settings = {"metric": metric, "view": view, "fingerprint": samples.fingerprint}
            with _searched(entry, features, n_neighbors, metric) as graph:
                found = _store(entry, graph, settings)
    return found


@contextmanager
def _searched(entry: Path, X: Any, n_neighbors: int, metric: str) -> Iterator[NeighborGraph]:
    """The graph of features; that of many is searched on disk, so that a search that was killed goes on."""
    if issparse(X) or X.nbytes < LARGE or not os.access(entry.parent, os.W_OK):
        yield neighbor_graph(X, n_neighbors, metric=metric)
        return
    X = check_features(X)
    k = count_neighbors(n_neighbors, X.shape[0])
    with searched(entry, X, pool_key(X, k, metric), k, metric) as graph:
        yield graph


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


def _store(entry: Path, graph: NeighborGraph, settings: dict[str, Any]) -> NeighborGraph:
    """The graph as it is kept, mapped, so that the one in memory can go; or this one, and a warning."""
    if entry.exists() and not is_graph_folder(entry):
        remove(entry)  # damaged
    try:
        save_graph(entry, graph, settings=settings)
        trim(entry)
    except OSError as error:
        warnings.warn(f"the graph was not cached: {str(error).removesuffix('.')}.", UserWarning, stacklevel=3)
        return graph
    return _load(entry, graph.n_samples) or graph


def _load(entry: Path, n: int) -> NeighborGraph | None:
    """The graph of an entry; None where there is none, or none to be trusted."""
    try:
        graph = open_graph(entry, check=graph_facts(entry)["bytes"] <= READ)
    except Exception:  # not there, or whatever damage does
        return None
    used(entry)
    return graph if graph.n_samples == n else None

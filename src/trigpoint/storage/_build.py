"""A graph that is built in a folder: found there if it is done, gone on with if it was stopped."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from trigpoint._errors import InputError
from trigpoint._lock import locked
from trigpoint._validation import check_choice, check_features
from trigpoint.graph import (
    METHODS,
    METRICS,
    N_NEIGHBORS,
    NeighborGraph,
    Workspace,
    count_neighbors,
    pool_key,
    search_graph,
)
from trigpoint.storage._folder import PREFIX, check_folder_target, folder_facts, remove_parts
from trigpoint.storage._stored import GRAPH, is_graph_folder, open_graph, save_graph


def build_graph(
    folder: str | Path,
    X: Any,
    n_neighbors: int | None = N_NEIGHBORS,
    *,
    metric: str = "euclidean",
    method: str = "auto",
    random_state: int = 0,
) -> NeighborGraph:
    """The graph of a pool, kept in a folder and opened from there as memory maps.

    For pools larger than memory, such as ``numpy.load("pool.npy", mmap_mode="r")``: the arrays of the search
    are files beside the folder. A build that was killed goes on where it was. Where the folder holds the
    graph of the same pool and settings, it is opened. While another process builds it, this one waits.

    Parameters
    ----------
    folder : new, empty, or of a graph
        The graph of another pool, or of other settings, is replaced.
    X, n_neighbors, metric, method, random_state : as for `neighbor_graph`; X dense, the seed a number

    Returns
    -------
    NeighborGraph
        Its arrays are memory maps of the folder.

    Notes
    -----
    Cost: the search of `neighbor_graph`, and about n (p + 5 n_neighbors) numbers of 4 bytes of disk while it
    runs. To see whether the folder holds the graph of this pool, X is read once. X must be dense.

    See Also
    --------
    neighbor_graph : the same in memory.
    open_graph : opens the folder without looking at X.
    trigpoint.distributed.neighbor_graph : on a cluster, where one machine is too small.

    Examples
    --------
    >>> import numpy as np, pathlib, tempfile, trigpoint as tp
    >>> folder = pathlib.Path(tempfile.mkdtemp()) / "pool.graph"
    >>> tp.build_graph(folder, np.arange(8.0)[:, None], 2)
    NeighborGraph(n=8, K=2, euclidean, exact, recall=1, components=1, isolated=0)
    """
    check_folder_target(folder, GRAPH)
    X = check_features(X)
    if not hasattr(X, "flags"):
        raise InputError("X", "must be dense for a graph that is built in a folder", "a sparse matrix")
    if isinstance(random_state, bool) or not isinstance(random_state, int):
        raise InputError("random_state", "must be a number for a build that can go on", repr(random_state))
    check_choice(metric, "metric", METRICS)
    check_choice(method, "method", METHODS)
    k = count_neighbors(n_neighbors, X.shape[0])
    path = Path(folder)
    key = pool_key(X, k, metric, method, random_state)
    left = path.parent / f"{PREFIX}search-{path.name}", path.parent / f"{PREFIX}{path.name}.lock"
    if _is_built(path, key) and not any(part.exists() for part in left):
        return open_graph(path)
    with locked(left[1]) as held:
        if held:
            remove_parts(path)
            if _is_built(path, key):  # by a process that was killed before it had cleaned up
                shutil.rmtree(left[0], ignore_errors=True)
        if not _is_built(path, key):  # another process may have made it
            with searched(path, X, key, k, metric, method, random_state) as graph:
                save_graph(path, graph, settings={"key": key, "random_state": random_state})
    return open_graph(path)


def _is_built(path: Path, key: str) -> bool:
    return is_graph_folder(path) and folder_facts(path, GRAPH).get("settings", {}).get("key") == key


@contextmanager
def searched(
    folder: Path, X: Any, key: str, k: int, metric: str, method: str = "auto", random_state: int = 0
) -> Iterator[NeighborGraph]:
    """The graph of a checked dense pool, until the block ends: its arrays are files beside the folder.

    What a block that does not end well leaves there, the next search with the same key goes on from.
    """
    work = Workspace(folder.parent / f"{PREFIX}search-{folder.name}", key)
    yield search_graph(X, k, metric, method, random_state, work)
    work.close()

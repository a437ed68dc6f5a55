"""The neighbor graph on a cluster, that of one machine.

Up to 20,000 samples one worker makes the graph of `trigpoint.neighbor_graph`, which is exact. Up to 5
features each worker answers its own rows by a tree of all samples, if it has room for them. All other pools
are searched in parts (`_part_search`).
"""

import warnings
from itertools import pairwise
from typing import Any

import numpy as np

from trigpoint._types import Array
from trigpoint._validation import check_choice, check_rng
from trigpoint.distributed._cluster import SHARE, Job, current_client, worker_memory
from trigpoint.distributed._features import Features, features
from trigpoint.distributed._part_search import Search, alone
from trigpoint.distributed._partitions import DistributedGraph, rows_of_graph
from trigpoint.graph import (
    EXACT_SIZE,
    METRICS,
    N_NEIGHBORS,
    TREE_FEATURES,
    NeighborGraph,
    count_neighbors,
    exact_rows,
)
from trigpoint.graph import neighbor_graph as graph_here

TREE = 6  # times the bytes of the features: a tree, and what is made of them
EACH = 250  # bytes a sample: its list of neighbors
LITTLE = 0.95  # a recall below this is warned of, as on one machine


def neighbor_graph(
    X: Any,
    n_neighbors: int = N_NEIGHBORS,
    *,
    client: Any = None,
    metric: str = "euclidean",
    random_state: Any = 0,
    n_partitions: int | None = None,
) -> DistributedGraph:
    """The graph of each sample's nearest neighbors, on a cluster.

    Parameters
    ----------
    X : (n, p) array, path of a .npy file that every worker can read, or dask array
    n_neighbors : int, default 15
    client : distributed.Client, optional
        Default: the current one.
    metric : "euclidean" or "cosine"
    random_state : seed of the approximate search, default 0
    n_partitions : int, optional
        Blocks of rows; default two for each worker, more where they would not fit its memory. A dask array
        keeps its own.

    Returns
    -------
    DistributedGraph
        That of `trigpoint.neighbor_graph(X, n_neighbors, metric=metric, random_state=random_state)`. Where
        that search would have to turn to inverted lists, another one of a recall that is measured, too; below
        0.95 a warning says so.

    Notes
    -----
    Cost: the search of `trigpoint.neighbor_graph`, shared by the workers, and moving every sample a few
    times: docs/distributed.md has the bytes. For pools that fit one machine it is not faster.

    See Also
    --------
    trigpoint.build_graph : on one machine, from disk.
    """
    client = current_client(client)
    check_choice(metric, "metric", METRICS)
    rng = check_rng(random_state)
    with Job(client, "graph") as job:
        those = features(job, X, metric, n_partitions, raw=True, beside=EACH)
        k = count_neighbors(n_neighbors, those.n_samples)
        if those.n_samples <= EXACT_SIZE:
            return _whole(job, those, k, metric)
        if those.n_features <= TREE_FEATURES and _fits(job, those):
            return _by_tree(job, those, k, metric)
        search = Search(job, those, k, metric, rng)
        del those  # features leave the workers when the parts have them
        graph = search.graph()
    if graph.recall < LITTLE:
        said = f"the search found {graph.recall:.1%} of the true neighbors on a sample"
        warnings.warn(f"{said}; fewer features make them easier to find.", UserWarning, stacklevel=2)
    return graph


def _whole(job: Job, those: Features, k: int, metric: str) -> DistributedGraph:
    graph = job.submit("whole", _exact_graph, those.partitions, k, metric)
    parts = [job.submit("rows", rows_of_graph, graph, int(a), int(b)) for a, b in pairwise(those.bounds)]
    job.wait("neighbors", parts)
    return DistributedGraph(job.client, tuple(parts), those.bounds, metric, "exact", 1.0)


def _fits(job: Job, those: Features) -> bool:
    """Whether every worker has room for all features, and a tree of them."""
    room = SHARE * min(worker_memory(job.client).values())
    return TREE * 8 * those.n_samples * those.n_features <= room


def _by_tree(job: Job, those: Features, k: int, metric: str) -> DistributedGraph:
    parts = [
        job.submit("tree", alone, exact_rows, those.partitions, int(a), int(b), k, metric)
        for a, b in pairwise(those.bounds)
    ]
    job.wait("neighbors", parts)
    return DistributedGraph(job.client, tuple(parts), those.bounds, metric, "exact", 1.0)


def _exact_graph(blocks: list[Array], k: int, metric: str) -> NeighborGraph:
    return graph_here(np.concatenate(blocks), k, metric=metric, method="exact")

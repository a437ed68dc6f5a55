"""The neighbor graph on a cluster.

    rows ─▶ the cell of each row ─▶ rows sent to the partition of their cell ─▶ cells searched, with copies of
    the cells beside them that other partitions hold ─▶ lists sent back to the rows' own order

Up to 20,000 samples one worker makes the graph of `trigpoint.neighbor_graph`, which is exact. Larger pools
are searched cell by cell (`graph/_routed`): the lists of a cell depend on the rows of the cells around it
alone, so the graph is the same for any number of workers and partitions. Recall is measured on fresh rows, by
an exact search.
"""

from itertools import pairwise
from operator import getitem
from typing import Any

import numpy as np

from trigpoint._errors import InputError
from trigpoint._types import Array, Floats, Ints
from trigpoint._validation import check_choice, check_rng
from trigpoint.distributed._cluster import Job, current_client
from trigpoint.distributed._features import Features, features, some_rows
from trigpoint.distributed._partitions import DistributedGraph, rows_of_graph
from trigpoint.graph import (
    EXACT_SIZE,
    METRICS,
    N_NEIGHBORS,
    NeighborGraph,
    cell_orders,
    cells_needed,
    count_neighbors,
    nearest_in_part,
    nearest_of_cell,
    nearest_of_parts,
    routed,
    trained_centers,
)
from trigpoint.graph import neighbor_graph as graph_here

SAMPLE = 500  # rows that tell how many cells to look through, and as many that tell the recall
TRAINING = 40  # rows for each center


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
    """
    client = current_client(client)
    check_choice(metric, "metric", METRICS)
    rng = check_rng(random_state)
    with Job(client, "graph") as job:
        those = features(job, X, metric, n_partitions)
        k = count_neighbors(n_neighbors, those.n_samples)
        if those.n_samples <= EXACT_SIZE:
            return _whole(job, those, k, metric)
        return _Search(job, those, k, metric, rng).graph()


def _whole(job: Job, those: Features, k: int, metric: str) -> DistributedGraph:
    graph = job.submit("whole", _exact_graph, those.partitions, k, metric)
    parts = [job.submit("rows", rows_of_graph, graph, int(a), int(b)) for a, b in pairwise(those.bounds)]
    job.wait("neighbors", parts)
    return DistributedGraph(job.client, tuple(parts), those.bounds, metric, "exact", 1.0)


def _exact_graph(blocks: list[Array], k: int, metric: str) -> NeighborGraph:
    return graph_here(np.concatenate(blocks), k, metric=metric, method="exact")


class _Search:
    """The stages of a search by cells."""

    def __init__(self, job: Job, those: Features, k: int, metric: str, rng: np.random.Generator) -> None:
        self.job, self.those, self.k, self.metric, self.rng = job, those, k, metric, rng
        self.m, self.n = len(those.partitions), those.n_samples

    def graph(self) -> DistributedGraph:
        job = self.job
        n_cells = int(2 * np.sqrt(self.n))
        training = self._draw(min(self.n, TRAINING * n_cells))
        centers = job.submit(
            "centers", trained_centers, some_rows(job, self.those, training), n_cells, self.rng
        )
        homes = [job.submit("route", routed, part, centers) for part in self.those.partitions]
        orders = job.submit("centers", cell_orders, centers)
        sizes = np.sum(
            job.results("cells", [job.submit("route", np.bincount, home, None, n_cells) for home in homes]),
            axis=0,
        )
        rows = np.sort(self.rng.permutation(self._draw(min(self.n, 2 * SAMPLE))))
        truth = self._true_neighbors(rows)
        probes = self._probes(rows, truth, homes, orders)
        owner = _spread_evenly(sizes, self.m)
        found = self._searched(homes, owner, job.result("cells", orders)[:, :probes])
        lists = self._sent_home(found)
        recall = self._recall(rows, truth, lists)
        parts = [job.submit("lists", _as_graph, one, self.k, self.metric, recall) for one in lists]
        job.wait("lists", parts)
        return DistributedGraph(
            job.client, tuple(parts), self.those.bounds, self.metric, "approximate", recall
        )

    def _draw(self, count: int) -> Ints:
        return np.sort(self.rng.choice(self.n, count, replace=False))

    def _true_neighbors(self, rows: Ints) -> Any:
        """The future of squared distances and samples, (s, k), of the nearest to some rows."""
        job = self.job
        queries = some_rows(job, self.those, rows)
        parts = [
            job.submit("truth", _nearest_in_block, part, queries, rows, int(a), self.k + 1)
            for part, a in zip(self.those.partitions, self.those.bounds, strict=False)
        ]
        return job.submit("truth", nearest_of_parts, parts, self.k)

    def _probes(self, rows: Ints, truth: Any, homes: list[Any], orders: Any) -> int:
        job = self.job
        found = job.result("truth", job.submit("tune", _needed, rows[::2], truth, homes, orders))
        return int(found)

    def _searched(self, homes: list[Any], owner: Ints, orders: Ints) -> list[Any]:
        """For each partition of cells the future of its samples and their lists."""
        job, bounds = self.job, self.those.bounds
        sent = [
            job.submit("send", _by_partition, part, home, int(a), owner, self.m)
            for part, home, a in zip(self.those.partitions, homes, bounds, strict=False)
        ]
        held = [
            job.submit("send", _by_cell, [job.submit("send", getitem, one, t) for one in sent])
            for t in range(self.m)
        ]
        del sent
        job.wait("routing", held)
        found = []
        for t in range(self.m):
            own = np.flatnonzero(owner == t)
            wanted = np.unique(orders[own]) if len(own) else own
            beside = [
                job.submit("send", _extract, held[s], wanted[owner[wanted] == s])
                for s in range(self.m)
                if s != t and (owner[wanted] == s).any()
            ]
            found.append(job.submit("search", _search, held[t], beside, own, orders[own], self.k))
        job.wait("neighbors", found)
        return found

    def _sent_home(self, found: list[Any]) -> list[Any]:
        """For each block of rows the future of its lists, in the order of the rows."""
        job, bounds = self.job, self.those.bounds
        sent = [job.submit("lists", _by_rows, one, bounds) for one in found]
        return [
            job.submit("lists", _in_order, [job.submit("lists", getitem, one, b) for one in sent])
            for b in range(self.m)
        ]

    def _recall(self, rows: Ints, truth: Any, lists: list[Any]) -> float:
        job = self.job
        some = rows[1::2]
        kept = [
            job.submit("recall", _some_lists, one, some[(some >= a) & (some < b)] - a)
            for one, (a, b) in zip(lists, pairwise(self.those.bounds), strict=True)
        ]
        return float(job.result("recall", job.submit("recall", _share_found, kept, truth)))


def _nearest_in_block(block: Array, queries: Array, rows: Ints, first: int, k: int) -> tuple[Floats, Ints]:
    """The nearest in a block, as samples; never a query itself."""
    squared, places = nearest_in_part(block, queries, k)
    samples = places + first
    squared = np.where(samples == rows[:, None], np.inf, squared)
    return squared, samples


def _needed(rows: Ints, truth: tuple[Floats, Ints], homes: list[Ints], orders: Ints) -> int:
    home = np.concatenate(homes)
    return cells_needed(orders, home[rows], home[truth[1][::2]])


def _spread_evenly(sizes: Ints, m: int) -> Ints:
    """The partition of each cell: neighbors in number, about as many samples in each."""
    middle = np.cumsum(sizes) - sizes / 2
    return np.minimum((middle * m / max(int(sizes.sum()), 1)).astype(np.int64), m - 1)


def _by_partition(
    block: Array, home: Ints, first: int, owner: Ints, m: int
) -> list[tuple[Ints, Ints, Array]]:
    """A block's samples, their cells and rows, for each partition of cells."""
    there = [np.flatnonzero(owner[home] == t) for t in range(m)]
    return [(some + first, home[some], block[some]) for some in there]


def _by_cell(pieces: list[tuple[Ints, Ints, Array]]) -> dict[int, tuple[Ints, Array]]:
    """Samples, ascending, and rows of each cell."""
    samples, cells, rows = (np.concatenate(arrays) for arrays in zip(*pieces, strict=True))
    order = np.lexsort((samples, cells))
    names, starts = np.unique(cells[order], return_index=True)
    parts = np.split(order, starts[1:]) if len(names) else []
    return {int(name): (samples[part], rows[part]) for name, part in zip(names, parts, strict=True)}


def _extract(held: dict[int, tuple[Ints, Array]], cells: Ints) -> dict[int, tuple[Ints, Array]]:
    return {int(cell): held[int(cell)] for cell in cells if int(cell) in held}


def _search(
    own: dict[int, tuple[Ints, Array]],
    beside: list[dict[int, tuple[Ints, Array]]],
    cells: Ints,
    orders: Ints,
    k: int,
) -> tuple[Ints, Floats, Ints]:
    """The samples of some cells, and the squared distances and samples of their nearest."""
    known = dict(own)
    for more in beside:
        known |= more
    found = []
    for cell, order in zip(cells.tolist(), orders, strict=True):
        if cell in own:
            near = [known[other] for other in order.tolist() if other in known]
            found.append(_search_cell(own[cell][0], near, k))
    if not found:
        return np.empty(0, np.int64), np.empty((0, k)), np.empty((0, k), np.int64)
    samples, squared, nearest = (np.concatenate(arrays) for arrays in zip(*found, strict=True))
    return samples, squared, nearest


def _search_cell(asking: Ints, near: list[tuple[Ints, Array]], k: int) -> tuple[Ints, Floats, Ints]:
    samples = np.concatenate([some for some, _ in near])
    if len(samples) <= k:
        rule = "must fill the cells: too few samples lie near each other"
        raise InputError("n_neighbors", rule, f"{k} in cells of {len(samples)} samples")
    order = np.argsort(samples)
    X = np.concatenate([rows for _, rows in near])[order]
    squared, places = nearest_of_cell(X, np.searchsorted(samples[order], asking), k)
    return asking, squared, samples[order][places]


def _by_rows(found: tuple[Ints, Floats, Ints], bounds: Ints) -> list[tuple[Ints, Floats, Ints]]:
    samples, squared, nearest = found
    block = np.searchsorted(bounds, samples, side="right") - 1
    there = [np.flatnonzero(block == b) for b in range(len(bounds) - 1)]
    return [(samples[some], squared[some], nearest[some]) for some in there]


def _in_order(pieces: list[tuple[Ints, Floats, Ints]]) -> tuple[Floats, Ints]:
    samples, squared, nearest = (np.concatenate(arrays) for arrays in zip(*pieces, strict=True))
    order = np.argsort(samples)
    return squared[order], nearest[order]


def _some_lists(lists: tuple[Floats, Ints], rows: Ints) -> Floats:
    return lists[0][rows]


def _share_found(kept: list[Floats], truth: tuple[Floats, Ints]) -> float:
    return float(np.mean(np.concatenate(kept) <= truth[0][1::2][:, -1:] * (1 + 1e-12)))


def _as_graph(lists: tuple[Floats, Ints], k: int, metric: str, recall: float) -> NeighborGraph:
    squared, nearest = lists
    distances = squared / 2 if metric == "cosine" else np.sqrt(squared)
    indptr = np.arange(len(squared) + 1) * k
    return NeighborGraph(
        indptr, nearest.astype(np.int32).ravel(), distances.ravel(), None, metric, "approximate", recall
    )

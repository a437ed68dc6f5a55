"""From a pool to its neighbor graph: from the cache where the files have not changed, else by reading it.

The page speaks of samples by their place in the pool, so it must be the pool that the page was opened on.
"""

from collections.abc import Callable
from dataclasses import dataclass

from trigpoint.graph import NeighborGraph, neighbor_graph
from trigpoint.io import (
    Samples,
    cached_graph,
    ids_digest,
    pool_signature,
    read_pool,
    recall_graph,
    remember_pool,
)
from trigpoint.studio._job import Job
from trigpoint.studio._news import Ready, Stage
from trigpoint.studio._settings import Settings


@dataclass(frozen=True, eq=False)
class Prepared:
    """The graph of a pool, and the fingerprint of the pool's content."""

    graph: NeighborGraph
    fingerprint: str

    def ready(self) -> Ready:
        graph = self.graph
        counts = graph.n_samples, graph.n_components, len(graph.isolated)
        return Ready(*counts, float(graph.recall), self.fingerprint)


def prepare(job: Job, settings: Settings, tell: Callable[[Stage], None]) -> Prepared:
    """The graph, with word of what takes long."""
    before = pool_signature(job.path, **job.reading)
    if job.cache is not None:
        found = recall_graph(before, settings.n_neighbors, settings.metric, job.cache)
        if found is not None:
            _check_ids(job, found.ids)
            return Prepared(found.graph, found.fingerprint)
    tell(Stage("reading the pool"))
    samples = read_pool(job.path, **job.reading)
    _check_ids(job, ids_digest(samples.ids))
    tell(Stage("finding neighbors"))
    graph = _graph(job, settings, samples)
    unchanged = pool_signature(job.path, **job.reading) == before
    if job.cache is not None and samples.graph is None and unchanged:
        remember_pool(before, samples, job.cache)
    return Prepared(graph, samples.fingerprint)


def _check_ids(job: Job, found: str) -> None:
    if job.ids and found != job.ids:
        raise ValueError("the pool has changed since the studio was opened; start it again.")


def _graph(job: Job, settings: Settings, samples: Samples) -> NeighborGraph:
    if samples.graph is not None:
        return samples.graph
    n_neighbors = min(settings.n_neighbors, max(samples.n_samples - 1, 1))
    if job.cache is None:
        return neighbor_graph(samples.X, n_neighbors, metric=settings.metric)
    return cached_graph(samples, n_neighbors, settings.metric, folder=job.cache)

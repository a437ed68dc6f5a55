"""--scheduler: the long steps of a command on a Dask cluster."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from scipy.sparse import issparse

from trigpoint._types import Floats, Ints, Sparse
from trigpoint.alignment import align
from trigpoint.graph import NeighborGraph, neighbor_graph


class Here:
    """This process."""

    client: Any = None

    def graph(self, X: Any, k: int, metric: str) -> NeighborGraph:
        return neighbor_graph(X, k, metric=metric)

    def align(self, name: str, graph: NeighborGraph, X: Any, options: dict[str, Any]) -> Sparse:
        return align(name, graph, X, **options)

    def select(self, phi: Sparse, budget: int, **options: Any) -> Ints:
        from trigpoint.selection import select

        return select(phi, budget, **options)

    def propagate(self, phi: Sparse, landmarks: Ints, values: Floats) -> Floats:
        from trigpoint.propagation import propagate

        return propagate(phi, landmarks, values)


HERE = Here()


class Cluster(Here):
    """The workers of a scheduler; what they cannot do is done here: sparse features, other alignments."""

    def __init__(self, client: Any) -> None:
        self.client = client

    def graph(self, X: Any, k: int, metric: str) -> NeighborGraph:
        from trigpoint import distributed

        if issparse(X):
            return super().graph(X, k, metric)
        return distributed.neighbor_graph(X, k, client=self.client, metric=metric).gather()

    def align(self, name: str, graph: NeighborGraph, X: Any, options: dict[str, Any]) -> Sparse:
        from trigpoint import distributed

        if name != "laplacian":
            return super().align(name, graph, X, options)
        return distributed.laplacian(distributed.scatter(graph, self.client), **options).gather()

    def select(self, phi: Sparse, budget: int, **options: Any) -> Ints:
        from trigpoint import distributed

        return distributed.select(distributed.scatter(phi, self.client), budget, **options)

    def propagate(self, phi: Sparse, landmarks: Ints, values: Floats) -> Floats:
        from trigpoint import distributed

        return distributed.propagate(distributed.scatter(phi, self.client), landmarks, values)


@contextmanager
def place(scheduler: str | None) -> Iterator[Here]:
    """Where the long steps run."""
    if scheduler is None:
        yield HERE
        return
    from trigpoint.distributed import connected

    with connected(scheduler, "--scheduler") as client:
        yield Cluster(client)

"""From samples to phi: what every command on a pool begins with."""

from dataclasses import dataclass
from typing import Any

from trigpoint._types import Sparse
from trigpoint.cli._align import Alignment, align
from trigpoint.cli._options import GraphOptions
from trigpoint.cli._progress import Progress
from trigpoint.graph import NeighborGraph, neighbor_graph
from trigpoint.io import Samples, cached_graph


@dataclass(frozen=True, eq=False)
class Prepared:
    samples: Samples
    alignment: Alignment
    graph: NeighborGraph
    phi: Sparse

    def facts(self) -> dict[str, Any]:
        """What JSON output tells of it."""
        graph = self.graph
        return {
            "pool": str(self.samples.path),
            "n_samples": self.samples.n_samples,
            "graph": {
                "n_neighbors": graph.n_neighbors,
                "metric": graph.metric,
                "method": graph.method,
                "recall": graph.recall,
                "n_components": graph.n_components,
                "n_isolated": len(graph.isolated),
            },
            "alignment": self.alignment.name,
            "alignment_options": self.alignment.options,
        }


def prepare(samples: Samples, alignment: Alignment, options: GraphOptions, steps: Progress) -> Prepared:
    with steps.step("neighbor graph"):
        graph = _graph(samples, alignment, options)
    steps.say(repr(graph))
    with steps.step(f"{alignment.name} matrix"):
        phi = align(alignment, samples.X, graph)
    steps.say(f"phi has {phi.nnz} nonzeros, {phi.nnz / phi.shape[0]:.1f} a row")
    return Prepared(samples, alignment, graph, phi)


def _graph(samples: Samples, alignment: Alignment, options: GraphOptions) -> NeighborGraph:
    if samples.graph is not None:
        return samples.graph
    if options.no_cache:
        return neighbor_graph(samples.X, alignment.n_neighbors, metric=alignment.metric)
    return cached_graph(samples, alignment.n_neighbors, alignment.metric, folder=options.cache)

"""The same pipeline on a Dask cluster: graph, alignment matrix, landmarks and values, in blocks of rows.

`neighbor_graph`, `laplacian`, `select`, `propagate` and `predict` give the answers of the functions of the
same names in `trigpoint`, for any number of workers and partitions. Graphs and matrices stay on the workers;
`gather` brings one home, `scatter` sends one out. The names are loaded when they are first used.
"""

from typing import TYPE_CHECKING

from trigpoint._lazy import on_first_use

if TYPE_CHECKING:
    from trigpoint.distributed._block_laplacian import laplacian
    from trigpoint.distributed._cluster import ClusterError, connected
    from trigpoint.distributed._inference import propagate
    from trigpoint.distributed._landmarks import select
    from trigpoint.distributed._new_values import predict
    from trigpoint.distributed._part_graph import neighbor_graph
    from trigpoint.distributed._partitions import DistributedGraph, DistributedMatrix, scatter

__all__ = [
    "ClusterError",
    "DistributedGraph",
    "DistributedMatrix",
    "connected",
    "laplacian",
    "neighbor_graph",
    "predict",
    "propagate",
    "scatter",
    "select",
]

_FILE = {
    "laplacian": "_block_laplacian",
    "neighbor_graph": "_part_graph",
    **dict.fromkeys(("ClusterError", "connected"), "_cluster"),
    "propagate": "_inference",
    "select": "_landmarks",
    "predict": "_new_values",
    **dict.fromkeys(("DistributedGraph", "DistributedMatrix", "scatter"), "_partitions"),
}
if not TYPE_CHECKING:  # which would take any name for one of ours
    __getattr__ = on_first_use(__name__, _FILE)

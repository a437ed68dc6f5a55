"""The labeled samples of a pool: features or a graph, and targets that errors are measured in.

Only labeled samples take part: the others could be neither scored nor labeled when chosen. Classes become
one-hot rows; real values are shifted and scaled as one block, so that mean(z) = 0 and mean |z_i|^2 = 1 and
an error of 1 is that of the mean. Least squares on a Laplacian commutes with both.
"""

import hashlib
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy import sparse

from trigpoint._errors import InputError
from trigpoint._types import Array, Floats, Ints, Sparse
from trigpoint._validation import check_choice, check_features, check_pool_values
from trigpoint.alignment import edge_weights
from trigpoint.graph import NeighborGraph, graph_from_edges
from trigpoint.propagation import encode

TASKS = ("auto", "classification", "regression")
LEAST = 8  # labeled samples


@dataclass(frozen=True)
class Labeled:
    """What splits are drawn from; equal where the digests are.

    Attributes
    ----------
    digest : of all that follows
    X : (n, p) array or `csr_array`, or None
    graph : the given graph among the labeled samples, or None: splits make theirs from X
    weights : (n, n) edge weights of that graph, or None
    targets : (n, c) one-hot, or (n, d) centered and scaled
    classes : number of classes; 0 for real values
    """

    digest: str
    X: Any = field(compare=False)
    graph: NeighborGraph | None = field(compare=False)
    weights: Sparse = field(compare=False)
    targets: Floats = field(compare=False)
    classes: int = field(compare=False)

    @property
    def n(self) -> int:
        return len(self.targets)

    @property
    def task(self) -> str:
        return "classification" if self.classes else "regression"


def check_labeled(X: Any, y: Any, graph: Any, task: str) -> Labeled:
    """The labeled part of what a user gives, or an error that says what is wrong with it."""
    check_choice(task, "task", TASKS)
    if X is None and graph is None:
        raise InputError("X or graph", "must be given", "None for both")
    if graph is not None and not isinstance(graph, NeighborGraph):
        graph = graph_from_edges(graph, n_nodes=None if sparse.issparse(graph) else len(y))
    X = None if X is None else check_features(X)
    n = graph.n_samples if X is None else X.shape[0]
    if graph is not None and graph.n_samples != n:
        raise InputError("graph", f"must have {n} samples, as X does", graph.n_samples)
    if len(y) != n:
        raise InputError("y", f"must have {n} entries, one per sample", len(y))
    keep, targets, classes = _targets(y, n, task)
    if len(keep) < LEAST:
        raise InputError("y", f"must label at least {LEAST} samples for a comparison", len(keep))
    X = X if X is None or len(keep) == n else X[keep]
    weights = None
    if graph is not None:
        weights = edge_weights(graph)[keep][:, keep]
        graph = induced(graph, keep)
    return Labeled(_digest(X, graph, weights, targets), X, graph, weights, targets, classes)


def induced(graph: NeighborGraph, keep: Ints) -> NeighborGraph:
    """The graph among some samples, ascending; lists keep their order."""
    place = np.full(graph.n_samples, -1, dtype=np.int32)
    place[keep] = np.arange(len(keep), dtype=np.int32)
    owner = place[np.repeat(np.arange(graph.n_samples), np.diff(graph.indptr))]
    other = place[graph.indices]
    kept = np.flatnonzero((owner >= 0) & (other >= 0))
    indptr = np.concatenate([[0], np.cumsum(np.bincount(owner[kept], minlength=len(keep)))])
    similarities = None if graph.similarities is None else graph.similarities[kept]
    return NeighborGraph(
        indptr, other[kept], graph.distances[kept], similarities, graph.metric, graph.method, graph.recall
    )


def _targets(y: Any, n: int, task: str) -> tuple[Ints, Floats, int]:
    """Which samples are labeled, their targets, and the number of classes."""
    if task == "regression" or (task == "auto" and _looks_real(y)):
        values = check_pool_values(y, n).reshape(n, -1)
        keep = np.flatnonzero(~np.isnan(values).any(axis=1))
        return keep, _scaled(values[keep]), 0
    classes, codes = encode(y)
    if len(classes) < 2:
        raise InputError("y", "must hold at least two classes", f"only {classes[0]!s}")
    keep = np.flatnonzero(codes >= 0)
    return keep, np.eye(len(classes))[codes[keep]], len(classes)


def _looks_real(y: Any) -> bool:
    """Several columns, or numbers of which one is not whole."""
    if isinstance(y, list) and any(isinstance(label, str) for label in y):
        return False
    array = np.asarray(y)
    if array.ndim > 1:
        return array.shape[1] > 1 or _looks_real(array[:, 0])
    return array.dtype.kind == "f" and bool((array[np.isfinite(array)] % 1 != 0).any())


def _scaled(values: Floats) -> Floats:
    centered = values - values.mean(axis=0) if len(values) else values
    spread = np.sqrt((centered**2).sum(axis=1).mean()) if len(values) else 0.0
    if not spread > 1e-12 * np.abs(values).max(initial=0.0):
        if len(values) < LEAST:  # which says more
            return centered
        raise InputError("y", "must hold different values", f"{values[0].tolist()} for all labeled samples")
    return np.asarray(centered / spread)


def _digest(X: Any, graph: NeighborGraph | None, weights: Sparse, targets: Array) -> str:
    found = hashlib.sha256()
    parts: list[Any] = [targets]
    parts += [] if X is None else [X.indptr, X.indices, X.data] if sparse.issparse(X) else [X]
    if graph is not None:
        parts += [graph.indptr, graph.indices, graph.distances, weights.data]
    for part in parts:
        found.update(f"{part.shape}{part.dtype}".encode() + np.ascontiguousarray(part).tobytes())
    return found.hexdigest()[:16]

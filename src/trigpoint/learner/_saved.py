"""A learner in one file (`io._archive`): arrays (costs, groups, the graph of a pool that is one) and JSON.

JSON holds the settings and the log, and for a pool of features their fingerprint: their shape and a hash of
their contents.
"""

from dataclasses import dataclass
from hashlib import blake2b
from os import PathLike
from typing import Any

import numpy as np
from scipy.sparse import issparse

from trigpoint._errors import InputError
from trigpoint._types import Floats, Ints
from trigpoint.graph import NeighborGraph, stored_graph
from trigpoint.io import ArchiveKind, read_archive, write_archive

LEARNER = ArchiveKind("learner", 3, "ActiveLearner.save")
ARRAYS = ("indptr", "indices", "distances", "similarities")
SETTINGS = (
    *("task", "method", "view", "predictor", "n_neighbors"),
    *("metric", "classes", "audit", "noise", "seed", "model"),
)
ROWS = 1024  # that are hashed at a time


@dataclass(frozen=True, eq=False)
class Stored:
    """What a file holds; a graph, or the fingerprint of features."""

    settings: dict[str, Any]
    log: list[dict[str, Any]]
    graph: NeighborGraph | None
    fingerprint: str
    cost: Floats | None
    groups: Ints | None
    sample_weight: Floats | None = None


def fingerprint(X: Any) -> str:
    """Shape and hash of checked features or distances, whatever their order in memory."""
    found = blake2b(digest_size=16)
    if issparse(X):
        for part in (X.indptr.astype(np.int64), X.indices.astype(np.int64), X.data):
            found.update(np.ascontiguousarray(part).tobytes())
    else:
        for start in range(0, len(X), ROWS):
            found.update(np.ascontiguousarray(X[start : start + ROWS]).tobytes())
    return f"{X.shape[0]} x {X.shape[1]} {X.dtype} {found.hexdigest()}"


def save_learner(
    path: str | PathLike[str],
    settings: dict[str, Any],
    log: list[dict[str, Any]],
    graph: NeighborGraph | None,
    mark: str | None,
    cost: Floats,
    groups: Ints | None,
    sample_weight: Floats | None = None,
) -> None:
    about: dict[str, Any] = {"settings": settings, "log": log, "fingerprint": mark}
    arrays: dict[str, Any] = {} if (cost == 1.0).all() else {"cost": cost}
    if graph is not None:
        about["graph"] = {name: getattr(graph, name) for name in ("metric", "method", "recall")}
        arrays |= {name: getattr(graph, name) for name in ARRAYS if getattr(graph, name) is not None}
    if groups is not None:
        arrays["groups"] = groups
    if sample_weight is not None:
        arrays["sample_weight"] = sample_weight
    write_archive(path, LEARNER, about, arrays)


def load_learner(path: str | PathLike[str]) -> Stored:
    about, arrays = read_archive(path, LEARNER)
    try:
        settings = {key: about["settings"][key] for key in SETTINGS}
        graph = None
        if "graph" in about:
            lists: dict[str, Any] = {name: arrays[name] for name in ARRAYS if name in arrays}
            graph = stored_graph(**lists, **about["graph"])
        mark = "" if graph is not None else str(about["fingerprint"])
        each = {name: arrays.get(name) for name in ("cost", "groups", "sample_weight")}
        return Stored(settings, about["log"], graph, mark, **each)
    except Exception as error:  # whatever other contents make of their readers
        raise InputError(path, f"must be a file written by {LEARNER.writer}; {error}") from None

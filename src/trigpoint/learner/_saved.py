"""A learner in one file (`io._archive`): arrays (costs, groups, the graph of a pool that is one) and JSON.

JSON holds the settings and the log, and for a pool of features their fingerprint: their shape and a hash of
their contents.
"""

from dataclasses import asdict, dataclass
from hashlib import blake2b
from os import PathLike
from typing import Any

import numpy as np
from scipy.sparse import issparse

from trigpoint._errors import InputError
from trigpoint._types import Array, Floats
from trigpoint.features import ColumnUse, Recipe
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
    """What a file holds; a graph, or the fingerprint of features; the sizes that the pool has had."""

    settings: dict[str, Any]
    log: list[dict[str, Any]]
    graph: NeighborGraph | None
    fingerprint: str
    cost: Floats | None
    groups: Array | None
    sample_weight: Floats | None
    sizes: list[int]
    recipe: dict[str, Any] | None
    columns: tuple[ColumnUse, ...]


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
    groups: Array | None,
    sample_weight: Floats | None,
    sizes: list[int],
    recipe: Recipe | None,
    columns: tuple[ColumnUse, ...],
) -> None:
    about: dict[str, Any] = {"settings": settings, "log": log, "fingerprint": mark, "sizes": sizes}
    about["recipe"] = None if recipe is None else recipe.state()
    about["columns"] = [asdict(use) for use in columns]
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
        return Stored(
            settings,
            about["log"],
            graph,
            mark,
            **{name: arrays.get(name) for name in ("cost", "groups", "sample_weight")},
            sizes=list(map(int, about["sizes"])),
            recipe=about["recipe"],
            columns=tuple(ColumnUse(**use) for use in about["columns"]),
        )
    except Exception as error:  # whatever other contents make of their readers
        raise InputError(path, f"must be a file written by {LEARNER.writer}; {error}") from None

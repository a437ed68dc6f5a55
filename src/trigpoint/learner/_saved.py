"""A learner in one file: a zip of arrays (costs, groups, the graph of a pool that is one) and JSON.

JSON holds the settings and the log, and for a pool of features their fingerprint: their shape and a hash of
their contents. The format has a number, written beside it. Files are written whole or not at all.
"""

import json
from dataclasses import dataclass
from hashlib import blake2b
from io import BytesIO
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import issparse

from trigpoint._errors import InputError
from trigpoint._types import Array, Floats
from trigpoint.graph import NeighborGraph
from trigpoint.io import write_bytes

FORMAT = 3
ARRAYS = ("indptr", "indices", "distances")
SETTINGS = ("task", "method", "view", "predictor", "n_neighbors", "metric", "classes", "audit", "seed")
ROWS = 1024  # that are hashed at a time


@dataclass(frozen=True, eq=False)
class Stored:
    """What a file holds; a graph, or the fingerprint of features; the sizes that the pool has had."""

    settings: dict[str, Any]
    log: list[dict[str, Any]]
    graph: NeighborGraph | None
    fingerprint: str
    cost: Floats
    groups: Array | None
    sizes: list[int]


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
    sizes: list[int],
) -> None:
    about = {"format": FORMAT, "settings": settings, "log": log, "fingerprint": mark, "sizes": sizes}
    arrays: dict[str, Any] = {"cost": cost}
    if graph is not None:
        about["graph"] = {"metric": graph.metric, "method": graph.method, "recall": graph.recall}
        arrays |= {name: getattr(graph, name) for name in ARRAYS}
        if graph.similarities is not None:
            arrays["similarities"] = graph.similarities
    if groups is not None:
        arrays["groups"] = groups
    buffer = BytesIO()
    np.savez_compressed(buffer, about=np.array(json.dumps(about)), **arrays)
    write_bytes(Path(path), buffer.getvalue())


def load_learner(path: str | PathLike[str]) -> Stored:
    try:
        with Path(path).open("rb") as file, np.load(file, allow_pickle=False) as stored:
            arrays = {name: stored[name] for name in stored.files}
        about = json.loads(str(arrays["about"]))
        number = about["format"]
        if number == FORMAT:
            settings = {key: about["settings"][key] for key in SETTINGS}
            graph = _graph(arrays, about) if "graph" in about else None
            mark = "" if graph is not None else str(about["fingerprint"])
            own = arrays["cost"], arrays.get("groups"), list(map(int, about["sizes"]))
            return Stored(settings, about["log"], graph, mark, *own)
    except (FileNotFoundError, PermissionError, IsADirectoryError):
        raise
    except Exception as error:  # whatever a damaged archive makes of its readers
        raise InputError(path, f"must be a file written by ActiveLearner.save; {error}") from None
    raise InputError(path, f"must be of format {FORMAT}; it is of format {number}")


def _graph(arrays: dict[str, Any], about: dict[str, Any]) -> NeighborGraph:
    lists = {name: arrays[name] for name in (*ARRAYS, "similarities") if name in arrays}
    return NeighborGraph(**lists, **about["graph"])

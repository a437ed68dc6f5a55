"""A learner in one file: a zip of arrays (the graph, costs, groups) and JSON (settings and log).

The format has a number, written beside it. Files are written whole or not at all.
"""

import json
from io import BytesIO
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from trigpoint._errors import InputError
from trigpoint._types import Floats, Ints
from trigpoint.graph import NeighborGraph
from trigpoint.io import write_bytes

FORMAT = 1
ARRAYS = ("indptr", "indices", "distances")
SETTINGS = ("task", "method", "classes", "audit", "seed")


def save_learner(
    path: str | PathLike[str],
    settings: dict[str, Any],
    log: list[dict[str, Any]],
    graph: NeighborGraph,
    cost: Floats,
    groups: Ints | None,
) -> None:
    about = {
        "format": FORMAT,
        "settings": settings,
        "log": log,
        "graph": {"metric": graph.metric, "method": graph.method, "recall": graph.recall},
    }
    arrays = {name: getattr(graph, name) for name in ARRAYS}
    if graph.similarities is not None:
        arrays["similarities"] = graph.similarities
    if groups is not None:
        arrays["groups"] = groups
    buffer = BytesIO()
    np.savez_compressed(buffer, about=np.array(json.dumps(about)), cost=cost, **arrays)
    write_bytes(Path(path), buffer.getvalue())


def load_learner(
    path: str | PathLike[str],
) -> tuple[dict[str, Any], list[dict[str, Any]], NeighborGraph, Floats, Ints | None]:
    """Settings, log, graph, costs and groups."""
    try:
        with Path(path).open("rb") as file, np.load(file, allow_pickle=False) as stored:
            arrays = {name: stored[name] for name in stored.files}
        about = json.loads(str(arrays["about"]))
        number = about["format"]
        if number == FORMAT:
            lists = {name: arrays[name] for name in (*ARRAYS, "similarities") if name in arrays}
            graph = NeighborGraph(**lists, **about["graph"])
            settings = {key: about["settings"][key] for key in SETTINGS}
            return settings, about["log"], graph, arrays["cost"], arrays.get("groups")
    except (FileNotFoundError, PermissionError, IsADirectoryError):
        raise
    except Exception as error:  # whatever a damaged archive makes of its readers
        raise InputError(path, f"must be a file written by ActiveLearner.save; {error}") from None
    raise InputError(path, f"must be of format {FORMAT}; it is of format {number}")

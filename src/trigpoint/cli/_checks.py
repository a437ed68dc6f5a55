"""All that can be known to go wrong, before anything that takes long.

Files by looking at them. Methods and their options by a rehearsal: the same calls on a small made-up pool
with as many neighbors and features, so that whatever the library refuses, it refuses at once, and
in its own words.
"""

import os
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from trigpoint._errors import InputError
from trigpoint._types import Ints
from trigpoint._validation import check_integer
from trigpoint.cli._align import Alignment, align
from trigpoint.graph import NeighborGraph, graph_from_edges, neighbor_graph
from trigpoint.io import Samples, check_table_path
from trigpoint.selection import select

STDOUT = "-"
LEAST = 16  # samples of the made-up pool
MOST = 1000  # features of it


def check_inputs(files: dict[str, Path | None]) -> None:
    """Files, or a folder for the pool, that are there and may be read."""
    for what, path in files.items():
        if path is not None and not path.exists():
            raise FileNotFoundError(f"{what} must be a file that exists; there is no {path}.")
        if path is not None and not os.access(path, os.R_OK):
            raise PermissionError(f"{what} must be readable; {path} is not.")


def check_outputs(
    tables: Sequence[Path | None], others: dict[str, Path | None], inputs: Sequence[Path | None]
) -> None:
    """Tables of a known kind, other files by their suffix; all writable, and none of them an input."""
    for path in tables:
        if path is not None:
            check_table_path(path)
    for suffix, path in others.items():
        if path is not None and path.suffix.lower() != suffix:
            raise InputError(path, f"must end in {suffix}")
    outputs = [path for path in (*tables, *others.values()) if path is not None and str(path) != STDOUT]
    taken = {path.resolve() for path in inputs if path is not None}
    for path in outputs:
        _check_writable(path)
        if path.resolve() in taken:
            raise InputError(path, "must not be written over: it is read, or written already")
        taken.add(path.resolve())


def _check_writable(path: Path) -> None:
    if path.is_dir():
        raise IsADirectoryError(f"{path} must be a file to write to; it is a folder.")
    folder = path.absolute().parent
    if not folder.is_dir():
        raise FileNotFoundError(f"{path} must lie in a folder that exists; {path.parent} does not.")
    special = path.exists() and not path.is_file()  # a pipe, /dev/stdout
    if not os.access(path if special else folder, os.W_OK):
        raise PermissionError(f"{path} must be writable; {path if special else folder} is not.")


def check_stdout(output: Path | None, flag: str, other: str | None) -> None:
    """Standard output takes one thing."""
    if other is not None and output is not None and str(output) == STDOUT:
        raise InputError(flag, f"must name a file beside {other}, which is printed", "-")


def check_budget(budget: int, n: int, n_initial: int) -> None:
    of = f" for {n} samples" + (f", {n_initial} of them in --initial" if n_initial else "")
    if n_initial == n:
        raise InputError("--initial", "must leave a sample to choose", f"all {n}")
    check_integer(budget, "--budget", 1, n - n_initial, of)


def rehearse(samples: Samples, alignment: Alignment) -> tuple[Any, Any, NeighborGraph]:
    """phi, X and graph of a made-up pool with the settings of the real one."""
    rng = np.random.default_rng(0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if samples.X is None:
            graph = graph_from_edges([[i, (i + 1) % LEAST] for i in range(LEAST)])
            return align(alignment, None, graph), None, graph
        k = alignment.n_neighbors
        X = rng.standard_normal((max(LEAST, k + 2), min(samples.X.shape[1], MOST)))
        graph = neighbor_graph(X, k, metric=alignment.metric)
        return align(alignment, X, graph), X, graph


def rehearse_selection(
    samples: Samples, alignment: Alignment, method: str, options: dict[str, Any], initial: Ints
) -> None:
    """Options and needs of a method, and whether it takes a pool of this size."""
    phi, X, graph = rehearse(samples, alignment)
    first = [0] if len(initial) else None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            select(phi, 2, method=method, X=X, graph=graph, initial=first, random_state=0, **options)
        except ValueError as error:
            if X is None and str(error).startswith("X must be given"):
                raise ValueError(f"--method {method} works on features; {samples.path} is a graph.") from None
            raise
        _check_size(samples.n_samples, method)


def _check_size(n: int, method: str) -> None:
    """Ask a method that is dense by nature whether n are too many: free, with labels of all but one."""
    try:
        select(sparse.eye_array(n, format="csr"), 1, method=method, initial=np.arange(1, n))
    except ValueError as error:
        if "dense by nature" in str(error):
            raise ValueError(f"--method {error}") from None

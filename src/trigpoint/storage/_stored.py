"""A neighbor graph, and an alignment matrix, as folders of arrays.

    graph       indptr (int64), indices (int32), distances, similarities (float64)
    alignment   indptr, indices (both int32, or int64 beyond 2^31 entries), data (float64)

What opening does not read, it cannot check: whether rows are in order, whether indices lie in the pool,
whether numbers are finite. ``check=True`` reads all of it: for a folder that somebody else gave you.
"""

from collections.abc import Mapping
from math import isnan
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_array, issparse

from trigpoint._errors import InputError
from trigpoint._types import Array, Sparse
from trigpoint._validation import check_alignment
from trigpoint.graph import NeighborGraph, stored_graph
from trigpoint.storage._folder import BLOCK, FolderKind, Stream, folder_facts, open_folder, write_folder

GRAPH = FolderKind("graph", 1, "trigpoint.save_graph")
ALIGNMENT = FolderKind("alignment", 1, "trigpoint.save_alignment")
LISTS = {"indptr": "<i8", "indices": "<i4", "distances": "<f8"}
WORDS = ("metric", "method", "recall")
STEP = BLOCK // 8  # entries of a block


def save_graph(
    folder: str | Path, graph: NeighborGraph, *, settings: Mapping[str, Any] | None = None
) -> None:
    """Write a graph to a folder, whole or not at all.

    Parameters
    ----------
    folder : new, empty, or of a graph that was saved before, which is replaced
    settings : plain values to keep beside it, such as how it was made

    Notes
    -----
    Cost: one pass; about 12 bytes on disk for each listed neighbor.

    See Also
    --------
    open_graph : opens it as memory maps.
    build_graph : searches and saves at once, for pools larger than memory.

    Examples
    --------
    >>> import pathlib, tempfile, trigpoint as tp
    >>> folder = pathlib.Path(tempfile.mkdtemp()) / "graph"
    >>> tp.save_graph(folder, tp.neighbor_graph([[0.0], [1.0], [3.0]], 1))
    >>> tp.open_graph(folder)
    NeighborGraph(n=3, K=1, euclidean, exact, recall=1, components=1, isolated=0)
    """
    if not isinstance(graph, NeighborGraph):
        raise InputError("graph", "must be a NeighborGraph", f"a {type(graph).__name__}")
    arrays = {name: _as_type(getattr(graph, name), dtype) for name, dtype in LISTS.items()}
    if graph.similarities is not None:
        arrays["similarities"] = _as_type(graph.similarities, LISTS["distances"])
    recall = float(graph.recall)
    about = {
        "shape": [graph.n_samples, graph.n_samples],
        "n_neighbors": graph.n_neighbors,
        "metric": graph.metric,
        "method": graph.method,
        "recall": None if isnan(recall) else recall,
        "settings": dict(settings or {}),
    }
    write_folder(folder, GRAPH, about, arrays)


def open_graph(folder: str | Path, *, check: bool = False) -> NeighborGraph:
    """A graph that `save_graph` wrote, as read-only memory maps.

    Parameters
    ----------
    folder : that was written
    check : read all of it and refuse damage; otherwise only types, shapes and sizes are looked at

    Returns
    -------
    NeighborGraph

    Notes
    -----
    Cost: none until it is used: then the system reads what is needed, and may forget it again.
    ``check=True`` reads all of it once.

    See Also
    --------
    save_graph : writes the folder.
    build_graph : makes the graph in the folder, where memory is too small for it.

    Examples
    --------
    >>> import pathlib, tempfile, trigpoint as tp
    >>> folder = pathlib.Path(tempfile.mkdtemp()) / "pool.graph"
    >>> graph = tp.graph_from_edges([[0, 1], [1, 2]])
    >>> tp.save_graph(folder, graph)
    >>> tp.open_graph(folder).n_samples
    3
    """
    about, arrays = open_folder(folder, GRAPH, check=check)
    expected = dict(LISTS)
    if "similarities" in arrays:
        expected["similarities"] = LISTS["distances"]
    _check_types(folder, GRAPH, arrays, expected)
    _check_rows(folder, GRAPH, arrays, about.get("shape"))
    words = {name: about.get(name) for name in WORDS}
    recall = words["recall"]
    if not all(isinstance(words[name], str) for name in ("metric", "method")):
        raise _unfit(folder, GRAPH, "about.json names no metric and no method")
    if recall is not None and (isinstance(recall, bool) or not isinstance(recall, int | float)):
        raise _unfit(folder, GRAPH, f"the recall is {recall!r}")
    words["recall"] = np.nan if recall is None else float(recall)
    if not check:
        return NeighborGraph(**arrays, **words)  # type: ignore[arg-type]
    try:
        return stored_graph(**arrays, **words)  # type: ignore[arg-type]
    except InputError:
        raise _unfit(folder, GRAPH, "its arrays do not fit each other") from None


def is_graph_folder(folder: str | Path) -> bool:
    """Whether `save_graph` wrote a folder, by what its about.json says."""
    try:
        folder_facts(folder, GRAPH)
    except (OSError, InputError):
        return False
    return True


def graph_facts(folder: str | Path) -> dict[str, Any]:
    """What about.json says of a graph, and the bytes of its arrays."""
    about = folder_facts(folder, GRAPH)
    return {**about, "bytes": sum(int(told["bytes"]) for told in about["arrays"].values())}


def save_alignment(folder: str | Path, phi: Any, *, settings: Mapping[str, Any] | None = None) -> None:
    """Write a sparse alignment matrix to a folder, whole or not at all.

    Parameters
    ----------
    folder : new, empty, or of a matrix that was saved before, which is replaced
    phi : symmetric, sparse
    settings : plain values to keep beside it, such as how it was made

    Notes
    -----
    Cost: one pass; about 12 bytes on disk for each stored entry. A matrix that is itself a memory map need
    not fit into memory.

    See Also
    --------
    open_alignment : opens it as memory maps.

    Examples
    --------
    >>> import pathlib, tempfile, trigpoint as tp
    >>> folder = pathlib.Path(tempfile.mkdtemp()) / "pool.phi"
    >>> graph = tp.graph_from_edges([[0, 1], [1, 2]])
    >>> tp.save_alignment(folder, tp.laplacian(graph))
    >>> tp.open_alignment(folder).shape
    (3, 3)
    """
    if not issparse(phi):
        raise InputError("phi", "must be sparse (numpy.save keeps a dense one)", f"a {type(phi).__name__}")
    phi = check_alignment(phi)
    small = max(phi.nnz, phi.shape[0]) < 2**31
    index = "<i4" if small else "<i8"
    arrays = {"indptr": _as_type(phi.indptr, index), "indices": _as_type(phi.indices, index)}
    arrays["data"] = _as_type(phi.data, "<f8")
    about = {"shape": list(phi.shape), "settings": dict(settings or {})}
    write_folder(folder, ALIGNMENT, about, arrays)


def open_alignment(folder: str | Path, *, check: bool = False) -> Sparse:
    """A matrix that `save_alignment` wrote: a `csr_array` of read-only memory maps.

    Parameters
    ----------
    folder : that was written
    check : read all of it and refuse damage; otherwise only types, shapes and sizes are looked at

    Returns
    -------
    csr_array

    Notes
    -----
    Cost: none until it is used: then the system reads what is needed, and may forget it again.
    ``check=True`` reads all of it once.

    See Also
    --------
    save_alignment : writes the folder.
    laplacian : makes the matrix.

    Examples
    --------
    >>> import pathlib, tempfile, trigpoint as tp
    >>> folder = pathlib.Path(tempfile.mkdtemp()) / "pool.phi"
    >>> graph = tp.graph_from_edges([[0, 1], [1, 2]])
    >>> tp.save_alignment(folder, tp.laplacian(graph))
    >>> tp.open_alignment(folder).shape
    (3, 3)
    """
    about, arrays = open_folder(folder, ALIGNMENT, check=check)
    index = "<i8" if "indptr" in arrays and arrays["indptr"].dtype == np.int64 else "<i4"
    _check_types(folder, ALIGNMENT, arrays, {"indptr": index, "indices": index, "data": "<f8"})
    _check_rows(folder, ALIGNMENT, arrays, about.get("shape"))
    n = len(arrays["indptr"]) - 1
    phi = csr_array((arrays["data"], arrays["indices"], arrays["indptr"]), shape=(n, n), copy=False)
    if check:
        try:
            phi.check_format(full_check=True)
            sound = bool(phi.has_canonical_format)
            check_alignment(phi)
        except ValueError:
            sound = False
        if not sound:
            raise _unfit(folder, ALIGNMENT, "its arrays make no symmetric matrix with its entries in order")
    phi.has_canonical_format = True  # as it was written: asking would read all indices
    return phi


def _as_type(array: Array, dtype: str) -> Stream:
    """An array in another type, a block at a time."""
    steps = range(0, len(array), STEP)
    return Stream(np.dtype(dtype), array.shape, (array[a : a + STEP] for a in steps))


def _check_types(
    folder: str | Path, kind: FolderKind, arrays: dict[str, Array], expected: dict[str, str]
) -> None:
    found = {name: array.dtype.str for name, array in arrays.items()}
    if found != expected or any(array.ndim != 1 for array in arrays.values()):
        raise _unfit(folder, kind, f"it must hold {', '.join(expected)} in their types, not {found}")


def _check_rows(folder: str | Path, kind: FolderKind, arrays: dict[str, Array], shape: Any) -> None:
    """One start a row and one after the last, which is the number of entries; all entries of one length."""
    indptr = arrays["indptr"]
    n = len(indptr) - 1
    lengths = {len(array) for name, array in arrays.items() if name != "indptr"}
    if n < 1 or shape != [n, n] or indptr[0] != 0 or lengths != {int(indptr[-1])}:
        raise _unfit(folder, kind, "its arrays do not fit each other")


def _unfit(folder: str | Path, kind: FolderKind, why: str) -> InputError:
    return InputError(folder, f"must be {kind.told}, whole and undamaged; {why}")

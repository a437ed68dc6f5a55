"""The bound after every pick of a selection.

Norms, Q and coverage are followed pick by pick in O(K log n) each. Eigenvalues are found at a few
picks only. As landmarks are added, psi_UU loses rows and columns, so by interlacing its largest
eigenvalue never rises and its smallest never falls: kappa after k picks is at most kappa after
fewer, and the last one found is a rigorous bound until the next.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from trigpoint._circles import Circles, circles
from trigpoint._errors import InputError
from trigpoint._kernels import compiled_csr
from trigpoint._kernels.bound_path import coverage_along
from trigpoint._types import Floats, Ints, Sparse
from trigpoint._validation import check_alignment, check_integer, check_landmarks, check_magnitude
from trigpoint.bound._certificate import certified, used_alpha
from trigpoint.bound._extremes import extremes
from trigpoint.bound._norms import Norms, norms_along, rows_of
from trigpoint.graph import NeighborGraph


@dataclass(frozen=True, eq=False)
class SelectionPath:
    """The bound of the first 1, 2, ..., l landmarks; entry k - 1 belongs to k landmarks.

    Attributes
    ----------
    landmarks : (l,) int64, in order of choice
    coverage : (l,) share of all samples within ``hops`` links of a landmark
    gershgorin, norm_1, norm_inf, norm_rest : (l,) as in `LandmarkBound`
    condition_number : (l,) kappa(psi_UU) at ``checkpoints``, an upper bound elsewhere
    bound_1, bound_inf : (l,) as in `LandmarkBound`, from that kappa
    checkpoints : (m,) int64, the entries at which eigenvalues were found
    alpha, shift : as in `LandmarkBound`
    hops : as given
    """

    landmarks: Ints
    coverage: Floats
    gershgorin: Floats
    norm_1: Floats
    norm_inf: Floats
    norm_rest: Floats
    condition_number: Floats
    bound_1: Floats
    bound_inf: Floats
    checkpoints: Ints
    alpha: float
    shift: float
    hops: int


def selection_path(
    phi: Any,
    landmarks: Any,
    *,
    alpha: float | None = None,
    graph: NeighborGraph | None = None,
    hops: int = 1,
    checkpoints: int = 12,
) -> SelectionPath:
    """The bound and the coverage after every pick, to see where more labels stop helping.

    Parameters
    ----------
    phi : (n, n) symmetric sparse matrix or dense array
    landmarks : (l,) int, in order of choice
    alpha : float, optional
        As in `landmark_bound`.
    graph : NeighborGraph, optional
        Its edges, in both directions, count for coverage; default the nonzeros of phi.
    hops : int
        A sample is covered within this many links of a landmark.
    checkpoints : int
        Picks at which eigenvalues are found: the first, the last and others between, evenly on a
        logarithmic scale. With 0 there are none: condition_number and bounds are NaN.

    Returns
    -------
    SelectionPath
        Arrays with an entry for each pick.

    Notes
    -----
    Cost: O(K) a pick for norms, Q and coverage (10,000 picks among a million samples in 0.3 s), and an
    eigenvalue problem like that of `landmark_bound` at each checkpoint.

    See Also
    --------
    landmark_bound : the bound of one set.
    select : chooses the landmarks.

    Examples
    --------
    >>> import trigpoint as tp
    >>> phi = tp.laplacian(tp.graph_from_edges([[0, 1], [1, 2], [2, 3], [3, 4]]))
    >>> tp.selection_path(phi, [2, 0]).coverage
    array([0.6, 0.8])
    """
    phi = check_alignment(phi)
    check_magnitude(phi.data if sparse.issparse(phi) else phi, "phi")
    n = phi.shape[0]
    landmarks = check_landmarks(landmarks, n).copy()
    hops = check_integer(hops, "hops", 0)
    marks = _marks(len(landmarks), check_integer(checkpoints, "checkpoints", 0))
    links = rows_of(phi) if graph is None else _links(graph, n)
    disks = circles(phi, alpha)
    norms = norms_along(phi, disks, landmarks)
    covered = coverage_along(*compiled_csr(links), landmarks, min(hops, n))
    kappa = _condition_numbers(phi, landmarks, disks, norms, marks)
    return SelectionPath(
        landmarks=landmarks,
        coverage=covered / n,
        gershgorin=norms.gershgorin(),
        norm_1=norms.one,
        norm_inf=norms.inf,
        norm_rest=norms.rest,
        condition_number=kappa,
        bound_1=norms.bound(kappa, norms.one),
        bound_inf=norms.bound(kappa, norms.inf),
        checkpoints=marks,
        alpha=used_alpha(phi, alpha),
        shift=disks.shift,
        hops=hops,
    )


def _marks(n_landmarks: int, checkpoints: int) -> Ints:
    """Positions of 0 and n_landmarks - 1, and of others between them."""
    counts = np.geomspace(1, n_landmarks, checkpoints)
    return np.unique(np.rint(counts).astype(np.int64)) - 1


def _condition_numbers(phi: Any, landmarks: Ints, disks: Circles, norms: Norms, marks: Ints) -> Floats:
    kappa = np.full(len(landmarks), np.nan)
    free = np.ones(phi.shape[0], dtype=bool)
    for mark in marks:
        free[landmarks[: mark + 1]] = False
        kappa[mark:] = 1.0
        if free.any():
            floor = float(norms.least[mark])
            found = extremes(phi, np.flatnonzero(free), disks.shift, floor)
            kappa[mark:] = certified(found, float(norms.rest[mark]), floor, 3)[0]
    return kappa


def _links(graph: Any, n: int) -> Sparse:
    """Edges in both directions, each with a 1."""
    if not isinstance(graph, NeighborGraph):
        raise TypeError(f"graph must be a NeighborGraph; got {type(graph).__name__}.")
    if graph.n_samples != n:
        raise InputError("graph", f"must have {n} samples, as phi does", graph.n_samples)
    ones = np.ones(len(graph.indices), dtype=np.int8)
    lists = sparse.csr_array((ones, graph.indices, graph.indptr), shape=(n, n))
    return sparse.csr_array(lists + lists.T)

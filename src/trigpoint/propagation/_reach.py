"""Which samples the landmarks reach.

Two samples are linked where phi couples them: |phi_ij| > 1e-13 min(phi_ii, phi_jj). Weaker links
are lost in the rounding of both diagonals, so no solver could tell them from none. A component of
this graph that holds no landmark has no information: its values are NaN, whatever gamma says.
"""

import warnings
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csgraph, csr_array, issparse

from trigpoint._types import Array, Floats, Ints, Sparse
from trigpoint.propagation._structure import NULL

NEGLIGIBLE = 1e-13


@dataclass(frozen=True, eq=False)
class Reach:
    """Components of phi and who in them is reached.

    Attributes
    ----------
    labels : (n,) int, component of each sample
    reached : (n,) bool, the component holds a landmark
    n_missed : number of components without one
    """

    labels: Array
    reached: Array
    n_missed: int

    @property
    def complete(self) -> bool:
        return self.n_missed == 0


def reach(phi: Sparse, landmarks: Ints) -> Reach:
    n_components, labels = components(phi)
    held = np.zeros(n_components, dtype=bool)
    held[labels[landmarks]] = True
    return Reach(labels, held[labels], int(n_components - held.sum()))


def components(phi: Sparse) -> tuple[int, Array]:
    """Number of components, and the component of each sample."""
    n_components, labels = csgraph.connected_components(_links(phi), connection="weak")
    return int(n_components), labels


def _links(phi: Sparse) -> Sparse:
    """The pattern of phi without negligible entries."""
    diagonal = np.abs(phi.diagonal())
    if not issparse(phi):
        return csr_array(np.abs(phi) > NEGLIGIBLE * np.minimum.outer(diagonal, diagonal))
    entries = np.abs(phi.data)
    if entries.min(initial=np.inf) > NEGLIGIBLE * diagonal.max():
        return phi
    rows = np.repeat(np.arange(phi.shape[0]), np.diff(phi.indptr))
    strong = entries > NEGLIGIBLE * np.minimum(diagonal[rows], diagonal[phi.indices])
    indptr = np.concatenate([[0], np.cumsum(strong)])[phi.indptr]
    return csr_array((np.ones(indptr[-1], np.int8), phi.indices[strong], indptr), shape=phi.shape)


def warn_unreached(found: Reach, consequence: str, stacklevel: int) -> None:
    """One warning that says how many samples and components hold no information."""
    if found.complete:
        return
    samples = int((~found.reached).sum())
    warnings.warn(
        f"{samples} of {len(found.reached)} samples lie in {found.n_missed} "
        f"{'component' if found.n_missed == 1 else 'components'} without a landmark; {consequence}.",
        UserWarning,
        stacklevel=stacklevel + 1,
    )


def null_directions(phi: Sparse, weights: Floats, labels: Array) -> Array:
    """For each component, whether ``weights`` restricted to it lies in the null space of phi."""
    image = np.abs(phi @ weights)
    size = np.abs(phi.diagonal()) * weights
    clear = image > NULL * np.maximum(size, np.finfo(float).tiny)
    return ~np.bincount(labels, weights=clear).astype(bool)

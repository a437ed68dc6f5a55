"""Which samples the landmarks reach.

Sample i feels sample j where phi couples them: |phi_ij| > 1e-13 phi_ii. A weaker link is lost in the
rounding of i's diagonal, so no solver could tell it from none. Two samples are linked where either feels
the other, and so phi falls into components. One that holds no landmark has no information: its values are
NaN, whatever gamma says.

Feeling may be one-sided: a faint sample far out feels the cluster that it hangs on, and is not felt there.
So a landmark informs those who feel it, those who feel them, and so on; and who feels somebody without
information, with no landmark in between, has none either.
"""

import sys
import warnings
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csgraph, csr_array, issparse

from trigpoint._errors import UnreachedWarning
from trigpoint._kernels import compiled_csr
from trigpoint._types import Array, Floats, Ints, Sparse
from trigpoint.propagation._levels import parts, walk
from trigpoint.propagation._structure import COMPILED, NULL

NEGLIGIBLE = 1e-13


@dataclass(frozen=True, eq=False)
class Reach:
    """Components of phi and who in them is reached.

    Attributes
    ----------
    labels : (n,) int, component of each sample
    reached : (n,) bool, who has information
    n_missed : number of components that the others form
    """

    labels: Array
    reached: Array
    n_missed: int

    @property
    def complete(self) -> bool:
        return self.n_missed == 0


def reach(phi: Sparse, landmarks: Ints) -> Reach:
    if _is_large(phi) and not _one_sided(phi):
        return _reached(*components(phi), landmarks)
    links = _links(phi)
    n_components, labels = _parts(links)
    felt = links if links is phi else _links(phi, one_sided=True)
    if felt.nnz == links.nnz:
        return _reached(n_components, labels, landmarks)
    reached = _informed(felt, landmarks)
    missed = np.flatnonzero(~reached)
    return Reach(labels, reached, _parts(links[missed][:, missed])[0] if len(missed) else 0)


def _reached(n_components: int, labels: Array, landmarks: Ints) -> Reach:
    """Whole components, by whether they hold a landmark."""
    held = np.zeros(n_components, dtype=bool)
    held[labels[landmarks]] = True
    return Reach(labels, held[labels], int(n_components - held.sum()))


def _is_large(phi: Sparse) -> bool:
    """Whether phi is looked at entry by entry, without a copy, by compiled code."""
    return bool(issparse(phi) and phi.nnz >= COMPILED)


def _one_sided(phi: Sparse) -> bool:
    """Whether some sample feels another that does not feel it."""
    from trigpoint._kernels.links import count_weak

    lost, unfelt = count_weak(*compiled_csr(phi), np.abs(phi.diagonal()), NEGLIGIBLE)
    return lost != unfelt


def components(phi: Sparse) -> tuple[int, Array]:
    """Number of components, and the component of each sample."""
    if _is_large(phi):
        return parts(phi, np.abs(phi.diagonal()), NEGLIGIBLE)
    return _parts(_links(phi))


def _parts(links: Sparse) -> tuple[int, Array]:
    n_components, labels = csgraph.connected_components(links, connection="weak")
    return int(n_components), labels


def _links(phi: Sparse, one_sided: bool = False) -> Sparse:
    """The pattern of phi without negligible entries; one-sided, row j holds those who feel j."""
    diagonal = np.abs(phi.diagonal())
    if not issparse(phi):
        phi = csr_array(phi)
    entries = np.abs(phi.data)
    if entries.min(initial=np.inf) > NEGLIGIBLE * diagonal.max():
        return phi
    scale = diagonal[phi.indices]
    if not one_sided:
        scale = np.minimum(scale, np.repeat(diagonal, np.diff(phi.indptr)))
    return _kept(phi, entries > NEGLIGIBLE * scale)


def _kept(links: Sparse, keep: Array) -> Sparse:
    """The pattern of some of the entries."""
    indptr = np.concatenate([[0], np.cumsum(keep)])[links.indptr]
    return csr_array((np.ones(indptr[-1], np.int8), links.indices[keep], indptr), shape=links.shape)


def _informed(felt: Sparse, landmarks: Ints) -> Array:
    """(n,) bool: who hears of a landmark, and depends on nobody who does not."""
    known = np.zeros(felt.shape[0], dtype=bool)
    known[landmarks] = True
    heard = _met(felt, landmarks)
    return ~_met(_kept(felt, ~known[felt.indices]), np.flatnonzero(~heard))


def _met(links: Sparse, start: Ints) -> Array:
    """(n,) bool: who is met on walks along the rows, from any of ``start``."""
    met = np.zeros(links.shape[0], dtype=bool)
    met[walk(links, start)[0]] = True
    return met


def warn_unreached(found: Reach, consequence: str) -> None:
    """One warning that says how many samples and components hold no information."""
    if found.complete:
        return
    samples = int((~found.reached).sum())
    warn_outside(
        f"{samples} of {len(found.reached)} samples lie in {found.n_missed} "
        f"{'component' if found.n_missed == 1 else 'components'} without a landmark; {consequence}.",
        UnreachedWarning,
    )


def warn_outside(message: str, category: type[Warning]) -> None:
    """A warning that names the line of the user's code, however deep in this package it arises."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("trigpoint."):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)


def null_directions(phi: Sparse, weights: Floats, labels: Array) -> Array:
    """For each component, whether ``weights`` restricted to it lies in the null space of phi."""
    image = np.abs(phi @ weights)
    size = np.abs(phi.diagonal()) * weights
    clear = image > NULL * np.maximum(size, np.finfo(float).tiny)
    return ~np.bincount(labels, weights=clear).astype(bool)

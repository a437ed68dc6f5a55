"""The bound of one set of landmarks.

If phi carries noise, Z_U solves psi_UU Z_U = -psi_UL Z_L with noise E_1 in psi_UL and E_2 in
psi_UU. To first order, with epsilon = max ||E_k||,

    ||dZ_U|| / ||Z_U|| <= epsilon kappa(psi_UU) (1 / ||psi_UL|| + 1 / ||psi_UU||),

where ||psi_UL|| stands for ||psi_UL Z_L|| / ||Z_L||, which is smaller where labels cancel: the
bound orders landmark sets by their sensitivity to noise in phi, and bounds no label's error.
"""

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np

from trigpoint._circles import circles, default_alpha
from trigpoint._validation import check_alignment, check_landmarks, check_magnitude
from trigpoint.bound._existence import attainable
from trigpoint.bound._extremes import Extremes, extremes, is_dense
from trigpoint.bound._norms import norms_of

ACCURACY = 1e-6  # share of kappa that it may be too large by before a warning says so


@dataclass(frozen=True)
class LandmarkBound:
    """What the landmarks make of psi = phi + shift I; U are the samples without a label.

    Attributes
    ----------
    condition_number : kappa(psi_UU), or more by at most ``accuracy``
    norm_1, norm_inf : norms of psi_UL
    norm_rest : ||psi_UU||_1
    bound_1, bound_inf : kappa (1 / norm + 1 / norm_rest); infinite where no landmark has a neighbor
    gershgorin : Q, which GCLS makes small; at least bound_inf
    existence : at least one set of this size has a condition number this small; NaN above 2000
        samples where there are more than 20 landmarks or phi is dear to factor
    alpha, shift : the alpha used, and all that was added to phi's diagonal
    accuracy : by which share of kappa ``condition_number`` may be too large
    method : "dense" or "sparse", how the eigenvalues of psi_UU were found
    """

    condition_number: float
    norm_1: float
    norm_inf: float
    norm_rest: float
    bound_1: float
    bound_inf: float
    gershgorin: float
    existence: float
    alpha: float
    shift: float
    accuracy: float
    method: str


def landmark_bound(phi: Any, landmarks: Any, *, alpha: float | None = None) -> LandmarkBound:
    """How sensitive propagation from these landmarks is to noise in phi.

    Not a bound on the error of labels: see docs/bound.md.

    Parameters
    ----------
    phi : (n, n) symmetric sparse matrix or dense array
    landmarks : (l,) int
        Distinct samples, by any selector; their order does not matter.
    alpha : float, optional
        Positive; psi = phi + (max(0, -b_min) + alpha) I, b_min the least left end of phi's
        Gershgorin circles. Default 0.001 times the mean diagonal of phi.

    Returns
    -------
    LandmarkBound
        Up to 500 samples, and for a dense phi, from all eigenvalues; above, from the extreme ones
        alone, to the stated accuracy, with a warning where that is worse than 1e-6.

    Notes
    -----
    Cost: O(n^3) up to 500 samples and for a dense phi; above, two extreme eigenvalues of a sparse matrix:
    1.3 to 1.7 s for 100,000 samples, 37 s for a million on a swiss roll, on two cores.

    See Also
    --------
    selection_path : the same after every pick.
    select : chooses landmarks; the bound does not tell which of two spread sets is better.
    ActiveLearner : ``learner.stop_advice`` estimates the error of labels, which the bound does not.

    Examples
    --------
    A path of five samples, labeled at its ends:

    >>> import trigpoint as tp
    >>> phi = tp.laplacian(tp.graph_from_edges([[0, 1], [1, 2], [2, 3], [3, 4]]), weights="binary")
    >>> found = tp.landmark_bound(phi, [0, 4], alpha=0.5)
    >>> round(found.condition_number, 3), found.norm_inf, found.norm_rest
    (3.605, 1.0, 4.5)
    >>> round(found.bound_inf, 3), round(found.gershgorin, 3)
    (4.406, 11.0)
    """
    phi = check_alignment(phi)
    check_magnitude(phi.data if hasattr(phi, "indptr") else phi, "phi")
    n = phi.shape[0]
    landmarks = check_landmarks(landmarks, n)
    labeled = np.zeros(n, dtype=bool)
    labeled[landmarks] = True
    disks = circles(phi, alpha)
    norms = norms_of(phi, disks, labeled)
    kappa, accuracy, method = 1.0, 0.0, "dense" if is_dense(phi) else "sparse"
    if not norms.empty:
        found = extremes(phi, np.flatnonzero(~labeled), disks.shift, norms.least)
        kappa, accuracy = certified(found, norms.rest, norms.least, 2)
    return LandmarkBound(
        condition_number=kappa,
        norm_1=norms.one,
        norm_inf=norms.inf,
        norm_rest=norms.rest,
        bound_1=float(norms.bound(kappa, norms.one)),
        bound_inf=float(norms.bound(kappa, norms.inf)),
        gershgorin=float(norms.gershgorin()),
        existence=attainable(phi, len(landmarks), disks),
        alpha=used_alpha(phi, alpha),
        shift=disks.shift,
        accuracy=accuracy,
        method=method,
    )


def certified(found: Extremes, B: float, C: float, stacklevel: int) -> tuple[float, float]:
    """kappa and its accuracy, with a warning where that is poor."""
    kappa, accuracy = found.condition_number(B, C)
    if accuracy > ACCURACY:
        warnings.warn(
            f"The extreme eigenvalues of psi_UU have limited accuracy: condition_number = {kappa:.6g} "
            f"may be too large by a factor of up to 1 + {accuracy:.2g}.",
            UserWarning,
            stacklevel=stacklevel + 1,
        )
    return kappa, accuracy


def used_alpha(phi: Any, alpha: float | None) -> float:
    return default_alpha(phi.diagonal()) if alpha is None else float(alpha)

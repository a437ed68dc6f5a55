"""Gershgorin circle-based landmark selection (Xu, Yu, Davenport & Zha), exactly.

psi = phi + (max(0, -b_min) + alpha) I has circles of centers c_i and radii r_i. With U the unlabeled
set, t_i = sum of |psi_ij| over the landmarks j, and s_i = r_i - t_i,

    A = max_U t,    B = max_U (c + s),    C = min_U (c - s),    Q(U) = (A + B) / (A C),

and Q bounds kappa(psi_UU) (1 / ||psi_UL||_inf + 1 / ||psi_UU||) from above. Greedy: each step deletes
from U the i of least Q(U without i). While A = 0, Q is infinite. Nested; ``initial`` is deleted first.

**Few candidates suffice.** Deleting i adds |psi_ij| to t_j of its neighbors j and changes nothing
else, so B can fall only if i is one holder of B or that one's neighbor; C can rise only if i is
one holder of C or its neighbor; A can fall only if i is one holder of A, and rises only if some
t_j + |psi_ij| exceeds A. Those i are tried; every other one leaves A, B and C as they are, and so
ties with all its like. With tournaments for the extremes a pick costs O(K^2 log n), K the number of
nonzeros in a row, and the picks are those of the full search over all n candidates.

**Ties** are the rule, not the exception, since Q sees only extreme circles. ``ties="spread"``, the default,
takes the sample that has least in common with the landmarks (least t_i), of those the one of largest radius
r_i, of those the first: it labels where nothing is labeled yet, and does not depend on the
numbering where keys differ. ``ties="index"`` takes the first in the matrix, as the authors do.

**alpha** (> 0) keeps C positive: at the paper's alpha = max(0, -b_min) alone, C is 0 and Q infinite on a
Laplacian until the landmarks dominate the graph. None is 0.001 times the mean diagonal of phi.
On a Laplacian C = alpha until then, so its size hardly changes what is picked.

``strategy="two_candidates"`` is the shortcut of the authors' toolbox: only the argmax of c + r and the
argmin of c - s over U compete, the first in the matrix among equals and the former if Q ties.

This is the paper's method, kept faithful; it is not the best one. At small budgets it is worse
than random landmarks (docs/selection.md has the figures), because A is raised by labeling all
neighbors of one sample, and B is lowered by labeling hubs one after another.
"""

import numpy as np
from scipy import sparse

from trigpoint._circles import check_alpha, circles
from trigpoint._errors import InputError
from trigpoint._kernels import compiled_csr
from trigpoint._kernels.selection_gcls import delete_all, exact, start, two_candidates
from trigpoint._progress import track
from trigpoint._types import Ints
from trigpoint._validation import check_choice, check_magnitude
from trigpoint.selection._pool import Pool
from trigpoint.selection._selector import Selector

STRATEGIES = ("exact", "two_candidates")
TIES = ("spread", "index")
CHUNK = 10_000_000  # entries visited, about, between two chances to interrupt


def gcls(
    pool: Pool,
    n_landmarks: int,
    rng: np.random.Generator,
    *,
    strategy: str = "exact",
    ties: str | None = None,
    alpha: float | None = None,
) -> Ints:
    spread = strategy == "exact" and ties != "index"
    phi = sparse.csr_array(pool.phi)
    check_magnitude(phi.data, "phi")
    disks = circles(phi, alpha)
    order = np.argsort(-disks.radius, kind="stable") if spread else np.arange(pool.n)
    search = start(*compiled_csr(phi), disks.left, disks.right, order.astype(np.int32), spread)
    delete_all(search, pool.initial)
    picks = np.empty(n_landmarks, dtype=np.int64)
    step = int(np.clip(CHUNK // max(1, int(np.diff(phi.indptr).max())) ** 2, 1, 1000))
    widest, cursor = np.argsort(-disks.right, kind="stable"), 0
    for k in track(range(0, n_landmarks, step), "landmarks"):  # so that Ctrl-C need not wait for all
        if strategy == "exact":
            exact(search, picks[k : k + step])
        else:
            cursor = two_candidates(search, widest, picks[k : k + step], cursor)
    return picks


def _check(strategy: str, ties: str | None, alpha: float | None) -> None:
    check_choice(strategy, "strategy", STRATEGIES)
    if alpha is not None:
        check_alpha(alpha)
    if ties is not None:
        check_choice(ties, "ties", TIES)
    if strategy == "two_candidates" and ties == "spread":
        raise InputError("ties", "must be 'index' for strategy='two_candidates'", "'spread'")


SELECTOR = Selector("gcls", gcls, uses_phi=True, nested=True, check=_check)

"""Samples nearest to the centers of spectral clusters (Shi & Malik, 2000; Ng, Jordan & Weiss, 2002).

Row i of the k slowest eigenvectors of the normalized Laplacian (`_spectrum`), scaled to length 1, is the
position of sample i: near to another's where the graph takes long to tell the two apart. `kmeans` then works
on these positions, with all its rules: ``initial`` claims clusters, the largest cluster comes first, no
sample is taken twice. k is the number of clusters, at most 50.

The Laplacian is phi; of another matrix, the one whose weights are |phi_ij|. Samples without an edge share one
position, the origin: more than one of them is taken only when other positions run out. In pools of more than
50 components (and 1,000 samples) a component may be no more than one position; what the budget has beyond one
for each is then random. Not nested.
"""

from dataclasses import replace

import numpy as np

from trigpoint._types import Ints
from trigpoint._validation import check_magnitude
from trigpoint.selection._kmeans import kmeans
from trigpoint.selection._pool import Pool
from trigpoint.selection._selector import Selector
from trigpoint.selection._spectrum import slow_modes

MODES = 50
DIGITS = 6  # of a position: what is beyond them is noise, and equal positions should be equal


def spectral_kmeans(pool: Pool, n_landmarks: int, rng: np.random.Generator) -> Ints:
    phi = pool.laplacian()
    check_magnitude(phi.data, "phi")
    tied = np.flatnonzero(phi.diagonal() > 0)
    if not len(tied):
        return rng.permutation(np.flatnonzero(pool.free()))[:n_landmarks]
    modes = slow_modes(phi[tied][:, tied], min(n_landmarks + len(pool.initial), MODES, len(tied)), rng)
    positions = np.zeros((pool.n, modes.shape[1]))
    lengths = np.maximum(np.linalg.norm(modes, axis=1, keepdims=True), 1e-150)
    positions[tied] = np.round(modes / lengths, DIGITS)
    return kmeans(replace(pool, X=positions), n_landmarks, rng)


SELECTOR = Selector("spectral_kmeans", spectral_kmeans, uses_phi=True, takes_dense=False)

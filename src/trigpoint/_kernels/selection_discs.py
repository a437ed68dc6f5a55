"""How far a sample aligns the scaled Gershgorin discs around it."""

import numpy as np

from trigpoint._kernels.compiled import kernel
from trigpoint._kernels.stoppable import stoppable
from trigpoint._types import Array

TOUCHED = 16  # times the reach: samples that one search may look at, so that hubs end it


@stoppable
@kernel
def aligned_sets(
    indptr: Array,
    indices: Array,
    data: Array,
    degrees: Array,
    centers: Array,
    mu: float,
    threshold: float,
    reach: int,
) -> tuple[Array, Array]:
    """Sizes of the sets of ``centers``, and their samples one set after another, each set's center first.

    Entries of the Laplacian beside its diagonal are minus weights, none positive. Disc k has the left end
    a_k + mu (d_k - s_k sum_j w_kj / s_j); layer by layer, s_k rises from 1 until that is ``threshold``.
    """
    n = len(indptr) - 1
    relief = np.zeros(n)  # sum_j w_kj (1 - 1 / s_j)
    inside, asked = np.zeros(n, np.bool_), np.zeros(n, np.bool_)
    layer, ring, touched = np.empty(n, np.int32), np.empty(n, np.int32), np.empty(n, np.int32)
    scales = np.empty(n)
    sizes = np.zeros(len(centers), np.int64)
    members = np.empty(16 * len(centers), np.int32)
    end = 0
    for c in range(len(centers)):
        center = centers[c]
        first, n_layer, n_touched = end, 1, 1
        layer[0], touched[0] = center, center
        wide = 1.0 + mu * degrees[center] - threshold
        scales[0] = wide / (mu * degrees[center]) if degrees[center] > 0.0 else np.inf
        while n_layer > 0:
            if end + n_layer > len(members):
                members = np.concatenate((members, np.empty(len(members) + n_layer, np.int32)))
            for a in range(n_layer):
                members[end + a] = layer[a]
                inside[layer[a]] = True
            end += n_layer
            if end - first >= reach:
                break
            n_ring = 0
            for a in range(n_layer):
                j = layer[a]
                shrunk = 1.0 - 1.0 / scales[a]
                for q in range(indptr[j], indptr[j + 1]):
                    k = indices[q]
                    gain = -data[q] * shrunk
                    if inside[k] or gain <= 0.0:
                        continue
                    if relief[k] == 0.0:
                        if n_touched >= TOUCHED * reach:
                            continue
                        touched[n_touched] = k
                        n_touched += 1
                    relief[k] += gain
                    if not asked[k]:
                        asked[k] = True
                        ring[n_ring] = k
                        n_ring += 1
            n_layer = 0
            for a in range(n_ring):
                k = ring[a]
                asked[k] = False
                if mu * relief[k] >= threshold:  # s_k >= 1
                    radius = max(degrees[k] - relief[k], 1e-12 * degrees[k])
                    layer[n_layer] = k
                    scales[n_layer] = (degrees[k] - threshold / mu) / radius
                    n_layer += 1
        sizes[c] = end - first
        for a in range(n_touched):
            relief[touched[a]] = 0.0
        for a in range(first, end):
            inside[members[a]] = False
    return sizes, members[:end].copy()

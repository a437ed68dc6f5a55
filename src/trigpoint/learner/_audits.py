"""Audits: questions that are drawn at random, so that their answers tell the error of the whole pool.

They are the next samples, in one random order of the whole pool, that have no label yet: the samples that
this order has come to are a uniform sample of the pool.
"""

import numpy as np

from trigpoint._types import Array, Ints


def audit_order(seed: int, n_samples: int) -> Ints:
    """One random order of the whole pool, for the seed: audits are drawn from its front."""
    return np.random.default_rng(seed).permutation(n_samples).astype(np.int64, copy=False)


def audits_due(begun: int, audits: int, count: int, share: float) -> Array:
    """(count,) bool: which of the next questions are drawn at random.

    Of k questions int(k share) are, so the question of number k, from 0, is one where int((k + 1) share)
    is more than the audits so far. A run that began with audits goes without until the others catch up.
    """
    due = np.zeros(count, dtype=bool)
    for k in range(count):
        due[k] = int((begun + k + 1) * share) > audits
        audits += int(due[k])
    return due

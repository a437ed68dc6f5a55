"""Audits: questions that are drawn at random, so that their answers tell the error of the whole pool.

They are the next samples, in one random order of the whole pool, that have no label yet: the samples that
this order has come to are a uniform sample of the pool.

Labels that the others contradict are asked for again. Such a question takes the place of an audit, as long as
there were fewer of them than audits.
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


def asked_again(audits: Array, n_audits: int, n_again: int, contradicted: Ints) -> dict[int, int]:
    """Place among the next questions -> the sample that is asked for again there, in place of an audit."""
    found: dict[int, int] = {}
    for place in np.flatnonzero(audits).tolist():
        if len(found) < len(contradicted) and n_again < n_audits:
            found[place] = int(contradicted[len(found)])
            n_again += 1
        else:
            n_audits += 1
    return found

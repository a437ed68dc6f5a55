"""Audits: questions that are drawn at random, so that their answers tell the error of the rest.

They are the next samples, in one random order of the whole pool, that have no label yet. Others are chosen as
if audits were not known. So audits are a uniform sample of what has no label, but for those that would have
been chosen later: `chances_to_be_chosen`.

Labels that the others contradict are asked for again. Such a question takes the place of an audit, as long as
there were fewer of them than audits.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from trigpoint._types import Array, Floats, Ints


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


def chances_to_be_chosen(log: Sequence[dict[str, Any]], n_samples: int, drawn: Sequence[int]) -> Floats:
    """For each sample that was drawn at random: the chance that it would have been chosen later.

    That is the share of chosen samples, after its time, among those that nobody had spoken of at its time.
    """
    times: dict[int, tuple[int, int]] = dict.fromkeys(drawn, (0, n_samples))
    seen: set[int] = set()
    chosen = 0
    for event in log:
        free = n_samples - len(seen)
        for i in event["samples"]:
            if i not in seen and i in times:
                times[i] = (chosen, free)
            chosen += i not in seen and i not in times
            seen.add(i)
    return np.array([(chosen - before) / free for before, free in times.values()])

"""Audits: questions that are drawn at random, so that their answers tell the error of the rest.

They are the next samples, in one random order of the whole pool, that have no label yet. Others are chosen as
if audits were not known. So audits are a uniform sample of what has no label, but for those that would have
been chosen later: `chances_to_be_chosen`.

The order is that of a random number for each sample, by its index. Samples that join the pool come in at
their own places. Those that the order has passed already are the next audits (`n_behind` counts them). After
them, audits are a uniform sample of the grown pool, as if all had been there from the start.

Labels that the others contradict are asked for again. Such a question takes the place of an audit, as long as
there were fewer of them than audits.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from trigpoint._types import Array, Floats, Ints
from trigpoint.learner._growth import sizes_in


def audit_order(seed: int, n_samples: int) -> Ints:
    """One random order of the whole pool, for the seed: audits are drawn from its front.

    The order of a part of the pool, its first samples, does not depend on those that come after.
    """
    return np.argsort(np.random.default_rng(seed).random(n_samples), kind="stable").astype(np.int64)


def n_behind(order: Ints, free: Array, audits: Ints) -> int:
    """How many free samples the order has passed: before the last of the audits."""
    if len(audits) == 0:
        return 0
    last = np.flatnonzero(np.isin(order, audits))[-1]
    return int(free[order[:last]].sum())


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

    That is the share of chosen samples, after its time, among those that were there at its time and that
    nobody had spoken of.
    """
    sizes = sizes_in(log, n_samples)
    times = dict.fromkeys(drawn, (0, 0, n_samples))
    seen: set[int] = set()
    chosen: list[int] = []
    now = sizes[0]
    for event in log:
        now = event["n_samples"] if event["event"] == "add" else now
        free = now - len(seen)
        for i in event.get("samples", ()):
            if i not in seen and i in times:
                times[i] = (len(chosen), now, free)
            if i not in seen and i not in times:
                chosen.append(i)
            seen.add(i)
    each = np.array(chosen, dtype=np.int64)
    later = [(int((each[before:] < there).sum()), free) for before, there, free in times.values()]
    return np.array([count / free for count, free in later])

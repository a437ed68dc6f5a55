"""Sets of tags in the loop: which samples to ask for, and how many sets are wrong.

A question is chosen as for classes: by coverage, where each sample weighs

    w = max(d, LEAST),     d = mean over tags of min(p_j, 1 - p_j),

the share of its tags that are expected to be wrong. Until some tag is present in one label and absent in
another, coverage decides alone. "uncertainty" asks for the largest d (1 - best), as in `_uncertainty`.

The error of the rest is the share of samples whose set is not exactly right (`_advice`).
"""

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from trigpoint._errors import InputError
from trigpoint._kernels.selection_push import cover_by
from trigpoint._types import Array, Floats, Ints
from trigpoint.learner._answers import in_order
from trigpoint.learner._auto import LEAST
from trigpoint.learner._beliefs import Known
from trigpoint.learner._coverage import correlations, coverage, covered, weighted_coverage
from trigpoint.learner._interval import Chosen, class_interval
from trigpoint.learner._own_model import Said
from trigpoint.learner._situation import Choose, Situation, one_by_one
from trigpoint.prediction import present, tag_uncertainty


def check_for_tags(noise: Any, annotator: Any = None) -> None:
    """Refuse what has no meaning for tags, or is not there for them."""
    if noise not in ("auto", 0):
        raise InputError("noise", "must be 'auto' or 0 for tags, which are taken to be right", repr(noise))
    if annotator is not None:
        raise InputError("annotator", "must be None for task='tags': one person tells tags", repr(annotator))


def known_tags(labels: dict[int, frozenset[Hashable]], classes: Sequence[Hashable]) -> Known:
    """Tags in the order: given, then as they came up; those of one label in the order of their names."""
    told = (tag for label in labels.values() for tag in in_order(label))
    numbers = {tag: j for j, tag in enumerate(dict.fromkeys([*classes, *told]))}
    values = np.zeros((len(labels), len(numbers)))
    for row, label in zip(values, labels.values(), strict=True):
        row[[numbers[tag] for tag in label]] = 1.0
    return Known(np.array(list(labels), dtype=np.int64), values, tuple(numbers), tags=True)


def sets_of(found: Said, probabilities: Floats) -> Array:
    """(m,) frozensets of tags; None where nothing is known."""
    sets = np.empty(len(probabilities), dtype=object)
    has, names = present(probabilities, found.threshold), found.known.classes
    known = ~np.isnan(probabilities).any(axis=1)
    for i in np.flatnonzero(known) if len(found.known.landmarks) else ():
        sets[i] = frozenset(names[j] for j in np.flatnonzero(has[i]))
    return sets


def tag_auto(now: Situation) -> Choose:
    if not _varies(now):
        return coverage(now)
    return weighted_coverage(now, np.maximum(doubt(now.probabilities), LEAST))


def tag_doubt(now: Situation) -> Choose:
    if not _varies(now):
        return coverage(now)
    S = correlations(now)
    best, d = covered(S, now.taken), doubt(now.probabilities) * now.sample_weight

    def take(i: int) -> None:
        cover_by(S.indptr, S.indices, S.data, best, i)

    return one_by_one(lambda: d * (1.0 - best), take, now.cost)


def _varies(now: Situation) -> bool:
    Y = now.known.values
    return len(Y) > 1 and bool((Y[0] != Y).any())


def doubt(probabilities: Floats) -> Floats:
    """(n,) d."""
    return np.asarray(np.minimum(probabilities, 1.0 - probabilities).mean(axis=1))


def tag_error(now: Said, audits: Ints, chances: Floats) -> tuple[float, float, float, int]:
    """Share of wrong sets among the unlabeled samples, its interval, and how many audits are wrong."""
    if len(audits) == 0 and len(now.known.landmarks) < len(now.values):
        return np.nan, 0.0, 1.0, 0
    rest = np.ones(len(now.values), dtype=bool)
    rest[now.known.landmarks] = False
    has, unknown = present(now.left_out, now.threshold), np.isnan(now.left_out).any(axis=1)
    wrong = (has != now.known.values).any(axis=1) | unknown
    doubts = tag_uncertainty(now.left_out, now.threshold)
    chosen = Chosen(chances, np.delete(wrong, audits), np.delete(doubts, audits))
    unlabeled = tag_uncertainty(now.values[rest], now.threshold)
    return *class_interval(wrong[audits], doubts[audits], unlabeled, chosen), int(wrong[audits].sum())

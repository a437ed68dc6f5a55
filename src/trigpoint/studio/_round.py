"""One round of work: what to ask for next, then what the labels say of every sample.

Proposals come first, for people wait for them. For real targets the standard deviations take long in large
pools; there those that `_study` found last are told, and 1 as the doubt until there are any.
"""

from collections.abc import Iterator

import numpy as np

from trigpoint._types import Array, Floats
from trigpoint.learner import ActiveLearner
from trigpoint.studio._job import Survey
from trigpoint.studio._news import Beliefs, Proposals

AT_ONCE = 5000  # samples up to which standard deviations are computed in the round


def round_news(
    learner: ActiveLearner, survey: Survey, regresses: bool, std: Floats | None
) -> Iterator[Proposals | Beliefs]:
    """The learner takes over what the survey knows; ``std`` is what was found of it before."""
    learner.restore(survey.log, classes=None if regresses else survey.classes)
    samples, audits = learner.peek(survey.count)
    yield Proposals(survey.version, samples.tolist(), audits.tolist())
    if not learner.labels:
        return
    if not regresses:
        yield class_beliefs(learner, survey.version)
        return
    if learner.n_samples <= AT_ONCE:
        std = largest_std(learner)
    yield value_beliefs(learner, survey.version, std)


def class_beliefs(learner: ActiveLearner, version: int) -> Beliefs:
    found = learner.predict_proba()  # (n, n_classes)
    known = ~np.isnan(found).any(axis=1)
    codes = np.where(known, np.nan_to_num(found).argmax(axis=1), -1)
    best = np.where(known, found.max(axis=1), np.nan)
    classes = tuple(str(name) for name in learner.classes)
    doubt = learner.uncertainty()
    return Beliefs(version, classes, codes.astype(np.int16), _single(best), _single(doubt))


def value_beliefs(learner: ActiveLearner, version: int, std: Floats | None) -> Beliefs:
    n = learner.n_samples
    values = learner.predict().reshape(n, -1)
    std = np.full(n, np.inf) if std is None else std.copy()
    std[list(learner.labels)] = 0.0
    nothing = np.full(n, -1, dtype=np.int16), np.full(n, np.nan, dtype=np.float32)
    return Beliefs(version, (), *nothing, relative(std), values, _single(std))


def largest_std(learner: ActiveLearner) -> Floats:
    """(n,) of the targets' standard deviations the largest."""
    found = learner.uncertainty()
    return found if found.ndim == 1 else np.asarray(found.max(axis=1))


def relative(std: Floats) -> Array:
    """Doubts in [0, 1]: shares of the largest finite deviation, and 1 where it is not finite."""
    finite = np.isfinite(std)
    most = float(std[finite].max()) if finite.any() else 0.0
    return _single(np.where(finite, std / most if most > 0 else 0.0, 1.0))


def _single(x: Array) -> Array:
    with np.errstate(over="ignore"):  # a deviation beyond float32 is infinite
        return x.astype(np.float32)

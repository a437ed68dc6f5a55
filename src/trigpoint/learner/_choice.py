"""Which samples to ask for next: those of a method, of groups that must not be forgotten, and audits.

Groups that must be covered (``groups``) come first: until each of them has a sample, only theirs are
candidates.

Every now and then (``audits``) the question is the next sample of one random order of the whole pool that
has no label yet: the samples that this order has come to are a uniform sample of the pool. All other
questions are chosen as if the audits were not known, for otherwise they would keep away from them, and the
audits would be harder to predict than the rest.
"""

import numpy as np

from trigpoint._errors import InputError
from trigpoint._types import Array, Ints
from trigpoint._validation import check_dense_size
from trigpoint.learner._auto import auto
from trigpoint.learner._coverage import coverage
from trigpoint.learner._error_reduction import error_reduction
from trigpoint.learner._fields import largest_variance, least_variance
from trigpoint.learner._model_change import model_change
from trigpoint.learner._situation import Choose, Method
from trigpoint.learner._tags import tag_auto, tag_doubt
from trigpoint.learner._uncertainty import uncertainty
from trigpoint.selection import DENSE_LIMIT

METHODS: dict[str, dict[str, Method]] = {
    "auto": {"classification": auto, "regression": least_variance, "tags": tag_auto},
    "coverage": {"classification": coverage, "regression": coverage, "tags": coverage},
    "uncertainty": {"classification": uncertainty, "regression": largest_variance, "tags": tag_doubt},
    "error_reduction": {"classification": error_reduction, "regression": least_variance},
    "model_change": {"classification": model_change, "regression": least_variance},
}


def method_for(name: str, task: str) -> Method:
    found = METHODS[name].get(task)
    if found is None:
        able = ", ".join(repr(each) for each, methods in METHODS.items() if task in methods)
        raise InputError("method", f"must be one of {able} for task={task!r}", repr(name))
    return found


def check_weighs(name: str, task: str) -> None:
    """Refuse a method for which all samples count the same."""
    if name != "coverage" and (task == "regression" or name not in ("auto", "uncertainty")):
        rule = f"must be None for method={name!r} and task={task!r}; method='coverage' takes it"
        raise InputError("sample_weight", rule, "weights")


def check_method_size(name: str, task: str, n: int) -> None:
    """Refuse at once what would be refused at the first question that needs it."""
    if method_for(name, task) is error_reduction:
        check_dense_size(n, DENSE_LIMIT, "method='error_reduction'")


def questions(
    choose: Choose, taken: Ints, free: Array, groups: Ints | None, audits: Array, order: Ints
) -> Ints:
    """A sample for each entry of ``audits``, the first free of ``order`` where true; ``free`` is changed."""
    picks = np.empty(len(audits), dtype=np.int64)
    step = 0
    while step < len(audits):
        run = 1
        allowed = _wanted(groups, np.append(taken, picks[:step]), free)
        if audits[step]:
            picks[step] = order[np.argmax(free[order])]
        else:
            if allowed is free:  # no group waits: the questions up to the next audit in one go
                run = int(np.argmax(np.append(audits[step:], True)))
            picks[step : step + run] = choose(allowed, run)
        free[picks[step : step + run]] = False
        step += run
    return picks


def _wanted(groups: Ints | None, chosen: Ints, free: Array) -> Array:
    """The free samples of groups that have none yet; all free samples where there is no such group."""
    if groups is None:
        return free
    covered = np.zeros(int(groups.max()) + 1, dtype=bool)
    covered[groups[chosen]] = True
    waiting = free & ~covered[groups]
    return waiting if waiting.any() else free

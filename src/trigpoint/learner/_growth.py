"""New samples join the pool of a learner: what is checked, and what the log says of it.

An event {"event": "add", "before": n, "n_samples": n + m} stands between the questions and answers of its
time, with the costs, groups and weights of the new samples, but without features: whoever repeats a log has
these.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from trigpoint._errors import InputError
from trigpoint._types import Array, Floats
from trigpoint._validation import check_integer, check_sample_weight
from trigpoint.learner._answers import check_cost, check_groups

OF_EACH = ("cost", "at_least_one_per", "sample_weight")  # what may be given with each new sample


def grown_cost(before: Floats, cost: Any, m: int) -> Floats:
    """Costs of all; the new ones are 1 where the others are."""
    if cost is None and (before != 1.0).any():
        raise InputError("cost", "must be given for new samples, since the others have costs")
    return np.concatenate([before, check_cost(cost, m)])


def grown_groups(before: Array | None, groups: Any, m: int) -> Array | None:
    """Groups of all, if there are any."""
    if (before is None) != (groups is None):
        rule = "be given for new samples, since the others have groups" if groups is None else "be None"
        more = "" if groups is None else ": the other samples have no groups"
        raise InputError("at_least_one_per", f"must {rule}{more}")
    named = check_groups(groups, m)
    if before is None or named is None:
        return None
    if (before.dtype.kind in "US") != (named.dtype.kind in "US"):
        before, named = before.astype(str), named.astype(str)
    return np.concatenate([before, named])


def grown_weight(before: Floats | None, sample_weight: Any, m: int) -> Floats | None:
    """Weights of all, if there are any."""
    if (before is None) != (sample_weight is None):
        more = "must be given for new samples, since the others have weights"
        none = "must be None: the other samples have no weights"
        raise InputError("sample_weight", none if before is None else more)
    if before is None:
        return None
    check_sample_weight(sample_weight, m)
    return np.concatenate([before, np.asarray(sample_weight, dtype=np.float64)])


def add_event(before: int, n_samples: int, **own: Any) -> dict[str, Any]:
    """As plain lists and numbers; ``own`` are those of `OF_EACH`, None where they were not given."""
    given = {name: np.asarray(each).tolist() for name, each in own.items() if each is not None}
    return {"event": "add", "before": before, "n_samples": n_samples, **given}


def sizes_in(log: Sequence[dict[str, Any]], n_samples: int) -> list[int]:
    """The sizes that a pool of now ``n_samples`` had in the time of a log, the first one first."""
    sizes: list[int] = []
    for event in log:
        if event["event"] == "add":
            before = check_integer(event["before"], "before", 1)
            after = check_integer(event["n_samples"], "n_samples", before + 1)
            if sizes and sizes[-1] != before:
                raise InputError("log", f"must add samples to the {sizes[-1]} before them", before)
            sizes = [*sizes, after] if sizes else [before, after]
    if sizes and sizes[-1] != n_samples:
        raise InputError("log", f"must be of a pool of {n_samples} samples", sizes[-1])
    return sizes or [n_samples]


def rows_of(event: dict[str, Any], X: Any, n_samples: int) -> Any:
    """The rows of X, the whole pool, that an event added."""
    if X is None:
        raise InputError("X", "must be given, the whole pool: samples were added in this log")
    if event["before"] != n_samples or X.shape[0] < event["n_samples"]:
        rule = f"must be {event['n_samples']} samples or more, of which the learner has {event['before']}"
        raise InputError("X", rule, f"{X.shape[0]}, of which it has {n_samples}")
    return X[event["before"] : event["n_samples"]]

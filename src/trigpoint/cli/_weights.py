"""A pool whose samples count differently: a column of its table says how much, and is no feature."""

from dataclasses import replace
from typing import Any

import numpy as np

from trigpoint._errors import InputError
from trigpoint._types import Floats
from trigpoint._validation import check_sample_weight
from trigpoint.cli._options import PoolOptions
from trigpoint.cli._prepare import read_samples
from trigpoint.io import Samples


def read_weighed(pool: PoolOptions, weight_column: str | None) -> tuple[Samples, Floats | None]:
    """The pool, and (n,) how much each sample counts; None where all count the same."""
    samples = read_samples(pool)
    if weight_column is None:
        return samples, None
    if samples.kind != "table" or weight_column not in samples.shown:
        rule = f"must be a column of {samples.path}, a table of features"
        raise InputError("--weight-column", rule, repr(weight_column))
    try:
        weights = check_sample_weight(_numbers(samples.shown[weight_column]), samples.n_samples)
    except InputError as error:
        raise InputError(f"--weight-column {weight_column}", error.rule, error.value) from None
    return _without(samples, weight_column), weights


def _numbers(cells: Any) -> list[float]:
    found = []
    for place, cell in enumerate(cells, start=1):
        try:
            found.append(float(cell))
        except ValueError:
            raise InputError(
                "sample_weight", "must be a number in each row", f"{cell!r}, row {place}"
            ) from None
    return found


def _without(samples: Samples, name: str) -> Samples:
    if name not in samples.feature_names:
        return samples
    place = samples.feature_names.index(name)
    rest = tuple(other for other in samples.feature_names if other != name)
    if not rest:
        raise InputError("--weight-column", f"must leave {samples.path} a column of features", repr(name))
    mark = f"{samples.fingerprint} without {[place]}"
    return replace(samples, X=np.delete(samples.X, place, axis=1), feature_names=rest, fingerprint=mark)

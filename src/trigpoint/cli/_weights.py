"""A pool whose samples count differently: a column of its table says how much, and is no feature."""

from collections.abc import Mapping
from typing import Any

from trigpoint._errors import InputError
from trigpoint._types import Floats
from trigpoint._validation import check_sample_weight
from trigpoint.cli._options import PoolOptions
from trigpoint.cli._prepare import WEIGHTS, read_samples
from trigpoint.io import Samples, is_table


def read_weighed(
    pool: PoolOptions, weight_column: str | None, apart: Mapping[str, str] | None = None
) -> tuple[Samples, Floats | None]:
    """The pool, and (n,) how much each sample counts; None where all count the same."""
    own = {} if apart is None else dict(apart)
    if weight_column is None:
        return read_samples(pool, own), None
    if not is_table(pool.source) or pool.text_column is not None or pool.features is not None:
        rule = f"must be a column of {pool.source}, a table of features"
        raise InputError("--weight-column", rule, repr(weight_column))
    samples = read_samples(pool, own | {weight_column: WEIGHTS})
    try:
        return samples, check_sample_weight(_numbers(samples.shown[weight_column]), samples.n_samples)
    except InputError as error:
        raise InputError(f"--weight-column {weight_column}", error.rule, error.value) from None


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

"""A Gaussian field that follows the questions: made once, then given each sample that is asked for.

What a label at i would do depends on the covariance C of all samples given those that were asked for, not on
their answers (`selection._field`, `selection._gaussian_field`). A sample whose answer is still to come, or
that a person was unsure of, counts as known: so the questions of a batch differ.

Real targets: questions by the posterior covariance C of a Gaussian field (`selection._field`).

    least_variance     argmax_i  ||C_.i||^2 / C_ii  / cost_i     what a label takes from the trace of C
    largest_variance   argmax_i  C_ii               / cost_i

The trace of C is the expected squared error of the rest, so the first is expected error reduction, known as
V-optimality (Ji & Han, 2012); the labels themselves do not enter. The second is uncertainty sampling; it
asks for outliers. Each pick is taken into C at once, so a batch is what single questions would be.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any, Generic, TypeVar

import numpy as np

from trigpoint._types import Floats
from trigpoint.learner._situation import Choose, Situation, one_by_one
from trigpoint.selection import Field, Pool, condition, unlabeled_field

F = TypeVar("F")
ALPHA = 0.01  # of the degree, for real targets


@dataclass(frozen=True, eq=False)
class Following(Generic[F]):
    """A field and the samples that it was given, in order: another order is another rounding.

    Attributes
    ----------
    field : changed in place
    condition : gives the field a sample
    order : those that it was given
    """

    field: F
    condition: Callable[[F, int], None]
    order: list[int]

    def take(self, i: int) -> None:
        self.condition(self.field, i)
        self.order.append(i)


def following(
    now: Situation, name: str, fresh: Callable[[], F], condition: Callable[[F, int], None]
) -> Following[F]:
    """The field that is kept under a name, given all that was taken; begun anew where it knows of more."""
    taken = now.taken.tolist()
    found: Following[F] | None = now.kept.pop(name, None)
    if found is None or found.order != taken[: len(found.order)]:
        found = Following(fresh(), condition, [])
    for i in taken[len(found.order) :]:
        found.take(i)
    now.kept[name] = found  # only now: a field that was interrupted half-way is lost
    return Following(copied(found.field), condition, list(found.order)) if now.passing else found


def copied(field: Any) -> Any:
    """The field with arrays of its own; what is never changed, in a tuple, is shared."""
    values = {entry.name: getattr(field, entry.name) for entry in fields(field)}
    return replace(field, **{name: x.copy() for name, x in values.items() if isinstance(x, np.ndarray)})


def following_field(now: Situation, alpha: float) -> Following[Field]:
    """Variances C_ii and squares (C^2)_ii given what was asked for, in pools of any size.

    Beyond 10,000 samples only 10,000 of them, drawn once, have squares: the others count as hardly
    telling of anyone.
    """

    def fresh() -> Field:
        if "unlabeled" not in now.kept:
            pool = Pool(now.phi, None, None, np.empty(0, dtype=np.int64))
            now.kept["unlabeled"] = unlabeled_field(pool, 0, alpha, "squares")
        field: Field = copied(now.kept["unlabeled"])
        return field

    return following(now, "field", fresh, condition)


def trace_gain(field: Field) -> Floats:
    """(n,) what a label takes from the trace of C: ||c_i||^2 / C_ii."""
    return np.asarray(field.squares / field.variance)


def least_variance(now: Situation) -> Choose:
    known = following_field(now, ALPHA)
    return one_by_one(lambda: trace_gain(known.field), known.take, now.cost)


def largest_variance(now: Situation) -> Choose:
    known = following_field(now, ALPHA)
    return one_by_one(lambda: np.array(known.field.variance), known.take, now.cost)

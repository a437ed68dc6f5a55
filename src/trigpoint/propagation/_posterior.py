"""How sure the propagated values are.

Least-squares propagation is the mean of a Gaussian field p(z) ~ exp(-z^T phi z / (2 c)) given the
landmarks; c is the variance of the field's unit. Its covariance is c A^-1, with A the matrix of the
system that propagation solves (`_least_squares`): phi_UU + gamma I for hard landmarks, which themselves
have none, and phi + beta E + gamma (I - E) for soft ones, whose noise then has variance c / beta.

c = 1 unless values are given. With values, integrating the field out leaves a Gaussian in the
landmarks' values alone, whose exponent is the least energy J = min_z (z^T phi z + sum_L
beta_i (z_i - y_i)^2 + gamma ||z_U||^2), and whose likelihood is largest at

    c = J / (l - q),

q being the dimension in which the field is free: one constant for each component that holds a
landmark and whose constants cost nothing. (LTSA and LLE leave further functions free, so there c
comes out low by a factor of about (l - 1 - d) / (l - 1) for a d-dimensional manifold.)
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import issparse

from trigpoint._errors import InputError
from trigpoint._types import Floats
from trigpoint._validation import (
    check_choice,
    check_integer,
    check_rng,
    check_values,
)
from trigpoint.propagation._least_squares import Field, least_squares
from trigpoint.propagation._propagate import check_field, check_no_classes, check_pool
from trigpoint.propagation._reach import null_directions
from trigpoint.propagation._variance import (
    EXACT,
    EXACT_AT_MOST,
    Variances,
    exact_variances,
    sampled_variances,
)

METHODS = ("auto", "exact", "sampled")


class UnknownScaleError(InputError):
    """Too few values to tell the unit of the field: each component with a landmark has but one."""


@dataclass(frozen=True, eq=False)
class Posterior:
    """Standard deviations and how well they are known.

    Attributes
    ----------
    std : (n,) or (n, d) float64
        0 at hard landmarks, infinite where no landmark reaches.
    relative_error : (n,) float64
        Standard error of ``std`` relative to it, from the random draws; 0 where it is exact.
    method : "exact", "sampled" or "hutchinson"
    n_probes : number of random draws, 0 where exact
    """

    std: Floats
    relative_error: Floats
    method: str
    n_probes: int


def uncertainty(
    phi: Any,
    landmarks: Any,
    values: Any = None,
    *,
    beta: Any = None,
    gamma: float | None = None,
    scale: Any = None,
    method: str = "auto",
    n_probes: int = 256,
    random_state: Any = 0,
) -> Floats:
    """Posterior standard deviation of the propagated value of each sample.

    Parameters
    ----------
    phi, landmarks, beta, gamma, scale
        As for `propagate`.
    values : (l,) or (l, d), optional
        Values of the landmarks. With them, the standard deviations are in the units of the values,
        one column for each; without, in those of a field of unit scale.
    method : "auto", "exact" or "sampled"
        ``"auto"`` is exact up to 4000 unknown samples and sampled above; a dense phi is always exact.
    n_probes : int
        Number of random draws where sampled; the relative standard error is at most
        ``1 / sqrt(2 * n_probes)``. (Matrices that are neither diagonally dominant nor cheap to
        factor leave only a coarser estimate.) `posterior` returns the error of each sample.
    random_state : int, Generator or None

    Returns
    -------
    (n,) or (n, d) float64
        0 at hard landmarks; infinite, with a warning, where no landmark reaches.

    Notes
    -----
    Cost: exact, O(u^3) for u unknown samples, or a factorization; sampled, ``n_probes`` solves like that
    of `propagate`. So it takes far longer than the values themselves.

    See Also
    --------
    propagate : the values that these standard deviations belong to.
    ManifoldClassifier : for classes; its uncertainty is one minus the largest probability, for free.

    Examples
    --------
    A path labeled at its start: the further away, the less sure.

    >>> import trigpoint as tp
    >>> phi = tp.laplacian(tp.graph_from_edges([[0, 1], [1, 2], [2, 3]]))
    >>> (tp.uncertainty(phi, [0]) ** 2).round(6)
    array([0., 1., 2., 3.])
    """
    return posterior(
        phi,
        landmarks,
        values,
        beta=beta,
        gamma=gamma,
        scale=scale,
        method=method,
        n_probes=n_probes,
        random_state=random_state,
    ).std


def posterior(
    phi: Any,
    landmarks: Any,
    values: Any = None,
    *,
    beta: Any = None,
    gamma: float | None = None,
    scale: Any = None,
    method: str = "auto",
    n_probes: int = 256,
    random_state: Any = 0,
) -> Posterior:
    """As `uncertainty`, returning a `Posterior`: the standard deviations with their own error.

    Notes
    -----
    Cost: that of `uncertainty`.

    See Also
    --------
    trigpoint.uncertainty : the standard deviations alone.

    Examples
    --------
    >>> import trigpoint as tp
    >>> from trigpoint.propagation import posterior
    >>> phi = tp.laplacian(tp.graph_from_edges([[0, 1], [1, 2], [2, 3]]))
    >>> posterior(phi, [0, 3], [0.0, 3.0]).std.shape
    (4,)
    """
    phi, landmarks = check_pool(phi, landmarks)
    check_choice(method, "method", METHODS)
    rng = check_rng(random_state)
    n_probes = check_integer(n_probes, "n_probes", 2)
    if values is not None:
        check_no_classes(values)
        values = check_values(values, len(landmarks))
    field = check_field(phi, landmarks, beta, gamma, scale, "their standard deviation is infinite")
    unit = np.ones(()) if values is None else np.sqrt(_field_variance(field, values))
    found = _variances(field, method, n_probes, rng)
    n = phi.shape[0]
    std, error = np.where(field.found.reached, 0.0, np.inf), np.zeros(n)
    std[field.unknown] = np.sqrt(found.var)
    error[field.unknown] = found.relative_error
    if field.scale is not None:
        std /= field.scale
    return Posterior(_in_units(std, unit), error, found.method, found.n_probes)


def field_scale(
    phi: Any,
    landmarks: Any,
    values: Any,
    *,
    beta: Any = None,
    gamma: float | None = None,
    scale: Any = None,
) -> Floats:
    """sqrt(c), the unit of the field that the values look drawn from: one number for each column.

    `uncertainty` with values is this times `uncertainty` without; parameters as there.

    Notes
    -----
    Cost: a linear system with a column for each column of ``values``.

    See Also
    --------
    trigpoint.uncertainty : uses it.

    Examples
    --------
    >>> import trigpoint as tp
    >>> from trigpoint.propagation import field_scale
    >>> phi = tp.laplacian(tp.graph_from_edges([[0, 1], [1, 2], [2, 3]]))
    >>> field_scale(phi, [0, 3], [0.0, 3.0]).shape
    ()
    """
    phi, landmarks = check_pool(phi, landmarks)
    values = check_values(values, len(landmarks))
    field = check_field(phi, landmarks, beta, gamma, scale, "they tell nothing of the scale")
    return np.sqrt(_field_variance(field, values))


def _variances(field: Field, method: str, n_probes: int, rng: np.random.Generator) -> Variances:
    m = len(field.unknown)
    if m == 0:
        return Variances(np.empty(0), np.empty(0), "exact", 0)
    if method == "exact":
        check_integer(m, "number of unknown samples for method='exact'", 1, EXACT_AT_MOST)
    elif not issparse(field.phi):
        check_integer(m, "number of unknown samples for a dense phi", 1, EXACT_AT_MOST)
    if method == "exact" or not issparse(field.phi) or (method == "auto" and m <= EXACT):
        return exact_variances(field.solver)
    return sampled_variances(field.solver, n_probes, rng)


def _field_variance(field: Field, values: Floats) -> Floats:
    """c of each column: the least energy over the degrees of freedom."""
    columns = values.reshape(len(values), -1)
    s = np.ones(field.phi.shape[0]) if field.scale is None else field.scale
    labels, landmarks = field.found.labels, field.landmarks
    free = null_directions(field.phi, s, labels)
    if field.gamma > 0.0:  # constants then cost something wherever a sample has no value
        free &= np.bincount(labels) == np.bincount(labels[landmarks], minlength=len(free))
    q = int(np.count_nonzero(free[np.unique(labels[landmarks])]))
    if len(landmarks) <= q:
        raise UnknownScaleError(
            "values",
            f"must come from more than {q} landmarks to estimate the scale of the field",
            len(landmarks),
        )
    if free.all():  # a shift costs nothing: take it out before digits cancel
        columns = columns - columns.mean(axis=0)
    energy = _least_energy(field, columns, s)
    return (energy / (len(landmarks) - q)).reshape(values.shape[1:])


def _least_energy(field: Field, values: Floats, s: Floats) -> Floats:
    z, _ = least_squares(field, values, "auto", 1e-10)
    u = np.where(field.found.reached[:, None], s[:, None] * z, 0.0)
    energy = np.einsum("ij,ij->j", u, field.phi @ u)
    if field.beta is not None:
        gap = u[field.landmarks] - s[field.landmarks, None] * values
        energy = energy + field.beta @ gap**2
    rest = np.delete(u, field.landmarks, axis=0)
    return np.asarray((energy + field.gamma * np.einsum("ij,ij->j", rest, rest)).clip(0.0))


def _in_units(std: Floats, unit: Floats) -> Floats:
    """std of each sample times the unit of each column; infinite stays infinite in a column of unit 0."""
    with np.errstate(invalid="ignore"):
        product = np.multiply.outer(std, unit)
    return np.where(np.isnan(product), np.inf, product)

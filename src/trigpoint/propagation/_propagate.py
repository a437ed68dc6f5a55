"""The front door: values at the landmarks in, values for all samples out."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import issparse

from trigpoint._errors import InputError
from trigpoint._types import Array, Floats, Ints, Sparse
from trigpoint._validation import (
    check_alignment,
    check_choice,
    check_landmarks,
    check_magnitude,
    check_number,
    check_unused,
    check_values,
    check_weight,
)
from trigpoint.propagation._least_squares import Field, least_squares
from trigpoint.propagation._null_vector import normalized, null_vector
from trigpoint.propagation._reach import reach, warn_outside, warn_unreached
from trigpoint.propagation._solver import SOLVERS, USEFUL
from trigpoint.propagation._spectral import spectral
from trigpoint.propagation._structure import NULL

METHODS = ("least_squares", "spectral")


@dataclass(frozen=True, eq=False)
class Solution:
    """What propagation found, and how.

    Attributes
    ----------
    values : (n,) or (n, d) float64, NaN where no landmark reaches
    method : "least_squares" or "spectral"
    solver : "direct", "jacobi_cg", "sgs_cg", "amg_cg", "dense", or "none" where nothing was left to solve;
        for the spectral method "dense", "shift_invert" or "lanczos"
    iterations : of the column that took most; 0 for factorizations
    residual : largest ||b - A x|| / ||b|| over the columns; for the spectral method the largest
        ||M y - lambda y|| over the largest row sum of |M|
    n_unreached : number of samples without information
    """

    values: Floats
    method: str
    solver: str
    iterations: int
    residual: float
    n_unreached: int


def propagate(
    phi: Any,
    landmarks: Any,
    values: Any,
    *,
    method: str = "least_squares",
    beta: Any = None,
    gamma: float | None = None,
    scale: Any = None,
    solver: str = "auto",
    tol: float = 1e-10,
    n_components: int | None = None,
    ridge: float | None = None,
    random_state: Any = 0,
) -> Floats:
    """Infer the values of all samples from those of the landmarks.

    ``"least_squares"`` minimizes ``z^T phi z`` with the landmarks held (hard), so that on a graph
    Laplacian every other sample takes the weighted mean of its neighbors. ``"spectral"`` learns
    coordinates in which the landmarks' values are nearly affine, and maps them to values.

    Parameters
    ----------
    phi : (n, n) symmetric sparse matrix or dense array
        The alignment matrix.
    landmarks : (l,) int
        Indices of the samples whose values are known.
    values : (l,) or (l, d)
        Their values.
    method : "least_squares" or "spectral"
    beta : float or (l,), optional
        Soft landmarks: how strongly each is pulled to its value. Default: hard. Least squares only.
    gamma : float, optional
        Least squares: ridge on the samples without a value, default 0. Spectral: weight of the
        labels, default the mean diagonal of phi.
    scale : (n,), optional
        The positive vector s with ``phi s = 0``, where that is not the constant: the square roots
        of the degrees for a symmetric-normalized Laplacian, which is also found when not given.
        Least squares only.
    solver : "auto", "direct", "jacobi_cg", "sgs_cg" or "amg_cg"
        Least squares only.
    tol : float
        Relative residual that iterative solvers must reach.
    n_components : int, optional
        Spectral only: number of coordinates, default the number of value columns.
    ridge : float, optional
        Spectral only: ridge of the affine map, default 1e-9.
    random_state : int, Generator or None
        Spectral only: start vector of the eigenvalue solver.

    Returns
    -------
    (n,) or (n, d) float64
        As `values`; NaN, with a warning, in components of the graph that hold no landmark.

    Notes
    -----
    Cost: one sparse solve. Where phi is cheap to factor (surfaces), a factorization that serves all
    columns; elsewhere conjugate gradients, O(nK) for each iteration and column. `solve` also returns
    solver, iterations and residual.

    See Also
    --------
    ManifoldClassifier, ManifoldRegressor : from features, and usually better: a mixture of predictors.
    uncertainty : how unsure each of these values is.
    extend : values of samples that are not in the pool.

    Examples
    --------
    >>> import trigpoint as tp
    >>> phi = tp.laplacian(tp.graph_from_edges([[0, 1], [1, 2], [2, 3], [3, 4]]))
    >>> tp.propagate(phi, [0, 4], [0.0, 8.0]).round(6)
    array([0., 2., 4., 6., 8.])
    """
    return solve(
        phi,
        landmarks,
        values,
        method=method,
        beta=beta,
        gamma=gamma,
        scale=scale,
        solver=solver,
        tol=tol,
        n_components=n_components,
        ridge=ridge,
        random_state=random_state,
    ).values


def solve(
    phi: Any,
    landmarks: Any,
    values: Any,
    *,
    method: str = "least_squares",
    beta: Any = None,
    gamma: float | None = None,
    scale: Any = None,
    solver: str = "auto",
    tol: float = 1e-10,
    n_components: int | None = None,
    ridge: float | None = None,
    random_state: Any = 0,
) -> Solution:
    """As `propagate`, returning a `Solution`: the values with the solver, iterations and residual.

    Notes
    -----
    Cost: that of `propagate`.

    See Also
    --------
    trigpoint.propagate : the values alone.

    Examples
    --------
    >>> import trigpoint as tp
    >>> from trigpoint.propagation import solve
    >>> phi = tp.laplacian(tp.graph_from_edges([[0, 1], [1, 2]]), weights="binary")
    >>> found = solve(phi, [0, 2], [0.0, 2.0])
    >>> found.values.round(6), found.solver
    (array([0., 1., 2.]), 'direct')
    """
    phi, landmarks = check_pool(phi, landmarks)
    check_no_classes(values)
    values = check_values(values, len(landmarks))
    check_choice(method, "method", METHODS)
    check_choice(solver, "solver", SOLVERS)
    tol = check_number(tol, "tol", 0.0, strict=True)
    columns = values.reshape(len(landmarks), -1)
    check_magnitude(columns, "values")
    if not issparse(phi):
        check_choice(solver, "solver for a dense phi", ("auto", "direct"))
    if method == "least_squares":
        check_unused(method, n_components=(n_components, None), ridge=(ridge, None))
        field = check_field(phi, landmarks, beta, gamma, scale, "their values are NaN")
        z, outcome = least_squares(field, columns, solver, tol)
        _judge(outcome.solver, outcome.residual, tol)
        found = field.found
    else:
        check_unused(
            method, beta=(beta, None), scale=(scale, None), solver=(solver, "auto"), tol=(tol, 1e-10)
        )
        found = reach(phi, landmarks)
        check_semidefinite(phi, found.labels)
        warn_unreached(found, "their values are NaN")
        z, outcome = spectral(phi, landmarks, columns, found, gamma, n_components, ridge, random_state)
    z = z.reshape((-1, *values.shape[1:]))
    missed = int((~found.reached).sum())
    return Solution(z, method, outcome.solver, outcome.iterations, outcome.residual, missed)


def check_pool(phi: Any, landmarks: Any) -> tuple[Sparse, Ints]:
    phi = check_alignment(phi)
    check_magnitude(phi.data if issparse(phi) else phi, "phi")
    return phi, check_landmarks(landmarks, phi.shape[0])


def check_no_classes(values: Any) -> None:
    """Refuse words with a word on what takes them."""
    found = np.asarray(values, dtype=object).ravel() if isinstance(values, list | tuple) else np.ravel(values)
    word = next((value for value in found[:1].tolist() if isinstance(value, str)), None)
    if word is not None:
        rule = "must be numbers; for classes use ManifoldClassifier().fit(X, y), with None where y is unknown"
        raise InputError("values", rule, repr(word))


def check_field(
    phi: Sparse,
    landmarks: Ints,
    beta: Any,
    gamma: float | None,
    scale: Any,
    consequence: str,
) -> Field:
    """The checked options as a field; warns once of samples that no landmark reaches."""
    gamma = 0.0 if gamma is None else check_number(gamma, "gamma", 0.0)
    weights = None if beta is None else check_weight(beta, "beta", len(landmarks))
    vector = None if scale is None else check_weight(scale, "scale", phi.shape[0])
    for name, given in (("beta", weights), ("gamma", np.array([gamma])), ("scale", vector)):
        if given is not None:
            check_magnitude(given, name)
    found = reach(phi, landmarks)
    check_semidefinite(phi, found.labels)
    vector = null_vector(phi, found.labels) if vector is None else _given_scale(phi, vector, found.labels)
    warn_unreached(found, consequence)
    return Field(phi, landmarks, found, vector, weights, gamma)


def check_semidefinite(phi: Sparse, labels: Array) -> None:
    """What a glance tells: coupled samples have a positive diagonal."""
    diagonal = phi.diagonal()
    bad = np.flatnonzero((diagonal <= 0.0) & ((np.bincount(labels)[labels] > 1) | (diagonal < 0.0)))
    if len(bad):
        raise InputError(
            "phi", "must be positive semidefinite", f"{diagonal[bad[0]]:g} on its diagonal, at row {bad[0]}"
        )


def _given_scale(phi: Sparse, s: Floats, labels: Array) -> Floats:
    off = float(np.abs(phi @ s).max())
    if off > NULL * float((np.abs(phi.diagonal()) * s).max()):
        raise InputError("scale", "must satisfy phi @ scale = 0", f"entries up to {off:.3g}")
    return normalized(s, labels)


def _judge(solver: str, residual: float, tol: float) -> None:
    """Say so where a solver did not reach its tolerance; refuse what is of no use."""
    if residual <= tol * (1 + 1e-6) or (solver in ("direct", "dense") and residual <= 1e-8):
        return
    stop = f"solver {solver!r} stopped at a relative residual of {residual:.2g}, above tol={tol:g}"
    if not residual <= USEFUL:  # NaN included
        other = "jacobi_cg" if solver == "direct" else "direct"
        raise RuntimeError(f"{stop}; choose solver={other!r}, add landmarks, or give gamma > 0.")
    warn_outside(f"{stop}.", UserWarning)

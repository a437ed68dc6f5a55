"""One sweep of K-SVD over the atoms (Aharon, Elad & Bruckstein, 2006), codes and residual kept in step.

Signals are rows: R = Z - X D. Atom d_k with coefficients x on the signals I that use it is replaced by the
best pair for what those signals lack without it,

    E = R_I + x d_k^T,     min_{u, x} |E - x u^T|^2  s.t. |u| = 1:

u is the leading right singular vector of E and x = E u. Then R_I = E - x u^T; supports stay, and the
residual cannot grow. u comes from power iterations on E^T E that start at d_k and stop once u moves by less
than ``SETTLED``; where that takes more than ``STEPS``, from the eigenvectors of E E^T or E^T E, whichever
is smaller. Where both are larger than ``SMALL``, eigenvectors cost too much: u is then what ``MANY`` steps
lead to. |E u| never falls in these iterations, and |E - x u^T|^2 = |E|^2 - |E u|^2, so that even then
the residual cannot grow.

An atom that no signal uses becomes the signal of its class with the largest residual (the first of equals,
none twice in a sweep), scaled to length one; it stays as it is where no residual of its class is left.
"""

import numpy as np

from trigpoint._kernels.compiled import kernel
from trigpoint._types import Array

SETTLED = 1e-10
STEPS = 24
SMALL, MANY = 200, 100
TINY = 1e-24  # of a signal's squared length: below it nothing is left to represent


@kernel
def residual(Z: Array, D: Array, indices: Array, values: Array, counts: Array, R: Array) -> None:
    """R = Z - X D."""
    for i in range(len(Z)):
        r = R[i]
        r[:] = Z[i]
        for s in range(counts[i]):
            d, x = D[indices[i, s]], values[i, s]
            for j in range(len(r)):
                r[j] -= x * d[j]


@kernel
def users(indices: Array, counts: Array, ends: Array, where: Array) -> None:
    """The codes of atom k: entries ``where[ends[k] : ends[k + 1]]`` of the flattened (n, T) codes."""
    n, sparsity = indices.shape
    ends[:] = 0
    for i in range(n):
        for s in range(counts[i]):
            ends[indices[i, s] + 1] += 1
    for k in range(1, len(ends)):
        ends[k] += ends[k - 1]
    fill = ends.copy()
    for i in range(n):
        for s in range(counts[i]):
            k = indices[i, s]
            where[fill[k]] = i * sparsity + s
            fill[k] += 1


@kernel
def update_atoms(
    Z: Array,
    R: Array,
    D: Array,
    values: Array,
    ends: Array,
    where: Array,
    atom_classes: Array,
    labels: Array,
    taken: Array,
    start: int,
    stop: int,
) -> int:
    """Update atoms start..stop of D, their coefficients in ``values`` (n, T), and R; count those replaced."""
    sparsity, p = values.shape[1], R.shape[1]
    most = 0
    for k in range(start, stop):
        most = max(most, ends[k + 1] - ends[k])
    E_full, x_full, old_full = np.empty((most, p)), np.empty(most), np.empty(most)
    replaced = 0
    for k in range(start, stop):
        first, n = ends[k], ends[k + 1] - ends[k]
        if n == 0:
            replaced += _replace(Z, R, D[k], atom_classes[k], labels, taken)
            continue
        E, x, old = E_full[:n], x_full[:n], old_full[:n]
        d = D[k]
        for m in range(n):
            i, s = divmod(where[first + m], sparsity)
            old[m] = values[i, s]
            r, e = R[i], E[m]
            for j in range(p):
                e[j] = r[j] + old[m] * d[j]
        u = _leading(E, d)
        d[:] = u
        x[:] = np.dot(E, u)
        for m in range(n):
            i, s = divmod(where[first + m], sparsity)
            values[i, s] = x[m]
            r, e, step = R[i], E[m], x[m]
            for j in range(p):
                r[j] = e[j] - step * u[j]
    return replaced


@kernel
def _leading(E: Array, d: Array) -> Array:
    """The leading right singular vector u of E, on the side of d; for large E at least |E u| >= |E d|."""
    n, p = E.shape
    large = min(n, p) > SMALL
    u: Array = d.copy()
    for _ in range(MANY if large else STEPS):
        x = np.dot(E, u)
        size = np.sqrt(np.dot(x, x))
        if size == 0.0:
            break
        new = np.dot(x / size, E)
        new /= np.sqrt(np.dot(new, new))
        move = new - u
        u = new
        if np.dot(move, move) <= SETTLED * SETTLED:
            return u
    if large:
        return u
    if n <= p:
        x = np.ascontiguousarray(np.linalg.eigh(np.dot(E, E.T))[1][:, n - 1])
        u = np.dot(x, E)
    else:
        u = np.ascontiguousarray(np.linalg.eigh(np.dot(E.T, E))[1][:, p - 1])
    size = np.sqrt(np.dot(u, u))
    if size == 0.0:
        return d.copy()
    if np.dot(u, d) < 0.0:
        size = -size
    u /= size
    return u


@kernel
def _replace(Z: Array, R: Array, d: Array, atom_class: int, labels: Array, taken: Array) -> int:
    worst, most = -1, 0.0
    for i in range(len(R)):
        if labels[i] == atom_class and not taken[i]:
            left, size = np.dot(R[i], R[i]), np.dot(Z[i], Z[i])
            if left > most and left > TINY * size:
                worst, most = i, left
    if worst < 0:
        return 0
    taken[worst] = True
    d[:] = Z[worst] / np.sqrt(np.dot(Z[worst], Z[worst]))
    return 1

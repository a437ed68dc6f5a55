"""Every check of a user's input, and its wording: the argument, the rule, the value.

Checks return the input in the one form that the core works on, and copy only what must change.
"""

import numbers
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
from scipy import sparse

from trigpoint._errors import InputError
from trigpoint._types import Array, Floats, Ints, Sparse

REAL, WHOLE = "biuf", "biu"


def check_choice(value: object, name: str, choices: Sequence[str]) -> str:
    if not isinstance(value, str) or value not in choices:
        listed = ", ".join(repr(choice) for choice in choices)
        raise InputError(name, f"must be one of {listed}", repr(value))
    return value


def check_integer(value: object, name: str, low: int, high: int | None = None, of: str = "") -> int:
    """An integer in [low, high]; ``of`` says where the upper end comes from."""
    whole = isinstance(value, numbers.Integral) and not isinstance(value, bool | np.bool_)
    if not whole or int(value) < low or (high is not None and int(value) > high):  # type: ignore[call-overload]
        rule = f"lie in [{low}, {high}]" if high is not None else f"be at least {low}"
        raise InputError(name, f"must be an integer and {rule}{of}", repr(value))
    return int(value)  # type: ignore[call-overload, no-any-return]


def check_number(value: object, name: str, low: float, *, strict: bool = False) -> float:
    """A finite real number >= low, or > low where ``strict``."""
    number = isinstance(value, numbers.Real) and not isinstance(value, bool | np.bool_)
    if not number or not np.isfinite(float(value)) or float(value) < low or (strict and float(value) == low):  # type: ignore[arg-type]
        rule = "greater than" if strict else "at least"
        raise InputError(name, f"must be a finite number {rule} {low:g}", repr(value))
    return float(value)  # type: ignore[arg-type]


def check_features(X: Any, name: str = "X", *, n_features: int | None = None, convert: bool = True) -> Any:
    """A pool as a (n, p) float32 or float64 array, or a canonical `csr_array` of those types.

    Whoever turns rows into numbers of their own, a block at a time, needs no ``convert``: small whole numbers
    then stay what they are, and a memory map of them stays one.
    """
    X, entries = _canonical(X, name, convert)
    if X.ndim != 2:
        raise InputError(name, "must be two-dimensional, (n_samples, n_features)", f"shape {X.shape}")
    if X.shape[0] == 0 or X.shape[1] == 0:
        raise InputError(name, "must hold at least one sample and one feature", f"shape {X.shape}")
    if n_features is not None and X.shape[1] != n_features:
        raise InputError(name, f"must have {n_features} features, as the pool does", X.shape[1])
    check_finite(entries, name)
    return X


def check_square(matrix: Any, name: str) -> Any:
    """A finite (n, n) float64 array or canonical `csr_array`."""
    matrix, entries = _canonical(matrix, name)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or matrix.shape[0] == 0:
        raise InputError(name, "must be a square matrix, (n_samples, n_samples)", f"shape {matrix.shape}")
    check_finite(entries, name)
    return matrix.astype(np.float64, copy=False)


def _canonical(matrix: Any, name: str, convert: bool = True) -> tuple[Any, Array]:
    """A real array, or a sparse matrix as a `csr_array` with sorted, unique entries; and the entries."""
    if not sparse.issparse(matrix):
        array = _real_array(matrix, name, convert)
        return array, array
    if matrix.ndim != 2:
        raise InputError(name, "must be two-dimensional", f"a sparse array of shape {matrix.shape}")
    if matrix.dtype.kind not in REAL:
        raise InputError(name, "must hold real numbers", f"dtype {matrix.dtype}")
    csr = sparse.csr_array(matrix)
    csr = csr.astype(held_type(csr.dtype), copy=False)
    if not csr.has_canonical_format:
        csr = csr.copy()  # summing duplicates works in place, and the matrix is the user's
        csr.sum_duplicates()
    return csr, csr.data


def _real_array(values: Any, name: str, convert: bool = True) -> Array:
    if np.ma.is_masked(values):
        raise InputError(name, "must have no masked entries", f"{int(np.ma.getmaskarray(values).sum())}")
    try:
        array = np.asarray(values)
        if array.dtype.kind == "O":
            array = array.astype(np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(name, f"must be an array of real numbers; {error}") from None
    if array.dtype.kind not in REAL:
        raise InputError(name, "must hold real numbers", f"dtype {array.dtype}")
    small = array.dtype.kind in WHOLE and array.dtype.itemsize <= 2
    return array if small and not convert else array.astype(held_type(array.dtype), copy=False)


def held_type(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """In which real numbers are held: float32 where it holds all of the type exactly, else float64.

    >>> held_type(np.dtype("uint8")), held_type(np.dtype("int32"))
    (dtype('float32'), dtype('float64'))
    """
    exact = dtype.newbyteorder("=") == np.float32 or (dtype.itemsize <= 2 and dtype.kind in REAL)
    return np.dtype(np.float32 if exact else np.float64)


def check_finite(entries: Array, name: str) -> None:
    """Refuse NaN and infinity; a memory map is read once, and no array of flags is made where all is well."""
    if not np.isfinite(extremes(entries)).all():
        count = 0
        first: tuple[int, ...] = ()
        for start in range(0, len(entries), _step(entries)):
            bad = np.argwhere(~np.isfinite(entries[start : start + _step(entries)]))
            if count == 0 and len(bad):
                first = (start + int(bad[0, 0]), *(int(k) for k in bad[0, 1:]))
            count += len(bad)
        found = f"{count} NaN or infinite, first {entries[first]} at {first}"
        raise InputError(name, "must hold finite numbers only", found)


def check_block(block: Array, name: str, first: int) -> None:
    """The same of some rows, of which ``first`` is the number of the first."""
    if block.size and not np.isfinite([block.min(), block.max()]).all():
        row, column = (int(k) for k in np.argwhere(~np.isfinite(block))[0])
        place = f"{block[row, column]} in row {first + row}, column {column}"
        raise InputError(name, "must hold finite numbers only", place)


def extremes(entries: Array) -> tuple[float, float]:
    """The smallest and the largest entry, NaN where one is; 0 and 0 of nothing. A block at a time."""
    if not entries.size:
        return 0.0, 0.0
    rows = entries.T if entries.flags.f_contiguous else entries  # as they lie in memory
    blocks = (rows[start : start + _step(rows)] for start in range(0, len(rows), _step(rows)))
    found = np.array([(block.min(), block.max()) for block in blocks])
    return float(found[:, 0].min()), float(found[:, 1].max())


def _step(entries: Array) -> int:
    """Rows of a block of some megabytes."""
    return max(1, 2**22 // max(1, entries[:1].nbytes))


def check_n_neighbors(n_neighbors: object, n: int) -> int:
    if n < 2:
        raise InputError("X", "must hold at least 2 samples for any of them to have a neighbor", n)
    return check_integer(n_neighbors, "n_neighbors", 1, n - 1, f" for {n} samples")


def check_alignment(phi: Any, name: str = "phi") -> Sparse:
    """A symmetric matrix as a canonical float64 `csr_array`; a dense one stays a float64 array."""
    phi = check_square(phi, name)
    _check_symmetric(phi, phi.data if sparse.issparse(phi) else phi, name)
    return phi


def _check_symmetric(phi: Sparse, entries: Floats, name: str) -> None:
    """phi x = phi^T x for random x, row by row in its own scale: sure to tell, without a copy of phi."""
    x = np.random.default_rng(0).standard_normal(phi.shape[0])
    largest = max(float(entries.max(initial=0.0)), -float(entries.min(initial=0.0)))
    if largest > 1e300:
        raise InputError(name, "must be of magnitude up to 1e300", f"{largest:g}: rescale it")
    gap = np.abs(phi @ x - phi.T @ x)
    bad = gap > 1e-8 * np.sqrt(phi.shape[0]) * (_row_sizes(phi) + 1e-8 * largest)
    if bad.any():
        i = int(np.flatnonzero(bad)[0])
        raise InputError(name, f"must be symmetric; phi @ x and phi.T @ x differ by {gap[i]:.3g} at {i}")


def _row_sizes(phi: Sparse) -> Floats:
    """The largest magnitude in each row, without a copy of phi."""
    if not sparse.issparse(phi):
        return np.maximum(phi.max(axis=1), -phi.min(axis=1))  # type: ignore[no-any-return]
    sizes = np.zeros(phi.shape[0])
    filled = np.flatnonzero(np.diff(phi.indptr))
    if len(filled):
        most, least = (f.reduceat(phi.data, phi.indptr[filled]) for f in (np.maximum, np.minimum))
        sizes[filled] = np.maximum(most, -least)
    return sizes


def check_landmarks(landmarks: Any, n: int, name: str = "landmarks") -> Ints:
    """Distinct indices into n samples, at least one, as int64 in the given order."""
    try:
        array = np.asarray(landmarks)
    except ValueError:
        raise InputError(name, "must be one-dimensional", "rows of different lengths") from None
    if array.dtype == bool:
        raise InputError(name, "must be integer indices, not a mask", "dtype bool")
    if array.ndim != 1 or array.size == 0:
        raise InputError(name, "must be one-dimensional and not empty", f"shape {array.shape}")
    if array.dtype.kind not in "iu":
        raise InputError(name, "must be integer indices", f"dtype {array.dtype}")
    if array.min() < 0 or array.max() >= n:
        bad = array[(array < 0) | (array >= n)][0]
        raise InputError(name, f"must lie in [0, {n - 1}] for {n} samples", bad)
    unique, counts = np.unique(array, return_counts=True)
    if len(unique) < len(array):
        raise InputError(name, "must be distinct", f"{unique[counts > 1][0]} {counts.max()} times")
    return array.astype(np.int64, copy=False)


def check_values(
    values: Any, n_rows: int, name: str = "values", rows: str = "one row per landmark"
) -> Floats:
    """Real targets, (n_rows,) or (n_rows, d), float64 and finite."""
    array = _real_array(values, name).astype(np.float64, copy=False)
    if array.ndim not in (1, 2) or array.shape[0] != n_rows or array.size == 0:
        raise InputError(
            name, f"must have shape ({n_rows},) or ({n_rows}, d), {rows}", f"shape {array.shape}"
        )
    check_finite(array, name)
    return array


def check_fraction(value: object, name: str) -> float:
    """A number in [0, 1]."""
    number = isinstance(value, numbers.Real) and not isinstance(value, bool | np.bool_)
    if not number or not 0.0 <= float(value) <= 1.0:  # type: ignore[arg-type]
        raise InputError(name, "must be a number in [0, 1]", repr(value))
    return float(value)  # type: ignore[arg-type]


def check_rng(random_state: Any) -> np.random.Generator:
    try:
        if isinstance(random_state, bool | np.bool_):
            raise TypeError
        return np.random.default_rng(random_state)
    except (TypeError, ValueError):
        rule = "None, an integer from 0 or a numpy Generator"
        raise InputError("random_state", f"must be {rule}", repr(random_state)) from None


def check_magnitude(entries: Array, name: str) -> None:
    """Refuse numbers whose squares and products would leave the range of float64."""
    low, high = extremes(entries)
    largest = max(high, -low, 0.0)
    if largest > 0 and not 1e-100 <= largest <= 1e100:
        raise InputError(name, "must be of magnitude 1e-100 to 1e100", f"{largest:g}: rescale it")


def check_edges(edges: Any) -> Ints:
    """An edge list as (m, 2) int64; floats pass where they are whole numbers."""
    array = _real_array(edges, "edges") if np.size(edges) else np.empty((0, 2))
    if array.ndim != 2 or array.shape[1] != 2:
        raise InputError("edges", "must have shape (m, 2), one pair of sample numbers per row", array.shape)
    check_finite(array, "edges")
    if array.size and (array.min() < 0 or not np.array_equal(array, np.rint(array))):
        bad = array[(array < 0) | (array != np.rint(array))][0]
        raise InputError("edges", "must hold whole numbers from 0", f"{bad:g}")
    if array.size and array.max() >= 2**31 - 1:
        raise InputError("edges", "must number samples below 2^31 - 1, without gaps", f"{array.max():.0f}")
    return array.astype(np.int64)


def check_weights(weights: Any, n_edges: int, name: str = "weights") -> Floats:
    """Similarities of edges; 0 means no edge, and 1 / w must be finite for the others."""
    array = _real_array(weights, name).astype(np.float64, copy=False)
    if array.shape != (n_edges,):
        raise InputError(name, f"must have shape ({n_edges},), one per edge", array.shape)
    check_finite(array, name)
    if array.size and array.min() < 0:
        raise InputError(name, "must be similarities of at least 0", f"{array.min():g}")
    positive = array[array > 0]
    if positive.size and not 1e-300 <= positive.min() <= positive.max() <= 1e300:
        odd = positive.min() if positive.min() < 1e-300 else positive.max()
        raise InputError(name, "must be 0 or lie in [1e-300, 1e300]", f"{odd:g}")
    return array


def check_distances(distances: Any) -> Any:
    """Distances as a canonical `csr_array` (stored zeros stay) or a dense array."""
    matrix = check_square(distances, "X")
    entries = matrix.data if sparse.issparse(matrix) else matrix
    if entries.size and entries.min() < 0:
        raise InputError(
            "X", "must hold distances of at least 0 for metric='precomputed'", f"{entries.min():g}"
        )
    return matrix


def check_new_distances(distances: Any, n: int) -> Any:
    """Distances of new samples to the n of the pool, (m, n)."""
    matrix = check_features(distances, "X_new")
    if matrix.shape[1] != n:
        raise InputError("X_new", f"must hold the distances to all {n} pool samples", f"shape {matrix.shape}")
    entries = matrix.data if sparse.issparse(matrix) else matrix
    if entries.size and entries.min() < 0:
        raise InputError("X_new", "must hold distances of at least 0", f"{entries.min():g}")
    return matrix


def check_initial(initial: Any, n: int, name: str = "initial") -> Ints:
    """Landmarks that there are already; none by default."""
    empty = initial is None or (hasattr(initial, "__len__") and len(initial) == 0)
    return np.empty(0, dtype=np.int64) if empty else check_landmarks(initial, n, name)


def indefinite() -> InputError:
    return InputError("phi", "must be positive semidefinite", "a matrix with a negative eigenvalue")


def singular() -> InputError:
    unknown = "is singular on the samples without a value: the landmarks do not determine the others"
    return InputError("phi", f"{unknown}; add landmarks, or gamma > 0")


def check_weight(value: Any, name: str, n_rows: int) -> Floats:
    """A positive number for all landmarks, or one for each, as (n_rows,) float64."""
    array = _real_array(value, name).astype(np.float64, copy=False)
    if array.ndim > 1 or (array.ndim == 1 and len(array) != n_rows):
        raise InputError(name, f"must be one number or have shape ({n_rows},)", f"shape {array.shape}")
    check_finite(np.atleast_1d(array), name)
    if array.min() <= 0.0:
        raise InputError(name, "must be greater than 0", f"{array.min():g}")
    return np.broadcast_to(array, (n_rows,)).copy()


def check_sample_weight(sample_weight: Any, n: int) -> Floats | None:
    """(n,) how much each sample counts, of mean 1; None where all count the same."""
    if sample_weight is None:
        return None
    array = _real_array(sample_weight, "sample_weight").astype(np.float64, copy=False)
    if array.shape != (n,):
        raise InputError("sample_weight", f"must have shape ({n},), one number a sample", array.shape)
    check_finite(array, "sample_weight")
    if array.min() < 0.0 or array.max() <= 0.0:
        raise InputError("sample_weight", "must be at least 0, and not all zero", f"{array.min():g}")
    if array.min() == array.max():
        return None
    return np.asarray(array / array.max() / np.mean(array / array.max()))


def check_unused(method: str, **options: Any) -> None:
    """Refuse options that the method has no use for: each is given with the value that means unset."""
    for name, (value, unset) in options.items():
        if value is not unset and not (isinstance(value, str | float) and value == unset):
            raise InputError(name, f"has no meaning for method={method!r}", repr(value))


def check_pool_values(values: Any, n: int) -> Floats:
    """Values of the whole pool, (n,) or (n, d), float64; NaN where unknown, never infinite."""
    array = _real_array(values, "values").astype(np.float64, copy=False)
    if array.ndim not in (1, 2) or array.shape[0] != n or array.size == 0:
        raise InputError(
            "values", f"must have shape ({n},) or ({n}, d), one row per pool sample", f"shape {array.shape}"
        )
    if np.isinf(array).any():
        raise InputError("values", "must be finite or NaN", f"{int(np.isinf(array).sum())} infinite")
    return array


def check_dense_size(n: int, limit: int, method: str, arrays: int = 1) -> None:
    """Refuse a pool whose ``arrays`` arrays of (n, n) are too much."""
    if n > limit:
        needed = f"n = {n} would need {8 * arrays * n * n / 1e9:.3g} GB"
        raise InputError(method, f"needs a dense matrix: {needed}; the limit is {limit}")


def check_label(label: Any, name: str, rule: str) -> Hashable:
    """One class: anything hashable, but not missing; ``rule`` says whose label it is."""
    try:
        hash(label)
        missing = label is None or bool(label != label)  # NaN is no class, nor is pandas' NA
    except (TypeError, ValueError):
        missing = True
    if missing:
        raise InputError(name, f"{rule}, hashable and not None or NaN", repr(label))
    return label  # type: ignore[no-any-return]

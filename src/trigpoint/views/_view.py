"""The record of a fitted view, and how it transforms samples.

    raw         x
    standard    (x - mean) / std
    half_white  P(b),       s^(-1/2) along each component, length 1
    white       P(b / |b|), s^(-1)   along each component, length 1

b is the row in the base, "raw" or "standard". P projects on the principal components, whose standard
deviations are s.
"""

from dataclasses import dataclass, fields
from typing import Any

from scipy.sparse import issparse

from trigpoint._kernels import run_blocks
from trigpoint._mapped import empty_beside
from trigpoint._types import Array, Floats
from trigpoint._validation import check_features, check_magnitude, held_type
from trigpoint.views._rows import BLOCK, Steps, product, to_unit_rows

TASK = 16 * BLOCK  # rows, one after the other in a thread
VIEWS = ("raw", "standard", "half_white", "white")


@dataclass(frozen=True, eq=False, repr=False)
class View:
    """Features in another metric, fitted on a pool without labels: see `fit_view`.

    Attributes
    ----------
    name : "raw", "standard", "half_white" or "white"
    base : "raw", or "standard" where the columns are brought to one scale first
    n_features_in : number of features that it takes
    n_components : number of features that it gives
    steps : what happens to a row before the projection
    projection : (n_features_in, n_components) float64 or None
        The components, each divided by its power of s.
    floor : projected rows no longer than this are rounding errors, and become zero

    Examples
    --------
    >>> import numpy as np, trigpoint as tp
    >>> X = np.random.default_rng(0).normal(size=(50, 8))
    >>> view = tp.fit_view(X, "white")
    >>> view.transform(X).shape, view.n_features_in
    ((50, 8), 8)
    """

    name: str
    base: str
    n_features_in: int
    steps: Steps
    projection: Floats | None = None
    floor: float = 0.0

    def __post_init__(self) -> None:
        for array in (self.projection, self.steps.shift, self.steps.scale, self.steps.center):
            if array is not None:
                array.flags.writeable = False

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles make a new record, whose arrays are read-only again."""
        return View, tuple(getattr(self, f.name) for f in fields(self))

    @property
    def n_components(self) -> int:
        """How many features it gives."""
        return self.n_features_in if self.projection is None else self.projection.shape[1]

    def transform(self, X: Any) -> Any:
        """Samples of the pool, or new ones, in this view.

        Parameters
        ----------
        X : (n, n_features_in), dense or sparse

        Returns
        -------
        (n, n_components), float32 if X is float32 or of whole numbers of up to 16 bits, otherwise float64.
        "raw" returns X itself, if it is float32 or float64. "standard" keeps sparse features sparse, if it
        was fitted on such. What is made of a memory map from 1 GiB on is one, too, of a temporary file. A row
        does not depend on the other rows of X.
        """
        X = check_features(X, n_features=self.n_features_in, convert=self.name == "raw")
        if self.name == "raw":
            return X
        check_magnitude(X.data if issparse(X) else X, "X")
        if self.projection is None and issparse(X) and self.steps.shift is None:
            return self.steps.of(X, slice(None)).astype(X.dtype, copy=False)
        out = empty_beside(X, (X.shape[0], self.n_components), held_type(X.dtype))

        def work(start: int, stop: int) -> None:
            for first in range(start, stop, BLOCK):
                rows = slice(first, min(first + BLOCK, stop))
                out[rows] = self._rows(X, rows)

        run_blocks(work, len(out), TASK, "features")
        return out

    def _rows(self, X: Any, rows: slice) -> Array:
        prepared = self.steps.of(X, rows)
        if self.projection is None:
            return prepared  # type: ignore[no-any-return]
        projected = product(prepared, self.projection)
        to_unit_rows(projected, self.floor)
        return projected

    def __repr__(self) -> str:
        return f"View({self.name!r}, base={self.base!r}, {self.n_features_in} -> {self.n_components})"

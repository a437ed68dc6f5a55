"""An embedding column is its own features: the recipe remembers its name and how many numbers it has."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from trigpoint._errors import InputError
from trigpoint._types import Array


@dataclass(frozen=True)
class EmbeddingRecipe:
    """The features of a table are those of one column.

    Attributes
    ----------
    column : its name
    n_features : numbers in each of its lists
    """

    column: str
    n_features: int

    @property
    def kind(self) -> str:
        return "table"

    def transform(self, samples: Mapping[str, Array]) -> Array:
        """(m, p) features: the column itself, if it has as many numbers as that of the pool."""
        if self.column not in samples:
            raise InputError("columns", f"must include the embedding {self.column!r} of the pool")
        X = samples[self.column]
        if X.ndim != 2 or X.shape[1] != self.n_features:
            rule = f"must be lists of {self.n_features} numbers, as in the pool"
            raise InputError(f"column {self.column!r}", rule, f"shape {X.shape}")
        return X

    def state(self) -> dict[str, Any]:
        return {"kind": "embedding", "column": self.column, "n_features": self.n_features}

"""Texts -> points on the unit sphere.

The weights of the words (see `Terms`) in their d leading singular directions, d <= 100, each row scaled to
length 1. A text without any word that counts is the zero vector. Seeded: equal texts give equal features.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from trigpoint._errors import InputError
from trigpoint._types import Array, Floats, Sparse
from trigpoint.features._terms import Terms, fit_terms

DIMENSIONS = 100


@dataclass(frozen=True, eq=False)
class TextRecipe:
    """How texts become features.

    Attributes
    ----------
    terms : that count, and their weights
    axes : (n_terms, d) directions; None where there are few terms, each a feature of its own
    """

    terms: Terms
    axes: Array | None

    @property
    def kind(self) -> str:
        return "text"

    def transform(self, texts: Sequence[str]) -> Floats:
        """(m, d) features; a text's do not depend on the other texts."""
        weights = self.terms.transform(texts)
        return _unit(weights.toarray() if self.axes is None else weights @ self.axes)

    def state(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "split": self.terms.split,
            "terms": list(self.terms.names),
            "idf": self.terms.idf,
            "axes": self.axes,
        }


def fit_text(texts: Sequence[str]) -> TextRecipe:
    """The recipe for texts like these."""
    if not any(text.strip() for text in texts):
        raise InputError("texts", "must hold texts; all are blank")
    terms = fit_terms(texts, "words")
    return TextRecipe(terms, _axes(terms.transform(texts)))


def text_recipe_from(state: dict[str, Any]) -> TextRecipe:
    return TextRecipe(Terms(state["split"], tuple(state["terms"]), state["idf"]), state["axes"])


def _axes(weights: Sparse) -> Array | None:
    from sklearn.utils.extmath import randomized_svd

    if weights.shape[1] <= DIMENSIONS:
        return None
    V = randomized_svd(weights, min(DIMENSIONS, weights.shape[0]), n_iter=5, random_state=0)[2]
    return np.ascontiguousarray(V.T)


def _unit(X: Floats) -> Floats:
    norms: Floats = np.linalg.norm(X, axis=1, keepdims=True)
    unit: Floats = np.divide(X, norms, out=np.zeros_like(X), where=norms > 1e-12)
    return unit

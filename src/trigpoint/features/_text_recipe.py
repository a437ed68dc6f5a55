"""Texts -> points on the unit sphere.

"words": the weights of pieces of words (`Terms`) along their d leading singular directions, d <= 100, scaled
to length 1. It knows nothing but the texts of the pool.

"embeddings": the means of token vectors (`TokenVectors`), scaled to length 2, beside the features of "words",
and all scaled to length 1. Vectors know what words mean, and pieces know the words of this pool, such as
names, that vectors do not.

"auto" is "embeddings" where the extra is installed, else "words". A text without any word is the zero vector.
Of very long texts the beginning counts. Equal texts give equal features, whatever the other texts are.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from trigpoint._errors import InputError
from trigpoint._types import Array, Sparse
from trigpoint._validation import check_choice
from trigpoint.features._terms import Terms, fit_terms
from trigpoint.features._token_vectors import TokenVectors, check_installed, is_installed, token_vectors

TEXT_METHODS = ("auto", "words", "embeddings")
DIMENSIONS = 100
FITTED = 20_000  # texts that the directions are found from
LONGEST = 100_000  # characters of a text that count
EMBEDDED = 2.0  # length of the part of embeddings, where that of pieces is 1


@dataclass(frozen=True, eq=False)
class TextRecipe:
    """How texts become features.

    Attributes
    ----------
    terms : that count, and their weights
    axes : (n_terms, d) float32 directions; None where there are few terms, each a feature of its own
    vectors : of tokens, for the method "embeddings"; else None
    """

    terms: Terms
    axes: Array | None
    vectors: TokenVectors | None

    @property
    def kind(self) -> str:
        return "text"

    @property
    def method(self) -> str:
        return "words" if self.vectors is None else "embeddings"

    def transform(self, texts: Sequence[str]) -> Array:
        """(m, d) float32 features."""
        texts = [_cut(text) for text in texts]
        return self._joined(self.terms.transform(texts), texts)

    def _joined(self, weights: Sparse, texts: Sequence[str]) -> Array:
        pieces = _unit(weights.toarray() if self.axes is None else weights @ self.axes)
        if self.vectors is None:
            return pieces
        return _unit(np.hstack([EMBEDDED * _unit(self.vectors.transform(texts)), pieces]))

    def state(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "terms": list(self.terms.names),
            "idf": self.terms.idf,
            "axes": self.axes,
            "vectors": None if self.vectors is None else self.vectors.digest,
        }


def text_method(method: str = "auto") -> str:
    """What "auto" is here; refuses a method whose extra is not installed."""
    check_choice(method, "text_features", TEXT_METHODS)
    if method == "embeddings":
        check_installed("text_features='embeddings'")
    return "embeddings" if method != "words" and is_installed() else "words"


def fit_text(texts: Sequence[str], method: str = "auto") -> TextRecipe:
    """Learn from texts how texts like these become features; method : "words", "embeddings" or "auto".

    Parameters
    ----------
    texts : of the pool
    method : "words": weights of pieces of words, reduced to at most 100 numbers; "embeddings": mean vectors
        of words beside these, with the extra `trigpoint[text]`; "auto": embeddings where they are installed

    Returns
    -------
    TextRecipe
        ``recipe.transform(texts)`` are features, also of new texts.

    Notes
    -----
    Cost: time in proportion to the characters of all texts, of which the first 100,000 of each count; and a
    truncated decomposition of a sparse matrix of texts x pieces.

    See Also
    --------
    trigpoint.read_pool : the same for a column of a file.

    Examples
    --------
    >>> from trigpoint.features import fit_text
    >>> recipe = fit_text(["good tea", "tea is good", "a late parcel", "the parcel is late"], method="words")
    >>> recipe.transform(["late tea"]).shape[0]
    1
    """
    return fitted_text(texts, method)[0]


def fitted_text(texts: Sequence[str], method: str = "auto") -> tuple[TextRecipe, Array]:
    """`fit_text`, and the features of these texts, without taking them to pieces again."""
    method = text_method(method)
    if not any(text.strip() for text in texts):
        raise InputError("texts", "must hold texts; all are blank")
    texts = [_cut(text) for text in texts]
    terms, weights = fit_terms(texts)
    recipe = TextRecipe(terms, _axes(weights), token_vectors() if method == "embeddings" else None)
    return recipe, recipe._joined(weights, texts)


def text_recipe_from(state: dict[str, Any]) -> TextRecipe:
    vectors = None
    if state["vectors"] is not None:
        check_installed("a recipe with embeddings")
        vectors = token_vectors()
        if vectors.digest != state["vectors"]:
            rule = "needs the version of wordllama that it was made with"
            raise InputError("a recipe with embeddings", rule)
    return TextRecipe(Terms(tuple(state["terms"]), state["idf"]), state["axes"], vectors)


def _cut(text: str) -> str:
    """The part that counts; half a character, which JSON may hold, becomes a question mark."""
    return text.strip()[:LONGEST].encode("utf-8", "replace").decode()


def _axes(weights: Sparse) -> Array | None:
    """Leading singular directions of at most `FITTED` texts."""
    from sklearn.utils.extmath import randomized_svd

    n, n_terms = weights.shape
    if n_terms <= DIMENSIONS:
        return None
    if n > FITTED:
        weights = weights[np.sort(np.random.default_rng(0).choice(n, FITTED, replace=False))]
    V = randomized_svd(weights, min(DIMENSIONS, n), n_iter=5, random_state=0)[2]
    return np.ascontiguousarray(V.T, dtype=np.float32)


def _unit(X: Array) -> Array:
    norms = np.linalg.norm(X, axis=1, keepdims=True)
    unit: Array = np.divide(X, norms, out=np.zeros_like(X), where=norms > 1e-6)
    return unit

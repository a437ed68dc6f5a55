"""Texts as weights of the pieces of their words (TF-IDF).

A term is a run of two to four characters of a word, whose ends count as blanks: "to" has " t", "to", "o ",
" to", "to " and " to ". Pieces know that "card" and "cards" are alike, and need no spaces between words.
Term w of text i, which occurs c times in it, weighs (1 + log c) * (1 + log((1 + n) / (1 + df_w))), for n
texts of which df_w hold the term; rows then have length 1. A text without a known term is a row of zeros.
The matrix is sparse, and a row does not depend on the other texts.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from trigpoint._errors import InputError
from trigpoint._types import Array, Sparse

MOST = 50_000  # terms: the most common ones
RARE = 1000  # texts, from which on a term must occur in two of them
PIECES: dict[str, Any] = {"analyzer": "char_wb", "ngram_range": (2, 4)}


@dataclass(frozen=True, eq=False)
class Terms:
    """The terms that count.

    Attributes
    ----------
    names : the terms, sorted
    idf : (n_terms,) float64, their weights
    """

    names: tuple[str, ...]
    idf: Array

    def transform(self, texts: Sequence[str]) -> Sparse:
        """(m, n_terms) float32 `csr_array` with rows of length 1, or 0."""
        from sklearn.feature_extraction.text import CountVectorizer

        counts = CountVectorizer(vocabulary=self.names, **PIECES).transform(texts)
        return _weighed(counts, self.idf)


def fit_terms(texts: Sequence[str]) -> tuple[Terms, Sparse]:
    """The terms of these texts, and the weights of all texts."""
    from sklearn.feature_extraction.text import CountVectorizer

    n = len(texts)
    count = CountVectorizer(max_features=MOST, min_df=2 if n >= RARE else 1, **PIECES)
    try:
        counts = count.fit_transform(texts)
    except ValueError:  # what scikit-learn says where no term is left
        raise InputError("texts", "must hold words", "none that counts") from None
    df = np.bincount(counts.indices, minlength=counts.shape[1])
    terms = Terms(tuple(count.get_feature_names_out().tolist()), 1 + np.log((1 + n) / (1 + df)))
    return terms, _weighed(counts, terms.idf)


def _weighed(counts: Any, idf: Array) -> Sparse:
    from scipy.sparse import csr_array

    counts.sort_indices()
    weights = (1 + np.log(counts.data)) * idf[counts.indices]
    filled = np.diff(counts.indptr)
    row = np.repeat(np.arange(len(filled)), filled)
    lengths = np.sqrt(np.bincount(row, weights=weights**2, minlength=len(filled)))
    found = (weights / lengths[row]).astype(np.float32)
    return csr_array((found, counts.indices, counts.indptr), shape=counts.shape)

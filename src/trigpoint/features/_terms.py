"""Texts as weights of their terms: words, or pieces of words (TF-IDF).

Term w of text i, which occurs c times in it, weighs (1 + log c) * (1 + log((1 + n) / (1 + df_w))), for n
texts of which df_w hold the term; rows then have length 1. A text without a known term is a row of zeros.
The matrix is sparse, and a row does not depend on the other texts.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from trigpoint._errors import InputError
from trigpoint._types import Floats, Sparse

MOST = 50_000  # terms: the most common ones
RARE = 1000  # texts, from which on a term must occur in two of them
SPLITS: dict[str, dict[str, Any]] = {
    "words": {"token_pattern": r"(?u)\b\w+\b"},
}


@dataclass(frozen=True, eq=False)
class Terms:
    """The terms that count.

    Attributes
    ----------
    split : "words"
    names : the terms, sorted
    idf : (n_terms,) their weights
    """

    split: str
    names: tuple[str, ...]
    idf: Floats

    def transform(self, texts: Sequence[str]) -> Sparse:
        """(m, n_terms) `csr_array` with rows of length 1, or 0."""
        from scipy.sparse import csr_array
        from sklearn.feature_extraction.text import CountVectorizer

        count = CountVectorizer(vocabulary=self.names, **SPLITS[self.split])
        found = csr_array(count.transform(texts), dtype=np.float64)
        found.sort_indices()
        return _weighed(found, self.idf)


def fit_terms(texts: Sequence[str], split: str) -> Terms:
    """The terms of these texts."""
    from sklearn.feature_extraction.text import CountVectorizer

    n = len(texts)
    count = CountVectorizer(max_features=MOST, min_df=2 if n >= RARE else 1, **SPLITS[split])
    try:
        found = count.fit_transform(texts)
    except ValueError as error:  # what scikit-learn says where no term is left
        raise InputError("texts", "must hold words", "none that counts") from error
    df = np.bincount(found.indices, minlength=found.shape[1])
    return Terms(split, tuple(count.get_feature_names_out()), 1 + np.log((1 + n) / (1 + df)))


def _weighed(counts: Sparse, idf: Floats) -> Sparse:
    counts.data = (1 + np.log(counts.data)) * idf[counts.indices]
    lengths = np.sqrt(np.add.reduceat(np.append(counts.data**2, 0.0), counts.indptr[:-1]))
    filled = np.diff(counts.indptr)
    counts.data /= np.repeat(np.where(filled > 0, lengths, 1.0), filled)
    return counts

"""Texts as points.

Texts become TF-IDF, reduced by a truncated SVD, on the unit sphere: words w of text i weigh
(1 + log count) * (1 + log((1 + n) / (1 + df_w))); the leading d <= 100 singular directions of that matrix,
each row scaled to length 1. A text without any word that counts is the zero vector. Seeded, so equal texts
give equal features. For meaning beyond shared words, give embeddings.
"""

from pathlib import Path

import numpy as np

from trigpoint._errors import InputError
from trigpoint._types import Floats
from trigpoint.io._files import reading

DIMENSIONS = 100  # of texts
VOCABULARY = 50_000  # words
RARE = 1000  # texts, from which on a word must occur in two of them


def text_features(texts: list[str], path: Path) -> Floats:
    """(n, d) float64, d <= 100."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.utils.extmath import randomized_svd

    if not any(text.strip() for text in texts):
        raise InputError(path, "must hold texts in its text column; all are blank")
    rare = 2 if len(texts) >= RARE else 1
    weigh = TfidfVectorizer(
        sublinear_tf=True, max_features=VOCABULARY, min_df=rare, token_pattern=r"(?u)\b\w+\b"
    )
    with reading(path, "text with words"):
        weights = weigh.fit_transform(texts)
    if weights.shape[1] <= DIMENSIONS:
        X = weights.toarray()
    else:
        U, s, _ = randomized_svd(weights, min(DIMENSIONS, len(texts)), n_iter=5, random_state=0)
        X = U * s
    norms: Floats = np.linalg.norm(X, axis=1, keepdims=True)
    unit: Floats = np.divide(X, norms, out=np.zeros_like(X), where=norms > 1e-12)
    return unit

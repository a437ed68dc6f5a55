"""Texts as features, by the definitions: loops and dense arrays."""

import math
import re

import numpy as np


def words(text):
    return re.findall(r"\w+", text.lower())


def tfidf(texts, new, split=words):
    """(m, n_terms) weights of new texts by the terms of others, which are sorted."""
    n = len(texts)
    names = sorted({term for text in texts for term in split(text)})
    rows = []
    for text in new:
        found = split(text)
        row = [weight(found.count(w), n, sum(w in split(t) for t in texts)) for w in names]
        length = math.sqrt(sum(x * x for x in row))
        rows.append([x / length if length else 0.0 for x in row])
    return np.array(rows).reshape(len(new), len(names))


def weight(count, n, df):
    return (1 + math.log(count)) * (1 + math.log((1 + n) / (1 + df))) if count else 0.0

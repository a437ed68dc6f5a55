"""Texts as features, by the definitions: loops and dense arrays."""

import math

import numpy as np


def tfidf(texts, new, split):
    """(m, n_terms) weights of new texts by the terms of others, which are sorted."""
    n, split_texts = len(texts), [split(text) for text in texts]
    names = sorted({term for found in split_texts for term in found})
    df = {w: sum(w in found for found in split_texts) for w in names}
    rows = []
    for text in new:
        found = split(text)
        row = [weight(found.count(w), n, df[w]) for w in names]
        length = math.sqrt(sum(x * x for x in row))
        rows.append([x / length if length else 0.0 for x in row])
    return np.array(rows).reshape(len(new), len(names))


def weight(count, n, df):
    return (1 + math.log(count)) * (1 + math.log((1 + n) / (1 + df))) if count else 0.0


def pieces(text):
    """Runs of two to four characters of words between blanks; of a shorter word, all of it, once."""
    found = []
    for word in text.lower().split():
        padded = f" {word} "
        for length in (2, 3, 4):
            found += [padded[i : i + length] for i in range(max(1, len(padded) - length + 1))]
            if len(padded) <= length:
                break
    return found

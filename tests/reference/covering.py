"""Coverage of a pool by landmarks, and exchanges of them, from the definition."""

import numpy as np

from reference.learner import cover


def covered(S, weights, landmarks):
    """F(L) = sum_j w_j max_{i in L} S_ij."""
    return float(weights @ S[list(landmarks)].max(axis=0))


def exchanged(S, weights, picks, initial=(), sweeps=10, least=1e-7):
    """Every candidate in the order of what it covers alone, in every place, until nothing is gained."""
    initial, picks = list(initial), list(picks)
    order = np.argsort(-(S @ weights), kind="stable").tolist()
    for _ in range(sweeps):
        before, bar = list(picks), least * covered(S, weights, initial + picks)
        for i in order:
            if i in picks or i in initial:
                continue
            now = covered(S, weights, initial + picks)
            others = [
                covered(S, weights, initial + picks[:k] + [i] + picks[k + 1 :]) for k in range(len(picks))
            ]
            if max(others) > now + bar:
                picks[int(np.argmax(others))] = i
        if picks == before:
            break
    return picks


def best_covering(S, weights, count, initial=()):
    """Greedy, then exchanges, in the order in which greedy takes what is left."""
    start = np.zeros(len(S))
    for i in initial:
        start = np.maximum(start, S[i])
    cost, free = np.ones(len(S)), [i for i in range(len(S)) if i not in initial]
    picks = cover(S, weights, start, free, cost, count)
    return cover(S, weights, start, sorted(exchanged(S, weights, picks, initial)), cost, count)

"""How many labels are wrong, and which, by what others say of them.

With q_i what the mixture says of label y_i without knowing it, p_i = q_i^(1/T), scaled to sum to one, and
N(c, y) the chance that a sample of class c is given label y, a label has probability

    P(y_i) = sum_c p_i(c) N(c, y_i),     and is from class c with R_i(c) = p_i(c) N(c, y_i) / P(y_i).

T says how sure the mixture may be of the truth, N how labels differ from it. Both together maximize
sum_i log P(y_i) - PRIOR (log T)^2: T on a grid, N by expectation and maximization. Wrong labels show as
predictions that are sure and yet contradicted. If T were fitted alone, the mixture would become unsure.

A row of N is drawn to (1 - e, e / (k - 1), ...), by as many imagined labels as there are classes, where e is
the share of wrong labels in all. A label counts only if its class has `SUPPORT` others; of the rest the
others cannot tell, and they are taken to be right. Noise is believed if it raises the likelihood, against the
best T without noise, by more than log l: Bayes' criterion for two parameters.
"""

from dataclasses import dataclass

import numpy as np

from trigpoint._types import Array, Floats, Ints
from trigpoint.prediction._mixture import PRIOR, sharpened

SUPPORT = 5
GRID = np.exp(np.linspace(np.log(0.2), np.log(3.0), 16))
STEPS = 10
FIRST = 0.1  # e, to begin with
FLOOR = 1e-3  # share of p that is flat
SOME = 20_000  # labels that T and N are found from, at most


@dataclass(frozen=True, eq=False)
class LabelNoise:
    """What is known of wrong labels.

    Attributes
    ----------
    share : e, of the labels
    matrix : (k, k) N
    temperature : T
    posterior : (l, k) R; one-hot where a label cannot be judged
    judged : (l,) bool
    gain : of the likelihood, beyond what is asked for; noise is believed if it is positive
    codes : (l,) the labels
    """

    share: float
    matrix: Floats
    temperature: float
    posterior: Floats
    judged: Array
    gain: float
    codes: Ints

    @property
    def right(self) -> Floats:
        """(l,) how likely each label is right."""
        return _own(self.posterior, self.codes)


def label_noise(
    q: Floats, codes: Ints, share: float | None = None, trusted: Array | None = None
) -> LabelNoise:
    """Find T, N and R.

    Parameters
    ----------
    q : (l, k) what is said of each label without knowing it
    codes : (l,) the labels
    share : e, if it is known
    trusted : (l,) bool, labels that are right for certain, optional
    """
    k = q.shape[1]
    judged = np.bincount(codes, minlength=k)[codes] > SUPPORT
    sure = np.zeros(len(codes), dtype=bool) if trusted is None else trusted
    R = np.zeros_like(q)
    R[np.arange(len(codes)), codes] = 1.0
    some = np.flatnonzero(judged)
    some = some[:: -(-len(some) // SOME)] if len(some) else some
    if len(some) == 0 or k < 2:
        return LabelNoise(share or 0.0, np.eye(k), 1.0, R, judged, -np.inf, codes)
    best, plain = (-np.inf, 1.0, np.eye(k)), -np.inf
    for T in GRID:
        p, y, prior = probable(q[some], T), codes[some], PRIOR * float(np.log(T)) ** 2
        N = _maximized(p, y, share, sure[some])
        best = max(best, (_likelihood(p, y, N, sure[some]) - prior, float(T), N), key=lambda found: found[0])
        plain = max(plain, float(np.log(_own(p, y)).sum()) - prior)
    likelihood, T, N = best
    doubted = judged & ~sure
    R[doubted] = _posterior(probable(q[doubted], T), codes[doubted], N)
    gain = likelihood - plain - float(np.log(len(some)))
    return LabelNoise(1.0 - float(_own(R, codes)[judged].mean()), N, T, R, judged, gain, codes)


def probable(q: Floats, temperature: float) -> Floats:
    """p, nowhere 0."""
    return np.asarray((1.0 - FLOOR) * sharpened(q, temperature) + FLOOR / q.shape[1])


def _own(p: Floats, codes: Ints) -> Floats:
    return np.asarray(p[np.arange(len(codes)), codes])


def _posterior(p: Floats, codes: Ints, N: Floats) -> Floats:
    R = p * N.T[codes]
    return np.asarray(R / R.sum(axis=1, keepdims=True))


def _likelihood(p: Floats, codes: Ints, N: Floats, sure: Array) -> float:
    """Of the labels; one that is right for certain has probability p of its class."""
    chance = np.where(sure, _own(p, codes), (p * N.T[codes]).sum(axis=1))
    return float(np.log(chance).sum())


def _maximized(p: Floats, codes: Ints, share: float | None, sure: Array) -> Floats:
    """N."""
    k = p.shape[1]
    e = FIRST if share is None else share
    N = _even(e, k)
    order = np.argsort(codes, kind="stable")
    starts = np.searchsorted(codes[order], np.arange(k))
    there = np.flatnonzero(np.bincount(codes, minlength=k))
    for _ in range(STEPS):
        R = _posterior(p, codes, N)
        R[sure] = np.eye(k)[codes[sure]]
        counts = np.zeros((k, k))  # of samples of class c with label y
        counts[:, there] = np.add.reduceat(R[order], starts[there], axis=0).T
        if share is None:
            e = 1.0 - float(counts.trace() / counts.sum())
        N = counts + k * _even(e, k)
        N /= N.sum(axis=1, keepdims=True)
        if share is not None:
            N = _with_share(N, e)
    return N


def _even(e: float, k: int) -> Floats:
    N = np.full((k, k), e / max(k - 1, 1))
    np.fill_diagonal(N, 1.0 - e)
    return N


def _with_share(N: Floats, e: float) -> Floats:
    """N with e wrong labels in each class."""
    off = N.copy()
    np.fill_diagonal(off, 0.0)
    total = off.sum(axis=1, keepdims=True)
    off = e * off / np.where(total > 0, total, 1.0)
    np.fill_diagonal(off, 1.0 - e)
    return off

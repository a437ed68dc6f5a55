"""How many labels are wrong, and which, by what others say of them.

With q_i what the mixture says of label y_i without knowing it, p_i = q_i^(1/T), scaled to sum to one, and
N(c, y) the chance that a sample of class c is given label y, a label has probability

    P(y_i) = sum_c p_i(c) N(c, y_i),     and is from class c with R_i(c) = p_i(c) N(c, y_i) / P(y_i).

T says how sure the mixture may be of the truth, N how labels differ from it. Both together maximize
sum_i log P(y_i) - PRIOR (log T)^2: T on a grid, N by expectation and maximization. Wrong labels show as
predictions that are sure and yet contradicted. If T were fitted alone, the mixture would become unsure.

A row of N is drawn to (1 - e, e / (k - 1), ...), by as many imagined labels as there are classes, where e is
the share of wrong labels in all. A label is judged if its class, and another, have at least ``support``
others. Of the rest the others cannot tell, and they are taken to be right. Noise is believed if it raises the
likelihood, against the best T without noise, by more than (log l) / 2: Bayes' criterion for one parameter, e.

The interval of e holds the shares at which the likelihood, T fitted anew, is within `DROP` of the largest:
twice as much as for independent predictions, which these are not. Less noise is (1 - f) N + f I. More noise
is (1 - f) N + f M, where the rows of M are those of N without the diagonal, scaled to sum to one.
"""

import numbers
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from trigpoint._errors import InputError
from trigpoint._types import Array, Floats, Ints
from trigpoint.prediction._mixture import PRIOR, sharpened

SUPPORT = 10  # to learn from
GRID = np.exp(np.linspace(np.log(0.2), np.log(3.0), 16))
STEPS = 10
FIRST = 0.1  # e, to begin with
FLOOR = 1e-3  # share of p that is flat
SOME = 20_000  # labels that T and N are found from, at most
DROP = 2.7
LESS = np.linspace(0.0, 0.99, 100)  # f
MORE = np.concatenate([[0.0], np.geomspace(1e-4, 0.9, 100)])


@dataclass(frozen=True, eq=False)
class LabelNoise:
    """What is known of wrong labels.

    Attributes
    ----------
    codes : (l,) the labels
    p : (l, k)
    share : e, of the labels that can be judged; NaN if none can
    low, high : a 90 % interval for it
    matrix : (k, k) N
    temperature : T
    suspicion : (l, k) R; one-hot for labels that are right for certain
    judged, sure : (l,) bool, whether a label can be judged, and whether it is right for certain
    gain : of the likelihood, beyond what is asked for; noise is believed if it is positive
    """

    codes: Ints
    p: Floats
    share: float
    low: float
    high: float
    matrix: Floats
    temperature: float
    suspicion: Floats
    judged: Array
    sure: Array
    gain: float

    def lessened(self, factor: float) -> "LabelNoise":
        """With N drawn to I, so that this part of the noise remains; it may still be all of it."""
        if factor == 1.0:
            return self
        N = factor * self.matrix + (1.0 - factor) * np.eye(len(self.matrix))
        R = _posterior(self.p, self.codes, N)
        R[self.sure] = np.eye(len(N))[self.codes[self.sure]]
        return replace(self, share=factor * self.share, low=factor * self.low, matrix=N, suspicion=R)

    @property
    def posterior(self) -> Floats:
        """(l, k) R; one-hot where a label cannot be judged."""
        R = np.eye(self.suspicion.shape[1])[self.codes]
        R[self.judged] = self.suspicion[self.judged]
        return R

    @property
    def right(self) -> Floats:
        """(l,) how likely each label is right; 1 where it cannot be judged."""
        return np.where(self.judged, _own(self.suspicion, self.codes), 1.0)


def check_noise(noise: Any, predictor: str, name: str = "noise") -> float | str:
    """The share of wrong labels that a user gave, or "auto"; plain propagation takes labels to be right."""
    if isinstance(noise, str) and noise == "auto":
        return "auto"
    rule = "must be 'auto', or the share of wrong labels: at least 0 and less than 1"
    real = isinstance(noise, numbers.Real) and not isinstance(noise, bool)
    share = float(noise) if real else np.nan
    if not 0.0 <= share < 1.0:
        raise InputError(name, rule, repr(noise))
    if share > 0 and predictor == "propagation":
        raise InputError(name, "must be 'auto' or 0 with predictor='propagation'", repr(noise))
    return share


def label_noise(
    q: Floats,
    codes: Ints,
    share: float | None = None,
    trusted: Array | None = None,
    support: int = SUPPORT,
) -> LabelNoise:
    """Find T, N and R.

    Parameters
    ----------
    q : (l, k) what is said of each label without knowing it
    codes : (l,) the labels
    p : (l, k)
    share : e, if it is known
    trusted : (l,) bool, labels that are right for certain, optional
    support : other labels of its class that a label needs to be judged
    """
    k = q.shape[1]
    enough = np.bincount(codes, minlength=k) > support
    judged = enough[codes] & (enough.sum() > 1)
    sure = np.zeros(len(codes), dtype=bool) if trusted is None else trusted
    some = np.arange(0, len(codes), max(1, -(-len(codes) // SOME)))
    T, N, gain, about = 1.0, _even(FIRST if share is None else share, k), -np.inf, (np.nan, 0.0, 1.0)
    if judged[some].any() and k > 1:
        T, N, gain, about = _fitted(q[some], codes[some], share, sure[some] | ~judged[some], judged[some])
    p = probable(q, T)
    R = _posterior(p, codes, N)
    R[sure] = np.eye(k)[codes[sure]]
    return LabelNoise(codes, p, *about, N, T, R, judged, sure, gain)


def _fitted(
    q: Floats, codes: Ints, share: float | None, sure: Array, judged: Array
) -> tuple[float, Floats, float, tuple[float, float, float]]:
    """T, N, the gain, and e with its interval."""
    priors = PRIOR * np.log(GRID) ** 2
    likelihood, T, N, plain = -np.inf, 1.0, np.eye(q.shape[1]), -np.inf
    for each, prior in zip(GRID.tolist(), priors.tolist(), strict=True):
        p = probable(q, each)
        matrix = _maximized(p, codes, share, sure)
        found = _likelihood(p, codes, matrix, sure) - prior
        plain = max(plain, float(np.log(_own(p, codes)).sum()) - prior)
        if found > likelihood:
            likelihood, T, N = found, each, matrix
    R = _posterior(probable(q, T), codes, N)
    e = float(np.where(sure, 0.0, 1.0 - _own(R, codes))[judged].mean())
    gain = likelihood - plain - 0.5 * float(np.log(len(codes)))
    if share is not None:
        return T, N, gain, (share, share, share)
    return T, N, gain, (e, *_interval(q, codes, sure, N, priors, e, likelihood))


def _interval(
    q: Floats, codes: Ints, sure: Array, N: Floats, priors: Floats, e: float, best: float
) -> tuple[float, float]:
    off = N - np.diag(N.diagonal())
    total = off.sum(axis=1, keepdims=True)
    M = np.where(total > 0, off / np.where(total > 0, total, 1.0), _even(1.0, len(N)))
    less, more = np.full(len(LESS), -np.inf), np.full(len(MORE), -np.inf)
    for T, prior in zip(GRID.tolist(), priors.tolist(), strict=True):
        p = probable(q, T)
        own = _own(p, codes)
        given, other = (np.where(sure, own, (p * each.T[codes]).sum(axis=1)) for each in (N, M))
        less = np.maximum(less, [np.log((1 - f) * given + f * own).sum() - prior for f in LESS])
        more = np.maximum(more, [np.log((1 - f) * given + f * other).sum() - prior for f in MORE])
    f, g = (grid[found >= best - DROP].max() for grid, found in ((LESS, less), (MORE, more)))
    return float((1.0 - f) * e if f < LESS[-1] else 0.0), float(e + g * (1.0 - e))


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

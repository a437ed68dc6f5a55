"""What several people say of classes (Dawid & Skene, 1979), with as few free numbers as they can bear.

Person a says class l of a sample of class c with probability theta_a(c, l). A person has a quality q_a, and

    b_a(c, c) = q_a,     b_a(c, l) = (1 - q_a) / (k - 1),     theta_a(c, .) ~ Dirichlet(S b_a(c, .)),

so that a person who confuses no classes in particular is one number, and one who does is a matrix. How much
is confused follows from the answers: S is the most likely of `STRENGTHS`, infinite where nobody confuses
classes in particular. It is finite only where the logarithm of the likelihood is larger by `EVIDENCE`, since
counts that are expected under confusions flatter these. q_a is drawn to the mean of all people, as if each
had given `PRIOR` more answers of that quality, and is never below chance. Before anything is known, people
are half-way between chance and perfect.

The classes of samples are equally likely beforehand, or as likely as a model says (`_model_trust`). EM finds
the probabilities r_i(c) of the classes of each sample and, from the expected counts N_a(c, l),

    theta_a(c, l) = (S b_a(c, l) + N_a(c, l)) / (S + N_a(c, .)),
    r_i(c) ~ prior_i(c) prod_a theta_a(c, l_ia).

Only classes that somebody names of a sample, or that the model thinks most likely, are looked at one by one.
All the others of the sample are one case, in which everybody is wrong as b_a says. So time and memory grow
with the number of answers, and not with the number of classes.

Samples with a single voice say nothing of a person, and do not count for q, S and N. Two voices cannot tell
which of them confuses what: with fewer than three, S is infinite.
"""

from dataclasses import dataclass

import numpy as np
from scipy import special

from trigpoint._types import Array, Floats, Ints
from trigpoint.annotators._model_trust import ModelTrust

PRIOR = 4.0  # answers
STRENGTHS = (np.inf, 64.0, 32.0, 16.0, 8.0, 4.0, 2.0)
EVIDENCE = 10.0
STEPS = 200
TOLERANCE = 1e-6  # of probabilities


@dataclass(frozen=True, eq=False)
class ClassAnswers:
    """Answers by number; (sample, person) come once.

    Attributes
    ----------
    samples, people, codes : (r,) int64
    n_samples, n_people, n_classes : how many there are
    """

    samples: Ints
    people: Ints
    codes: Ints
    n_samples: int
    n_people: int
    n_classes: int


@dataclass(frozen=True, eq=False)
class ClassFit:
    """What EM finds.

    Attributes
    ----------
    samples, classes, probabilities : (p,) of the classes that are looked at, sample by sample
    rest : (m,) probability that a sample is of another class
    quality : (a,) share of right answers
    compared : (a,) answers about samples that have another voice
    """

    samples: Ints
    classes: Ints
    probabilities: Floats
    rest: Floats
    quality: Floats
    compared: Ints


class _Candidates:
    """Pairs (sample, class) that are looked at, and cells (person, class, answer) that they touch."""

    def __init__(self, given: ClassAnswers, model: ModelTrust | None) -> None:
        k = given.n_classes
        order = np.lexsort((given.people, given.codes, given.samples))
        self.owner, people, codes = (x[order] for x in (given.samples, given.people, given.codes))
        keys = self.owner * k + codes
        self.voices = np.bincount(self.owner, minlength=given.n_samples)
        if model is not None:
            keys = np.concatenate([keys, model.guesses()])
            self.voices = self.voices + model.speaks
        keys = np.unique(keys)
        self.samples, self.classes = keys // k, keys % k
        self.counts = np.bincount(self.samples, minlength=given.n_samples)
        self.starts = np.cumsum(self.counts) - self.counts
        shared = self.voices > 1
        self.people, self.compared = people, np.bincount(people[shared[self.owner]], minlength=given.n_people)
        # one triple for each answer and each class that is looked at of its sample
        times = self.counts[self.owner]
        answer = np.repeat(np.arange(len(codes)), times)
        within = np.arange(len(answer)) - np.repeat(np.cumsum(times) - times, times)
        self.pair = self.starts[self.owner][answer] + within
        cells, self.cell = np.unique(
            (people[answer] * k + self.classes[self.pair]) * k + codes[answer], return_inverse=True
        )
        rows, self.row = np.unique(cells // k, return_inverse=True)
        self.right, self.person = cells // k % k == cells % k, cells // k // k
        self.counted = shared[self.owner][answer]
        self.n_rows, self.n_cells, self.n_answers = len(rows), len(cells), len(codes)


def fit_classes(given: ClassAnswers, model: ModelTrust | None = None) -> ClassFit:
    at = _Candidates(given, model)
    k = max(given.n_classes, 2)
    free = int((at.compared > 0).sum()) + (model is not None) > 2
    prior, left = _prior(at, model, given.n_classes)
    r = _votes(at, prior)
    rest = np.zeros(given.n_samples)
    strength, due = STRENGTHS[0], 4
    for step in range(1, STEPS + 1):
        counts = _sums(at.cell, np.where(at.counted, r[at.pair], 0.0), at.n_cells)
        sums = _sums(at.row, counts, at.n_rows)
        quality = _quality(at, counts, given.n_people, k)
        base = np.where(at.right, quality[at.person], (1.0 - quality[at.person]) / (k - 1))
        if model is not None:
            model.learn(at.samples, at.classes, r, rest)
            prior, left = _prior(at, model, given.n_classes)
        before = r
        theta = base + (counts - sums[at.row] * base) / (strength + sums)[at.row]
        r, rest = _expected(at, np.log(theta), np.log((1.0 - quality) / (k - 1)), prior, left)
        still = bool(np.abs(r - before).max(initial=0.0) < TOLERANCE)
        if still or step == due:
            best = _concentration(at, counts, sums, base) if free else strength
            if still and best == strength:
                break
            strength, due = best, 2 * step
    return ClassFit(at.samples, at.classes, r, rest, quality, at.compared)


def _sums(at: Ints, values: Floats, n: int) -> Floats:
    return np.bincount(at, values, n).astype(np.float64, copy=False)


def _prior(at: _Candidates, model: ModelTrust | None, k: int) -> tuple[Floats, Floats]:
    """Logarithms of what is known before the answers: (p,) of the pairs, (m,) of all other classes."""
    with np.errstate(divide="ignore"):
        if model is None:
            return np.full(len(at.samples), -np.log(k)), np.log((k - at.counts) / k)
        pairs = model.prior[at.samples, at.classes]
        left = np.maximum(1.0 - np.bincount(at.samples, pairs, len(at.counts)), 0.0)
        return np.log(pairs), np.log(np.where(at.counts < k, left, 0.0))


def _votes(at: _Candidates, prior: Floats) -> Floats:
    """To start with: the share of the answers, one half vote of the prior among them."""
    named = np.bincount(at.pair, at.right[at.cell], len(at.samples))
    before = np.exp(prior) * 0.5
    votes = named + before
    return np.asarray(votes / np.bincount(at.samples, votes, len(at.counts))[at.samples])


def _quality(at: _Candidates, counts: Floats, n_people: int, k: int) -> Floats:
    right = np.bincount(at.person[at.right], counts[at.right], n_people)
    first = (1.0 + 1.0 / k) / 2.0
    mean = (right.sum() + PRIOR * first) / (at.compared.sum() + PRIOR)
    return np.asarray(np.maximum((right + PRIOR * mean) / (at.compared + PRIOR), 1.0 / k))


def _expected(
    at: _Candidates, said: Floats, wrong: Floats, prior: Floats, left: Floats
) -> tuple[Floats, Floats]:
    """Probabilities of the pairs and of the rest, from what each cell and each wrong answer tell."""
    log = prior + np.bincount(at.pair, said[at.cell], len(at.samples))
    other = left + np.bincount(at.owner, wrong[at.people], len(at.counts))
    top = np.maximum(np.maximum.reduceat(log, at.starts), other)
    r, rest = np.exp(log - top[at.samples]), np.exp(other - top)
    total = np.bincount(at.samples, r, len(at.counts)) + rest
    return r / total[at.samples], rest / total


def _concentration(at: _Candidates, counts: Floats, sums: Floats, base: Floats) -> float:
    """The S under which the counts are most likely (Dirichlet-multinomial); the largest of equal ones."""
    seen: Array = counts > 0
    n, b = counts[seen], base[seen]
    fit = [float((n * np.log(b)).sum()) + EVIDENCE]
    for s in STRENGTHS[1:]:
        rows = special.gammaln(s) - special.gammaln(s + sums)
        fit.append(float(rows.sum() + (special.gammaln(s * b + n) - special.gammaln(s * b)).sum()))
    return STRENGTHS[int(np.argmax(fit))]

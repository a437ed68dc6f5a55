"""The error of the rest, from labels that were drawn at random, with an interval.

**Classes.** Of each of m random labels the predictor says a class without knowing the label, and its doubt
u_i: one minus the largest probability. w_i is 1 where that class is wrong. It also has a doubt of each sample
of the rest. Doubts may be too small or too large as a whole, but they tell hard samples from easy ones. So
take

    P(wrong_i) = s(a + b logit u_i),    s the logistic function,

for the random labels and for the rest alike, with b = 0 (doubts say nothing), 1/2, 1 (the logits are right
but for a constant) or 3/2, equally likely at first. E, the mean of P(wrong) over the rest, and b determine a.
Before any label, E has the density of Jeffreys, 1 / sqrt(E (1 - E)): E = sin^2 t with t uniform. The labels
then multiply it by their likelihood, and the interval lies between the quantiles 0.05 and 0.95. Where all
doubts are equal this is the interval of Jeffreys, between the quantiles of Beta(w + 1/2, m - w + 1/2), with w
the number of wrong labels. As usual with it, no wrong label means 0 as the lower end, and no right one 1 as
the upper end. The rest is N samples, not infinitely many: the variance of E grows by mean P(1 - P) / N.

This is the idea of prediction-powered inference (Angelopoulos et al. 2023), which corrects the mean doubt of
the rest by its mean error at random labels. Its normal intervals fail where none or one of 20 labels is
wrong.

**Chosen samples.** A random label whose sample would have been chosen later, had it not been drawn, is harder
than the rest. Which ones these are nobody knows, but r_i is the share of them: the samples chosen after i was
drawn, among those that were free then. Chosen samples are known with their labels. With doubts in `PARTS`
parts, c(u) is how much more often the chosen fall in the part of u than the rest does, and q(u) the share of
wrong ones among them. So the likelihood of a random label is

    r_i c(u_i) q(u_i)^w_i (1 - q(u_i))^(1 - w_i)  +  (1 - r_i) P(wrong_i)^w_i (1 - P(wrong_i))^(1 - w_i).

**Real targets.** With s^2 the mean squared error of the random labels, the interval is s sqrt(v / chi^2_v).
The squares of Gaussian errors have the variance 2 s^4, and v is m. Where tails are heavier, their variance is
k s^4 with k > 2, and v = 2 m / k, at least 1. All labels tell k, since 20 say little of tails. For a rest of
N samples, 1 / m becomes 1 / m + 1 / N. An outlier that is like no label is in no interval.

A sample that no label reaches is wrong for certain. A random label that no other reaches says nothing.
"""

from dataclasses import dataclass

import numpy as np
from scipy import special  # not stats, which takes half a second to import

from trigpoint._types import Array, Floats, Ints

TAIL = 0.05  # of a 90 % interval, on each side
SLOPES = (0.0, 0.5, 1.0, 1.5)  # b
CERTAIN = 1e-3  # doubts below it, and above one minus it, are alike
STEP = 0.05  # of logits of doubts: those that are nearer are alike
SHIFTS = np.linspace(-25.0, 25.0, 101)  # a
CELLS = 200  # of t
PARTS = 5
NOTHING = 1e-12  # of the largest density


@dataclass(frozen=True, eq=False)
class Chosen:
    """Labels that were not drawn at random, and what they mean for those that were.

    Attributes
    ----------
    chances : (m,) r of the random labels
    wrong, doubts : (c,) of the chosen labels, each without knowing it
    """

    chances: Floats
    wrong: Array
    doubts: Floats


def class_interval(
    wrong: Array, doubts: Floats, rest: Floats, chosen: Chosen | None = None
) -> tuple[float, float, float]:
    """The share of the rest that is labeled wrongly: estimate, low, high.

    Parameters
    ----------
    wrong, doubts : (m,) of the random labels, each without knowing it; the doubt is 1 where no other reaches
    rest : (N,) doubts of the samples without a label; 1 where no label reaches
    chosen : where other labels were chosen after the random ones
    """
    if len(rest) == 0:
        return 0.0, 0.0, 0.0
    lost = float(np.mean(rest >= 1.0))
    told, rest = doubts < 1.0, rest[rest < 1.0]
    if len(rest) == 0:
        return 1.0, 1.0, 1.0
    if not told.any():
        return np.nan, 0.0, 1.0
    wrong, doubts = wrong[told], doubts[told]
    labels = np.column_stack([_steps(doubts), wrong, *_if_chosen(wrong, doubts, rest, chosen, told)])
    labels, counts = np.unique(labels, axis=0, return_counts=True)
    others = np.unique(_steps(rest), return_counts=True)
    first, last = 0.0, 0.5 * np.pi
    for _ in range(2):  # the second time where the first found anything
        t = np.linspace(first, last, CELLS + 1)
        E = np.sin(0.5 * (t[1:] + t[:-1])) ** 2
        density, variance = _posterior(E, labels, counts, *others)
        some = np.flatnonzero(density > NOTHING * density.max())
        first, last = t[max(some[0] - 1, 0)], t[min(some[-1] + 2, CELLS)]
    share = density / density.sum()
    mean = float(share @ E)
    wider = np.sqrt(1.0 + float(share @ variance) / len(rest) / float(share @ (E - mean) ** 2))
    low, high = np.sin(np.interp([TAIL, 1.0 - TAIL], np.append(0.0, np.cumsum(share)), t)) ** 2
    low = max(0.0, mean - wider * (mean - low)) if wrong.any() else 0.0
    high = 1.0 if wrong.all() else min(1.0, mean + wider * (high - mean))
    return _with(lost, mean), _with(lost, low), _with(lost, high)


def _with(lost: float, share: float) -> float:
    """The share of all samples, where ``lost`` of them are wrong for certain and ``share`` of the others."""
    return float(lost + (1.0 - lost) * share)


def _steps(doubts: Floats) -> Floats:
    """Logits of doubts, rounded."""
    return np.asarray(STEP * np.rint(special.logit(np.clip(doubts, CERTAIN, 1.0 - CERTAIN)) / STEP))


def _if_chosen(
    wrong: Array, doubts: Floats, rest: Floats, chosen: Chosen | None, told: Array
) -> tuple[Floats, Floats]:
    """(m,) r_i, and the first term of the likelihood."""
    if chosen is None or len(chosen.wrong) == 0:
        return np.zeros(len(wrong)), np.zeros(len(wrong))
    edges = np.quantile(np.append(rest, chosen.doubts), np.arange(1, PARTS) / PARTS)
    part, n_rest = np.searchsorted(edges, doubts), _count(np.searchsorted(edges, rest))
    of_chosen = np.searchsorted(edges, chosen.doubts)
    n_chosen, n_wrong = _count(of_chosen), _count(of_chosen[chosen.wrong])
    often = (n_chosen + 0.5) / (n_chosen + 0.5).sum() * (n_rest + 0.5).sum() / (n_rest + 0.5)
    q = ((n_wrong + 0.5) / (n_chosen + 1.0))[part]
    r = chosen.chances[told]
    return r, r * often[part] * np.where(wrong, q, 1.0 - q)


def _count(parts: Ints) -> Floats:
    return np.bincount(parts, minlength=PARTS).astype(np.float64)


def _posterior(
    E: Floats, labels: Floats, counts: Ints, x_rest: Floats, n_rest: Ints
) -> tuple[Floats, Floats]:
    """(CELLS,) density of t at each E, but for a factor, and the mean of P(1 - P) over the rest.

    Rows of ``labels`` are the logit of the doubt, w, r, and the first term of the likelihood.
    """
    x, wrong, r, first = labels.T
    sign, share = np.where(wrong > 0, 1.0, -1.0), n_rest / n_rest.sum()
    logs, variances = [], []
    for b in SLOPES:
        means = special.expit(SHIFTS[:, None] + b * x_rest) @ share
        a = np.interp(special.logit(E), special.logit(means), SHIFTS)[:, None]
        p = special.expit(a + b * x_rest)
        variances.append((p * (1.0 - p)) @ share)
        logs.append(np.log(first + (1.0 - r) * special.expit(sign * (a + b * x))) @ counts)
    each = np.exp(np.array(logs) - np.max(logs))
    density = each.sum(axis=0)
    variance = (each * variances).sum(axis=0) / np.maximum(density, np.finfo(float).tiny)
    return density, variance


def value_interval(squares: Floats, chosen: Floats, n_rest: int) -> tuple[float, float, float]:
    """The root mean squared error of the rest: estimate, low, high.

    Parameters
    ----------
    squares : (m,) squared errors of the random labels, each without knowing it
    chosen : (c,) the same of all other labels
    n_rest : samples without a label
    """
    if n_rest == 0:
        return 0.0, 0.0, 0.0
    m = len(squares)
    if m == 0:
        return np.nan, 0.0, np.inf
    s = float(np.sqrt(squares.mean()))
    told = np.append(squares, chosen)
    tails = max(2.0, float(told.var()) / float(told.mean()) ** 2) if told.mean() > 0 else 2.0
    freedom = max(1.0, 2.0 / (tails / m + tails / n_rest))
    most, least = 2.0 * special.gammaincinv(0.5 * freedom, [1.0 - TAIL, TAIL])  # quantiles of chi^2
    return s, s * float(np.sqrt(freedom / most)), s * float(np.sqrt(freedom / least))

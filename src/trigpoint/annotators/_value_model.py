"""What several people say of real targets: the mean, weighed by how precise each person is.

    v_ia = z_i + noise of variance s_a^2,     z_i = sum_a v_ia / s_a^2  /  sum_a 1 / s_a^2,

for each target by itself. EM finds the variances from samples that have two answers or more:

    s_a^2 = (sum_i [(v_ia - z_i)^2 + 1 / sum_b s_b^-2] + PRIOR s^2) / (n_a + PRIOR),

with s^2 the same mean over all people: each is drawn to it as if they had given `PRIOR` more answers. Two
people alone are equally precise. A sample with one answer keeps it as it is: no person's bias is taken out.

A person's quality is the share of the variance of true values in the variance of their answers.
"""

from dataclasses import dataclass

import numpy as np

from trigpoint._types import Array, Floats, Ints

PRIOR = 4.0  # answers
STEPS = 200
TOLERANCE = 1e-9  # of variances, relative


@dataclass(frozen=True, eq=False)
class ValueFit:
    """What EM finds.

    Attributes
    ----------
    values, std : (m, d); standard deviations NaN where no sample has two answers
    errors : (a, d) standard deviations of people's errors; NaN likewise
    quality : (a,)
    compared : (a,) answers about samples that have another
    """

    values: Floats
    std: Floats
    errors: Floats
    quality: Floats
    compared: Ints


def fit_values(samples: Ints, people: Ints, values: Floats, n_samples: int, n_people: int) -> ValueFit:
    """Of answers (r,), (r,), (r, d); (sample, person) come once."""
    order = np.lexsort((people, samples))
    samples, people, values = samples[order], people[order], values[order]
    largest = np.abs(values).max(axis=0)
    unit = 2.0 ** np.frexp(largest)[1].clip(-1000, 1000)  # division by it is exact
    counts = np.bincount(samples, minlength=n_samples)
    shared = counts[samples] > 1
    compared = np.bincount(people[shared], minlength=n_people)
    found = [_one(samples, people, column, n_samples, n_people, shared) for column in (values / unit).T]
    z, std, errors = (np.stack(part, axis=1) for part in zip(*found, strict=True))
    true = np.maximum(z.var(axis=0) - (std**2).mean(axis=0), 0.0)
    answers = true + errors**2
    share = np.divide(true, answers, out=np.ones_like(answers), where=~(answers == 0))
    quality = share.mean(axis=1)
    first = values[np.searchsorted(samples, np.arange(n_samples))]
    differs = np.zeros(n_samples, dtype=bool)
    differs[samples[(values != first[samples]).any(axis=1)]] = True
    z = np.where(differs[:, None], z * unit, first)  # what all say is left as it is, to the last digit
    return ValueFit(z, std * unit, errors * unit, quality, compared)


def _one(
    samples: Ints, people: Ints, v: Floats, n_samples: int, n_people: int, shared: Array
) -> tuple[Floats, Floats, Floats]:
    """Values, their standard deviations and those of people's errors, of one target."""
    first = v[np.searchsorted(samples, np.arange(n_samples))]
    gaps = v - first[samples]
    told = np.bincount(people[shared], minlength=n_people)
    if not shared.any() or not gaps.any():
        exact = 0.0 if shared.any() else np.nan
        return first, np.full(n_samples, exact), np.full(n_people, exact)
    counts = np.bincount(samples, minlength=n_samples)
    middle = np.bincount(samples, gaps, n_samples) / counts
    freedom = len(v) - n_samples
    variance = np.full(n_people, ((gaps - middle[samples]) ** 2).sum() / freedom)
    for _ in range(STEPS):
        w = 1.0 / variance[people]
        total = np.bincount(samples, w, n_samples)
        z = np.bincount(samples, w * gaps, n_samples) / total
        squares = np.where(shared, (gaps - z[samples]) ** 2 + 1.0 / total[samples], 0.0)
        sums = np.bincount(people, squares, n_people)
        mean = sums.sum() / told.sum()
        before, variance = variance, (sums + PRIOR * mean) / (told + PRIOR)
        if (np.abs(variance - before) <= TOLERANCE * before).all():
            break
    return first + z, 1.0 / np.sqrt(total), np.sqrt(variance)

"""Consensus by its definition, in loops over people, samples and classes."""

import math

PRIOR = 4.0
STRENGTHS = [math.inf, 64.0, 32.0, 16.0, 8.0, 4.0, 2.0]
EVIDENCE = 10.0


def classes(answers, m, n_people, k, steps=200, tolerance=1e-6):
    """EM on a dict (sample, person) -> class; rows of probabilities (m, k) and the quality of each person.

    A class that nobody names of a sample counts as one in which everybody is wrong without a preference.
    """
    said = {i: {} for i in range(m)}
    for (i, a), c in answers.items():
        said[i][a] = c
    named = {i: sorted(set(said[i].values())) for i in said}
    shared = [i for i in said if len(said[i]) > 1]
    compared = [sum(a in said[i] for i in shared) for a in range(n_people)]
    free = sum(n > 0 for n in compared) > 2
    spare = max(k, 2)
    r = {}
    for i in said:
        votes = {c: sum(v == c for v in said[i].values()) + 0.5 / k for c in named[i]}
        r[i] = {c: v / sum(votes.values()) for c, v in votes.items()}
    strength, due = math.inf, 4
    for step in range(1, steps + 1):
        counts = [[[0.0] * k for _ in range(k)] for _ in range(n_people)]
        for i in shared:
            for a, said_class in said[i].items():
                for c in named[i]:
                    counts[a][c][said_class] += r[i][c]
        right = [sum(counts[a][c][c] for c in range(k)) for a in range(n_people)]
        mean = (sum(right) + PRIOR * (1 + 1 / spare) / 2) / (sum(compared) + PRIOR)
        q = [max((right[a] + PRIOR * mean) / (compared[a] + PRIOR), 1 / spare) for a in range(n_people)]

        def base(a, c, said_class, q=q):
            return q[a] if c == said_class else (1 - q[a]) / (spare - 1)

        def theta(a, c, said_class, strength=strength, counts=counts, base=base):
            if math.isinf(strength):
                return base(a, c, said_class)
            total = strength + sum(counts[a][c])
            return (strength * base(a, c, said_class) + counts[a][c][said_class]) / total

        new = {}
        for i in said:
            weight = {c: math.prod(theta(a, c, v) for a, v in said[i].items()) / k for c in named[i]}
            wrong = math.prod((1 - q[a]) / (spare - 1) for a in said[i]) * (k - len(named[i])) / k
            total = sum(weight.values()) + wrong
            new[i] = {c: w / total for c, w in weight.items()}
        change = max(abs(new[i][c] - r[i][c]) for i in said for c in named[i])
        r = new
        still = change < tolerance
        if still or step == due:
            best = max(STRENGTHS, key=lambda s: likelihood(counts, base, s)) if free else strength
            if still and best == strength:
                break
            strength, due = best, 2 * step
    rows = []
    for i in said:
        others = k - len(named[i])
        left = 1.0 - sum(r[i].values())
        rows.append([r[i].get(c, left / others if others else 0.0) for c in range(k)])
    return rows, q


def likelihood(counts, base, strength):
    """Logarithm, of all counts under Dirichlet-multinomial rows; multinomial ones for infinite strength."""
    total = 0.0
    for a, matrix in enumerate(counts):
        for c, row in enumerate(matrix):
            seen = [(base(a, c, v), n) for v, n in enumerate(row) if n > 0]
            if math.isinf(strength):
                total += sum(n * math.log(b) for b, n in seen)
            elif seen:
                total += math.lgamma(strength) - math.lgamma(strength + sum(row))
                total += sum(math.lgamma(strength * b + n) - math.lgamma(strength * b) for b, n in seen)
    return total + EVIDENCE if math.isinf(strength) else total


def values(answers, m, n_people, steps=200, tolerance=1e-9):
    """EM for real values on a dict (sample, person) -> float: values, and everybody's standard deviation."""
    said = {i: {a: v for (j, a), v in answers.items() if j == i} for i in range(m)}
    shared = [i for i in said if len(said[i]) > 1]
    count = [sum(a in said[i] for i in shared) for a in range(n_people)]
    plain = {i: sum(said[i].values()) / len(said[i]) for i in said}
    spread = sum((v - plain[i]) ** 2 for i in shared for v in said[i].values())
    if spread == 0.0:
        return [plain[i] for i in said], [0.0 if shared else math.nan] * n_people
    variance = [spread / (len(answers) - m)] * n_people
    for _ in range(steps):
        weight = {i: sum(1 / variance[a] for a in said[i]) for i in said}
        z = {i: sum(v / variance[a] for a, v in said[i].items()) / weight[i] for i in said}
        sums = [
            sum((said[i][a] - z[i]) ** 2 + 1 / weight[i] for i in shared if a in said[i])
            for a in range(n_people)
        ]
        mean = sum(sums) / sum(count)
        before = variance
        variance = [(s + PRIOR * mean) / (n + PRIOR) for s, n in zip(sums, count, strict=True)]
        if all(abs(v - b) <= tolerance * b for v, b in zip(variance, before, strict=True)):
            break
    return [z[i] for i in said], [math.sqrt(v) for v in variance]

"""How often the 90 % interval of `stop_advice` holds the true error of the rest, and how wide it is.

    ./dev bench stopping [--draws 15] [--loops N] [--told N] [--quick]

Questions do not depend on audits. So the learner asks once, without audits, and then audits are drawn again
and again, in place of the questions that they would have been. Each time the learner learns from scratch what
was asked and told, and `stop_advice` is compared with the truth. Beside it stands the interval of Clopper and
Pearson for the same audits, as it was before: it does not use the predictor's doubts. The rule was chosen on
the first pools; the others tell whether it holds. Three pools have real targets; there the interval beside
assumes Gaussian errors.

``--loops N`` runs the whole loop N times a pool instead, ask and tell in batches of 10. ``--told N`` starts
with 120 labels that are told with ``random=True``, and asks for more: "plain" is the interval of Jeffreys for
their left-out errors. Most pools need TRIGPOINT_DATA.
"""

import argparse
import os
import sys
import warnings
from pathlib import Path

import numpy as np
from _figures import Figure, show
from scipy import special, stats
from sklearn.datasets import load_diabetes, make_swiss_roll

import trigpoint as tp
from trigpoint.learner._audits import audits_due

sys.path.insert(0, str(Path(__file__).parent / "endtoend"))  # its pools
from pools import POOLS, loaded

CHOSEN = ("usps", "satellite", "segment", "spam")
OTHERS = ("digits", "mnist", "umist", "palm", "cancer")
PLAN = {5: (50, 0.1), 10: (100, 0.1), 20: (200, 0.1), 50: (250, 0.2), 100: (300, 1 / 3)}  # labels, share
MOST = 1000  # samples of a pool
MORE = 40  # questions that audits may take the place of


def folder():
    return Path(os.environ.get("TRIGPOINT_DATA", ""))


def pool(name, seed=0):
    X, y = loaded(name, folder())
    keep = np.random.default_rng([seed, 11]).permutation(len(y))[: min(MOST, 3 * len(y) // 4)]
    return X[keep], y[keep]


def scaled(X, Y):
    return X, (Y - Y.mean(axis=0)) / Y.std(axis=0)


def target(name):
    if name == "diabetes":
        data = load_diabetes(scaled=False)
        return scaled(data.data, data.target[:, None])
    if name == "swiss roll":
        X, t = make_swiss_roll(MOST, noise=0.3, random_state=0)
        return scaled(X, np.column_stack([t, X[:, 1]]))
    with np.load(folder() / "isomap_faces.npz") as held:
        images = held["images"].reshape(len(held["images"]), -1).astype(float)
        return scaled(images, held["labels"].astype(float))


def asked(learner, y, count):
    """Samples in the order of asking."""
    while len(learner.labels) < count:
        samples = learner.ask(10)
        learner.tell(samples, y[samples])
    return list(learner.labels)


def audited(learner, questions, y, m, rng):
    """A learner that was asked as with audits, ``m`` of them in a new random order; and that order."""
    budget, share = PLAN[m]
    audits = audits_due(0, 0, budget, share)
    order, taken, log = rng.permutation(len(y)), set(), []
    sources = {True: iter(order.tolist()), False: iter(questions)}
    for audit in audits.tolist():
        i = next(i for i in sources[audit] if i not in taken)
        taken.add(i)
        log.append({"event": "ask", "samples": [i], "audits": [audit]})
        log.append(
            {
                "event": "tell",
                "samples": [i],
                "labels": [np.ravel(y[i]).tolist() if y.ndim > 1 else int(y[i])],
            }
        )
    learner.restore(log)
    return order


def judged(learner, y):
    """True error of the rest, estimate, low, high."""
    rest = np.setdiff1d(np.arange(len(y)), list(learner.labels))
    found, advice = learner.predict(), learner.stop_advice()
    if y.ndim == 1:
        true = np.mean(found[rest] != y[rest])
    else:
        true = np.sqrt(np.mean((found.reshape(y.shape)[rest] - y[rest]) ** 2))
    return true, advice.error, advice.low, advice.high


def before(learner, y, order):
    """Estimate, low and high as they were: by all labels that the random order has passed."""
    now = learner._beliefs()
    drawn = [i for i in learner.audits.tolist() if i in learner.labels]
    place = {i: k for k, i in enumerate(learner.labels)}
    if y.ndim > 1:
        squares = np.square(now.left_out - now.known.values)[[place[i] for i in drawn]].mean(axis=1)
        s, m = np.sqrt(squares.mean()), len(squares)
        return s, s * np.sqrt(m / stats.chi2(m).ppf(0.95)), s * np.sqrt(m / stats.chi2(m).ppf(0.05))
    wrong = now.left_out.argmax(axis=1) != now.known.values.argmax(axis=1)
    last = max(np.flatnonzero(np.isin(order, drawn)))
    passed = [place[i] for i in order[: last + 1].tolist() if i in place]
    m, w = len(passed), wrong[passed].sum()
    low = special.betaincinv(w, m - w + 1, 0.05) if w > 0 else 0.0
    high = special.betaincinv(w + 1, m - w, 0.95) if w < m else 1.0
    n, count = len(y), len(wrong)
    return tuple(np.clip((n * e - wrong.sum()) / (n - count), 0.0, 1.0) for e in (w / m, low, high))


def held(rows):
    return float(np.mean((rows[:, 2] <= rows[:, 0]) & (rows[:, 0] <= rows[:, 3])))


def width(rows):
    return float(np.mean(rows[:, 3] - rows[:, 2]))


def draws(name, count, real=False):
    """m -> rows (true, estimate, low, high) of the learner, and of the interval as it was."""
    X, y = target(name) if real else pool(name)
    task = "regression" if real else "classification"
    learner = tp.ActiveLearner(X, task=task, audit=0.0)
    most = max(b for b, _ in PLAN.values() if b <= len(y) // 2)
    questions = asked(learner, y, min(most, 200) + MORE)
    found = {}
    for m, (budget, _) in PLAN.items():
        if budget > len(y) // 2:
            continue
        ours, plain = [], []
        for k in range(count if m == 20 else count // 2):
            order = audited(learner, questions, y, m, np.random.default_rng([m, k]))
            ours.append(judged(learner, y))
            plain.append((ours[-1][0], *before(learner, y, order)))
        found[m] = np.array(ours), np.array(plain)
    return found


def table(results, title):
    for m in PLAN:
        pairs = [found[m] for found in results.values() if m in found]
        if pairs:
            ours, plain = zip(*pairs, strict=True)
            share, before = (100 * np.mean([held(a) for a in some]) for some in (ours, plain))
            wide, wider = (np.mean([width(a) for a in some]) for some in (ours, plain))
            ratio = np.mean([width(a) / width(b) for a, b in pairs])
            which = f"{title}, {m} audits"
            yield Figure(f"{which}: interval held", share, "%", detail=f"{len(pairs)} pools")
            yield Figure(f"{which}: held on the worst pool", 100 * min(held(a) for a in ours), "%")
            yield Figure(f"{which}: mean width", wide, "")
            yield Figure(f"{which}: interval of before held", before, "%")
            yield Figure(f"{which}: mean width of before", wider, "")
            yield Figure(f"{which}: width to before", ratio, "")


def loops(names, count):
    """The learner itself, from the first question on."""
    results = {}
    for name in names:
        ours, plain = [], []
        for seed in range(count):
            X, y = pool(name, seed)
            learner = tp.ActiveLearner(X, random_state=seed)
            asked(learner, y, 200)
            ours.append(judged(learner, y))
            plain.append((ours[-1][0], *before(learner, y, learner._audit_order())))
        results[name] = {20: (np.array(ours), np.array(plain))}
    return results


def told(names, count):
    """120 random labels first; then questions that know of them."""
    rows = {after: [] for after in (0, 60, 120, 240)}
    for name in names:
        for seed in range(count):
            X, y = pool(name, seed)
            drawn = np.random.default_rng([5, seed]).permutation(len(y))[:120]
            learner = tp.ActiveLearner(X, audit=0.0)
            learner.tell(drawn, y[drawn], random=True)
            for after, found in rows.items():
                asked(learner, y, 120 + after)
                wrong = learner.stop_advice().n_wrong
                plain = special.betaincinv(wrong + 0.5, 120.5 - wrong, [0.05, 0.95])
                found.append((*judged(learner, y), wrong / 120, *plain))
    for after, found in rows.items():
        a = np.array(found)
        plain = np.mean((a[:, 5] <= a[:, 0]) & (a[:, 0] <= a[:, 6]))
        said = (
            f"true error {a[:, 0].mean():.1%}, left out {a[:, 4].mean():.1%}, estimate {a[:, 1].mean():.1%}"
        )
        said += f", width {width(a):.3f}, plain held {plain:.0%}"
        yield Figure(
            f"random labels first, {after} questions: interval held", 100 * held(a), "%", detail=said
        )


def drawn(count, first, others):
    for title, names in (("pools of the rule", first), ("other pools", others)):
        yield from table({name: draws(name, count) for name in names}, title)
    names = ["diabetes", "swiss roll"] + ["faces"] * (folder() / "isomap_faces.npz").exists()
    yield from table({name: draws(name, count, real=True) for name in names}, "real targets")


def figures(quick, count=15):
    warnings.simplefilter("ignore")
    first, others = present()
    if quick:
        yield from table({"digits": draws("digits", 2)}, "other pools")
    else:
        yield from drawn(count, first, others)


def present():
    """Pools of the rule and others, as far as their data are here."""
    return [[name for name in names if not POOLS[name].lacks(folder())] for names in (CHOSEN, OTHERS)]


def main():
    words = argparse.ArgumentParser()
    words.add_argument("--draws", type=int, default=15, help="audits that are drawn anew, a pool")
    words.add_argument("--loops", type=int, default=0, help="whole loops, a pool")
    words.add_argument("--told", type=int, default=0, help="runs that begin with random labels, a pool")
    words.add_argument("--quick", action="store_true")
    words = words.parse_args()
    warnings.simplefilter("ignore")
    first, others = present()
    if words.told:
        show(told(first + others, words.told))
    elif words.loops:
        show(table(loops(first + others, words.loops), "whole loops"))
    else:
        show(figures(words.quick, words.draws))


if __name__ == "__main__":
    main()

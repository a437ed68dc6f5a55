"""Labels in the loop: what each method of `ActiveLearner` reaches, in batches of 1, 10 and 50.

    ./dev bench loop [SEEDS] [--pools a,b] [--methods a,b] [--batches 1,10,50] [--held-out 0.25] [--quick]

Pools are those of the bake-off of selectors; some need TRIGPOINT_DATA. A seed draws the pool, 75 % of the
samples, and holds the others out. Told is the error (%) at each budget on the rest and held out: classes
that are wrong by the default predictor, or for real targets the distance, 100 that of the mean, with its
standard error. At the end: the geometric mean of all errors relative to random.

"graphlearning" is that package's smallest margin on the same graph and with its own Laplace learning. It
needs a label of every class to begin, so it is given one at random, which the others have to find.
"""

import argparse
import contextlib
import io
import os
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter

import numpy as np
from _figures import Figure, show
from selection.pools import POOLS

import trigpoint as tp
from trigpoint.comparison._labeled import check_labeled
from trigpoint.comparison._predictors import Predictor
from trigpoint.comparison._split import Setting, split
from trigpoint.comparison._trial import errors
from trigpoint.graph import N_NEIGHBORS
from trigpoint.learner._choice import METHODS

PEER = "graphlearning"
LARGEST = {"error_reduction": 2000, "model_change": 8000}  # samples: beyond, too slow for a table
SINGLE = 2000  # samples up to which questions are asked one by one


def random(drawn, truth, budget, batch, seed):
    yield np.random.default_rng(seed).permutation(len(truth))[:budget]


def learner(method):
    def ask(drawn, truth, budget, batch, seed):
        task = "regression" if truth.dtype.kind == "f" else "classification"
        pool = {"graph": drawn.graph} if drawn.made is None else {"X": drawn.X, **drawn.made.of_graphs}
        learner = tp.ActiveLearner(**pool, task=task, method=method, audit=0.0)
        while len(learner.labels) < budget:
            samples = learner.ask(min(batch, budget - len(learner.labels)))
            learner.tell(samples, truth[samples].tolist())
            yield samples

    return ask


def graphlearning(drawn, truth, budget, batch, seed):
    import graphlearning as gl

    W = -drawn.phi.tocsr()
    W.setdiag(0.0)
    W.eliminate_zeros()
    rng = np.random.default_rng(seed)
    first = np.array([rng.choice(np.flatnonzero(truth == label)) for label in np.unique(truth)])[:budget]
    yield first
    numbers = np.unique(truth, return_inverse=True)[1]
    with contextlib.redirect_stdout(io.StringIO()):
        model, margin = gl.ssl.laplace(W), gl.active_learning.unc_sampling
        chooser = gl.active_learning.active_learner(model, margin, first, numbers[first])
        while len(chooser.labeled_ind) < budget:
            picks = chooser.select_queries(batch_size=min(batch, budget - len(chooser.labeled_ind)))
            chooser.update(picks, numbers[picks])
            yield picks


def run(known, setting, ask, budgets, batch, seed):
    """(budgets, 2) errors on the rest and held out."""
    drawn = split(known, setting, seed)
    targets = known.targets[drawn.keep]
    truth = targets.argmax(axis=1) if known.classes else targets
    asked, found = np.empty(0, dtype=np.int64), []
    for samples in ask(drawn, truth, budgets[-1], batch, seed):
        asked = np.concatenate([asked, samples])
        while len(found) < len(budgets) and len(asked) >= budgets[len(found)]:
            found.append(errors(known, drawn, asked[: budgets[len(found)]], Predictor("auto", "auto")))
    return np.array(found)


def rivals(pool, known, names, batches):
    """Name, batch and function of all that can be run on a pool."""
    for name in names:
        if name == PEER and not known.classes:
            continue
        if pool.n > LARGEST.get(name, pool.n):
            print(f"{pool.name:13}{name:17} left out: {pool.n} samples", flush=True)
            continue
        how = random if name == "random" else graphlearning if name == PEER else learner(name)
        for batch in batches[:1] if name == "random" else batches:
            if batch > 1 or pool.n <= SINGLE or name == "random":
                yield name, batch, how


def figures(
    quick, seeds=3, pools=tuple(POOLS), methods=("random", *METHODS, PEER), batches=(10,), held_out=0.25
):
    if quick:
        seeds, pools, methods = 1, ("digits",), ("random", "auto")
    if find_spec(PEER) is None:
        methods = [name for name in methods if name != PEER]
    data, ratios = Path(os.environ.get("TRIGPOINT_DATA", "missing")), {}
    for pool in (POOLS[name] for name in pools):
        if pool.needs_data and not data.is_dir():
            continue
        loaded = pool.load(data)
        known = check_labeled(loaded.X, loaded.y, loaded.graph, "auto")
        setting = Setting(held_out, N_NEIGHBORS, "euclidean", 0)
        budgets = pool.budgets[:2] if quick else pool.budgets
        random_errors = None
        for name, batch, how in rivals(pool, known, methods, batches):
            start = perf_counter()
            table = np.array([run(known, setting, how, budgets, batch, seed) for seed in range(seeds)])
            seconds = (perf_counter() - start) / seeds
            yield from errors_of(pool, name, batch, budgets, table, seconds)
            mean = np.maximum(table.mean(axis=0), 0.5 / known.n)
            if name == "random":
                random_errors = mean
            elif random_errors is not None:
                ratios.setdefault((name, batch), []).append(mean / random_errors)
    for (name, batch), found in ratios.items():
        cells = np.concatenate(found)
        mean, worst = np.exp(np.log(cells).mean(axis=0)), cells.max(axis=0)
        for where, m, w in zip(("rest", "held out"), mean, worst, strict=True):
            said = f"worst cell {w:.2f}, {len(found)} pools"
            yield Figure(f"{name} to random, batches of {batch}, {where}", m, "", detail=said)


def errors_of(pool, name, batch, budgets, table, seconds):
    mean = 100 * table.mean(axis=0)
    spread = 100 * table.std(axis=0, ddof=1) / np.sqrt(len(table)) if len(table) > 1 else np.zeros(mean.shape)
    for budget, values, errors_ in zip(budgets, mean, spread, strict=True):
        for where, value, error in zip(("rest", "held out"), values, errors_, strict=True):
            said = f"± {error:.2f}, a run {seconds:.1f} s"
            yield Figure(
                f"{pool.name}, {name}, batches of {batch}, {budget}, {where}: error", value, "%", detail=said
            )


def main():
    asked = arguments()
    batches = [int(b) for b in asked.batches.split(",")]
    some = asked.pools.split(","), asked.methods.split(",")
    show(figures(asked.quick, asked.seeds, *some, batches, asked.held_out))


def arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("seeds", nargs="?", type=int, default=3)
    parser.add_argument("--pools", default=",".join(POOLS))
    parser.add_argument("--methods", default=",".join(("random", *METHODS, PEER)))
    parser.add_argument("--batches", default="1,10,50")
    parser.add_argument("--held-out", type=float, default=0.25)
    parser.add_argument("--quick", action="store_true")
    return parser.parse_args()


if __name__ == "__main__":
    main()

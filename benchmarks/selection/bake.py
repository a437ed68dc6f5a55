"""One pool: trials of the methods asked for, and all trials that its folder holds."""

from dataclasses import replace

import numpy as np
from rivals import RIVALS, feasible

import trigpoint as tp
from trigpoint.comparison._contestants import check_methods


def bake(pool, known, names, asked):
    """The comparison of these methods; what the folder has not yet is computed."""
    counts = {name: RIVALS[name].splits(pool, asked.splits) for name in names}
    parts = [
        tp.compare(
            known.X,
            known.y,
            graph=known.graph,
            methods={name: RIVALS[name].how for name in names if counts[name] == count} or ["random"],
            predictors=["propagation"],
            budgets=pool.budgets,
            n_splits=count,
            n_jobs=asked.jobs,
            random_state=asked.seed,
            folder=asked.output / pool.name,
        )
        for count in sorted({asked.splits, *counts.values()}, reverse=True)
    ]
    return joined(parts)


def held(pool, asked):
    """The methods of which the folder has all trials, whether or not they are installed here."""
    tasks = asked.output / pool.name / "tasks"
    found = []
    for name in feasible(pool, RIVALS):
        (method,) = [
            one for one in check_methods({name: RIVALS[name].how}, pool.features) if one.name == name
        ]
        splits = range(RIVALS[name].splits(pool, asked.splits))
        if all((tasks / f"{number:03d}-{method.slug}.json").is_file() for number in splits):
            found.append(name)
    return found


def joined(parts):
    """One comparison of several of a pool; the first has the most splits, the others NaN beyond theirs."""
    whole = parts[0]
    for part in parts[1:]:
        new = [name for name in part.methods if name not in whole.methods]
        places = [part.methods.index(name) for name in new]
        short = whole.n_splits - part.n_splits

        def added(mine, theirs, places=places, short=short):
            ends = [(0, 0)] * (theirs.ndim - 1) + [(0, short)]
            wide = np.pad(theirs[places], ends, constant_values=np.nan)
            return np.concatenate([mine, wide])

        whole = replace(
            whole,
            methods=(*whole.methods, *new),
            errors={where: added(mine, part.errors[where]) for where, mine in whole.errors.items()},
            seconds=added(whole.seconds, part.seconds),
            rows=[*whole.rows, *(row for row in part.rows if row["method"] in new)],
            asks=(*whole.asks, *(name for name in part.asks if name in new)),
        )
    return whole

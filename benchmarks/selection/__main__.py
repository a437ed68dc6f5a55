"""The bake-off of selectors: trigpoint's and its peers' on thirteen pools, at four budgets, on ten splits.

    ./dev bench selection --data DIR [-o FOLDER] [--pools a,b] [--methods a,b] [--splits 10] [--jobs 2]

Every trial is kept: the same command goes on where it stopped, and pools, methods and splits may be added.
75 % of a pool are chosen from, 25 % held out; K = 10; least squares for all. README.md has the tables, the
picture and what each pool says; memory is measured once a pool and method, in a process of its own.
"""

import argparse
import json
import os
import sys
import traceback
from pathlib import Path
from time import perf_counter

import memory
import summary
from pools import POOLS
from rivals import RIVALS, feasible, missing

import trigpoint as tp
from trigpoint.trials import run_record


def main():
    asked = arguments()
    folder = asked.data
    if asked.measure:
        pool, name = asked.measure
        print(memory.measure(POOLS[pool], RIVALS[name].how, name, folder))
        return
    names = chosen(asked.methods, RIVALS, "--methods")
    pools = [POOLS[name] for name in chosen(asked.pools, POOLS, "--pools")]
    if not folder.is_dir():
        left_out = [pool.name for pool in pools if pool.needs_data]
        pools = [pool for pool in pools if not pool.needs_data]
        print(f"left out, for lack of --data: {', '.join(left_out)}", flush=True)
    absent = [name for name in missing() if name in names]
    if absent:
        print(f"not installed, and so left out: {', '.join(absent)}", flush=True)
    asked.output.mkdir(parents=True, exist_ok=True)
    record(asked, names, pools, absent)
    found, failed = {}, {}
    for pool in pools:
        try:
            found[pool.name] = bake(pool, feasible(pool, names), asked)
        except Exception as error:
            traceback.print_exc()
            failed[pool.name] = f"{type(error).__name__}: {error}"
    if not found:
        sys.exit("nothing was compared")
    peaks = {}
    if asked.memory:
        peaks = memory.peaks(asked.output, {name: one.methods for name, one in found.items()}, folder)
    notes = [f"{asked.splits} splits of every pool; {len(found)} pools, {len(names)} methods.\n"]
    notes += [f"Not installed, and so left out: {', '.join(absent)}.\n"] if absent else []
    notes += [f"{name} failed: {why}\n" for name, why in failed.items()]
    summary.write(asked.output, found, POOLS, peaks, notes)
    print(asked.output / "README.md")
    if failed:
        sys.exit(f"failed: {', '.join(failed)}")


def bake(pool, methods, asked):
    start = perf_counter()
    known = pool.load(asked.data)
    found = tp.compare(
        known.X,
        known.y,
        graph=known.graph,
        methods=methods,
        budgets=pool.budgets,
        n_splits=asked.splits,
        n_jobs=asked.jobs,
        random_state=asked.seed,
        folder=asked.output / pool.name,
        progress=lambda how_far: asked.verbose and print(pool.name, how_far, flush=True),
    )
    print(f"{pool.name}: {found.winner()} ({perf_counter() - start:.0f} s)", flush=True)
    return found


def chosen(text, known, flag):
    names = list(known) if text is None else [name.strip() for name in text.split(",")]
    for name in names:
        if name not in known:
            sys.exit(f"{flag} must be among {', '.join(known)}; got {name!r}.")
    return names


def record(asked, names, pools, absent):
    """One more entry of the manifest."""
    path = asked.output / "manifest.json"
    runs = json.loads(path.read_text())["runs"] if path.exists() else []
    facts = {"methods": names, "pools": {pool.name: pool.group for pool in pools}, "not_installed": absent}
    runs.append(run_record(splits=asked.splits, jobs=asked.jobs, seed=asked.seed, peers=versions(), **facts))
    path.write_text(json.dumps({"runs": runs}, indent=2) + "\n")


def versions():
    from importlib.metadata import PackageNotFoundError, version

    found = {}
    for name in ("graphlearning", "apricot-select", "scikit-activeml", "skmatter"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = None
    return found


def arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("TRIGPOINT_DATA", "no-data")))
    parser.add_argument("-o", "--output", type=Path, default=Path("bakeoff"))
    parser.add_argument("--pools")
    parser.add_argument("--methods")
    parser.add_argument("--splits", type=int, default=10)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--no-memory", dest="memory", action="store_false")
    parser.add_argument("-v", "--verbose", action="store_true")
    parser.add_argument("--measure", nargs=2, metavar=("POOL", "METHOD"), help=argparse.SUPPRESS)
    return parser.parse_args()


if __name__ == "__main__":
    main()

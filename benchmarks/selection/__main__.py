"""The bake-off of selectors: trigpoint's and its peers' on thirteen pools, at four budgets, on ten splits.

    ./dev bench selection --data DIR [-o FOLDER] [--pools a,b] [--methods a,b] [--splits 10] [--jobs 2]

Every trial is kept: the same command goes on where it stopped, and pools, methods and splits may be added;
--tables computes nothing. 75 % of a pool are chosen from, 25 % held out; K = 10; least squares for all.
README.md has the tables, the picture and what each pool says, of all that the folder holds. Memory is
measured once a method, in a process of its own, on the pools that --memory names.
"""

import argparse
import json
import os
import sys
import traceback
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from time import perf_counter

import _one_thread  # noqa: F401  (before whatever starts threads)
import memory
import summary
from bake import bake, held
from pools import POOLS
from rivals import RIVALS, feasible, missing

import trigpoint as tp
from trigpoint.io import write_text
from trigpoint.trials import run_record

LIBRARIES = ("graphlearning", "apricot-select", "scikit-activeml", "skmatter")


def main():
    asked = arguments()
    if asked.measure:
        pool, name = asked.measure
        print(memory.measure(POOLS[pool], RIVALS[name].how, name, asked.data))
        return
    absent = missing()
    names = [name for name in chosen(asked.methods, RIVALS, "--methods") if name not in absent]
    pools = [POOLS[name] for name in chosen(asked.pools, POOLS, "--pools")]
    measured = chosen(asked.memory, POOLS, "--memory") if asked.memory else []
    lacking = [pool.name for pool in pools if lacks_data(pool, asked)]
    if lacking:
        print("left out, for lack of --data:", *lacking, flush=True)
        pools = [pool for pool in pools if pool.name not in lacking]
    if absent:
        print("not installed, and so left out:", *absent, flush=True)
    asked.output.mkdir(parents=True, exist_ok=True)
    if not asked.tables:
        record(asked, names, pools)
    found, failed = {}, []
    for pool in POOLS.values():
        if pool not in pools and (not (asked.output / pool.name).is_dir() or lacks_data(pool, asked)):
            continue
        try:
            comparison = one_pool(pool, names if pool in pools and not asked.tables else [], asked)
        except Exception:
            traceback.print_exc()
            failed.append(pool.name)
            continue
        if comparison is not None:
            found[pool.name] = comparison
            summary.write(asked.output, found, memory.known(asked.output))
    if not found:
        sys.exit("nothing was compared")
    wanted = {} if asked.tables else {name: found[name].methods for name in measured if name in found}
    summary.write(asked.output, found, memory.peaks(asked.output, wanted, asked.data))
    print(asked.output / "README.md")
    if failed:
        sys.exit(f"failed: {', '.join(failed)}")


def one_pool(pool, names, asked):
    """All that the folder holds of a pool, once it has the methods asked for; None where that is nothing."""
    start, known = perf_counter(), pool.load(asked.data)
    if names:
        with tp.progress(lambda far: asked.verbose and far.note and print(pool.name, far)):
            bake(pool, known, feasible(pool, names), asked)
    there = held(pool, asked)
    if "random" not in there:
        return None
    found = bake(pool, known, there, asked)
    print(f"{pool.name}: {found.winner()} ({perf_counter() - start:.0f} s)", flush=True)
    return found


def lacks_data(pool, asked):
    return pool.needs_data and not asked.data.is_dir()


def chosen(text, known, flag):
    names = list(known) if text is None else [name.strip() for name in text.split(",")]
    for name in names:
        if name not in known:
            sys.exit(f"{flag} must be among {', '.join(known)}; got {name!r}.")
    return names


def record(asked, names, pools):
    """One more entry of the manifest."""
    path = asked.output / "manifest.json"
    runs = json.loads(path.read_text())["runs"] if path.exists() else []
    facts = {"methods": names, "pools": [pool.name for pool in pools], "peers": versions()}
    runs.append(run_record(splits=asked.splits, jobs=asked.jobs, seed=asked.seed, **facts))
    write_text(path, json.dumps({"runs": runs}, indent=2) + "\n")


def versions():
    found = {}
    for name in LIBRARIES:
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
    parser.add_argument("--memory", metavar="POOLS", help="such as mnist,facebook")
    parser.add_argument("--tables", action="store_true", help="only write them anew")
    parser.add_argument("-v", "--verbose", action="store_true")
    parser.add_argument("--measure", nargs=2, metavar=("POOL", "METHOD"), help=argparse.SUPPRESS)
    return parser.parse_args()


if __name__ == "__main__":
    main()

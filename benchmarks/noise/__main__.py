"""Labels that may be wrong: found, learned through, and those of several people; ours beside cleanlab.

    ./dev bench noise [errors] [accuracy] [scale] [annotators] [--data DIR] [-o FOLDER] [--pools a,b]

errors and accuracy are run if nothing is named. Every cell is kept: the same command goes on where it
stopped, and pools and seeds may be added. After a change of the code, --again computes what is named anew.
--tables computes nothing. README.md in the folder has the tables. annotators prints its own.
"""

import argparse
import json
import os
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "endtoend"))
import _accuracy
import _label_errors
import _one_thread  # noqa: F401  (before whatever starts threads)
import _scale
import _summary
from _pools import NAMES, lacks

from trigpoint import progress
from trigpoint.io import write_text
from trigpoint.trials import Store, Task, run_record, run_tasks

PARTS = {"errors": _label_errors, "accuracy": _accuracy}
OTHERS = ("scale", "annotators")


def main():
    asked = arguments()
    names = asked.pools.split(",") if asked.pools else list(NAMES)
    pools = [name for name in names if not lacks(name, asked.data)]
    if len(pools) < len(names):
        print("no data here; left out:", *(name for name in names if name not in pools), flush=True)
    parts = [part for part in PARTS if part in asked.parts]
    if parts and not asked.tables:
        compute(parts, pools, asked)
    if "scale" in asked.parts and not asked.tables:
        measure(asked)
    if set(asked.parts) != {"annotators"}:
        _summary.write(asked.output)
        print(asked.output / "README.md")
    if "annotators" in asked.parts:
        import _annotators

        _annotators.main(asked.data)


def compute(parts, pools, asked):
    store = Store(asked.output)
    store.open(
        {"most": asked.most, "seed": asked.seed}, run_record(parts=parts, pools=pools, seeds=asked.seeds)
    )
    for number in range(asked.seeds):
        for part in parts:
            tasks = [task(part, pool, number, cell, asked) for pool in pools for cell in PARTS[part].CELLS]
            for done in tasks if asked.again else ():
                store.path(done).unlink(missing_ok=True)
            with progress(tell):
                run_tasks(store, tasks, PARTS[part].trial, asked.jobs, part)


def task(part, pool, number, cell, asked):
    *labeled, share, kind = cell
    name = "-".join([part, pool, str(number), *map(str, cell)])
    known = {"pool": pool, "number": number, "share": share, "kind": kind, "folder": asked.data}
    known |= {"labeled": labeled[0]} if labeled else {}
    return Task(name, f"{part}-{pool}", {**known, "most": asked.most, "seed": asked.seed})


def measure(asked):
    path = asked.output / "scale.json"
    held = json.loads(path.read_text()) if path.exists() else {}
    for size in asked.sizes.split(","):
        if asked.again or size not in held:
            held[size] = _scale.apart(size)
            asked.output.mkdir(parents=True, exist_ok=True)
            write_text(path, json.dumps(held, indent=1) + "\n")


def tell(far):
    if far.note and len(far.path) == 1:
        left = "" if far.seconds_left is None else f", {far.seconds_left:.0f} s left"
        print(f"{far.done} of {far.total}: {far.note}{left}", flush=True)


def arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join((*PARTS, *OTHERS)))
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("TRIGPOINT_DATA", "no-data")))
    parser.add_argument("-o", "--output", type=Path, default=Path("noise"))
    parser.add_argument("--pools", help=f"of {','.join(NAMES)}; all by default")
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--most", type=int, default=1500, help="samples of a pool")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--sizes", default="100000", help=f"for scale: {','.join(_scale.SIZES)}")
    parser.add_argument("--again", action="store_true", help="forget what the folder holds of these")
    parser.add_argument("--tables", action="store_true", help="only write them anew")
    asked = parser.parse_args()
    for flag, given, known in (
        ("PART", asked.parts, (*PARTS, *OTHERS)),
        ("--pools", asked.pools.split(",") if asked.pools else (), NAMES),
        ("--sizes", asked.sizes.split(","), tuple(_scale.SIZES)),
    ):
        for name in given:
            if name not in known:
                parser.error(f"{flag} must be among {', '.join(known)}; got {name!r}")
    asked.parts = asked.parts or list(PARTS)
    return asked


if __name__ == "__main__":
    main()

"""End to end: features in, labels spent, errors on samples held out; ours beside what users could do instead.

    ./dev bench endtoend --data DIR [-o FOLDER] [--pools a,b] [--ways a,b] [--splits 10] [--most 5000]

Every trial is kept: the same command goes on where it stopped, and pools, ways and splits may be added. After
a change of the code, --again ours,random,loop computes these ways anew; ways on labels of ours follow where
these labels differ. --tables computes nothing. README.md in the folder has the tables.
"""

import argparse
import json
import os
import sys
from collections import Counter
from hashlib import sha256
from pathlib import Path

import _one_thread  # noqa: F401  (before whatever starts threads)
import summary
from pools import BUDGETS, POOLS, WHOLE
from trial import task_name, trial
from ways import OURS, PREDICTORS, WAYS, missing

from trigpoint import progress
from trigpoint.trials import Store, Task, run_record, run_tasks

WHOLE_POOLS, WHOLE_WAYS = ("digits",), ("ours", "loop")


def main():
    asked = arguments()
    pools = available(chosen(asked.pools, POOLS, "--pools"), asked.data)
    ways = [way for way in chosen(asked.ways, WAYS, "--ways") if way not in missing()]
    if missing():
        print("graphlearning is not installed; left out:", *missing(), flush=True)
    store = Store(asked.output)
    settings = {"most": asked.most, "seed": asked.seed, "budgets": BUDGETS}
    if not asked.tables:
        again = chosen(asked.again, WAYS, "--again") if asked.again else []
        store.open(settings, run_record(pools=pools, ways=ways, splits=asked.splits, again=again))
        forget(store, pools, again)
        for number in (*range(asked.splits), WHOLE):
            for tasks in (first(pools, ways, number, asked), second(store, pools, ways, number, asked)):
                with progress(tell):
                    run_tasks(store, list(tasks), trial, asked.jobs, f"split {number}")
    summary.write(asked.output, *held(asked.output))
    print(asked.output / "README.md")


def first(pools, ways, number, asked):
    """Ways that choose for themselves, and ours, whose labels the others take."""
    own = [way for way in WAYS if way not in PREDICTORS and (way in ways or way == "ours")]
    for pool in pools:
        if number != WHOLE or pool in WHOLE_POOLS:
            for way in own if number != WHOLE else [way for way in own if way in WHOLE_WAYS]:
                yield task(pool, number, way, asked)


def second(store, pools, ways, number, asked):
    """Ways on the labels of ours. Their names hold a digest of these, so other labels are another task."""
    for pool in pools if number != WHOLE else ():
        ((_, rows, _),) = store.results([task(pool, number, "ours", asked)])
        landmarks = {row["budget"]: row["landmarks"] for row in rows}
        for way in PREDICTORS:
            if way in ways:
                yield task(pool, number, way, asked, digest(rows), landmarks=landmarks)


def task(pool, number, way, asked, mark="", **further):
    known = {"pool": pool, "number": number, "way": way, "folder": asked.data, "most": asked.most}
    name = task_name(pool, number, way, mark)
    return Task(name, f"{pool}-{way}", {**known, "seed": asked.seed, **further})


def forget(store, pools, ways):
    for way in ways:
        for pool in pools:
            for path in (store.folder / "tasks").glob(f"{pool}-*-{way}*.json"):
                path.unlink()


def held(folder):
    """All rows in the folder, those on labels of ours on its labels of now; and which code made ours."""
    found = {path.stem: json.loads(path.read_text()) for path in (folder / "tasks").glob("*.json")}
    rows, code = [], Counter()
    for name in sorted(found):
        own, chosen_by = (
            name.split("-")[-1],
            name.rsplit("-", 2)[0] + "-ours",
        )  # of names that end in a digest
        if own in WAYS or own == digest(found.get(chosen_by, {"rows": []})["rows"]):
            rows += [{key: row[key] for key in row if key != "landmarks"} for row in found[name]["rows"]]
        code.update([found[name]["code"]] if own in OURS else [])
    return rows, code


def digest(rows):
    """Of the landmarks at all budgets."""
    return sha256(json.dumps([row["landmarks"] for row in rows]).encode()).hexdigest()[:8]


def available(names, folder):
    lacking = {name: POOLS[name].lacks(folder) for name in names}
    for what in dict.fromkeys(filter(None, lacking.values())):
        out = [name for name, lack in lacking.items() if lack == what]
        print(f"no {what} here; left out:", *out, flush=True)
    found = [name for name in names if not lacking[name]]
    if not found:
        sys.exit("no pool is left")
    return found


def chosen(text, known, flag):
    names = list(known) if text is None else [name.strip() for name in text.split(",")]
    for name in names:
        if name not in known:
            sys.exit(f"{flag} must be among {', '.join(known)}; got {name!r}.")
    return names


def tell(far):
    if far.note and len(far.path) == 1:
        left = "" if far.seconds_left is None else f", {far.seconds_left:.0f} s left of {far.stage}"
        print(f"{far.done} of {far.total}: {far.note}{left}", flush=True)


def arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("TRIGPOINT_DATA", "no-data")))
    parser.add_argument("-o", "--output", type=Path, default=Path("endtoend"))
    parser.add_argument("--pools", help="such as wine,iris; all by default")
    parser.add_argument("--ways", help=f"of {','.join(WAYS)}; all by default")
    parser.add_argument(
        "--again", metavar="WAYS", help="forget what the folder holds of these, on these pools"
    )
    parser.add_argument("--splits", type=int, default=10)
    parser.add_argument("--most", type=int, default=5000, help="samples of a pool that a split draws")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--tables", action="store_true", help="only write them anew")
    return parser.parse_args()


if __name__ == "__main__":
    main()

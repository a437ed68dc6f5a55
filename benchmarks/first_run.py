"""CPU seconds of a first run and of the next, split by step. Run: ./dev bench first_run [--quick]

Every run is a process of its own. The first finds no compiled kernel, the next what the first left: kernels
are kept in a folder made for this purpose, NUMBA_CACHE_DIR, so nothing is deleted. The README's ten lines
are split by step. --quick: without the time of compiling, and once.
"""

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from _figures import Figure, main

STEPS = """
from time import process_time as cpu

laps = [("", cpu())]
def lap(name):
    laps.append((name, cpu()))

import numpy as np
import trigpoint as tp
digits = tp.datasets.load_digits()
X, y = digits.X, digits.labels
lap("import and load")
tp.LandmarkSelector, tp.ManifoldClassifier
lap("import estimators")
picks = tp.LandmarkSelector(50).fit(X).landmarks_
lap("select")
known = np.full(len(y), -1)
known[picks] = y[picks]
clf = tp.ManifoldClassifier().fit(X, known)
lap("fit")
for (_, before), (name, after) in zip(laps, laps[1:]):
    print(f"{name},{after - before}")
"""


def measured(command, folder):
    """What a command prints, and its CPU seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(folder)}
    done = subprocess.run(command, env=environment, capture_output=True, check=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def runs(command, folder, quick):
    """First and next; the next is the best of three."""
    if quick:
        yield "next", measured(command, os.environ.get("NUMBA_CACHE_DIR", folder))
        return
    yield "first", measured(command, folder)
    yield "next", min((measured(command, folder) for _ in range(3)), key=lambda run: run[1])


def figures(quick):
    with tempfile.TemporaryDirectory() as home:
        table, out = Path(home) / "pool.csv", Path(home) / "landmarks.csv"
        X = np.random.default_rng(0).normal(size=(2000, 8))
        header = ",".join(f"f{k}" for k in range(8))
        np.savetxt(table, X, delimiter=",", header=header, comments="")
        for which, (told, seconds) in runs([sys.executable, "-c", STEPS], Path(home) / "lines", quick):
            steps = (line.split(",") for line in told.splitlines())
            detail = ", ".join(f"{name} {float(part):.2f}" for name, part in steps)
            yield Figure(f"ten lines of the README, {which} run", seconds, "s of CPU", detail=detail)
        command = f"-m trigpoint.cli select {table} --budget 20 --no-cache --output {out}"
        for which, (_, seconds) in runs([sys.executable, *command.split()], Path(home) / "select", quick):
            yield Figure(f"trigpoint select, 2,000 x 8, {which} run", seconds, "s of CPU")


if __name__ == "__main__":
    main(figures, __doc__)

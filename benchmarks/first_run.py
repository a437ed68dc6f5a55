"""CPU seconds of a first run and of the next, against their targets. Run: ./dev bench first_run

Every run is a process of its own. The first finds no compiled kernel, the next what the first left: kernels
are kept in a folder made for this purpose, NUMBA_CACHE_DIR, so nothing is deleted. The README's ten lines
are split by step.
"""

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

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
TARGETS = {"first": 6.0, "next": 1.5}


def measured(command, folder):
    """What a command prints, and its CPU seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(folder)}
    done = subprocess.run(command, env=environment, capture_output=True, check=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def twice(command, folder):
    """First and next; the next is the best of three."""
    first = measured(command, folder)
    return first, min((measured(command, folder) for _ in range(3)), key=lambda run: run[1])


def row(name, seconds, targets=()):
    print(f"{name:<28}", *(f"{s:>8.2f}" for s in seconds), *(f"{t:>9.1f}" for t in targets))


def main():
    with tempfile.TemporaryDirectory() as home:
        table, out = Path(home) / "pool.csv", Path(home) / "landmarks.csv"
        X = np.random.default_rng(0).normal(size=(2000, 8))
        header = ",".join(f"f{k}" for k in range(8))
        np.savetxt(table, X, delimiter=",", header=header, comments="")
        lines = twice([sys.executable, "-c", STEPS], Path(home) / "lines")
        command = f"-m trigpoint.cli select {table} --budget 20 --no-cache --output {out}"
        select = twice([sys.executable, *command.split()], Path(home) / "select")
    print(f"{'CPU seconds':<28}", *(f"{name:>8}" for name in TARGETS), "   targets")
    row("ten lines of the README", [run[1] for run in lines], TARGETS.values())
    first, following = (dict(line.split(",") for line in run[0].splitlines()) for run in lines)
    for name in first:
        row(f"  {name}", [float(first[name]), float(following[name])])
    row("trigpoint select, 2,000 x 8", [run[1] for run in select], TARGETS.values())


if __name__ == "__main__":
    main()

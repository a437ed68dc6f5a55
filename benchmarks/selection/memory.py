"""Peak memory of choosing: one method on one pool in a process of its own, beyond what it held before.

On Linux the high-water mark is set back once the pool, its graph and the compiled code are there; elsewhere
what is measured is the rise of the process's peak, which is 0 where making the pool took more.
"""

import contextlib
import json
import resource
import subprocess
import sys
from pathlib import Path

import numpy as np

from trigpoint.alignment import laplacian
from trigpoint.comparison._contestants import check_methods, chosen
from trigpoint.comparison._labeled import check_labeled, induced
from trigpoint.comparison._loop import labels_of
from trigpoint.comparison._split import Setting, Split, split
from trigpoint.io import write_text

HERE = Path(__file__).parent


def known(output):
    path = output / "memory.json"
    return json.loads(path.read_text()) if path.exists() else {}


def peaks(output, wanted, folder):
    """MB by pool and method; those known already are not measured again."""
    held = known(output)
    for pool, names in wanted.items():
        for name in names:
            if name not in held.setdefault(pool, {}):
                words = [sys.executable, str(HERE), "--measure", pool, name, "--data", str(folder)]
                done = subprocess.run(words, capture_output=True, text=True, check=False)
                lines = done.stdout.split()
                held[pool][name] = float(lines[-1]) if done.returncode == 0 else None
                write_text(output / "memory.json", json.dumps(held, indent=1) + "\n")
    return held


def measure(pool, how, name, folder):
    loaded = pool.load(folder)
    labeled = check_labeled(loaded.X, loaded.y, loaded.graph, "auto")
    drawn = split(labeled, Setting(0.25, 10, "euclidean", 0), 0)
    labels = labels_of(labeled.targets[drawn.keep], labeled.classes)
    (method,) = [one for one in check_methods({name: how}, pool.features) if one.name == name]
    _rehearse(method, drawn, labels)
    before = _reset()
    chosen(method, drawn, pool.budgets[-1], 0, labels)
    return _peak() - before


def _rehearse(method, drawn, labels):
    few = np.arange(min(200, len(drawn.keep)))
    graph = induced(drawn.graph, few)
    X = None if drawn.X is None else drawn.X[few]
    part = Split(few, few[:0], X, graph, laplacian(graph), drawn.made)
    chosen(method, part, 3, 0, labels[few])


def _reset():
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")
    return _peak()


def _peak():
    """In MB."""
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024
    except (OSError, StopIteration):
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (
            1024**2 if sys.platform == "darwin" else 1024
        )

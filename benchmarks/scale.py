"""The whole way at 10^5, 10^6 and 10^7 samples: minutes, memory, and how they grow.

    ./dev bench scale [--n 1e5,1e6,1e7] [--p 16,64] [--folder DIR] [--again] [--quick]

The pool is written in blocks, and graph and Φ stay on disk between stages (`_pool.py`). Every
stage is a process of its own, so its peak memory is its own:

    graph          K = 15
    laplacian
    landmarks      1,000 by default
    gcls           10,000
    propagation    10 classes from the 1,000 landmarks; the accuracy of the rest is told

A small pool compiles before the clock starts. Seconds are by the clock, with all threads, reading the maps
included. Peak memory is the kernel's VmHWM, pages of mapped files included: these the kernel may drop. What
the process made itself is RssAnon, looked at 20 times a second. Results are kept after each stage in
results.json of the folder; stages that are done are not repeated, --again does. At the end: exponents of
growth, fitted on the sizes from 30,000 on (of memory: on what comes on top of a process without a pool), and
what they say of 10^8 and 10^9 samples. --quick: 30,000 and 100,000.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from _figures import Figure, set_back, show, status
from _fit import exponent, project
from _pool import CLASSES, open_pool, write_pool
from _results import ROOT, commit, read_result, write_result

import trigpoint as tp

K, LANDMARKS, PICKS, GIGABYTES = 15, 1_000, 10_000, 20
STAGES = ("graph", "laplacian", "landmarks", "gcls", "propagation")
DEFAULT = ROOT / "out" / "scale"
FITTED = 30_000  # samples from which the search is approximate, as it is at any larger size
LARGE = {"10⁸": 1e8, "10⁹": 1e9}


class Watch:
    """The most that this process has made itself, in bytes, since ``reset``."""

    def __init__(self) -> None:
        self.most, self._ended = 0.0, threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()

    def _look(self) -> None:
        while not self._ended.wait(0.05):
            self.most = max(self.most, status("RssAnon"))

    def end(self) -> float:
        self._ended.set()
        self._thread.join()
        return max(self.most, status("RssAnon"))


def graph(folder):
    made = tp.build_graph(folder / "graph", open_pool(folder)[0], K)
    return f"{made.method}, recall {made.recall:.4f}", made.recall


def laplacian(folder):
    phi = tp.laplacian(tp.open_graph(folder / "graph"))
    tp.save_alignment(folder / "phi", phi)
    return f"{phi.nnz / phi.shape[0]:.1f} entries a row", None


def landmarks(folder):
    phi = tp.open_alignment(folder / "phi")
    picks = tp.select(phi, min(LANDMARKS, phi.shape[0] // 10))
    np.save(folder / "landmarks.npy", picks)
    return f"{len(picks):,} landmarks", None


def gcls(folder):
    phi = tp.open_alignment(folder / "phi")
    picks = tp.select(phi, min(PICKS, phi.shape[0] // 10), method="gcls")
    return f"{len(picks):,} landmarks", None


def propagation(folder):
    picks, y = np.load(folder / "landmarks.npy"), open_pool(folder)[1]
    found = tp.propagation.solve(tp.open_alignment(folder / "phi"), picks, np.eye(CLASSES)[y[picks]])
    right = found.values.argmax(axis=1) == y
    share = (right.sum() - right[picks].sum()) / (len(y) - len(picks))
    return f"{found.solver}, {found.iterations} iterations, {share:.2%} of the rest right", float(share)


WORK = {
    "graph": graph,
    "laplacian": laplacian,
    "landmarks": landmarks,
    "gcls": gcls,
    "propagation": propagation,
}


def compile_kernels(stage):
    """A small pool passes the same stage."""
    X = np.random.default_rng(0).random((21_000, 6), dtype=np.float32)
    small = tp.neighbor_graph(X if stage == "graph" else X[:5000], 10)
    if stage != "graph":
        phi = tp.laplacian(small)
        if stage in ("landmarks", "gcls"):
            tp.select(phi, 20, method="gcls" if stage == "gcls" else "auto")
        if stage == "propagation":
            tp.propagate(phi, np.arange(20), np.eye(20)[:, :2])


def stage_alone(stage: str, folder: Path) -> dict[str, Any]:
    """What one stage takes, in this process."""
    compile_kernels(stage)
    set_back()
    base = status("RssAnon")
    watch, start = Watch(), perf_counter()
    detail, quality = WORK[stage](folder)
    seconds = perf_counter() - start
    return {
        "seconds": seconds,
        "peak_gb": status("VmHWM") / 2**30,
        "anon_gb": watch.end() / 2**30,
        "base_gb": base / 2**30,
        "disk_gb": sum(file.stat().st_size for file in folder.rglob("*.npy")) / 2**30,
        "detail": detail,
        "quality": quality,
        "commit": commit(),
    }


def measure(folder: Path, n: int, p: int, stage: str) -> dict[str, Any]:
    """The same in a process of its own."""
    words = [sys.executable, __file__, "--stage", stage, "--folder", str(folder / f"{p}-{n}")]
    done = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True)
    return {"n": n, "p": p, "stage": stage, **json.loads(done.stdout.splitlines()[-1])}


def stages(folder: Path, sizes: list[int], features: list[int], again: bool = False) -> list[dict[str, Any]]:
    """All that are asked for and not there yet; each is kept when it is done."""
    held = [] if again else (read_result(folder, "results") or {"stages": []})["stages"]
    done = {(row["p"], row["n"], row["stage"]) for row in held}
    for p in features:
        for n in sizes:
            missing = [stage for stage in STAGES if (p, n, stage) not in done]
            if missing and not (folder / f"{p}-{n}" / "complete").exists():
                print(f"pool of {n:,} x {p}", flush=True)
                write_pool(folder / f"{p}-{n}", n, p)
                (folder / f"{p}-{n}" / "complete").touch()
            for stage in missing:
                row = measure(folder, n, p, stage)
                print(f"{stage}, n = {n:,}, p = {p}: {row['seconds']:.1f} s, {row['detail']}", flush=True)
                held.append(row)
                write_result(folder, "results", {"stages": held})
    return held


def figures_of_stages(rows: list[dict[str, Any]]):
    """Of each stage and size; then growth and projections."""
    now = commit()
    for row in rows:
        name, old = f"{row['stage']}, n = {row['n']:,}, p = {row['p']}", row["commit"].rstrip("+")
        said = row["detail"] + ("" if old == now.rstrip("+") else f" (commit {old})")
        curve = f"{row['stage']}, p = {row['p']}"
        yield Figure(name, row["seconds"], "s", detail=said, curve=curve, at=row["n"])
        made = f"of it {row['anon_gb']:.2f} GB made, the rest files that are mapped"
        yield Figure(f"{name}: memory", row["peak_gb"], "GB", detail=made)
    graphs = [row for row in rows if row["stage"] == "graph"]
    yield Figure("lowest recall of a graph", min(row["quality"] for row in graphs), "")
    solved = [row for row in rows if row["stage"] == "propagation"]
    for p in sorted({row["p"] for row in solved}):
        largest = max((row for row in solved if row["p"] == p), key=lambda row: row["n"])
        detail = f"n = {largest['n']:,}"
        yield Figure(f"right labels of the rest, p = {p}", 100 * largest["quality"], "%", detail=detail)
    largest = max(rows, key=lambda row: row["peak_gb"])
    where = f"{largest['stage']}, n = {largest['n']:,}, p = {largest['p']}"
    yield Figure("largest memory of a stage", largest["peak_gb"], "GB", detail=where)
    yield from growth(rows)


def growth(rows: list[dict[str, Any]]):
    for p in sorted({row["p"] for row in rows}):
        for stage in STAGES:
            some = [row for row in rows if (row["p"], row["stage"]) == (p, stage) and row["n"] >= FITTED]
            sizes = [row["n"] for row in some]
            if len(set(sizes)) < 2:
                continue
            fitted = f"n = {', '.join(f'{n:,}' for n in sizes)}"
            base = np.mean([row["base_gb"] for row in some])  # what a process holds without any pool
            own = [max(row["anon_gb"] - row["base_gb"], 1e-3) for row in some]
            hours = [row["seconds"] / 3600 for row in some]
            for what, costs, unit, least in (("time", hours, "h", 0.0), ("memory", own, "GB", base)):
                yield Figure(
                    f"{stage}, p = {p}: exponent of {what}", exponent(sizes, costs)[0], "", detail=fitted
                )
                for said, n in LARGE.items():
                    value = least + project(sizes, costs, n)
                    fits = f"{'within' if value <= GIGABYTES else 'beyond'} {GIGABYTES} GB" if least else ""
                    yield Figure(f"{stage}, p = {p}: {what} at {said}, projected", value, unit, detail=fits)
        disk = {row["n"]: row["disk_gb"] for row in rows if row["p"] == p and row["stage"] == STAGES[-1]}
        if disk:
            n, held = max(disk.items())
            for said, size in LARGE.items():
                yield Figure(f"disk at {said}, p = {p}, projected", held * size / n, "GB")


def figures(quick):
    if quick:
        with tempfile.TemporaryDirectory() as folder:
            rows = stages(Path(folder), [30_000, 100_000], [16])
    else:  # 10^7 takes half an hour: `./dev bench scale` measures it, and it counts here if it is there
        rows = stages(DEFAULT, [100_000, 1_000_000], [16, 64])
    yield from figures_of_stages(rows)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--n", default="1e5,1e6,1e7")
    parser.add_argument("--p", default="16,64")
    parser.add_argument("--folder", type=Path, default=DEFAULT)
    parser.add_argument("--again", action="store_true", help="also what is done")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--stage", choices=STAGES, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.stage:
        print(json.dumps(stage_alone(given.stage, given.folder)))
        return
    if given.quick:
        show(figures(True))
        return
    sizes, features = ([int(float(word)) for word in words.split(",")] for words in (given.n, given.p))
    show(figures_of_stages(stages(given.folder, sizes, features, given.again)))


if __name__ == "__main__":
    main()

"""A cluster of processes beside one machine: time, memory and bytes a stage, and what would bind on more.

    ./dev bench dask [--n 1e6] [--workers 1,2,4] [--stages graph,laplacian] [--quick]

The pool is that of `scale.py`, 16 features; workers read its file. Stages of `trigpoint.distributed` (graph,
Laplacian, 1,000 default landmarks, propagation of 10 classes) run on 1, 2 and 4 worker processes of one
thread each, beside the stages of `scale.py`, each a process with two threads. A worker's peak is the kernel's
VmHWM, which is set back before each stage. It holds what a worker is before it has any sample, with Dask, our
packages and compiled code, and that is told, too. Bytes moved are all that went through the loopback device,
so other programs must not use it; what the workers tell the scheduler is in it. --quick: n = 100,000.
--stages: only the first few.

The calculation for W workers, a stage:

    compute    s + c / W                    by the times with 1 and 2 workers; this machine has two cores
    network    (a (1 - 1/W) + b (W - 1)) / W / 1.25 GB/s    an exchange, and what all get; by bytes of 2, 4
    scheduler  200 µs a task, tasks t0 + t1 W                by those of 1, 2 and 4 workers

What is largest binds. Stages are taken to do one after the other, so the sum is a pessimist's time.
"""

import argparse
import tempfile
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter, sleep
from typing import Any

import numpy as np
from _figures import Figure, set_back, show, status
from _pool import CLASSES, open_pool, write_pool
from scale import LANDMARKS, K, measure
from scipy.optimize import nnls

STAGES = ("graph", "laplacian", "landmarks", "propagation")
NETWORK = 1.25e9  # bytes a second: 10 Gbit/s
TASK = 200e-6  # seconds of the scheduler
ONE_THREAD = {
    "MALLOC_TRIM_THRESHOLD_": 65536,  # as Dask sets it
    **dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"), "1"),
}


def tell(dask_worker: Any) -> dict[str, float]:
    """Of a worker: its peak memory, and the tasks that it has done."""
    return {
        "peak": status("VmHWM"),
        "anon": status("RssAnon"),
        "tasks": dask_worker.state.executed_count,
    }


def on_cluster(
    distributed: Any, folder: Path, n_workers: int, stages: Sequence[str] = STAGES
) -> dict[str, dict[str, float]]:
    """Stage -> seconds, largest peak of a worker, bytes moved, tasks; of "nothing" only the peak."""
    import dask

    from distributed import Client, LocalCluster

    environ = {"distributed.nanny.pre-spawn-environ": ONE_THREAD, "distributed.admin.tick.limit": "1h"}
    with (
        dask.config.set(environ),
        LocalCluster(
            n_workers=n_workers, threads_per_worker=1, processes=True, dashboard_address=":0", memory_limit=0
        ) as cluster,
        Client(cluster) as client,
    ):
        return dict(measured_stages(distributed, client, folder, stages))


def measured_stages(distributed, client, folder, stages):
    X, y = open_pool(folder)
    kept: dict[str, Any] = {}

    def graph():
        kept["graph"] = distributed.neighbor_graph(folder / "X.npy", K, client=client)

    def laplacian():
        kept["phi"] = distributed.laplacian(kept["graph"])

    def landmarks():
        kept["picks"] = distributed.select(kept["phi"], min(LANDMARKS, len(y) // 10))

    def propagation():
        picks = np.asarray(kept["picks"])
        kept["values"] = distributed.propagate(kept["phi"], picks, np.eye(CLASSES)[y[picks]])

    small = np.asarray(X[:25_000])  # compiles, in every worker
    made = distributed.neighbor_graph(small, K, client=client)
    if len(stages) > 1:
        phi = distributed.laplacian(made)
        picks = np.asarray(distributed.select(phi, 20))
        for split in ("columns", "rows"):
            distributed.propagate(phi, picks, np.eye(20)[:, :CLASSES], split=split)
        del phi
    del made
    settle(client)
    client.run(set_back)
    yield "nothing", {"peak": max(one["peak"] for one in client.run(tell).values())}
    for name, work in zip(stages, (graph, laplacian, landmarks, propagation), strict=False):
        client.run(set_back)
        set_back()
        before, start, moved = client.run(tell), perf_counter(), on_loopback()
        work()
        settle(client)
        seconds, moved, after = perf_counter() - start, on_loopback() - moved, client.run(tell)
        row = {"seconds": seconds, "bytes": moved, "client": status("VmHWM")}
        row["peak"] = max(one["peak"] for one in after.values())
        row["tasks"] = sum(one["tasks"] for one in after.values()) - sum(
            one["tasks"] for one in before.values()
        )
        yield name, row


def on_loopback() -> float:
    """Bytes that the loopback device has carried."""
    for line in Path("/proc/net/dev").read_text().splitlines():
        name, _, counts = line.partition(":")
        if name.strip() == "lo":
            return float(counts.split()[0])
    raise RuntimeError("there is no loopback device 'lo' in /proc/net/dev.")


def settle(client: Any) -> None:
    """Until no worker has anything left to do: what a stage has only begun counts, too."""
    while any(client.processing().values()):
        sleep(0.01)


def law_of_bytes(moved: dict[int, float]) -> tuple[float, float]:
    """(a, b) of a (1 - 1/W) + b (W - 1), neither below 0."""
    counts = np.array([w for w in moved if w > 1], dtype=float)
    if not len(counts):
        return 0.0, 0.0
    terms = np.column_stack([1 - 1 / counts, counts - 1])
    a, b = nnls(terms, np.array([moved[int(w)] for w in counts]))[0]
    return float(a), float(b)


def law_of_time(seconds: dict[int, float]) -> tuple[float, float]:
    """(s, c) of s + c / W by one and two workers, s at least 0."""
    if 1 not in seconds or 2 not in seconds:
        return 0.0, max(w * found for w, found in seconds.items())
    c = 2 * (seconds[1] - seconds[2])
    return (seconds[1] - c, c) if 0 <= c <= seconds[1] else (0.0, seconds[1]) if c > 0 else (seconds[1], 0.0)


def law_of_tasks(tasks: dict[int, float]) -> tuple[float, float]:
    if len(tasks) < 2:
        return float(next(iter(tasks.values()))), 0.0
    slope, level = np.polyfit(list(tasks), list(tasks.values()), 1)
    return float(level), float(slope)


def projected(rows: dict[int, dict[str, float]], workers: int) -> dict[str, float]:
    """Seconds of each part for a number of workers."""
    s, c = law_of_time({w: row["seconds"] for w, row in rows.items()})
    a, b = law_of_bytes({w: row["bytes"] for w, row in rows.items()})
    t0, t1 = law_of_tasks({w: row["tasks"] for w, row in rows.items()})
    return {
        "what one process does alone": s,
        "compute": c / workers,
        "network": (a * (1 - 1 / workers) + b * (workers - 1)) / workers / NETWORK,
        "scheduler": TASK * max(t0 + t1 * workers, 0.0),
    }


def run(n, counts, stages=STAGES):
    from trigpoint import distributed  # first: without it nothing else is worth the time

    with tempfile.TemporaryDirectory() as home:
        folder = Path(home) / f"16-{n}"
        write_pool(folder, n, 16)
        alone = {name: measure(Path(home), n, 16, name) for name in stages}
        clusters = {count: on_cluster(distributed, folder, count, stages) for count in counts}
        bases = {count: rows.pop("nothing")["peak"] / 2**30 for count, rows in clusters.items()}
    for count, base in bases.items():
        yield Figure(f"without a sample: {count} workers: peak of a worker", base, "GB")
    for name, one in alone.items():
        yield Figure(f"{name}: one machine", one["seconds"], "s", detail=f"{one['peak_gb']:.2f} GB")
        for count, rows in clusters.items():
            row, who = rows[name], f"{name}: {count} workers"
            moved = f"{row['bytes'] / 1e6:,.0f} MB moved, {row['tasks']:,.0f} tasks, "
            moved += f"{row['client'] / 2**30:.2f} GB in the client"
            yield Figure(who, row["seconds"], "s", "one machine", one["seconds"], moved)
            share = 100 * row["peak"] / 2**30 / one["peak_gb"]
            said = f"{row['peak'] / 2**30:.2f} GB of {one['peak_gb']:.2f} GB"
            yield Figure(f"{who}: peak of a worker", share, "% of one machine", detail=said)
    largest = max(one["peak_gb"] for one in alone.values())
    for count, rows in clusters.items():
        whole, longer = (sum(row["seconds"] for row in some.values()) for some in (rows, alone))
        yield Figure(f"all stages: {count} workers", whole, "s", "one machine", longer)
        most = max(row["peak"] for row in rows.values()) / 2**30
        said = f"{most:.2f} GB of {largest:.2f} GB"
        yield Figure(
            f"all stages: {count} workers: peak of a worker",
            100 * most / largest,
            "% of one machine",
            detail=said,
        )
    for name in alone:
        for count in (16, 64):
            parts = projected({w: rows[name] for w, rows in clusters.items()}, count)
            binds = max(parts, key=parts.get)
            said = ", ".join(f"{part} {seconds:.2f} s" for part, seconds in parts.items())
            yield Figure(
                f"{name}: {count} workers, by calculation",
                sum(parts.values()),
                "s",
                detail=f"{binds} binds: {said}",
            )


def figures(quick):
    yield from run(100_000 if quick else 1_000_000, (1, 2) if quick else (1, 2, 4))


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--n", type=float, default=1e6)
    parser.add_argument("--workers", default="1,2,4")
    parser.add_argument("--stages", default=",".join(STAGES), help="the first few of all stages")
    parser.add_argument("--quick", action="store_true")
    given = parser.parse_args()
    if given.quick:
        show(figures(True))
    else:
        stages = tuple(given.stages.split(","))
        if stages != STAGES[: len(stages)]:
            parser.error(f"--stages must be the first few of {','.join(STAGES)}; got {given.stages}")
        show(run(int(given.n), [int(word) for word in given.workers.split(",")], stages))


if __name__ == "__main__":
    main()

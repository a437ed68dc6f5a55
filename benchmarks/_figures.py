"""What a benchmark hands out: one record a figure.

Every file of this folder that measures has a function ``figures(quick)`` which yields ``Figure`` records as
they are found. Its own ``main`` prints them, and `all.py` keeps them: nothing is measured by two codes. Names
are the same at all sizes, so a promise (`_promises.py`) finds its figure by the name of the benchmark and of
the figure.

    ratio = peer_value / value      how many times as much the peer takes; above 1 we are better
"""

import argparse
import multiprocessing
import resource
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from time import perf_counter, process_time
from typing import Any


@dataclass(frozen=True)
class Figure:
    """A number of ours, and that of a peer or of a lower bound from the same run."""

    name: str
    value: float
    unit: str = "s"
    peer: str = ""
    peer_value: float | None = None
    detail: str = ""  # sizes, recall, solver: in words
    curve: str = ""  # figures of one curve are one cost at several sizes
    at: float | None = None  # the size

    @property
    def ratio(self) -> float | None:
        if self.peer_value is None or not self.value > 0:
            return None
        return self.peer_value / self.value

    def line(self) -> str:
        parts = [f"{self.name}: {number(self.value)} {self.unit}".rstrip()]
        if self.peer_value is not None:
            parts.append(f"{self.peer} {number(self.peer_value)} {self.unit}".rstrip())
        if self.ratio is not None:
            parts.append(f"ratio {number(self.ratio)}")
        return "   ".join([*parts, self.detail]).rstrip()

    def record(self) -> dict[str, Any]:
        """What is not the default, for JSON."""
        default = {field.name: field.default for field in fields(self)}
        return {key: value for key, value in asdict(self).items() if value != default[key]}


def number(value: float) -> str:
    """Three digits, without an exponent between 0.001 and a billion."""
    if value != value:
        return "unknown"
    size = abs(value)
    if size >= 100:
        return f"{value:,.0f}"
    if size >= 0.001 or size == 0:
        return f"{value:.3g}"
    return f"{value:.1e}"


def show(figures: Iterable[Figure]) -> list[Figure]:
    """Print every figure when it is there."""
    found = []
    for figure in figures:
        print(figure.line(), flush=True)
        found.append(figure)
    return found


def main(figures: Callable[[bool], Iterator[Figure]], doc: str | None) -> None:
    """The command line of a benchmark that has no options but ``--quick``."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="small sizes, to see that it runs")
    show(figures(parser.parse_args().quick))


def clock(work: Callable[[], Any], repeats: int = 1) -> float:
    """Seconds: the least of some runs."""
    return min(timed(work)[1] for _ in range(repeats))


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    """What it returns, and the seconds that it took."""
    start = perf_counter()
    result = work()
    return result, perf_counter() - start


def processor(work: Callable[[], Any], repeats: int = 1) -> float:
    """Seconds of all threads: the least of some runs."""
    times = []
    for _ in range(repeats):
        start = process_time()
        work()
        times.append(process_time() - start)
    return min(times)


def peak_gb() -> float:
    """The most that this process has held."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / (2**30 if sys.platform == "darwin" else 2**20)


def status(field: str, pid: int | str = "self") -> float:
    """Bytes of a process, from the kernel: VmRSS, VmHWM (the most so far), RssAnon, RssFile. Linux only."""
    lines = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
    return 1024.0 * int(lines[field].split()[0])


def set_back() -> None:
    """VmHWM of this process begins again at what it holds now: not what compiling took."""
    Path("/proc/self/clear_refs").write_text("5")


def alone(work: Callable[..., None], *arguments: Any) -> Iterator[Figure]:
    """The figures that ``work(pipe, *arguments)`` sends from a process of its own, with its own memory."""
    context = multiprocessing.get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=work, args=(sender, *arguments))
    process.start()
    sender.close()
    while True:
        try:
            yield receiver.recv()
        except EOFError:
            break
    process.join()
    if process.exitcode:
        raise RuntimeError(f"{work.__name__}{arguments}: ended with code {process.exitcode}")

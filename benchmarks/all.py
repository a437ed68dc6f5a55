"""Every figure that the documentation promises, measured again; one table; the promises that were missed.

    ./dev bench all [--quick] [--only NAME ...] [--slow] [--again] [-o FOLDER] [--table] [--write-docs]

Each benchmark is a process of its own, one after the other: times must not share the machine. Its figures are
kept in FOLDER/NAME.json when it has ended (out/bench/quick or out/bench/full by default), with the commit,
the versions and the machine, so the same command goes on where it stopped; --again begins anew. A benchmark
that fails, or takes longer than its limit, is told and the others go on. Ctrl-C keeps what is done.

--quick    small sizes, within ten minutes on two cores; only promises that hold at any size are judged
--slow     repeats the runs that take hours, whose stored tables in docs/ are read otherwise
--table    measures nothing: the table of what is there
--write-docs  writes docs/performance.md, its pictures and docs/performance/results.json from what is there;
           benchmarks that are not there keep the rows that the page has of them

The exit code is 1 if a promise was missed or a benchmark failed.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from time import perf_counter
from typing import Any

from _promises import PROMISES, Promise
from _results import MANIFEST, ROOT, environment, read_result, write_result
from _stored import SLOW, STORED
from _table import HEADS, counted, markdown, missed, missed_lines, rows, verdicts

HERE = Path(__file__).parent
ENDS = {signal.SIGINT, signal.SIGTERM}
MINUTES = {"quick": 4, "full": 180}  # that one benchmark may take
# From the cheapest on, so that the first figures are there soon.
NAMES = (
    *STORED,
    "views",
    "first_run",
    "alignment",
    "selection_geodesic",
    "uncertainty",
    "solvers",
    "least_squares",
    "gcls",
    "dictionary",
    "growth",
    "neighbors",
    "landmarks",
    "bound",
    "bound_noise",
    "costs",
    "selection_scale",
    "facility_on_phi",
    "gcls_quality",
    "pictures",
    "text",
    "own_model",
    "stopping",
    "loop",
    "mnist",
    "studio",
    "studio_day",
    "studio_pictures",
    "studio_gallery",
    "dask",
    "scale",
    "million",
)


def run_one(name: str, quick: bool, minutes: float) -> dict[str, Any]:
    """What a benchmark found, or why it failed, in the words of its error."""
    with tempfile.TemporaryDirectory() as folder:
        file, log = Path(folder) / "figures", Path(folder) / "errors"
        words = [sys.executable, str(HERE / "_child.py"), name, str(file), *(["--quick"] if quick else [])]
        started = perf_counter()
        with log.open("w") as errors:
            why = ended(words, errors, 60 * minutes)
        lines = file.read_text().splitlines() if file.exists() else []
        result = {**environment(quick), "name": name, "seconds": round(perf_counter() - started, 1)}
        result["figures"] = [json.loads(line) for line in lines]
        if why:
            told = [line for line in log.read_text(errors="replace").splitlines() if line.strip()]
            result["failed"] = f"{why}: {told[-1].strip()}" if told else why
        return result


def ended(words: list[str], errors: Any, seconds: float) -> str:
    """Run a process to its end; empty if all is well. Its whole family goes with it.

    Between the start of the child and the wait for it no signal is heard: one there would lose the child.
    """
    signal.pthread_sigmask(signal.SIG_BLOCK, ENDS)
    process = subprocess.Popen(words, stderr=errors, start_new_session=True, preexec_fn=listen)
    try:
        listen()
        code = process.wait(seconds)
        return f"ended with code {code}" if code else ""
    except subprocess.TimeoutExpired:
        return f"not finished in {seconds / 60:g} minutes"
    finally:
        end_family(process)


def listen() -> None:
    signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDS)


def end_family(process: subprocess.Popen) -> None:
    """The child began a session of its own: whatever it has left running ends."""
    for sign in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, sign)
        except ProcessLookupError:
            return
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            continue


def run_slow(name: str) -> str:
    """Repeat a run of hours, in the folder of its tables; empty if all is well."""
    words = SLOW[name].format(folder=ROOT / "docs").split()
    program = [str(ROOT / "dev")] if words[0] == "bench" else [sys.executable, "-m", "trigpoint.cli"]
    if words[0] != "bench":
        words += ["--data", os.environ.get("TRIGPOINT_DATA", "missing")]
        words += ["--reference", os.environ.get("TRIGPOINT_REFERENCE", "missing")]
    code = subprocess.run([*program, *words], cwd=ROOT).returncode
    return f"{' '.join(words)}: ended with code {code}" if code else ""


def done(result: dict[str, Any] | None) -> bool:
    return result is not None and "failed" not in result


def measure(folder: Path, names: Iterable[str], given: argparse.Namespace) -> None:
    """What is missing, or all of it; every result is on disk before the next benchmark begins."""
    write_result(folder, Path(MANIFEST).stem, environment(given.quick))
    minutes = given.minutes or MINUTES["quick" if given.quick else "full"]
    for name in names:
        if not given.again and done(read_result(folder, name)):
            print(f"== {name}: done before", flush=True)
            continue
        print(f"== {name}", flush=True)
        repeated = run_slow(name) if given.slow and name in SLOW else ""
        result = run_one(name, given.quick and name not in STORED, minutes)
        if name in STORED and not given.slow:
            result["stored"] = True
        if repeated:
            result["failed"] = repeated
        write_result(folder, name, result)
        print(f"== {name}: {result['seconds']:.0f} s{', FAILED' if 'failed' in result else ''}", flush=True)


def results_of(folder: Path, names: Iterable[str]) -> dict[str, dict[str, Any]]:
    return {name: found for name in names if (found := read_result(folder, name)) is not None}


def tell(results: dict[str, dict[str, Any]], folder: Path, promises: list[Promise]) -> bool:
    """The table, and at the end what was missed and what failed; whether all is well."""
    judged = verdicts(results, promises)
    lines = rows(results, judged)
    table = markdown(HEADS, lines)
    (folder / "table.md").write_text(table, encoding="utf-8")
    widths = [min(48, max((len(line[k]) for line in [HEADS, *lines]), default=0)) for k in range(len(HEADS))]
    print()
    for line in (HEADS, *lines):
        print("  ".join(cell[:width].ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())
    print(f"\n{counted(judged)} The table is in {folder / 'table.md'}.")
    commits = {result.get("commit", "") for result in results.values()}
    if len(commits) > 1:
        print(
            f"These are results of several commits ({', '.join(sorted(commits))}); --again measures all anew."
        )
    failed = {name: result["failed"] for name, result in results.items() if "failed" in result}
    for name, why in failed.items():
        print(f"FAILED {name}: {why}")
    for line in missed_lines(judged):
        print(f"MISSED {line}")
    return not failed and not missed(judged)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", nargs="+", metavar="NAME", choices=NAMES, default=None)
    parser.add_argument("--slow", action="store_true")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("-o", "--output", type=Path, default=None)
    parser.add_argument("--minutes", type=float, default=None, help="that one benchmark may take")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--write-docs", action="store_true")
    return parser.parse_args()


def main() -> int:
    given = arguments()
    folder = given.output or ROOT / "out" / "bench" / ("quick" if given.quick else "full")
    folder.mkdir(parents=True, exist_ok=True)
    names = [name for name in NAMES if given.only is None or name in given.only]
    interrupted = False
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # whoever ends this ends the benchmark, too
    if not given.table:
        try:
            measure(folder, names, given)
        except KeyboardInterrupt:
            interrupted = True
            print("\ninterrupted; what is done is kept, and the same command goes on.", flush=True)
    promises = [one for one in PROMISES if one.benchmark in names]
    well = tell(results_of(folder, names), folder, promises)
    if given.write_docs:
        from _page import write_docs

        write_docs(results_of(folder, NAMES), NAMES)
    return 130 if interrupted else 0 if well else 1


if __name__ == "__main__":
    sys.exit(main())

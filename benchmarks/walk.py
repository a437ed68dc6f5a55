"""How many of trigpoint's functions one command passes through, and in how many files.

    python benchmarks/walk.py select pool.csv --budget 5 -o picks.csv

With no arguments it runs `trigpoint select` on a small table that it makes. Functions that run while modules
are imported are left out; threads are not followed. ``--list`` before the command prints every function.
"""

import sys
import tempfile
from collections import Counter
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np

import trigpoint
from trigpoint.cli import main

ROOT = str(Path(trigpoint.__file__).parent)


def walk(arguments: list[str]) -> Counter[tuple[str, str]]:
    """(file, function) -> number of calls, of the functions of trigpoint that the command runs."""
    seen: Counter[tuple[str, str]] = Counter()

    def note(frame: FrameType, event: str, argument: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(ROOT) and not importing(frame):
            seen[code.co_filename[len(ROOT) + 1 :], code.co_qualname] += 1

    sys.setprofile(note)
    try:
        main(arguments)
    except SystemExit as end:
        if end.code:
            raise
    finally:
        sys.setprofile(None)
    return seen


def importing(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_name == "<module>" and frame.f_code.co_filename.startswith(ROOT):
            return True
        frame = frame.f_back
    return False


def small_pool(folder: Path) -> list[str]:
    X = np.random.default_rng(0).standard_normal((60, 3))
    table = folder / "pool.csv"
    rows = [f"{i},{','.join(f'{x:.6f}' for x in row)}" for i, row in enumerate(X)]
    table.write_text("\n".join(["id,a,b,c", *rows]) + "\n")
    return ["select", str(table), "--budget", "5", "--no-cache", "-o", str(folder / "picks.csv")]


if __name__ == "__main__":
    given = sys.argv[1:]
    listed = given[:1] == ["--list"]
    given = given[listed:]
    with tempfile.TemporaryDirectory() as folder:
        seen = walk(given or small_pool(Path(folder)))
    if listed:
        for (file, function), count in sorted(seen.items()):
            print(f"{count:6d}  {file}  {function}")
    names = {key for key in seen if not key[1].rpartition(".")[2].startswith("<")}
    selections = sum(seen[key] for key in seen if key[1] == "select" and key[0].startswith("selection"))
    print(
        f"{len(names)} functions in {len({file for file, _ in names})} files; select ran {selections} times"
    )

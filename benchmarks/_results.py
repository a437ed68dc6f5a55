"""Results of benchmarks on disk: one JSON a benchmark, and a manifest of where they were made.

A file is written whole when its benchmark has ended: what is there is complete. ``failed`` has the last lines
of the error of one that did not end.
"""

import json
import os
import platform
import subprocess
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from _figures import Figure

from trigpoint.io import write_text

ROOT = Path(__file__).parents[1]
PACKAGES = ("trigpoint", "numpy", "scipy", "scikit-learn", "numba", "faiss-cpu", "pynndescent", "distributed")
MANIFEST = "manifest.json"


def environment(quick: bool) -> dict[str, Any]:
    """Where and with what the figures are made."""
    return {
        "quick": quick,
        "commit": commit(),
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "Python": platform.python_version(),
        "packages": {name: found for name in PACKAGES if (found := installed(name))},
        "cpu": cpu_name(),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "memory_gb": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30, 1),
        "system": f"{platform.system()} {platform.machine()}",
    }


def installed(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def commit() -> str:
    """The commit, with a plus if files have changed since; empty outside a clone."""
    git = ["git", "-C", str(ROOT)]
    try:
        name = subprocess.run(
            [*git, "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=True
        )
        changed = subprocess.run(
            [*git, "status", "--porcelain", "src", "benchmarks"], capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return ""
    return name.stdout.strip() + ("+" if changed.stdout.strip() else "")


def cpu_name() -> str:
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor()


def write_result(folder: Path, name: str, result: dict[str, Any]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    write_text(folder / f"{name}.json", json.dumps(result, indent=1) + "\n")


def read_result(folder: Path, name: str) -> dict[str, Any] | None:
    path = folder / f"{name}.json"
    return json.loads(path.read_text()) if path.exists() else None


def figures_of(result: dict[str, Any]) -> list[Figure]:
    return [Figure(**record) for record in result.get("figures", [])]

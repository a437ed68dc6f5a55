"""What a run was made with: versions, machine, code, command."""

import ast
import hashlib
import os
import platform
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

import trigpoint
from trigpoint._versions import library_versions

ROOT = Path(trigpoint.__file__).parent


def run_record(code: str | None = None, **asked: Any) -> dict[str, Any]:
    """One entry of a manifest; ``asked`` is what the run was told, ``code`` what makes its results."""
    return {
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
        **asked,
        "code": code or code_digest(),
        "versions": library_versions(),
        "machine": {
            "system": platform.system(),
            "machine": platform.machine(),
            "processor": processor(),
            "cores": os.cpu_count(),
        },
    }


@lru_cache
def code_digest(module: str = "trigpoint") -> str:
    """Of all that a module may use of this package: equal digests, equal code."""
    digest = hashlib.sha256()
    for file in sources(module):
        digest.update(f"{file.relative_to(ROOT)}\0".encode() + file.read_bytes())
    return digest.hexdigest()[:16]


def sources(module: str) -> list[Path]:
    """The files of a module, of what it imports, and of what that imports; of "trigpoint" all files."""
    found: set[Path] = set()
    waiting = _files(module)
    while waiting:
        file = waiting.pop()
        if file not in found:
            found.add(file)
            waiting += [held for name in _imported(file) for held in _files(name)]
    return sorted(found)


def _files(name: str) -> list[Path]:
    """One file, where a dotted name leads to it; else its whole room, which may load methods by their names.

    Kernels are always imported by their files.
    """
    parts = name.split(".")
    if parts[0] != ROOT.name:
        return []
    for depth in (3, 2):
        file = ROOT.joinpath(*parts[1:depth]).with_suffix(".py")
        if len(parts) >= depth and file.is_file():
            return [file]
    room = ROOT.joinpath(*parts[1:2])
    return [room / "__init__.py"] if room.name == "_kernels" else sorted(room.rglob("*.py"))


def _imported(file: Path) -> Iterator[str]:
    """Dotted names that a file imports, wherever in it."""
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name != ROOT.name)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def processor() -> str:
    """Its name, where the system tells."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor()

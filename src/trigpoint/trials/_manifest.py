"""What a run was made with: versions, machine, code, command."""

import hashlib
import os
import platform
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

import trigpoint
from trigpoint._versions import library_versions


def run_record(**asked: Any) -> dict[str, Any]:
    """One entry of a manifest; ``asked`` is what the run was told."""
    return {
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
        **asked,
        "code": code_digest(),
        "versions": library_versions(),
        "machine": {
            "system": platform.system(),
            "machine": platform.machine(),
            "processor": processor(),
            "cores": os.cpu_count(),
        },
    }


@lru_cache
def code_digest() -> str:
    """Of all source files of the package: equal digests, equal code."""
    root = Path(trigpoint.__file__).parent
    digest = hashlib.sha256()
    for file in sorted(root.rglob("*.py")):
        digest.update(f"{file.relative_to(root)}\0".encode() + file.read_bytes())
    return digest.hexdigest()[:16]


def processor() -> str:
    """Its name, where the system tells."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor()

"""The labels that the file of a pool holds beside its features."""

from pathlib import Path

from trigpoint.io._arrays import npz_headers
from trigpoint.io._files import TABLES, kind_of
from trigpoint.io._frames import FRAME
from trigpoint.io._pool import GRAPH
from trigpoint.io._read_table import read_table
from trigpoint.io._samples import Samples
from trigpoint.io._table import LABEL_NAMES

ARRAY_NAMES = (*LABEL_NAMES, "y")


def label_column_of(samples: Samples) -> str | None:
    """The one column that is called label, labels, target or class, or the one such array, or y; else None.

    `read_labels` takes it as ``label_column``, with the pool's own path.
    """
    path = Path(samples.path)
    if samples.kind in ("graph", "images") or path in (FRAME, GRAPH):
        return None
    kind = "dataset" if path.is_dir() else kind_of(path)
    if kind == "npz" and samples.kind == "array":
        headers = npz_headers(path)
        called = [name for name in headers if name.lower() in ARRAY_NAMES]
        called = [name for name in called if headers[name][0][:1] == (samples.n_samples,)]
    elif kind in TABLES:
        names: list[str] = list(samples.shown) if samples.kind == "table" else _heads(path, kind)
        called = [name for name in names if name.strip().lower() in LABEL_NAMES]
    else:
        return None
    return called[0] if len(called) == 1 else None


def _heads(path: Path, kind: str) -> list[str]:
    seen: list[str] = []

    def plan(names: list[str]) -> dict[str, bool]:
        seen[:] = names
        return {}

    read_table(path, kind, plan)
    return seen

"""Tables of results, written whole or not at all, in the kind that their name says.

In CSV and TSV, text that a spreadsheet would run as a formula gets an apostrophe in front, which our
readers take away again (see _cells). Parquet and JSON hold every value as it is. Missing is a blank
cell or null; JSON has no infinity either, so that too is null there.
"""

import math
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from trigpoint._errors import InputError
from trigpoint._types import Array
from trigpoint.io._atomic import atomic_path, check_target, write_text
from trigpoint.io._files import WRITTEN, kind_of, require
from trigpoint.io._json import write_records
from trigpoint.io._pace import paced
from trigpoint.io._table import guarded

STDOUT = "-"


def check_table_path(path: str | Path) -> None:
    """Refuse early what `write_table` could not write in the end: kind, folder, extra."""
    if str(path) == STDOUT:
        return
    kind = kind_of(Path(path), WRITTEN)
    if Path(path).suffix.lower() == ".gz":
        raise InputError(path, "must not end in .gz: tables are written plain")
    if kind == "parquet":
        require("pyarrow", path)
    check_target(path)


def write_table(path: str | Path, columns: Mapping[str, Sequence[Any] | Array]) -> None:
    """Write columns of equal length as .csv, .tsv, .parquet, .json or .jsonl; "-" is CSV on standard output.

    Notes
    -----
    Cost: one pass; the file is written whole or not at all. A text that a spreadsheet would take for a
    formula gets an apostrophe.

    Examples
    --------
    >>> write_table("-", {"id": ["a", "=b"], "label": ["x", None], "score": [0.5, 1.0]})
    id,label,score
    a,x,0.5
    '=b,,1.0
    """
    check_table_path(path)
    plain = {name: _plain(name, values) for name, values in columns.items()}
    lengths = {name: len(values) for name, values in plain.items()}
    if not plain or len(set(lengths.values())) > 1:
        raise InputError("columns", "must be at least one, all of one length", lengths)
    kind = "csv" if str(path) == STDOUT else kind_of(Path(path), WRITTEN)
    if kind == "parquet":
        _write_parquet(path, plain)
        return
    if kind in ("json", "jsonl"):
        write_records(path, _records(plain), lines=kind == "jsonl")
        return
    text = _delimited(plain, "\t" if kind == "tsv" else ",")
    if str(path) == STDOUT:
        _to_stdout(text)
    else:
        write_text(path, text)


def _plain(name: str, values: Any) -> list[Any]:
    """Str, bool, int, float or None; NaN is None."""
    items = values.tolist() if isinstance(values, np.ndarray) else list(values)
    items = [item.item() if isinstance(item, np.generic) else item for item in items]
    for item in paced(items):
        if not isinstance(item, str | bool | int | float | None):
            raise InputError(f"column {name!r}", "must hold text, numbers or None", f"{type(item).__name__}")
    return [None if isinstance(item, float) and math.isnan(item) else item for item in items]


def _delimited(columns: dict[str, list[Any]], delimiter: str) -> str:
    """Rows of cells; quoted by hand, since Python's writer leaves a lone carriage return bare."""
    marks = re.compile(f'[{delimiter}"\r\n]')

    def row(values: Any) -> str:
        cells = [_cell(value) for value in values]
        quoted = ['"' + cell.replace('"', '""') + '"' if marks.search(cell) else cell for cell in cells]
        return delimiter.join(quoted) or '""'  # a blank line would be no row

    rows = zip(*columns.values(), strict=True)
    return "".join(line + "\n" for line in paced(chain([row(columns)], map(row, rows))))


def _cell(value: Any) -> str:
    if isinstance(value, str):
        return guarded(value)
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else repr(value)


def _records(columns: dict[str, list[Any]]) -> Iterator[dict[str, Any]]:
    finite = ([None if v in (math.inf, -math.inf) else v for v in values] for values in columns.values())
    return (dict(zip(columns, row, strict=True)) for row in zip(*finite, strict=True))


def _write_parquet(path: str | Path, columns: dict[str, list[Any]]) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    try:
        table = pa.table(columns)
    except (pa.ArrowException, TypeError, OverflowError) as error:
        raise InputError(f"columns of {path}", f"must each hold one kind of value; {error}") from None
    with atomic_path(path) as part:
        parquet.write_table(table, part)


def _to_stdout(text: str) -> None:
    """UTF-8 whatever the locale says."""
    buffer = getattr(sys.stdout, "buffer", None)
    if buffer is None:
        sys.stdout.write(text)
        return
    sys.stdout.flush()
    buffer.write(text.encode())
    buffer.flush()

"""One door to every table: CSV and TSV, Parquet, JSON."""

from collections.abc import Callable
from pathlib import Path

from trigpoint._errors import InputError
from trigpoint.io._delimited import read_delimited
from trigpoint.io._json import read_json
from trigpoint.io._parquet import read_parquet
from trigpoint.io._table import Plan, Table

READERS: dict[str, Callable[[Path, str, Plan], Table]] = {
    "csv": read_delimited,
    "tsv": read_delimited,
    "parquet": read_parquet,
    "json": read_json,
    "jsonl": read_json,
}


def read_table(path: Path, kind: str, plan: Plan) -> Table:
    """The columns of a file that the plan wants; at least one row."""
    table = READERS[kind](path, kind, plan)
    if table.n_rows == 0:
        raise InputError(path, "must hold at least one row below its header; it holds none")
    return table

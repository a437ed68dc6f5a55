"""Parquet, a column at a time, so that the pool is never held twice."""

from pathlib import Path
from typing import Any

import numpy as np

from trigpoint._errors import InputError
from trigpoint.io._cells import numbers, text_of
from trigpoint.io._files import reading, require
from trigpoint.io._table import Column, Plan, Table, check_names


def read_parquet(path: Path, _: str, plan: Plan) -> Table:
    require("pyarrow", path)
    from pyarrow import parquet

    with reading(path, "a Parquet file"):
        file = parquet.ParquetFile(path)
    with file:
        schema = file.schema_arrow
        check_names(path, schema.names)
        wanted, n_rows = plan(schema.names), file.metadata.num_rows
        columns = {name: _column(path, file, name, wanted[name]) for name in schema.names if name in wanted}
    for name, column in columns.items():
        if len(column) != n_rows:
            raise InputError(path, f"must hold {n_rows} rows, as it says; column {name!r} has {len(column)}")
    return Table(path, columns, n_rows, lambda i: f"row {i + 1}")


def _column(path: Path, file: Any, name: str, as_text: bool) -> Column:
    import pyarrow as pa

    with reading(path, "a Parquet file"):
        column = file.read(columns=[name])[name]
        kind = column.type
        real = pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_boolean(kind)
        if (real or pa.types.is_decimal(kind)) and not as_text:
            return np.asarray(column.cast(pa.float64(), safe=False).to_numpy(), dtype=np.float64)
        cells = [text_of(value) for value in column.to_pylist()]
    spelled = None if as_text else numbers(cells)
    return cells if spelled is None else spelled

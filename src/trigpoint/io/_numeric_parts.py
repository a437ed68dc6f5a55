"""Large tables of numbers alone, in Parquet: read a block at a time, and never held in memory.

A folder of Parquet files (or one file) is read like this if it would take more than `LARGE` bytes, if all its
columns but the ids are numbers, and if nothing is asked for that needs whole columns. Its features are the
columns as they are, without scaling: views bring columns of different kinds to one scale (`views.base_name`).
Columns that count or identify the rows are left out, as in smaller tables; the first rows tell. Where a value
is missing, the table is read as smaller ones are, in memory, so that it gets a usual value.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from trigpoint._errors import InputError
from trigpoint._types import Array
from trigpoint._validation import check_block, held_type
from trigpoint.features import ColumnUse, fit_table
from trigpoint.io._arrow import dataset_parts, read_parts
from trigpoint.io._files import reading
from trigpoint.io._joined import joined
from trigpoint.io._pool_options import Options
from trigpoint.io._samples import Samples, as_ids, row_numbers
from trigpoint.io._table import LABEL_NAMES, check_ids, check_names, id_name
from trigpoint.io._table_pool import edges_of, feature_columns

LARGE = 2**30  # bytes, as float64
ROWS = 8192  # at a time
BUFFER = 2**16  # bytes of each column that is open
FIRST = 10_000  # rows that tell whether a column counts them
APART = ("counts the rows", "identifies the rows")


class MissingValueError(InputError):
    """A value is missing, and the table must be read in another way."""

    def __init__(self, file: Path) -> None:
        super().__init__(file, "must have no missing values to be read a block at a time")


@dataclass(frozen=True)
class NumericParts:
    """Parquet files of one schema."""

    files: tuple[Path, ...]
    names: list[str]
    types: dict[str, np.dtype[Any]]
    n_rows: int

    def blocks(self, columns: list[str], dtype: np.dtype[Any]) -> Iterator[Array]:
        from pyarrow import parquet

        for file in self.files:
            start = 0
            with (
                reading(file, "a Parquet file"),
                parquet.ParquetFile(file, buffer_size=BUFFER, page_checksum_verification=True) as part,
            ):
                for batch in part.iter_batches(ROWS, columns=columns, use_threads=False):
                    block = np.empty((batch.num_rows, len(columns)), dtype)
                    for j, name in enumerate(columns):
                        column = batch.column(name)
                        if column.null_count:
                            raise MissingValueError(file)
                        block[:, j] = column.to_numpy(zero_copy_only=False)
                    if np.isnan(block).any():
                        raise MissingValueError(file)
                    check_block(block, str(file), start)
                    start += len(block)
                    yield block


def numeric_pool(path: Path, kind: str, options: Options) -> Samples | None:
    """The pool; None where it is none of these tables."""
    plain = options.scale in ("auto", "none") and options.features is None and options.text_column is None
    if not plain or options.recipe is not None or options.graph:
        return None
    files = dataset_parts(path) if kind == "dataset" else [path]
    try:
        parts = _parts(files, options, path)
    except (InputError, OSError):  # then it is read as others are, which says more
        return None
    if parts is None or 8 * parts.n_rows * len(parts.names) <= LARGE:
        return None
    columns, uses = _columns(path, parts, options)
    if not columns:
        return None
    dtype = np.result_type(*(held_type(parts.types[name]) for name in columns))
    named = {str(file.relative_to(path)) if kind == "dataset" else file.name: file for file in files}
    try:
        X, fingerprint = joined(
            path, named, columns, (parts.n_rows, len(columns)), dtype, lambda: parts.blocks(columns, dtype)
        )
    except MissingValueError:
        return None
    name = id_name(path, parts.names, options.id_column)
    if name is None:
        ids = row_numbers(parts.n_rows)
    else:
        table = read_parts(files, path, lambda _: {name: True})
        ids = as_ids(check_ids(table, table.text(name)))
    note = f"{path} is read a block at a time, since it is large; its columns are not scaled."
    return Samples(
        ids,
        X,
        None,
        "array",
        path,
        f"{fingerprint} {name}",
        None,
        tuple(columns),
        name is not None,
        columns=uses,
        note=note,
    )


def _parts(files: list[Path], options: Options, path: Path) -> NumericParts | None:
    """None where a file is no Parquet, or a column that may be a feature is no plain number."""
    from pyarrow import parquet

    if not files or any(file.suffix.lower() != ".parquet" for file in files):
        return None
    names: list[str] = []
    n_rows = 0
    types: dict[str, np.dtype[Any]] = {}
    for file in files:
        with reading(file, "a Parquet file"), parquet.ParquetFile(file) as part:
            schema, n_rows = part.schema_arrow, n_rows + int(part.metadata.num_rows)
        if not names:
            names = list(schema.names)
            check_names(path, names)
            if edges_of(path, names, options) is not None:
                return None
            wanted = feature_columns(path, names, options)
        if list(schema.names) != names:
            raise InputError(file, f"must have the columns of {files[0].name}", list(schema.names))
        for name in wanted:
            found = _number_type(schema.field(name).type)
            if found is None:
                return None
            types[name] = np.result_type(types.get(name, found), found)
    return NumericParts(tuple(files), names, types, n_rows) if wanted else None


def _number_type(kind: Any) -> np.dtype[Any] | None:
    import pyarrow as pa

    if pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_boolean(kind):
        found: np.dtype[Any] = np.dtype(kind.to_pandas_dtype())
        return found
    return None


def _columns(path: Path, parts: NumericParts, options: Options) -> tuple[list[str], tuple[ColumnUse, ...]]:
    """The columns that are features, and what is said of each."""
    wanted = [name for name in parts.names if name in parts.types]
    rows: list[Array] = []
    try:
        for block in parts.blocks(wanted, np.dtype(np.float64)):
            rows.append(block)
            if sum(map(len, rows)) >= FIRST:
                break
    except MissingValueError:
        return [], ()
    first = np.concatenate(rows)
    told = fit_table(
        {name: first[:, j] for j, name in enumerate(wanted)}, scale="none", chosen=options.columns or ()
    )
    why = {use.name: use.why for use in told.uses if use.why in APART}
    id_ = id_name(path, parts.names, options.id_column)
    uses = []
    for name in parts.names:
        if name in parts.types:
            uses.append(ColumnUse(name, None, why[name]) if name in why else ColumnUse(name, "number"))
        else:
            label = name.strip().lower() in LABEL_NAMES
            uses.append(
                ColumnUse(name, None, "the ids" if name == id_ else "a label" if label else "dropped")
            )
    return [name for name in wanted if name not in why], tuple(uses)

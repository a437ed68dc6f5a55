"""One door to every table: CSV and TSV, Parquet and Arrow (see _arrow), JSON (see _json).

Delimited text has a header, is in UTF-8, plain or gzipped. It streams through in blocks of rows, so that
numbers never all exist as text. Columns are taken for numbers until a cell says otherwise; where that comes
late, they are read again in a second pass. The separator of a .csv is a comma, or what the header has
instead: semicolons (Excel in half of Europe) or tabs.
"""

import csv
import gzip
import io
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any, TextIO

import numpy as np

from trigpoint._errors import InputError
from trigpoint._types import Ints
from trigpoint.io._arrow import read_arrow, read_dataset, read_parquet
from trigpoint.io._files import reading
from trigpoint.io._json import read_json
from trigpoint.io._table import Column, Plan, Table, check_names, number, numbers, restored

BLOCK = 8192  # rows
LONGEST = 2**27  # characters of a cell; beyond that, a quote was left open


def read_delimited(path: Path, kind: str, plan: Plan) -> Table:
    with _rows(path, kind) as (names, _):
        wanted = plan(names)
    blocks, lines = _blocks(path, kind, wanted)
    turned = {name: True for name, parts in blocks.items() if parts is None}
    if turned:
        found, again = _blocks(path, kind, turned)
        if len(again) != len(lines):
            raise InputError(
                path, f"must not change while it is read; it went from {len(lines)} rows to {len(again)}"
            )
        blocks |= found
    columns = {name: _joined(blocks[name] or []) for name in names if name in wanted}
    comma = "thousands" if _delimiter(path, kind) == "," else None
    return Table(path, columns, len(lines), lambda i: f"line {lines[i]}", comma)


def column_names(path: Path, kind: str) -> list[str]:
    """Of delimited text."""
    with _rows(path, kind) as (names, _):
        return names


def _joined(parts: list[Any]) -> Column:
    if all(isinstance(part, np.ndarray) for part in parts):
        return np.concatenate(parts) if parts else np.empty(0)
    return [cell for part in parts for cell in part]


def _blocks(path: Path, kind: str, wanted: dict[str, bool]) -> tuple[dict[str, list[Any] | None], Ints]:
    """Blocks of each wanted column, all numbers or all text; None for one that turns to text late."""
    blocks: dict[str, list[Any] | None] = {name: [] for name in wanted}
    as_text = wanted.copy()
    lines = [np.empty(0, dtype=np.int64)]
    with _rows(path, kind) as (names, rows):
        while block := list(islice(rows, BLOCK)):
            lines.append(np.array([line for line, _ in block]))
            for name, cells in zip(names, zip(*(row for _, row in block), strict=True), strict=True):
                parts = blocks.get(name)
                if parts is None:
                    continue
                found = None if as_text[name] else numbers(list(cells))
                as_text[name] |= found is None and not parts
                if as_text[name]:
                    parts.append([restored(cell) for cell in cells])
                elif found is None:
                    blocks[name] = None
                else:
                    parts.append(found)
    return blocks, np.concatenate(lines)


@contextmanager
def _rows(path: Path, kind: str) -> Iterator[tuple[list[str], Iterator[tuple[int, list[str]]]]]:
    """The column names, and the rows below them with their line numbers."""
    limit = csv.field_size_limit(LONGEST)  # Python's own is too short for long texts
    try:
        with open_text(path) as stream:
            rows = _parsed(path, stream, _delimiter(path, kind))
            _, header = next(rows, (0, []))
            names = [restored(cell.strip()) for cell in header]
            check_names(path, names)
            _check_header(path, names)
            yield names, _even(path, rows, len(names))
    finally:
        csv.field_size_limit(limit)


@contextmanager
def open_text(path: Path) -> Iterator[TextIO]:
    with _bytes(path) as raw, io.TextIOWrapper(raw, encoding="utf-8-sig", newline="") as stream:
        yield stream


def _bytes(path: Path) -> Any:
    return gzip.open(path, "rb") if path.suffix.lower() == ".gz" else path.open("rb")


def _delimiter(path: Path, kind: str) -> str:
    if kind == "tsv":
        return "\t"
    with open_text(path) as stream:
        first = next((line for line in text_lines(path, stream) if line.strip()), "")
    bare = re.sub('"[^"]*"', "", first)
    return next((mark for mark in ",;\t" if mark in bare), ",")


def text_lines(path: Path, stream: TextIO) -> Iterator[str]:
    """Lines of text, or an error that says what is wrong with the bytes."""
    count = 0
    try:
        with reading(path, "a text file"):
            for line in stream:
                count += 1
                if "\0" in line:
                    break
                yield line
            else:
                return
    except ValueError as error:
        if isinstance(error.__cause__, UnicodeDecodeError):
            raise _encoding_error(path) from None
        raise
    raise InputError(path, f"must be UTF-8 text; line {count} holds a NUL, as UTF-16 does: save it as UTF-8")


def _encoding_error(path: Path) -> InputError:
    with reading(path, "a text file"), _bytes(path) as raw:
        for count, line in enumerate(raw, start=1):
            try:
                line.decode()
            except UnicodeDecodeError as error:
                byte = line[error.start]
                found = f"line {count} holds the byte 0x{byte:02x}, as files in Latin-1 or UTF-16 do"
                return InputError(path, f"must be UTF-8 text; {found}: save it as UTF-8")
    return InputError(path, "must be UTF-8 text; it ends in the middle of a character")


def _parsed(path: Path, stream: TextIO, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Rows that are not blank, each with the number of its last line."""
    reader = csv.reader(text_lines(path, stream), delimiter=delimiter, strict=True)
    while True:
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise InputError(path, f"must be well-formed; line {reader.line_num}: {error}") from None
        if row:
            yield reader.line_num, row


def _even(path: Path, rows: Iterator[tuple[int, list[str]]], n: int) -> Iterator[tuple[int, list[str]]]:
    for line, row in rows:
        if len(row) != n:
            raise InputError(path, f"must have {n} cells in every row; line {line} has {len(row)}")
        yield line, row


def _check_header(path: Path, names: list[str]) -> None:
    """A first line of numbers alone is data, unless it counts: pandas names columns 0, 1, 2, ..."""
    found = [number(name) for name in names if name.strip()]
    counting = [list(range(start, start + len(found))) for start in (0, 1)]
    if None not in found and found not in counting:
        raise InputError(path, "must start with a header of column names; its first line holds numbers")


READERS: dict[str, Callable[[Path, str, Plan], Table]] = {
    "csv": read_delimited,
    "tsv": read_delimited,
    "parquet": read_parquet,
    "arrow": read_arrow,
    "dataset": read_dataset,
    "json": read_json,
    "jsonl": read_json,
}


def read_table(path: Path, kind: str, plan: Plan) -> Table:
    """The columns of a file that the plan wants; at least one row."""
    table = READERS[kind](path, kind, plan)
    if table.n_rows == 0:
        raise InputError(path, "must hold at least one row below its header; it holds none")
    return table

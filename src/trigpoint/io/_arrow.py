"""Tables in Arrow's formats: Parquet, Arrow IPC (files, streams and Feather), and folders of them.

Only the columns that are wanted are read; they are held once as they are in the file, and become numbers or
text one by one. What is read is checked in full before it is used, since these formats hold offsets that a
damaged file gets wrong.

A folder holds one table in parts: what `Dataset.save_to_disk` of Hugging Face writes (state.json says which
files), or .parquet or .arrow files, in the order of their paths, numbers as numbers. All parts have the same
columns.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from trigpoint._errors import InputError
from trigpoint.io._files import CHUNK, TABLES, by_number, check_file, kind_of, reading, require
from trigpoint.io._lists import Lists, arrow_lists
from trigpoint.io._looks import check_looks
from trigpoint.io._table import Column, Plan, Table, check_names, numbers, table_of, text_of

PARTS = (".parquet", ".arrow", ".feather")
BLOCK = 8192  # rows of a Parquet file to decode at a time
STREAM = b"\xff\xff\xff\xff"
SPLITS = "dataset_dict.json"


def read_parquet(path: Path, _: str, plan: Plan) -> Table:
    return read_parts([path], path, plan)


def read_arrow(path: Path, _: str, plan: Plan) -> Table:
    return read_parts([path], path, plan)


def read_dataset(path: Path, _: str, plan: Plan) -> Table:
    return read_parts(dataset_parts(path), path, plan)


def is_dataset(path: Path) -> bool:
    """Whether a path is a folder with a table in parts."""
    if not path.is_dir():
        return False
    if (path / "state.json").is_file() or (path / SPLITS).is_file():
        return True
    return bool(_parts(path))


def is_table(path: Path) -> bool:
    """Whether a path is that of a table, by its name, or by what a folder holds."""
    return is_dataset(path) if path.is_dir() else kind_of(path) in TABLES


def _parts(path: Path) -> list[Path]:
    """In order; a link may lead nowhere."""
    found = [
        file
        for file in path.rglob("*")
        if file.suffix.lower() in PARTS
        and not file.is_dir()
        and not any(part.startswith((".", "cache-")) for part in file.relative_to(path).parts)
    ]
    return sorted(found, key=lambda file: [by_number(name) for name in file.relative_to(path).parts])


def dataset_files(path: Path) -> dict[str, Path]:
    """All files that the table of a folder may depend on, without opening any."""
    files = [path / "state.json", *_parts(path)]
    return {str(file.relative_to(path)): file for file in files if file.is_file()}


def dataset_parts(path: Path) -> list[Path]:
    """The files of a folder, in order; all there."""
    if (path / SPLITS).is_file():
        with reading(path / SPLITS, "a list of splits"):
            splits = [str(name) for name in json.loads((path / SPLITS).read_bytes())["splits"]]
        among = ", ".join(str(path / name) for name in splits)
        raise InputError(path, f"must be one split of a dataset; give one of {among}")
    state = path / "state.json"
    if not state.is_file():
        found = _parts(path)
        if len({file.suffix.lower() == ".parquet" for file in found}) > 1:
            raise InputError(path, "must hold parts of one kind", "both .parquet and .arrow files")
        for file in found:
            check_file(file)
        return found
    with reading(state, "what Dataset.save_to_disk writes"):
        names = [str(part["filename"]) for part in json.loads(state.read_bytes())["_data_files"]]
    if not names or any(Path(name).name != name for name in names):
        raise InputError(state, "must name the files of the dataset, which lie beside it", names[:3])
    for name in names:
        if not (path / name).is_file():
            raise FileNotFoundError(f"{path / name} must be there, as {state} says; it is not.")
    return [path / name for name in names]


def read_parts(files: list[Path], path: Path, plan: Plan) -> Table:
    """One table from files with the same columns."""
    require("pyarrow", path)
    import pyarrow as pa

    if not files:
        raise InputError(path, "must hold .parquet or .arrow files", "none")
    with _opened(files[0]) as first:
        names = first.names
    check_names(path, names)
    wanted = plan(names)
    chosen = [name for name in names if name in wanted]
    counts: list[int] = []
    pieces: dict[str, list[Any]] = {name: [] for name in chosen}
    kinds: dict[str, dict[Any, Path]] = {name: {} for name in chosen}
    for file in files:
        with _opened(file) as part:
            if part.names != names:
                raise InputError(file, f"must have the columns of {files[0].name}", part.names)
            counts.append(_take(file, part, chosen, pieces, kinds))
    columns: dict[str, Column | Lists] = {}
    for name in chosen:
        kind, some = _kind_of_all(name, kinds[name], wanted[name]), pieces.pop(name)
        with reading(path, "a table whose parts fit"):
            whole = pa.chunked_array([piece.cast(kind) for piece in some], kind) if sum(counts) else None
        columns[name] = _column(path, whole, wanted[name])
    ends = np.cumsum(counts)

    def where(i: int) -> str:
        if len(files) == 1:
            return f"row {i + 1}"
        k = int(np.searchsorted(ends, i, side="right"))
        return f"row {i + 1 - int(ends[k] - counts[k])} of {files[k].name}"

    return table_of(path, columns, int(ends[-1]), where)


def _take(
    file: Path,
    part: "_Part",
    chosen: list[str],
    pieces: dict[str, list[Any]],
    kinds: dict[str, dict[Any, Path]],
) -> int:
    """Add the columns of a file, and of which types they are; the number of its rows."""
    found = part.columns(chosen)
    n_rows = part.n_rows
    for name, column in found.items():
        if len(column) != n_rows:
            raise InputError(file, f"must hold {n_rows} rows, as it says; column {name!r} has {len(column)}")
        with reading(file, "a table"):
            column.validate(full=True)
        pieces[name] += column.chunks
        kinds[name].setdefault(column.type, file)
    return n_rows


def _kind_of_all(name: str, kinds: dict[Any, Path], as_text: bool) -> Any:
    """The type of a column in all parts, from the first file of each; numbers of any type are numbers."""
    import pyarrow as pa

    some = [kind for kind in kinds if not pa.types.is_null(kind)] or list(kinds)
    if len(some) == 1:
        return some[0]
    if all(pa.types.is_integer(kind) for kind in some):
        return pa.int64()
    if not as_text and all(map(_is_number, some)):
        return pa.float64()
    rule = f"must hold {some[0]} in column {name!r}, as {kinds[some[0]].name} does"
    raise InputError(kinds[some[1]], rule, some[1])


def _is_number(kind: Any) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_boolean(kind))


def _column(path: Path, column: Any, as_text: bool) -> Column | Lists:
    import pyarrow as pa

    if column is None:
        return np.empty(0)
    with reading(path, "a table of plain values"):
        kind = column.type
        if pa.types.is_dictionary(kind):
            column = column.cast(kind.value_type)
            kind = column.type
        if (_is_number(kind) or pa.types.is_decimal(kind)) and not as_text:
            return np.asarray(column.cast(pa.float64(), safe=False).to_numpy(), dtype=np.float64)
        lists = None if as_text else arrow_lists(column)
        if lists is not None:
            return lists
        cells = [text_of(value) for value in column.to_pylist()]
    spelled = None if as_text else numbers(cells)
    return cells if spelled is None else spelled


class _Part:
    """A file that is open: the names of its columns, and some of these."""

    def __init__(self, file: Path, stream: Any) -> None:
        self._file, self._stream = file, stream
        start = stream.read(4)
        stream.seek(0)
        parquet = start == b"PAR1" or file.suffix.lower() == ".parquet"
        with reading(file, "a Parquet file" if parquet else "an Arrow file or stream"):
            self._parquet = self._open(start, parquet)

    def _open(self, start: bytes, is_parquet: bool) -> Any:
        import pyarrow as pa
        from pyarrow import parquet

        if is_parquet:
            file = parquet.ParquetFile(self._stream, buffer_size=CHUNK, page_checksum_verification=True)
            self.names, self.n_rows = list(file.schema_arrow.names), int(file.metadata.num_rows)
            return file
        self._kind = pa.ipc.open_stream if start == STREAM else pa.ipc.open_file
        with self._kind(self._stream) as reader:
            self.names = list(reader.schema.names)
        return None

    def columns(self, names: list[str]) -> dict[str, Any]:
        import pyarrow as pa

        if self._parquet is not None:
            found = {}
            for name in names:
                with reading(self._file, "a Parquet file"):
                    batches = self._parquet.iter_batches(BLOCK, columns=[name], use_threads=False)
                    kind = self._parquet.schema_arrow.field(name).type
                    found[name] = pa.chunked_array([batch.column(0) for batch in batches], kind)
            return found
        with reading(self._file, "an Arrow file or stream"):
            self._stream.seek(0)
            fields = [self.names.index(name) for name in names] or [0]
            options = pa.ipc.IpcReadOptions(included_fields=fields)
            with self._kind(self._stream, options=options) as reader:
                table = reader.read_all()
            table.validate(full=True)
            self.n_rows = int(table.num_rows)
            return {name: table[name] for name in names}


@contextmanager
def _opened(file: Path) -> Iterator[_Part]:
    check_looks(file, "parquet" if file.suffix.lower() == ".parquet" else "arrow")
    with file.open("rb") as stream:
        yield _Part(file, stream)

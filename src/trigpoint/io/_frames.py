"""Data frames as tables: pandas, polars, pyarrow and others, all through narwhals.

Columns of numbers stay numbers, NaN where nothing is there; lists of numbers may be embeddings; all else is
text, as if it came from a file. An index of pandas that has names, all different, names the samples.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from trigpoint._errors import InputError
from trigpoint.io._lists import Lists, object_lists
from trigpoint.io._table import Column, Plan, Table, check_names, numbers, table_of, text_of

FRAME = Path("data frame")  # where the path of a file would be
INDEX = "__index_level_0__"


def as_frame(data: Any) -> Any:
    """A narwhals frame, or None for what is no frame."""
    if data is None or isinstance(data, np.ndarray | list | tuple | str | Path) or sparse.issparse(data):
        return None
    import narwhals as nw

    frame = nw.from_native(data, pass_through=True, allow_series=False)
    if isinstance(frame, nw.LazyFrame):
        raise InputError("X", "must be a frame in memory: call .collect()", type(data).__name__)
    return frame if isinstance(frame, nw.DataFrame) else None


def read_frame(frame: Any, plan: Plan) -> Table:
    names = [str(name) for name in frame.columns]
    index = _index(frame)
    check_names(FRAME, names)
    wanted = plan([INDEX, *names] if index is not None else names)
    columns: dict[str, Column | Lists] = {}
    if index is not None and INDEX in wanted:
        columns[INDEX] = index
    for k, name in enumerate(names):
        if name in wanted:
            columns[name] = _column(frame[:, k], wanted[name])
    table = table_of(FRAME, columns, len(frame), lambda i: f"row {i + 1}")
    return replace(table, orders=_orders(frame, names))


def _orders(frame: Any, names: list[str]) -> dict[str, list[str]]:
    """Of categories that pandas calls ordered, from low to high."""
    import narwhals as nw

    if not frame.implementation.is_pandas_like():
        return {}
    kinds = {name: frame[:, k].dtype for k, name in enumerate(names)}
    return {name: list(map(text_of, kind.categories)) for name, kind in kinds.items() if kind == nw.Enum}


def _index(frame: Any) -> list[str] | None:
    """The names of the rows, where pandas has some."""
    import narwhals as nw

    index = nw.maybe_get_index(frame)
    if index is None or type(index).__name__ == "RangeIndex" or INDEX in frame.columns:
        return None
    if getattr(index, "nlevels", 1) > 1 or not index.is_unique or _counts(index):
        return None
    return [text_of(value) for value in index.tolist()]


def _counts(index: Any) -> bool:
    """Whole numbers are places, not names: such an index is left over when rows are taken from a frame."""
    return getattr(index.dtype, "kind", "O") in "iu"


def _column(series: Any, as_text: bool) -> Column | Lists:
    import narwhals as nw

    if not as_text:
        if series.dtype.is_numeric() or series.dtype == nw.Boolean:
            return np.asarray(series.cast(nw.Float64).to_numpy(), dtype=np.float64)
        if isinstance(series.dtype, nw.List | nw.Array) or series.dtype == nw.Object:
            cells = series.to_numpy()
            if isinstance(series.dtype, nw.Array):
                cells = list(cells)
            lists = object_lists(cells)
            if lists is not None:
                return lists
    values = series.to_list()
    if not as_text and all(value is None or isinstance(value, bool) for value in values):
        return np.array(values, dtype=np.float64)  # booleans with gaps, which pandas keeps as objects
    found = [text_of(value) for value in values]
    spelled = None if as_text else numbers(found)
    return found if spelled is None else spelled


def plain(frame: Any) -> bool:
    """Whether a frame holds numbers alone and none is missing: then it is an array with names."""
    return all(
        series.dtype.is_numeric() and series.null_count() == 0 and not np.isnan(_floats(series)).any()
        for series in frame.iter_columns()
    )


def _floats(series: Any) -> Any:
    import narwhals as nw

    return series.cast(nw.Float64).to_numpy()

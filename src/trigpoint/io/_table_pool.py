"""Pools that are tables: features from columns, from an embedding, texts or a file beside; or a graph."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from trigpoint._errors import InputError
from trigpoint._types import Array
from trigpoint.features import ColumnUse
from trigpoint.io._arrays import read_features
from trigpoint.io._embedding import embedding, embedding_name, embedding_uses
from trigpoint.io._features import feature_names, features_of, text_features
from trigpoint.io._files import kind_of
from trigpoint.io._graphs import edge_columns, edge_list
from trigpoint.io._pool_options import Options
from trigpoint.io._samples import Samples, as_ids, row_numbers
from trigpoint.io._table import INDEX_NAMES, LABEL_NAMES, Plan, Table, check_column, check_ids, id_name


def table_pool(
    path: Path, read: Callable[[Plan], Table], options: Options, with_features: bool = True
) -> Samples:
    """The pool; X is None without features, and then of texts only what is shown is read."""
    seen: list[str] = []

    def plan(names: list[str]) -> dict[str, bool]:
        """Text, but for the columns that may be features."""
        seen[:] = names
        edges = _edges(path, names, options)
        if edges is not None:
            return dict.fromkeys(edges, True)
        candidates = _candidates(path, names, options)
        if options.text_column is not None and not with_features:
            shown = {id_name(path, names, options.id_column), options.text_column}
            return {name: True for name in names if name in shown}
        return {name: name not in candidates for name in names}

    table = read(plan)
    if table.n_rows == 0:
        raise InputError(path, "must hold at least one row; it holds none")
    edges = _edges(path, seen, options)
    if edges is not None:
        ids, graph = edge_list(table, edges)
        return Samples(ids, None, graph, "graph", path, "", None, named=True)
    name = id_name(path, seen, options.id_column)
    ids = row_numbers(table.n_rows) if name is None else as_ids(check_ids(table, table.text(name)))
    named = name is not None and not _counts(name, ids)
    X: Any = None
    names: list[str] = []
    recipe = options.recipe
    uses: tuple[ColumnUse, ...] = ()
    candidates = _candidates(path, seen, options)
    vectors = embedding_name(table, candidates, options)
    candidates = [name for name in candidates if name in table.columns]
    if vectors is not None:
        if with_features:
            X, recipe = embedding(table, vectors, options)
            uses = embedding_uses(seen, name, recipe)
    elif with_features:
        X, names = _features(table, candidates, options)
    elif options.text_column is None and options.features is None:  # refuse now what has none
        feature_names(table, candidates, options.columns is not None)
    if options.text_column is not None:
        texts = table.text(options.text_column)
        return Samples(ids, X, None, "text", path, "", texts, named=named, recipe=recipe, columns=uses)
    shown = {name: column for name, column in table.columns.items() if name not in INDEX_NAMES}
    return Samples(ids, X, None, "table", path, "", shown, tuple(names), named, recipe, uses)


def _counts(name: str, ids: Array) -> bool:
    """Whether a column is what pandas writes of an index that nobody set: places, and no names."""
    return name in INDEX_NAMES and bool((ids == row_numbers(len(ids))).all())


def _edges(path: Path, names: list[str], options: Options) -> list[str] | None:
    """The columns of an edge list, where the table is one."""
    if options.graph is False:
        return None
    found = edge_columns(names, bool(options.graph))
    told = (options.id_column, options.text_column, options.columns, options.features)
    if options.graph and found is None:
        raise InputError(path, "must have two columns, source and target, to be a graph", names)
    return found if all(value is None for value in told) else None


def _candidates(path: Path, names: list[str], options: Options) -> list[str]:
    """The columns that may be features: those chosen, else all but ids, labels and pandas' index."""
    name = id_name(path, names, options.id_column)
    if options.text_column is not None:
        check_column(path, names, options.text_column, "text_column")
    if options.columns is not None:
        chosen = [check_column(path, names, name, "columns") for name in options.columns]
        if name in chosen:
            raise InputError("columns", f"must not name the ids of {path}", f"{name!r}; give id_column=")
        return chosen
    if isinstance(options.features, str):
        return [check_column(path, names, options.features, "features")]
    if options.text_column is not None or options.features is not None:
        return []
    apart = {name, *INDEX_NAMES}
    return [n for n in names if n not in apart and n.strip().lower() not in LABEL_NAMES]


def _features(table: Table, candidates: list[str], options: Options) -> tuple[Any, list[str]]:
    if isinstance(options.features, Path):
        return beside(options.features, table.path, table.n_rows), []
    if options.text_column is not None:
        return text_features(table.text(options.text_column), table.path), []
    return features_of(table, candidates, options.columns is not None)


def beside(features: Path, path: Path, n: int) -> Any:
    """The features of a pool from a file beside it."""
    X = read_features(features, kind_of(features))
    if X.shape[0] != n:
        raise InputError(
            "features",
            f"must have one row for each of the {n} samples of {path}; {features} has {X.shape[0]}",
        )
    return X

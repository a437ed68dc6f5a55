"""Pools that are tables: features from columns of numbers, from texts, from a file beside, or a graph."""

from pathlib import Path
from typing import Any

from trigpoint._errors import InputError
from trigpoint._types import Array
from trigpoint.io._arrays import read_features
from trigpoint.io._features import feature_names, features_of
from trigpoint.io._files import kind_of
from trigpoint.io._graphs import edge_columns, edge_list
from trigpoint.io._pool_options import Options
from trigpoint.io._read_table import read_table
from trigpoint.io._samples import Samples, as_ids, row_numbers
from trigpoint.io._table import INDEX_NAMES, LABEL_NAMES, Table, check_column, check_ids, id_name
from trigpoint.io._text_pool import text_features


def table_pool(path: Path, kind: str, options: Options, with_features: bool = True) -> Samples:
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

    table = read_table(path, kind, plan)
    edges = _edges(path, seen, options)
    if edges is not None:
        ids, graph = edge_list(table, edges)
        return Samples(ids, None, graph, "graph", path, "", None, named=True)
    name = id_name(path, seen, options.id_column)
    ids = row_numbers(table.n_rows) if name is None else as_ids(check_ids(table, table.text(name)))
    named = name is not None and not _counts(name, ids)
    X: Any = None
    names: list[str] = []
    if with_features:
        X, names = _features(table, _candidates(path, seen, options), options)
    elif options.text_column is None and options.features is None:  # refuse now what has none
        feature_names(table, _candidates(path, seen, options), options.columns is not None)
    if options.text_column is not None:
        texts, recipe = table.text(options.text_column), None
        if with_features and options.features is None:
            X, recipe = text_features(texts, path, options.text_features, options.recipe)
        return Samples(ids, X, None, "text", path, "", texts, named=named, recipe=recipe)
    shown = {name: column for name, column in table.columns.items() if name not in INDEX_NAMES}
    return Samples(ids, X, None, "table", path, "", shown, tuple(names), named)


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
    if options.text_column is not None or options.features is not None:
        return []
    apart = {name, *INDEX_NAMES}
    return [n for n in names if n not in apart and n.strip().lower() not in LABEL_NAMES]


def _features(table: Table, candidates: list[str], options: Options) -> tuple[Any, list[str]]:
    if options.features is not None:
        return beside(options.features, table.path, table.n_rows), []
    if options.text_column is not None:
        return None, []
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

"""Pools that are tables: features from columns, from an embedding, texts or a file beside; or a graph."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from trigpoint._errors import InputError
from trigpoint._types import Array
from trigpoint.features import ColumnUse, TableRecipe, fit_table
from trigpoint.io._arrays import read_features
from trigpoint.io._embedding import embedding, embedding_name, embedding_uses
from trigpoint.io._files import kind_of
from trigpoint.io._graphs import edge_columns, edge_list
from trigpoint.io._pool_options import Options
from trigpoint.io._samples import Samples, as_ids, row_numbers
from trigpoint.io._table import INDEX_NAMES, LABEL_NAMES, Plan, Table, check_column, check_ids, id_name
from trigpoint.io._text_pool import text_features

MOST = 20  # columns that a message names


def table_pool(
    path: Path, read: Callable[[Plan], Table], options: Options, with_features: bool = True
) -> Samples:
    """The pool; X is None without features, and then of texts only what is shown is read."""
    seen: list[str] = []

    def plan(names: list[str]) -> dict[str, bool]:
        """Text, but for the columns that may be features."""
        seen[:] = names
        edges = edges_of(path, names, options)
        if edges is not None:
            return dict.fromkeys(edges, True)
        candidates = feature_columns(path, names, options)
        if options.text_column is not None and not with_features:
            shown = {id_name(path, names, options.id_column), options.text_column}
            return {name: True for name in names if name in shown}
        words = options.recipe.words if isinstance(options.recipe, TableRecipe) else frozenset()
        numbers = {*candidates, *(options.drop or ())} - words
        return {name: name not in numbers for name in names}

    table = read(plan)
    if table.n_rows == 0:
        raise InputError(path, "must hold at least one row; it holds none")
    edges = edges_of(path, seen, options)
    if edges is not None:
        ids, graph = edge_list(table, edges)
        return Samples(ids, None, graph, "graph", path, "", None, named=True)
    name = id_name(path, seen, options.id_column)
    ids = row_numbers(table.n_rows) if name is None else as_ids(check_ids(table, table.text(name)))
    named = name is not None and not _counts(name, ids)
    vectors = embedding_name(table, feature_columns(path, seen, options), options)
    if vectors is not None:
        return _embedding_pool(table, vectors, seen, options, ids, named, with_features)
    X: Any = None
    if isinstance(options.features, Path) and with_features:
        X = beside(options.features, table.path, table.n_rows)
    if options.text_column is not None:
        texts, recipe = table.text(options.text_column), None
        if with_features and options.features is None:
            X, recipe = text_features(texts, path, options.text_features, options.recipe)
        return Samples(ids, X, None, "text", path, "", texts, named=named, recipe=recipe)
    if options.features is not None:
        shown = {name: column for name, column in table.columns.items() if name not in INDEX_NAMES}
        return Samples(ids, X, None, "table", path, "", shown, named=named)
    return _columns_pool(table, seen, options, ids, named, with_features)


def _embedding_pool(
    table: Table,
    column: str,
    names: list[str],
    options: Options,
    ids: Array,
    named: bool,
    with_features: bool,
) -> Samples:
    """Features from one column of lists; texts, if there are some, are only shown."""
    X, recipe = None, options.recipe
    uses: tuple[ColumnUse, ...] = ()
    if with_features:
        X, recipe = embedding(table, column, options)
        uses = embedding_uses(names, id_name(table.path, names, options.id_column), recipe)
    kind = "table" if options.text_column is None else "text"
    shown: Any = {name: cells for name, cells in table.columns.items() if name not in INDEX_NAMES}
    if options.text_column is not None:
        shown = table.text(options.text_column)
    return Samples(ids, X, None, kind, table.path, "", shown, (), named, recipe, uses)


def _columns_pool(
    table: Table, names: list[str], options: Options, ids: Array, named: bool, with_features: bool
) -> Samples:
    """Features from the columns."""
    recipe = options.recipe or fitted(table, names, options)
    if not isinstance(recipe, TableRecipe):
        raise InputError(
            "recipe", f"must be of a table, as {table.path} is one", f"one of kind {recipe.kind!r}"
        )
    X = None
    if with_features:
        try:
            X = recipe.transform(table.columns, where=_places(table))
        except InputError as error:
            if error.argument != "columns":
                raise
            raise InputError(table.path, error.rule) from None
        for place, name in recipe.unchanged:
            column = table.columns[name]
            if isinstance(column, np.ndarray) and not np.isnan(column).any():
                table.columns[name] = X[:, place]  # so that it is not held twice
    shown = {name: column for name, column in table.columns.items() if name not in INDEX_NAMES}
    return Samples(
        ids,
        X,
        None,
        "table",
        table.path,
        "",
        shown,
        recipe.feature_names if with_features else (),
        named,
        recipe,
        recipe.uses,
    )


def fitted(table: Table, names: list[str], options: Options) -> TableRecipe:
    """How the columns of a table become features, and why others do not."""
    candidates = feature_columns(table.path, names, options)
    labels = [name for name in names if name.strip().lower() in LABEL_NAMES]
    recipe = fit_table(
        {name: table.columns[name] for name in candidates if name in table.columns},
        scale=options.scale,
        missing=options.missing,
        chosen=options.columns or (),
        orders=table.orders,
        labels=table.columns[labels[0]] if len(labels) == 1 and labels[0] not in candidates else None,
        comma=table.comma,
        where=_places(table),
    )
    used = {use.name: use for use in recipe.uses}
    id_ = id_name(table.path, names, options.id_column)
    uses = tuple(used[name] if name in used else _apart(name, id_, options, table) for name in names)
    if not recipe.columns:
        told = ", ".join(f"{use.name!r} ({use.why})" for use in uses[:MOST]) or "none"
        rule = "must have a column that can be a feature (or give text_column= or features=)"
        raise InputError(table.path, rule, told + ", ..." * (len(uses) > MOST))
    return replace(recipe, uses=uses)


def _apart(name: str, id_: str | None, options: Options, table: Table) -> ColumnUse:
    """Why a column was no candidate."""
    if name == id_:
        why = "the ids"
    elif name in (options.drop or ()):
        why = "dropped"
    elif name.strip().lower() in LABEL_NAMES:
        why = "a label"
    elif name in table.lists:
        why = "lists of numbers"
    else:
        why = "the index of pandas" if name in INDEX_NAMES else "not chosen"
    return ColumnUse(name, None, why)


def _places(table: Table) -> Callable[[int, str], str]:
    return lambda row, name: f"{table.path}, {table.where(row)}, column {name!r}"


def _counts(name: str, ids: Array) -> bool:
    """Whether a column is what pandas writes of an index that nobody set: places, and no names."""
    return name in INDEX_NAMES and bool((ids == row_numbers(len(ids))).all())


def edges_of(path: Path, names: list[str], options: Options) -> list[str] | None:
    """The columns of an edge list, where the table is one."""
    if options.graph is False:
        return None
    found = edge_columns(names, bool(options.graph))
    told = (options.id_column, options.text_column, options.columns, options.features)
    if options.graph and found is None:
        raise InputError(path, "must have two columns, source and target, to be a graph", names)
    return found if all(value is None for value in told) else None


def feature_columns(path: Path, names: list[str], options: Options) -> list[str]:
    """The columns that may be features: those chosen, else all but ids, labels and pandas' index."""
    name = id_name(path, names, options.id_column)
    if options.text_column is not None:
        check_column(path, names, options.text_column, "text_column")
    dropped = [check_column(path, names, name, "drop") for name in options.drop or ()]
    if options.columns is not None:
        chosen = [check_column(path, names, name, "columns") for name in options.columns]
        if name in chosen:
            raise InputError("columns", f"must not name the ids of {path}", f"{name!r}; give id_column=")
        return [name for name in chosen if name not in dropped]
    if isinstance(options.features, str):
        return [check_column(path, names, options.features, "features")]
    if options.text_column is not None or options.features is not None:
        return []
    apart = {name, *INDEX_NAMES, *dropped}
    return [n for n in names if n not in apart and n.strip().lower() not in LABEL_NAMES]


def beside(features: Path, path: Path, n: int) -> Any:
    """The features of a pool from a file beside it."""
    X = read_features(features, kind_of(features))
    if X.shape[0] != n:
        raise InputError(
            "features",
            f"must have one row for each of the {n} samples of {path}; {features} has {X.shape[0]}",
        )
    return X

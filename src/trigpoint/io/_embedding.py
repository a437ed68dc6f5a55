"""A table whose features are one column: lists of as many numbers for every sample."""

from trigpoint._errors import InputError
from trigpoint._types import Array
from trigpoint.features import ColumnUse, EmbeddingRecipe
from trigpoint.io._pool_options import Options
from trigpoint.io._table import LABEL_NAMES, Table, check_column, listed


def embedding_name(table: Table, candidates: list[str], options: Options) -> str | None:
    """The column: the one asked for, else the only one that looks like it; None where there is none."""
    asked = options.features
    if isinstance(options.recipe, EmbeddingRecipe):
        asked = check_column(table.path, [*table.columns, *table.lists], options.recipe.column, "recipe")
    if isinstance(asked, str):
        if asked not in table.lists:
            rule = f"must name a column of lists of numbers of {table.path}"
            raise InputError("features", rule, f"{asked!r}, which holds none")
        return asked
    if asked is not None or options.text_column is not None or options.recipe is not None:
        return None
    if options.columns is not None:
        lists = [name for name in candidates if name in table.lists]
        if lists and len(candidates) > 1:
            raise InputError("columns", "must name columns of numbers, or one of lists", repr(lists[0]))
        return lists[0] if lists else None
    likely = [name for name in candidates if name in table.lists and table.lists[name].likely]
    if len(likely) > 1:
        rule = "has several columns of lists of numbers: choose one with features="
        raise InputError(table.path, rule, listed(likely))
    return likely[0] if likely else None


def embedding(table: Table, name: str, options: Options) -> tuple[Array, EmbeddingRecipe]:
    """The features, and the recipe that finds them in other tables."""
    X = table.lists[name].vectors(lambda i: f"{table.path}, {table.where(i)}, column {name!r}")
    given = options.recipe
    recipe = given if isinstance(given, EmbeddingRecipe) else EmbeddingRecipe(name, X.shape[1])
    return recipe.transform({name: X}), recipe


def embedding_uses(names: list[str], ids: str | None, recipe: EmbeddingRecipe) -> tuple[ColumnUse, ...]:
    """How each column is used."""

    def use(name: str) -> ColumnUse:
        if name == recipe.column:
            return ColumnUse(name, "embedding", f"lists of {recipe.n_features} numbers")
        if name == ids:
            return ColumnUse(name, None, "the ids")
        label = name.strip().lower() in LABEL_NAMES
        return ColumnUse(name, None, "a label" if label else f"the embedding {recipe.column!r} is used")

    return tuple(map(use, names))

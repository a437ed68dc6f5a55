"""The options of reading a pool, and which kind of file has a use for which."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from trigpoint._errors import InputError
from trigpoint._validation import check_choice, check_integer
from trigpoint.features import MISSING_RULES, SCALES, Recipe, picture_recipe, text_method
from trigpoint.io._files import KINDS, TABLES, check_file, kind_of, require

NAMED = ("id_column", "text_column", "columns", "features")
USES = {
    "npy": (),
    "shards": (),
    "stored": (),
    "npz": ("key", "graph"),
    "mtx": ("graph",),
    "idx": ("image_features", "recipe"),
    "folder": ("features", "image_size", "color", "image_features", "recipe"),
    "safetensors": ("key",),
    "txt": ("text_features", "features", "graph", "recipe"),
    "edges": ("graph",),
    "graphml": ("graph",),
    **dict.fromkeys(
        (*TABLES, "frame"), (*NAMED, "text_features", "drop", "scale", "missing", "graph", "recipe")
    ),
}
WORDS = {
    "folder": "a folder of pictures",
    "dataset": "a dataset",
    "shards": "a folder of arrays",
    "stored": "a graph that was saved",
    "frame": "a data frame",
}
FEATURE_FILES = ("npy", "npz", "safetensors")
GRAPHS = ("edges", "graphml")
LARGEST = 4096  # pixels a side


@dataclass(frozen=True)
class Options:
    id_column: str | None = None
    text_column: str | None = None
    text_features: str = "auto"
    columns: tuple[str, ...] | None = None
    drop: tuple[str, ...] | None = None
    scale: str = "auto"
    missing: str = "impute"
    features: Path | str | None = None  # a file, or the name of a column
    image_size: tuple[int, int] = (32, 32)
    color: bool = False
    image_features: str = "auto"
    key: str | None = None
    graph: bool | None = None
    recipe: Recipe | None = None


def all_options(given: dict[str, Any]) -> dict[str, Any]:
    """The options given by name, and the defaults of the others."""
    defaults = {field.name: field.default for field in fields(Options)}
    unknown = sorted(given.keys() - defaults.keys())
    if unknown:
        raise TypeError(f"options must be among {', '.join(defaults)}; got {unknown[0]!r}.")
    return defaults | given


def check_options(path: Path, kind: str, given: dict[str, Any]) -> Options:
    """Options of the right types, all of use for the kind of file, their files there, their extras too."""
    columns, features = given["columns"], given["features"]
    options = Options(
        **given
        | {
            "columns": None if columns is None else _names(columns, "columns"),
            "drop": None if given["drop"] is None else _names(given["drop"], "drop"),
            "scale": check_choice(given["scale"], "scale", SCALES),
            "missing": check_choice(given["missing"], "missing", MISSING_RULES),
            "features": features_source(features),
            "image_size": _size(given["image_size"]),
        }
    )
    for field in fields(Options):
        value = getattr(options, field.name)
        if value != field.default and field.name not in USES[kind]:
            what = WORDS.get(kind, f"a .{kind} file")
            raise InputError(field.name, f"has no meaning for {what}, {path}", repr(value))
    _check_features(path, kind, options)
    _check_one_source(options)
    _check_methods(options, kind)
    if kind in GRAPHS and options.graph is False:
        raise InputError("graph", f"must not be False: {path} is a graph by its kind")
    if kind in ("parquet", "arrow", "dataset"):
        require("pyarrow", path)
    if kind == "folder" and options.features is None:
        require("PIL", path)
    return options


def features_source(features: Any) -> Path | str | None:
    """A file, or the name of a column: text that does not end as files of features do.

    >>> features_source("embedding"), features_source("embedding.npy").name
    ('embedding', 'embedding.npy')
    """
    if features is None or isinstance(features, Path):
        return features
    ends = tuple(suffix for suffix, kind in KINDS.items() if kind in FEATURE_FILES)
    return Path(features) if str(features).lower().endswith(ends) else str(features)


def _check_features(path: Path, kind: str, options: Options) -> None:
    if isinstance(options.features, Path):
        check_file(options.features)
        kind_of(options.features, FEATURE_FILES)
    elif options.features is not None and kind not in (*TABLES, "frame"):
        ends = ", ".join(suffix for suffix, found in KINDS.items() if found in FEATURE_FILES)
        raise InputError(
            "features", f"must be a file ({ends}) for {path}, which is no table", options.features
        )


def _check_one_source(options: Options) -> None:
    """Features come from one place: columns, texts (or embeddings beside them), or no place, for a graph."""
    if options.columns is not None and (options.features is not None or options.text_column is not None):
        raise InputError("columns", "must not be used together with features= or text_column=", "both")
    for name in ("drop", "scale", "missing"):
        asked = getattr(options, name) != getattr(Options, name)
        if asked and (options.features is not None or options.text_column is not None):
            raise InputError(name, "must not be used together with features= or text_column=", "both")
        if asked and options.recipe is not None:
            raise InputError(name, "must not be used together with recipe=, which says how", "both")
    if options.columns is not None and options.recipe is not None:
        raise InputError("columns", "must not be used together with recipe=, which says how", "both")
    told = (options.id_column, options.text_column, options.columns, options.features)
    if options.graph and any(value is not None for value in (*told, options.drop)):
        raise InputError(
            "graph=True",
            "cannot be combined with other options: a graph has no features, and its nodes are its ids",
        )


def _check_methods(options: Options, kind: str) -> None:
    """How texts and pictures become features: by ways that are known, whose extras are installed."""
    text_method(options.text_features)
    picture_recipe(options.image_size, options.color, options.image_features)
    for name in ("text_features", "image_features"):
        if getattr(options, name) != "auto" and options.features is not None:
            raise InputError(name, "must not be used together with features=", "both")
    if options.text_features != "auto" and options.text_column is None and kind != "txt":
        raise InputError("text_features", "has no meaning without text_column=", repr(options.text_features))
    if options.recipe is not None:
        for name in ("features", "text_features", "image_features", "image_size", "color"):
            if getattr(options, name) != getattr(Options, name):
                raise InputError(name, "must not be used together with recipe=, which decides it", "both")


def _names(columns: Any, argument: str) -> tuple[str, ...]:
    names = (columns,) if isinstance(columns, str) else tuple(columns)
    if not names or not all(isinstance(name, str) for name in names) or len(set(names)) < len(names):
        raise InputError(argument, "must be distinct column names, at least one", repr(columns))
    return names


def _size(size: Any) -> tuple[int, int]:
    if not isinstance(size, Sequence) or len(size) != 2:
        raise InputError("image_size", "must be (height, width)", repr(size))
    height, width = (check_integer(side, "image_size", 1, LARGEST, " a side") for side in size)
    return height, width

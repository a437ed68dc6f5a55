"""From what is typed to samples, views, graphs and phi; what can be refused is refused before any is made."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from trigpoint._errors import InputError
from trigpoint._types import Ints, Sparse
from trigpoint._validation import check_choice, check_integer
from trigpoint._validation import check_features as check_array
from trigpoint.alignment import ALIGNMENTS, Shape, check_align, check_shape
from trigpoint.cli._cluster_run import HERE, Here
from trigpoint.cli._errors import in_flags, tell
from trigpoint.cli._options import (
    METRICS,
    NEIGHBORS,
    SPARSE_ALIGNMENTS,
    VIEWS,
    GraphOptions,
    NeighborOptions,
    PoolOptions,
    check_neighbors,
)
from trigpoint.cli._progress import Progress
from trigpoint.cli._values import names, settings, size
from trigpoint.features import TableRecipe, told_columns
from trigpoint.graph import NeighborGraph, neighbor_graph
from trigpoint.io import (
    Labels,
    MissingColumnError,
    Samples,
    cached_graph,
    features_source,
    is_table,
    read_labels,
    read_landmarks,
    read_pool,
    told_skipped,
)
from trigpoint.prediction import PoolView, ViewedPool, graph_pool, viewed_pool

LABEL, WEIGHTS = "the label", "the weights"  # what columns are that are no features
ARGUMENTS = {LABEL: "label_column", WEIGHTS: "weight_column"}


@dataclass(frozen=True, eq=False)
class Prepared:
    """A pool in its views, the one to be used, and the options that phi was made with."""

    samples: Samples
    pool: ViewedPool
    seen: PoolView
    alignment: str
    options: dict[str, Any]

    def facts(self) -> dict[str, Any]:
        """What JSON output tells of it."""
        graph, view = self.seen.graph, self.seen.view
        return {
            "pool": str(self.samples.path),
            "n_samples": self.samples.n_samples,
            **column_facts(self.samples),
            "skipped": self.samples.skipped,
            "view": None
            if view is None
            else {"name": view.name, "base": view.base, "considered": self.pool.considered},
            "graph": {
                "n_neighbors": graph.n_neighbors,
                "metric": graph.metric,
                "method": graph.method,
                "recall": graph.recall,
                "n_components": graph.n_components,
                "n_isolated": len(graph.isolated),
            },
            "alignment": self.alignment,
            "alignment_options": self.options,
        }


def check_words(graph: GraphOptions) -> dict[str, Any]:
    """The options of the alignment, with all checked that needs no pool."""
    check_choice(graph.alignment, "--alignment", SPARSE_ALIGNMENTS)
    check_neighbors(graph)
    options = settings(graph.alignment_option, "--alignment-option")
    for name in ALIGNMENTS[graph.alignment].required:
        if name not in options:
            raise InputError(f"--alignment {graph.alignment}", f"needs --alignment-option {name}=..")
    check_align(graph.alignment, options)
    return options


def read_samples(pool: PoolOptions, apart: Mapping[str, str] | None = None) -> Samples:
    """The pool; ``apart`` are columns of it that are no features, each with what it is."""
    own = {} if apart is None else apart
    try:
        samples = read_pool(pool.source, **reading_options(pool, tuple(own)))
    except MissingColumnError as error:
        if error.argument == "drop" and error.column in own:
            rule, value = error.rule, error.value
            raise MissingColumnError(ARGUMENTS[own[error.column]], rule, value, column=error.column) from None
        raise
    if samples.skipped:
        tell(f"{told_skipped(samples.skipped, samples.n_samples + len(samples.skipped))}.")
    uses = [replace(use, why=own[use.name]) if use.name in own else use for use in samples.columns]
    return replace(samples, columns=tuple(uses))


def straight(samples: Samples) -> Samples:
    """The pool with its numbers not bent, so that those far out are far out."""
    recipe = samples.recipe
    if not isinstance(recipe, TableRecipe) or recipe.straight == recipe:
        return samples
    X = recipe.straight.transform(samples.shown)
    return replace(samples, X=X, recipe=recipe.straight, fingerprint=f"{samples.fingerprint} straight")


def tell_columns(samples: Samples) -> None:
    """One line, once all that can be refused is refused; and what was assumed of the file, if anything."""
    if samples.note:
        tell(samples.note.replace("graph=False", "--no-graph"))
    if samples.columns:
        tell(f"{told_columns(samples.columns)}.")


def tell_task(labels: Labels) -> None:
    if labels.assumed:
        tell(f"{in_flags(labels.assumed)}.")


def column_facts(samples: Samples) -> dict[str, Any]:
    """What JSON output tells of the columns of a table."""
    return {"columns": [asdict(use) for use in samples.columns]} if samples.columns else {}


def reading_options(pool: PoolOptions, apart: Sequence[str] = ()) -> dict[str, Any]:
    """The options of reading the pool that were given, by the names that the library has for them."""
    dropped = names(pool.drop, "--drop")
    if apart and is_table(pool.source) and pool.features is None and pool.text_column is None:
        dropped = [*(dropped or []), *(name for name in apart if name not in (dropped or []))]
    given = {
        "id_column": pool.id_column,
        "text_column": pool.text_column,
        "text_features": pool.text_features,
        "columns": names(pool.columns, "--columns"),
        "drop": dropped,
        "scale": pool.scale,
        "missing": pool.missing,
        "features": features_of(pool),
        "image_size": None if pool.image_size is None else size(pool.image_size),
        "color": pool.color or None,
        "image_features": pool.image_features,
        "key": pool.key,
        "graph": pool.is_graph,
    }
    return {name: value for name, value in given.items() if value is not None}


def features_of(pool: PoolOptions) -> str | Path | None:
    """A column by its name, or a file by its whole path."""
    source = features_source(None if pool.features is None else str(pool.features))
    return source.absolute() if isinstance(source, Path) else source


def own_labels(pool: PoolOptions, labels: Path | None, label_column: list[str] | None) -> dict[str, str]:
    """The columns of the pool that hold its labels, where the labels are in the file of the pool."""
    same = labels is None or labels.resolve() == pool.source.resolve()
    return dict.fromkeys(label_column or (), LABEL) if same else {}


def check_label_ids(samples: Samples, column: str | None) -> None:
    """Labels by a column of the pool that does not name its samples would go to others."""
    shared = [use for use in samples.columns if use.name == column and use.why != "the ids"]
    if shared and not samples.named:
        rule = f"must name the ids of the pool; it is a column of {samples.path}: give --id-column, too"
        raise InputError("--label-id-column", rule, column)


def read_initial(path: Path | None, samples: Samples) -> Ints:
    """Samples that are labeled already: those with a label, or all that a table without labels lists."""
    if path is None:
        return np.empty(0, dtype=np.int64)
    try:
        return read_labels(path, samples.ids, skip_unknown=samples.skipped).indices
    except MissingColumnError as error:
        if error.column != "label":
            raise
        return read_landmarks(path, samples.ids)


def check_features(samples: Samples, flag: str, name: str) -> None:
    """Refuse a method or an alignment that needs features if the pool is a graph."""
    if samples.X is None:
        raise InputError(f"{flag} {name}", f"needs features; {samples.path} is a graph")


def prepare(
    samples: Samples,
    asked: GraphOptions,
    options: dict[str, Any],
    steps: Progress,
    where: Here = HERE,
    **choice: Any,
) -> Prepared:
    """Refuse what this pool does not admit, then make its graphs and phi; ``choice`` as for `viewed_pool`.

    Graphs that a cluster makes are not put into the cache.
    """
    k, metric = neighbors_of(samples, asked.neighbors, asked.metric, asked.view)
    if ALIGNMENTS[asked.alignment].needs_features:
        check_features(samples, "--alignment", asked.alignment)
    p = None if samples.X is None else samples.X.shape[1]
    check_shape(asked.alignment, options, Shape(samples.n_samples, p, k))
    tell_columns(samples)

    def aligned(graph: NeighborGraph, X: Any) -> Sparse:
        with steps.step(f"{asked.alignment} matrix"):
            return where.align(asked.alignment, graph, X, options)

    def graph_of(view: str, X: Any) -> NeighborGraph:
        try:  # a view may have fewer features than the pool
            check_shape(asked.alignment, options, Shape(samples.n_samples, X.shape[1], k))
        except InputError as error:
            raise InputError(error.argument, f"{error.rule} in the view {view}", error.value) from None
        if asked.no_cache or where is not HERE:
            return where.graph(X, k, metric)
        return cached_graph(samples, k, metric, view=view, X=X, folder=asked.cache)

    if samples.graph is not None:
        pool = graph_pool(samples.graph, aligned(samples.graph, None))
    else:
        X = check_array(samples.X, str(samples.path))
        pool = viewed_pool(
            X, asked.view or VIEWS[0], metric=metric, align=aligned, graph_of=graph_of, **choice
        )
        steps.say(_considered(pool))
    seen = pool.main
    steps.say(repr(seen.graph))
    steps.say(f"phi has {seen.phi.nnz} nonzeros, {seen.phi.nnz / seen.phi.shape[0]:.1f} a row")
    return Prepared(samples, pool, seen, asked.alignment, options)


def graph_alone(samples: Samples, asked: NeighborOptions) -> tuple[NeighborGraph, str | None]:
    """The graph of a pool without phi, and the name of its view; None for a pool that is a graph."""
    k, metric = neighbors_of(samples, asked.neighbors, asked.metric, asked.view)
    tell_columns(samples)
    if samples.graph is not None:
        return samples.graph, None

    def graph_of(view: str, X: Any) -> NeighborGraph:
        if asked.no_cache:
            return neighbor_graph(X, k, metric=metric)
        return cached_graph(samples, k, metric, view=view, X=X, folder=asked.cache)

    X = check_array(samples.X, str(samples.path))
    pool = viewed_pool(
        X,
        asked.view or VIEWS[0],
        metric=metric,
        align=lambda graph, features: None,
        graph_of=graph_of,
        only_main=True,
    )
    return pool.main.graph, pool.main.name


def _considered(pool: ViewedPool) -> str:
    told = []
    for name, said in pool.considered.items():
        error = f" (left-out error {said['error']:.3g})" if "error" in said else ""
        told.append(f"{name} {said['nearness']:.3f}{error}")
    used = ", ".join(seen.name for seen in pool.views)
    return f"views by nearness, where less is better: {', '.join(told)}; used: {used}"


def neighbors_of(
    samples: Samples, neighbors: int | None, metric: str | None, view: str | None = None
) -> tuple[int, str]:
    """How many neighbors, by which metric; a pool that is a graph has its own."""
    n = samples.n_samples
    if samples.X is None:
        for flag, value in (("--neighbors", neighbors), ("--metric", metric), ("--view", view)):
            if value is not None:
                raise InputError(flag, f"has no meaning for {samples.path}, which is a graph", repr(value))
        return 0, "edges"
    if n < 2:
        raise InputError(samples.path, "must hold at least 2 samples", n)
    k = min(NEIGHBORS, n - 1) if neighbors is None else neighbors
    return check_integer(k, "--neighbors", 1, n - 1, f" for {n} samples"), metric or METRICS[0]

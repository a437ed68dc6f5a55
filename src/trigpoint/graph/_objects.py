"""Graphs of networkx and igraph: their nodes, edges and weights, without importing either.

Nodes are in the order of the object. Weights are those of the edge attribute "weight"; where only some edges
have one, the others weigh 1, as in networkx. Direction, loops and several edges between two nodes go by the
rules of `graph_from_edges`; an edge without direction has its lower node first, so that several add up.
"""

from typing import Any

import numpy as np

from trigpoint._errors import InputError
from trigpoint._types import Array, Floats
from trigpoint._validation import check_weights


def is_graph_object(value: Any) -> bool:
    return _is_networkx(value) or _is_igraph(value)


def _is_networkx(value: Any) -> bool:
    return all(hasattr(value, name) for name in ("is_multigraph", "is_directed", "adj", "nodes", "edges"))


def _is_igraph(value: Any) -> bool:
    return all(hasattr(value, name) for name in ("get_edgelist", "vcount", "is_directed", "es", "vs"))


def object_edges(graph: Any) -> tuple[list[str], Array, Floats | None]:
    """Names of the nodes, pairs of their numbers (m, 2), and weights (m,) where there are any."""
    names, pairs, given = _from_networkx(graph) if _is_networkx(graph) else _from_igraph(graph)
    if not names:
        raise InputError("edges", "must be a graph with nodes", repr(graph))
    twice = len(names) - len(set(names))
    if twice:
        raise InputError("edges", "must have nodes that differ as text", f"{twice} that do not")
    edges = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    if not graph.is_directed():
        edges = np.sort(edges, axis=1)
    if all(weight is None for weight in given):
        return names, edges, None
    try:
        weights = np.array([1.0 if weight is None else float(weight) for weight in given])
    except (TypeError, ValueError):
        odd = next(weight for weight in given if weight is not None and not isinstance(weight, int | float))
        raise InputError("edges", "must have numbers as weights", repr(odd)) from None
    return names, edges, check_weights(weights, len(edges), "edges: weights")


def _from_networkx(graph: Any) -> tuple[list[str], list[tuple[int, int]], list[Any]]:
    number = {node: i for i, node in enumerate(graph.nodes)}
    listed = list(graph.edges(data="weight"))
    return list(map(str, number)), [(number[a], number[b]) for a, b, _ in listed], [w for *_, w in listed]


def _from_igraph(graph: Any) -> tuple[list[str], list[tuple[int, int]], list[Any]]:
    named = "name" in graph.vs.attributes()
    names = [str(name) for name in graph.vs["name"]] if named else [str(i) for i in range(graph.vcount())]
    weighted = "weight" in graph.es.attributes()
    pairs = graph.get_edgelist()
    return names, pairs, list(graph.es["weight"]) if weighted else [None] * len(pairs)

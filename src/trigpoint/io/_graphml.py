"""GraphML: the nodes and edges of an XML file, read as they come.

    <graphml> <key id="w" for="edge" attr.name="weight" .../>
      <graph edgedefault="undirected"> <node id="a"/> <edge source="a" target="b"> <data key="w">2</data> ...

Nodes are in the order of the file, those without edges included. Their ids are the samples' ids, unless all
have an attribute called name, all different, as igraph writes it. Weights are those of the attribute weight,
1 where an edge of a weighted graph has none. Edges have no direction here, see `graph_from_edges`. Graphs in
graphs and edges of more than two nodes are refused; so are documents that declare entities or name others,
since a few lines of those can stand for more than fits in memory.
"""

from pathlib import Path
from typing import Any
from xml.parsers import expat

import numpy as np

from trigpoint._errors import InputError
from trigpoint._types import Array
from trigpoint.graph import NeighborGraph
from trigpoint.io._files import CHUNK, reading
from trigpoint.io._graphs import similarity_graph
from trigpoint.io._samples import as_ids
from trigpoint.io._table import number


def read_graphml(path: Path) -> tuple[Array, NeighborGraph]:
    """Ids and graph."""
    found = _Document(path)
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler, parser.EndElementHandler = found.start, found.end
    parser.CharacterDataHandler = found.text
    parser.StartDoctypeDeclHandler = found.refuse
    parser.EntityDeclHandler = found.refuse
    with path.open("rb") as stream:
        while piece := stream.read(CHUNK):
            _feed(path, parser, piece)
        _feed(path, parser, b"", last=True)
    return found.graph()


def _feed(path: Path, parser: Any, piece: bytes, last: bool = False) -> None:
    try:
        with reading(path, "a GraphML file"):
            parser.Parse(piece, last)
    except InputError as error:
        if isinstance(error.__cause__, InputError):  # our own, out of a handler
            raise error.__cause__ from None
        raise


class _Document:
    def __init__(self, path: Path) -> None:
        self.path = path
        self.nodes: dict[str, int] = {}
        self.names: dict[int, str] = {}
        self.edges: list[tuple[int, int]] = []
        self.weights: dict[int, float] = {}
        self._open: list[str] = []
        self._name_keys: set[str] = set()
        self._weight_keys: set[str] = set()
        self._ends: list[tuple[str, str]] = []
        self._data: tuple[str, str] | None = None  # for what, key
        self._text: list[str] = []

    def refuse(self, *_: Any) -> None:
        raise InputError(
            self.path, "must not declare a document type or entities, which a graph does not need"
        )

    def start(self, tag: str, given: dict[str, str]) -> None:
        tag = tag.rpartition(":")[2]
        if not self._open and tag != "graphml":
            raise InputError(self.path, "must be a GraphML file", f"<{tag}>")
        if tag == "graph" and "graph" in self._open:
            raise InputError(self.path, "must hold one graph; one lies in another")
        if tag == "hyperedge":
            raise InputError(self.path, "must hold edges between two nodes", "a hyperedge")
        if tag == "key":
            self._key(given)
        elif tag == "node":
            self._node(given)
        elif tag == "edge":
            self._ends.append((self._said(given, tag, "source"), self._said(given, tag, "target")))
        elif tag == "data" and self._open:
            self._data, self._text = (self._open[-1], given.get("key", "")), []
        self._open.append(tag)

    def _said(self, given: dict[str, str], tag: str, name: str) -> str:
        if not given.get(name, "").strip():
            raise InputError(self.path, f"must give every <{tag}> a {name}")
        return given[name]

    def _key(self, given: dict[str, str]) -> None:
        called, of, key = given.get("attr.name", "").lower(), given.get("for", "all"), given.get("id", "")
        if called == "weight" and of in ("edge", "all"):
            self._weight_keys.add(key)
        if called == "name" and of in ("node", "all"):
            self._name_keys.add(key)

    def _node(self, given: dict[str, str]) -> None:
        name = self._said(given, "node", "id")
        if name in self.nodes:
            raise InputError(self.path, "must have distinct nodes", f"{name!r} twice")
        self.nodes[name] = len(self.nodes)

    def text(self, piece: str) -> None:
        if self._data is not None:
            self._text.append(piece)

    def end(self, _: str) -> None:
        tag = self._open.pop()
        if tag != "data" or self._data is None:
            return
        (of, key), text = self._data, "".join(self._text).strip()
        self._data = None
        if of == "edge" and key in self._weight_keys:
            weight = number(text)
            if weight is None or not 0 <= weight < np.inf:
                place = f"{self.path}, edge {len(self._ends)}, weight"
                raise InputError(f"{place}:", "must be a finite number of at least 0", repr(text[:50]))
            self.weights[len(self._ends) - 1] = weight
        elif of == "node" and key in self._name_keys and self.nodes:
            self.names[len(self.nodes) - 1] = text

    def graph(self) -> tuple[Array, NeighborGraph]:
        if not self.nodes:
            raise InputError(self.path, "must hold nodes; it holds none")
        unknown = next((end for ends in self._ends for end in ends if end not in self.nodes), None)
        if unknown is not None:
            raise InputError(self.path, "must list the nodes of all its edges", repr(unknown))
        edges = np.array([[self.nodes[a], self.nodes[b]] for a, b in self._ends]).reshape(-1, 2)
        weights = None
        if self.weights:
            weights = np.array([self.weights.get(k, 1.0) for k in range(len(edges))])
        named = list(self.names.values())
        whole = len(set(named)) == len(self.nodes) and all(named)
        return as_ids(named if whole else list(self.nodes)), similarity_graph(
            self.path, edges, weights, len(self.nodes)
        )

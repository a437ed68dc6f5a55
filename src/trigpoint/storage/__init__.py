"""Graphs, alignment matrices and joined pools as folders on disk, opened as memory maps.

_folder     arrays in a folder, written whole or not at all, opened without being read
_build      a graph that is built in a folder
_stored     what such folders hold: a graph, an alignment matrix
"""

from trigpoint.storage._build import build_graph, searched
from trigpoint.storage._folder import (
    PREFIX,
    FolderKind,
    Stream,
    atomic_folder,
    check_folder_target,
    folder_facts,
    open_folder,
    write_folder,
)
from trigpoint.storage._stored import (
    ALIGNMENT,
    GRAPH,
    graph_facts,
    is_graph_folder,
    open_alignment,
    open_graph,
    save_alignment,
    save_graph,
)

__all__ = [
    "ALIGNMENT",
    "GRAPH",
    "PREFIX",
    "FolderKind",
    "Stream",
    "atomic_folder",
    "build_graph",
    "check_folder_target",
    "folder_facts",
    "graph_facts",
    "is_graph_folder",
    "open_alignment",
    "open_folder",
    "open_graph",
    "save_alignment",
    "save_graph",
    "searched",
    "write_folder",
]

"""Read pools and labels from files, write results and exports.

    a file or a folder -> Samples (ids, features or a graph, what a person is shown), whole or at a glimpse
    labels, landmarks  -> indices into the pool, by id
    results            -> tables and Label Studio tasks, written whole or not at all

A bad file ends in one ValueError or OSError that names it; nothing is ever unpickled.
"""

from trigpoint.io._arrays import npz_headers, read_npz
from trigpoint.io._atomic import atomic_path, write_bytes, write_text
from trigpoint.io._cache import cache_folder, cached_graph
from trigpoint.io._files import check_file
from trigpoint.io._glimpse import glimpse
from trigpoint.io._idx import read_idx
from trigpoint.io._json import write_records
from trigpoint.io._label_studio_export import UNDECIDED, export_label_studio, label_studio_tasks
from trigpoint.io._label_studio_import import import_label_studio
from trigpoint.io._labels import read_labels
from trigpoint.io._landmarks import read_landmarks
from trigpoint.io._pace import paced
from trigpoint.io._png import png_bytes
from trigpoint.io._pool import read_pool
from trigpoint.io._recall import (
    ids_digest,
    load_map,
    pool_signature,
    recall_graph,
    remember_pool,
    store_map,
)
from trigpoint.io._samples import Labels, Samples, content
from trigpoint.io._table import MissingColumnError
from trigpoint.io._unpacked import check_unpacked
from trigpoint.io._write import check_table_path, write_table

__all__ = [
    "UNDECIDED",
    "Labels",
    "MissingColumnError",
    "Samples",
    "atomic_path",
    "cache_folder",
    "cached_graph",
    "check_file",
    "check_table_path",
    "check_unpacked",
    "content",
    "export_label_studio",
    "glimpse",
    "ids_digest",
    "import_label_studio",
    "label_studio_tasks",
    "load_map",
    "npz_headers",
    "paced",
    "png_bytes",
    "pool_signature",
    "read_idx",
    "read_labels",
    "read_landmarks",
    "read_npz",
    "read_pool",
    "recall_graph",
    "remember_pool",
    "store_map",
    "write_bytes",
    "write_records",
    "write_table",
    "write_text",
]

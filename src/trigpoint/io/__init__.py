"""Read pools and labels from files, write results and exports.

    files, frames, graphs -> Samples (ids, features or a graph, what a person is shown), whole or at a glimpse
    labels, landmarks     -> indices into the pool, by id
    results               -> tables and Label Studio tasks, written whole or not at all

A bad file ends in one ValueError or OSError that names it; nothing is ever unpickled.

_pool, _pool_options, _table_pool        the doors: a pool of any kind, a pool that is a table
_labels, _own_labels, _agreed            labels and landmarks of a pool
_label_studio, …_labels, …_samples       tasks for Label Studio, its labels, and which samples they mean
_task                                    whether labels are classes or real values
_arrays, _safetensors, _matrix_market    .npy, .npz, IDX; .safetensors; .mtx
_graphs, _edge_files, _graphml           tables and matrices that are graphs; lines of edges or texts; XML
_shards, _numeric_parts, _joined         pools in parts, larger than memory: one mapped array in the cache
_read_table, _arrow, _json, _frames      CSV, TSV; Parquet, Arrow, datasets; JSON; data frames
_table, _features, _lists, _embedding    what they become; texts as points; lists of numbers as features
_images, _files, _looks, _samples        pictures; paths and kinds, by name, by content; what reading returns
_atomic, _write_table, _dataset_parts    files written whole or not at all; for Hugging Face's datasets
_archive, _plain                         arrays and plain values in one file; records as such
_cache, _recall                          graphs and pools found before
_cache_folder, _pace                     where they are kept, and how much; loops that let others run
"""

from trigpoint.io._archive import ArchiveKind, read_archive, write_archive
from trigpoint.io._arrays import check_rows, npz_headers, read_idx, read_npz
from trigpoint.io._arrow import is_table
from trigpoint.io._atomic import atomic_path, write_bytes, write_text
from trigpoint.io._cache import cached_graph
from trigpoint.io._cache_folder import cache_folder
from trigpoint.io._dataset_parts import IMAGE, REAL, TEXT, Feature, dataset_parts
from trigpoint.io._files import KINDS, check_file, require
from trigpoint.io._images import png_bytes, told_skipped
from trigpoint.io._json import write_records
from trigpoint.io._label_studio import export_label_studio, label_studio_tasks
from trigpoint.io._label_studio_labels import AUTHOR, DECIDES, import_label_studio
from trigpoint.io._labels import read_labels, read_landmarks
from trigpoint.io._looks import guessed_suffix
from trigpoint.io._own_labels import label_column_of
from trigpoint.io._pace import paced
from trigpoint.io._plain import Form, form_of, from_plain, to_plain
from trigpoint.io._pool import frame_features, glimpse, holds_pictures, new_features, read_pool
from trigpoint.io._pool_options import features_source
from trigpoint.io._recall import (
    ids_digest,
    load_map,
    pool_signature,
    recall_pool,
    remember_pool,
    store_map,
)
from trigpoint.io._samples import Answers, Labels, Samples, content
from trigpoint.io._table import MissingColumnError, guarded
from trigpoint.io._tag_cells import tags_text
from trigpoint.io._unpacked import check_unpacked
from trigpoint.io._write_table import check_table_path, write_table

__all__ = [
    "AUTHOR",
    "DECIDES",
    "IMAGE",
    "KINDS",
    "REAL",
    "TEXT",
    "Answers",
    "ArchiveKind",
    "Feature",
    "Form",
    "Labels",
    "MissingColumnError",
    "Samples",
    "atomic_path",
    "cache_folder",
    "cached_graph",
    "check_file",
    "check_rows",
    "check_table_path",
    "check_unpacked",
    "content",
    "dataset_parts",
    "export_label_studio",
    "features_source",
    "form_of",
    "frame_features",
    "from_plain",
    "glimpse",
    "guarded",
    "guessed_suffix",
    "holds_pictures",
    "ids_digest",
    "import_label_studio",
    "is_table",
    "label_column_of",
    "label_studio_tasks",
    "load_map",
    "new_features",
    "npz_headers",
    "paced",
    "png_bytes",
    "pool_signature",
    "read_archive",
    "read_idx",
    "read_labels",
    "read_landmarks",
    "read_npz",
    "read_pool",
    "recall_pool",
    "remember_pool",
    "require",
    "store_map",
    "tags_text",
    "to_plain",
    "told_skipped",
    "write_archive",
    "write_bytes",
    "write_records",
    "write_table",
    "write_text",
]

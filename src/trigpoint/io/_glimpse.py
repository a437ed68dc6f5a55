"""A first look at a pool: who is in it and what a person is shown, without features that cost time.

Pictures are not opened, texts not counted, numbers not checked. The samples, their order and what `content`
shows of them are those of `read_pool`; so are the errors, for all that is looked at.
"""

from pathlib import Path
from typing import Any

from trigpoint.io._arrays import as_features
from trigpoint.io._files import TABLES
from trigpoint.io._images import find_images
from trigpoint.io._options import Options, all_options
from trigpoint.io._pool import check_source, idx_pool, matrix_pool
from trigpoint.io._rows import read_rows
from trigpoint.io._samples import Samples, as_ids, row_numbers
from trigpoint.io._table_pool import table_pool


def glimpse(path: str | Path, **options: Any) -> Samples:
    """The samples of a pool, to be shown.

    Parameters
    ----------
    path, options : as in `read_pool`

    Returns
    -------
    Samples
        With the fingerprint "" and X None, but for arrays, whose rows are all that there is to show.
    """
    return _look(*check_source(path, all_options(options)))


def _look(path: Path, kind: str, options: Options) -> Samples:
    if kind in TABLES:
        return table_pool(path, kind, options, with_features=False)
    if kind == "folder":
        found = find_images(path)
        shown = list(found.values())
        return Samples(as_ids(list(found)), None, None, "images", path, "", shown, named=True)
    if kind == "idx":
        return idx_pool(path, with_features=False)
    if kind == "npy":
        X = as_features(read_rows(path), path, finite=False)
        return Samples(row_numbers(len(X)), X, None, "array", path, "", None)
    return matrix_pool(path, kind, options)

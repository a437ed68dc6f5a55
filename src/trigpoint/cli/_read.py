"""Files as the options name them."""

from pathlib import Path
from typing import Any

import numpy as np

from trigpoint._types import Array, Ints
from trigpoint.cli._options import PoolOptions
from trigpoint.cli._values import names, size
from trigpoint.io import Samples, read_labels, read_landmarks, read_pool


def read_samples(pool: PoolOptions) -> Samples:
    resized: dict[str, Any] = {} if pool.image_size is None else {"image_size": size(pool.image_size)}
    return read_pool(
        pool.source,
        id_column=pool.id_column,
        text_column=pool.text_column,
        columns=names(pool.columns),
        features=pool.features,
        key=pool.key,
        color=pool.color,
        graph=pool.is_graph,
        **resized,
    )


def read_initial(path: Path | None, ids: Array) -> Ints:
    """Samples that are labeled already: those with a label, or all that a table without labels lists."""
    if path is None:
        return np.empty(0, dtype=np.int64)
    try:
        return read_labels(path, ids).indices
    except ValueError as error:
        if "must have a column called label" not in str(error):
            raise
        return read_landmarks(path, ids)

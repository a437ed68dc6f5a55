"""Columns that identify a sample, say nothing, or say the answer.

constant    all values are equal
counting    whole numbers, all different, that have no gaps or go up row by row: an id, and no feature
named       whole numbers or words, all different, in a column whose name says that it identifies: customer_id
copy        of the labels: one value for each class and one class for each value, if classes have two labels
            each; or numbers whose correlation with real targets is above `COPY`

With fewer than `ENOUGH` rows, numbers may go up, and values may tell classes apart, by chance.
"""

import re

import numpy as np

from trigpoint._types import Array

ENOUGH = 30  # rows
COPY = 0.9999
NAMED = re.compile(r"(?:^|[\W_])(?i:ids?|u?uid|guid|key|index|idx|no|nr|number|row)$|[a-z](?:Id|ID)$")


def counts_rows(column: Array) -> bool:
    """Whether finite numbers count the rows."""
    if len(column) < ENOUGH or column[0] == column[1] or not np.array_equal(column, np.rint(column)):
        return False
    if (np.diff(column) > 0).all():
        return True
    gaps = np.diff(np.sort(column))
    return bool((gaps > 0).all() and gaps.min() == gaps.max())


def names_samples(name: str) -> bool:
    """Whether the name of a column says that it identifies.

    >>> [names_samples(name) for name in ("customer_id", "userId", "width", "paid")]
    [True, True, False, False]
    """
    return NAMED.search(name.strip()) is not None


def copies_labels(column: Array, labels: Array) -> bool:
    """Whether values (float, or codes of words) say what the labels say: codes of classes, or real values."""
    if len(labels) < ENOUGH or len(np.unique(labels)) < 2 or len(np.unique(column)) < 2:
        return False
    if column.dtype.kind == labels.dtype.kind == "f" and abs(np.corrcoef(column, labels)[0, 1]) > COPY:
        return True
    values = np.unique(column, return_inverse=True)[1]
    classes = np.unique(labels, return_inverse=True)[1]
    pairs = np.unique(np.stack([values, classes]), axis=1).shape[1]
    n_classes = int(classes.max()) + 1
    return 2 * n_classes <= len(labels) and int(values.max()) + 1 == n_classes == pairs

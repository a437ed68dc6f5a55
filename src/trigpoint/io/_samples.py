"""The two records that reading returns: a pool, and labels of some of it."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from trigpoint._types import Array, Floats, Ints
from trigpoint._validation import check_integer
from trigpoint.annotators import Consensus
from trigpoint.features import ColumnUse, Recipe
from trigpoint.graph import NeighborGraph

LISTED = 10  # neighbors of a node that a person is shown


@dataclass(frozen=True, eq=False)
class Samples:
    """A pool as read from files.

    Attributes
    ----------
    ids : (n,) object array of str, unique
    X : (n, p) array, memory map or `csr_array`; None for a graph
    graph : NeighborGraph where the file is a graph, else None
    kind : "array", "table", "images", "text" or "graph"
    path : the file or folder
    fingerprint : hash of the content and of the reading options
    shown : what `content` shows of each sample
    feature_names : names of the columns of X where the file names them, else ()
    named : whether the ids are names that the file gives its samples, and not their places in it
    recipe : how the samples became X, which serves new samples too; None for arrays and graphs
    columns : of a table, how each column is used, or why it is left out
    skipped : files that could not be read, by id -> why
    note : in a sentence, what was assumed where the file could mean something else, else ""
    """

    ids: Array
    X: Any
    graph: NeighborGraph | None
    kind: str
    path: Path
    fingerprint: str
    shown: Any = field(repr=False)
    feature_names: tuple[str, ...] = ()
    named: bool = False
    recipe: Recipe | None = None
    columns: tuple[ColumnUse, ...] = ()
    skipped: dict[str, str] = field(default_factory=dict)
    note: str = ""

    @property
    def n_samples(self) -> int:
        return len(self.ids)


@dataclass(frozen=True, eq=False)
class Answers:
    """What each person said, where a file of labels has a column of annotators.

    Attributes
    ----------
    indices : (r,) int64, in the order of the file; a sample comes once for each of its rows
    values : list of r classes (str), or real values, (r,) or (r, d) float64
    annotators : r names, None where the cell is blank
    consensus : what they come to
    decides : whether an answer stands above those of others, where the file tells that; else empty
    """

    indices: Ints
    values: list[str] | list[tuple[str, ...]] | Floats
    annotators: list[str | None]
    consensus: Consensus
    decides: list[bool] = field(default_factory=list)

    def told(self) -> str:
        """Who answered and how far they agree, in a line."""
        found = self.consensus
        n, disputed = len(found.annotators), int(found.disputed.sum())
        people = "1 annotator" if n == 1 else f"{n} annotators"
        if found.agreement is None:
            return f"{people}, no sample with two answers"
        undecided = int((~found.decided).sum())
        agree = f"{found.agreement.share:.0%} of {found.agreement.pairs} pairs of answers agree"
        return f"{people}: {agree}; {disputed} samples disputed, {undecided} of them without a label"

    def facts(self) -> dict[str, Any]:
        """What JSON output tells of it."""
        found = self.consensus
        return {
            "annotators": {
                "" if name is None else str(name): {"n_answers": one.n_answers, "quality": one.quality}
                for name, one in found.annotators.items()
            },
            "agreement": None if found.agreement is None else asdict(found.agreement),
            "n_disputed": int(found.disputed.sum()),
            "n_undecided": int((~found.decided).sum()),
        }


@dataclass(frozen=True, eq=False)
class Labels:
    """Labels of some samples of a pool.

    Attributes
    ----------
    indices : (l,) int64, in the order of the file
    values : list of l classes (str), or of l tuples of tags (str); or real values, (l,) or (l, d) float64
    columns : names of the columns that they come from
    unknown : ids that are not in the pool, where these were to be skipped
    answers : who said what, where the file has a column of annotators; the labels are then their consensus
    assumed : which task was assumed and why, where whole numbers may be classes or quantities; else ""
    """

    indices: Ints
    values: list[str] | list[tuple[str, ...]] | Floats
    columns: tuple[str, ...]
    unknown: tuple[str, ...] = ()
    answers: Answers | None = None
    assumed: str = ""

    @property
    def task(self) -> str:
        if not isinstance(self.values, list):
            return "regression"
        return "tags" if self.values and isinstance(self.values[0], tuple) else "classification"


def as_ids(names: Sequence[str]) -> Array:
    ids = np.empty(len(names), dtype=object)
    ids[:] = names
    return ids


def row_numbers(n: int) -> Array:
    """Ids of samples without names; numpy's own texts take a quarter of the memory of Python's."""
    return np.arange(n).astype(np.dtypes.StringDType())


def content(samples: Samples, i: int) -> dict[str, Any]:
    """What a person is shown of sample i, and what exports hold.

    ``{"id": ...}`` and one of ``"text"`` (str), ``"image"`` (Path), ``"pixels"`` ((h, w) uint8, of an
    IDX file) or ``"row"`` ({column: value}; {"neighbors": ids} for a node of a graph).

    Parameters
    ----------
    samples : what `read_pool` returned
    i : number of the sample

    Returns
    -------
    dict

    Notes
    -----
    Cost: one sample is looked up; of a picture only its path.

    See Also
    --------
    trigpoint.report.check_page : a page that shows samples.

    Examples
    --------
    >>> import pathlib, tempfile, trigpoint as tp
    >>> from trigpoint.io import content
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "pool.csv"
    >>> _ = path.write_text("id,height\\na,1\\nb,2\\nc,4\\n")
    >>> content(tp.read_pool(path), 1)
    {'id': 'b', 'row': {'id': 'b', 'height': 2}}
    """
    i = check_integer(i, "i", 0, samples.n_samples - 1, f" for {samples.n_samples} samples")
    return {"id": samples.ids[i], **_shown(samples, i)}


def _shown(samples: Samples, i: int) -> dict[str, Any]:
    if samples.kind == "text":
        return {"text": samples.shown[i]}
    if samples.kind == "images":
        return {"pixels" if isinstance(samples.shown, np.ndarray) else "image": samples.shown[i]}
    if samples.kind == "table":
        return {"row": {name: _plain(column[i]) for name, column in samples.shown.items()}}
    if samples.graph is not None:
        start, stop = samples.graph.indptr[i : i + 2]
        near = samples.graph.indices[start : min(stop, start + LISTED)]
        return {"row": {"neighbors": samples.ids[near].tolist()}}
    if sparse.issparse(samples.X):
        start, stop = samples.X.indptr[i : i + 2]
        entries = zip(samples.X.indices[start:stop], samples.X.data[start:stop], strict=True)
        return {"row": {str(j): _plain(value) for j, value in entries}}
    return {"row": {str(j): _plain(value) for j, value in enumerate(samples.X[i])}}


def _plain(value: Any) -> Any:
    """A cell as str, int or float; whole numbers as int, and None for NaN."""
    if isinstance(value, str):
        return value
    number = float(value)
    if np.isnan(number):
        return None
    return int(number) if number.is_integer() else number

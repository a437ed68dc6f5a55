"""What server and worker process say to each other: one frozen record for each kind of message.

The server sends a Job, once, and then a Request for each round of work. The worker answers a request with
Proposals, Predictions, Advice, Bound and Issues, in this order, all with the version of the labels that they
follow from; the last three may be left out. Stage, Ready, Skipped, Map and Failed come at any time.
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from trigpoint._types import Array
from trigpoint.annotators import Value


@dataclass(frozen=True)
class Job:
    """A pool to work on.

    Attributes
    ----------
    path : a file or folder, as for `io.read_pool`
    reading : its options, by name
    cache : folder for graphs and maps; None: nothing is kept
    ids : `ids_digest` of the samples that people see, which the worker must find, too; "": any will do
    """

    path: Path
    reading: dict[str, Any] = field(default_factory=dict)
    cache: Path | None = None
    ids: str = ""


@dataclass(frozen=True)
class Request:
    """What is known now, and how many proposals are wanted.

    Attributes
    ----------
    version : of the labels; it comes back with every answer to this request
    log : of asks and tells, as in `ActiveLearner.log`
    classes : that exist now, in the order of the codes
    count : proposals wanted
    """

    version: int
    log: list[dict[str, Any]]
    classes: list[str]
    count: int


@dataclass(frozen=True)
class Stage:
    """What is being computed, and which share of it is done; None where nobody knows."""

    name: str
    share: float | None = None


@dataclass(frozen=True)
class Ready:
    """The graph is there. Sent again by a worker that had to be restarted.

    Attributes
    ----------
    n_samples, n_components, n_isolated : of the graph
    recall : share of the true neighbors that were found; 1 where the search was exact
    fingerprint : of the pool's content, as in `Samples`
    """

    n_samples: int
    n_components: int
    n_isolated: int
    recall: float
    fingerprint: str


@dataclass(frozen=True)
class Proposals:
    """The samples to ask for next, in order, and which of them are audits; empty where all were asked for."""

    version: int
    samples: list[int]
    audits: list[bool]


@dataclass(frozen=True, eq=False)
class Predictions:
    """What the labels say of every sample; sent where there is a label.

    Attributes
    ----------
    version : of the labels
    classes : that codes are places in; () for real targets
    codes : (n,) int16, the most likely class, or tag; -1 where nothing is known, or no tag is likely, and for
        real targets
    probability : (n,) float32 of that class, or that the set of tags is exactly right; NaN where nothing is
        known, and for real targets
    uncertainty : (n,) float32 in [0, 1]: 1 - probability; for real targets std divided by the largest finite
        one, and 1 where std is not finite
    values : (n, d) float64, real targets, NaN where nothing is known; None for classes
    std : (n,) float32, the largest of the targets' standard deviations, infinite where unknown, or too
        large for float32; None for classes
    tags : (n, n_tags) float16, how likely each tag is, NaN where nothing is known; None where labels are not
        sets of tags
    threshold : a sample has the tags that are likelier than this
    """

    version: int
    classes: tuple[str, ...]
    codes: Array
    probability: Array
    uncertainty: Array
    values: Array | None = None
    std: Array | None = None
    tags: Array | None = None
    threshold: float = 0.5


@dataclass(frozen=True)
class Advice:
    """`StopAdvice`, with None for what is not known (NaN) or has no end (infinity).

    ``n_rest`` is how many samples have no label.
    """

    version: int
    error: float | None
    low: float | None
    high: float | None
    n_labels: int
    n_audits: int
    n_wrong: int | None
    next_labels: int
    expected_error: float | None
    n_rest: int


@dataclass(frozen=True)
class Bound:
    """The bound of the labeled samples as landmarks (`trigpoint.bound`), where it is affordable."""

    version: int
    n_labels: int
    value: float


@dataclass(frozen=True)
class Issues:
    """Labels that look wrong, the most suspicious first (`ActiveLearner.label_issues`).

    Attributes
    ----------
    version : of the labels
    n_labels : how many labels there were
    low, high : a 90 % interval for how many of them are wrong; None where there are too few of each class
    samples : whose labels look wrong; there are as many as labels are probably wrong
    labels, suggested : of these samples: what was told, and what the other labels suggest
    probability : that the suggestion is right; None for real targets
    quality : how likely the label is right
    """

    version: int
    n_labels: int
    low: float | None
    high: float | None
    samples: list[int]
    labels: list[Value]
    suggested: list[Value]
    probability: list[float | None]
    quality: list[float]


@dataclass(frozen=True, eq=False)
class Map:
    """(n, 2) float32 in [-1, 1]; several, as the layout unfolds, and the last one is done."""

    coordinates: Array
    done: bool


@dataclass(frozen=True)
class Skipped:
    """Pictures that cannot be read, and why; sent where there are any, once the pool is read."""

    why: dict[int, str]


@dataclass(frozen=True)
class Failed:
    """One line for a person. After a fatal one the worker ends, and there are no more proposals."""

    message: str
    fatal: bool


Message: TypeAlias = (
    Stage | Ready | Proposals | Predictions | Advice | Bound | Issues | Map | Skipped | Failed
)

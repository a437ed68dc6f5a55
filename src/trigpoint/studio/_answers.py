"""What a page is answered, as types; `_openapi` publishes them."""

from collections.abc import Sequence
from typing import Annotated, Literal, TypeAlias

from msgspec import Meta

from trigpoint.annotators import Agreement
from trigpoint.studio._messages import Stage
from trigpoint.studio._requests import Index, Record
from trigpoint.studio._roles import Role

Count: TypeAlias = Annotated[int, Meta(ge=0)]
Known: TypeAlias = str | Sequence[float | str]  # a label: a class, numbers, or tags
Cell: TypeAlias = str | int | float | None
Wait: TypeAlias = Literal["worker", "people"] | None  # whom a person waits for who got no sample


class Error(Record, frozen=True):
    error: str


class PoolInfo(Record, frozen=True):
    name: str
    kind: str
    n_samples: Index
    edition: str
    change: str  # since the studio was last opened, in words


class Setup(Record, frozen=True):
    pool: PoolInfo
    store: str
    task: Literal["classification", "regression", "tags"]
    targets: Sequence[str]
    points: Sequence[str]
    overlap: Index
    seed: int
    version: str
    role: Role = "owner"
    person: str | None = None  # the name that this visitor must use; None: they give one


class Guess(Record, frozen=True):
    value: Known
    probability: float | None
    uncertainty: float


class SkippedFile(Record, frozen=True):
    """A picture that cannot be read, and why."""

    sample: Index
    id: str
    why: str


class Item(Record, frozen=True):
    """A sample as the page shows it: a picture by its address, a text, or a row of named values.

    ``unreadable`` says why the picture cannot be read, where that is so.
    """

    sample: Index
    id: str
    kind: Literal["image", "text", "row"]
    image: str | None
    size: tuple[int, int] | None
    text: str | None
    row: list[tuple[str, Cell]] | None
    audit: bool
    suggestion: Guess | None
    mine: Known | None
    labels: dict[str, Known] | None
    unreadable: str | None
    note: str
    flag: bool


class Sample(Item, frozen=True):
    predicted: Guess | None
    label: Known | None
    asked: bool


class AdviceText(Record, frozen=True):
    """The estimated error with its interval, and what it means in words."""

    error: float | None
    low: float | None
    high: float | None
    expected_error: float | None
    n_labels: Count
    n_audits: Count
    next_labels: Count
    sentence: str


class Versions(Record, frozen=True):
    """Numbers that grow when there is something new to fetch."""

    labels: Count
    predictions: Count
    map: Count
    issues: Count
    guide: Count


class PageState(Record, frozen=True):
    """How things stand: what the page shows beside the sample."""

    edition: str
    stage: Stage | None
    ready: bool
    failed: str | None
    classes: Sequence[str]
    counts: dict[str, Count]
    budget: Count
    spent: Count
    labeled: Count
    unsure: Count
    waiting: Count
    advice: AdviceText | None
    bound: list[tuple[int, float]]
    annotators: dict[str, Count]
    quality: dict[str, float]
    agreement: Agreement | None
    disagreements: Count
    issues: Count
    flagged: Count
    missing: Count
    skipped: list[SkippedFile]
    n_skipped: Count
    newer: str  # what is in the files and not in the pool yet, in words
    versions: Versions
    learning: bool


class Saved(Record, frozen=True):
    """An action that is on disk; ``n`` is how many labels it gave, where it is about many samples."""

    client: str | None
    seq: Count
    n: Count = 1


class Refused(Record, frozen=True):
    client: str | None
    why: str


class ActionsAnswer(Record, frozen=True):
    saved: list[Saved]
    refused: list[Refused]
    items: list[Item]
    done: bool
    waiting: Wait
    state: PageState


class SampleList(Record, frozen=True):
    samples: list[Index]


class Found(Record, frozen=True):
    samples: list[Index]
    total: Count


class PastAction(Record, frozen=True):
    seq: Count
    time: float
    client: str | None
    kind: str
    annotator: str
    sample: Index
    id: str
    value: Known | None
    source: str
    current: bool
    group: str | None = None


class Issue(Record, frozen=True):
    """A label that looks wrong, whose it is, and what the others suggest instead."""

    sample: Index
    label: Known
    suggested: Known
    probability: float | None
    quality: float
    whose: Literal["own", "others", "file"]


class IssueList(Record, frozen=True):
    """Some of the labels that look wrong, how many there are, and what that means in words."""

    issues: list[Issue]
    total: Count
    sentence: str


class PastActions(Record, frozen=True):
    events: list[PastAction]


class Landmarks(Record, frozen=True):
    labeled: list[Index]
    codes: list[int]
    pending: list[Index]


class ClassLine(Record, frozen=True):
    """What the owner says of a class; the example is a sample."""

    text: str
    example: Index | None
    key: str | None


class Guide(Record, frozen=True):
    """The guidelines, Markdown, and what is said of the classes."""

    text: str
    classes: dict[str, ClassLine]


class ImportAnswer(Record, frozen=True):
    labels: Count
    same: Count
    unknown: list[str]
    n_unknown: Count
    events: Count

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
    """A prediction; of tags it is a set, how likely that is exactly right, and how likely each tag is."""

    value: Known
    probability: float | None
    uncertainty: float
    tags: dict[str, float] | None = None


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
    """The estimated error with its interval, how many random checks were right, and what it means in words.

    ``few``: there are too few checks for an estimate; the words count them. ``headline`` is "" before any.
    """

    error: float | None
    low: float | None
    high: float | None
    expected_error: float | None
    n_labels: Count
    n_audits: Count
    n_right: Count | None  # None for real targets
    next_labels: Count
    few: bool
    headline: str
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
    checks: Count  # random checks that people want next
    behind: Count  # changes of labels that the suggestions do not know of yet
    flagged: Count
    missing: Count
    skipped: list[SkippedFile]
    n_skipped: Count
    newer: str  # what is in the files and not in the pool yet, in words
    versions: Versions
    learning: bool
    estimating: bool  # the advice does not know of all labels yet


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
    n: Count = 1  # labels of the group that stand; it is told once, by the last of them


class Issue(Record, frozen=True):
    """A label that looks wrong, whose it is, and what the others suggest instead.

    ``changed`` is of a sample that is not as it was when it was labeled; then nothing may be suggested.
    """

    sample: Index
    label: Known
    suggested: Known | None
    probability: float | None
    quality: float
    whose: Literal["own", "others", "file"]
    changed: bool = False


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
    disputed: list[Index]  # also where there is a label
    unsure: list[Index]


class ClassLine(Record, frozen=True):
    """What the owner says of a class; the example is a sample."""

    text: str
    example: Index | None
    key: str | None


class PastRename(Record, frozen=True):
    """A rename that can be undone, by the name of its action; it merged two classes or not."""

    client: str
    old: str
    new: str
    merged: bool


class Guide(Record, frozen=True):
    """The guidelines, Markdown, what is said of the classes, and their latest renames."""

    text: str
    classes: dict[str, ClassLine]
    renames: list[PastRename]


class ImportAnswer(Record, frozen=True):
    labels: Count
    same: Count
    unknown: list[str]
    n_unknown: Count
    events: Count

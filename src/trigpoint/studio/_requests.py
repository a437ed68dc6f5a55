"""What a page may send, as types; `_openapi` publishes them, and `_answers` has what it is answered.

A request is read strictly: UTF-8, no NaN, no field twice, no unknown field, and every limit below holds. What
breaks a rule is refused with one sentence that names the field, the rule and the value. Documents are
parsed by the standard library, since msgspec takes the last of two fields with the same name.
"""

import json
import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeAlias, TypeVar, get_args

from msgspec import UNSET, Meta, Struct, UnsetType, ValidationError, convert

from trigpoint.studio._events import (
    LONGEST,
    LONGEST_GUIDE,
    LONGEST_LINE,
    LONGEST_NOTE,
    LONGEST_PERSON,
    MOST,
    MOST_CHECKS,
)
from trigpoint.studio._pictures import Side
from trigpoint.studio._roles import ROLES, Role

T = TypeVar("T")

BLANK = "must not be blank, and hold no NUL"

# `Meta(pattern=...)` is not used: in a union with a list it crashes msgspec 0.22 as Python ends (issue 717)
NO_NUL = {"pattern": "^[^\\x00]*$"}  # a NUL would not survive a table; checked by `_check_texts`
NOT_BLANK = {"pattern": "^[^\\x00]*[^\\s\\x00][^\\x00]*$"}  # checked by `checked`
Index: TypeAlias = Annotated[int, Meta(ge=0, le=MOST)]
Held: TypeAlias = Annotated[list[Index], Meta(max_length=1000)]
Text: TypeAlias = Annotated[str, Meta(extra_json_schema=NO_NUL)]
Person: TypeAlias = Annotated[
    str, Meta(min_length=1, max_length=LONGEST_PERSON, extra_json_schema=NOT_BLANK)
]  # spaces around it do not count: see `person`
Client: TypeAlias = Annotated[str, Meta(min_length=1, max_length=100, extra_json_schema=NO_NUL)]
Name: TypeAlias = Annotated[str, Meta(max_length=LONGEST, extra_json_schema=NO_NUL)]
Number: TypeAlias = Annotated[float, Meta(ge=-1e300, le=1e300)]
Label: TypeAlias = Name | Annotated[list[Number | Name], Meta(max_length=1000)]  # class, numbers or tags
Seconds: TypeAlias = Annotated[float, Meta(ge=0, le=1e9)]
Budget: TypeAlias = Annotated[int, Meta(ge=1, le=MOST)]
Share: TypeAlias = Annotated[float, Meta(ge=0, le=1)]
Source: TypeAlias = Literal[
    "queue", "history", "map", "gallery", "least_sure", "check", "disagreement", "search", "import"
]
Switch: TypeAlias = Literal[0, 1]
Of: TypeAlias = Literal["label", "predicted", "cluster", "search", "flagged", "unlabeled", "group", "all"]
Sort: TypeAlias = Literal["pool", "uncertainty", "wrong", "similar"]


MANY = 2000  # samples of one action


class Record(Struct, frozen=True, forbid_unknown_fields=True):
    """An object with these fields and no others."""


class Action(Record, tag_field="kind", frozen=True):
    """Something that a person did. ``client`` names it: one name is written once."""

    client: Client


class AnswerAction(Action, frozen=True):
    """What a person did with a sample, which is named by its index, and by its id where that is known."""

    sample: Index
    id: Text | None = None
    source: Source | None = None  # where on the page it was done
    seconds: Seconds | None = None
    suggested: Label | None = None


class LabelAction(AnswerAction, tag="label", frozen=True, kw_only=True):
    value: Label
    final: bool | None = None  # it decides among annotators
    was: Label | None = None  # the label that it corrects: refused where that is another one by now


class LabelsAction(Action, tag="labels", frozen=True, kw_only=True):
    """One label for many samples by one gesture.

    Those that somebody has answered already keep what they have, unless ``relabel``. A larger gesture is
    several actions of one group, and an undo of the group takes all of it back.
    """

    samples: Annotated[list[Index], Meta(min_length=1, max_length=MANY)]
    value: Label
    group: Client
    source: Literal["map", "gallery"]
    ids: Annotated[list[Text], Meta(max_length=MANY)] | None = None
    relabel: bool = False


class UnsureAction(AnswerAction, tag="unsure", frozen=True):
    pass


class SkipAction(AnswerAction, tag="skip", frozen=True):
    pass


class KeepAction(AnswerAction, tag="keep", frozen=True, kw_only=True):
    """The label of the sample is right; refused where it is another one than ``value`` by now."""

    value: Label
    quality: Share | None = None  # how likely it was right by what the page knew


class UndoAction(Action, tag="undo", frozen=True):
    target: Client  # the action, or the group of actions, that is undone


class ClassAction(Action, tag="class", frozen=True):
    name: Name


class RenameAction(Action, tag="rename", frozen=True):
    old: Name
    new: Name


class BudgetAction(Action, tag="budget", frozen=True):
    budget: Budget


class NoteAction(Action, tag="note", frozen=True, kw_only=True):
    """A note and a flag on a sample; the last one stands, and a blank one without a flag removes it."""

    sample: Index
    id: Text | None = None
    text: Annotated[str, Meta(max_length=LONGEST_NOTE, extra_json_schema=NO_NUL)]
    flag: bool = False


class GuideAction(Action, tag="guide", frozen=True):
    text: Annotated[str, Meta(max_length=LONGEST_GUIDE, extra_json_schema=NO_NUL)]  # Markdown


class DescribeAction(Action, tag="describe", frozen=True):
    """What a class means: a line, a sample that shows it, and the key that labels with it."""

    name: Name
    text: Annotated[str, Meta(max_length=LONGEST_LINE, extra_json_schema=NO_NUL)]
    example: Index | None = None
    key: Annotated[str, Meta(min_length=1, max_length=1, extra_json_schema=NO_NUL)] | None = None


class OrderAction(Action, tag="order", frozen=True):
    names: Annotated[list[Name], Meta(max_length=10_000)]


class ChecksAction(Action, tag="checks", frozen=True):
    """So many random checks, asked next."""

    count: Annotated[int, Meta(ge=1, le=MOST_CHECKS)]


AnyAction: TypeAlias = (
    LabelAction
    | LabelsAction
    | NoteAction
    | GuideAction
    | DescribeAction
    | OrderAction
    | ChecksAction
    | UnsureAction
    | SkipAction
    | KeepAction
    | UndoAction
    | ClassAction
    | RenameAction
    | BudgetAction
)


class Actions(Record, frozen=True):
    """What a person did, in order; what they hold, and how many samples they want in all."""

    annotator: Person
    actions: Annotated[list[AnyAction], Meta(max_length=500)]
    held: Held = []
    want: Annotated[int, Meta(ge=0, le=50)] = 0
    edition: Text | None = None  # of the pool that the page shows


class EventBody(Record, frozen=True):
    """The body of an event in a log that is imported."""

    value: Label | UnsetType | None = UNSET
    suggested: Label | UnsetType | None = UNSET
    seconds: Seconds | UnsetType | None = UNSET
    final: bool | UnsetType | None = UNSET
    was: Label | UnsetType | None = UNSET
    quality: Share | UnsetType | None = UNSET
    source: Source | UnsetType | None = UNSET
    name: Name | UnsetType | None = UNSET
    old: Name | UnsetType | None = UNSET
    new: Name | UnsetType | None = UNSET
    budget: Budget | UnsetType | None = UNSET
    target: Client | UnsetType | None = UNSET
    audit: bool | UnsetType = UNSET
    group: Client | UnsetType | None = UNSET
    relabel: bool | UnsetType | None = UNSET
    text: Annotated[str, Meta(max_length=LONGEST_GUIDE)] | UnsetType = UNSET
    flag: bool | UnsetType = UNSET
    example: Text | UnsetType | None = UNSET
    key: Annotated[str, Meta(max_length=1)] | UnsetType | None = UNSET
    names: list[Name] | UnsetType = UNSET
    count: int | UnsetType = UNSET


class PersonQuery(Struct, frozen=True):
    annotator: Person | None = None


class StateQuery(PersonQuery, frozen=True):
    held: Held = []


class SamplesQuery(Struct, frozen=True):
    ids: Annotated[list[Index], Meta(max_length=200)]
    annotator: Person | None = None


class PictureQuery(Struct, frozen=True):
    side: Side | None = None  # pixels of the longer edge; without it the picture comes as it is


class HistoryQuery(PersonQuery, frozen=True):
    before: Annotated[int, Meta(ge=0, le=2**53)] = 2**53  # the number of an event; the default is after all
    limit: Annotated[int, Meta(ge=1, le=500)] = 50


class ReserveQuery(Struct, frozen=True):
    annotator: Person
    limit: Annotated[int, Meta(ge=1, le=100)] = 50


class LeastSureQuery(Struct, frozen=True):
    limit: Annotated[int, Meta(ge=1, le=1000)] = 60


class IssuesQuery(PersonQuery, frozen=True):
    start: Index = 0
    limit: Annotated[int, Meta(ge=1, le=200)] = 50


class SearchQuery(Struct, frozen=True):
    q: Annotated[str, Meta(max_length=1000, extra_json_schema=NO_NUL)]
    limit: Annotated[int, Meta(ge=1, le=1000)] = 50


class GalleryQuery(Struct, frozen=True):
    of: Of
    name: Annotated[str, Meta(max_length=1000, extra_json_schema=NO_NUL)] = ""  # of the class, patch, ...
    sort: Sort = "pool"


class ImportQuery(Struct, frozen=True):
    name: Annotated[str, Meta(min_length=1, max_length=255, extra_json_schema=NO_NUL)]
    annotator: Person
    dry: Switch = 0


class ActivityQuery(Struct, frozen=True):
    person: Person | None = None
    before: Annotated[int, Meta(ge=0, le=2**53)] = 2**53
    limit: Annotated[int, Meta(ge=1, le=500)] = 50


class Invite(Record, frozen=True):
    """A link for a person, or with no name for anybody."""

    role: Role
    name: Person | None = None


class EndLink(Record, frozen=True):
    id: Annotated[str, Meta(max_length=100, extra_json_schema=NO_NUL)]


class NewPassword(Record, frozen=True):
    password: Annotated[str, Meta(min_length=8, max_length=200, extra_json_schema=NO_NUL)]


class SignIn(Record, frozen=True):
    name: Annotated[str, Meta(max_length=1000, extra_json_schema=NO_NUL)]
    password: Annotated[str, Meta(max_length=1000, extra_json_schema=NO_NUL)]


class SignOut(Record, frozen=True):
    pass


class BadRequestError(ValueError):
    """What is asked for does not keep to the rules; the message says which."""


def person(name: str | None) -> str:
    """The name of an annotator without spaces around it; "" where nobody is named."""
    return "" if name is None else name.strip()


def read_body(body: bytes, kind: type[T]) -> T:
    """A JSON document of a request."""
    found: T = checked(_read_json(body), kind, "body")
    return found


def read_query(given: Mapping[str, str], kind: type[T]) -> T:
    """The query of a request; lists are written with commas, and fields without a meaning are left out."""
    lists = {name: given[name].split(",") if given[name] else [] for name in ("held", "ids") if name in given}
    found: T = checked({**given, **lists}, kind, "", strict=False)
    return found


def checked(value: Any, kind: Any, name: str, *, strict: bool = True) -> Any:
    """The value as ``kind``. The error names the field, the rule and the value."""
    _check_texts(value, name)
    try:
        found = convert(value, kind, strict=strict)
    except ValidationError as error:
        raise BadRequestError(_sentence(error, value, name)) from None
    annotator = getattr(found, "annotator", None)
    if annotator is not None and not annotator.strip():
        raise BadRequestError(f"{name}.annotator {BLANK}; got {annotator!r}.".lstrip("."))
    return found


def _read_json(body: bytes) -> Any:
    try:
        return json.loads(
            body.decode(), object_pairs_hook=_once, parse_constant=_no_constant, parse_float=_number
        )
    except RecursionError:
        raise BadRequestError("the body must not be nested this deeply.") from None
    except ValueError as error:
        said = str(error).splitlines()[0].rstrip(".")
        raise BadRequestError(f"the body must be JSON in UTF-8; {said[:200]}.") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a field is given twice")
    return found


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a JSON number")


def _number(text: str) -> float | int:
    """A whole number may be spelled 3.0."""
    number = float(text)
    return int(number) if number.is_integer() else number


def _check_texts(value: Any, name: str) -> None:
    if isinstance(value, str):
        if "\0" in value:
            raise BadRequestError(f"{name} {BLANK}; got {ascii(value)[:100]}.")
        try:
            value.encode()
        except UnicodeEncodeError:
            raise BadRequestError(
                f"{name} must be text that UTF-8 can hold; got {ascii(value)[:100]}."
            ) from None
    elif isinstance(value, list):
        for k, item in enumerate(value):
            _check_texts(item, f"{name}[{k}]")
    elif isinstance(value, dict):
        for field, item in value.items():
            _check_texts(field, name)
            _check_texts(item, f"{name}.{field}".lstrip("."))


CHOICES = {
    "kind": tuple(kind.__struct_config__.tag for kind in get_args(AnyAction)),
    "source": get_args(Source),
    "of": get_args(Of),
    "sort": get_args(Sort),
    "role": ROLES,
    "dry": get_args(Switch),
    "side": get_args(Side),
}
WORDS = (  # what msgspec says, and what we say; the last takes all that is left
    (r"Object missing required field `(.*)`", "{name}.{0} must be given."),
    (r"Object contains unknown field `(.*)`", "{name} must hold no field {0!r}."),
    (r"Invalid (?:enum )?value .*", "{name} must be one of {choices}; got {value}."),
    (r"Expected `(.*?)` of length (.*)", "{name} must be {0} of length {1}; got {length}."),
    (r"Expected `(.*?)`( [<>]= \S+)?.*", "{name} must be {0}{1}; got {value}."),
    (r".*", "{name} must be a number that a float holds; got {value}."),
)


def _sentence(error: ValidationError, value: Any, name: str) -> str:
    said, _, place = str(error).partition(" - at `$")
    steps = re.findall(r"\.(\w+)|\[(\d+)\]", place)
    for field, k in steps:
        value = value[field] if field else value[int(k)]
    name = (name + place.removesuffix("`")).lstrip(".")
    form, found = next(
        (form, match) for rule, form in WORDS if (match := re.fullmatch(rule, said, re.DOTALL))
    )
    parts = [part or "" for part in found.groups()]
    choices = ", ".join(map(str, CHOICES.get(name.rpartition(".")[2], ())))
    length = len(value) if isinstance(value, str | list) else 0
    return form.format(*parts, name=name, value=_shown(value), choices=choices, length=length).lstrip(".")


def _shown(value: Any) -> str:
    long = isinstance(value, int) and abs(value) >= 10**20
    return "a larger number" if long else ascii(value)[:100]

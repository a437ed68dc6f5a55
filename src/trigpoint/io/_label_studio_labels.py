"""Labels out of Label Studio: its full export (JSON), its short one (JSON-MIN), and its tables (CSV, TSV).

full    a task has data and annotations, and an annotation a list of results
short   an annotation is a flat record: the fields of data, and under the control's name "x",
        {"choices": ["x"]} or [{"number": 1.5}]; in a table these are text

An annotation is an answer of its author: whom our own hidden control names, else the user of Label Studio who
made it. Of several answers of a person about a sample the one last updated counts (in the file's order where
they carry no time); skipped ones count for nothing. Where several people answered, the label is their
consensus, or what the only annotation that is marked as the truth says. Label Studio marks all annotations
that it imports, unless they say otherwise, so that several marks mean nothing.

A choice of several classes is refused, unless they are tags: then an annotation without a choice says that
there are none. A key point is two numbers, NAME.x and NAME.y, in pixels.
"""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from trigpoint._errors import InputError
from trigpoint._types import Array
from trigpoint._validation import check_choice
from trigpoint.io._agreed import agreed
from trigpoint.io._files import check_file, kind_of
from trigpoint.io._json import load_records
from trigpoint.io._label_studio_samples import SAMPLE_ID, Find, own_name, sample_finder
from trigpoint.io._pace import paced
from trigpoint.io._read_table import column_names, read_table
from trigpoint.io._samples import Labels
from trigpoint.io._table import listed

Label: TypeAlias = str | float | tuple[float, ...] | tuple[str, ...]
AUTHOR = "trigpoint_author"  # the control that holds who gave a label, and whether it decides
DECIDES = "decides"
USER = "Label Studio {}"  # a user of whom only the number is known
TOLD = ("annotator", "annotation_id", "created_at", "updated_at", "lead_time")  # in all short records
OTHERS = ("id", "agreement", "history", SAMPLE_ID, AUTHOR)
CHOICES, NUMBERS = ("choices",), ("number", "rating")  # kinds of results
KINDS = {"classification": CHOICES, "tags": CHOICES, "regression": NUMBERS, None: (*CHOICES, *NUMBERS)}


@dataclass(frozen=True)
class Annotation:
    """What somebody said of a sample.

    Attributes
    ----------
    where : in the file
    data : of its task
    short : whether data and what was said are one record
    id_is_own : whether "id" in the data is the sample's, and not Label Studio's number
    said : control -> what it holds, in any form
    person : who said it, if that is known
    time : ISO, in UTC, which sorts as text; "" where there is none
    decides : whether it stands above what others said
    """

    where: str
    data: Mapping[str, Any]
    short: bool
    id_is_own: bool
    said: dict[str, list[Any]]
    person: str | None
    time: str
    decides: bool = False


def is_label_studio(records: list[dict[str, Any]]) -> bool:
    full = all(isinstance(r.get("data"), dict) for r in records)
    if full and any("annotations" in r or "predictions" in r for r in records):
        return True
    return all("annotation_id" in r for r in records)


def label_studio_records(path: Path, kind: str) -> list[dict[str, Any]] | None:
    """The records of a file in one of Label Studio's forms; None where it is another table."""
    if kind == "json":
        records = load_records(path)
        return records if is_label_studio(records) else None
    if kind not in ("csv", "tsv") or not set(TOLD) <= set(column_names(path, kind)):
        return None
    table = read_table(path, kind, lambda names: dict.fromkeys(names, True))
    columns = [table.text(name) for name in table.columns]
    rows = paced(zip(*columns, strict=True))
    return [dict(zip(table.columns, map(_cell, row), strict=True)) for row in rows]


def _cell(text: str) -> Any:
    """A cell of a table: text, unless it is an object or a list of objects."""
    if not text.startswith(("{", "[{")):
        return text
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def import_label_studio(
    path: str | Path,
    ids: Sequence[str] | Array,
    *,
    from_name: str | Sequence[str] | None = None,
    skip_unknown: bool | Collection[str] = False,
    task: str | None = None,
    texts: Sequence[str] | None = None,
) -> Labels:
    """Labels of samples of the pool with these ids, out of Label Studio's JSON, JSON-MIN, CSV or TSV.

    ``from_name`` is the name of the control that holds the label, needed where there are several; several
    names are of numbers that make up one label, and an annotation counts where it has them all. Ids that are
    not in the pool are refused, or left out and named in the result where ``skip_unknown`` (True, or holds
    them). With ``task="tags"`` the choices of a sample are its tags. Tasks without an id of ours are found by
    the names of their pictures, or by their texts, where ``texts`` are those of the pool.

    Notes
    -----
    Cost: the file is read once and held in memory.

    See Also
    --------
    trigpoint.io.read_labels : finds out by itself whether a file is of Label Studio.

    Examples
    --------
    >>> import json, pathlib, tempfile
    >>> from trigpoint.io import import_label_studio
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "export.json"
    >>> tall = {"from_name": "label", "to_name": "row", "type": "choices", "value": {"choices": ["tall"]}}
    >>> _ = path.write_text(json.dumps([{"data": {"id": "b"}, "annotations": [{"result": [tall]}]}]))
    >>> found = import_label_studio(path, ["a", "b"])
    >>> found.indices, found.values
    (array([1]), ['tall'])
    """
    path = Path(path)
    if task is not None:
        check_choice(task, "task", ("classification", "regression", "tags"))
    kind = kind_of(path, ("json", "csv", "tsv"))
    check_file(path)
    records = load_records(path) if kind == "json" else label_studio_records(path, kind)
    if records is None:
        raise InputError(path, f"must be a table of Label Studio, with the columns {', '.join(TOLD)}")
    return labels_of_records(path, records, ids, from_name, skip_unknown, task, texts)


def labels_of_records(
    path: Path,
    records: list[dict[str, Any]],
    ids: Sequence[str] | Array,
    from_name: str | Sequence[str] | None,
    skip_unknown: bool | Collection[str],
    task: str | None = None,
    texts: Sequence[str] | None = None,
) -> Labels:
    names = None if from_name is None else (from_name,) if isinstance(from_name, str) else tuple(from_name)
    find = sample_finder(ids, texts)
    short = not any("data" in record for record in records)
    if short and names is None:
        names = (_control(path, records, find, task),)
    place = {str(name): i for i, name in enumerate(ids)}
    told: dict[tuple[str, str | None], tuple[str, Label, bool]] = {}  # sample, person -> when, what
    nameless: Annotation | None = None
    for one in paced(_annotations(path, records)):
        value = _label(one, names, task)
        if value is None:
            continue
        key = _sample(one, place, find), one.person
        if nameless is None and key[0] not in place and _is_nameless(one):
            nameless = one
        if key not in told or one.time >= told[key][0]:
            told[key] = one.time, value, one.decides
    if nameless is not None and not any(name in place for name, _ in told):
        raise InputError(
            f"{nameless.where}:",
            f"must hold {SAMPLE_ID!r}, as our tasks do, or the name of a picture of the pool: "
            'the "id" of JSON-MIN is Label Studio\'s own number; export as JSON',
        )
    unknown = list(dict.fromkeys(name for name, _ in told if name not in place))
    strange = unknown if isinstance(skip_unknown, bool) else [n for n in unknown if n not in skip_unknown]
    if strange and skip_unknown is not True:
        raise InputError(
            path, "must hold ids of the pool only", f"{len(strange)} unknown, first {strange[0]!r}"
        )
    known = {key: answer for key, answer in told.items() if key[0] in place}
    if not told and task in ("classification", "regression"):
        other = labels_of_records(path, records, ids, names, True, None, texts).task
        raise InputError(path, f"must hold labels for {task}; it holds some for {other}")
    if not told or (not known and skip_unknown is not True):
        raise InputError(path, "must hold at least one label; it holds none")
    values = _values(path, [value for _, value, _ in known.values()], names, task)
    indices = np.array([place[name] for name, _ in known], dtype=np.int64)
    labels = Labels(indices, values, names or ("label",), tuple(unknown))
    people = [person for _, person in known]
    if all(person is None for person in people):
        return labels
    return agreed(labels, people, [decides for _, _, decides in known.values()])


def _values(path: Path, values: list[Any], names: tuple[str, ...] | None, task: str | None) -> Any:
    if task == "tags":
        return values
    kinds = {type(value) for value in values}
    if len(kinds) > 1:
        raise InputError(path, "must hold classes or numbers", "both; give from_name=")
    if any(isinstance(part, str) for value in values if isinstance(value, tuple) for part in value):
        raise InputError(path, f"must hold numbers under {', '.join(map(str, names or ()))}", "classes")
    return np.array(values, dtype=np.float64) if kinds & {float, tuple} else [str(v) for v in values]


def _annotations(path: Path, records: list[dict[str, Any]]) -> Iterator[Annotation]:
    for number, record in enumerate(records, start=1):
        where = f"{path}, record {number}"
        if "data" in record:
            yield from _of_task(record, where)
        elif record.get("annotation_id", number) not in (None, ""):
            yield _of_short(record, where)


def _of_short(record: dict[str, Any], where: str) -> Annotation:
    said = {name: value if isinstance(value, list) else [value] for name, value in record.items()}
    author, decides = _author(said.pop(AUTHOR, []))
    person = author or _user(record.get("annotator"))
    own = "annotation_id" not in record or not str(record.get("id", "")).isdigit()
    return Annotation(where, record, True, own, _with_points(said), person, _time(record), decides)


def _of_task(record: dict[str, Any], where: str) -> list[Annotation]:
    annotations = record.get("annotations") or []
    if not isinstance(record["data"], dict) or not isinstance(annotations, list):
        raise InputError(f"{where}:", "must be a task with data and a list of annotations", "something else")
    if not all(isinstance(annotation, dict) for annotation in annotations):
        strange = next(one for one in annotations if not isinstance(one, dict))
        raise InputError(f"{where}: an annotation", "must be an object", repr(str(strange)[:50]))
    counting = [annotation for annotation in annotations if not annotation.get("was_cancelled")]
    marked = sum(annotation.get("ground_truth") is True for annotation in counting)
    found = []
    for annotation in counting:
        said = _results(annotation.get("result") or [], where)
        author, decides = _author(said.pop(AUTHOR, []))
        if marked == 1:
            decides = annotation.get("ground_truth") is True and len(counting) > 1
        person = author or _user(annotation.get("completed_by"))
        said = _with_points(said)
        found.append(Annotation(where, record["data"], False, True, said, person, _time(annotation), decides))
    return found


def _results(result: Any, where: str) -> dict[str, list[Any]]:
    """Control -> the values of its results."""
    if not isinstance(result, list) or not all(isinstance(part, dict) for part in result):
        raise InputError(
            f"{where}: the result of an annotation", "must be a list of objects", "something else"
        )
    said: dict[str, list[Any]] = {}
    for part in result:
        value = part.get("value")
        if isinstance(value, dict):
            size = {name: part[name] for name in ("original_width", "original_height") if name in part}
            value = value | size
        said.setdefault(str(part.get("from_name")), []).append(value)
    return said


def _author(values: list[Any]) -> tuple[str | None, bool]:
    """Who our hidden control names, and whether their label decides."""
    texts: list[Any] = []
    for value in values:
        text = value.get("text") if isinstance(value, dict) else value
        texts += text if isinstance(text, list) else [text]
    name = str(texts[0]).strip() if texts and texts[0] else ""
    return name or None, DECIDES in texts[1:]


def _user(told: Any) -> str | None:
    """Who made an annotation: an email, or the number of a user."""
    if isinstance(told, dict):
        told = told.get("email") or told.get("id")
    if told in (None, "", "None") or isinstance(told, bool | list):
        return None
    return USER.format(told) if str(told).isdigit() else str(told).strip() or None


def _time(annotation: Mapping[str, Any]) -> str:
    return str(annotation.get("updated_at") or annotation.get("created_at") or "")


def _with_points(said: dict[str, list[Any]]) -> dict[str, list[Any]]:
    """Key points as numbers, in pixels; Label Studio has them in percent of the picture."""
    points: dict[str, list[Any]] = {}
    for values in said.values():
        for value in values:
            names = value.get("keypointlabels") if isinstance(value, dict) else None
            for name in names if isinstance(names, list) else ():
                for axis, size in (("x", "original_width"), ("y", "original_height")):
                    share, pixels = value.get(axis), value.get(size)
                    if _is_number(share) and _is_number(pixels):
                        points[f"{name}.{axis}"] = [{"number": share * pixels / 100}]
    return said if not points else said | points


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _control(path: Path, records: list[dict[str, Any]], find: Find, task: str | None) -> str:
    """The column of short records that is the label: no data, and of the right kind."""
    data = {*TOLD, *OTHERS}
    for record in records:
        data |= _data_fields(record) | {name for name, value in record.items() if find(value) is not None}
    names = dict.fromkeys(name for record in records for name in record if name not in data)
    left = [name for name in names if all(_fits(record.get(name), task) for record in records)]
    if len(left) > 1 and "label" not in left:
        rule = "must have one column of labels; export as JSON, which tells data and labels apart"
        raise InputError(path, rule, listed(left))
    return left[0] if len(left) == 1 else "label"


def _data_fields(record: dict[str, Any]) -> set[str]:
    """Fields of data, as far as a record tells: all of one without an annotation, and in JSON-MIN those
    before the "id" that Label Studio adds. Tables have their columns in the order of the alphabet."""
    if "annotation_id" in record and record["annotation_id"] in (None, ""):
        return {name for name, value in record.items() if value not in (None, "")}
    names = list(record)
    places = {name: place for place, name in enumerate(names)}
    in_order = places.get("annotator", len(names)) < places.get("annotation_id", -1)
    return set(names[: places["id"]]) if in_order and "id" in places else set()


def _fits(value: Any, task: str | None) -> bool:
    """Whether a field may be a label for the task."""
    if value is None or value == "":
        return True
    parts = value if isinstance(value, list) else [value]
    return all(_kind(part) in KINDS[task] for part in parts)


def _kind(value: Any) -> str | None:
    if isinstance(value, dict):
        return next((kind for kind in (*CHOICES, *NUMBERS) if kind in value), None)
    return "choices" if isinstance(value, str) else "number" if _is_number(value) else None


def _sample(one: Annotation, place: Mapping[str, int], find: Find) -> str:
    """The id of the sample, or what the file calls one that is not in the pool."""
    name = own_name(one.data, one.id_is_own)
    if name in place:
        return str(name)
    fields = _texts(one)
    found = next((sample for sample in map(find, fields) if sample is not None), None)
    if found is not None or name is not None:
        return str(found if found is not None else name)
    if not fields and not _is_nameless(one):
        rule = 'must hold the sample\'s "id" in its data'
        raise InputError(f"{one.where}:", rule, repr(one.data.get("id")))
    return fields[0][:200] if fields else one.where


def _texts(one: Annotation) -> list[str]:
    """Fields of data that may be a text or the name of a picture."""
    return [v for key, v in one.data.items() if key not in (*TOLD, *OTHERS) and isinstance(v, str)]


def _is_nameless(one: Annotation) -> bool:
    """Whether nothing in a record can be the name of a sample; then others of the file must have one."""
    own = one.id_is_own or SAMPLE_ID in one.data or own_name(one.data, one.id_is_own) is not None
    return not own and not any("." in text for text in _texts(one))


def _label(one: Annotation, names: tuple[str, ...] | None, task: str | None) -> Label | None:
    kinds = KINDS[task]
    if names is None:
        said = {name: values for name, values in one.said.items() if any(_kind(v) in kinds for v in values)}
        if len(said) > 1:
            rule = "must have one control, or give from_name="
            raise InputError(f"{one.where}:", rule, ", ".join(sorted(said)))
        given = list(said.values()) or [[]]
    else:
        given = [one.said.get(name, []) for name in names]
    if task == "tags":
        if any(value not in (None, "") for values in given for value in values):
            return _tags(given, one.where)
        return None if one.said and not one.short else ()  # a choice of nothing is an answer
    return _together([_one(values, one.where) for values in given])


def _together(parts: list[str | float | None]) -> Label | None:
    """The label that the controls make up; None where one of them says nothing."""
    if len(parts) == 1:
        return parts[0]
    return None if None in parts else tuple(parts)  # type: ignore[return-value]


def _tags(values: Any, where: str) -> tuple[str, ...]:
    """All choices, each once."""
    found: dict[str, None] = {}

    def take(value: Any) -> None:
        if isinstance(value, list):
            for part in value:
                take(part)
        elif isinstance(value, dict):
            take(value.get("choices"))
        elif isinstance(value, str) and value:
            found[value] = None
        elif value is not None and value != "":
            raise InputError(f"{where}: a tag", "must be a choice", f"{str(value)[:50]}")

    take(values)
    return tuple(found)


def _one(value: Any, where: str) -> str | float | None:
    """A label in any form that it takes: "x", 1.5, {"choices": ["x"]}, {"number": 1.5}, a list of one."""
    if isinstance(value, list):
        if len(value) > 1:
            raise InputError(f"{where}:", "must hold one label, or give task='tags'", len(value))
        return _one(value[0], where) if value else None
    if isinstance(value, dict):
        kind = _kind(value)
        return None if kind is None else _one(value[kind], where)
    if value is None or value == "":
        return None
    if isinstance(value, str):
        return value
    if not _is_number(value) or not np.isfinite(value):
        raise InputError(f"{where}: a label", "must be a class or a finite number", f"{str(value)[:50]}")
    return float(value)

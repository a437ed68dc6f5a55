"""JSON tables: a list of flat objects, or one object a line (.jsonl).

Records are read and written one at a time: the parser holds the interpreter until it is done, and all
of a large file at once would keep everything else waiting.
"""

import json
import re
from collections.abc import Iterable, Iterator
from io import StringIO
from pathlib import Path
from typing import Any

from trigpoint._errors import InputError
from trigpoint.io._atomic import atomic_path
from trigpoint.io._files import reading
from trigpoint.io._lists import Lists, object_lists
from trigpoint.io._pace import paced
from trigpoint.io._table import Column, Plan, Table, check_names, numbers, table_of, text_of

BLANK = re.compile(r"[ \t\n\r]*")
DECODER = json.JSONDecoder()
ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False)


def read_json(path: Path, kind: str, plan: Plan) -> Table:
    records = load_records(path, kind)
    names = list(dict.fromkeys(name for record in paced(records) for name in record))
    check_names(path, names)
    wanted = plan(names)
    columns = {name: _column(records, name, wanted[name]) for name in names if name in wanted}
    return table_of(path, columns, len(records), lambda i: f"record {i + 1}")


def load_records(path: Path, kind: str = "json") -> list[dict[str, Any]]:
    """The objects of a file, at least one, all text in them writable as UTF-8."""
    with reading(path, "UTF-8 text"):
        text = path.read_bytes().decode("utf-8-sig")
    with reading(path, "JSON"):
        records = list(paced(_lines(text) if kind == "jsonl" else _elements(text)))
        if "\\ud" in text or "\\uD" in text:  # half a surrogate pair can be read, never written
            for record in paced(records):
                json.dumps(record, ensure_ascii=False).encode()
    if not all(isinstance(record, dict) for record in records):
        raise InputError(path, "must be a list of JSON objects, one per sample", "something else")
    if not records:
        raise InputError(path, "must hold at least one record; it holds none")
    return records


def _lines(text: str) -> Iterator[Any]:
    """What each line holds; they end in LF alone, since other ends may be part of a text."""
    return (json.loads(line) for line in StringIO(text, newline="\n") if line.strip())


def _elements(text: str) -> Iterator[Any]:
    """The elements of a list, one by one; what is no list counts as an element, and is none that we take."""
    at = _past_blanks(text, 0)
    if text[at : at + 1] != "[":
        yield [json.loads(text)]
        return
    at = _past_blanks(text, at + 1)
    more = text[at : at + 1] != "]"
    while more:
        element, at = DECODER.raw_decode(text, at)
        yield element
        at = _past_blanks(text, at)
        more = text[at : at + 1] == ","
        if more:
            at = _past_blanks(text, at + 1)
    if text[at : at + 1] != "]":
        raise json.JSONDecodeError("Expecting ',' delimiter", text, at)
    at = _past_blanks(text, at + 1)
    if at != len(text):
        raise json.JSONDecodeError("Extra data", text, at)


def _past_blanks(text: str, at: int) -> int:
    found = BLANK.match(text, at)
    return at if found is None else found.end()


def write_records(path: str | Path, records: Iterable[Any], lines: bool = False) -> None:
    """A list of JSON objects, or one object a line; whole or not at all."""
    first, between, last = ("", "\n", "\n") if lines else ("[\n", ",\n", "\n]\n")
    with atomic_path(path) as part, part.open("w", encoding="utf-8", newline="") as sink:
        mark = first
        for record in paced(records):
            sink.write(mark + ENCODER.encode(record))
            mark = between
        sink.write(last if mark == between else "" if lines else "[]\n")


def _column(records: list[dict[str, Any]], name: str, as_text: bool) -> Column | Lists:
    values = [record.get(name) for record in paced(records)]
    if as_text:
        return [text_of(value) for value in paced(values)]
    lists = object_lists(values)
    if lists is not None:
        return lists
    found = numbers([text_of(int(value) if isinstance(value, bool) else value) for value in paced(values)])
    return [text_of(value) for value in paced(values)] if found is None else found

"""JSON tables: a list of flat objects, or one object a line (.jsonl)."""

import json
from pathlib import Path
from typing import Any

from trigpoint.io._cells import numbers, text_of
from trigpoint.io._files import reading
from trigpoint.io._table import Column, Plan, Table, check_names


def read_json(path: Path, kind: str, plan: Plan) -> Table:
    records = load_records(path, kind)
    names = list(dict.fromkeys(name for record in records for name in record))
    check_names(path, names)
    wanted = plan(names)
    columns = {name: _column(records, name, wanted[name]) for name in names if name in wanted}
    return Table(path, columns, len(records), lambda i: f"record {i + 1}")


def load_records(path: Path, kind: str = "json") -> list[dict[str, Any]]:
    """The objects of a file, at least one, all text in them writable as UTF-8."""
    with reading(path, "UTF-8 text"):
        text = path.read_bytes().decode("utf-8-sig")
    with reading(path, "JSON"):
        lines = [line for line in text.split("\n") if line.strip()]
        records = [json.loads(line) for line in lines] if kind == "jsonl" else json.loads(text)
        json.dumps(records, ensure_ascii=False).encode()  # half a surrogate pair can be read, never written
    if not isinstance(records, list) or not all(isinstance(record, dict) for record in records):
        raise ValueError(f"{path} must be a list of JSON objects, one a sample; got something else.")
    if not records:
        raise ValueError(f"{path} must hold at least one record; it holds none.")
    return records


def _column(records: list[dict[str, Any]], name: str, as_text: bool) -> Column:
    values = [record.get(name) for record in records]
    if as_text:
        return [text_of(value) for value in values]
    found = numbers([text_of(int(value) if isinstance(value, bool) else value) for value in values])
    return [text_of(value) for value in values] if found is None else found

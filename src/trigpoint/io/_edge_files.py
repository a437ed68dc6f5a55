"""Files of lines without a header: edge lists, and texts.

An edge list (.edges, .edgelist) has an edge a line: two nodes, and a weight where it is weighted, between
spaces, tabs, commas or semicolons. Lines that start with # or % are comments. What `networkx.write_edgelist`
adds, {} or {'weight': 2.0}, is read too. A first line that names the columns is skipped: source and target
(or from and to, ...), or words above nodes that are all whole numbers.

A .txt holds texts, one a line, blank lines left out; or an edge list, where the first `LOOKED_AT` lines are
all edges between whole numbers. A .csv without a header is an edge list in the same case. If its first line
may also be a header as pandas writes it (0, 1), nobody can tell, and ``graph`` must say it.
"""

import re
from array import array
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import TextIO

from trigpoint._errors import InputError
from trigpoint.io._graphs import ENDS
from trigpoint.io._read_table import open_text, text_lines
from trigpoint.io._table import Plan, Table, number, table_of

LOOKED_AT = 100  # lines
BETWEEN = re.compile(r"[\s,;]+")
WHOLE = re.compile(r"\d{1,18}")
DICTIONARY = re.compile(r"\{.*\}\s*$")
WEIGHT = re.compile(r"""['"]weight['"]\s*:\s*([^,}\s]+)""")
COLUMNS = ("source", "target", "weight")


def holds_edges(path: Path) -> bool:
    """Whether the first lines are all edges between whole numbers."""
    with open_text(path) as stream:
        some = list(islice(_edges(path, stream), LOOKED_AT))
    return bool(some) and all(
        len(edge) in (2, 3) and WHOLE.fullmatch(edge[0]) and WHOLE.fullmatch(edge[1]) and _is_weight(edge)
        for _, edge in some
    )


def counts_columns(path: Path) -> bool:
    """Whether the first line may be names that pandas gives: 0, 1 or 0, 1, 2."""
    with open_text(path) as stream:
        first = next(_edges(path, stream), (0, []))[1]
    return first in (["0", "1"], ["0", "1", "2"], ["1", "2"], ["1", "2", "3"])


def _is_weight(edge: list[str]) -> bool:
    return len(edge) == 2 or number(edge[2]) is not None


def _edges(path: Path, stream: TextIO) -> Iterator[tuple[int, list[str]]]:
    """Line numbers and fields."""
    for count, line in enumerate(text_lines(path, stream), start=1):
        text = line.strip()
        if not text or text[0] in "#%":
            continue
        data = DICTIONARY.search(text)
        fields = BETWEEN.split(text[: data.start()].strip() if data else text)
        if data and (found := WEIGHT.search(data[0])):
            fields.append(found[1])
        yield count, fields


def read_edges(path: Path, _: str, plan: Plan) -> Table:
    """The edges of a file as a table of text: source, target, and weight where there are three fields."""
    columns: list[list[str]] = []
    lines = array("q")
    same: dict[str, str] = {}  # a name is held once, however often it comes
    skip = _has_header(path)
    with open_text(path) as stream:
        for line, fields in islice(_edges(path, stream), int(skip), None):
            columns = columns or [[] for _ in fields]
            if len(fields) != len(columns) or len(columns) not in (2, 3) or "" in fields:
                rule = "must have two nodes a line, and perhaps a weight"
                raise InputError(path, f"{rule}; line {line} has {len(fields)} fields")
            lines.append(line)
            for column, field in zip(columns, fields, strict=True):
                column.append(same.setdefault(field, field))
    names = list(COLUMNS[: len(columns) or 2])
    wanted = plan(names)
    cells = {name: cells for name, cells in zip(names, columns, strict=False) if name in wanted}
    return table_of(path, cells, len(lines), lambda i: f"line {lines[i]}")


def _has_header(path: Path) -> bool:
    """Whether the first line names the columns."""
    with open_text(path) as stream:
        some = [edge for _, edge in islice(_edges(path, stream), LOOKED_AT)]
    first = [field.lower().strip("\"'") for field in some[0]] if some else []
    if tuple(first[:2]) in ENDS:
        return True
    words = not any(number(field) is not None for field in first)
    return words and len(some) > 1 and all(WHOLE.fullmatch(end) for edge in some[1:] for end in edge[:2])


def read_texts(path: Path, _: str, plan: Plan) -> Table:
    """The lines of a file that are not blank, as a table of one column, text."""
    with open_text(path) as stream:
        lines = [(k, line.strip()) for k, line in enumerate(text_lines(path, stream), start=1)]
    lines = [(k, line) for k, line in lines if line]
    wanted = plan(["text"])
    cells = {"text": [line for _, line in lines]} if "text" in wanted else {}
    return table_of(path, cells, len(lines), lambda i: f"line {lines[i][0]}")

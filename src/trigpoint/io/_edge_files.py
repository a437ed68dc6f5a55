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
    with open_text(path) as stream:
        rows = list(_edges(path, stream))
    if rows and _names_columns(rows):
        rows = rows[1:]
    width = len(rows[0][1]) if rows else 2
    for line, fields in rows:
        if len(fields) != width or width not in (2, 3) or "" in fields:
            rule = f"must have two nodes a line, and perhaps a weight; line {line} has"
            raise InputError(path, f"{rule} {len(fields)} fields")
    names = list(COLUMNS[:width])
    wanted = plan(names)
    cells = {name: [row[k] for _, row in rows] for k, name in enumerate(names) if name in wanted}
    return table_of(path, cells, len(rows), lambda i: f"line {rows[i][0]}")


def _names_columns(rows: list[tuple[int, list[str]]]) -> bool:
    """Whether the first line is a header."""
    first = [field.lower().strip("\"'") for field in rows[0][1]]
    if tuple(first[:2]) in ENDS:
        return True
    words = not any(number(field) is not None for field in first)
    rest = rows[1 : LOOKED_AT + 1]
    return words and bool(rest) and all(WHOLE.fullmatch(end) for _, edge in rest for end in edge[:2])


def read_texts(path: Path, _: str, plan: Plan) -> Table:
    """The lines of a file that are not blank, as a table of one column, text."""
    with open_text(path) as stream:
        lines = [(k, line.strip()) for k, line in enumerate(text_lines(path, stream), start=1)]
    lines = [(k, line) for k, line in lines if line]
    wanted = plan(["text"])
    cells = {"text": [line for _, line in lines]} if "text" in wanted else {}
    return table_of(path, cells, len(lines), lambda i: f"line {lines[i][0]}")

"""What programs read: a table or JSON, on standard output or in a file."""

import json
import math
import sys
from pathlib import Path
from typing import Any

import numpy as np
import typer

from trigpoint.cli._errors import tell
from trigpoint.io import write_table

STDOUT = Path("-")


def publish(
    columns: dict[str, Any], output: Path | None, name: str, facts: dict[str, Any], as_json: bool
) -> None:
    """The table to its file, or to standard output; with ``as_json`` the facts to standard output.

    Where no file is named, the table is part of the JSON, as a list of objects called ``name``.
    """
    if not as_json:
        write_table(STDOUT if output is None else output, columns)
    elif output is None:
        lists = [
            column.tolist() if isinstance(column, np.ndarray) else list(column) for column in columns.values()
        ]
        rows = [dict(zip(columns, row, strict=True)) for row in zip(*lists, strict=True)]
        print_json({**facts, name: rows})
    else:
        write_table(output, columns)
        print_json({**facts, "output": str(output)})


def print_json(facts: dict[str, Any]) -> None:
    typer.echo(json.dumps(_finite(facts), ensure_ascii=False, allow_nan=False, indent=1))


def _finite(value: Any) -> Any:
    """Without NaN and infinity, which JSON does not have."""
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def close(what: str, output: Path | None, verbose: bool) -> None:
    """Say what was written where, unless it went to standard output and so speaks for itself."""
    if output is not None and output != STDOUT and (verbose or sys.stderr.isatty()):
        tell(f"{what} in {output}.")

"""Records as Parquet files that Hugging Face's `datasets` reads with all that it knows of their columns.

A column's feature is a dict in the words of `datasets`: TEXT, REAL, IMAGE, {"names": [...], "_type":
"ClassLabel"}, or {"feature": ..., "_type": "List"}. It stands in the metadata of each file. Only one block of
rows is in memory.
"""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, TypeAlias

GROUP_ROWS, GROUP_BYTES = 1000, 2**25  # of a block of rows
PART_BYTES = 2**28  # of a file
Feature: TypeAlias = dict[str, Any]
TEXT: Feature = {"dtype": "string", "_type": "Value"}
REAL: Feature = {"dtype": "float64", "_type": "Value"}
IMAGE: Feature = {"_type": "Image"}


def dataset_parts(
    folder: Path, records: Iterable[dict[str, Any]], features: dict[str, Feature]
) -> Iterator[Path]:
    """Parquet files, each as it is done; it may be removed before the next is asked for."""
    import pyarrow as pa
    from pyarrow import parquet

    about = {"huggingface": json.dumps({"info": {"features": features}})}
    schema = pa.schema([(name, _arrow(kind)) for name, kind in features.items()], metadata=about)
    codes = {name: _codes(kind) for name, kind in features.items()}
    path = folder / "part.parquet"
    writer = None
    for block in _blocks(records):
        columns = {
            name: [_coded(record[name], kind, codes[name]) for record in block]
            for name, kind in features.items()
        }
        writer = writer or parquet.ParquetWriter(path, schema)
        writer.write_table(pa.table(columns, schema=schema))
        if path.stat().st_size >= PART_BYTES:
            writer.close()
            writer = None
            yield path
    if writer is not None:
        writer.close()
        yield path


def _blocks(records: Iterable[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    block: list[dict[str, Any]] = []
    size = 0
    for record in records:
        block.append(record)
        picture = record.get("image")
        size += len(picture["bytes"]) if isinstance(picture, dict) else 0
        if len(block) >= GROUP_ROWS or size >= GROUP_BYTES:
            yield block
            block, size = [], 0
    if block:
        yield block


def _arrow(kind: Feature) -> Any:
    import pyarrow as pa

    match kind["_type"]:
        case "Image":
            return pa.struct({"bytes": pa.binary(), "path": pa.string()})
        case "ClassLabel":
            return pa.int64()
        case "List":
            return pa.list_(_arrow(kind["feature"]))
    return pa.float64() if kind == REAL else pa.string()


def _codes(kind: Feature) -> dict[str, int]:
    inner = kind["feature"] if kind["_type"] == "List" else kind
    return {name: code for code, name in enumerate(inner.get("names", ()))}


def _coded(value: Any, kind: Feature, codes: dict[str, int]) -> Any:
    """Classes as numbers, cells of text as text."""
    if value is None:
        return None
    if kind["_type"] == "ClassLabel":
        return codes[value]
    if kind["_type"] == "List":
        return [_coded(part, kind["feature"], codes) for part in value]
    return str(value) if kind == TEXT else value

"""A small valid file of every kind, for tests to read, cut short and damage."""

import gzip
import json
import struct
from pathlib import Path

import numpy as np
from scipy import io, sparse

ROWS = [("ann", 1.5, 2, "x y"), ("bob", -3.0, 4, "z"), ("cy, d.", 0.25, 6, 'say "hi"'), ("é", 7.0, 8, "")]
X = np.array([[a, b] for _, a, b, _ in ROWS])
IDS = [name for name, *_ in ROWS]


def write_csv(path: Path, delimiter: str = ",") -> None:
    cells = [("id", "a", "b", "note"), *ROWS]
    quote = lambda cell: '"' + str(cell).replace('"', '""') + '"' if isinstance(cell, str) else str(cell)  # noqa: E731
    path.write_text("".join(delimiter.join(map(quote, row)) + "\n" for row in cells), encoding="utf-8")


def write_csv_gz(path: Path) -> None:
    plain = path.with_suffix("")
    write_csv(plain)
    path.write_bytes(gzip.compress(plain.read_bytes(), mtime=0))
    plain.unlink()


def records() -> list[dict]:
    return [dict(zip(("id", "a", "b", "note"), row, strict=True)) for row in ROWS]


def write_parquet(path: Path) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    parquet.write_table(pa.Table.from_pylist(records()), path)


def idx_bytes(array: np.ndarray) -> bytes:
    """uint8 only."""
    return bytes([0, 0, 8, array.ndim]) + struct.pack(f">{array.ndim}I", *array.shape) + array.tobytes()


PIXELS = np.arange(4 * 5 * 6, dtype=np.uint8).reshape(4, 5, 6)


def write_images(folder: Path) -> None:
    from PIL import Image

    folder.mkdir()
    for name, pixels in zip(("a.png", "b.jpg", "c.gif", "d.bmp"), PIXELS, strict=True):
        Image.fromarray(pixels).save(folder / name)


def tasks() -> list[dict]:
    choice = {"from_name": "label", "to_name": "text", "type": "choices", "value": {"choices": ["cat"]}}
    return [
        {"id": 7, "data": {"id": name, "text": "t"}, "annotations": [{"result": [choice]}]} for name in IDS
    ]


SPARSE = sparse.csr_array(np.array([[1.0, 0, 2], [0, 3, 0], [0, 0, 0], [4, 0, 5]]))
RING = sparse.csr_array(np.roll(np.eye(4), 1, axis=1) + np.roll(np.eye(4), -1, axis=1))

POOLS = {
    "pool.npy": lambda path: np.save(path, X),
    "pool.npz": lambda path: np.savez(path, X=X, other=np.zeros(3)),
    "packed.npz": lambda path: np.savez_compressed(path, X=X),
    "sparse.npz": lambda path: sparse.save_npz(path, SPARSE),
    "pool.csv": write_csv,
    "semicolons.csv": lambda path: write_csv(path, ";"),
    "pool.tsv": lambda path: write_csv(path, "\t"),
    "pool.csv.gz": write_csv_gz,
    "edges.csv": lambda path: path.write_text("source,target,weight\na,b,1\nb,c,2\nc,d,0.5\n"),
    "pool.parquet": write_parquet,
    "pool.json": lambda path: path.write_text(json.dumps(records()), encoding="utf-8"),
    "pool.jsonl": lambda path: path.write_text("\n".join(map(json.dumps, records())), encoding="utf-8"),
    "ring.mtx": lambda path: io.mmwrite(path, RING),
    "dense.mtx": lambda path: io.mmwrite(path, X),
    "images-idx3-ubyte": lambda path: path.write_bytes(idx_bytes(PIXELS)),
    "images-idx3-ubyte.gz": lambda path: path.write_bytes(gzip.compress(idx_bytes(PIXELS), mtime=0)),
}
LABELS = {
    "labels.csv": lambda path: path.write_text("id,label\nann,x\nbob,y\né,\n", encoding="utf-8"),
    "real.csv": lambda path: path.write_text("id,u,v\nann,0.5,1\nbob,2,-1.5\n", encoding="utf-8"),
    "labels.npy": lambda path: np.save(path, np.array([0, 1, -1, 2])),
    "labels.npz": lambda path: np.savez(path, label=np.array(["x", "", "y", "x"])),
    "labels-idx1-ubyte": lambda path: path.write_bytes(idx_bytes(np.array([3, 1, 4, 1], dtype=np.uint8))),
    "tasks.json": lambda path: path.write_text(json.dumps(tasks()), encoding="utf-8"),
}

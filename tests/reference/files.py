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


def embedded():
    """The same rows with their numbers as lists."""
    import pyarrow as pa

    vectors = pa.array(X.tolist(), pa.list_(pa.float32(), 2))
    return pa.table({"id": pa.array(IDS), "vector": vectors, "note": pa.array([row[3] for row in ROWS])})


def write_embedding(path: Path) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    table = embedded()
    ragged = pa.array(X.tolist(), pa.list_(pa.float32()))  # lists of no fixed length
    parquet.write_table(table.set_column(1, "vector", ragged), path, write_page_checksum=True)


def write_arrow(path: Path, stream: bool = False) -> None:
    import pyarrow as pa

    table = embedded()
    with (pa.ipc.new_stream if stream else pa.ipc.new_file)(path, table.schema) as sink:
        sink.write_table(table)


def write_feather(path: Path) -> None:
    from pyarrow import feather

    feather.write_feather(embedded(), path, compression="lz4")


def safetensors_bytes(header: object, data: bytes = b"") -> bytes:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data


def write_safetensors(path: Path) -> None:
    header = {
        "__metadata__": {"made": "by hand"},
        "X": {"dtype": "F32", "shape": [4, 2], "data_offsets": [0, 32]},
        "half": {"dtype": "BF16", "shape": [3], "data_offsets": [32, 38]},
    }
    path.write_bytes(safetensors_bytes(header, X.astype("<f4").tobytes() + bytes(6)))


GRAPHML = """<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="w" for="edge" attr.name="weight" attr.type="double"/>
  <graph edgedefault="undirected">
    <node id="a"/> <node id="b"/> <node id="c"/> <node id="alone"/>
    <edge source="a" target="b"><data key="w">2.5</data></edge>
    <edge source="b" target="c"/>
  </graph>
</graphml>
"""


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
    "embedding.parquet": write_embedding,
    "pool.arrow": write_arrow,
    "stream.arrow": lambda path: write_arrow(path, stream=True),
    "pool.feather": write_feather,
    "pool.safetensors": write_safetensors,
    "half.npy": lambda path: np.save(path, X.astype(np.float16)),
    "lines.txt": lambda path: path.write_text("one text\n\nanother, longer text\né\n", encoding="utf-8"),
    "edges.txt": lambda path: path.write_text("# nodes\n7 3\n3 12\n12 7\n"),
    "pool.edges": lambda path: path.write_text("% weighted\na b 1\nb\tc\t2.5\n"),
    "pool.graphml": lambda path: path.write_text(GRAPHML),
    "pool.json": lambda path: path.write_text(json.dumps(records()), encoding="utf-8"),
    "pool.jsonl": lambda path: path.write_text("\n".join(map(json.dumps, records())), encoding="utf-8"),
    "ring.mtx": lambda path: io.mmwrite(path, RING),
    "dense.mtx": lambda path: io.mmwrite(path, X),
    "images-idx3-ubyte": lambda path: path.write_bytes(idx_bytes(PIXELS)),
    "images-idx3-ubyte.gz": lambda path: path.write_bytes(gzip.compress(idx_bytes(PIXELS), mtime=0)),
}
GRAPHS = ("edges.csv", "ring.mtx", "edges.txt", "pool.edges", "pool.graphml")  # of these pools
LABELS = {
    "labels.csv": lambda path: path.write_text("id,label\nann,x\nbob,y\né,\n", encoding="utf-8"),
    "real.csv": lambda path: path.write_text("id,u,v\nann,0.5,1\nbob,2,-1.5\n", encoding="utf-8"),
    "labels.npy": lambda path: np.save(path, np.array([0, 1, -1, 2])),
    "labels.npz": lambda path: np.savez(path, label=np.array(["x", "", "y", "x"])),
    "labels-idx1-ubyte": lambda path: path.write_bytes(idx_bytes(np.array([3, 1, 4, 1], dtype=np.uint8))),
    "tasks.json": lambda path: path.write_text(json.dumps(tasks()), encoding="utf-8"),
}

"""A pool on standard input."""

import json
import subprocess
import sys

import numpy as np
import pyarrow as pa
import pytest

TABLE = b"id,a,b\nx,1,2\ny,2,3.5\nz,5,1\nw,4,4\n"


def run(data: bytes, *words: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-m", "trigpoint.cli", *words], input=data, capture_output=True, check=False
    )


def picked(data: bytes, *words: str) -> list[str]:
    done = run(data, "select", "-", "--budget", "2", "--json", "--no-cache", *words)
    assert done.returncode == 0, done.stderr.decode()
    return [row["id"] for row in json.loads(done.stdout)["landmarks"]]


def test_the_same_as_from_a_file(tmp_path):
    (tmp_path / "x.csv").write_bytes(TABLE)
    done = run(b"", "select", str(tmp_path / "x.csv"), "--budget", "2", "--json", "--no-cache")
    assert picked(TABLE) == [row["id"] for row in json.loads(done.stdout)["landmarks"]]
    assert picked(TABLE.replace(b",", b"\t"), "--format", "tsv") == picked(TABLE)


def test_formats_are_guessed():
    rows = [{"id": f"s{i}", "v": [float(i), 1.5]} for i in range(5)]
    for data in (json.dumps(rows), "\n".join(map(json.dumps, rows))):
        assert set(picked(data.encode(), "--features", "v")) <= {f"s{i}" for i in range(5)}
    sink = pa.BufferOutputStream()
    table = pa.table({"id": [f"s{i}" for i in range(5)], "v": np.eye(5).tolist()})
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    assert set(picked(sink.getvalue().to_pybytes())) <= {f"s{i}" for i in range(5)}


def test_edges_are_told_and_can_be_refused():
    done = run(b"5 2\n2 3\n3 5\n", "select", "-", "--budget", "1")
    assert (
        b"is read as edges, since its lines are pairs of whole numbers; --no-graph reads texts" in done.stderr
    )
    assert done.stdout.splitlines()[1].startswith(b"2,")
    assert b"edges" not in run(b"5 2\n2 3\n3 5\n", "select", "-", "--budget", "1", "--no-graph").stderr


@pytest.mark.parametrize(
    ("data", "words", "message"),
    [
        (b"", ["select", "-", "--budget", "1"], b"POOL must hold samples; standard input is empty"),
        (
            TABLE,
            ["select", "-", "--budget", "1", "--format", "foo"],
            b"--format must be one of npy, npz, csv",
        ),
        (TABLE, ["studio", "-"], b"POOL must be a file or a folder, to which labels are saved"),
    ],
)
def test_what_is_refused(data, words, message):
    done = run(data, *words)
    assert done.returncode == 2
    assert message in done.stderr
    assert b"Traceback" not in done.stderr


def test_a_format_is_for_standard_input(tmp_path):
    (tmp_path / "x.csv").write_bytes(TABLE)
    done = run(b"", "select", str(tmp_path / "x.csv"), "--budget", "1", "--format", "csv")
    assert b"--format has a meaning only for POOL -" in done.stderr


@pytest.mark.slow
def test_new_samples_for_a_model(tmp_path):
    pool, labels, model = tmp_path / "x.csv", tmp_path / "y.csv", str(tmp_path / "m.trigpoint")
    pool.write_text("id,a\n" + "".join(f"s{i},{i % 2 * 9 + i / 20}\n" for i in range(20)))
    labels.write_text("id,label\ns0,x\ns1,y\ns2,x\ns3,y\n")
    done = run(b"", "propagate", str(pool), "--labels", str(labels), "--no-cache", "--save-model", model)
    assert done.returncode == 0, done.stderr.decode()
    from_file = run(b"", "predict", model, str(pool))
    assert run(pool.read_bytes(), "predict", model, "-").stdout == from_file.stdout
    tabs = pool.read_bytes().replace(b",", b"\t")
    assert run(tabs, "predict", model, "-", "--format", "tsv").stdout == from_file.stdout
    assert b"NEW must hold samples; standard input is empty" in run(b"", "predict", model, "-").stderr

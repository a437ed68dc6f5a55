"""A pool on standard input."""

import io
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

TABLE = b"id,a,b\nx,1,2\ny,2,3.5\nz,5,1\nw,4,4\n"
PICK = ("--budget", "2", "--json", "--no-cache")


@pytest.fixture
def pipe(run, monkeypatch):
    """The command in this process, with bytes on its standard input."""

    def call(data, *words):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        return run(*words)

    return call


@pytest.fixture
def picked(pipe):
    def call(data, *words):
        done = pipe(data, "select", "-", *PICK, *words)
        assert done.code == 0, done.err
        return [row["id"] for row in done.json["landmarks"]]

    return call


def test_the_same_as_from_a_file(run, picked):
    Path("x.csv").write_bytes(TABLE)
    found = [row["id"] for row in run("select", "x.csv", *PICK).json["landmarks"]]
    assert picked(TABLE) == found
    assert picked(TABLE.replace(b",", b"\t"), "--format", "tsv") == found


def test_through_a_real_pipe(picked):
    words = [sys.executable, "-m", "trigpoint.cli", "select", "-", *PICK]
    done = subprocess.run(words, input=TABLE, capture_output=True, check=True)
    assert [row["id"] for row in json.loads(done.stdout)["landmarks"]] == picked(TABLE)


def test_formats_are_guessed(picked):
    rows = [{"id": f"s{i}", "v": [float(i), 1.5]} for i in range(5)]
    for data in (json.dumps(rows), "\n".join(map(json.dumps, rows))):
        assert set(picked(data.encode(), "--features", "v")) <= {f"s{i}" for i in range(5)}
    sink = pa.BufferOutputStream()
    table = pa.table({"id": [f"s{i}" for i in range(5)], "v": np.eye(5).tolist()})
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    assert set(picked(sink.getvalue().to_pybytes())) <= {f"s{i}" for i in range(5)}


def test_edges_are_told_and_can_be_refused(pipe):
    words = ["select", "-", "--budget", "1"]
    done = pipe(b"5 2\n2 3\n3 5\n", *words)
    assert "is read as edges, since its lines are pairs of whole numbers; --no-graph reads texts" in done.err
    assert done.out.splitlines()[1].startswith("2,")
    assert "edges" not in pipe(b"5 2\n2 3\n3 5\n", *words, "--no-graph").err


@pytest.mark.parametrize(
    ("data", "words", "message"),
    [
        (b"", ["select", "-", "--budget", "1"], "POOL must hold samples; standard input is empty"),
        (
            TABLE,
            ["select", "-", "--budget", "1", "--format", "foo"],
            "--format must be one of npy, npz, csv",
        ),
        (TABLE, ["studio", "-"], "POOL must be a file or a folder, to which labels are saved"),
    ],
)
def test_what_is_refused(pipe, data, words, message):
    done = pipe(data, *words)
    assert done.code == 2
    assert message in done.err


def test_a_format_is_for_standard_input(run):
    Path("x.csv").write_bytes(TABLE)
    done = run("select", "x.csv", "--budget", "1", "--format", "csv")
    assert "--format has a meaning only for POOL -" in done.err


def test_new_samples_for_a_model(run, pipe):
    pool = Path("x.csv")
    pool.write_text("id,a\n" + "".join(f"s{i},{i % 2 * 9 + i / 20}\n" for i in range(20)))
    Path("y.csv").write_text("id,label\ns0,x\ns1,y\ns2,x\ns3,y\n")
    done = run("propagate", "x.csv", "--labels", "y.csv", "--no-cache", "--save-model", "m.trigpoint")
    assert done.code == 0, done.err
    from_file = run("predict", "m.trigpoint", "x.csv")
    assert pipe(pool.read_bytes(), "predict", "m.trigpoint", "-").out == from_file.out
    tabs = pool.read_bytes().replace(b",", b"\t")
    assert pipe(tabs, "predict", "m.trigpoint", "-", "--format", "tsv").out == from_file.out
    refused = pipe(b"", "predict", "m.trigpoint", "-")
    assert "NEW must hold samples; standard input is empty" in refused.err

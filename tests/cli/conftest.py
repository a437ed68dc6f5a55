"""The command line as a user has it: files in a folder, words in, two streams and an exit code out."""

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from trigpoint.cli import main


@dataclass(frozen=True)
class Done:
    """What a command said; ``columns`` is the line about the columns of a table, apart from others."""

    code: int
    out: str
    err: str
    columns: str = ""

    @property
    def json(self):
        return json.loads(self.out)

    @property
    def rows(self):
        header, *rows = [line.split(",") for line in self.out.splitlines()]
        return [dict(zip(header, row, strict=True)) for row in rows]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty folder to work in, and a cache of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TRIGPOINT_CACHE", str(tmp_path.parent / f"{tmp_path.name}-cache"))
    return tmp_path


@pytest.fixture
def run(folder, capsys):
    """The command in this process, without the seconds that a new one takes."""

    def call(*arguments):
        capsys.readouterr()
        with pytest.raises(SystemExit) as end:
            main([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        lines = err.splitlines(keepends=True)
        about = [line for line in lines if line.startswith("trigpoint: columns used: ")]
        assert len(about) <= 1
        rest = "".join(line for line in lines if line not in about)
        return Done(end.value.code or 0, out, rest, "".join(about))

    return call


@pytest.fixture
def blobs(folder):
    """Two clouds of 30 in the plane, far apart: pool.csv, with the truth beside it."""
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(0, 1, (30, 2)), rng.normal(50, 1, (30, 2))])
    rows = [f"s{i},{x!r},{y!r}" for i, (x, y) in enumerate(X.tolist())]
    Path("pool.csv").write_text("id,height,width\n" + "\n".join(rows) + "\n")
    Path("labels.csv").write_text("id,label\ns3,low\ns40,high\ns8,\n")
    Path("landmarks.csv").write_text("id,rank\ns40,2\ns3,1\n")
    np.save("pool.npy", X)
    return X

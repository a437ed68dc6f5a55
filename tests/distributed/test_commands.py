"""--scheduler: the commands on a cluster say what they say on one machine."""

import gc
import json
import socket
import subprocess
import sys

import numpy as np
import pytest

from reference.clusters import curved, running
from trigpoint.cli import main
from trigpoint.distributed import _cluster


def run(capsys, *arguments):
    try:
        code = main([str(word) for word in arguments])
    except SystemExit as stopped:
        code = stopped.code
    return code, *capsys.readouterr()


@pytest.fixture
def pool(tmp_path):
    X = curved(600)
    np.save(tmp_path / "pool.npy", X)
    rows = [f"{i},{'high' if X[i, 0] > 0 else 'low'}" for i in range(0, 600, 20)]
    (tmp_path / "labels.csv").write_text("\n".join(["id,label", *rows]) + "\n")
    return tmp_path


def test_the_same_landmarks_and_predictions(cluster, pool, capsys):
    address = cluster.scheduler.address
    for command in (
        ("select", pool / "pool.npy", "--budget", "9"),
        ("propagate", pool / "pool.npy", "--labels", pool / "labels.csv", "--predictor", "propagation"),
    ):
        told = []
        for where in ((), ("--scheduler", address)):
            code, out, _ = run(capsys, *command, "--no-cache", "--json", *where)
            assert code == 0
            told.append(json.loads(out))
        here, there = told
        if command[0] == "select":
            assert here["landmarks"] == there["landmarks"]
        else:
            assert [row["predicted"] for row in here["predictions"]] == [
                row["predicted"] for row in there["predictions"]
            ]


def test_a_process_without_a_client_of_its_own(cluster, pool):
    words = [
        "select",
        pool / "pool.npy",
        "--budget",
        "4",
        "--no-cache",
        "--scheduler",
        cluster.scheduler.address,
    ]
    done = subprocess.run([sys.executable, "-m", "trigpoint.cli", *words], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == 5


def test_what_cannot_be_is_one_line(cluster, pool, capsys, monkeypatch):
    labels = ("propagate", pool / "pool.npy", "--labels", pool / "labels.csv")
    code, _, error = run(capsys, *labels, "--scheduler", cluster.scheduler.address)
    assert code == 2
    assert "--scheduler needs --predictor propagation" in error
    monkeypatch.setitem(sys.modules, "distributed", None)
    code, _, error = run(
        capsys, "select", pool / "pool.npy", "--budget", "3", "--scheduler", "tcp://127.0.0.1:1"
    )
    assert code == 2
    assert error == 'trigpoint: --scheduler needs Dask; install it with: pip install "trigpoint[dask]".\n'


@pytest.fixture
def silent():
    """The address of a server that takes what it is told, and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"tcp://127.0.0.1:{server.getsockname()[1]}"


@pytest.mark.parametrize("address", ["nonsense", "foo://x:1", "tls://127.0.0.1:1", "tcp://127.0.0.1:1", ""])
def test_an_address_that_makes_no_sense_is_one_line(address, pool, capsys, monkeypatch):
    monkeypatch.setattr(_cluster, "PATIENCE", 1)
    code, _, error = run(capsys, "select", pool / "pool.npy", "--budget", "3", "--scheduler", address)
    gc.collect()
    assert code == 2
    assert "--scheduler must be that of a Dask scheduler that answers" in error
    assert error.count("\n") == 1
    assert capsys.readouterr().err == ""


def test_a_server_of_another_kind_is_one_line(silent, pool, capsys, monkeypatch):
    """For whose answer a client would wait for ever."""
    monkeypatch.setattr(_cluster, "PATIENCE", 1)
    code, _, error = run(capsys, "select", pool / "pool.npy", "--budget", "3", "--scheduler", silent)
    assert code == 2
    assert error == (
        "trigpoint: --scheduler must be that of a Dask scheduler that answers (no answer in 1 s); "
        f"got {silent}.\n"
    )


@pytest.mark.slow
def test_a_scheduler_without_workers_is_one_line(tmp_path, pool, capsys):
    with running(tmp_path, n_workers=0) as (_, client):
        words = ("--budget", "3", "--scheduler", client.scheduler.address)
        code, _, error = run(capsys, "select", pool / "pool.npy", *words)
    assert code == 1
    assert error == "trigpoint: the cluster has no workers: start some with `dask worker ADDRESS`.\n"

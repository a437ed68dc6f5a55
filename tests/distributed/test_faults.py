"""Killed workers, cancelled calls, a scheduler that goes away; TLS, and other numbers of workers."""

import shutil
import subprocess
import time
import warnings
from contextlib import contextmanager

import numpy as np
import pytest

import trigpoint as tp
from reference.clusters import curved, running, tasks, when
from trigpoint.distributed import _cluster, _landmarks, _part_graph, _regions
from trigpoint.distributed._cluster import worker_memory
from trigpoint.selection import _facility


@contextmanager
def fresh(folder, **options):
    """A cluster of its own; what Dask says of dead workers is no news."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with running(folder, **options) as (cluster, client):
            yield cluster, client


@pytest.fixture(scope="module")
def pool():
    X = curved(5500)
    graph = tp.neighbor_graph(X, 10)
    phi = tp.laplacian(graph)
    landmarks = np.random.default_rng(0).choice(5500, 25, replace=False)
    values = np.random.default_rng(1).standard_normal((25, 2))
    return X, graph, phi, landmarks, values


STAGES = ["graph-crowds", "graph-centers", "graph-place", "graph-send", "graph-join", "graph-merge"]
STAGES += ["graph-truth", "graph-answer", "graph-lists", "laplacian-scales", "laplacian-turn"]
STAGES += ["laplacian-phi", "select-centers", "select-cells", "propagate-aggregates", "propagate-smooth"]
STAGES += ["select-groups", "select-cut", "select-choose", "propagate-groups", "propagate-cut"]
STAGES += ["propagate-restrict", "propagate-descend", "propagate-correct", "propagate-turn"]
STAGES += ["propagate-hear"]
STAGES += ["propagate-layout", "predict-nearest", "propagate-columns", "propagate-whole", "select-whole"]


def set_sizes(whole, plenty):
    """Of the pools from which on cells, and groups, are made; in another process."""
    from trigpoint.selection import _facility

    _facility.WHOLE, _facility.PLENTY = whole, plenty


@pytest.mark.slow
@pytest.mark.parametrize("stage", STAGES)
def test_a_worker_killed_in_any_stage_changes_nothing(tmp_path, monkeypatch, pool, stage):
    X, graph, phi, landmarks, values = pool
    monkeypatch.setattr(_part_graph, "EXACT_SIZE", 1000)
    monkeypatch.setattr(_regions, "REGION", 1500)
    d = tp.distributed
    calls = {
        "graph": lambda client: d.neighbor_graph(X, 10, client=client, n_partitions=4).gather().distances,
        "laplacian": lambda client: d.laplacian(d.scatter(graph, client, 4)).gather().data,
        "select": lambda client: d.select(
            d.scatter(phi, client, 4), 20, rounds="two" if stage.endswith(("centers", "cells")) else "one"
        ),
        "propagate": lambda client: d.propagate(
            d.scatter(phi, client, 4),
            landmarks,
            values,
            split="columns" if stage.endswith(("columns", "whole")) else "rows",
        ),
        "predict": lambda client: d.predict(d.scatter(graph, client, 4), X, X[:50] + 0.01, X[:, :2]),
    }
    call = calls[stage.split("-")[0]]
    if stage in ("select-groups", "select-cut", "select-choose"):
        monkeypatch.setattr(_landmarks, "PLENTY", 2000)
    with fresh(tmp_path, n_workers=3) as (cluster, client):
        client.run(set_sizes, 200, 2000)
        with when(client, stage, cluster.kill_worker):
            found = call(client)
        assert len(worker_memory(client)) == 2
        wanted = call(client)
    if stage.startswith("graph"):
        assert np.array_equal(found, tp.neighbor_graph(X, 10, method="approximate").distances)
    if stage.startswith("select") and not stage.endswith(("centers", "cells")):
        monkeypatch.setattr(_facility, "WHOLE", 200)
        monkeypatch.setattr(_facility, "PLENTY", 2000)
        assert np.array_equal(found, tp.select(phi, 20))
    if stage.startswith("propagate"):
        assert np.abs(found - wanted).max() < 1e-6
        assert np.abs(found - tp.propagate(phi, landmarks, values)).max() < 1e-6
    else:
        assert np.array_equal(found, wanted)


@pytest.mark.slow
@pytest.mark.parametrize("n_workers", [1, 4])
def test_other_numbers_of_workers_give_the_same(tmp_path, monkeypatch, pool, n_workers):
    X, graph, phi, landmarks, values = pool
    monkeypatch.setattr(_part_graph, "EXACT_SIZE", 1000)
    d = tp.distributed
    wanted = tp.neighbor_graph(X, 10, method="approximate").indices
    with fresh(tmp_path, n_workers=n_workers) as (_, client):
        for m in (2, 5):
            found = d.neighbor_graph(X, 10, client=client, n_partitions=m)
            assert (d.laplacian(d.scatter(graph, client, m)).gather() != phi).nnz == 0
            z = d.propagate(d.scatter(phi, client, m), landmarks, values, split="rows")
            assert np.abs(z - tp.propagate(phi, landmarks, values)).max() < 1e-6
            assert np.array_equal(found.gather().indices, wanted)


@pytest.mark.slow
def test_a_cancelled_call_leaves_nothing_on_the_cluster(tmp_path, pool):
    _, _, phi, landmarks, values = pool

    def stop(how_far):
        if how_far.path[-1] == "conjugate gradients" and how_far.done >= 10:
            raise KeyboardInterrupt

    with fresh(tmp_path) as (_, client):
        there = tp.distributed.scatter(phi, client, 4)
        with pytest.raises(KeyboardInterrupt), tp.progress(stop):
            tp.distributed.propagate(there, landmarks, values, split="rows")
        mine = {future.key for future in there.partitions}
        end = time.monotonic() + 600
        while set(tasks(client)) - mine and time.monotonic() < end:
            time.sleep(0.1)
        assert set(tasks(client)) == mine
        assert (
            np.abs(
                tp.distributed.propagate(there, landmarks, values) - tp.propagate(phi, landmarks, values)
            ).max()
            < 1e-6
        )
        del there
        while tasks(client) and time.monotonic() < end:
            time.sleep(0.1)
        assert not tasks(client)


@pytest.mark.slow
def test_a_scheduler_that_goes_away_is_one_clear_error(tmp_path, pool):
    _, _, phi, landmarks, values = pool
    with fresh(tmp_path) as (cluster, client):
        there = tp.distributed.scatter(phi, client, 4)
        with (
            pytest.raises(tp.distributed.ClusterError, match="the scheduler went away during") as caught,
            when(client, "propagate-smooth", cluster.kill_scheduler),
        ):
            tp.distributed.propagate(there, landmarks, values, split="rows")
        assert "aggregates" in caught.value.finished
        assert "Finished before:" in str(caught.value)


def test_workers_that_stay_paused_are_told_of(cluster, monkeypatch):
    def pause_from(share):
        cluster.run(lambda dask_worker: setattr(dask_worker.memory_manager, "memory_pause_fraction", share))

    monkeypatch.setattr(_cluster, "PAUSE", 1)
    pause_from(1e-6)
    try:
        with pytest.raises(tp.distributed.ClusterError, match=r"all workers are paused during graph.*\d+ MB"):
            tp.distributed.neighbor_graph(curved(300), client=cluster)
    finally:
        pause_from(0.8)
    assert tp.distributed.neighbor_graph(curved(300), client=cluster).n_samples == 300


@pytest.mark.slow
def test_a_cluster_with_tls(tmp_path, pool):
    if shutil.which("openssl") is None:
        pytest.skip("openssl is needed to make certificates")
    key, cert = tmp_path / "key.pem", tmp_path / "cert.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
         "-keyout", str(key), "-out", str(cert)],
        check=True, capture_output=True,
    )  # fmt: skip
    _, graph, phi, *_ = pool
    tls = {"ca": str(cert), "cert": str(cert), "key": str(key)}
    with fresh(tmp_path, tls=tls) as (_, client):
        assert client.scheduler.address.startswith("tls://")
        there = tp.distributed.scatter(graph, client, 3)
        assert (tp.distributed.laplacian(there).gather() != phi).nnz == 0


@pytest.mark.slow
def test_what_fits_no_worker_is_solved_in_parts(tmp_path, pool, monkeypatch):
    """The estimate for 5,500 samples is made to be too much for workers of 600 MB."""
    _, _, phi, *_ = pool
    monkeypatch.setattr(_regions, "REGION", 1500)
    monkeypatch.setattr(_landmarks, "EACH", 100_000)
    with fresh(tmp_path, memory="600MB") as (_, client):
        there = tp.distributed.scatter(phi, client, 4)
        auto = tp.distributed.select(there, 15)
        assert np.array_equal(auto, tp.distributed.select(there, 15, rounds="two"))
        with pytest.raises(
            tp.InputError, match=r"method='rrqr' needs all of phi.*about 0.5\d\d GB.*0.36 GB are free"
        ):
            tp.distributed.select(there, 15, "rrqr")

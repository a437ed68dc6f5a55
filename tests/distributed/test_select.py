"""Landmarks on a cluster are those of one machine; where phi fits no worker, nearly as good."""

import numpy as np
import pytest

import trigpoint as tp
from reference.clusters import curved
from trigpoint.selection import WHOLE, coarse_pool, scale_for
from trigpoint.selection._facility import weights


@pytest.fixture(scope="module")
def large():
    return tp.laplacian(tp.neighbor_graph(curved(9000), 10))


SLOW = pytest.param("gcls", {}, marks=pytest.mark.slow)


@pytest.mark.parametrize(("method", "options"), [("auto", {}), SLOW, ("random", {"random_state": 5})])
def test_one_round_is_the_choice_of_one_machine(cluster, graph, method, options):
    phi = tp.laplacian(graph)
    there = tp.distributed.scatter(phi, cluster, 3)
    found = tp.distributed.select(there, 12, method, **options)
    assert np.array_equal(found, tp.select(phi, 12, method=method, **options))


def test_what_a_method_measures_goes_along(cluster, graph):
    phi, rng = tp.laplacian(graph), np.random.default_rng(0)
    there = tp.distributed.scatter(phi, cluster, 2)
    lists = tp.distributed.scatter(graph, cluster, 2)
    options = {"initial": [5, 9], "method": "maxmin_geodesic"}
    found = tp.distributed.select(there, 8, graph=lists, **options)
    assert np.array_equal(found, tp.select(phi, 8, graph=graph, **options))
    weight = rng.random(graph.n_samples)
    found = tp.distributed.select(there, 8, sample_weight=weight)
    assert np.array_equal(found, tp.select(phi, 8, sample_weight=weight))


@pytest.mark.slow
def test_two_rounds_do_not_depend_on_partitions_and_lose_little(cluster, large, monkeypatch):
    from trigpoint.distributed import _regions

    monkeypatch.setattr(_regions, "REGION", 3000)
    whole = tp.select(large, 40)
    found = [
        tp.distributed.select(tp.distributed.scatter(large, cluster, m), 40, rounds="two") for m in (2, 5)
    ]
    assert np.array_equal(*found)
    assert len(set(found[0].tolist())) == 40
    coarse = coarse_pool(large, np.empty(0, np.int64), WHOLE)
    scale = scale_for(coarse.A, coarse.R, 40)
    each = weights(scale.shares, coarse.sizes)
    covered = [float(each @ scale.S[coarse.owner[picks]].max(axis=0)) for picks in (whole, found[0])]
    assert covered[1] > 0.93 * covered[0]


def test_two_rounds_respect_what_is_known(cluster, islands):
    phi = tp.distributed.scatter(tp.laplacian(islands), cluster, 3)
    weight = np.where(np.arange(701) < 400, 0.0, 1.0)
    found = tp.distributed.select(phi, 10, rounds="two", initial=[450, 2], sample_weight=weight)
    assert not {450, 2} & set(found.tolist())
    assert (found >= 400).all()  # the others count for nothing


def test_what_fits_no_worker_is_refused_with_its_size(cluster, graph):
    there = tp.distributed.scatter(tp.laplacian(graph), cluster, 2)
    with pytest.raises(
        tp.InputError, match=r"method='gcls' needs all of phi on one worker.*GB for 2500 samples"
    ):
        tp.distributed.select(there, 5, "gcls", rounds="two")
    with pytest.raises(tp.InputError, match="n_landmarks must be at most 2000"):
        tp.distributed.select(there, 2400, rounds="two")
    with pytest.raises(tp.InputError, match="random_state must be None or an integer"):
        tp.distributed.select(there, 5, random_state=np.random.default_rng(0))
    with pytest.raises(tp.InputError, match="n_landmarks must be an integer and lie in"):
        tp.distributed.select(there, 2501)


def set_sizes(whole, plenty):
    """Of the pools from which on cells, and groups, are made."""
    from trigpoint.selection import _facility

    _facility.WHOLE, _facility.PLENTY = whole, plenty


@pytest.fixture
def groups_from_2000_on(cluster, monkeypatch):
    from trigpoint.distributed import _landmarks

    monkeypatch.setattr(_landmarks, "PLENTY", 2000)
    monkeypatch.setattr(_landmarks, "_one_round", None)  # which holds all of phi
    set_sizes(200, 2000)
    cluster.run(set_sizes, 200, 2000)
    yield
    set_sizes(4000, 200_000)
    cluster.run(set_sizes, 4000, 200_000)


@pytest.mark.parametrize("n_partitions", [1, 5])
@pytest.mark.usefixtures("groups_from_2000_on")
def test_among_groups_the_choice_is_that_of_one_machine(cluster, large, n_partitions):
    there = tp.distributed.scatter(large, cluster, n_partitions)
    assert np.array_equal(tp.distributed.select(there, 30), tp.select(large, 30))
    known = {"initial": [17, 4], "sample_weight": np.random.default_rng(0).random(large.shape[0])}
    assert np.array_equal(tp.distributed.select(there, 30, **known), tp.select(large, 30, **known))


def test_what_is_no_laplacian_is_chosen_from_on_one_worker(cluster, monkeypatch):
    from trigpoint.distributed import _landmarks

    monkeypatch.setattr(_landmarks, "PLENTY", 100)
    X = curved(400)
    phi = tp.lle(tp.neighbor_graph(X, 10), X)
    there = tp.distributed.scatter(phi, cluster, 3)
    assert np.array_equal(tp.distributed.select(there, 10), tp.select(phi, 10))

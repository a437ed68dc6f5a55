"""Rows of a Laplacian in an order in which workers have regions, and what is solved there."""

from itertools import pairwise

import numpy as np
import pytest

import trigpoint as tp
from reference.clusters import curved
from trigpoint.alignment import groups
from trigpoint.distributed import _block_cg as block
from trigpoint.distributed._block_parts import coarse_block
from trigpoint.distributed._layout import NONE, arrived, line, order_of_samples, sent


@pytest.fixture(scope="module")
def phi():
    return tp.laplacian(tp.neighbor_graph(curved(3000), 10))


def moved(phi, order, n_blocks):
    """The rows of each worker, from blocks of phi."""
    n = phi.shape[0]
    cuts = [
        sent(phi[a:b], a, order.place, order.bounds)
        for a, b in pairwise((np.arange(n_blocks + 1) * n // n_blocks).tolist())
    ]
    return [
        arrived([cut[w] for cut in cuts], a, b, n) for w, (a, b) in enumerate(pairwise(order.bounds.tolist()))
    ]


@pytest.mark.parametrize("count", [1, 2, 5])
def test_an_order_keeps_groups_together_and_workers_even(phi, count):
    found = groups(phi, NONE)
    order = order_of_samples(found, count)
    n = phi.shape[0]
    assert np.array_equal(np.sort(order.place), np.arange(n))
    assert (np.diff(order.owner) >= 0).all()
    assert len(np.unique(order.owner)) == order.ends[-1] == len(found.centers)
    for group in (0, 7, len(found.centers) - 1):
        assert len(np.unique(order.owner[order.place[found.owner == group]])) == 1
    assert len(order.bounds) == count + 1
    assert np.abs(np.diff(order.bounds) - n / count).max() <= 16  # samples of a group
    first = order.owner[order.bounds[:-1]]
    assert np.array_equal(first, order.ends[:-1])


@pytest.mark.parametrize("n_blocks", [1, 4])
def test_rows_arrive_in_their_new_numbers(phi, n_blocks):
    order = order_of_samples(groups(phi, NONE), 3)
    dense = np.vstack([rows.toarray() for rows in moved(phi, order, n_blocks)])
    wanted = np.empty(phi.shape)
    wanted[np.ix_(order.place, order.place)] = phi.toarray()
    assert np.array_equal(dense, wanted)


def test_few_links_lead_from_one_worker_to_another(phi):
    order = order_of_samples(groups(phi, NONE), 2)
    rows = moved(phi, order, 2)[0]
    outside = np.count_nonzero(rows.indices >= rows.shape[0]) / rows.nnz
    assert outside < 0.1  # of rows in any order: one half


def test_a_path_is_a_line():
    path = tp.laplacian(tp.graph_from_edges([[i, i + 1] for i in range(29)]), "binary")
    turn = np.random.default_rng(0).permutation(30)
    rank = line(path[turn][:, turn])
    steps = np.diff(rank[np.argsort(turn)])
    assert abs(steps.sum()) == 29
    assert (np.abs(steps) == 1).all()


def test_fewer_groups_than_workers_and_parts_that_hang_together_nowhere(islands):
    assert len(order_of_samples(groups(tp.laplacian(islands), NONE), 3).bounds) == 4
    pair = tp.laplacian(tp.graph_from_edges([[0, 1]]))
    assert order_of_samples(groups(pair, NONE), 4).bounds.tolist() == [0, 2]


def solved(phi, landmarks, values, count):
    """Values and iterations, by the functions of blocks without a cluster."""
    n, order = phi.shape[0], order_of_samples(groups(phi, NONE), count)
    rows, first, there = moved(phi, order, 2), order.bounds[:-1].tolist(), order.place[landmarks]
    unknown = np.ones(n, dtype=bool)
    unknown[there] = False
    owner = np.where(unknown, order.owner, -1)
    blocks = list(zip(rows, first, strict=True))
    C = block.cycle([coarse_block(*one, owner, int(order.ends[-1])) for one in blocks])
    needs = [block.needed(*one, unknown, order.bounds) for one in blocks]
    shown = [block.union(others([need[t] for need in needs], t)) for t in range(count)]
    given = shown, unknown, owner, np.concatenate([one.diagonal(a) for one, a in blocks]), there, values
    runs = list(pairwise(order.ends.tolist()))
    systems = [block.system(rows[b], b, order.bounds, needs[b], *given, runs[b], True) for b in range(count)]
    zeros = [block.zeros(one) for one in systems]
    seen = [block.shown(one, zero) for one, zero in zip(systems, zeros, strict=True)]
    begun = [block.residual(one, zeros[b], others(seen, b)) for b, one in enumerate(systems)]
    goals = 1e-10 * np.sqrt(np.sum([block.squares(one) for one in systems], axis=0))
    states = [block.begin(one, zeros[b], begun[b], goals) for b, one in enumerate(systems)]

    def each(step, *given):
        heard = [others([state.message for state in states], b) for b in range(count)]
        return [step(one, *given, states[b], heard[b]) for b, one in enumerate(systems)]

    made = 0
    while states[0].scalars.live.any():
        states = each(block.restrict)
        e = each(block.descend, C)
        states = [block.correct(one, states[b], e) for b, one in enumerate(systems)]
        states = each(block.turn)
        states = each(block.smooth)
        made += 1
    z = np.concatenate([state.x for state in states])[:, : values.shape[1]]
    z[there] = values
    return z[order.place], made


def others(things, b):
    return [one for t, one in enumerate(things) if t != b]


def test_iterations_do_not_depend_on_the_number_of_blocks(phi):
    rng = np.random.default_rng(0)
    landmarks, values = rng.choice(3000, 40, replace=False), rng.standard_normal((40, 2))
    wanted = tp.propagate(phi, landmarks, values)
    counts = []
    for count in (1, 2, 5):
        z, made = solved(phi, landmarks, values, count)
        assert np.abs(z - wanted).max() < 1e-7
        counts.append(made)
    assert max(counts) - min(counts) <= 2
    assert max(counts) < 50

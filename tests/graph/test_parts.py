"""The refined search in parts finds the lists of one machine, wherever the parts end."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import trigpoint as tp
from reference.joins import round_of_joins
from trigpoint._kernels.runs import merge_runs
from trigpoint.graph import _part_rounds as rounds
from trigpoint.graph import _parts
from trigpoint.graph._duplicates import crowds
from trigpoint.graph._part_crowds import copies, crowds_of_blocks, frequent_rows, least_copies, suspects
from trigpoint.graph._points import points
from trigpoint.graph._refined import Neighbors, list_width, most_met
from trigpoint.graph._regions import compact_order


def curved(n, p=12, d=5, seed=0, dtype=np.float32):
    rng = np.random.default_rng(seed)
    X = np.tanh(rng.normal(size=(n, d)) @ rng.normal(size=(d, p)) / 4) + 0.01 * rng.normal(size=(n, p))
    return X.astype(dtype)


def parts_of(X, m, seed, metric="euclidean"):
    """Blocks of rows become parts of the order of lists."""
    n = len(X)
    ends = np.arange(m + 1) * n // m
    blocks = [X[a:b] for a, b in pairwise(ends)]
    like = _parts.frame(
        [_parts.typical(some, a, n) for some, a in zip(blocks, ends, strict=False)], metric, [True] * m
    )
    blocks = [
        _parts.block_of_rows(some, np.arange(len(some)), int(a), metric, like, int(a))
        for some, a in zip(blocks, ends, strict=False)
    ]
    return cut_of(blocks, n, seed, like)


def cut_of(blocks, n, seed, like):
    cut = _parts.trained([_parts.training_points(part, n, seed) for part in blocks], n, seed)
    homes = [_parts.placed(part, cut) for part in blocks]
    lists, places = _parts.evenly([_parts.sizes_of_lists(home, cut) for home in homes], len(blocks))
    return [
        _parts.arrived(
            [
                _parts.moved(part, home, lists[t], lists[t + 1])
                for part, home in zip(blocks, homes, strict=True)
            ],
            lists[t],
            lists[t + 1],
            like,
            int(places[t]),
        )
        for t in range(len(blocks))
    ]


def cut_again(parts, found, n, seed, width):
    cut = _parts.trained([_parts.training_points(part, n, seed) for part in parts], n, seed)
    homes = [_parts.placed(part, cut) for part in parts]
    lists, _ = _parts.evenly([_parts.sizes_of_lists(home, cut) for home in homes], len(parts))
    met = []
    for a, b in pairwise(lists):
        pieces = [
            _parts.moved(part, home, a, b, rounds.reach(own))
            for part, home, own in zip(parts, homes, found, strict=True)
        ]
        met.append(rounds.compared(pieces, a, b, parts[0].pool, width))
    return [
        rounds.merged_cut(part, own, [rounds.met_between(one, part.first, part.stop) for one in met])
        for part, own in zip(parts, found, strict=True)
    ]


def merged(parts, found, notes):
    return [
        rounds.merged_notes(part, own, [rounds.notes_between(one, part.first, part.stop) for one in notes])
        for part, own in zip(parts, found, strict=True)
    ]


def borders_of(parts, found, t, with_lists=True):
    wanted = rounds.asked(parts[t], found[t])
    return [
        rounds.bordering(part, own, wanted, parts[t].first, parts[t].stop, with_lists)
        for s, (part, own) in enumerate(zip(parts, found, strict=True))
        if s != t
    ]


def round_of(parts, found):
    joined = [
        rounds.joined_part(part, own, borders_of(parts, found, t))
        for t, (part, own) in enumerate(zip(parts, found, strict=True))
    ]
    return merged(parts, [one.found for one in joined], [one.notes for one in joined])


def searched(X, k, m, metric="euclidean", cuts=2, n_rounds=3):
    """Names, squared distances and neighbors, by name."""
    n, width = len(X), list_width(k)
    parts = parts_of(X, m, 1, metric)
    short = parts
    if X.shape[1] >= 32:
        pieces = [_parts.training_points(part, n, 1) for part in parts]
        short = [_parts.along_few(part, _parts.axes_of(pieces, n, 1), 16) for part in parts]
    found = [rounds.first_lists(part, width) for part in short]
    for seed in range(2, 2 + cuts):
        found = cut_again(short, found, n, seed, width)
    for _ in range(n_rounds):
        found = round_of(short, found)
    answers = [
        rounds.answered(part, own, borders_of(parts, found, t, False), k)
        for t, (part, own) in enumerate(zip(parts, found, strict=True))
    ]
    names, squared, near, short = (np.concatenate(each) for each in zip(*answers, strict=True))
    order = np.argsort(names)
    assert len(short) == 0
    assert np.array_equal(names[order], np.arange(n))
    return squared[order], near[order], [np.concatenate(each) for each in zip(*found, strict=True)]


@pytest.mark.parametrize("p", [12, 40])
@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
def test_any_number_of_parts_finds_the_same(metric, p):
    X = curved(5200, p=p)
    squared, near, lists = searched(X, 7, 1, metric)
    for m in (2, 3, 5):
        others = searched(X, 7, m, metric)
        np.testing.assert_array_equal(others[1], near)
        np.testing.assert_array_equal(others[0], squared)
        for one, other in zip(others[2], lists, strict=True):
            np.testing.assert_array_equal(one, other)
    truth = tp.neighbor_graph(X, 7, metric=metric, method="exact")
    distances = np.sqrt(squared) if metric == "euclidean" else squared / 2
    worst = truth.distances.reshape(-1, 7)[:, -1:]
    assert np.mean(distances <= worst * (1 + 1e-9) + 1e-15) > 0.99


def lists_of(Z, width, rng):
    """Random lists of neighbors, some places free, nearest first."""
    found = rounds.no_neighbors(len(Z), width)
    for i in range(len(Z)):
        some = rng.choice(np.delete(np.arange(len(Z)), i), rng.integers(1, width + 1), replace=False)
        gaps = np.sum((Z[some] - Z[i]) ** 2, axis=1)
        order = np.lexsort((some, gaps))
        found.ids[i, : len(some)], found.near[i, : len(some)] = some[order], gaps[order]
        found.fresh[i, : len(some)] = rng.integers(0, 2, len(some))
    return found


def as_part(Z, a, b):
    pool = points(Z, "euclidean")
    bounds = np.array([0, b - a])
    return _parts.Part(a, np.arange(a, b), bounds, Z[a:b], None, pool.unit, pool.center, pool.integral)


@settings(max_examples=30, deadline=None)
@given(st.integers(9, 40), st.integers(3, 6), st.integers(1, 4), st.integers(0, 2**32 - 1))
def test_a_round_in_parts_is_its_definition(n, width, m, seed):
    rng = np.random.default_rng(seed)
    Z = rng.integers(-20, 20, (n, 3)).astype(np.float32)  # whole numbers: ties, and no rounding
    whole = lists_of(Z, width, rng)
    wanted = round_of_joins(Z, *whole, whole.near[:, -1].copy(), width, most_met(width))
    ends = np.sort(rng.integers(0, n + 1, m - 1)).tolist()
    runs = list(pairwise([0, *ends, n]))
    parts = [as_part(Z, a, b) for a, b in runs]
    found = round_of(parts, [Neighbors(*(each[a:b] for each in whole)) for a, b in runs])
    ids, near, _ = (np.concatenate(each) for each in zip(*found, strict=True))
    assert [[(d, i) for d, i in zip(near[j], ids[j], strict=True) if i >= 0] for j in range(n)] == wanted


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 6), st.integers(0, 8), st.integers(0, 2**32 - 1))
def test_merged_runs_keep_the_least_of_both(width, count, seed):
    rng = np.random.default_rng(seed)
    everyone = {i: float(gap) for i, gap in enumerate(rng.integers(0, 5, 12))}  # gaps of ids: ties

    def some(size):
        return sorted((everyone[i], i) for i in rng.choice(12, size, replace=False))

    rows = np.flatnonzero(rng.integers(0, 2, 7))
    held = [some(rng.integers(0, width + 1)) for _ in range(7)]
    more = [some(count) for _ in rows]
    found = rounds.no_neighbors(7, width)
    for i, entries in enumerate(held):
        for s, (gap, other) in enumerate(entries):
            found.ids[i, s], found.near[i, s] = other, gap
    flat = [entry for entries in more for entry in entries]
    begin = np.arange(len(rows) + 1) * count
    ids, gaps = (
        np.array([entry[at] for entry in flat], kind) for at, kind in ((1, np.int32), (0, np.float32))
    )
    merge_runs(rows, begin, ids, gaps, *found)
    for i in range(7):
        gets = more[rows.tolist().index(i)] if i in rows else []
        wanted = sorted({*held[i], *gets})[:width]
        kept = [(float(gap), int(other)) for other, gap in zip(found.ids[i], found.near[i], strict=True)]
        assert kept[: len(wanted)] == wanted
        assert all(other == -1 for _, other in kept[len(wanted) :])
        new = {other for other, fresh in zip(found.ids[i].tolist(), found.fresh[i], strict=True) if fresh}
        assert new == {other for _, other in wanted} - {other for _, other in held[i]}


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 4), st.integers(1, 6), st.integers(0, 2**32 - 1))
def test_crowds_of_blocks_are_those_of_the_pool(k, m, seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 3, (30, 2)).astype(float)
    ends = np.arange(m + 1) * 30 // m
    blocks = [X[a:b] for a, b in pairwise(ends)]
    keys = suspects([frequent_rows(block, least_copies(k, m)) for block in blocks], k)
    members, ring, worth = crowds(X, k)
    if not len(keys):
        assert len(members) == 0
        return
    pieces = [copies(block, int(a), keys) for block, a in zip(blocks, ends, strict=False)]
    found = crowds_of_blocks(pieces, k)
    order = np.argsort(members)
    np.testing.assert_array_equal(found.members, members[order])
    np.testing.assert_array_equal(found.ring, ring[order])
    np.testing.assert_array_equal(np.setdiff1d(np.arange(30), found.hidden), worth)


def test_the_order_of_regions_keeps_neighbors_together():
    rng = np.random.default_rng(0)
    centers = rng.random((64, 2)).astype(np.float32)
    order = compact_order(centers)
    assert sorted(order) == list(range(64))
    halves = [centers[order[:32]], centers[order[32:]]]
    spread = max(np.var(half, axis=0).min() for half in halves)
    assert spread < 0.5 * np.var(centers, axis=0).max()  # each half is narrow in one direction
    far = np.vstack([centers, np.full((1, 2), np.inf, np.float32), np.full((1, 2), np.nan, np.float32)])
    assert sorted(compact_order(far)) == list(range(66))

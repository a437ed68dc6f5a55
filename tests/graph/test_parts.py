"""The refined search in parts finds the lists of one machine, wherever the parts end."""

from itertools import pairwise

import numpy as np
import pytest

import trigpoint as tp
from trigpoint.graph import _part_rounds as rounds
from trigpoint.graph import _parts
from trigpoint.graph._refined import widths


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


def round_of(parts, found, wide, number):
    joined = [
        rounds.joined_part(part, own, borders_of(parts, found, t), wide, number)
        for t, (part, own) in enumerate(zip(parts, found, strict=True))
    ]
    return merged(parts, [one.found for one in joined], [one.notes for one in joined])


def searched(X, k, m, metric="euclidean", cuts=2, n_rounds=3):
    """Names, squared distances and neighbors, by name."""
    n, wide = len(X), widths(k)
    parts = parts_of(X, m, 1, metric)
    found = [rounds.first_lists(part, wide.kept) for part in parts]
    for seed in range(2, 2 + cuts):
        found = cut_again(parts, found, n, seed, wide.kept)
    for number in range(1, n_rounds + 1):
        found = round_of(parts, found, wide, number)
    answers = [
        rounds.answered(part, own, borders_of(parts, found, t, False), k)
        for t, (part, own) in enumerate(zip(parts, found, strict=True))
    ]
    names, squared, near, short = (np.concatenate(each) for each in zip(*answers, strict=True))
    order = np.argsort(names)
    assert len(short) == 0
    assert np.array_equal(names[order], np.arange(n))
    return squared[order], near[order], [np.concatenate(each) for each in zip(*found, strict=True)]


@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
def test_any_number_of_parts_finds_the_same(metric):
    X = curved(5200)
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

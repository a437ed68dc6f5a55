"""Exponents of growth, and the laws of the cluster."""

import math
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))  # last: names of tests come first

from _fit import exponent, project


@pytest.mark.parametrize("law", [0.0, 0.5, 1.0, 1.7])
def test_a_power_law_is_found(law):
    sizes = [1e4, 1e5, 1e6]
    costs = [3.0 * n**law for n in sizes]
    found, level = exponent(sizes, costs)
    assert found == pytest.approx(law, abs=1e-9)
    assert level == pytest.approx(3.0)
    assert project(sizes, costs, 1e8) == pytest.approx(3.0 * 1e8**law)


def test_two_sizes_are_enough_and_one_is_not():
    assert exponent([10, 100], [1, 100])[0] == pytest.approx(2.0)
    assert math.isnan(exponent([10, 10], [1, 2])[0])
    assert math.isnan(exponent([10, 100], [0.0, 2])[0])


def test_a_projection_goes_on_from_the_largest_size():
    sizes, costs = [1e4, 1e5, 1e6], [1.0, 5.0, 100.0]
    law, level = exponent(sizes, costs)
    found = project(sizes, costs, 1e7)
    assert found == pytest.approx(100.0 * 10**law)
    assert found != pytest.approx(level * 1e7**law)


def test_laws_of_the_cluster_are_found_and_the_largest_part_binds():
    from dask_cluster import law_of_bytes, law_of_tasks, law_of_time, projected

    moved = {w: 8e9 * (1 - 1 / w) + 1e9 * (w - 1) for w in (1, 2, 4)}
    assert law_of_bytes(moved) == pytest.approx((8e9, 1e9))
    assert law_of_bytes({1: 0.0}) == (0.0, 0.0)
    assert law_of_time({1: 12.0, 2: 7.0, 4: 7.5}) == pytest.approx((2.0, 10.0))
    assert law_of_time({1: 10.0, 2: 4.0}) == pytest.approx((0.0, 10.0))  # faster than twice: no part is alone
    assert law_of_time({1: 5.0, 2: 6.0}) == pytest.approx((5.0, 0.0))  # slower: all of it is
    assert law_of_tasks({1: 110, 2: 120, 4: 140}) == pytest.approx((100, 10))
    rows = {w: {"seconds": 2 + 100 / w, "bytes": moved[w], "tasks": 100 + 10 * w} for w in (1, 2, 4)}
    parts = projected(rows, 64)
    assert parts["compute"] == pytest.approx(100 / 64)
    assert parts["network"] == pytest.approx((8e9 * (1 - 1 / 64) + 63e9) / 64 / 1.25e9)
    assert parts["scheduler"] == pytest.approx(200e-6 * 740)
    assert max(parts, key=parts.get) == "what one process does alone"


def test_recall_counts_the_true_neighbors_of_the_rows():
    for peer in ("faiss", "pynndescent"):
        pytest.importorskip(peer)
    from neighbors import Task

    task = Task(np.zeros((4, 1)), 2, np.array([0, 2]), [{1, 2}, {0, 3}], 0.0)
    found = np.array([[0, 1, 3], [9, 9, 9], [2, 0, 3], [9, 9, 9]])
    assert task.recall(found) == 0.75
    assert task.recall(found[[0, 2]], of_rows=True) == 0.75

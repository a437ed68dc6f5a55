import numpy as np
import pytest

from reference import propagation as oracle
from trigpoint._kernels.propagation_hops import farthest_hop


@pytest.mark.parametrize(
    ("sources", "hops"), [([0], 9), ([5], 5), ([0, 9], 4), (range(10), 0), ([], 0), ([2, 3], 6)]
)
def test_hops_along_a_path(sources, hops):
    phi = oracle.path(10)
    mask = np.isin(np.arange(10), list(sources))
    assert farthest_hop(phi.indptr, phi.indices, mask) == hops


def test_out_of_reach_does_not_count():
    phi = oracle.laplacian(np.zeros((4, 4)))
    assert farthest_hop(phi.indptr, phi.indices, np.array([True, False, False, False])) == 0

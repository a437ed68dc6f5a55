import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from reference import alignment as oracle
from reference import graphs
from trigpoint.alignment import diffusion, laplacian

CLOUDS = hnp.arrays(np.float64, st.tuples(st.integers(2, 12), st.integers(1, 3)), elements=st.integers(-2, 2))


def test_a_star_by_hand():
    """Binary kernel: the hub has density 1 + 3, each leaf 1 + 1, so every edge weighs 1/8."""
    star = graphs.from_lists([[(1, 1.0), (2, 1.0), (3, 1.0)], [(0, 1.0)], [(0, 1.0)], [(0, 1.0)]])
    phi = 8 * diffusion(star, "binary").toarray()
    np.testing.assert_allclose(phi, [[3, -1, -1, -1], [-1, 1, 0, 0], [-1, 0, 1, 0], [-1, 0, 0, 1]])
    half = diffusion(star, "binary", exponent=0.5).toarray()
    np.testing.assert_allclose(half * np.sqrt(8), phi)


@given(
    CLOUDS,
    st.data(),
    st.sampled_from(["self_tuning", "heat", "binary", "distance"]),
    st.sampled_from([0, 0.3, 0.5, 1]),
)
def test_diffusion_matches_the_definition(X, data, name, exponent):
    graph = graphs.knn(X, data.draw(st.integers(1, len(X) - 1)))
    phi = diffusion(graph, name, exponent=exponent)
    np.testing.assert_allclose(phi.toarray(), oracle.diffusion(graph, name, exponent), rtol=1e-12, atol=1e-14)


def test_exponent_zero_is_the_laplacian():
    graph = graphs.knn(np.random.default_rng(0).normal(size=(30, 3)), 5)
    np.testing.assert_allclose(diffusion(graph, exponent=0).toarray(), laplacian(graph).toarray(), rtol=1e-13)


def test_exponent_one_evens_out_the_density():
    """Points on a line, twice as dense on the right: full normalization evens the row sums most."""
    x = np.r_[np.arange(0, 50), 50 + np.arange(0, 50) / 2][:, None]
    graph = graphs.knn(x, 6)
    spread = []
    for exponent in (0, 0.5, 1):
        d = diffusion(graph, "heat", exponent=exponent, sigma=2.0).diagonal()
        spread.append(d[70] / d[25])
    assert spread[0] > spread[1] > spread[2]


@pytest.mark.parametrize("exponent", [-0.1, 1.5, np.nan, "1", True])
def test_refuses_exponents_outside_the_unit_interval(exponent):
    graph = graphs.from_lists([[(1, 1.0)], [(0, 1.0)]])
    with pytest.raises(ValueError, match=r"exponent must be a number in \[0, 1\]; got"):
        diffusion(graph, exponent=exponent)

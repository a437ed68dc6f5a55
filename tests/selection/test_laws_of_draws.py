"""Every random selector draws by its law, and the test of that would notice a small bias."""

import numpy as np
import pytest

import trigpoint as tp
from reference import samplers as oracle
from trigpoint._kernels import serial_blas

X = np.array([[1.0, 0.0], [1.0, 1.0], [0.0, 2.0], [-1.0, 1.0], [3.0, 1.0]])
EDGES = [[0, 1], [1, 2], [2, 3], [0, 4], [1, 4]]
GRAPH = tp.graph_from_edges(EDGES)
PHI = tp.laplacian(GRAPH, weights="binary")
D = np.full((5, 5), np.inf)
D[tuple(np.transpose(EDGES))] = D[tuple(np.transpose(EDGES)[::-1])] = 1.0
FREE = range(5)

LAWS = {
    "random": oracle.successive(lambda i, chosen: 1.0, FREE, 2),
    "nystrom": oracle.successive(oracle.column_weight(PHI.toarray(), 2), FREE, 2),
    "approx_dpp": oracle.successive(oracle.repulsion(D, 1.0), FREE, 2),
    "volume": oracle.volumes(X, 3),
}


def draws(method, times=4000):
    rng = np.random.default_rng(0)
    count, outcome = (3, frozenset) if method == "volume" else (2, tuple)
    with serial_blas():  # once for all, since it takes milliseconds
        for _ in range(times):
            picks = tp.select(PHI, count, method=method, X=X, graph=GRAPH, random_state=rng)
            yield outcome(picks.tolist())


def leaning(outcomes, favorite, rng, share=0.03):
    """The same draws, but a few of them replaced."""
    for outcome in outcomes:
        yield favorite if rng.random() < share else outcome


@pytest.mark.parametrize("method", LAWS)
def test_draws_follow_the_law_and_a_bias_of_a_few_percent_would_show(method):
    seen, law = list(draws(method)), LAWS[method]
    assert oracle.chi_square(seen, law) > 1e-3
    favorite = min((o for o in law if law[o] > 1e-12), key=law.get)
    assert oracle.chi_square(leaning(seen, favorite, np.random.default_rng(1)), law) < 1e-3

"""The preconditioner of all blocks together, as a matrix: symmetric and positive definite, by the laws."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import trigpoint as tp
from trigpoint.distributed import _block_cg as block
from trigpoint.distributed._block_parts import coarse_block

N = 24


def a_graph(seed):
    rng = np.random.default_rng(seed)
    edges = [[i, i + 1] for i in range(N - 1)] + rng.integers(0, N, (20, 2)).tolist()
    edges = [edge for edge in edges if edge[0] != edge[1]]
    return tp.laplacian(tp.graph_from_edges(edges, weights=rng.uniform(0.5, 4.0, len(edges)), n_nodes=N))


def preconditioner(phi, count, signed):
    """M of the unknowns, column by column through the tasks; and A."""
    phi = phi + 0.3 * (phi @ phi) if signed else phi
    bounds = np.arange(count + 1) * N // count
    rows = [phi[a:b].tocsr() for a, b in pairwise(bounds)]
    unknown = np.arange(N) % 11 != 3
    owner = np.where(unknown, np.arange(N) // 4, -1)
    blocks = list(zip(rows, bounds[:-1].tolist(), strict=True))
    inverse = block.inverse([coarse_block(*one, owner, 6) for one in blocks])
    needs = [block.needed(*one, unknown, bounds) for one in blocks]
    shown = [
        block.union([needs[b][t] for b in range(count) if b != t]) if count > 1 else np.empty(0, np.int64)
        for t in range(count)
    ]
    landmarks = np.flatnonzero(~unknown)
    systems = [
        block.system(
            rows[b], b, bounds, needs[b], shown, unknown, owner, phi.diagonal(), landmarks,
            np.zeros((len(landmarks), N - 1)), (0, 6), False,
        )
        for b in range(count)
    ]  # fmt: skip
    goals = np.zeros(N)
    states = []
    for b, one in enumerate(systems):
        r = np.eye(N)[bounds[b] : bounds[b + 1]]
        begun = block.Begun(r, (r * r).sum(axis=0))
        states.append(block.begin(one, np.zeros_like(r), begun, goals))

    def heard(b):
        return [state.message for t, state in enumerate(states) if t != b]

    states = [block.restrict(one, states[b], heard(b)) for b, one in enumerate(systems)]
    e = [block.descend(one, inverse, states[b], heard(b)) for b, one in enumerate(systems)]
    states = [block.correct(one, states[b], e) for b, one in enumerate(systems)]
    M = np.concatenate([state.z[: len(state.x)] for state in states])
    return M[np.ix_(unknown, unknown)], phi.toarray()[np.ix_(unknown, unknown)], systems[0].unit


@pytest.mark.parametrize("signed", [False, True])
@pytest.mark.parametrize("count", [1, 2, 3])
@given(seed=st.integers(0, 10_000))
def test_it_is_symmetric_and_positive_definite_and_never_overshoots(count, signed, seed):
    M, A, unit = preconditioner(a_graph(seed), count, signed)
    np.testing.assert_allclose(M, M.T, atol=1e-4 * np.abs(M).max())
    half = np.linalg.cholesky(A / unit)
    seen = np.linalg.eigvalsh(half.T @ ((M + M.T) / 2) @ half)
    assert seen.min() > 0
    assert seen.max() < 1 + 1e-4  # as any two-grid cycle with convergent sweeps

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from scipy.sparse.csgraph import connected_components

import trigpoint as tp
from reference import covering as oracle
from reference import graph_selection
from reference.learner import cover
from trigpoint.selection._cells import cells, owners
from trigpoint.selection._covering import best_covering, covering, exchanged
from trigpoint.selection._resolvent import dense_resolvent, in_units, sparse_resolvent
from trigpoint.selection._scale import RATES, bounds, scale_for


def plane(n=120, seed=0):
    X = np.random.default_rng(seed).random((n, 2))
    graph = tp.neighbor_graph(X, 6)
    return X, graph, tp.laplacian(graph)


def resolvent(phi, alpha):
    """Correlations, and shares in the degrees of freedom, from the definition."""
    degrees = phi.diagonal()
    R = np.maximum(degrees, np.median(degrees))
    C = np.linalg.inv(phi + alpha * np.diag(R))
    return C / np.sqrt(np.outer(C.diagonal(), C.diagonal())), alpha * R * C.diagonal()


def whole(phi, alpha):
    A, R = in_units(phi)
    return dense_resolvent(A.toarray(), R, alpha)


def weighed(h, m=1.0):
    """h^g a sample, g the mean of h; cells of m samples count as m."""
    m = np.broadcast_to(m, len(h))
    return m * (h / m) ** (h.sum() / m.sum())


def freedom(A, count):
    """One for each landmark beside one for each part; at most 0.7 for each sample beyond those."""
    parts, left = 0, set(range(len(A)))
    while left:
        parts, edge = parts + 1, {left.pop()}
        while edge:
            edge = {int(j) for i in edge for j in np.flatnonzero(A[i])} & left
            left -= edge
    return parts + min(count, 0.7 * (len(A) - parts))


def full_search(phi, count, initial=(), rates=tuple(2.0**k for k in range(-24, 3))):
    """The whole method: every scale, every candidate at every step, every exchange."""
    for alpha in rates:
        S, h = resolvent(phi, alpha)
        if h.sum() >= freedom(phi, len(initial) + count):
            break
    return oracle.best_covering(S.astype(np.float32).astype(float), weighed(h), count, initial)


@pytest.mark.parametrize("count", [1, 7, 40, 110])
def test_picks_are_those_of_the_full_search(count):
    _, graph, phi = plane()
    expected = full_search(phi.toarray(), count)
    assert tp.select(phi, count, graph=graph).tolist() == expected
    assert tp.select(phi, count, method="facility").tolist() == expected, "phi is the Laplacian of the graph"
    given = tp.select(phi, min(count, 100), graph=graph, initial=[3, 70]).tolist()
    assert given == full_search(phi.toarray(), min(count, 100), (3, 70))


@pytest.mark.parametrize("count", [5, 60, 190])
def test_large_pools_start_where_columns_are_short(monkeypatch, count):
    _, graph, phi = plane(200)
    monkeypatch.setattr("trigpoint.selection._facility.WHOLE", 0)
    monkeypatch.setattr(
        "trigpoint.selection._facility.sparse_resolvent",
        lambda phi, alpha, cutoff=0: sparse_resolvent(phi, alpha, 1e-9),
    )
    rates = tuple(0.05 * 2.0**k for k in range(7))
    assert tp.select(phi, count, graph=graph).tolist() == full_search(phi.toarray(), count, (), rates)


@pytest.mark.parametrize("initial", [(), (3, 70)])
def test_few_landmarks_of_large_pools_are_chosen_among_cells(monkeypatch, initial):
    """The definition with loops: centers, cells, their graph, and facility location on it."""
    n, m, count = 200, 40, 9
    _, graph, phi = plane(n)
    monkeypatch.setattr("trigpoint.selection._facility.WHOLE", m)
    S, weights, best = sparse_resolvent(phi, 0.05, 0.01).S.toarray().astype(float), np.ones(n), np.zeros(n)
    for i in initial:
        best, weights[i] = np.maximum(best, S[i]), 0.0
    free = [i for i in range(n) if i not in initial]
    centers = [*initial, *cover(S, weights, best, free, np.ones(n), m - len(initial))]
    owner = [centers.index(j) if j in centers else int(np.argmax(S[centers, j])) for j in range(n)]
    W, R = (
        -phi.toarray() / np.median(phi.diagonal()),
        np.maximum(phi.diagonal() / np.median(phi.diagonal()), 1),
    )
    A, ridge, sizes = np.zeros((m, m)), np.zeros(m), np.zeros(m)
    for i in range(n):
        ridge[owner[i]] += R[i]
        sizes[owner[i]] += 1
        for j in range(n):
            if owner[i] != owner[j]:
                A[owner[i], owner[j]] -= W[i, j]
                A[owner[i], owner[i]] += W[i, j]
    for k in range(-24, 3):
        C = np.linalg.inv(A + 2.0**k * np.diag(ridge))
        h = 2.0**k * ridge * C.diagonal()
        if h.sum() >= freedom(A, count + len(initial)):
            break
    S = C / np.sqrt(np.outer(C.diagonal(), C.diagonal()))
    picks = oracle.best_covering(S, weighed(h, sizes), count, range(len(initial)))
    found = tp.select(phi, count, graph=graph, initial=list(initial) or None)
    assert found.tolist() == [centers[c] for c in picks]


def test_samples_that_no_center_reaches_belong_to_no_cell():
    X = np.concatenate([np.random.default_rng(k).normal(50 * k, 1, (30, 2)) for k in range(3)])
    phi = tp.laplacian(tp.neighbor_graph(X, 5))
    S = sparse_resolvent(phi, 0.05).S
    found = cells(phi, S, np.array([2, 40]))
    assert_array_equal(found.sizes, [30, 30])
    assert_allclose(found.A, 0, atol=1e-12)
    assert (owners(phi, S, np.array([2, 40]))[0][60:] == -1).all()


def test_samples_that_columns_do_not_reach_join_the_nearest_center_along_the_graph():
    path = tp.graph_from_edges([[i, i + 1] for i in range(59)])
    phi = tp.laplacian(path)
    S = sparse_resolvent(phi, 0.05, 0.3).S  # reaches a few steps
    owner, nearness = owners(phi, S, np.array([10, 40]))
    assert owner.tolist() == [0] * 26 + [1] * 34 or owner.tolist() == [0] * 25 + [1] * 35
    assert (nearness[20:30] == 0).all()


def test_both_resolvents_are_the_definition():
    _, _, phi = plane(60)
    S, h = resolvent(phi.toarray(), 0.1)
    for found in (whole(phi, 0.1), sparse_resolvent(phi, 0.1, 1e-10)):
        there = found.S.toarray() if sparse.issparse(found.S) else found.S
        assert_allclose(there, S, atol=1e-5)
        assert_allclose(found.shares, h, rtol=1e-5)
        assert found.S.dtype == np.float32
    degrees = phi.diagonal()
    root = 1 / np.sqrt(np.maximum(degrees, np.median(degrees)))
    eigenvalues = np.linalg.eigvalsh(phi.toarray() * np.outer(root, root))
    assert whole(phi, 0.1).freedom == pytest.approx((0.1 / (0.1 + eigenvalues)).sum())


def test_freedom_grows_from_the_number_of_components_to_n():
    X = np.concatenate([np.random.default_rng(k).normal(50 * k, 1, (30, 2)) for k in range(3)])
    phi = tp.laplacian(tp.neighbor_graph(X, 5))
    freedoms = [whole(phi, alpha).freedom for alpha in (1e-7, 1e-2, 1.0, 1e5)]
    assert freedoms == sorted(freedoms)
    assert freedoms[0] == pytest.approx(3, abs=1e-3)
    assert freedoms[-1] == pytest.approx(90, abs=1e-2)


def test_many_labels_beat_random_ones_too():
    """At one fixed scale, coverage of a large share of a pool was worse than chance."""
    t = np.random.default_rng(0).random((500, 2))
    X = np.column_stack([np.cos(3 * t[:, 0]), np.sin(3 * t[:, 0]), t[:, 1]])
    phi = tp.laplacian(tp.neighbor_graph(X, 30))

    def error(landmarks):
        rest = np.delete(np.arange(500), landmarks)
        return np.linalg.norm((tp.propagate(phi, landmarks, t[landmarks]) - t)[rest])

    chance = [error(np.random.default_rng(k).permutation(500)[:200]) for k in range(10)]
    assert error(tp.select(phi, 200)) < min(chance)


def test_landmarks_that_are_given_stay_and_count():
    _, graph, phi = plane()
    picks = tp.select(phi, 30, graph=graph)
    more = tp.select(phi, 18, graph=graph, initial=picks[:12])
    assert not set(more) & set(picks[:12])
    S, h = resolvent(phi.toarray(), next(a for a in RATES if whole(phi, a).freedom >= 31))
    F = [oracle.covered(S, weighed(h), [*picks[:12], *some]) for some in (more, picks[12:])]
    assert F[0] >= 0.99 * F[1]
    assert len(set(tp.select(phi, 120, graph=graph))) == 120


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 25), st.integers(1, 24), st.integers(0, 4), st.integers(0, 2**31), st.booleans())
def test_exchanges_are_those_of_the_definition(n, count, given, seed, ties):
    rng = np.random.default_rng(seed)
    S = rng.random((n, n)) * (rng.random((n, n)) < 0.6)
    S = np.round(S, 1) if ties else S
    S = np.maximum(S, S.T)
    np.fill_diagonal(S, 1.0)
    S, w = S.astype(np.float32), rng.random(n)
    given = min(given, n - 1)
    count = min(count, n - given)
    order = rng.permutation(n)
    initial, picks = order[:given], order[given : given + count]
    found = exchanged(sparse.csr_array(S), w, picks, initial)
    assert_array_equal(exchanged(S, w, picks, initial), found, "with numpy, ties included")
    S = S.astype(float)
    assert len({*found, *initial}) == given + count
    F = oracle.covered(S, w, [*initial, *found])
    assert oracle.covered(S, w, order[: given + count]) * (1 - 1e-12) <= F
    for k in range(count):
        for i in set(range(n)) - {*found, *initial}:
            assert oracle.covered(S, w, [*initial, *np.delete(found, k), i]) <= F * (1 + 2e-7)
    if not ties:
        assert sorted(found) == sorted(oracle.exchanged(S, w, picks, initial))


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 60), st.integers(1, 60), st.integers(0, 4), st.integers(0, 2**31), st.booleans())
def test_numpy_chooses_what_kernels_choose(n, count, given, seed, ties):
    """Ties, samples that none covers and weights of 0 included."""
    rng = np.random.default_rng(seed)
    S = rng.random((n, n)) * (rng.random((n, n)) < rng.choice([0.05, 0.5, 1.0]))
    S = np.round(S, 1) if ties else S
    S = np.maximum(S, S.T).astype(np.float32)
    np.fill_diagonal(S, 1.0)
    w = rng.integers(0, 3, n) / 2 if ties else rng.random(n)
    given = min(given, n - 1)
    count = min(count, n - given)
    initial, among = rng.permutation(n)[:given], rng.random(n) < 0.7
    for choose in (covering, best_covering):
        assert_array_equal(choose(S, w, count, initial), choose(sparse.csr_array(S), w, count, initial))
    count = min(count, int(np.delete(among, initial).sum()))
    found, expected = (covering(A, w, count, initial, among) for A in (S, sparse.csr_array(S)))
    assert_array_equal(found, expected)


@pytest.mark.parametrize("pool", ["plane", "parts", "crumbs", "isolated"])
@pytest.mark.parametrize("count", [1, 3, 10, 33, 60])
def test_the_scale_is_the_least_that_is_free_enough(pool, count):
    if pool == "isolated":
        phi = sparse.csr_array((90, 90))
    elif pool == "plane":
        phi = plane(90)[2]
    else:
        X = np.concatenate([np.random.default_rng(k).normal(50 * k, 1, (30, 2)) for k in range(3)])
        phi = tp.laplacian(tp.neighbor_graph(X, 5))
    if pool == "crumbs":
        phi = sparse.csr_array(sparse.block_diag([phi, sparse.csr_array((40, 40))]))
    A, R = in_units(phi)
    wanted = freedom(phi.toarray(), count)
    alpha = next((a for a in RATES if whole(phi, a).freedom >= wanted * (1 - 1e-9)), RATES[-1])
    found, expected = scale_for(A.toarray(), R, count), dense_resolvent(A.toarray(), R, alpha)
    if pool == "isolated":
        assert_array_equal(found.S, expected.S, "which is the identity at any rate")
    else:
        assert_array_equal(found.S, expected.S)
        assert_array_equal(found.shares, expected.shares)


@given(st.lists(st.floats(0, 2), min_size=1, max_size=20), st.integers(-24, 2), st.integers(-24, 2))
def test_degrees_of_freedom_at_one_rate_bound_those_at_another(eigenvalues, here, there):
    share = [2.0**here / (2.0**here + e) for e in eigenvalues]
    truth = sum(2.0**there / (2.0**there + e) for e in eigenvalues)
    lower, upper = bounds(sum(share), sum(s * s for s in share), np.array([2.0 ** (there - here)]))
    assert lower[0] * (1 - 1e-9) <= truth <= upper[0] * (1 + 1e-9)


def test_exchanges_cover_more():
    scale = whole(tp.laplacian(plane(300)[1], "binary"), 0.02)
    S = scale.S.astype(float)
    none = np.empty(0, dtype=np.int64)
    greedy, better = (choose(scale.S, scale.shares, 25, none) for choose in (covering, best_covering))
    assert oracle.covered(S, scale.shares, better) > 1.003 * oracle.covered(S, scale.shares, greedy)


def test_the_numbering_of_samples_does_not_matter():
    X, _, phi = plane(150)
    order = np.random.default_rng(1).permutation(150)
    picks = tp.select(tp.laplacian(tp.neighbor_graph(X[order], 6)), 20)
    assert set(order[picks]) == set(tp.select(phi, 20))


def test_every_part_of_the_pool_gets_its_share():
    X = np.concatenate([np.random.default_rng(k).normal(50 * k, 1, (30, 2)) for k in range(4)])
    graph = tp.neighbor_graph(X, 5)
    assert sorted(tp.select(tp.laplacian(graph), 4, graph=graph) // 30) == [0, 1, 2, 3]


def test_crumbs_do_not_take_the_labels_of_the_whole():
    """One large part and many of one or two samples: more parts than landmarks."""
    X = np.random.default_rng(0).random((400, 2))
    W = sparse.block_diag([-_weights_of(tp.neighbor_graph(X, 6)), -np.kron(np.eye(60), [[0, 1], [1, 0]])])
    phi = sparse.csr_array(W + sparse.diags_array(-np.asarray(W.sum(axis=1)).ravel()))
    picks = tp.select(phi, 30)
    assert (picks < 400).sum() > 15


@pytest.mark.parametrize("size", [pytest.param(4000, marks=pytest.mark.slow), 100])
def test_fewer_landmarks_than_parts_reach_the_largest(monkeypatch, size):
    """60 parts of 4 to 122 samples, or more; the pool whole, or as 100 cells."""
    monkeypatch.setattr("trigpoint.selection._facility.WHOLE", size)
    sizes = np.random.default_rng(0).permutation(np.arange(4, 124, 2))
    parts = [np.random.default_rng(k).random((m, 2)) + 100 * k for k, m in enumerate(sizes)]
    phi = tp.laplacian(tp.neighbor_graph(np.concatenate(parts), 3))
    part = connected_components(phi)[1]
    held = np.bincount(part)
    assert len(held) >= 60
    for count in (1, 5, 20):
        picks = tp.select(phi, count)
        assert set(np.bincount(part[picks])) <= {0, 1}, "no part twice"
        assert held[part[picks]].sum() >= 0.9 * np.sort(held)[-count:].sum()


@pytest.mark.parametrize("size", [50, 100, 4000])
def test_all_samples_of_pools_of_any_size_can_be_chosen(monkeypatch, size):
    """Sparse, among cells, and whole."""
    monkeypatch.setattr("trigpoint.selection._facility.WHOLE", size)
    _, _, phi = plane(120)
    for count in (1, 24, 25, 49, 50, 60, 119):
        picks, more = tp.select(phi, count), tp.select(phi, 120 - count, initial=np.arange(count))
        assert len(set(picks)) == count
        assert sorted(more) == list(range(count, 120))
        assert_array_equal(picks, tp.select(phi, count), "again")
    assert sorted(tp.select(phi, 120)) == list(range(120))


def _weights_of(graph):
    phi = tp.laplacian(graph)
    return sparse.diags_array(phi.diagonal()) - phi


def test_other_matrices_lend_their_weights_and_dense_ones_are_refused():
    X, graph, _ = plane()
    phi = tp.ltsa(graph, X, 1)
    weights = -abs(phi)
    weights.setdiag(0.0)
    laplacian = sparse.csr_array(weights - sparse.diags_array(weights.sum(axis=1)))
    assert_array_equal(tp.select(phi, 20), tp.select(laplacian, 20))
    graph_selection.assert_refuses_a_dense_phi("auto")


def test_phi_counts_even_beside_the_graph():
    X, graph, phi = plane()
    assert_array_equal(tp.select(phi, 20, graph=graph), tp.select(phi, 20))
    for other in (tp.diffusion(graph), tp.ltsa(graph, X, 1), tp.laplacian(graph, "binary")):
        picks = tp.select(other, 20, graph=graph)
        assert_array_equal(picks, tp.select(other, 20))
        assert picks.tolist() != tp.select(phi, 20).tolist()


def test_isolated_samples_and_pools_of_one():
    assert tp.select(sparse.csr_array((3, 3)), 3).tolist() == [0, 1, 2]
    assert tp.select(sparse.csr_array((1, 1)), 1).tolist() == [0]


@pytest.mark.parametrize("scale", [1e-310, 1e-90, 1e90])
def test_the_unit_of_phi_does_not_matter(scale):
    """1 / 1e-310 is infinite, and coverage of nothing but NaN would never end."""
    _, _, phi = plane(60)
    for found, expected in zip(in_units(phi * scale), in_units(phi), strict=True):
        assert_allclose(abs(found).sum(axis=0), abs(expected).sum(axis=0), rtol=1e-10)
    assert_array_equal(tp.select(phi * scale, 7), tp.select(phi, 7))


def test_degrees_whose_ratio_is_no_number_are_refused():
    edges = tp.graph_from_edges([[0, 1], [1, 2], [2, 3], [3, 4], [5, 6]], weights=[1e-200] * 4 + [1e200])
    with pytest.raises(ValueError, match="phi must have degrees of up to 1e300 times their median"):
        tp.select(tp.laplacian(edges), 2)

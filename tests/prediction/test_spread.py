"""Spread values against dense solves, with every label really left out."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

import trigpoint as tp
from reference import prediction as reference
from trigpoint.prediction import _spread
from trigpoint.prediction._spread import inverse, leaky, possible, smooth_possible, spread, typical_degree


def cloud(n, seed, p=2, n_neighbors=6):
    X = np.random.default_rng(seed).normal(size=(n, p))
    return tp.laplacian(tp.neighbor_graph(X, n_neighbors))


def known(n, n_labels, seed, d=2):
    rng = np.random.default_rng(seed)
    return rng.choice(n, n_labels, replace=False), rng.normal(size=(n_labels, d))


@pytest.fixture
def columns(monkeypatch):
    """As in pools of more than 2000 samples."""
    monkeypatch.setattr(_spread, "WHOLE", 10)


@pytest.fixture
def probes(monkeypatch, columns):
    """As in pools where one column a label is too much."""
    monkeypatch.setattr(_spread, "COLUMNS", 10)


def agree(found, phi, landmarks, y, order, rtol):
    E = reference.energy(phi, order)
    size = np.abs(y).max()
    np.testing.assert_allclose(found.values, reference.values(E, landmarks, y), rtol=0, atol=rtol * size)
    np.testing.assert_allclose(found.left_out, reference.left_out(E, landmarks, y), rtol=0, atol=rtol * size)
    np.testing.assert_allclose(found.precision, reference.precision(E, landmarks), rtol=rtol)
    np.testing.assert_array_equal(found.values[landmarks], y)


@pytest.mark.parametrize("order", [1, 2])
@given(seed=st.integers(0, 1000), n_labels=st.integers(2, 30))
def test_small_pools_match_the_definition(order, seed, n_labels):
    phi = cloud(30, seed)
    landmarks, y = known(30, n_labels, seed)
    agree(spread(phi, landmarks, y, order=order), phi, landmarks, y, order, 1e-7)
    agree(spread(phi, landmarks, y, inverse(phi), order), phi, landmarks, y, order, 1e-7)


@pytest.mark.parametrize("order", [1, 2])
def test_a_dense_phi_matches_the_definition(order, columns):
    phi = cloud(40, 3).toarray()
    landmarks, y = known(40, 8, 3)
    agree(spread(phi, landmarks, y, order=order), phi, landmarks, y, order, 1e-8)


@pytest.mark.parametrize("order", [1, 2])
def test_one_column_a_label_matches_the_definition(order, columns):
    phi = cloud(200, 1, p=3)
    landmarks, y = known(200, 20, 1)
    assert inverse(phi) is None
    agree(spread(phi, landmarks, y, order=order), phi, landmarks, y, order, 1e-3)


def test_probes_match_the_definition_on_average(probes, monkeypatch):
    phi = cloud(200, 1, p=3)
    landmarks, y = known(200, 40, 1)
    E = reference.energy(phi, 1)
    exact, want = reference.precision(E, landmarks), reference.values(E, landmarks, y)
    few = spread(phi, landmarks, y)
    np.testing.assert_allclose(few.values, want, atol=1e-4)
    np.testing.assert_array_equal(few.values[landmarks], y)
    assert np.abs(few.precision / exact - 1).mean() < 0.1
    with pytest.raises(AssertionError):
        np.testing.assert_allclose(few.precision, exact, rtol=1e-3)  # so this is the path of probes
    monkeypatch.setattr(_spread, "PROBES", 5000)
    many = spread(phi, landmarks, y)
    np.testing.assert_allclose(many.precision, exact, rtol=0.02)
    np.testing.assert_allclose(many.left_out, reference.left_out(E, landmarks, y), atol=0.05)


def noisy(phi, n_labels, seed):
    landmarks, y = known(phi.shape[0], n_labels, seed)
    return landmarks, y, np.random.default_rng([seed, 1]).uniform(0.05, 5.0, n_labels)


def agree_noisy(found, phi, landmarks, y, noise, order, rtol):
    E, atol = reference.energy(phi, order), rtol * np.abs(y).max()
    want = reference.noisy_values(E, landmarks, y, noise)
    np.testing.assert_allclose(found.values, want, rtol=0, atol=atol)
    left_out = reference.noisy_left_out(E, landmarks, y, noise)
    np.testing.assert_allclose(found.left_out, left_out, rtol=0, atol=atol)
    np.testing.assert_allclose(found.precision, reference.noisy_precision(E, landmarks, noise), rtol=rtol)


@pytest.mark.parametrize("order", [1, 2])
@given(seed=st.integers(0, 1000), n_labels=st.integers(2, 30))
def test_noisy_labels_of_small_pools_match_the_definition(order, seed, n_labels):
    phi = cloud(30, seed)
    landmarks, y, noise = noisy(phi, n_labels, seed)
    for C in (None, inverse(phi)):
        agree_noisy(spread(phi, landmarks, y, C, order, noise), phi, landmarks, y, noise, order, 1e-7)


@pytest.mark.parametrize("order", [1, 2])
def test_one_column_a_noisy_label_matches_the_definition(order, columns):
    phi = cloud(200, 1, p=3)
    landmarks, y, noise = noisy(phi, 20, 1)
    agree_noisy(spread(phi, landmarks, y, None, order, noise), phi, landmarks, y, noise, order, 1e-3)


@pytest.mark.parametrize("n_labels", [40, 200])
def test_probes_of_noisy_labels_match_the_definition_on_average(n_labels, probes, monkeypatch):
    phi = cloud(200, 1, p=3)
    landmarks, y, noise = noisy(phi, n_labels, 1)
    E = reference.energy(phi, 1)
    exact = reference.noisy_precision(E, landmarks, noise)
    few = spread(phi, landmarks, y, noise=noise)
    np.testing.assert_allclose(few.values, reference.noisy_values(E, landmarks, y, noise), atol=1e-4)
    assert np.abs(few.precision / exact - 1).mean() < 0.1
    with pytest.raises(AssertionError):
        np.testing.assert_allclose(few.precision, exact, rtol=1e-3)  # so this is the path of probes
    monkeypatch.setattr(_spread, "PROBES", 5000)
    many = spread(phi, landmarks, y, noise=noise)
    assert np.abs(many.precision / exact - 1).mean() < 0.02
    want = reference.noisy_left_out(E, landmarks, y, noise)
    assert np.abs(many.left_out - want).mean() < 0.01


@pytest.mark.parametrize(("path", "little"), [("whole", 1e-7), ("columns", 1e-7), ("probes", 1e-3)])
def test_little_noise_keeps_labels_and_much_noise_forgets_them(path, little, request):
    if path != "whole":
        request.getfixturevalue(path)
    phi = cloud(120, 4)
    landmarks, y = known(120, 30, 4)
    exact = spread(phi, landmarks, y)
    sure = spread(phi, landmarks, y, noise=np.full(30, little))
    np.testing.assert_allclose(sure.values, exact.values, atol=max(1e-3, 10 * little))
    unsure = spread(phi, landmarks, y, noise=np.full(30, 1e7))
    np.testing.assert_allclose(unsure.values, 0.0, atol=1e-3)
    assert np.isfinite(unsure.left_out).all()


@pytest.mark.parametrize("path", ["whole", "columns", "probes"])
def test_a_noisy_label_far_from_others_says_nothing_of_itself(path, request):
    """Isolated samples and islands: what is left out is 0, and values are drawn to 0 by their own leak."""
    if path != "whole":
        request.getfixturevalue(path)
    phi = np.zeros((32, 32))
    phi[:30, :30] = cloud(30, 4).toarray()
    phi = sparse.csr_array(phi)
    landmarks, y = np.array([2, 9, 14, 30]), np.array([[1.0], [2.0], [-1.0], [7.0]])
    found = spread(phi, landmarks, y, noise=np.array([0.5, 1.0, 2.0, 3.0]))
    np.testing.assert_allclose(found.left_out[3], 0.0, atol=1e-6)
    np.testing.assert_allclose(found.values[30:], [[7 / 4], [0.0]], atol=1e-6)  # 7 / 3 over 1 + 1 / 3
    np.testing.assert_allclose(found.precision[3], 1 / 4, rtol=1e-6)


def test_every_sample_may_have_a_label(probes):
    """As in a search over parameters, which fits on whole labels; nothing is estimated then."""
    phi = cloud(50, 2)
    landmarks, y = np.random.default_rng(0).permutation(50), known(50, 50, 1)[1]
    agree(spread(phi, landmarks, y), phi, landmarks, y, 1, 1e-9)


def test_squares_need_a_column_a_label(probes):
    phi = cloud(50, 2)
    assert possible(phi, 2, 100)
    assert not smooth_possible(phi, 5)
    assert smooth_possible(phi.toarray(), 5)


def test_a_line_worked_out_by_hand():
    """Three samples, ends labeled: the middle has degree 2, and 2.002 with its leak."""
    phi = tp.laplacian(tp.graph_from_edges([[0, 1], [1, 2]], n_nodes=3), weights="binary")
    found = spread(phi, np.array([0, 2]), np.array([[1.0], [3.0]]))
    np.testing.assert_allclose(found.values[1], 4 / 2.002)
    assert typical_degree(phi) == 1.0
    # Without the label of an end: z_1 and the end are solved from the other end, 1 or 3
    alone = np.linalg.solve([[2.002, -1.0], [-1.0, 1.001]], [1.0, 0.0])[1]
    np.testing.assert_allclose(found.left_out, [[3 * alone], [alone]])


@pytest.mark.parametrize("path", ["whole", "columns", "probes"])
def test_isolated_samples_and_islands(path, request):
    """What no label reaches is 0; an island without labels changes nothing elsewhere."""
    if path != "whole":
        request.getfixturevalue(path)
    island = cloud(15, 4).toarray()
    phi = np.zeros((32, 32))
    phi[:15, :15], phi[15:30, 15:30] = island, 3.0 * island  # 30 and 31 have no edges
    phi = sparse.csr_array(phi)
    landmarks, y = np.array([2, 9, 14, 30]), np.array([[1.0], [2.0], [-1.0], [7.0]])
    found = spread(phi, landmarks, y)
    E = reference.energy(phi, 1)
    np.testing.assert_allclose(found.values, reference.values(E, landmarks, y), atol=1e-4)
    np.testing.assert_array_equal(found.values[15:30], 0.0)
    np.testing.assert_array_equal(found.values[30:], [[7.0], [0.0]])
    np.testing.assert_allclose(found.left_out[3], 0.0, atol=1e-12)
    np.testing.assert_allclose(found.precision[3], 1.0)
    both = spread(phi, np.append(landmarks, 20), np.append(y, [[5.0]], axis=0))
    np.testing.assert_allclose(both.values[:15], found.values[:15], atol=1e-4)


def test_units_of_phi_do_not_matter():
    phi, (landmarks, y) = cloud(40, 5), known(40, 6, 5)
    want, got = spread(phi, landmarks, y), spread(1e-6 * phi, landmarks, y)
    for name in ("values", "left_out", "precision"):
        np.testing.assert_allclose(getattr(got, name), getattr(want, name), rtol=1e-9)
    np.testing.assert_allclose(leaky(1e-6 * phi).toarray(), reference.leaky(phi), rtol=1e-9)


def test_constants_leak_only_where_labels_are_far():
    phi = cloud(60, 6)
    landmarks = np.arange(0, 60, 3)
    z = spread(phi, landmarks, np.ones((20, 1))).values
    assert z.max() <= 1.0
    assert z.min() > 0.97


@pytest.mark.parametrize("path", ["whole", "columns", "probes"])
@pytest.mark.parametrize("order", [1, 2])
def test_copies_with_labels_of_their_own(path, order, request):
    """Edges between copies are a million times stronger than others: K_LL is singular to rounding."""
    if path != "whole":
        request.getfixturevalue(path)
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 40))
    X[290:] = X[:10]
    phi = tp.laplacian(tp.neighbor_graph(X))
    landmarks = np.concatenate([np.arange(30), np.arange(290, 300)])
    y = rng.normal(size=(40, 1))
    if not possible(phi, 40, order):
        return
    found = spread(phi, landmarks, y, order=order)
    assert np.isfinite(found.values).all()
    assert np.isfinite(found.left_out).all()
    np.testing.assert_array_equal(found.values[landmarks], y)
    y[30:] = y[:10]
    agreeing = spread(phi, landmarks, y, order=order)
    assert np.abs(agreeing.values).max() <= 2 * np.abs(y).max()
    np.testing.assert_allclose(agreeing.left_out[30:], y[:10], atol=0.05)


def test_the_same_bits_again():
    phi, (landmarks, y) = cloud(80, 7), known(80, 9, 7)
    np.testing.assert_array_equal(spread(phi, landmarks, y).left_out, spread(phi, landmarks, y).left_out)


def test_what_is_not_positive_is_refused():
    with pytest.raises(np.linalg.LinAlgError, match="positive semidefinite"):
        inverse(sparse.csr_array(np.array([[1.0, 5.0], [5.0, 1.0]])))


def test_rounding_may_make_a_kernel_indefinite():
    """Two copies, the third apart: the smallest amount that makes it definite is enough."""
    K = np.array([[1.0, 1.0 + 1e-9, 0.5], [1.0 + 1e-9, 1.0, 0.5], [0.5, 0.5, 1.0]])
    S = _spread._precision(K)
    assert np.linalg.eigvalsh(S).min() > 0
    np.testing.assert_allclose(S, np.linalg.inv(K + 1e-6 * np.eye(3)), rtol=1e-6)
    np.testing.assert_allclose(_spread._precision(np.eye(2) * 4), np.eye(2) / 4)

"""The mixture for classes: what it is made of, and that nothing is lost on the way."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import load_digits, load_wine, make_blobs
from sklearn.preprocessing import scale

import trigpoint as tp
from reference import prediction as reference
from trigpoint.prediction import _label_noise, graph_pool, predict_classes, viewed_pool
from trigpoint.prediction._class_predictor import ENOUGH, LEAST, PULLS, ROUNDS
from trigpoint.prediction._feature_models import fit_models
from trigpoint.prediction._mixture import GRID, PRIOR, PULL
from trigpoint.prediction._spread import spread
from trigpoint.propagation import classify

NAMES = ["raw", "half_white", "white", "linear", "kernel"]


@pytest.fixture(scope="module")
def wine():
    X, y = load_wine(return_X_y=True)
    return scale(X), y, np.arange(0, 178, 7)


@pytest.fixture(scope="module")
def fitted(wine):
    X, y, landmarks = wine
    return predict_classes(viewed_pool(X), landmarks, y[landmarks], 3)


def squared(values):
    """Probabilities as of propagated values, and then their squares."""
    p = np.maximum(values, 0.0)
    p = p + np.maximum(1 - p.sum(axis=1, keepdims=True), 0) / p.shape[1]
    p = p / p.sum(axis=1, keepdims=True)
    return p**2 / np.sum(p**2, axis=1, keepdims=True)


def test_it_is_the_mixture_of_its_parts(wine, fitted):
    X, y, landmarks = wine
    codes, one_hot = y[landmarks], np.eye(3)[y[landmarks]]
    left, said = [], []
    for name in NAMES[:3]:
        features = tp.fit_view(X, name).transform(X)
        E = reference.energy(tp.laplacian(tp.neighbor_graph(features)), 1)
        left.append(squared(reference.left_out(E, landmarks, one_hot)))
        said.append(squared(reference.values(E, landmarks, one_hot)))
    models, outside = fit_models(X, tp.fit_view(X, "standard"), ("linear", "kernel"), landmarks, codes, 3)
    left, said = left + outside, said + models.predict(X)
    w = reference.weights(left, one_hot, PULL)
    assert list(fitted.weights) == NAMES
    np.testing.assert_allclose(list(fitted.weights.values()), w, atol=1e-5)
    wrong = [np.mean(p.argmax(axis=1) != codes) for p in left]
    np.testing.assert_allclose(list(fitted.errors.values()), wrong)
    T = reference.temperature(reference.mixed(left, w), one_hot, PRIOR, GRID)
    assert fitted.temperature == T
    np.testing.assert_allclose(
        fitted.left_out, reference.sharpened(reference.mixed(left, w), T), rtol=1e-3, atol=1e-6
    )
    p = reference.sharpened(reference.mixed(said, w), T)
    p[landmarks] = one_hot
    np.testing.assert_allclose(fitted.probabilities, p, rtol=1e-3, atol=1e-6)
    assert (fitted.probabilities.argmax(axis=1) == y).mean() > 0.93


def test_the_main_view_counts_most(fitted):
    counts = {name: fitted.weights[name] for name in NAMES[:3]}
    assert fitted.main.name == max(counts, key=counts.get)


def test_linear_leaves_the_views_out(wine):
    X, y, landmarks = wine
    pool = viewed_pool(X)
    found = predict_classes(pool, landmarks, y[landmarks], 3, "linear")
    assert found.weights == {"linear": 1.0}
    assert list(found.errors) == ["linear"]
    assert found.main is pool.main
    models, _ = fit_models(X, pool.standard, ("linear",), landmarks, y[landmarks], 3)
    rest = np.setdiff1d(np.arange(178), landmarks)
    want = reference.sharpened(models.predict(X)[0], found.temperature)
    np.testing.assert_allclose(found.probabilities[rest], want[rest], rtol=1e-9)


def test_pools_without_features_have_their_graph_only(wine):
    X, y, landmarks = wine
    graph = tp.neighbor_graph(X)
    for predictor in ("auto", "linear"):
        found = predict_classes(graph_pool(graph), landmarks, y[landmarks], 3, predictor)
        assert found.weights == {"graph": 1.0}
        z = spread(tp.laplacian(graph), landmarks, np.eye(3)[y[landmarks]]).values
        want = reference.sharpened(squared(z), found.temperature)
        want[landmarks] = np.eye(3)[y[landmarks]]
        np.testing.assert_allclose(found.probabilities, want, rtol=1e-9)


def test_labels_drawn_at_random_set_the_temperature_alone():
    rng = np.random.default_rng(0)
    y = rng.integers(3, size=300)
    X = rng.normal(size=(300, 6)) + y[:, None]
    landmarks = np.arange(90)
    codes, pool = y[landmarks], viewed_pool(X, "raw")
    whole = predict_classes(pool, landmarks, codes, 3)
    some = np.argsort(whole.left_out[np.arange(90), codes])[:ENOUGH]  # the hardest: do not be so sure
    found = predict_classes(pool, landmarks, codes, 3, at_random=some)
    left = reference.sharpened(whole.left_out, 1 / whole.temperature)  # back to the mixture
    want = reference.temperature(left[some], np.eye(3)[codes[some]], PRIOR, GRID)
    assert found.temperature == pytest.approx(want)
    assert found.weights == whole.weights
    assert found.temperature > 1.05 * whole.temperature
    few = predict_classes(pool, landmarks, codes, 3, at_random=some[:-1])
    assert few.temperature == whole.temperature


def test_samples_of_the_pool_are_predicted_as_they_were_inferred(wine, fitted):
    np.testing.assert_array_equal(fitted.new(wine[0]), fitted.probabilities)
    np.testing.assert_array_equal(fitted.new(wine[0][[7, 3]]), fitted.probabilities[[7, 3]])


def test_new_samples_are_mixed_like_those_of_the_pool(wine, fitted):
    X, _, _ = wine
    X_new = X[:20] + 0.05
    said = []
    for seen, values in zip(fitted.pool.views, fitted.spread_values, strict=True):
        near = tp.extend(seen.graph, seen.X, seen.view.transform(X_new), values)
        said.append(squared(near))
    said += fitted.models.predict(X_new)
    want = reference.sharpened(reference.mixed(said, list(fitted.weights.values())), fitted.temperature)
    np.testing.assert_allclose(fitted.new(X_new), want, rtol=1e-9)


def test_a_view_says_nothing_where_no_label_reaches():
    X = np.concatenate([np.random.default_rng(0).normal(size=(30, 2)) + at for at in (0, 500)])
    landmarks, codes = np.arange(6), np.array([0, 1] * 3)
    pool = viewed_pool(X, "raw", n_neighbors=5)
    found = predict_classes(pool, landmarks, codes, 2)  # no warning: the models speak
    models, _ = fit_models(X, pool.standard, ("linear", "kernel"), landmarks, codes, 2)
    w = list(found.weights.values())
    silent = [np.full((60, 2), np.nan), *models.predict(X)]
    want = reference.sharpened(reference.mixed(silent, w), found.temperature)
    np.testing.assert_allclose(found.probabilities[30:], want[30:], rtol=1e-9)
    with pytest.warns(tp.UnreachedWarning, match="30 of 60 samples lie in 1 component without a landmark"):
        alone = predict_classes(graph_pool(pool.main.graph), landmarks, codes, 2)
    np.testing.assert_array_equal(np.isnan(alone.probabilities).all(axis=1), np.arange(60) >= 30)


@pytest.mark.parametrize("n_labels", [1, 2, 3, 7])
def test_few_labels_of_one_class_or_of_as_many(n_labels):
    X = np.random.default_rng(1).normal(size=(40, 6))
    pool, landmarks = viewed_pool(X), np.arange(n_labels)
    one = predict_classes(pool, landmarks, np.zeros(n_labels, dtype=int), 1)
    np.testing.assert_array_equal(one.probabilities, np.ones((40, 1)))
    np.testing.assert_array_equal(one.new(X + 0.1), np.ones((40, 1)))
    each = predict_classes(pool, landmarks, np.arange(n_labels), n_labels)
    np.testing.assert_allclose(sum(each.weights.values()), 1.0)
    np.testing.assert_allclose(each.probabilities.sum(axis=1), 1.0)
    np.testing.assert_allclose(each.new(X + 0.1).sum(axis=1), 1.0)
    np.testing.assert_array_equal(each.probabilities[landmarks], np.eye(n_labels))


def test_with_one_label_a_class_no_predictor_wins_by_its_errors():
    """Nobody can know a class that is left out, so weights stay near each other."""
    X, y = make_blobs(100, 6, centers=2, cluster_std=3.0, random_state=0)
    landmarks = np.array([np.flatnonzero(y == k)[0] for k in (0, 1)])
    found = predict_classes(viewed_pool(X), landmarks, np.array([0, 1]), 2)
    assert max(found.weights.values()) < 0.5
    assert 0.8 < found.temperature < 3.01


def test_probabilities_mean_what_they_say():
    """Overlapping classes: of the samples with p in a bin, about a share of p belongs to the class."""
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=1500)
    X = rng.normal(size=(1500, 2)) + 1.5 * y[:, None]
    landmarks = rng.choice(1500, 150, replace=False)
    p = predict_classes(viewed_pool(X), landmarks, y[landmarks], 2).probabilities
    rest = np.setdiff1d(np.arange(1500), landmarks)
    sure, right = p[rest].max(axis=1), p[rest].argmax(axis=1) == y[rest]
    bins = np.digitize(sure, np.linspace(0.5, 1, 6)[1:-1])
    gaps = [abs((sure - right)[bins == b].sum()) for b in range(5)]
    assert sum(gaps) / len(rest) < 0.06


def test_sparse_and_dense_features_say_the_same():
    rng = np.random.default_rng(3)
    X = rng.poisson(0.7, size=(80, 30)).astype(float)
    y = (X[:, 0] + X[:, 1] > 1).astype(int)
    landmarks = np.arange(20)
    dense = predict_classes(viewed_pool(X, "raw"), landmarks, y[:20], 2)
    found = predict_classes(viewed_pool(sparse.csr_array(X), "raw"), landmarks, y[:20], 2)
    np.testing.assert_allclose(found.spread_values[0], dense.spread_values[0], atol=1e-9)
    assert (found.probabilities.argmax(axis=1) == dense.probabilities.argmax(axis=1)).mean() > 0.9
    np.testing.assert_array_equal(found.new(sparse.csr_array(X)), found.probabilities)


def test_classify_changes_nothing_more(fitted):
    np.testing.assert_allclose(classify(fitted.probabilities).probabilities, fitted.probabilities, rtol=1e-12)


def wrong_labels(y, share, seed=0):
    rng = np.random.default_rng(seed)
    k = y.max() + 1
    bad = rng.random(len(y)) < share
    return np.where(bad, (y + rng.integers(1, k, len(y))) % k, y), bad


@pytest.fixture(scope="module")
def noisy():
    """Overlapping classes, a third of the pool labeled, a quarter of these labels wrong."""
    X, y = make_blobs(300, 5, centers=3, cluster_std=2.0, random_state=2)
    landmarks = np.arange(0, 300, 3)
    return X, y, landmarks, *wrong_labels(y[landmarks], 0.25)


def share_that_lasts(X, landmarks, codes, w, share):
    """Each half of the labels from the other half, with the weights of all: 2 e - e', in [0, e]."""
    q, turn = np.zeros((len(codes), 3)), np.empty(len(codes), dtype=int)
    turn[[i for c in range(3) for i in np.flatnonzero(codes == c)]] = np.arange(len(codes)) % 2
    for number in (0, 1):
        here = turn == number
        known, y = landmarks[here], np.eye(3)[codes[here]]
        said = []
        for name in NAMES[:3]:
            features = tp.fit_view(X, name).transform(X)
            E = reference.energy(tp.laplacian(tp.neighbor_graph(features)), 1)
            said.append(squared(reference.values(E, known, y))[landmarks[~here]])
        models, _ = fit_models(X, tp.fit_view(X, "standard"), ("linear", "kernel"), known, codes[here], 3)
        q[~here] = reference.mixed(said + models.predict(X[landmarks[~here]]), w)
    _, _, R, _, _ = reference.label_noise(q, codes, _label_noise)
    earlier = 1 - R[np.arange(len(codes)), codes].mean()
    return min(max(2 * share - earlier, 0.0), share)


def lessened(q, T, N, codes, kept):
    """R with this part of the noise."""
    p, k = reference.flattened(q, T, _label_noise.FLOOR), len(N)
    matrix = kept * N + (1 - kept) * np.eye(k)
    return np.array([reference.responsibility(p[i], y, matrix) for i, y in enumerate(codes)]), matrix


def parts_with_counts(X, landmarks, codes, counts):
    """What each predictor says of labels without knowing them, and of the pool, from the definitions."""
    one_hot, k = np.eye(3)[codes], 3
    left, said = [], []
    for name in NAMES[:3]:
        features = tp.fit_view(X, name).transform(X)
        phi = tp.laplacian(tp.neighbor_graph(features))
        E, degrees = reference.energy(phi, 1), reference.scaled(phi)[1][landmarks]
        best, least = None, np.inf
        for s in PULLS:
            noise = s / (degrees * counts)
            out = squared(reference.noisy_left_out(E, landmarks, one_hot, noise))
            error = sum(w * np.sum((p - z) ** 2) for w, p, z in zip(counts, out, one_hot, strict=True))
            if error < least:
                best, least = (out, squared(reference.noisy_values(E, landmarks, one_hot, noise))), error
        left.append(best[0])
        said.append(best[1])
    models, outside = fit_models(
        X, tp.fit_view(X, "standard"), ("linear", "kernel"), landmarks, codes, k, counts
    )
    return left + outside, said + models.predict(X)


@pytest.mark.slow
def test_noise_is_what_the_definitions_say():
    X, y = make_blobs(300, 5, centers=3, cluster_std=3.0, random_state=2)
    landmarks = np.arange(0, 300, 5)
    codes, _ = wrong_labels(y[landmarks], 0.25, 2)
    one_hot, pool = np.eye(3)[codes], viewed_pool(X)
    plain = predict_classes(pool, landmarks, codes, 3)
    q = reference.sharpened(plain.left_out, 1 / plain.temperature)
    T, N, R, gain, _ = reference.label_noise(q, codes, _label_noise)
    assert gain > 0
    share = 1 - R[np.arange(60), codes].mean()
    kept = share_that_lasts(X, landmarks, codes, list(plain.weights.values()), share) / share
    assert 0 < kept < 1
    assert share * kept * 60 >= 1
    R, _ = lessened(q, T, N, codes, kept)
    share *= kept
    for _ in range(ROUNDS):
        counts, before = np.maximum(R[np.arange(60), codes], LEAST), share
        left, said = parts_with_counts(X, landmarks, codes, counts)
        w = reference.weights(left, one_hot, PULL, counts)
        q = reference.mixed(left, w)
        T, N, R, _, _ = reference.label_noise(q, codes, _label_noise)
        share = kept * (1 - R[np.arange(60), codes].mean())
        R, N = lessened(q, T, N, codes, kept)
        if abs(share - before) * 60 < 0.5:
            break
    found = predict_classes(pool, landmarks, codes, 3, noise="auto")
    assert found.believed
    assert found.temperature == T
    np.testing.assert_allclose(found.noise.share, share, rtol=1e-3)
    np.testing.assert_allclose(list(found.weights.values()), w, atol=1e-4)
    np.testing.assert_allclose(found.noise.matrix, N, atol=1e-4)
    np.testing.assert_allclose(found.noise.suspicion, R, atol=1e-3)
    p = reference.sharpened(reference.mixed(said, w), T)
    p[landmarks] = R
    np.testing.assert_allclose(found.probabilities, p, atol=1e-3)
    np.testing.assert_array_equal(found.probabilities[landmarks], found.noise.posterior)


def test_wrong_labels_are_found_and_do_less_harm(noisy):
    X, y, landmarks, codes, bad = noisy
    pool = viewed_pool(X)
    kept = predict_classes(pool, landmarks, codes, 3)
    found = predict_classes(pool, landmarks, codes, 3, noise="auto")
    assert found.believed
    assert found.noise.low <= bad.mean() <= found.noise.high
    assert found.noise.right[~bad].mean() > found.noise.right[bad].mean() + 0.5
    np.testing.assert_array_equal(kept.probabilities[landmarks], np.eye(3)[codes])
    healed = found.probabilities[landmarks].argmax(axis=1) == y[landmarks]
    assert healed.mean() > 1 - bad.mean() + 0.1
    np.testing.assert_array_equal(found.new(X), found.probabilities)
    np.testing.assert_allclose(found.new(X + 0.01).sum(axis=1), 1.0)


def test_digits_are_learned_through_noise():
    X, y = load_digits(return_X_y=True)
    X, y = X[:600], y[:600]
    codes, _ = wrong_labels(y[:200], 0.3)
    pool = graph_pool(tp.neighbor_graph(X))
    errors = [
        np.mean(
            predict_classes(pool, np.arange(200), codes, 10, noise=noise).probabilities[200:].argmax(axis=1)
            != y[200:]
        )
        for noise in (0, "auto")
    ]
    assert errors[1] <= 0.8 * errors[0]


def test_clean_labels_far_apart_lose_nothing():
    """Bit for bit."""
    X, y = make_blobs(150, 4, centers=4, cluster_std=1.0, random_state=0)
    pool, landmarks = viewed_pool(X), np.arange(80)
    want = predict_classes(pool, landmarks, y[:80], 4)
    for noise in (0, 0.0, "auto"):
        found = predict_classes(pool, landmarks, y[:80], 4, noise=noise)
        np.testing.assert_array_equal(found.probabilities, want.probabilities)
        np.testing.assert_array_equal(found.left_out, want.left_out)
        assert (found.weights, found.temperature) == (want.weights, want.temperature)
        assert (found.noise is None) == (noise == 0)
        assert not found.believed
    assert found.noise.gain < 0
    judged = predict_classes(pool, landmarks, y[:80], 4, noise="auto", judge=True)
    assert judged.noise.right.min() > 0.9
    np.testing.assert_allclose(judged.probabilities[landmarks], np.eye(4)[y[:80]], atol=0.1)


def test_a_share_that_is_given_is_believed(noisy):
    X, _, landmarks, codes, _ = noisy
    pool = viewed_pool(X, "raw")
    right = []
    for share in (0.02, 0.25, 0.5):
        found = predict_classes(pool, landmarks, codes, 3, noise=share)
        assert found.noise.share == share
        np.testing.assert_allclose(found.noise.matrix.diagonal(), 1 - share)
        right.append(found.noise.right.mean())
    assert right == sorted(right, reverse=True)


def test_trusted_labels_are_kept(noisy):
    X, _, landmarks, codes, bad = noisy
    trusted = ~bad & (np.arange(len(bad)) % 4 != 0)
    found = predict_classes(viewed_pool(X), landmarks, codes, 3, noise="auto", trusted=trusted)
    np.testing.assert_array_equal(found.probabilities[landmarks[trusted]], np.eye(3)[codes[trusted]])
    doubted = found.probabilities[landmarks[~trusted]]
    assert (doubted[np.arange(len(doubted)), codes[~trusted]] < 1).all()


@pytest.mark.parametrize("noise", ["auto", 0.2])
@pytest.mark.parametrize("judge", [False, True])
def test_noise_where_nothing_can_be_judged(noise, judge):
    """One label, one class, five labels a class: labels are kept."""
    pool = viewed_pool(np.random.default_rng(1).normal(size=(40, 4)))
    for codes, k in ((np.zeros(1, dtype=int), 1), (np.arange(10) % 2, 2), (np.zeros(9, dtype=int), 1)):
        landmarks = np.arange(len(codes))
        want = predict_classes(pool, landmarks, codes, k)
        found = predict_classes(pool, landmarks, codes, k, noise=noise, judge=judge)
        np.testing.assert_array_equal(found.probabilities[landmarks], np.eye(k)[codes])
        np.testing.assert_allclose(found.probabilities, want.probabilities, atol=1e-12)


def test_noise_on_a_graph_and_without_views(noisy):
    X, _, landmarks, codes, bad = noisy
    pools = (graph_pool(tp.neighbor_graph(X)), "auto"), (viewed_pool(X), "linear")
    for pool, predictor in pools:
        found = predict_classes(pool, landmarks, codes, 3, predictor, noise="auto", judge=True)
        assert found.noise.right[~bad].mean() > found.noise.right[bad].mean() + 0.4
        np.testing.assert_allclose(found.probabilities.sum(axis=1), 1.0)

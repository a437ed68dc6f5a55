import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from scipy import sparse
from threadpoolctl import threadpool_limits

import trigpoint as tp
from reference import samplers as oracle
from trigpoint.selection import _kmeans
from trigpoint.selection._kmeans import _moved, _nearest_samples, _starts, _unclaimed

# Three clusters far apart, of 5, 4 and 3 samples, each with one sample in its middle.
BALL = np.array([[0.1, 0.0], [0.0, 1.0], [1.0, -1.0], [-1.0, -1.0], [0.0, 1.5]])
X = np.vstack([BALL[:3] + np.array([100, 0]), BALL, BALL[:4] + np.array([0, 100])])


def kmeans(features, n_landmarks, **options):
    n = features.shape[0]
    return tp.select(sparse.csr_array((n, n)), n_landmarks, method="kmeans", X=features, **options)


def test_landmarks_are_the_samples_nearest_to_the_means_largest_cluster_first():
    groups = [range(3, 8), range(8, 12), range(3)]
    means = np.array([X[list(group)].mean(axis=0) for group in groups])
    expected = oracle.nearest_free(means, X, [])
    for seed in range(5):
        assert kmeans(X, 3, random_state=seed).tolist() == expected
    assert kmeans(X, 1, random_state=0).tolist() == oracle.nearest_free(X.mean(axis=0)[None], X, [])


@pytest.mark.parametrize("form", [np.asfortranarray, np.float32, sparse.csr_array, sparse.csc_matrix])
def test_the_form_of_the_features_does_not_matter(form):
    assert kmeans(form(X), 3, random_state=0).tolist() == kmeans(X, 3, random_state=0).tolist()


def test_long_indices_of_sparse_features_are_taken():
    long = sparse.csr_array(X)
    long.indices, long.indptr = long.indices.astype(np.int64), long.indptr.astype(np.int64)
    assert_array_equal(kmeans(long, 3, random_state=0), kmeans(X, 3, random_state=0))


@pytest.mark.parametrize("move", [lambda F: F * 1e-200, lambda F: F * 1e200, lambda F: F + 1e7])
def test_scale_and_place_do_not_matter(move):
    assert_array_equal(kmeans(move(X), 3, random_state=0), kmeans(X, 3, random_state=0))


def test_initial_landmarks_keep_their_clusters():
    for landmark, group in ((5, range(3, 8)), (11, range(8, 12)), (1, range(3))):
        others = [m for m in kmeans(X, 3, random_state=0) if m not in group]
        assert kmeans(X, 2, initial=[landmark], random_state=0).tolist() == others
    picks = kmeans(X, 1, initial=[5, 11], random_state=0)
    assert picks.tolist() == [kmeans(X, 3, random_state=0)[2]]


def test_landmarks_at_one_position_count_once():
    line = np.array([0.0, 0, 0, 10, 12, 14, 16, 18])[:, None]
    for seed in range(5):  # two clusters; four would leave the far end to the one pick
        assert kmeans(line, 1, initial=[0, 1, 2], random_state=seed).tolist() == [5]


def test_landmarks_claim_the_nearest_center_left_in_their_order():
    centers = np.array([[0.0], [1.0], [10.0]])
    pool = np.array([[0.6], [0.9], [0.9]])
    assert _unclaimed(centers, pool, np.array([0, 1])).tolist() == [False, False, True]
    assert _unclaimed(centers, pool, np.array([1])).tolist() == [True, False, True]


def test_centers_take_the_nearest_samples_that_are_free():
    line = np.arange(6.0)[:, None]
    centers, sizes = np.array([[2.2], [2.1], [2.4], [0.0]]), np.array([5, 9, 5, 1])
    free = np.array([True, True, True, True, False, True])
    order = [1, 0, 2, 3]  # by size, then by the nearest sample, then as they come
    expected = oracle.nearest_free(centers[order], line, [4])
    assert _nearest_samples(centers, sizes, line, free).tolist() == expected == [2, 3, 1, 0]


def test_blocks_of_samples_do_not_show(monkeypatch):
    cloud = np.random.default_rng(0).standard_normal((200, 3))
    whole = kmeans(cloud, 20, random_state=0)
    monkeypatch.setattr(_kmeans, "DISTANCES", 100)
    assert_array_equal(kmeans(cloud, 20, random_state=0), whole)


@pytest.mark.parametrize("positions", [[], [[0.0]]])
def test_starts_are_drawn_by_squared_distance(positions):
    line = np.array([0.0, 1.0, 3.0])
    given = np.reshape(positions, (-1, 1))

    def gap(i, chosen):
        others = [*given[:, 0], *line[list(chosen)]]
        return min(((line[i] - x) ** 2 for x in others), default=1.0)

    def cube(i, chosen):
        return gap(i, chosen) ** 1.5

    rng = np.random.default_rng(0)
    seen = [tuple(_starts(line[:, None], given, 2, rng)[len(given) :, 0]) for _ in range(2000)]
    law, biased = (
        {tuple(line[list(o)]): p for o, p in oracle.successive(weight, range(3), 2).items()}
        for weight in (gap, cube)
    )
    assert oracle.chi_square(seen, law) > 1e-3
    assert oracle.chi_square(seen, biased) < 1e-3, "the test must tell another power apart"


def test_duplicates_are_picked_once_and_then_fill_up():
    twice = np.repeat([[0.0], [5.0], [9.0]], [3, 2, 1], axis=0)  # samples 0-2, 3-4 and 5
    picks = kmeans(twice, 6, random_state=0).tolist()
    assert picks[:3] == [0, 3, 5]
    assert sorted(picks) == list(range(6))
    assert kmeans(twice, 2, initial=[4], random_state=0).tolist() == [0, 5]
    assert kmeans(twice, 1, initial=[0, 1, 4], random_state=0).tolist() == [5], "0 and 1 count once"
    zero = sparse.csr_array((np.array([0.0, -0.0]), np.array([0, 1]), np.array([0, 1, 1, 2])), shape=(3, 2))
    assert sorted(kmeans(zero, 3, random_state=0)) == [0, 1, 2], "stored zeros are zeros"


def test_leftover_duplicates_come_in_random_order():
    same = np.zeros((4, 1))
    seen = [kmeans(same, 2, initial=[0], random_state=seed)[0] for seed in range(200)]
    assert oracle.chi_square(seen, dict.fromkeys((1, 2, 3), 1 / 3)) > 1e-3


def test_near_duplicates_warn_of_nothing():
    cloud = np.vstack([np.full((30, 2), 1.0) + np.arange(30)[:, None] * 1e-15, [[50.0, 0.0]]])
    assert len(set(kmeans(cloud, 20, random_state=0))) == 20


@given(st.integers(1, 9), st.integers(0, 99), st.booleans(), st.data())
def test_landmarks_are_distinct_and_free(n, seed, large, data):
    features = np.random.default_rng(seed).integers(0, 3, (n, 2)) * 1.0
    features.flags.writeable = False
    kept = features.copy()
    initial = data.draw(st.lists(st.integers(0, n - 1), unique=True, max_size=n - 1))
    count = data.draw(st.integers(1, n - len(initial)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_kmeans, "LARGE", 0 if large else np.inf)
        picks, again = (kmeans(features, count, initial=initial, random_state=seed) for _ in range(2))
    assert picks.dtype == np.int64
    assert len(set(picks) | set(initial)) == count + len(initial)
    assert_array_equal(picks, again)
    assert_array_equal(features, kept)


@pytest.mark.parametrize("large", [False, True])
def test_threads_do_not_change_a_bit_of_the_centers(large):
    cloud = np.random.default_rng(0).standard_normal((3000, 5))
    found = []
    for threads in (1, 2, 3):
        with threadpool_limits(threads):
            found.append(_moved(cloud.copy(), cloud[:60].copy(), large, 0)[0])
    assert_array_equal(found[0], found[1])
    assert_array_equal(found[0], found[2])


def test_batches_find_clusters_as_well(monkeypatch):
    monkeypatch.setattr(_kmeans, "LARGE", 0)
    cloud = np.vstack([X + np.array([1000 * k, 0]) for k in range(100)])
    assert len({i // 12 for i in kmeans(cloud, 100, random_state=0)}) > 90


@pytest.mark.parametrize(("dtype", "separation"), [(np.float32, 1e5), (np.float64, 1e8)])
def test_the_nearest_sample_is_nearest_for_all_the_rounding_of_products(dtype, separation):
    rng = np.random.default_rng(0)
    Y = np.repeat(np.eye(5) * separation, 40, axis=0) + rng.normal(size=(200, 5))
    Y = Y.astype(dtype)
    picks = kmeans(Y, 5, random_state=0)
    assert sorted(picks // 40) == [0, 1, 2, 3, 4]
    for i in picks:
        cluster = Y[i // 40 * 40 :][:40].astype(np.float64)
        d = np.linalg.norm(cluster - cluster.mean(axis=0), axis=1)
        assert d[i % 40] <= d.min() + 64 * np.finfo(dtype).eps * separation


@pytest.mark.parametrize("seed", range(10))
def test_of_two_in_a_cluster_the_first_is_taken_whatever_the_storage(seed):
    rng = np.random.default_rng(seed)
    centers = rng.normal(size=(8, 4)) * 100.0
    step = rng.normal(size=(8, 4))
    Y = np.stack([centers - step, centers + step], axis=1).reshape(16, 4)
    for form in (Y, np.asfortranarray(Y), sparse.csr_array(Y)):
        picks = kmeans(form, 8, random_state=0)
        both = [i for i in picks if i % 2 and i - 1 not in picks]
        assert not both, "the second of a pair, alone"


def test_features_are_needed():
    with pytest.raises(ValueError, match="X must be given for method='kmeans'; got None"):
        tp.select(np.zeros((3, 3)), 1, method="kmeans")

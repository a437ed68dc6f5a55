import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse

import trigpoint as tp
from reference import dense_selection as oracle
from trigpoint._kernels.selection_risk import expected_risks
from trigpoint.selection import gaussian_field_loop, gaussian_field_step
from trigpoint.selection._expected_risk import _harmonic

edge_lists = st.lists(
    st.tuples(st.integers(0, 7), st.integers(0, 7), st.sampled_from([0.25, 1.0, 2.0])), max_size=14
)
answers = st.lists(st.sampled_from(["a", "b", "c"]), min_size=2, max_size=4)
PRIOR = 1e-3


def chain(n):
    return oracle.laplacian(n, [(i, i + 1, 1.0) for i in range(n - 1)])


def all_risks(phi, landmarks, labels, prior=PRIOR):
    field, H = _harmonic(phi, np.asarray(landmarks), list(labels), prior)
    f = H + (1 - H.sum(axis=1, keepdims=True)) / H.shape[1]
    risks = np.empty(len(f))
    expected_risks(field.C, field.floor, f, np.arange(len(f)), 0, len(f), risks)
    return dict(zip(field.rest.tolist(), risks, strict=True))


def test_chain_of_seven_by_hand():
    """f falls by 1/6 a step; between unlike labels L steps apart, R = floor(L^2 / 4) / L."""
    risks = all_risks(chain(7), [0, 6], ["left", "right"], prior=1e-12)
    by_hand = {1: 5 / 6 * 6 / 5, 2: 4 / 6 * 4 / 4 + 2 / 6 * 1 / 2, 3: 2 / 3, 4: 5 / 6, 5: 1.0}
    assert risks == pytest.approx(by_hand)
    assert gaussian_field_step(chain(7), [0, 6], ["left", "right"]).tolist() == [3]


@given(edge_lists, answers)
def test_risks_match_the_definition(edges, labels):
    if len(set(labels)) < 2:
        labels = ["a", "b"]
    phi, landmarks = oracle.laplacian(8, edges), [7, 2, 5, 0][: len(labels)]
    expected = oracle.expected_risks(phi, PRIOR, landmarks, labels)
    assert all_risks(phi, landmarks, labels) == pytest.approx(expected, abs=1e-10)
    pick = gaussian_field_step(phi, landmarks, labels, prior=PRIOR)
    assert pick.tolist() == [oracle.least_risk(expected)]


@settings(max_examples=20)
@given(st.integers(0, 1000))
def test_signed_matrices_match_the_definition(seed):
    """Weights below 0: correlations and values of either sign, beyond [0, 1] as well."""
    B = np.random.default_rng(seed).standard_normal((8, 8))
    phi, labels = B.T @ B, [3, 1, 2]
    expected = oracle.expected_risks(phi, 0.5, [0, 1, 2], labels)
    assert all_risks(phi, [0, 1, 2], labels, 0.5) == pytest.approx(expected, abs=1e-9)


def test_a_component_without_a_landmark_is_flat():
    phi = np.kron(np.eye(2), chain(3))
    _, H = _harmonic(phi, np.array([0, 2]), ["a", "b"], 1e-6)
    f = H + (1 - H.sum(axis=1, keepdims=True)) / 2
    assert_allclose(f, 0.5)
    assert gaussian_field_step(phi, [0, 2], ["a", "b"]).tolist() == [4], "1 tells of itself, 4 of three"


def test_without_two_classes_the_regression_criterion_decides():
    phi = oracle.generic(0)
    picks = tp.select(phi, 4, method="gaussian_field")
    assert_array_equal(gaussian_field_step(phi, [], [], 4), picks)
    assert_array_equal(gaussian_field_step(phi, picks[:2], ["a", "a"], 2), picks[2:])


def test_a_batch_keeps_the_probabilities_and_conditions_the_covariance():
    phi, landmarks, labels = oracle.generic(4), [2, 3, 4], ["a", "b", "b"]
    classes, taken = ["a", "b"], list(landmarks)
    f = oracle.probabilities(phi, PRIOR, landmarks, labels, classes)
    for pick in gaussian_field_step(phi, landmarks, labels, 4, prior=PRIOR):
        rest = [i for i in range(len(phi)) if i not in taken]
        C = np.linalg.inv(phi[np.ix_(rest, rest)] + PRIOR * np.eye(len(rest)))
        expected = {}
        for a, k in enumerate(rest):
            later = [f[rest] + np.outer(C[a] / C[a, a], np.eye(2)[c] - f[k]) for c in range(2)]
            others = [b for b in range(len(rest)) if b != a]
            expected[k] = sum(f[k, c] * oracle.risk(later[c], others) for c in range(2))
        assert pick == oracle.least_risk(expected)
        taken.append(pick)


@pytest.mark.slow
@settings(max_examples=20)
@given(st.integers(0, 1000), st.booleans())
def test_the_loop_is_the_step_again_and_again(seed, start):
    phi, truth = oracle.generic(seed), np.random.default_rng(seed).choice(["x", "y", "z"], 12)
    known, asked = ([4, 9] if start else []), []

    def answer(i):
        asked.append(i)
        return str(truth[i])

    done = gaussian_field_loop(phi, 10, answer, landmarks=known, labels=truth[known])
    assert done.landmarks.dtype == np.int64
    assert done.landmarks.tolist() == known + asked
    assert len(set(done.landmarks)) == len(known) + 10
    assert done.labels == tuple(truth[done.landmarks])
    for k in range(len(known), len(done.landmarks)):
        assert gaussian_field_step(phi, done.landmarks[:k], done.labels[:k]) == done.landmarks[k]


def test_the_loop_labels_a_pool_to_its_end():
    phi, truth = np.kron(np.eye(2), chain(3)), ["a", "a", "b", "b", "c", "c"]
    done = gaussian_field_loop(phi, 6, truth.__getitem__)
    assert sorted(done.landmarks) == list(range(6))
    assert gaussian_field_loop(np.zeros((1, 1)), 1, lambda i: "only").labels == ("only",)


def test_units_names_of_classes_threads_and_storage_do_not_matter(monkeypatch):
    phi, landmarks = oracle.generic(5, 90), [2, 3, 5, 7]
    picks = gaussian_field_step(phi, landmarks, [0, 1, 2, 1], 5)
    assert picks.dtype == np.int64
    assert_array_equal(gaussian_field_step(1e3 * phi, landmarks, [0, 1, 2, 1], 5), picks)
    assert_array_equal(gaussian_field_step(phi, landmarks, ["z", ("t", 1), 2.5, ("t", 1)], 5), picks)
    assert_array_equal(
        gaussian_field_step(sparse.coo_array(phi), landmarks, np.array([7, 8, 9, 8]), 5), picks
    )
    for count in (1, 5):
        monkeypatch.setattr("trigpoint._kernels.threads.joblib.cpu_count", lambda count=count: count)
        assert_array_equal(gaussian_field_step(phi, landmarks, [0, 1, 2, 1], 5), picks)


def test_what_the_oracle_raises_is_raised():
    def interrupted(i):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        gaussian_field_loop(chain(3), 1, interrupted)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([0, 1], ["a"]), "labels must be one for each of the 2 landmarks; got 1"),
        (([0, 0], ["a", "b"]), "landmarks must be distinct"),
        (([0, 3], ["a", "b"]), r"landmarks must lie in \[0, 2\]"),
        (([0, 1], ["a", None]), "labels must be given for all landmarks, .* got None"),
        (([0, 1], [1.0, np.nan]), "labels must be given for all landmarks, .* got .*nan"),
        (([0, 1], [["a"], "b"]), "labels must be .* hashable .* got .'a'."),
        (([0], ["a"], 3), r"n_landmarks must .* \[1, 2\] for 3 samples, 1 labeled; got 3"),
    ],
)
def test_bad_input_to_the_step_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        gaussian_field_step(chain(3), *arguments)


@pytest.mark.parametrize("labels", [5, "ab", {0: "a", 1: "b"}])
def test_labels_that_are_no_sequence_are_refused(labels):
    with pytest.raises(TypeError, match="labels must be a sequence, one for each landmark; got"):
        gaussian_field_step(chain(3), [0, 1], labels)


@pytest.mark.parametrize("label", [None, np.nan, ["a"], np.zeros(2)])
def test_answers_that_are_no_label_are_refused(label):
    with pytest.raises(ValueError, match=r"oracle must return a label for sample 1, .* got"):
        gaussian_field_loop(chain(3), 1, lambda i: label)


def test_more_refusals():
    with pytest.raises(TypeError, match="oracle must be a function from a sample to its label; got 'me'"):
        gaussian_field_loop(chain(3), 1, "me")
    with pytest.raises(ValueError, match="prior must be a finite number greater than 0; got -1"):
        gaussian_field_step(chain(3), [0], ["a"], prior=-1)
    with pytest.raises(ValueError, match=r"n = 10001 would need 0.8 GB; the limit is 10000"):
        gaussian_field_step(sparse.csr_array((10001, 10001)), [0], ["a"])

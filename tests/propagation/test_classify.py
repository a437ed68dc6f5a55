"""Classes from propagated values, and labels from class numbers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal

import trigpoint as tp
from reference import propagation as oracle
from trigpoint._errors import InputError
from trigpoint.propagation import classify, decode, encode

NAN = np.nan


def test_by_hand():
    values = [[0.75, 0.25], [0.5, -0.25], [NAN, NAN], [-1.0, -2.0], [1.5, 0.5], [0.0, 1.0]]
    found = classify(values)
    assert_array_equal(
        found.probabilities, [[0.75, 0.25], [0.75, 0.25], [NAN, NAN], [0.5, 0.5], [0.75, 0.25], [0, 1]]
    )
    assert found.numbers.tolist() == [0, 0, -1, 0, 0, 1]
    assert_array_equal(found.uncertainty, [0.25, 0.25, 1.0, 0.5, 0.25, 0.0])
    assert found.numbers.dtype == np.int64


@given(
    arrays(
        float,
        st.tuples(st.integers(0, 6), st.integers(0, 4)),
        elements=st.sampled_from([-0.5, 0.0, 0.125, 0.25, 0.5, 1.0, 2.0]),
    ),
    st.sets(st.integers(0, 5)),
)
def test_it_is_the_definition(values, unreached):
    values[[i for i in unreached if i < len(values)]] = NAN
    found = classify(values)
    probabilities, numbers, unsure = oracle.classified(values)
    assert_allclose(found.probabilities, probabilities, rtol=1e-15)
    assert found.numbers.tolist() == numbers.tolist()
    assert_allclose(found.uncertainty, unsure, atol=1e-15)
    known = found.numbers >= 0
    assert_allclose(found.probabilities[known].sum(axis=1), 1.0)


def test_a_row_of_values_is_not_changed():
    values = np.array([[0.5, -0.5]])
    classify(values)
    assert values.tolist() == [[0.5, -0.5]]


def test_mass_is_normalized_to_the_prior_on_samples_without_a_label():
    values = np.array([[1.0, 0.0], [0.0, 1.0], [0.75, 0.25], [0.25, 0.75], [NAN, NAN]])
    found = classify(values, prior=np.array([0.25, 0.75]), landmarks=np.array([0, 1]))
    scaled = values[:4] * [0.25 / 0.5, 0.75 / 0.5]
    assert_allclose(found.probabilities[:4], scaled / scaled.sum(axis=1, keepdims=True))
    assert found.numbers.tolist() == [0, 1, 0, 1, -1]
    whole = classify(values, prior=np.array([0.5, 0.5]))
    assert_allclose(whole.probabilities, values)


def test_a_class_without_mass_is_left_as_it_is():
    found = classify([[1.0, 0.0], [1.0, 0.0]], prior=np.array([0.5, 0.5]))
    assert_array_equal(found.probabilities, [[1.0, 0.0], [1.0, 0.0]])


@pytest.mark.parametrize(
    ("classes", "numbers", "labels", "dtype"),
    [
        (np.array([3, 7]), [1, 0], [7, 3], np.int64),
        (np.array([3, 7]), [1, -1], [7, -1], np.int64),
        (np.array([3, 7], dtype=np.uint8), [1, -1], [7, -1], np.int64),
        (np.array([3.0, 7.0]), [1, -1], [7.0, -1.0], np.float64),
        (np.array(["a", "bb"]), [1, 0], ["bb", "a"], np.dtype("<U2")),
        (np.array(["a", "bb"]), [1, -1], ["bb", None], object),
        (np.array([False, True]), [-1, 1], [None, True], object),
        ((3, 7), [1, -1], [7, -1], np.int64),
        (("a", "b"), [1, 0], ["b", "a"], object),
        (("a", 2), [-1, 1], [None, 2], object),
        ((True, False), [0, -1], [True, None], object),
        ((), [-1, -1], [-1, -1], np.int64),
    ],
)
def test_numbers_become_labels(classes, numbers, labels, dtype):
    got = decode(classes, np.array(numbers))
    assert got.tolist() == labels
    assert got.dtype == dtype


@given(st.lists(st.sampled_from(["x", "y", "z", None]), min_size=1).filter(any))
def test_there_and_back(y):
    classes, codes = encode(y)
    assert decode(classes.tolist(), codes).tolist() == y
    assert classes.tolist() == sorted({label for label in y if label})


def test_labels_in_a_matrix_are_refused():
    with pytest.raises(InputError, match=r"y must hold one label per sample; got shape \(2, 2\)"):
        encode([[1, 2], [3, 4]])


def test_one_convention_for_what_no_label_reaches():
    """Functions, estimator and learner say the same of a part of the graph without a label."""
    X = np.concatenate([np.random.default_rng(0).normal(9 * k, 1, (20, 2)) for k in range(2)])
    y = np.full(40, -1)
    y[[0, 5]] = [4, 6]
    with pytest.warns(tp.UnreachedWarning):
        model = tp.ManifoldClassifier(n_neighbors=5, view="raw", predictor="propagation").fit(X, y)
    learner = tp.ActiveLearner(X, n_neighbors=5, view="raw", predictor="propagation")
    learner.tell([0, 5], [4, 6])
    for labels, probabilities, unsure in (
        (model.transduction_, model.label_distributions_, model.uncertainty_),
        (learner.predict(), learner.predict_proba(), learner.uncertainty()),
    ):
        assert (labels[20:] == -1).all()
        assert np.isnan(probabilities[20:]).all()
        assert_array_equal(unsure[20:], 1.0)
        assert (unsure[:20] < 1.0).all()

"""scikit-learn's own checks of an estimator, all of them; quick runs check the defaults."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

import trigpoint as tp
from reference.array_api import check_with_the_array_api

DEFAULTS = [tp.LandmarkSelector(n_landmarks=3), tp.ManifoldClassifier(), tp.ManifoldRegressor()]
OTHERS = [
    tp.ManifoldClassifier(predictor="propagation"),
    tp.ManifoldRegressor(predictor="linear"),
    tp.LandmarkSelector(n_landmarks=3, metric="precomputed"),
    tp.ManifoldClassifier(metric="precomputed", predictor="propagation", class_prior="labeled", beta=10.0),
    tp.ManifoldRegressor(metric="precomputed", predictor="propagation", gamma=0.1),
]


WEIGHTS = "copies of a sample are neighbors of each other, and weights change no neighbors"


def expected(estimator):
    failed = dict.fromkeys(
        [
            "check_sample_weight_equivalence_on_dense_data",
            "check_sample_weight_equivalence_on_sparse_data",
        ],
        WEIGHTS,
    )
    if isinstance(estimator, tp.ManifoldClassifier):
        failed["check_classifiers_classes"] = "fits classes -1 and 1, and -1 means unlabeled"
    return {} if isinstance(estimator, tp.LandmarkSelector) else failed


@parametrize_with_checks(DEFAULTS, expected_failed_checks=expected)
def test_scikit_learn_checks(estimator, check):
    if check.func.__name__.startswith("check_array_api"):
        check_with_the_array_api(estimator, DEFAULTS)
    else:
        check(estimator)


@pytest.mark.slow
@parametrize_with_checks(OTHERS, expected_failed_checks=expected)
def test_scikit_learn_checks_of_other_settings(estimator, check):
    if check.func.__name__.startswith("check_array_api"):
        check_with_the_array_api(estimator, OTHERS)
    else:
        check(estimator)


def test_the_defaults_pass_where_the_pool_is_smaller_than_the_budget(recwarn):
    from sklearn.utils.estimator_checks import check_estimator

    failed = [c for c in check_estimator(tp.LandmarkSelector(), on_fail=None) if c["status"] == "failed"]
    assert not failed
    assert any("all are chosen" in str(w.message) for w in recwarn)

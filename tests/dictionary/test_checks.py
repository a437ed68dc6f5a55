"""scikit-learn's own checks of an estimator, all of them; quick runs check one that learns shortly."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

import trigpoint as tp
from reference.array_api import check_with_the_array_api

FEW = {"n_iterations": 5, "n_init_iterations": 3}
SHORT = [tp.LCKSVDClassifier(**FEW)]
OTHERS = [
    tp.LCKSVDClassifier(),
    tp.LCKSVDClassifier(variant=1, classifier="learned", **FEW),
    tp.LCKSVDClassifier(sparsity=3, classifier="rbf_svm", **FEW),
]


@parametrize_with_checks(SHORT)
def test_scikit_learn_checks(estimator, check):
    if check.func.__name__.startswith("check_array_api"):
        check_with_the_array_api(estimator, SHORT)
    else:
        check(estimator)


@pytest.mark.slow
@parametrize_with_checks(OTHERS)
def test_scikit_learn_checks_of_other_settings(estimator, check):
    if check.func.__name__.startswith("check_array_api"):
        check_with_the_array_api(estimator, OTHERS)
    else:
        check(estimator)

"""scikit-learn's own checks of an estimator, all of them."""

from sklearn.utils.estimator_checks import parametrize_with_checks

import trigpoint as tp
from reference.array_api import check_with_the_array_api

FEW = {"n_iterations": 5, "n_init_iterations": 3}
ESTIMATORS = [
    tp.LCKSVDClassifier(),
    tp.LCKSVDClassifier(variant=1, classifier="learned", **FEW),
    tp.LCKSVDClassifier(sparsity=3, classifier="rbf_svm", **FEW),
]


@parametrize_with_checks(ESTIMATORS)
def test_scikit_learn_checks(estimator, check):
    if check.func.__name__.startswith("check_array_api"):
        check_with_the_array_api(estimator, ESTIMATORS)
    else:
        check(estimator)

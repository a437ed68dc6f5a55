"""scikit-learn's own checks of an estimator, all of them."""

import json
import os
import subprocess
import sys
from functools import cache

from sklearn.utils.estimator_checks import parametrize_with_checks

import trigpoint as tp

ESTIMATORS = [
    tp.LandmarkSelector(n_landmarks=3),
    tp.ManifoldClassifier(),
    tp.ManifoldRegressor(),
    tp.LandmarkSelector(n_landmarks=3, metric="precomputed"),
    tp.ManifoldClassifier(metric="precomputed", class_prior="labeled", beta=10.0),
    tp.ManifoldRegressor(metric="precomputed", gamma=0.1),
]


def expected(estimator):
    if isinstance(estimator, tp.ManifoldClassifier):
        return {"check_classifiers_classes": "fits classes -1 and 1, and -1 means unlabeled"}
    return {}


@parametrize_with_checks(ESTIMATORS, expected_failed_checks=expected)
def test_scikit_learn_checks(estimator, check):
    if check.func.__name__.startswith("check_array_api"):
        assert run_with_the_array_api()[repr(estimator)] == ["passed"]
    else:
        check(estimator)


@cache
def run_with_the_array_api():
    """scikit-learn skips these checks unless a variable is set before scipy loads."""
    code = f"""
import json, trigpoint as tp
from trigpoint import LandmarkSelector, ManifoldClassifier, ManifoldRegressor
from sklearn.utils.estimator_checks import estimator_checks_generator
outcomes = {{}}
for estimator in {ESTIMATORS!r}:
    found = outcomes[repr(estimator)] = []
    for clone, check in estimator_checks_generator(estimator):
        if check.func.__name__.startswith("check_array_api"):
            try:
                check(clone)
                found.append("passed")
            except BaseException as error:
                found.append(repr(error))
print(json.dumps(outcomes))
"""
    environment = {**os.environ, "SCIPY_ARRAY_API": "1"}
    ran = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    return json.loads(ran.stdout)


def test_the_defaults_pass_where_the_pool_is_smaller_than_the_budget(recwarn):
    from sklearn.utils.estimator_checks import check_estimator

    failed = [c for c in check_estimator(tp.LandmarkSelector(), on_fail=None) if c["status"] == "failed"]
    assert not failed
    assert any("all are chosen" in str(w.message) for w in recwarn)

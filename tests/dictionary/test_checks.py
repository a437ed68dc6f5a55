"""scikit-learn's own checks of an estimator, all of them."""

import json
import os
import subprocess
import sys
from functools import cache

from sklearn.utils.estimator_checks import parametrize_with_checks

import trigpoint as tp

FEW = {"n_iterations": 5, "n_init_iterations": 3}
ESTIMATORS = [
    tp.LCKSVDClassifier(),
    tp.LCKSVDClassifier(variant=1, classifier="learned", **FEW),
    tp.LCKSVDClassifier(sparsity=3, classifier="rbf_svm", **FEW),
]


@parametrize_with_checks(ESTIMATORS)
def test_scikit_learn_checks(estimator, check):
    if check.func.__name__.startswith("check_array_api"):
        assert run_with_the_array_api()[repr(estimator)] == ["passed"]
    else:
        check(estimator)


@cache
def run_with_the_array_api():
    """scikit-learn skips these checks unless a variable is set before scipy loads."""
    code = f"""
import json
from trigpoint import LCKSVDClassifier
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

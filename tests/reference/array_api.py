"""scikit-learn's checks with the array API, which it skips unless a variable is set before scipy loads."""

import json
import os
import subprocess
import sys
from functools import cache

CODE = """
import json, trigpoint
from sklearn.utils.estimator_checks import estimator_checks_generator
outcomes = {}
for estimator in eval(%r, {name: getattr(trigpoint, name) for name in trigpoint.__all__}):
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


def check_with_the_array_api(estimator, estimators):
    """Fail unless the one check there is passes; all estimators are checked in one process, once."""
    assert _outcomes(repr(estimators))[repr(estimator)] == ["passed"]


@cache
def _outcomes(estimators):
    environment = {**os.environ, "SCIPY_ARRAY_API": "1"}
    command = [sys.executable, "-c", CODE % estimators]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return json.loads(ran.stdout)

"""The methods by name: for classes, and for real targets."""

from trigpoint._validation import check_dense_size
from trigpoint.learner._auto import auto
from trigpoint.learner._coverage import coverage
from trigpoint.learner._error_reduction import error_reduction
from trigpoint.learner._model_change import model_change
from trigpoint.learner._situation import Method
from trigpoint.learner._uncertainty import uncertainty
from trigpoint.learner._variance import largest_variance, least_variance
from trigpoint.selection._gaussian_field import LIMIT

METHODS: dict[str, tuple[Method, Method]] = {
    "auto": (auto, least_variance),
    "coverage": (coverage, coverage),
    "uncertainty": (uncertainty, largest_variance),
    "error_reduction": (error_reduction, least_variance),
    "model_change": (model_change, least_variance),
}


def method_for(name: str, task: str) -> Method:
    classes, values = METHODS[name]
    return classes if task == "classification" else values


def check_method_size(name: str, task: str, n: int) -> None:
    """Refuse at once what would be refused at the first question that needs it."""
    if method_for(name, task) is error_reduction:
        check_dense_size(n, LIMIT, "method='error_reduction'")

"""The loop with a person in it: ask for samples, tell their labels, look at what follows.

The names are loaded when they are first used: who only wants the order of audits does not wait for the rest.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from trigpoint.learner._advice import StopAdvice
    from trigpoint.learner._audits import audit_order
    from trigpoint.learner._learner import ActiveLearner

__all__ = ["ActiveLearner", "StopAdvice", "audit_order"]

_FILE = {"ActiveLearner": "_learner", "StopAdvice": "_advice", "audit_order": "_audits"}


def __getattr__(name: str) -> Any:
    if name in _FILE:
        return getattr(import_module(f"trigpoint.learner.{_FILE[name]}"), name)
    raise AttributeError(f"module 'trigpoint.learner' has no attribute {name!r}")

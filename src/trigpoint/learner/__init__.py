"""The loop with a person in it: ask for samples, tell their labels, look at what follows."""

from typing import TYPE_CHECKING

from trigpoint._lazy import on_first_use

if TYPE_CHECKING:
    from trigpoint.learner._advice import StopAdvice
    from trigpoint.learner._audits import audit_order
    from trigpoint.learner._interval import class_interval, value_interval
    from trigpoint.learner._learner import ActiveLearner

__all__ = ["ActiveLearner", "StopAdvice", "audit_order", "class_interval", "value_interval"]

_FILE = {
    "ActiveLearner": "_learner",
    "StopAdvice": "_advice",
    "audit_order": "_audits",
    "class_interval": "_interval",
    "value_interval": "_interval",
}
if not TYPE_CHECKING:  # which would take any name for one of ours
    __getattr__ = on_first_use(__name__, _FILE)

"""The loop with a person in it: ask for samples, tell their labels, look at what follows."""

from trigpoint.learner._advice import StopAdvice
from trigpoint.learner._choice import audit_order
from trigpoint.learner._learner import ActiveLearner

__all__ = ["ActiveLearner", "StopAdvice", "audit_order"]

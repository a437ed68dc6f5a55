"""The scikit-learn boundary: thin classes over the functions.

Unlabeled is -1 (or None) for classes and NaN for real targets, and only here.
"""

from trigpoint.estimators._classifier import ManifoldClassifier
from trigpoint.estimators._regressor import ManifoldRegressor
from trigpoint.estimators._selector import LandmarkSelector

__all__ = ["LandmarkSelector", "ManifoldClassifier", "ManifoldRegressor"]

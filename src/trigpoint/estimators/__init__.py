"""The scikit-learn boundary: thin classes over the functions.

Unlabeled is -1 (or None) for classes and NaN for real targets, and only here.
"""

from trigpoint.estimators._base import Propagated
from trigpoint.estimators._classifier import ManifoldClassifier
from trigpoint.estimators._found import classifier_of, regressor_of, tagger_of
from trigpoint.estimators._regressor import ManifoldRegressor
from trigpoint.estimators._saved import Model, load_model, read_model, save_model
from trigpoint.estimators._selector import LandmarkSelector

__all__ = [
    "LandmarkSelector",
    "ManifoldClassifier",
    "ManifoldRegressor",
    "Model",
    "Propagated",
    "classifier_of",
    "load_model",
    "read_model",
    "regressor_of",
    "save_model",
    "tagger_of",
]

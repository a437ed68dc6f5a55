"""The steps as scikit-learn estimators: thin classes over the functions.

A sample without a label has -1 or None as its class, or NaN as its value.
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

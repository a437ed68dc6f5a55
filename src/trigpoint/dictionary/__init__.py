"""Dictionaries of class-wise atoms in which few suffice for a signal, and a classifier of their codes."""

from trigpoint.dictionary._classifier import LCKSVDClassifier
from trigpoint.dictionary._codes import Codes, sparse_codes
from trigpoint.dictionary._ksvd import KSVD, ksvd
from trigpoint.dictionary._label_consistent import History, LabelConsistent, label_consistent

__all__ = [
    "KSVD",
    "Codes",
    "History",
    "LCKSVDClassifier",
    "LabelConsistent",
    "ksvd",
    "label_consistent",
    "sparse_codes",
]

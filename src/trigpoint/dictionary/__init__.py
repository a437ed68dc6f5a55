"""Dictionaries of class-wise atoms in which few suffice for a signal, and a classifier of their codes."""

from trigpoint.dictionary._classifier import LCKSVDClassifier

__all__ = ["LCKSVDClassifier"]

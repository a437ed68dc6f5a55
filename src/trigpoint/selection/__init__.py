"""Alignment matrix (and graph) -> landmarks."""

from trigpoint.selection._expected_risk import LabeledLandmarks, gaussian_field_loop, gaussian_field_step
from trigpoint.selection._select import select

__all__ = ["LabeledLandmarks", "gaussian_field_loop", "gaussian_field_step", "select"]

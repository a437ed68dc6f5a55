"""Alignment matrix (and graph) -> landmarks."""

from trigpoint.selection._select import select

__all__ = ["select"]

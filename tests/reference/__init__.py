"""Oracles: each algorithm written naively and densely from its definition, for the tests to compare with."""

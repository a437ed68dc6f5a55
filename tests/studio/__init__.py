"""Tests of the studio and what they share; a package, so that no other `studio` is found first."""

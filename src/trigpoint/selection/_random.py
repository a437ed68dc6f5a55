"""Landmarks drawn uniformly without replacement: the measure of every other method."""

from typing import Any

import numpy as np

from trigpoint._types import Ints


def random_landmarks(
    phi: Any, n_landmarks: int, *, graph: Any, initial: Ints, rng: np.random.Generator
) -> Ints:
    free = np.setdiff1d(np.arange(phi.shape[0]), initial)
    return rng.permutation(free)[:n_landmarks]

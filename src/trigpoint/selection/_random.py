"""Landmarks drawn uniformly without replacement: the measure of every other method."""

import numpy as np

from trigpoint._types import Ints
from trigpoint.selection._pool import Pool


def random_landmarks(pool: Pool, n_landmarks: int, rng: np.random.Generator) -> Ints:
    return rng.permutation(np.flatnonzero(pool.free()))[:n_landmarks]

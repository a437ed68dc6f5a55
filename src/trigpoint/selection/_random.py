"""Landmarks drawn uniformly without replacement: the measure of every other method."""

import numpy as np

from trigpoint._types import Ints
from trigpoint.selection._pool import Pool
from trigpoint.selection._selector import Selector


def random_landmarks(pool: Pool, n_landmarks: int, rng: np.random.Generator) -> Ints:
    return rng.permutation(np.flatnonzero(pool.free()))[:n_landmarks]


SELECTOR = Selector("random", random_landmarks, nested=True)

"""Pools of any size on disk: a curved manifold, noise off it, and ten classes that are regions of it.

    p = 16     X = tanh(z T) + 0.01 noise,      z uniform in 4 dimensions
    p = 64     X = tanh(z T / 4) + 0.02 noise,  z normal in 8 dimensions

A sample's class is the nearest of ten centers, among the z. Blocks have generators of their own: a pool of
10^5 is the beginning of that of 10^6, and nothing but one block is in memory.
"""

from pathlib import Path
from typing import Any

import numpy as np

BLOCK = 100_000
CLASSES = 10


def write_pool(folder: Path, n: int, p: int, seed: int = 0) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng([seed, p])
    d = 4 if p == 16 else 8
    turn = rng.normal(size=(d, p)) if p == 16 else rng.normal(size=(d, p)) / 4
    centers = rng.uniform(size=(CLASSES, d)) if p == 16 else rng.normal(size=(CLASSES, d))
    X = np.lib.format.open_memmap(folder / "X.npy", "w+", np.float32, (n, p))
    y = np.lib.format.open_memmap(folder / "y.npy", "w+", np.int8, (n,))
    for k, a in enumerate(range(0, n, BLOCK)):
        rng, m = np.random.default_rng([seed, p, k]), min(BLOCK, n - a)
        z = rng.uniform(size=(BLOCK, d)) if p == 16 else rng.normal(size=(BLOCK, d))
        noise = (0.01 if p == 16 else 0.02) * rng.normal(size=(BLOCK, p))
        X[a : a + m] = (np.tanh(z @ turn) + noise)[:m]
        y[a : a + m] = ((z[:m, None] - centers) ** 2).sum(axis=2).argmin(axis=1)
    X.flush()
    y.flush()


def open_pool(folder: Path) -> tuple[Any, Any]:
    return tuple(np.load(folder / f"{name}.npy", mmap_mode="r") for name in ("X", "y"))

"""Gradients of a picture: how strong edges are, in which direction, and about where.

With g = (g_x, g_y) the central differences of the grey values (at a border, half of the one that is left),
each pixel has a strength |g| and a direction on the full circle: an edge from dark to light is not one from
light to dark. The two nearest of B directions share its strength, and so do the four nearest cells of a grid
of C x C, in proportion (tent weights): c[u, v, b] is how much of direction b there is about cell (u, v). Then

    c <- c / sqrt(mean of e over the 3 x 3 cells around + 0.01 * mean of e),    e[u, v] = sum_b c[u, v, b]^2

takes differences of light out, the square root of each number makes strong edges count less, and the whole
is scaled to length 1. A picture of one grey is all zeros.

C = 12 and B = 8 were chosen on photographs of faces and handwritten digits: fewer cells lose faces, more
cells lose handwriting.
"""

import numpy as np

from trigpoint._types import Array

CELLS, DIRECTIONS = 12, 8
FLAT = 0.01  # of the mean strength: less than this is noise
BLOCK = 256  # pictures at a time


def gradients(pixels: Array) -> Array:
    """(m, C * C * B) float32 of (m, h, w) grey values; a picture's do not depend on the others."""
    found = np.empty((len(pixels), CELLS * CELLS * DIRECTIONS), dtype=np.float32)
    for start in range(0, len(pixels), BLOCK):
        some = np.ascontiguousarray(pixels[start : start + BLOCK], dtype=np.float32)
        found[start : start + BLOCK] = _described(_cells(some))
    return found


def _cells(grey: Array) -> Array:
    """(m, C, C, B)."""
    m, h, w = grey.shape
    padded = np.pad(grey, ((0, 0), (1, 1), (1, 1)), mode="edge")
    down = (padded[:, 2:, 1:-1] - padded[:, :-2, 1:-1]) / 2
    across = (padded[:, 1:-1, 2:] - padded[:, 1:-1, :-2]) / 2
    strength = np.hypot(across, down)
    direction = np.arctan2(down, across) * np.float32(DIRECTIONS / (2 * np.pi))  # in [-B / 2, B / 2]
    rows, columns = _tents(h), _tents(w)
    cells = np.empty((m, CELLS, CELLS, DIRECTIONS), dtype=np.float32)
    for b in range(DIRECTIONS):
        apart = np.abs((direction - b + DIRECTIONS / 2) % DIRECTIONS - DIRECTIONS / 2)
        cells[..., b] = rows @ (strength * np.maximum(0, 1 - apart)) @ columns.T
    return cells


def _tents(size: int) -> Array:
    """(C, size): the share of each pixel of a line that each cell gets; pixels at the ends have one cell."""
    place = np.clip((np.arange(size) + 0.5) / size * CELLS - 0.5, 0, CELLS - 1)
    weights = np.maximum(0, 1 - np.abs(place - np.arange(CELLS)[:, None]))
    tents: Array = weights.astype(np.float32)
    return tents


def _described(cells: Array) -> Array:
    """Cells of different light and strength made alike; rows of length 1, or 0."""
    energy = np.square(cells).sum(axis=-1)
    padded = np.pad(energy, ((0, 0), (1, 1), (1, 1)), mode="edge")
    around = sum(padded[:, u : u + CELLS, v : v + CELLS] for u in range(3) for v in range(3)) / 9
    around = around + FLAT * energy.mean(axis=(1, 2), keepdims=True)
    share = np.divide(
        cells, np.sqrt(around)[..., None], out=np.zeros_like(cells), where=around[..., None] > 0
    )
    found = np.sqrt(share.reshape(len(cells), -1))
    lengths = np.sqrt(np.square(found).sum(axis=1, keepdims=True))
    unit: Array = np.divide(found, lengths, out=np.zeros_like(found), where=lengths > 0)
    return unit

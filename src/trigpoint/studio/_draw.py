"""The map of the pool, told while it unfolds."""

import time
from collections.abc import Callable

import numpy as np

from trigpoint._types import Array, Floats
from trigpoint.graph import NeighborGraph
from trigpoint.plots import map_coordinates
from trigpoint.studio._news import Map, Stage

PICTURES = 12  # in all, at most
SECONDS = 1.0  # between two of them, at least


def draw(
    graph: NeighborGraph,
    tell: Callable[[Map | Stage], None],
    clock: Callable[[], float] = time.monotonic,
) -> Array:
    """The map of the graph, which is told last; some on the way to it before."""
    sent, last = 0, clock()

    def on_step(share: float, Y: Floats) -> None:
        nonlocal sent, last
        tell(Stage("drawing the map", share))
        if share * PICTURES >= sent + 1 and sent < PICTURES - 1 and clock() - last >= SECONDS:
            sent, last = sent + 1, clock()
            tell(Map(framed(Y), done=False))

    coordinates = framed(map_coordinates(graph, on_step))
    tell(Map(coordinates, done=True))
    return coordinates


def framed(Y: Floats) -> Array:
    """(n, 2) float32 within [-1, 1], in proportion."""
    widest = float(np.abs(Y).max(initial=0.0))
    return np.asarray(Y / widest if widest > 0 else Y, dtype=np.float32)

"""The forces of a map: between neighbors, and by way of a grid between all."""

from trigpoint._kernels.compiled import kernel
from trigpoint._types import Array, Floats


@kernel
def attract(
    indptr: Array, indices: Array, data: Floats, Y: Floats, start: int, stop: int, out: Floats
) -> None:
    """out_i = sum_j p_ij (y_i - y_j) / (1 + |y_i - y_j|^2) for the rows from start to stop."""
    for i in range(start, stop):
        across, up = 0.0, 0.0
        for slot in range(indptr[i], indptr[i + 1]):
            j = indices[slot]
            right, above = Y[i, 0] - Y[j, 0], Y[i, 1] - Y[j, 1]
            pull = data[slot] / (1.0 + right * right + above * above)
            across += pull * right
            up += pull * above
        out[i, 0], out[i, 1] = across, up


@kernel
def spread(place: Floats, mass: Floats) -> None:
    """Add each sample to the four points of the grid around its place, bilinearly."""
    for i in range(len(place)):
        row, column = int(place[i, 0]), int(place[i, 1])
        right, up = place[i, 0] - row, place[i, 1] - column
        mass[row, column] += (1.0 - right) * (1.0 - up)
        mass[row, column + 1] += (1.0 - right) * up
        mass[row + 1, column] += right * (1.0 - up)
        mass[row + 1, column + 1] += right * up


@kernel
def collect(place: Floats, fields: Floats, start: int, stop: int, out: Floats) -> None:
    """What samples from start to stop feel of fields on the grid, (m, side, side), in the same way."""
    for i in range(start, stop):
        row, column = int(place[i, 0]), int(place[i, 1])
        right, up = place[i, 0] - row, place[i, 1] - column
        for k in range(len(fields)):
            below = (1.0 - right) * fields[k, row, column] + right * fields[k, row + 1, column]
            above = (1.0 - right) * fields[k, row, column + 1] + right * fields[k, row + 1, column + 1]
            out[i, k] = (1.0 - up) * below + up * above

"""Rounds in which neighbors introduce each other, from the definition: sets and loops."""

import numpy as np


def company(ids, fresh, first, most):
    """For each j: its neighbors, then whose neighbor it is, by rank and number; and who of them is fresh."""
    rows = []
    for j in range(len(ids)):
        row = [(int(i), bool(f)) for i, f in zip(ids[j, :first], fresh[j, :first], strict=True) if i >= 0]
        for r in range(first):
            for i in range(len(ids)):
                if ids[i, r] == j and len(row) < most and i not in [who for who, _ in row]:
                    row.append((i, bool(fresh[i, r])))
        rows.append(row)
    return rows


def round_of_joins(Z, ids, near, fresh, reach, first, most):
    """Lists after a round: each keeps the nearest of those it had and of those it met."""
    width = ids.shape[1]
    met = [{} for _ in ids]
    for row in company(ids, fresh, first, most):
        for a, (i, new) in enumerate(row):
            for j, other_new in row[a + 1 :]:
                if new or other_new:
                    gap = float(np.sum((Z[i] - Z[j]) ** 2))
                    met[i][j] = met[j][i] = gap
    after = []
    for i in range(len(ids)):
        held = {int(j): float(d) for j, d in zip(ids[i], near[i], strict=True) if j >= 0}
        better = {j: gap for j, gap in met[i].items() if gap <= reach[i]}
        after.append(sorted((gap, j) for j, gap in {**better, **held}.items())[:width])
    return after

"""What the bound of a landmark set predicts of noise and of errors, and what it does not.

    ./dev bench bound_noise [--quick]

On each pool (digits, swiss roll, both n = 1797, K = 10, self-tuning Laplacian) and for 20, 60 and
180 landmarks: 20 random sets, 20 by geodesic farthest point from different starts, and 20 clustered
ones (a random sample's nearest neighbors). For each set

    bound         bound_inf of tp.landmark_bound
    sensitivity   psi_UU Z = -psi_UL Z_L is solved again with psi + E, E symmetric Gaussian noise on
                  the pattern of phi, ||E||_2 = epsilon = 1e-6 mean diagonal; the largest
                  ||dZ|| / ||Z|| / epsilon of 3 draws
    share used    sensitivity / bound: how much of what the bound allows such noise uses
    error         of tp.propagate on phi, on the samples without a label: share of wrong classes, or
                  relative error of the position along the roll

and then Spearman's rank correlations over sets with equal numbers of landmarks (the mean of three;
over different numbers, any two figures that fall with the number agree), with the clustered sets
and among the others alone.
"""

import numpy as np
from _figures import Figure, main
from scipy import sparse
from scipy.sparse.linalg import eigsh, splu
from scipy.stats import spearmanr
from sklearn.datasets import load_digits, make_swiss_roll

import trigpoint as tp

N, K, BUDGETS, SETS, DRAWS, NOISE = 1797, 10, (20, 60, 180), 20, 3, 1e-6
KINDS = ("random", "farthest", "clustered")


def pools():
    X, y = load_digits(return_X_y=True)
    yield "digits", X, np.eye(10)[y]
    X, t = make_swiss_roll(N, random_state=0)
    yield "swiss roll", X, t[:, None]


def landmark_sets(X, graph, phi, size, sets):
    for seed in range(sets):
        yield "random", tp.select(phi, size, method="random", random_state=seed)
        yield "farthest", tp.select(phi, size, method="maxmin_geodesic", graph=graph, random_state=seed)
        center = X[np.random.default_rng(seed).integers(N)]
        yield "clustered", np.argsort(((X - center) ** 2).sum(axis=1), kind="stable")[:size]


def noise(phi, seed):
    """Symmetric, on the pattern of phi, of norm 1."""
    E = sparse.csr_array((np.random.default_rng(seed).standard_normal(phi.nnz), phi.indices, phi.indptr))
    E = sparse.csr_array(E + E.T)
    return E / abs(eigsh(E, 1, which="LM", v0=np.ones(N), return_eigenvectors=False)[0])


def solution(psi, landmarks, rest, values):
    rows = psi[rest]
    factor = splu(sparse.csc_array(rows[:, rest]), permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0)
    return factor.solve(-(rows[:, landmarks] @ values[landmarks]))


def sensitivity(psi, landmarks, values, noises, epsilon):
    rest = np.setdiff1d(np.arange(N), landmarks)
    Z = solution(psi, landmarks, rest, values)
    changes = [solution(psi + epsilon * E, landmarks, rest, values) - Z for E in noises]
    return max(np.linalg.norm(change) for change in changes) / np.linalg.norm(Z) / epsilon


def error(phi, landmarks, values):
    rest = np.setdiff1d(np.arange(N), landmarks)
    Z, truth = tp.propagate(phi, landmarks, values[landmarks])[rest], values[rest]
    if values.shape[1] > 1:
        return np.mean(Z.argmax(axis=1) != truth.argmax(axis=1))
    return np.linalg.norm(Z - truth) / np.linalg.norm(truth)


def rank_correlation(rows, column, kinds, budgets):
    """Spearman's, with the bound: the mean over budgets."""
    chosen = [[(r[2], r[column]) for r in rows if r[0] == size and r[1] in kinds] for size in budgets]
    return np.mean([spearmanr(*np.array(pairs).T)[0] for pairs in chosen])


def predictive(name, X, values, budgets, sets):
    """What the bound tells of sensitivity and of errors."""
    graph = tp.neighbor_graph(X, K)
    phi = tp.laplacian(graph)
    shift, mean = tp.landmark_bound(phi, [0]).shift, phi.diagonal().mean()
    psi = sparse.csr_array(phi + shift * sparse.eye_array(N))
    noises = [noise(phi, seed) for seed in range(DRAWS)]
    rows = []  # (size, kind, bound, sensitivity, error)
    for size in budgets:
        for kind, landmarks in landmark_sets(X, graph, phi, size, sets):
            bound = tp.selection_path(phi, landmarks, checkpoints=2).bound_inf[-1]
            moved = sensitivity(psi, landmarks, values, noises, NOISE * mean)
            rows.append((size, kind, bound, moved, error(phi, landmarks, values)))
    for size in budgets:
        for kind in KINDS:
            b, s, e = np.median([r[2:] for r in rows if r[:2] == (size, kind)], axis=0)
            yield Figure(f"{name}, {size} {kind}: bound", b, "")
            yield Figure(f"{name}, {size} {kind}: sensitivity", s, "")
            yield Figure(f"{name}, {size} {kind}: share used", 100 * s / b, "%")
            yield Figure(f"{name}, {size} {kind}: error", 100 * e, "%")
    most = 100 * max(r[3] / r[2] for r in rows)
    yield Figure(f"{name}: largest share of the bound that noise uses", most, "%")
    for what, column in (("sensitivity", 3), ("error", 4)):
        for kinds, which in ((KINDS, "all sets"), (KINDS[:2], "without clustered")):
            found = rank_correlation(rows, column, kinds, budgets)
            yield Figure(f"{name}: rank correlation of bound and {what}, {which}", found, "")


def figures(quick):
    for name, X, values in pools():
        yield from predictive(name, X, values, BUDGETS[:1] if quick else BUDGETS, 5 if quick else SETS)


if __name__ == "__main__":
    main(figures, __doc__)

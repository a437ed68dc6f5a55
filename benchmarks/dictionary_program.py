"""LC-KSVD the way its authors' program goes, and ours, on the same features: do 4 points on AR come from us?

    ./dev bench dictionary_program [SEED ...]        a minute of one core for each; needs $TRIGPOINT_DATA

Their program (Jiang, 2011, on Rubinstein's K-SVD box) differs from ours in four steps:

- an atom is improved by one power iteration, not made the best one
- after every iteration, the last included, atoms that fewer than 4 signals use, or that have a correlation of
  more than 0.99 with another, give way to the signals that are represented worst
- the first atoms are the first samples of each class, not drawn ones
- the first W is fitted to codes in another dictionary: the first atoms after 20 iterations of K-SVD on all

Features, splits, atoms and sparsity are those of `./dev bench dictionary` for AR; both use the learned map W.
SRC (Wright et al., 2009) with all training samples, by a pursuit of 30, tells how hard the features are.
"""

import os
import sys
from pathlib import Path

import joblib
import numpy as np
from threadpoolctl import threadpool_limits

import trigpoint as tp
from dictionary import FACES, FIRST_SEED
from trigpoint._kernels.dictionary_atoms import residual, users
from trigpoint.datasets import random_faces
from trigpoint.dictionary._codes import sparse_codes
from trigpoint.dictionary._start import ridge

SPARSITY, ALPHA, BETA = 30, 1e-5, 2.5e-6  # as ours
ITERATIONS, FIRST_ITERATIONS = 50, 20
FEW, ALIKE = 4, 0.99


def improve(Z, R, D, codes):
    """One power iteration for each atom; which were replaced, and which signals are left for that."""
    ends, where = np.empty(len(D) + 1, dtype=np.int64), np.empty(codes.indices.size, dtype=np.int64)
    users(codes.indices, codes.counts, ends, where)
    replaced, left = np.zeros(len(D), dtype=bool), np.ones(len(Z), dtype=bool)
    for k in range(len(D)):
        i, s = np.divmod(where[ends[k] : ends[k + 1]], codes.values.shape[1])
        if len(i) == 0:
            take_worst(Z, R, D, k, left)
            replaced[k] = True
            continue
        x = codes.values[i, s]
        E = R[i] + np.outer(x, D[k])
        D[k] = x @ E / np.linalg.norm(x @ E)
        codes.values[i, s] = E @ D[k]
        R[i] = E - np.outer(codes.values[i, s], D[k])
    return replaced, left


def take_worst(Z, R, D, k, left):
    worst = int(np.where(left, np.einsum("ij,ij->i", R, R), -1.0).argmax())
    D[k], left[worst] = Z[worst] / np.linalg.norm(Z[worst]), False


def ksvd(Z, D, n_iterations):
    """Atoms and codes."""
    Z, D = np.ascontiguousarray(Z), D.copy()
    R = np.empty_like(Z)
    for _ in range(n_iterations):
        codes = sparse_codes(Z, D, SPARSITY)
        residual(Z, D, codes.indices, codes.values, codes.counts, R)
        replaced, left = improve(Z, R, D, codes)
        usage = codes.usage()
        for k in np.flatnonzero(~replaced):
            alike = np.abs(np.delete(D, k, axis=0) @ D[k]).max() > ALIKE
            if usage[k] < FEW or alike:
                take_worst(Z, R, D, k, left)
    return D, codes


def learned_by_program(Y, labels, n_atoms):
    """D of unit atoms, and W."""
    n_classes, p = labels.max() + 1, Y.shape[1]
    each, H = n_atoms // n_classes, np.eye(n_classes)[labels]
    groups = [Y[labels == c] for c in range(n_classes)]
    D = np.vstack([ksvd(own, unit(own[:each]), FIRST_ITERATIONS)[0] for own in groups])
    W = ridge(ksvd(Y, D, FIRST_ITERATIONS)[1], H)
    weight = np.sqrt(ALPHA * each + BETA)
    joint = ksvd(np.hstack([Y, weight * H]), unit(np.hstack([D, weight * W])), ITERATIONS)[0]
    lengths = np.linalg.norm(joint[:, :p], axis=1, keepdims=True)
    return joint[:, :p] / lengths, joint[:, p:] / weight / lengths


def unit(rows):
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def src(X, y, X_new, n_classes):
    """The class whose training samples leave least of a new one."""
    codes = sparse_codes(X_new, X, SPARSITY).matrix().toarray()
    left = [X_new - codes[:, y == c] @ X[y == c] for c in range(n_classes)]
    return np.argmin([np.einsum("ij,ij->i", part, part) for part in left], axis=0)


def shares(seed, folder):
    """Right answers of the program, of ours and of SRC, in percent."""
    file, images, n_features, n_atoms, n_train = FACES["AR"]
    held = np.load(folder / file)
    y = np.unique(held["labels"], return_inverse=True)[1]
    X, rng = random_faces(held[images], n_features, random_state=seed), np.random.default_rng(seed)
    groups = [rng.permutation(np.flatnonzero(y == c)) for c in np.unique(y)]
    train = np.concatenate([group[: n_train(len(group))] for group in groups])
    test = np.setdiff1d(np.arange(len(y)), train)
    D, W = learned_by_program(X[train], y[train], n_atoms)
    ours = tp.LCKSVDClassifier(n_atoms, classifier="learned", random_state=seed).fit(X[train], y[train])
    found = {
        "their program's steps": (sparse_codes(X[test], D, SPARSITY).matrix() @ W).argmax(axis=1),
        "ours": ours.predict(X[test]),
        "SRC, all training samples": src(X[train], y[train], X[test], len(groups)),
    }
    return {name: 100 * float((answers == y[test]).mean()) for name, answers in found.items()}


if __name__ == "__main__":
    seeds = [int(word) for word in sys.argv[1:]] or [FIRST_SEED, FIRST_SEED + 1]
    joblib.cpu_count = lambda *_, **__: 1
    with threadpool_limits(1):
        found = []
        for seed in seeds:
            found.append(shares(seed, Path(os.environ["TRIGPOINT_DATA"])))
            print(seed, "  ".join(f"{name}: {share:.1f} %" for name, share in found[-1].items()), flush=True)
    for name in found[0]:
        values = [one[name] for one in found]
        print(f"{name}: {np.mean(values):.1f} ± {np.std(values):.1f} %, {len(values)} splits")

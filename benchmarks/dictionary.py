"""LC-KSVD: the pursuit beside scikit-learn's, the time of a training, and accuracies on faces.

    ./dev bench dictionary [N_SEEDS]

All on one thread. The pursuit and the training take 1,000 random faces of 504 features, 570 atoms and
sparsity 30; the data are drawn, so no files are needed. Accuracies need the data sets of $TRIGPOINT_DATA:
Extended Yale B (half of each person's images for training, 504 features, 570 atoms) and AR (20 of 26, 540
features, 500 atoms), as in Jiang, Lin & Davis (2013).
"""

import os
import sys
from pathlib import Path
from time import perf_counter

import joblib
import numpy as np
from sklearn.linear_model import orthogonal_mp_gram
from sklearn.svm import SVC
from threadpoolctl import threadpool_limits

import trigpoint as tp
from trigpoint.datasets import random_faces
from trigpoint.dictionary._codes import sparse_codes

N, P, CLASSES, ATOMS, SPARSITY = 1000, 504, 38, 570, 30
FIRST_SEED = 10  # the defaults were chosen on seeds 0 and 1
FACES = {  # file, images, features, atoms, training images of a person that has n
    "Extended Yale B": ("extended_yaleb.npz", "images_48x42", 504, 570, lambda n: (n + 1) // 2),
    "AR": ("ar_faces.npz", "images", 540, 500, lambda n: 20),
}


def drawn_faces():
    """Each class near nine dimensions of its own, as a face under any light is; rows of length one."""
    rng = np.random.default_rng(0)
    labels = np.arange(N) % CLASSES
    bases = rng.standard_normal((CLASSES, 9, P)) / (1 + np.arange(9))[:, None]
    X = np.einsum("ij,ijp->ip", rng.standard_normal((N, 9)), bases[labels])
    X += 0.3 * rng.standard_normal((N, P))
    return X / np.linalg.norm(X, axis=1, keepdims=True), labels


def pursuit(X):
    D, few = X[:ATOMS], X[ATOMS:]  # no signal is an atom, which one step would find
    sparse_codes(few[:2], D, SPARSITY)  # compiles
    start = perf_counter()
    ours = sparse_codes(few, D, SPARSITY).matrix()
    ms = 1e3 * (perf_counter() - start) / len(few)
    start = perf_counter()
    theirs = orthogonal_mp_gram(D @ D.T, D @ few.T, n_nonzero_coefs=SPARSITY).T
    theirs_ms = 1e3 * (perf_counter() - start) / len(few)
    print(
        f"pursuit, K = {ATOMS}, T = {SPARSITY}: {ms:.3f} ms a signal, scikit-learn {theirs_ms:.3f} ms,"
        f" {theirs_ms / ms:.1f} x; they differ by {np.abs(ours.toarray() - theirs).max():.0e} at most",
        flush=True,
    )


def training(X, labels):
    tp.LCKSVDClassifier(CLASSES, n_iterations=1, random_state=0).fit(X[:100], labels[:100])  # compiles
    start = perf_counter()
    clf = tp.LCKSVDClassifier(ATOMS, random_state=0).fit(X, labels)
    seconds = perf_counter() - start
    print(f"training, n = {N}, p = {P}, {clf.n_iter_} iterations: {seconds:.1f} s on one thread", flush=True)


def accuracy(name, folder, n_seeds):
    file, images, n_features, n_atoms, n_train = FACES[name]
    held = np.load(folder / file)
    y = held["labels"]
    found: dict[str, list[float]] = {}
    for seed in range(FIRST_SEED, FIRST_SEED + n_seeds):
        X = random_faces(held[images], n_features, random_state=seed)
        rng = np.random.default_rng(seed)
        groups = [rng.permutation(np.flatnonzero(y == c)) for c in np.unique(y)]
        train = np.concatenate([group[: n_train(len(group))] for group in groups])
        test = np.setdiff1d(np.arange(len(y)), train)
        for n_iterations, variant in ((50, 1), (50, 2), (10, 2)):
            clf = tp.LCKSVDClassifier(
                n_atoms,
                variant=variant,
                n_iterations=n_iterations,
                classifier="learned",
                random_state=seed,
            )
            clf.fit(X[train], y[train])
            what = f"variant {variant}, {n_iterations} iterations"
            found.setdefault(f"{what}, learned", []).append(clf.score(X[test], y[test]))
            codes, codes_new = clf.codes(X[train]).toarray(), clf.codes(X[test]).toarray()
            for kernel in ("linear", "rbf"):  # as the estimator does, without training the atoms again
                right = SVC(kernel=kernel, C=clf.C).fit(codes, y[train]).score(codes_new, y[test])
                found.setdefault(f"{what}, {kernel}_svm", []).append(right)
        direct = SVC(kernel="linear", C=100.0).fit(X[train], y[train])
        found.setdefault("no dictionary, linear SVM of the features, C = 100", []).append(
            direct.score(X[test], y[test])
        )
    for what, shares in found.items():
        spread = f" +- {100 * np.std(shares):.1f}" if n_seeds > 1 else ""
        print(f"{name}, {what}: {100 * np.mean(shares):.1f} %{spread} of {len(test)}", flush=True)


def main():
    n_seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    joblib.cpu_count = lambda *_, **__: 1
    with threadpool_limits(1):
        X, labels = drawn_faces()
        pursuit(X)
        training(X, labels)
        if "TRIGPOINT_DATA" not in os.environ:
            print("TRIGPOINT_DATA is not set: no accuracies.")
            return
        for name in FACES:
            accuracy(name, Path(os.environ["TRIGPOINT_DATA"]), n_seeds)


if __name__ == "__main__":
    main()

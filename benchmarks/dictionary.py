"""LC-KSVD: the pursuit beside scikit-learn's, the time of a training, and accuracies on faces.

    ./dev bench dictionary [N_SEEDS] [--quick]

All on one thread. The pursuit and the training take 1,000 random faces of 504 features, 570 atoms and
sparsity 30; the data are drawn, so no files are needed. Accuracies need the data sets of $TRIGPOINT_DATA:
Extended Yale B (half of each person's images for training, 504 features, 570 atoms) and AR (20 of 26, 540
features, 500 atoms), as in Jiang, Lin & Davis (2013). --quick leaves them out.
"""

import argparse
import os
from pathlib import Path

import joblib
import numpy as np
from _figures import Figure, clock, show, timed
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
    ours, seconds = timed(lambda: sparse_codes(few, D, SPARSITY).matrix())
    theirs, longer = timed(lambda: orthogonal_mp_gram(D @ D.T, D @ few.T, n_nonzero_coefs=SPARSITY).T)
    scale = 1e3 / len(few)
    detail = f"{ATOMS} atoms, {SPARSITY} nonzeros"
    yield Figure("pursuit, a signal", scale * seconds, "ms", "scikit-learn", scale * longer, detail)
    yield Figure("pursuit: largest difference", np.abs(ours.toarray() - theirs).max(), "")


def training(X, labels, n_iterations):
    tp.LCKSVDClassifier(CLASSES, n_iterations=1, random_state=0).fit(X[:100], labels[:100])  # compiles
    seconds = clock(
        lambda: tp.LCKSVDClassifier(ATOMS, n_iterations=n_iterations, random_state=0).fit(X, labels)
    )
    yield Figure(
        "training, 1,000 samples", seconds, "s", detail=f"p = {P}, one thread, {n_iterations} iterations"
    )


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
        spread = f"± {100 * np.std(shares):.1f}, {n_seeds} splits" if n_seeds > 1 else ""
        yield Figure(f"{name}, {what}", 100 * np.mean(shares), "% right", detail=spread)


def figures(quick, n_seeds=4):
    joblib.cpu_count = lambda *_, **__: 1
    with threadpool_limits(1):
        X, labels = drawn_faces()
        yield from pursuit(X)
        yield from training(X, labels, 3 if quick else 50)
        folder = os.environ.get("TRIGPOINT_DATA")
        for name in FACES if folder and not quick else ():
            yield from accuracy(name, Path(folder), n_seeds)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("n_seeds", nargs="?", type=int, default=4)
    parser.add_argument("--quick", action="store_true")
    given = parser.parse_args()
    show(figures(given.quick, given.n_seeds))

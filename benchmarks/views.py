"""Fit a view and transform the whole pool: CPU time, beside scikit-learn's way to the same components.

    ./dev bench views [--quick]

Digits, 64 mixed Gaussians in float32, random pictures of 784 pixels, and random sparse word weights. The peer
is StandardScaler for "standard"; for the others PCA(whiten=True), or TruncatedSVD if the pool is sparse, with
as many components. --quick: digits only.
"""

import numpy as np
from _figures import Figure, main, processor
from scipy import sparse
from sklearn.datasets import load_digits
from sklearn.decomposition import PCA, TruncatedSVD
from sklearn.preprocessing import StandardScaler

import trigpoint as tp


def pools():
    rng = np.random.default_rng(0)
    yield "digits, 1,797 x 64", load_digits().data
    yield "100,000 x 64", (rng.normal(size=(100_000, 64)) @ rng.normal(size=(64, 64))).astype(np.float32)
    strengths = np.arange(1, 301) ** -1.0
    pictures = rng.normal(size=(20_000, 300)) * strengths @ rng.normal(size=(300, 784))
    yield "20,000 x 784", pictures.astype(np.float32)
    yield "sparse, 10,000 x 4,000", sparse.random_array((10_000, 4_000), density=0.01, rng=rng, format="csr")


def peer(name, X, n_components):
    if name == "standard":
        return StandardScaler(with_mean=not sparse.issparse(X))
    method = TruncatedSVD if sparse.issparse(X) else PCA
    return method(n_components, random_state=0, **({} if sparse.issparse(X) else {"whiten": True}))


def figures(quick):
    for count, (pool, X) in enumerate(pools()):
        if quick and count == 1:
            return
        for name in ("standard", "half_white", "white"):
            view = tp.fit_view(X, name)
            ours = processor(lambda: tp.fit_view(X, name).transform(X), 3)  # noqa: B023
            theirs = processor(lambda: peer(name, X, view.n_components).fit_transform(X), 3)  # noqa: B023
            yield Figure(f"{pool}, {name}", ours, "s of CPU", "scikit-learn", theirs, repr(view))


if __name__ == "__main__":
    main(figures, __doc__)

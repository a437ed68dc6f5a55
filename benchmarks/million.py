"""The graph of 1,000,000 x 64 beside faiss (HNSW, IVF) and pynndescent, all at a recall of .99 in one run.

    ./dev bench million [--quick]

The pool and the peers are those of `neighbors.py`; K = 15, two threads. --quick: 60,000 samples.
"""

import numpy as np
from _figures import main
from neighbors import RECALL, compare, compile_kernels, latent


def figures(quick):
    compile_kernels()
    X = latent(60_000 if quick else 1_000_000, np.random.default_rng(0))
    yield from compare("million", X, 15, 1, RECALL)


if __name__ == "__main__":
    main(figures, __doc__)

"""Imported first: a trial has one core, whatever library starts threads for it, here and in workers."""

import os

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ[name] = "1"
os.environ.setdefault("TQDM_DISABLE", "1")

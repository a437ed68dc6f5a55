"""Compiled inner loops: arrays in, arrays out. The only package that imports numba.

Kernels release the GIL and work on a range of rows or columns; `run_blocks` spreads such ranges
over threads. The ranges never depend on the number of threads, so neither do the results.
"""

from trigpoint._kernels.csr import compiled_csr
from trigpoint._kernels.scan import scan
from trigpoint._kernels.threads import n_threads, one_thread, run_blocks, serial, serial_blas

__all__ = ["compiled_csr", "n_threads", "one_thread", "run_blocks", "scan", "serial", "serial_blas"]

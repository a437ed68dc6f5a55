"""The few array types that signatures speak of."""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
Array: TypeAlias = NDArray[Any]
Sparse: TypeAlias = Any  # a scipy.sparse.csr_array; scipy ships no types

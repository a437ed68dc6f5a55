import signal

import numpy as np
import pytest
from numba import njit

from trigpoint._kernels.stoppable import stoppable


@njit(nogil=True)
def two_arrays(steps):
    total = 0.0
    for k in range(steps):
        total += np.sin(k)
    return np.full(3, total), np.full(3, -total)


def test_an_interrupt_in_a_kernel_of_two_arrays_is_an_interrupt():
    call = stoppable(two_arrays)
    call(1)
    previous = signal.signal(signal.SIGALRM, signal.default_int_handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.02)
        with pytest.raises(KeyboardInterrupt):
            call(20_000_000)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)


def test_results_and_other_errors_pass():
    total, negative = stoppable(two_arrays)(3)
    assert (total == -negative).all()

    def fails():
        raise SystemError("of another kind")

    with pytest.raises(SystemError, match="of another kind"):
        stoppable(fails)()

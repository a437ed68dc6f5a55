"""One word to whoever waits for kernels to be compiled, when that takes more than a second in all."""

import logging
import sys
import threading
from collections.abc import Callable
from time import perf_counter

PATIENCE = 1.0  # seconds


class Waiting:
    """Between begin and end, which may be nested, something is compiled, by one thread at a time."""

    def __init__(self, say: Callable[[str], None], patience: float = PATIENCE) -> None:
        self._say, self._left, self._depth = say, patience, 0
        self._begun, self._timer = 0.0, threading.Timer(0.0, self._tell)
        self._told = False

    def begin(self) -> None:
        self._depth += 1
        if self._depth == 1 and not self._told:
            self._begun = perf_counter()
            self._timer = threading.Timer(max(self._left, 0.0), self._tell)
            self._timer.daemon = True
            self._timer.start()

    def end(self) -> None:
        self._depth -= 1
        if self._depth == 0:
            self._timer.cancel()
            self._left -= perf_counter() - self._begun

    def _tell(self) -> None:
        self._told = True
        self._say("compiling for this machine, once ...")


def tell(text: str) -> None:
    """To the log; and to a person at a terminal or in a notebook who does not see the log."""
    log = logging.getLogger("trigpoint")
    log.info(text)
    if not log.hasHandlers() and (sys.stderr.isatty() or "IPython" in sys.modules):
        sys.stderr.write(f"trigpoint: {text}\n")
        sys.stderr.flush()

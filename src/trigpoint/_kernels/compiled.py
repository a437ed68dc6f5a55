"""How a kernel is compiled: by numba, when it is first called, and kept on disk for the next process.

numba itself is imported by the first call, so that whoever needs no kernel does not wait for it. Where
neither the package's folder nor the home folder can be written to, nothing is kept: every process compiles.
"""

import threading
from collections.abc import Callable
from functools import update_wrapper
from typing import Any, Generic, ParamSpec, TypeVar, cast

from trigpoint._kernels.waiting import Waiting, tell

P = ParamSpec("P")
T = TypeVar("T")

_setting_up = threading.RLock()


def kernel(function: Callable[P, T]) -> "Kernel[P, T]":
    """The function, compiled. Releases the GIL; other kernels may call it."""
    return Kernel(function)


def summing_kernel(function: Callable[P, T]) -> "Kernel[P, T]":
    """As `kernel`, for a function whose sums may be added in any order, several times as fast.

    A machine adds the same numbers in the same order each time; another kind of machine may round otherwise.
    """
    return Kernel(function, {"reassoc", "contract", "nsz"})


class Kernel(Generic[P, T]):
    def __init__(self, function: Callable[P, T], fastmath: set[str] | None = None) -> None:
        update_wrapper(self, function)
        self.py_func, self._fastmath = function, fastmath or False
        self._dispatcher: Any = None

    def __call__(self, *arguments: P.args, **named: P.kwargs) -> T:
        return cast("T", self.dispatcher(*arguments, **named))

    @property
    def dispatcher(self) -> Any:
        """What numba makes of the function; it compiles when called."""
        if self._dispatcher is None:
            with _setting_up:
                self._dispatcher = self._dispatcher or _dispatcher(self.py_func, self._fastmath)
        return self._dispatcher


def _dispatcher(function: Callable[..., Any], fastmath: Any) -> Any:
    from numba import njit

    _teach_numba()
    try:
        return njit(cache=True, nogil=True, fastmath=fastmath)(function)
    except RuntimeError:  # no folder to keep it in
        return njit(nogil=True, fastmath=fastmath)(function)


_taught = False


def _teach_numba() -> None:
    """That a `Kernel` which a kernel calls stands for its dispatcher, and to say when compiling is slow."""
    global _taught
    if _taught:
        return
    from numba.core import event, types
    from numba.extending import typeof_impl

    def type_of(value: Kernel[..., Any], _: Any) -> Any:
        return types.Dispatcher(value.dispatcher)

    class Watch(event.Listener):
        def on_start(self, event: Any) -> None:
            waiting.begin()

        def on_end(self, event: Any) -> None:
            waiting.end()

    waiting = Waiting(tell)
    typeof_impl.register(Kernel)(type_of)
    event.register("numba:compile", Watch())  # type: ignore[no-untyped-call]
    _taught = True

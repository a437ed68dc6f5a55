"""Ctrl-C during a kernel that returns several arrays.

An interrupt that arrives while compiled code runs is raised when the first array is handed back to
Python. With a second one to follow, the interpreter finds a result beside an exception and reports a
SystemError instead; this puts the interrupt back in its place. (Kernels that return nothing, numbers or one
array need no help, and none may return a NamedTuple: that crashes.)
"""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


def stoppable(kernel: F) -> F:
    """The kernel as Python calls it; other kernels cannot call it."""

    @wraps(kernel)
    def call(*arguments: Any) -> Any:
        try:
            return kernel(*arguments)
        except SystemError as error:
            cause: BaseException | None = error
            while isinstance(cause, SystemError):
                cause = cause.__cause__
            if isinstance(cause, KeyboardInterrupt):
                raise KeyboardInterrupt from None
            raise

    return call  # type: ignore[return-value]

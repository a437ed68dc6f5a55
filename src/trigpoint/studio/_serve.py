"""A studio on the network: its socket, its server, the browser, and how it ends.

The socket comes first, since an address that is taken should be known before anything that takes time.
Ctrl-C is the normal way to end, and so is SIGTERM: requests that are under way get a second, then the store
is closed. Ctrl-C again does not wait for them.
"""

import asyncio
import errno
import gc
import logging
import os
import secrets
import signal
import socket
import sys
import threading
import warnings
import webbrowser
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import uvicorn
from starlette.types import ASGIApp

from trigpoint.studio._events import Draft
from trigpoint.studio._security import LOOPBACK, Access, is_loopback
from trigpoint.studio._studio import Studio
from trigpoint.studio._web import make_app

PORT, PORTS, TRIED = 8300, 1000, 100  # where to listen, and how many ports to try from there
EVERYWHERE = ("0.0.0.0", "::")
GRACE = 1  # seconds for requests that are under way
SELDOM = (50_000, 20, 50)  # thresholds of the garbage collector


def usual_port(store: Path) -> int:
    """The same for the same store: labels that wait in a browser belong to the page's address."""
    return PORT + zlib.crc32(str(store.absolute()).encode("utf-8", "surrogateescape")) % PORTS


def bind(host: str, port: int | None, usual: int = PORT) -> socket.socket:
    """A socket that listens: at this port (0: any free one), or at the first free one from the usual on."""
    wanted = range(usual, usual + TRIED) if port is None else (port,)
    for number in wanted:
        try:
            return _listen(host, number)
        except OSError as error:
            if error.errno not in (errno.EADDRINUSE, errno.EACCES):
                raise OSError(f"--host must be an address of this machine; got {host!r}.") from None
            why = os.strerror(error.errno)
    which = f"--port {port}" if port is not None else f"a port from {usual} to {usual + TRIED - 1}"
    raise OSError(f"{which} must be free on {host}; it is not: {why}.")


def _listen(host: str, port: int) -> socket.socket:
    """Named as TCP, since asyncio turns off Nagle's delay only where it is: 40 ms an answer otherwise."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if os.name == "posix":  # elsewhere it would let two studios share a port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(128)
    except BaseException:
        listener.close()
        raise
    return listener


def make_access(host: str, port: int) -> Access:
    """New tokens each time; the names are the loopback's, and the machine's where others may come."""
    token, once = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
    if is_loopback(host):
        return Access(token, f"trigpoint-{port}", {*LOOPBACK, host}, once=once)
    names = {*LOOPBACK, host.lower(), socket.gethostname().lower()}
    return Access(token, f"trigpoint-{port}", names, anywhere=True, once=once)


def address(host: str, port: int, token: str) -> str:
    name = socket.gethostname() if host in EVERYWHERE else f"[{host}]" if ":" in host else host
    return f"http://{name}:{port}/?token={token}"


def serve(
    studio: Studio,
    listener: socket.socket,
    host: str,
    *,
    first_drafts: Sequence[Draft] = (),
    announce: Callable[[str], None],
    browser: bool = True,
) -> None:
    """Run until Ctrl-C or SIGTERM. ``announce`` gets the link once the page can be asked for.

    The browser is started with a link of its own that works once: what programs are started with can be
    seen by all users of a machine.
    """
    port = int(listener.getsockname()[1])
    access = make_access(host, port)

    def ready() -> None:
        announce(address(host, port, access.token))
        if browser and has_display():
            link = address("127.0.0.1" if host in EVERYWHERE else host, port, access.once or access.token)
            threading.Thread(target=webbrowser.open, args=(link,), daemon=True).start()

    logging.getLogger("uvicorn").setLevel(logging.CRITICAL)  # the security middleware logs what goes wrong
    warnings.filterwarnings("ignore", module=r"PIL\.")  # of odd metadata; what cannot be read is an error
    with _collecting_seldom():
        asyncio.run(_run(studio, listener, first_drafts, _Server(make_app(studio, access), ready)))


@contextmanager
def _collecting_seldom() -> Iterator[None]:
    """Leave what is there by now out of garbage collections: it stays to the end.

    A collection stops all threads for as long as it looks at what there is: a tenth of a second in a
    large pool, several times in each import of many labels.
    """
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(*SELDOM)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


async def _run(
    studio: Studio, listener: socket.socket, first_drafts: Sequence[Draft], server: "_Server"
) -> None:
    await studio.start(first_drafts)
    try:
        with _stopped_by_signals(server):
            await server.serve(sockets=[listener])
    finally:
        await studio.close()


class _Server(uvicorn.Server):
    """uvicorn, which says when it is ready and leaves signals to us."""

    def __init__(self, app: ASGIApp, ready: Callable[[], None]) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                log_config=None,
                access_log=False,
                lifespan="off",
                ws="none",
                proxy_headers=False,
                server_header=False,
                timeout_graceful_shutdown=GRACE,
            )
        )
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._ready()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    def stop(self) -> None:
        self.force_exit = self.should_exit
        self.should_exit = True


@contextmanager
def _stopped_by_signals(server: _Server) -> Iterator[None]:
    """A signal that our parent told us to ignore (a job in the background) stays ignored."""
    if threading.current_thread() is not threading.main_thread():  # which alone hears of them
        yield
        return
    loop = asyncio.get_running_loop()
    former: dict[int, Any] = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    ours = [number for number, handler in former.items() if handler is not signal.SIG_IGN]
    for number in ours:
        loop.add_signal_handler(number, server.stop)
    try:
        yield
    finally:
        for number in ours:
            loop.remove_signal_handler(number)
            signal.signal(number, former[number])


def has_display() -> bool:
    """Whether there is a screen; without one a browser of the terminal might open, in place of ours."""
    if sys.platform in ("darwin", "win32"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))

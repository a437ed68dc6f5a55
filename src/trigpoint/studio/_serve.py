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
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import uvicorn
from starlette.types import ASGIApp

from trigpoint.studio._connections import Connection, end_late
from trigpoint.studio._event_store import Store
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


def kept_token(store: Store, new: bool = False) -> str:
    """The token of the link, which stays with the store, so that the link stays the same; or a new one."""
    if new or "token" not in store.about:
        store.amend(token=secrets.token_urlsafe(32))
    return str(store.about["token"])


def make_access(host: str, port: int, token: str, public: str | None = None) -> Access:
    """The names are the loopback's, and the machine's where others may come.

    A browser keeps a cookie whose name begins with __Host- only if it came from the very host by HTTPS.
    """
    secure = (public or "").startswith("https:")
    cookie, once = f"{'__Host-' * secure}trigpoint-{port}", secrets.token_urlsafe(32)
    base = origin(host, port, public)
    if is_loopback(host):
        return Access(token, cookie, {*LOOPBACK, host}, once=once, public=public, base=base)
    names = {*LOOPBACK, host.lower(), socket.gethostname().lower()}
    return Access(token, cookie, names, anywhere=True, once=once, public=public, base=base)


def origin(host: str, port: int, public: str | None = None) -> str:
    """Where browsers find the studio: "http://127.0.0.1:8300"."""
    if public is not None:
        return public
    name = network_address() if host in EVERYWHERE else host
    return f"http://[{name}]:{port}" if ":" in name else f"http://{name}:{port}"


def network_address() -> str:
    """This machine as others see it: the address from which it would speak to far ones, or else its name.

    Nothing is sent: to connect a datagram socket is to choose a route.
    """
    for family, far in ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1")):  # nobody's
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((far, 9))
            return str(probe.getsockname()[0])
    return socket.gethostname()


def serve(
    studio: Studio,
    listener: socket.socket,
    host: str,
    *,
    token: str,
    public: str | None = None,
    first_drafts: Sequence[Draft] = (),
    announce: Callable[[str], None],
    browser: bool = True,
) -> None:
    """Run until Ctrl-C or SIGTERM. ``announce`` gets the link once the page can be asked for.

    ``public`` is the origin at which a proxy takes requests for us.

    The browser is started with a link of its own that works once: what programs are started with can be
    seen by all users of a machine.
    """
    port = int(listener.getsockname()[1])
    access = make_access(host, port, token, public)

    def ready() -> None:
        announce(f"{origin(host, port, public)}/?token={token}")
        if browser and has_display():
            near = origin("127.0.0.1" if host in EVERYWHERE else host, port, public)
            link = f"{near}/?token={access.once}"
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
                http=Connection,
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

    async def on_tick(self, counter: int) -> bool:
        """Ten times a second."""
        if counter % 10 == 0:
            end_late(self.server_state.connections, asyncio.get_running_loop().time())
        return await super().on_tick(counter)

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

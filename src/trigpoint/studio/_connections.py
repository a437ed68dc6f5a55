"""Connections that wait for ever, and too many of them: how a few slow visitors keep nobody else out.

    a head that does not come   `PATIENCE` seconds from the connection, or from the last answer; then it ends.
                                This holds also for the rest of a body that was refused.
    an answer not taken         `STUCK` seconds without a byte taken from us; then the connection ends
    too many connections        the one that keeps us waiting longest, for a head or for a body, is closed, of
                                the address that has the most. Where none does, the new one gets a 503.

So a limit for each address is not needed, and a proxy, from whose address everybody comes, is an address like
any other. Bodies, and how fast they must come, are the matter of `_security`.
"""

import json
import os
from asyncio import Transport
from collections import Counter
from collections.abc import Iterable
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

PATIENCE = 10.0  # seconds
STUCK = 60.0  # seconds
MOST = 500  # connections
FULL = "the studio has as many connections as it can serve; try again in a moment."
BUSY = (h11.SEND_RESPONSE, h11.SEND_BODY)  # states of our side while a request is under way


class Connection(H11Protocol):
    """uvicorn's connection, which knows whose turn it is, and since when."""

    busy = False  # a request is under way
    since = 0.0  # when that began, or ended
    _left, _taken = 0, 0.0  # bytes of answers that the visitor has not taken yet, and when it took some last

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.since = self.loop.time()
        if len(self.connections) > most_connections() and not make_room(self.connections, besides=self):
            self.app = _full

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._look()

    def on_response_complete(self) -> None:
        self.busy, self.since = False, self.loop.time()
        super().on_response_complete()
        self._look()  # the next request may be here already

    def end_if_late(self, now: float) -> None:
        left = self.transport.get_write_buffer_size()
        if left != self._left:
            self._left, self._taken = left, now
        if left:
            late = now - self._taken > STUCK
        else:
            late = not self.busy and now - max(self.since, self._taken) > PATIENCE
        if late:
            self.transport.abort()

    @property
    def waits(self) -> bool:
        """It is the visitor's turn: to ask, or to send what was announced."""
        asked = self.busy and self.conn.their_state is not h11.SEND_BODY
        return not asked and not self.transport.get_write_buffer_size()

    def _look(self) -> None:
        busy = self.conn.our_state in BUSY
        if busy is not self.busy:
            self.busy, self.since = busy, self.loop.time()


def end_late(connections: Iterable[Any], now: float) -> None:
    """To be called every second or so."""
    for connection in list(connections):
        connection.end_if_late(now)


def make_room(connections: Iterable[Any], besides: Connection) -> bool:
    """Close the connection that waits longest, of the address that has the most; False where none waits."""
    waiting = [one for one in connections if one.waits and one is not besides]
    if not waiting:
        return False
    held = Counter(_address(one) for one in connections)
    least = min(waiting, key=lambda one: (-held[_address(one)], one.since))
    least.connections.discard(least)  # it is gone when the loop comes to it
    least.transport.abort()
    return True


def most_connections() -> int:
    """Half of the files that the process may open, where these are few: the store and pictures need some."""
    if os.name != "posix":
        return MOST
    import resource

    files = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return MOST if files == resource.RLIM_INFINITY else min(MOST, files // 2)


def _address(connection: Any) -> str:
    return connection.client[0] if connection.client else ""


async def _full(scope: Any, receive: Any, send: Any) -> None:
    body = json.dumps({"error": FULL}).encode()
    headers = {"content-type": "application/json", "content-length": str(len(body))}
    headers |= {"connection": "close", "retry-after": "2", "cache-control": "no-store"}
    pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": 503, "headers": pairs})
    await send({"type": "http.response.body", "body": body})

"""The page that lists the studios of a folder, on the network: a link of its own, the rules of a studio."""

import asyncio
import secrets
import socket
import threading
import webbrowser
from collections.abc import Callable
from typing import Annotated, Any

import msgspec
from msgspec import Meta
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from trigpoint.studio._hub import Hub
from trigpoint.studio._requests import Record, read_body
from trigpoint.studio._security import Access, RefusedError, SecurityMiddleware
from trigpoint.studio._serve import (
    EVERYWHERE,
    _Server,
    _stopped_by_signals,
    has_display,
    make_access,
    origin,
)
from trigpoint.studio._team import Done
from trigpoint.studio._web import HANDLERS, static_files, static_response


class OpenStudio(Record, frozen=True):
    store: Annotated[str, Meta(max_length=1000)]


def make_hub_app(hub: Hub, access: Access) -> ASGIApp:
    files = static_files()

    async def page(request: Request) -> Response:
        return static_response(files, "hub.html", request.headers)

    async def static(request: Request) -> Response:
        return static_response(files, request.path_params["path"], request.headers)

    async def studios(request: Request) -> Response:
        return _json(await hub.listing())

    async def open_studio(request: Request) -> Response:
        given = read_body(await request.body(), OpenStudio)
        try:
            await hub.open(given.store)
        except LookupError as error:
            raise RefusedError(404, str(error.args[0])) from None
        except ValueError as error:
            raise RefusedError(409, str(error)) from None
        return _json(Done(True))

    routes = [
        Route("/", page, methods=["GET"]),
        Route("/static/{path:path}", static, methods=["GET"]),
        Route("/api/studios", studios, methods=["GET"]),
        Route("/api/open", open_studio, methods=["POST"]),
    ]
    return SecurityMiddleware(Starlette(routes=routes, exception_handlers=HANDLERS), access)


def serve_hub(
    hub: Hub, listener: socket.socket, host: str, *, announce: Callable[[str], None], browser: bool = True
) -> None:
    """Run until Ctrl-C or SIGTERM, which ends the studios that were opened here, too."""
    port = int(listener.getsockname()[1])
    access = make_access(host, port, secrets.token_urlsafe(32))

    def ready() -> None:
        announce(f"{origin(host, port)}/?token={access.token}")
        if browser and has_display():
            near = origin("127.0.0.1" if host in EVERYWHERE else host, port)
            link = f"{near}/?token={access.once}"
            threading.Thread(target=webbrowser.open, args=(link,), daemon=True).start()

    asyncio.run(_run(hub, listener, _Server(make_hub_app(hub, access), ready)))


async def _run(hub: Hub, listener: socket.socket, server: _Server) -> None:
    try:
        with _stopped_by_signals(server):
            await server.serve(sockets=[listener])
    finally:
        await hub.close()


def _json(answer: Any) -> Response:
    return Response(msgspec.json.encode(answer), media_type="application/json")

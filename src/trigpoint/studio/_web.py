"""The routes: each checks what it is asked, calls the service, and answers.

refusals    a sentence as {"error": ...}: 400 bad request, 404 not there, 415 cannot be shown,
            503 the store cannot write, 507 the disk is full
threads     for what reads files or searches, so that nobody's next sample waits for it
"""

import asyncio
import json
import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import quote

from starlette.applications import Starlette
from starlette.background import BackgroundTask
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from trigpoint.studio._export import NothingYetError
from trigpoint.studio._guard import INTERNAL, Gate, Guard
from trigpoint.studio._pictures import GoneError, Picture, Pictures, UnseenError
from trigpoint.studio._requests import BadRequestError, arguments, checked, read_json
from trigpoint.studio._schema import EXPORTS, OPENAPI, ref
from trigpoint.studio._service import PoolChangedError, Service
from trigpoint.studio._static import static_files, static_response
from trigpoint.studio._store import StoreError

IMPORTS = (".csv", ".tsv", ".parquet", ".json", ".jsonl", ".csv.gz", ".tsv.gz", ".npy", ".npz")
RENEWED = {
    "cache-control": "private, no-cache"
}  # kept, but asked for again: numbers mean other pictures elsewhere


def make_app(service: Service, gate: Gate) -> ASGIApp:
    """The studio as an ASGI application, guarded; the service is started and closed by who runs it."""
    routes = Routes(service)
    gets: dict[str, Any] = {
        "/": routes.page,
        "/static/{path:path}": routes.static,
        "/api/setup": routes.setup,
        "/api/state": routes.state,
        "/api/samples": routes.samples,
        "/api/samples/{index}": routes.sample,
        "/api/pictures/{index}": routes.picture,
        "/api/history": routes.history,
        "/api/doubtful": routes.doubtful,
        "/api/disagreements": routes.disagreements,
        "/api/search": routes.search,
        "/api/map/coordinates": routes.map_coordinates,
        "/api/map/beliefs": routes.map_beliefs,
        "/api/map/landmarks": routes.landmarks,
        "/api/export/{name}": routes.export,
        "/api/openapi.json": routes.openapi,
    }
    posts = {"/api/actions": routes.actions, "/api/import": routes.load}
    listed = [Route(path, call, methods=["GET"]) for path, call in gets.items()]
    listed += [Route(path, call, methods=["POST"]) for path, call in posts.items()]
    app = Starlette(routes=listed, exception_handlers=HANDLERS)
    app.router.redirect_slashes = False
    return Guard(app, gate)


class Routes:
    def __init__(self, service: Service) -> None:
        self._service = service
        self._pictures: Pictures | None = None
        self._files = static_files()

    async def page(self, request: Request) -> Response:
        return static_response(self._files, "index.html", request.headers)

    async def static(self, request: Request) -> Response:
        return static_response(self._files, request.path_params["path"], request.headers)

    async def openapi(self, request: Request) -> Response:
        return JSONResponse(OPENAPI)

    async def setup(self, request: Request) -> Response:
        return JSONResponse(self._service.setup)

    async def state(self, request: Request) -> Response:
        given = arguments("/api/state", request.query_params)
        return JSONResponse(self._service.state(given["annotator"], given["held"] or []))

    async def actions(self, request: Request) -> Response:
        body = checked(read_json(await request.body()), ref("Actions"), "body")
        answer = await self._service.act(
            body["annotator"],
            body.get("held", []),
            body.get("want", 0),
            body["actions"],
            body.get("edition"),
        )
        return JSONResponse(answer)

    async def sample(self, request: Request) -> Response:
        given = arguments("/api/samples/{index}", request.query_params)
        return JSONResponse(
            self._service.sample(self._index(request.path_params["index"]), given["annotator"])
        )

    async def samples(self, request: Request) -> Response:
        given = arguments("/api/samples", request.query_params)
        found = [self._service.sample(self._index(i), given["annotator"]) for i in given["ids"]]
        return JSONResponse(found)

    async def picture(self, request: Request) -> Response:
        given = arguments("/api/pictures/{index}", request.query_params)
        i = self._index(request.path_params["index"])
        return _shown(request, await asyncio.to_thread(self._picture, i, given["small"] == 1))

    def _picture(self, i: int, small: bool) -> Picture:
        if self._pictures is None:
            self._pictures = Pictures(self._service.samples)
        return self._pictures.picture(i, small)

    async def history(self, request: Request) -> Response:
        given = arguments("/api/history", request.query_params)
        return JSONResponse(self._service.history(given["annotator"], given["before"], given["limit"] or 50))

    async def doubtful(self, request: Request) -> Response:
        given = arguments("/api/doubtful", request.query_params)
        return JSONResponse(self._service.doubtful(given["limit"] or 60))

    async def disagreements(self, request: Request) -> Response:
        return JSONResponse(self._service.disagreements())

    async def search(self, request: Request) -> Response:
        given = arguments("/api/search", request.query_params)
        return JSONResponse(await asyncio.to_thread(self._service.search, given["q"], given["limit"] or 50))

    async def map_coordinates(self, request: Request) -> Response:
        found = self._service.map_coordinates()
        if found is None:
            raise HTTPException(404, "there is no map yet: it is drawn when the graph is there.")
        return _binary(found[1], {"x-version": str(found[0])})

    async def map_beliefs(self, request: Request) -> Response:
        found = self._service.map_beliefs()
        if found is None:
            raise HTTPException(404, "nothing is predicted yet: a first label is needed.")
        version, content, classes = found
        return _binary(content, {"x-version": str(version), "x-classes": quote(json.dumps(list(classes)))})

    async def landmarks(self, request: Request) -> Response:
        return JSONResponse(self._service.landmarks())

    async def export(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name not in EXPORTS:
            raise HTTPException(404, f"name must be one of {', '.join(EXPORTS)}; got {name[:100]!r}.")
        try:
            path = await asyncio.to_thread(self._service.export, name)
        except OSError as error:
            raise HTTPException(507, f"the export could not be written: {error.strerror or error}.") from None
        gone = BackgroundTask(path.unlink, missing_ok=True)
        return FileResponse(path, filename=name, media_type=EXPORTS[name], background=gone)

    async def load(self, request: Request) -> Response:
        given = arguments("/api/import", request.query_params)
        suffix = next((end for end in IMPORTS if given["name"].lower().endswith(end)), None)
        if suffix is None:
            raise BadRequestError(f"name must end in one of {', '.join(IMPORTS)}; got {given['name']!r}.")
        with TemporaryDirectory(prefix="trigpoint-") as folder:
            path = Path(folder) / f"import{suffix}"
            with path.open("wb") as sink:
                async for part in request.stream():
                    sink.write(part)
            try:
                found = await self._service.import_labels(
                    given["name"], path, given["annotator"], given["dry"] == 1
                )
            except ValueError as error:
                raise BadRequestError(str(error).replace(str(path), given["name"])) from None
        return JSONResponse(found)

    def _index(self, given: str | int) -> int:
        n = self._service.samples.n_samples
        if not re.fullmatch(r"\d{1,10}", str(given), re.ASCII) or int(given) >= n:
            raise HTTPException(404, f"the sample must lie in [0, {n - 1}]; got {str(given)[:100]!r}.")
        return int(given)


def _binary(content: bytes, headers: dict[str, str]) -> Response:
    return Response(content, media_type="application/octet-stream", headers=headers)


def _shown(request: Request, picture: Picture) -> Response:
    headers = {**RENEWED, "etag": f'"{picture.etag}"'}
    if headers["etag"] in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return Response(picture.content, media_type=f"image/{picture.kind}", headers=headers)


def _error(status: int, why: str) -> Response:
    return JSONResponse({"error": why}, status_code=status)


async def _http_error(request: Request, error: Any) -> Response:
    status = error.status_code
    plain = {404: "there is nothing at this address.", 405: "this address does not take this method."}
    why = error.detail if error.detail not in ("Not Found", "Method Not Allowed") else plain[status]
    return JSONResponse({"error": why}, status_code=status, headers=error.headers)


async def _bad_request(request: Request, error: Exception) -> Response:
    return _error(400, str(error))


async def _not_there(request: Request, error: Exception) -> Response:
    return _error(404, str(error))


async def _unseen(request: Request, error: Exception) -> Response:
    return _error(415, str(error))


async def _unwritten(request: Request, error: Exception) -> Response:
    """The page keeps what it sent, and tries again."""
    return _error(507 if "full" in str(error) else 503, str(error))


async def _internal(request: Request, error: Exception) -> Response:
    return _error(500, INTERNAL)  # the guard logs it


async def _changed(request: Request, error: Exception) -> Response:
    return _error(409, str(error))


async def _left(request: Request, error: Exception) -> Response:
    return _error(400, "the browser left in the middle of the request.")


HANDLERS: dict[Any, Any] = {
    HTTPException: _http_error,
    BadRequestError: _bad_request,
    GoneError: _not_there,
    NothingYetError: _not_there,
    UnseenError: _unseen,
    StoreError: _unwritten,
    PoolChangedError: _changed,
    ClientDisconnect: _left,
    Exception: _internal,
}

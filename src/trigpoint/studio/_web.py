"""The routes: each checks what it is asked, calls the studio, and answers.

refusals    a sentence as {"error": ...}: 400 bad request, 404 not there, 409 the pool has changed,
            415 cannot be shown, 503 the store cannot write, 507 the disk is full
threads     for what reads files or searches, so that nobody's next sample waits for it
files       the page's own files are a fixed list by name, so that no name can lead out of their folder
"""

import asyncio
import errno
import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from http import HTTPStatus
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from typing import Any
from urllib.parse import quote

import msgspec
from msgspec import structs
from starlette.applications import Starlette
from starlette.background import BackgroundTask
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from trigpoint._errors import InputError
from trigpoint.io import check_unpacked
from trigpoint.studio import _requests as api
from trigpoint.studio._answers import Error, Refused
from trigpoint.studio._event_store import StoreError, StoreFullError
from trigpoint.studio._export_values import NothingYetError
from trigpoint.studio._gallery import gallery, patches
from trigpoint.studio._openapi import EXPORTS, OPENAPI
from trigpoint.studio._people import People
from trigpoint.studio._pictures import Picture, PictureMissingError, Pictures, PictureUnreadableError
from trigpoint.studio._requests import BadRequestError, person, read_body, read_query
from trigpoint.studio._roles import DOERS, action_problem
from trigpoint.studio._security import INTERNAL, Access, RefusedError, SecurityMiddleware
from trigpoint.studio._studio import PoolChangedError, Studio
from trigpoint.studio._team_web import TeamRoutes, allowed, visitor_of

IMPORTS = (".csv", ".tsv", ".parquet", ".json", ".jsonl", ".csv.gz", ".tsv.gz", ".npy", ".npz")
RENEWED = {"cache-control": "private, no-cache"}  # asked for again: an index means other pictures elsewhere
STATIC = Path(__file__).parent / "static"
MEDIA = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".woff2": "font/woff2",
    ".json": "application/json",
}


def make_app(studio: Studio, access: Access) -> ASGIApp:
    """The studio as an ASGI application behind its security; who runs it starts and closes the studio."""
    people = People(studio.store, access.token)
    access = replace(access, people=people)
    routes, team = Routes(studio, people), TeamRoutes(studio, people, access)
    gets: dict[str, Any] = {
        "/": routes.page,
        "/static/{path:path}": routes.static,
        "/api/setup": routes.setup,
        "/api/state": routes.state,
        "/api/samples": routes.samples,
        "/api/samples/{index}": routes.sample,
        "/api/pictures/{index}": routes.picture,
        "/api/history": routes.history,
        "/api/least_sure": routes.least_sure,
        "/api/reserve": routes.reserve,
        "/api/issues": routes.issues,
        "/api/disagreements": routes.disagreements,
        "/api/flagged": routes.flagged,
        "/api/search": routes.search,
        "/api/gallery": routes.gallery,
        "/api/guide": routes.guide,
        "/api/map/coordinates": routes.map_coordinates,
        "/api/map/predictions": routes.map_predictions,
        "/api/map/landmarks": routes.landmarks,
        "/api/export/{name}": routes.export,
        "/api/openapi.json": routes.openapi,
        **team.gets,
    }
    posts = {"/api/actions": routes.actions, "/api/import": routes.load, **team.posts}
    listed = [Route(path, allowed(path, call), methods=["GET"]) for path, call in gets.items()]
    listed += [Route(path, allowed(path, call), methods=["POST"]) for path, call in posts.items()]
    app = Starlette(routes=listed, exception_handlers=HANDLERS)
    app.router.redirect_slashes = False
    return SecurityMiddleware(app, access)


class Routes:
    def __init__(self, studio: Studio, people: People) -> None:
        self._studio, self._people = studio, people
        self._pictures: Pictures | None = None
        self._opening = Lock()
        self._files = static_files()
        self._one_import = asyncio.Lock()
        self._two_exports = asyncio.Semaphore(2)  # the other threads are for what people wait for

    async def page(self, request: Request) -> Response:
        return static_response(self._files, "index.html", request.headers)

    async def static(self, request: Request) -> Response:
        return static_response(self._files, request.path_params["path"], request.headers)

    async def openapi(self, request: Request) -> Response:
        return _json(OPENAPI)

    async def setup(self, request: Request) -> Response:
        visitor = visitor_of(request)
        return _json(structs.replace(self._studio.setup, role=visitor.role, person=visitor.name))

    async def state(self, request: Request) -> Response:
        query = read_query(request.query_params, api.StateQuery)
        annotator = self._who(request, query.annotator)
        held = query.held if visitor_of(request).role in DOERS else []  # who looks on holds nothing
        return _json(self._studio.page_state(annotator, held))

    async def actions(self, request: Request) -> Response:
        given = read_body(await request.body(), api.Actions)
        annotator = self._who(request, given.annotator)
        may, refused = [], []
        for action in given.actions:
            why = action_problem(visitor_of(request).role, self._kind(action))
            if why is None:
                may.append(action)
            else:
                refused.append(Refused(action.client, why))
        answer = await self._studio.act(annotator, given.held, given.want, may, given.edition)
        if self._pictures is not None:
            for item in answer.items:
                self._pictures.ahead(item.sample)
        return _json(structs.replace(answer, refused=[*refused, *answer.refused]))

    def _kind(self, action: api.AnyAction) -> str:
        """What an action does; to undo a rename is to rename."""
        if isinstance(action, api.UndoAction) and self._studio.state.is_rename(action.target):
            return "rename"
        return str(action.__struct_config__.tag)

    def _who(self, request: Request, given: str | None) -> str:
        """The annotator of a request; "" where none is named."""
        name = person(given)
        why = self._people.name_problem(visitor_of(request), name) if name else None
        if why is not None:
            raise RefusedError(403, why)
        if name:
            self._people.hear(name)
        return name

    async def sample(self, request: Request) -> Response:
        query = read_query(request.query_params, api.PersonQuery)
        return _json(
            self._studio.lookup.sample(
                self._index(request.path_params["index"]), self._who(request, query.annotator)
            )
        )

    async def samples(self, request: Request) -> Response:
        query = read_query(request.query_params, api.SamplesQuery)
        annotator = self._who(request, query.annotator)
        return _json([self._studio.lookup.sample(self._index(i), annotator) for i in query.ids])

    async def picture(self, request: Request) -> Response:
        query = read_query(request.query_params, api.PictureQuery)
        i = self._index(request.path_params["index"])
        known = request.headers.get("if-none-match", "")
        made = await asyncio.to_thread(lambda: self._all_pictures().picture(i, query.side, known))
        return _picture(await asyncio.wrap_future(made), known)

    def _all_pictures(self) -> Pictures:
        with self._opening:
            if self._pictures is None:
                self._pictures = Pictures(self._studio.samples)
            return self._pictures

    async def history(self, request: Request) -> Response:
        query = read_query(request.query_params, api.HistoryQuery)
        return _json(
            self._studio.lookup.history(
                self._who(request, query.annotator) or None, query.before, query.limit
            )
        )

    async def reserve(self, request: Request) -> Response:
        query = read_query(request.query_params, api.ReserveQuery)
        return _json(self._studio.reserve(self._who(request, query.annotator), query.limit))

    async def least_sure(self, request: Request) -> Response:
        return _json(
            self._studio.lookup.least_sure(read_query(request.query_params, api.LeastSureQuery).limit)
        )

    async def issues(self, request: Request) -> Response:
        query = read_query(request.query_params, api.IssuesQuery)
        return _json(
            self._studio.lookup.issues(self._who(request, query.annotator), query.start, query.limit)
        )

    async def disagreements(self, request: Request) -> Response:
        return _json(self._studio.lookup.disagreements())

    async def flagged(self, request: Request) -> Response:
        return _json(self._studio.lookup.flagged())

    async def search(self, request: Request) -> Response:
        query = read_query(request.query_params, api.SearchQuery)
        return _json(await asyncio.to_thread(self._studio.lookup.search, query.q, query.limit))

    async def gallery(self, request: Request) -> Response:
        query = read_query(request.query_params, api.GalleryQuery)
        known = self._studio.lookup.known(query.name)
        found, n_patches = await asyncio.to_thread(lambda: (gallery(query, known), patches(known)))
        told = {"total": len(found), "version": self._studio.state.version, "patches": n_patches}
        headers = {f"x-{name}": str(number) for name, number in told.items()}
        return _binary(found.astype("<i4").tobytes(), headers)

    async def map_coordinates(self, request: Request) -> Response:
        found = self._studio.results.coordinates()
        if found is None:
            raise RefusedError(404, "there is no map yet: it is drawn when the graph is ready.")
        return _binary(found[1], {"x-version": str(found[0])})

    async def map_predictions(self, request: Request) -> Response:
        found = self._studio.results.map_layers()
        if found is None:
            raise RefusedError(404, "nothing is predicted yet: a first label is needed.")
        version, content, classes = found
        return _binary(content, {"x-version": str(version), "x-classes": quote(json.dumps(list(classes)))})

    async def guide(self, request: Request) -> Response:
        return _json(self._studio.lookup.guide())

    async def landmarks(self, request: Request) -> Response:
        return _json(self._studio.lookup.landmarks())

    async def export(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name not in EXPORTS:
            raise RefusedError(404, f"name must be one of {', '.join(EXPORTS)}; got {name[:100]!r}.")
        try:
            async with self._two_exports:
                with _disk("the export"):
                    path = await asyncio.to_thread(lambda: self._studio.export(name, self._all_pictures()))
        except InputError as error:  # what it needs is not installed
            raise RefusedError(501, f"{name} {error.rule}.") from None
        gone = BackgroundTask(path.unlink, missing_ok=True)
        return FileResponse(path, filename=name, media_type=EXPORTS[name], background=gone)

    async def load(self, request: Request) -> Response:
        query = read_query(request.query_params, api.ImportQuery)
        annotator = self._who(request, query.annotator)
        suffix = next((end for end in IMPORTS if query.name.lower().endswith(end)), None)
        if suffix is None:
            raise BadRequestError(
                f"the file's name must end in one of {', '.join(IMPORTS)}; got {query.name!r}."
            )
        with TemporaryDirectory(prefix="trigpoint-") as folder:
            path = Path(folder) / f"import{suffix}"
            with _disk("the file"), path.open("wb") as sink:
                async for part in request.stream():
                    sink.write(part)
            try:
                async with self._one_import:  # for the memory that it takes
                    await asyncio.to_thread(check_unpacked, path)
                    found = await self._studio.import_labels(path, annotator, query.dry == 1)
            except ValueError as error:
                raise BadRequestError(str(error).replace(str(path), query.name)) from None
        return _json(found)

    def _index(self, given: str | int) -> int:
        n = self._studio.samples.n_samples
        if not re.fullmatch(r"\d{1,10}", str(given), re.ASCII) or int(given) >= n:
            raise RefusedError(404, f"the sample must lie in [0, {n - 1}]; got {str(given)[:100]!r}.")
        return int(given)


def static_files() -> dict[str, Path]:
    """What is served, by its path in the folder."""
    found = (path for path in STATIC.rglob("*") if path.suffix in MEDIA and path.is_file())
    return {path.relative_to(STATIC).as_posix(): path for path in found}


def static_response(files: Mapping[str, Path], name: str, headers: Mapping[str, str]) -> Response:
    """A file, or 304 where the browser has it already; it asks each time, so that updates are seen."""
    if name not in files:
        raise RefusedError(404, "there is no such file in the page.")
    content = files[name].read_bytes()
    etag = f'"{hashlib.blake2b(content, digest_size=12).hexdigest()}"'
    known = {"etag": etag, "cache-control": "no-cache"}
    if etag in headers.get("if-none-match", ""):
        return Response(status_code=304, headers=known)
    return Response(content, media_type=MEDIA[files[name].suffix], headers=known)


def _json(answer: Any, status: int = 200) -> Response:
    return Response(msgspec.json.encode(answer), status, media_type="application/json")


def _binary(content: bytes, headers: dict[str, str]) -> Response:
    return Response(content, media_type="application/octet-stream", headers=headers)


def _picture(picture: Picture, known: str) -> Response:
    headers = {**RENEWED, "etag": f'"{picture.etag}"'}
    if headers["etag"] in known:
        return Response(status_code=304, headers=headers)
    return Response(picture.content, media_type=f"image/{picture.kind}", headers=headers)


@contextmanager
def _disk(what: str) -> Iterator[None]:
    """Say what could not be written to the disk for temporary files."""
    try:
        yield
    except StoreError:
        raise
    except OSError as error:
        status = 507 if error.errno in (errno.ENOSPC, errno.EDQUOT) else 503
        raise RefusedError(status, f"{what} could not be written: {error.strerror or error}.") from None


async def _refused(request: Request, error: Any) -> Response:
    return _json(Error(error.detail), error.status_code)


async def _http_error(request: Request, error: Any) -> Response:
    """What starlette itself refuses."""
    words = {404: "there is nothing at this address.", 405: "this address does not take this method."}
    answer = _json(Error(words.get(error.status_code, error.detail)), error.status_code)
    answer.headers.update(error.headers or {})
    return answer


def _answer(status: int, why: str | None = None) -> Callable[[Request, Exception], Any]:
    """A handler of one kind of error: its own sentence, or another."""

    async def answer(request: Request, error: Exception) -> Response:
        return _json(Error(why or str(error)), status)

    return answer


HANDLERS: dict[Any, Any] = {
    HTTPException: _http_error,
    RefusedError: _refused,
    BadRequestError: _answer(HTTPStatus.BAD_REQUEST),
    ClientDisconnect: _answer(HTTPStatus.BAD_REQUEST, "the browser left in the middle of the request."),
    PictureMissingError: _answer(HTTPStatus.NOT_FOUND),
    NothingYetError: _answer(HTTPStatus.NOT_FOUND),
    PoolChangedError: _answer(HTTPStatus.CONFLICT),
    PictureUnreadableError: _answer(HTTPStatus.UNSUPPORTED_MEDIA_TYPE),
    StoreError: _answer(HTTPStatus.SERVICE_UNAVAILABLE),  # the page keeps what it sent, and tries again
    StoreFullError: _answer(HTTPStatus.INSUFFICIENT_STORAGE),
    Exception: _answer(HTTPStatus.INTERNAL_SERVER_ERROR, INTERNAL),  # logged by the security middleware
}

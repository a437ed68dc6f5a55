"""The routes of people: the team, links, passwords; and who may use which route."""

import functools
from collections.abc import Awaitable, Callable
from math import ceil
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from trigpoint.studio import _requests as api
from trigpoint.studio._answers import Error
from trigpoint.studio._people import SESSION, Link, People
from trigpoint.studio._requests import BadRequestError, person, read_body, read_query
from trigpoint.studio._roles import ROUTES, Visitor, route_problem
from trigpoint.studio._security import Access, RefusedError
from trigpoint.studio._studio import Studio
from trigpoint.studio._team import Done, LinkInfo, LinkList

Endpoint = Callable[[Request], Awaitable[Response]]

WRONG = "name and password do not belong together."
NAMELESS = "a password must belong to a link with a name; this link is nobody's: ask an owner for your own."


def visitor_of(request: Request) -> Visitor:
    found: Visitor = request.scope["visitor"]
    return found


def allowed(path: str, call: Endpoint) -> Endpoint:
    """The endpoint for those who may use it; a path without a rule is an error here and now."""
    if path not in ROUTES:
        raise LookupError(f"the route {path} must have a rule in _roles.ROUTES; it has none.")

    @functools.wraps(call)
    async def guarded(request: Request) -> Response:
        visitor: Visitor | None = request.scope.get("visitor")
        why = None if visitor is None else route_problem(visitor.role, path)  # None: what is open to all
        if why is not None:
            raise RefusedError(403, why)
        return await call(request)

    return guarded


class TeamRoutes:
    def __init__(self, studio: Studio, people: People, access: Access) -> None:
        self._studio, self._people, self._access = studio, people, access
        self.gets: dict[str, Endpoint] = {
            "/api/team": self.team,
            "/api/activity": self.activity,
            "/api/links": self.links,
        }
        self.posts: dict[str, Endpoint] = {
            "/api/links": self.invite,
            "/api/links/end": self.end,
            "/api/password": self.password,
            "/api/sign_in": self.sign_in,
            "/api/sign_out": self.sign_out,
        }

    async def team(self, request: Request) -> Response:
        roles = {link.name: str(link.role) for link in self._people.links if link.name is not None}
        return _json(self._studio.team_answer(roles, self._people.heard))

    async def activity(self, request: Request) -> Response:
        query = read_query(request.query_params, api.ActivityQuery)
        return _json(self._studio.activity(person(query.person) or None, query.before, query.limit))

    async def links(self, request: Request) -> Response:
        local = self._access.public is None and not self._access.anywhere
        return _json(LinkList([self._told(request, link) for link in self._people.links], local))

    async def invite(self, request: Request) -> Response:
        given = read_body(await request.body(), api.Invite)
        try:
            link = await self._people.invite(given.role, given.name)
        except ValueError as error:
            raise BadRequestError(str(error)) from None
        return _json(self._told(request, link))

    async def end(self, request: Request) -> Response:
        given = read_body(await request.body(), api.EndLink)
        return _json(Done(await self._people.end(given.id)))

    async def password(self, request: Request) -> Response:
        visitor, given = visitor_of(request), read_body(await request.body(), api.NewPassword)
        if visitor.link is None or visitor.name is None:
            raise RefusedError(403, NAMELESS)
        try:
            await self._people.set_password(visitor.link, given.password, request.scope["secret"])
        except ValueError as error:
            raise BadRequestError(str(error)) from None
        return _json(Done(True))

    async def sign_in(self, request: Request) -> Response:
        given = read_body(await request.body(), api.SignIn)
        wait = ceil(self._people.wait(given.name))
        if wait:
            why = f"too many tries: wait {wait} second{'s' * (wait != 1)}, then try again."
            return _json(Error(why), 429, {"retry-after": str(wait)})
        secret = await self._people.sign_in(given.name, given.password)
        if secret is None:
            return _json(Error(WRONG), 401)
        cookie = f"{self._access.set_cookie(secret)}; Max-Age={SESSION:.0f}"
        return _json(Done(True), headers={"set-cookie": cookie})

    async def sign_out(self, request: Request) -> Response:
        read_body(await request.body(), api.SignOut)
        await self._people.sign_out(request.scope["secret"])
        return _json(Done(True), headers={"set-cookie": f"{self._access.set_cookie('')}; Max-Age=0"})

    def _told(self, request: Request, link: Link) -> LinkInfo:
        base = self._access.base or f"{request.url.scheme}://{request.headers['host']}"
        seen = self._people.heard.get(link.name) if link.name is not None else None
        secret = link.password is not None
        return LinkInfo(link.id, f"{base}/?token={link.token}", link.role, link.name, link.made, seen, secret)


def _json(answer: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    return Response(msgspec.json.encode(answer), status, headers, media_type="application/json")

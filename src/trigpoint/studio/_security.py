"""Who may ask: every request passes here first, and every answer leaves with the same headers.

    host      the name that the browser used is one of ours, so that no other site's name leads here
    token     in the link once; then in a cookie that scripts cannot read and other sites cannot send; it
              says who it is (`_people`), and the routes what they may do (`_roles`)
    origin    what changes something comes from our own page, as the browser itself attests
    body      of the type that the route takes, not larger than it may be, and not slower

Names are checked without their port, so that a forwarded port works; the origin must be the very
address that the request was sent to, port and all, so that no other page on this machine can write.

A studio with a public address (--public-url) has no other: a proxy takes requests at that address, and passes
them on with their Host. What proxies say of a request (X-Forwarded-For and the like) is not looked at.
"""

import asyncio
import hmac
import ipaddress
import json
import logging
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from html import escape
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qsl

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from trigpoint.studio._people import People
from trigpoint.studio._roles import Visitor

LOOPBACK = ("127.0.0.1", "localhost", "::1")
POLICY = "; ".join(
    (
        "default-src 'none'",
        *(f"{what}-src 'self'" for what in ("script", "style", "img", "connect", "font")),
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
)
METHODS = ("GET", "HEAD", "POST")
UPLOADS = "/api/import"
JSON_LIMIT, UPLOAD_LIMIT, OPEN_LIMIT = 2_000_000, 50_000_000, 10_000  # bytes; the last without a token
PATIENCE, PACE = 60.0, 10_000  # seconds for a body, and a second more for so many bytes that have come
OPEN = ("/static/style.css", "/static/mark.svg", "/static/sign_in.js")  # for those without a token
OPEN_POST = "/api/sign_in"
PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>trigpoint studio</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="/static/mark.svg" type="image/svg+xml">
<link rel="stylesheet" href="/static/style.css">{head}</head>
<body><div id="app"><main class="plate">
<p class="eyebrow"><img class="mark" src="/static/mark.svg" alt=""></p>
<h1>trigpoint studio</h1>{text}
</main></div></body></html>
"""
HOW = (
    "The link was printed where the studio was started; it ends in ?token= and a long word. If it is "
    "lost, end the studio with Ctrl-C and run the same command again: it prints the same link, and no label "
    "is lost."
)
LINK = "open the link that trigpoint studio printed: it holds the token."
BOTH = "sign in, or open your link."
ENDED = "this link was ended by an owner of the studio: ask for a new one."
KEPT = "Labels that this browser has not sent yet stay in it, and are sent when you come back."
SIGN_IN = """<form class="sign-in" id="sign-in">
<label for="name">Your name</label>
<input id="name" maxlength="60" autocomplete="username" required>
<label for="password">Your password</label>
<input id="password" type="password" maxlength="200" autocomplete="current-password" required>
<button class="primary" type="submit">Sign in</button>
<p class="wrong" id="said" role="alert"></p>
</form>"""
SIGN_IN_HEAD = '<script type="module" src="/static/sign_in.js"></script>'
PROXY = "Behind a proxy, start the studio with --public-url and the address that browsers show."
ONWARD = '<meta http-equiv="refresh" content="0; url=/">'
INTERNAL = "internal error: the terminal that runs the studio tells more."
log = logging.getLogger("trigpoint.studio")


@dataclass(frozen=True)
class Access:
    """What opens a studio: its token, the cookie that carries it, and the names that it answers to.

    ``anywhere`` is for a studio that others can reach: it answers to any address in numbers as well, which
    no other site can pretend to be. ``once`` is a second token, for one use. ``public`` is the origin that
    browsers see, "https://label.example.com", where a proxy stands between. ``base`` is the origin of links.
    ``people`` have links of their own; without them the token alone opens it.
    """

    token: str
    cookie: str
    hosts: Collection[str] = LOOPBACK
    anywhere: bool = False
    once: str | None = None
    public: str | None = None
    base: str = ""
    people: People | None = None

    def visitor(self, secret: str) -> Visitor | None:
        """Who comes with this token, or with this session."""
        if self.people is not None:
            return self.people.visitor(secret)
        return Visitor() if _same(secret, self.token) else None

    def answers_to(self, host: str) -> bool:
        name = _name(host)
        if self.public is not None:
            return name == _name(self.public.partition("://")[2])
        return name in self.hosts or (self.anywhere and _is_address(name))

    def set_cookie(self, token: str) -> str:
        """The header that makes a browser keep the token."""
        secure = "; Secure" if (self.public or "").startswith("https:") else ""
        return f"{self.cookie}={token}; HttpOnly; SameSite=Strict; Path=/{secure}"


class RefusedError(HTTPException):
    """A request that we refuse, with a sentence of ours; other HTTPExceptions are starlette's own."""

    def __init__(self, status: int, why: str, **headers: str) -> None:
        super().__init__(status, why, headers)


class SecurityMiddleware:
    """ASGI middleware, around the whole application."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self._app, self._access = app, access
        self._once = access.once

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":  # a web socket, which nothing here speaks
            await send({"type": "websocket.close", "code": 1008})
            return
        answer = _Answer(send, self._access)
        try:
            await self._pass(scope, receive, answer)
        except RefusedError as refusal:
            await answer.error(scope, refusal.status_code, refusal.detail, refusal.headers)
        except Exception:
            log.exception("internal error at %s %s", scope["method"], scope["path"])
            if not answer.begun:
                await answer.error(scope, 500, INTERNAL)

    async def _pass(self, scope: Scope, receive: Receive, answer: "_Answer") -> None:
        headers = _headers(scope)
        _check_host(headers, self._access)
        if scope["method"] not in METHODS:
            rule = f"the method must be {', '.join(METHODS[:-1])} or {METHODS[-1]}"
            raise RefusedError(405, f"{rule}; got {scope['method']}.", allow=", ".join(METHODS))
        given = dict(parse_qsl(scope["query_string"].decode("latin-1"))).get("token")
        if scope["path"] == "/" and given is not None:
            await self._welcome(scope, headers, given, answer)
            return
        if scope["method"] == "GET" and scope["path"] in OPEN:
            await self._app(scope, receive, answer)
            return
        if not (scope["method"] == "POST" and scope["path"] == OPEN_POST):
            scope["visitor"], scope["secret"] = self._known(headers)
        if scope["method"] == "POST":
            _check_origin(headers, self._access.public or f"{scope['scheme']}://{headers['host']}")
            receive = _limited(receive, _check_body(scope, headers))
        await self._app(scope, receive, answer)

    def _known(self, headers: dict[str, str]) -> tuple[Visitor, str]:
        """Who has the cookie, and what it holds."""
        secrets = _cookies(headers, self._access.cookie)
        found = [(one, secret) for secret in secrets if (one := self._access.visitor(secret)) is not None]
        if not found:
            raise RefusedError(401, LINK)
        alive = [pair for pair in found if not pair[0].ended]
        if not alive:
            raise RefusedError(410, ENDED)
        return alive[0]

    async def _welcome(self, scope: Scope, headers: dict[str, str], given: str, answer: "_Answer") -> None:
        """Change the token of the link for a cookie.

        A browser that comes from another site would not send the cookie along when it is redirected, as
        the whole journey counts as that site's; from a page of ours it does.
        """
        if self._once is not None and _same(given, self._once):
            self._once, given = None, self._access.token
        visitor = self._access.visitor(given)
        if visitor is None:
            why = "the token of this link does not belong to this studio, which may have a new link."
            raise RefusedError(401, why)
        if visitor.ended:
            raise RefusedError(410, ENDED)
        more = {"set-cookie": self._access.set_cookie(given)}
        if headers.get("sec-fetch-site") == "cross-site":
            page = PAGE.format(head=ONWARD, text='<p class="lead"><a href="/">Go on to the studio.</a></p>')
            await answer.whole(200, page.encode(), "text/html; charset=utf-8", more)
        else:
            await answer.whole(303, b"", "text/plain; charset=utf-8", {**more, "location": "/"})


class _Answer:
    """A `send` that adds our headers to whatever is answered."""

    def __init__(self, send: Send, access: Access) -> None:
        self._send, self._access = send, access
        self.begun = False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.begun = True
            own = [(name.lower(), value) for name, value in message.get("headers", ())]
            names = {name for name, _ in own}
            late = [] if b"cache-control" in names else [(b"cache-control", b"no-store")]
            message = {**message, "headers": [*own, *HEADERS, *late]}
        await self._send(message)

    async def whole(self, status: int, body: bytes, media: str, headers: Mapping[str, str]) -> None:
        listed = {"content-type": media, "content-length": str(len(body)), **headers}
        pairs = [(name.encode(), value.encode("latin-1")) for name, value in listed.items()]
        await self({"type": "http.response.start", "status": status, "headers": pairs})
        await self({"type": "http.response.body", "body": body})

    async def error(
        self, scope: Scope, status: int, why: str, headers: Mapping[str, str] | None = None
    ) -> None:
        """One sentence: for people where they wanted the page, else as JSON."""
        if scope["path"] == "/" and scope["method"] == "GET":
            form = head = how = ""
            if status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.GONE):
                how = f'<p class="quiet">{KEPT if why == ENDED else HOW}</p>'
                if self._access.people is not None and self._access.people.has_passwords:
                    form, head = SIGN_IN, SIGN_IN_HEAD
                    why = BOTH if why == LINK else why
            lead = f'<p class="lead">{escape(why[:1].upper() + why[1:])}</p>'
            page = PAGE.format(head=head, text=lead + form + how)
            await self.whole(status, page.encode(), "text/html; charset=utf-8", headers or {})
        else:
            await self.whole(status, json.dumps({"error": why}).encode(), "application/json", headers or {})


def is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _headers(scope: Scope) -> dict[str, str]:
    """By lower-case name; of those sent twice, all, as HTTP joins them."""
    found: dict[str, str] = {}
    for raw, value in scope["headers"]:
        name, text = raw.decode("latin-1").lower(), value.decode("latin-1")
        found[name] = f"{found[name]}{'; ' if name == 'cookie' else ', '}{text}" if name in found else text
    return found


def _check_host(headers: dict[str, str], access: Access) -> None:
    given = headers.get("host", "")
    if access.answers_to(given):
        return
    got = f"got {given[:100]!r}"
    if access.public is not None:
        raise RefusedError(
            403,
            f"this studio is at {access.public}, as --public-url says; {got} as Host. "
            "A proxy must pass on the Host that it was asked for.",
        )
    raise RefusedError(403, f"Host must be an address of this studio; {got}. {PROXY}")


def _name(host: str) -> str:
    """The name or the address without the port.

    >>> _name("localhost:8300"), _name("[::1]:8300"), _name("127.0.0.1")
    ('localhost', '::1', '127.0.0.1')
    """
    if host.startswith("["):
        return host[1:].partition("]")[0].lower()
    return host.partition(":")[0].lower()


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _cookies(headers: dict[str, str], name: str) -> list[str]:
    pairs = (part.strip().partition("=") for part in headers.get("cookie", "").split(";"))
    return [value.strip() for key, _, value in pairs if key == name]


def _same(given: str, token: str) -> bool:
    return hmac.compare_digest(given.encode(), token.encode())


def _check_origin(headers: dict[str, str], ours: str) -> None:
    origin, site = headers.get("origin"), headers.get("sec-fetch-site")
    if origin is None and site != "same-origin":
        raise RefusedError(403, f"Origin must be {ours}; got none.")
    if origin is not None and origin.lower() != ours.lower():
        raise RefusedError(403, f"Origin must be {ours}; got {origin[:100]!r}. {PROXY}")


def _check_body(scope: Scope, headers: dict[str, str]) -> int:
    """The most bytes that may come; what is announced must keep to it already."""
    upload = scope["path"] == UPLOADS
    wanted = "application/octet-stream" if upload else "application/json"
    given = headers.get("content-type", "").partition(";")[0].strip().lower()
    if given != wanted:
        raise RefusedError(415, f"Content-Type must be {wanted}; got {given[:100]!r}.")
    limit = UPLOAD_LIMIT if upload else OPEN_LIMIT if scope["path"] == OPEN_POST else JSON_LIMIT
    length = headers.get("content-length", "0")
    if not (length.isascii() and length.isdigit() and len(length) <= 18):
        raise RefusedError(400, f"Content-Length must be a number; got {length[:100]!r}.")
    if int(length) > limit:
        raise RefusedError(413, _too_large(limit))
    return limit


def _too_large(limit: int) -> str:
    return f"the body must have at most {limit:,} bytes; it has more."


def _limited(receive: Receive, limit: int) -> Receive:
    """For bodies that do not say how long they are, or that do not come, or come in drops."""
    seen, more, start = 0, True, asyncio.get_running_loop().time()

    async def counted() -> Message:
        nonlocal seen, more
        try:
            async with asyncio.timeout_at(start + PATIENCE + seen / PACE if more else None):
                message: dict[str, Any] = dict(await receive())
        except TimeoutError:
            rule = (
                f"the body must come within {PATIENCE:g} seconds, and a second more for each {PACE:,} bytes"
            )
            raise RefusedError(408, f"{rule}; it did not.") from None
        more = bool(message.get("more_body", False))
        seen += len(message.get("body", b""))
        if seen > limit:
            raise RefusedError(413, _too_large(limit))
        return message

    return counted

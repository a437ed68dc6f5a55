"""Every rule of the door, by real requests to a small application behind it."""

import asyncio
import json

import pytest

from trigpoint.studio._security import (
    JSON_LIMIT,
    OPEN_LIMIT,
    UPLOAD_LIMIT,
    Access,
    SecurityMiddleware,
    is_loopback,
)

TOKEN = "t0ken-t0ken"
BASE = "http://127.0.0.1:8300"
JSON = {"origin": BASE, "content-type": "application/json"}
EXPECTED = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
}


async def inside(scope, receive, send):
    """Answers with how many bytes came; /boom fails, /half fails half-way, /kept says how it is cached."""
    if scope["path"] == "/boom":
        raise RuntimeError("the secret of the house")
    size, more = 0, True
    while more and scope["method"] == "POST":
        message = await receive()
        size += len(message.get("body", b""))
        more = message.get("more_body", False)
    headers = [(b"content-type", b"text/plain")]
    if scope["path"] == "/kept":
        headers.append((b"Cache-Control", b"private"))
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    if scope["path"] == "/half":
        raise RuntimeError("the secret of the house")
    await send({"type": "http.response.body", "body": str(size).encode()})


@pytest.fixture
def visitor(visit):
    def call(access=None, *, known=True):
        cookie = {"cookie": f"trigpoint-8300={TOKEN}"} if known else {}
        return visit(SecurityMiddleware(inside, access or Access(TOKEN, "trigpoint-8300")), BASE, **cookie)

    return call


def test_the_token_of_the_link_becomes_a_cookie(visitor):
    client = visitor(known=False)
    answer = client.get(f"/?token={TOKEN}")
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    assert answer.headers["set-cookie"] == (f"trigpoint-8300={TOKEN}; HttpOnly; SameSite=Strict; Path=/")
    assert client.get("/").status_code == 200  # the client has kept it


def test_a_visitor_from_another_site_is_led_on_by_a_page_of_ours(visitor):
    answer = visitor(known=False).get(f"/?token={TOKEN}", headers={"sec-fetch-site": "cross-site"})
    assert answer.status_code == 200
    assert 'http-equiv="refresh" content="0; url=/"' in answer.text
    assert "HttpOnly; SameSite=Strict" in answer.headers["set-cookie"]


def test_a_link_for_one_use(visitor):
    client = visitor(Access(TOKEN, "trigpoint-8300", once="only-once"), known=False)
    first, second = client.get("/?token=only-once"), visitor(known=False).get("/?token=only-once")
    assert first.status_code == 303
    assert f"trigpoint-8300={TOKEN};" in first.headers["set-cookie"]
    assert second.status_code == 401
    client.client.cookies.clear()
    assert client.get("/?token=only-once").status_code == 401
    assert client.get(f"/?token={TOKEN}").status_code == 303


@pytest.mark.parametrize("token", ["wrong", "", TOKEN + "x", TOKEN[:-1], "%00", "%ff", "ü"])
def test_a_wrong_token_gets_a_page_that_says_so(visitor, token):
    answer = visitor(known=False).get(f"/?token={token}")
    assert answer.status_code == 401
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert "set-cookie" not in answer.headers
    assert TOKEN not in answer.text


@pytest.mark.parametrize(
    "cookie",
    [
        None,
        "",
        "trigpoint-8300=",
        "trigpoint-8300=wrong",
        f"trigpoint-8301={TOKEN}",
        f"x={TOKEN}",
        f"xtrigpoint-8300={TOKEN}",
        "trigpoint-8300",
        ";;;=",
    ],
)
@pytest.mark.parametrize("path", ["/", "/api/state", "/static/app.js", "/nothing"])
def test_without_the_cookie_nothing_is_told(visitor, cookie, path):
    headers = {} if cookie is None else {"cookie": cookie}
    answer = visitor(known=False).get(path, headers=headers)
    assert answer.status_code == 401
    if path != "/":
        assert set(answer.json()) == {"error"}


@pytest.mark.parametrize(
    "cookie", [f"a=b; trigpoint-8300={TOKEN}; c=d", f"trigpoint-8300=old; trigpoint-8300={TOKEN}"]
)
def test_the_cookie_is_found_among_others(visitor, cookie):
    assert visitor(known=False).get("/api/state", headers={"cookie": cookie}).status_code == 200


@pytest.mark.parametrize(
    "host", ["127.0.0.1:8300", "localhost:8300", "[::1]:8300", "LOCALHOST", "localhost:9999"]
)
def test_names_of_the_loopback_whatever_the_port(visitor, host):
    assert visitor().get("/api/state", headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:8300",
        "127.0.0.1.evil.example:8300",
        "192.168.1.7:8300",
        "",
        "localhost.evil",
        "<b>",
    ],
)
def test_other_names_are_refused_even_with_the_cookie(visitor, host):
    for path in ("/api/state", "/", f"/?token={TOKEN}"):
        answer = visitor().get(path, headers={"host": host})
        assert answer.status_code == 403
        assert "<b>" not in answer.text or path != "/"


def test_a_studio_for_others_answers_to_addresses_in_numbers_and_to_its_own_name(visitor):
    client = visitor(Access(TOKEN, "trigpoint-8300", {"localhost", "atlas"}, anywhere=True))
    status = {
        host: client.get("/api/state", headers={"host": host}).status_code
        for host in ("192.168.1.7:8300", "[fe80::1]:8300", "atlas:8300", "localhost", "evil.example:8300")
    }
    assert list(status.values()) == [200, 200, 200, 200, 403]


def test_a_name_that_is_not_ours_is_told_of_public_url(visitor):
    why = "start the studio with --public-url and the address that browsers show."
    assert visitor().get("/api/state", headers={"host": "label.example.com"}).json()["error"].endswith(why)
    headers = {**JSON, "origin": "https://label.example.com"}  # of a proxy that does not pass on the Host
    assert visitor().post("/api/actions", content=b"{}", headers=headers).json()["error"].endswith(why)


PUBLIC = Access(TOKEN, "__Host-trigpoint-8300", public="https://label.example.com")
PUBLIC_COOKIE = f"__Host-trigpoint-8300={TOKEN}"


def test_behind_a_proxy_with_https_the_cookie_is_for_https_alone(visitor):
    answer = visitor(PUBLIC, known=False).get(f"/?token={TOKEN}", headers={"host": "label.example.com"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    assert answer.headers["set-cookie"] == f"{PUBLIC_COOKIE}; HttpOnly; SameSite=Strict; Path=/; Secure"


def test_behind_a_proxy_without_https_the_cookie_is_for_both(visitor):
    access = Access(TOKEN, "trigpoint-8300", public="http://atlas.lan:8080")
    answer = visitor(access, known=False).get(f"/?token={TOKEN}", headers={"host": "atlas.lan:8080"})
    assert answer.headers["set-cookie"] == f"trigpoint-8300={TOKEN}; HttpOnly; SameSite=Strict; Path=/"


@pytest.mark.parametrize(
    ("host", "origin", "status"),
    [
        ("label.example.com", "https://label.example.com", 200),
        ("Label.Example.com:443", "https://label.example.com", 200),
        ("label.example.com", "http://label.example.com", 403),
        ("label.example.com", "https://label.example.com:8443", 403),
        ("label.example.com", "https://example.com", 403),
        ("label.example.com", "https://evil.example", 403),
        ("label.example.com", "null", 403),
        ("127.0.0.1:8300", "http://127.0.0.1:8300", 403),
        ("127.0.0.1:8300", "https://label.example.com", 403),
        ("evil.example", "https://label.example.com", 403),
        ("label.example.com.evil.example", "https://label.example.com", 403),
    ],
)
def test_a_public_studio_is_at_one_address(visitor, host, origin, status):
    headers = {"host": host, "origin": origin, "cookie": PUBLIC_COOKIE, "content-type": "application/json"}
    headers |= {"x-forwarded-host": "label.example.com", "x-forwarded-proto": "https"}  # anybody can say so
    answer = visitor(PUBLIC, known=False).post("/api/actions", content=b"{}", headers=headers)
    assert answer.status_code == status


def test_a_proxy_that_does_not_pass_on_the_host_is_told_so(visitor):
    why = visitor(PUBLIC, known=False).get("/api/state").json()["error"]
    assert why == (
        "this studio is at https://label.example.com, as --public-url says; got '127.0.0.1:8300' as Host. "
        "A proxy must pass on the Host that it was asked for."
    )


@pytest.mark.parametrize("name", ["127.0.0.1", "127.1.2.3", "::1", "localhost"])
def test_loopback(name):
    assert is_loopback(name)


@pytest.mark.parametrize("name", ["0.0.0.0", "::", "192.168.0.1", "atlas", "localhost.example", ""])
def test_no_loopback(name):
    assert not is_loopback(name)


def test_our_own_page_may_write(visitor):
    client = visitor()
    assert client.post("/api/actions", content=b"{}", headers=JSON).status_code == 200
    same = {"sec-fetch-site": "same-origin", "content-type": "application/json"}
    assert client.post("/api/actions", content=b"{}", headers=same).status_code == 200
    typed = {**JSON, "content-type": "Application/JSON; charset=utf-8"}
    assert client.post("/api/actions", content=b"{}", headers=typed).status_code == 200


@pytest.mark.parametrize(
    "origin",
    [
        None,
        "null",
        "http://evil.example",
        "https://127.0.0.1:8300",
        "http://127.0.0.1:8301",
        "http://127.0.0.1",
        "http://localhost:8300",
        f"{BASE}/",
        f"{BASE}, http://evil.example",
        "",
    ],
)
def test_other_origins_may_not_write(visitor, origin):
    headers = {"content-type": "application/json"} | ({} if origin is None else {"origin": origin})
    answer = visitor().post("/api/actions", content=b"{}", headers=headers)
    assert answer.status_code == 403
    assert answer.json()["error"].startswith(f"Origin must be {BASE}; got ")


@pytest.mark.parametrize("site", ["cross-site", "same-site", "none"])
def test_a_missing_origin_needs_the_word_of_the_browser(visitor, site):
    headers = {"sec-fetch-site": site, "content-type": "application/json"}
    assert visitor().post("/api/actions", content=b"{}", headers=headers).status_code == 403


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/api/actions", "text/plain"),
        ("/api/actions", "application/x-www-form-urlencoded"),
        ("/api/actions", "multipart/form-data; boundary=x"),
        ("/api/actions", "application/octet-stream"),
        ("/api/actions", ""),
        ("/api/import", "application/json"),
        ("/api/import", "text/csv"),
    ],
)
def test_bodies_of_another_type_are_refused(visitor, path, kind):
    answer = visitor().post(path, content=b"{}", headers={"origin": BASE, "content-type": kind})
    assert answer.status_code == 415
    assert answer.json()["error"].startswith("Content-Type must be application/")


@pytest.mark.parametrize(
    ("path", "kind", "limit"),
    [
        ("/api/actions", "application/json", JSON_LIMIT),
        ("/api/import", "application/octet-stream", UPLOAD_LIMIT),
        ("/api/sign_in", "application/json", OPEN_LIMIT),
    ],
)
def test_bodies_have_a_limit_whether_or_not_they_tell_their_length(visit, path, kind, limit):
    from starlette.applications import Starlette
    from starlette.responses import JSONResponse, PlainTextResponse
    from starlette.routing import Route

    async def size(request):
        return PlainTextResponse(str(len(await request.body())))

    async def refused(request, error):
        return JSONResponse({"error": error.detail}, error.status_code)

    app = Starlette(routes=[Route(path, size, methods=["POST"])], exception_handlers={413: refused})
    client = visit(SecurityMiddleware(app, Access(TOKEN, "trigpoint-8300")), BASE)
    headers = {"cookie": f"trigpoint-8300={TOKEN}", "origin": BASE, "content-type": kind}

    async def parts(total):
        while total > 0:
            yield b"x" * min(total, 1_000_000)
            total -= 1_000_000

    assert client.post(path, content=b"x" * limit, headers=headers).text == str(limit)
    assert client.post(path, content=parts(limit), headers=headers).text == str(limit)
    for body in (b"x" * (limit + 1), parts(limit + 1)):
        answer = client.post(path, content=body, headers=headers)
        assert answer.status_code == 413
        assert answer.json() == {"error": f"the body must have at most {limit:,} bytes; it has more."}


@pytest.mark.parametrize("begun", [False, True])
def test_a_body_that_does_not_come_is_not_waited_for(monkeypatch, begun):
    from starlette.exceptions import HTTPException

    from trigpoint.studio import _security

    monkeypatch.setattr(_security, "PATIENCE", 0.01)

    async def body():
        if not begun or done:
            await asyncio.Event().wait()
        done.append(True)
        return {"type": "http.request", "body": b"{", "more_body": True}

    async def ask():
        receive = _security._limited(body, 100)
        for _ in range(2):
            await receive()

    done = []
    with pytest.raises(HTTPException, match=r"408: the body must come within 0.01 seconds, and"):
        asyncio.run(ask())
    assert len(done) == begun


def test_a_body_in_drops_is_not_waited_for(monkeypatch):
    """Each part comes at once, and still it takes too long; a quick body of the same size may take long."""
    from starlette.exceptions import HTTPException

    from trigpoint.studio import _security

    monkeypatch.setattr(_security, "PATIENCE", 0.1)

    async def ask(size):
        async def body():
            if parts:  # the first is there already, however busy the machine is
                await asyncio.sleep(0.02)
            parts.append(size)
            return {"type": "http.request", "body": b"x" * size, "more_body": True}

        parts = []
        receive = _security._limited(body, 10**9)
        for _ in range(20):
            await receive()

    with pytest.raises(
        HTTPException, match=r"408: the body must come within 0.1 seconds, and a second more "
    ):
        asyncio.run(ask(1))
    asyncio.run(ask(1_000_000))


def test_after_the_body_there_is_no_hurry(monkeypatch):
    from trigpoint.studio import _security

    monkeypatch.setattr(_security, "PATIENCE", 0.01)
    messages = [{"type": "http.request", "body": b"{}", "more_body": False}, {"type": "http.disconnect"}]

    async def receive():
        if len(messages) == 1:  # long after the body
            await asyncio.sleep(0.05)
        return messages.pop(0)

    async def ask():
        limited = _security._limited(receive, 100)
        return [(await limited())["type"] for _ in range(2)]

    assert asyncio.run(ask()) == ["http.request", "http.disconnect"]


@pytest.mark.parametrize("length", ["-1", "1e3", "x", "9" * 30, "²"])
def test_a_length_that_is_no_number(visitor, length):
    headers = {**JSON, "content-length": length.encode("latin-1")}
    assert visitor().post("/api/actions", content=b"{}", headers=headers).status_code == 400


@pytest.mark.parametrize("method", ["OPTIONS", "PUT", "DELETE", "PATCH", "TRACE", "BREW"])
def test_other_methods_are_refused(visitor, method):
    answer = visitor().request(method, "/api/state", headers=JSON)
    assert answer.status_code == 405
    assert answer.headers["allow"] == "GET, HEAD, POST"
    assert "access-control-allow-origin" not in answer.headers


def test_head_is_a_get(visitor):
    assert visitor().request("HEAD", "/api/state").status_code == 200
    assert visitor(known=False).request("HEAD", "/api/state").status_code == 401


@pytest.mark.parametrize(
    ("method", "path", "headers", "status"),
    [
        ("GET", "/api/state", {}, 200),
        ("GET", f"/?token={TOKEN}", {}, 303),
        ("GET", "/?token=no", {}, 401),
        ("GET", "/", {"cookie": "none"}, 401),
        ("GET", "/api/state", {"host": "evil.example"}, 403),
        ("POST", "/api/actions", {}, 403),
        ("PUT", "/api/state", {}, 405),
        ("POST", "/api/actions", {**JSON, "content-length": "99999999"}, 413),
        ("POST", "/api/actions", {"origin": BASE}, 415),
        ("GET", "/boom", {}, 500),
    ],
)
def test_the_headers_are_on_every_answer(visitor, method, path, headers, status):
    answer = visitor().request(method, path, headers=headers)
    assert answer.status_code == status
    assert {name: answer.headers[name] for name in EXPECTED} == EXPECTED
    assert answer.headers["cache-control"] == "no-store"


def test_what_may_be_kept_says_so_itself(visitor):
    assert visitor().get("/kept").headers.get_list("cache-control") == ["private"]


def test_an_error_inside_is_told_without_its_trace(visitor, caplog):
    answer = visitor().get("/boom")
    assert answer.status_code == 500
    assert json.loads(answer.text)["error"].startswith("internal error")
    assert "secret" not in answer.text
    assert "secret" in caplog.text


def straight(**scope):
    """What is sent by the guard itself, with nobody in between to put it right."""
    sent = []

    async def send(message):
        sent.append(message["type"])

    headers = [(b"cookie", f"trigpoint-8300={TOKEN}".encode()), (b"host", b"localhost")]
    scope = {"path": "/api/state", "method": "GET", "query_string": b"", "headers": headers, **scope}
    asyncio.run(SecurityMiddleware(inside, Access(TOKEN, "trigpoint-8300"))(scope, None, send))
    return sent


def test_an_answer_that_fails_half_way_is_not_begun_again(caplog):
    assert straight(type="http", path="/half") == ["http.response.start"]
    assert "secret" in caplog.text


def test_web_sockets_are_not_spoken():
    assert straight(type="websocket") == ["websocket.close"]

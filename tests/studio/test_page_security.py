"""A pool that means harm is shown as text; without the token there is no way in."""

import csv
import io
import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from playwright.sync_api import expect

from studio.pools import write_csv

EVIL = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(2)>",
    "javascript:alert(3)",
    '"><svg onload=alert(4)>',
    "';alert(5);//",
    "\u202egnp.exe",
    "=cmd|'/c calc'!A1",
    "+1+1",
    "-2+3",
    "@SUM(1)",
    "{{7*7}} ${7*7} %s",
    "</textarea></style><base href=//evil.example>",
)
FORGERY = """([to, media, body]) =>
  fetch(to, { method: "POST", mode: "no-cors", credentials: "include",
    headers: { "Content-Type": media }, body }).catch(() => "the answer is not for this page")"""
FORMULA = tuple("=+-@\t\r")


@pytest.fixture
def evil_texts(tmp_path):
    """Harm in ids, in texts, in other cells and in the name of a column and of the file."""
    rows = [(f"{k} {evil}", f"{evil} and some words", evil) for k, evil in enumerate(EVIL * 3)]
    starts = [(evil, f"{evil} begins the id", evil) for evil in EVIL]
    path = tmp_path / "<b>pool & 'co'.csv"
    return write_csv(path, ("id", "text", "<i>more</i>"), rows + starts)


def is_formula(cell):
    try:
        float(cell)
    except ValueError:
        return cell.startswith(FORMULA)
    return False


@pytest.mark.slow
def test_harm_is_shown_as_text(studio, join, evil_texts):
    """Whatever runs or is refused makes a dialog or an error, and either fails the test."""
    running = studio(evil_texts, "--text-column", "text", "--classes", ",".join(EVIL[:3]), "--budget", "40")
    ada = join(running, EVIL[0])
    expect(ada.page.get_by_text(evil_texts.name).first).to_be_visible()
    expect(ada.button(f"{EVIL[1]} key 2")).to_be_visible()
    told = {}
    for k in range(len(EVIL)):
        name = ada.sees()
        evil = next(evil for evil in EVIL if name.endswith(evil))
        assert evil in ada.page.get_by_role("region", name="Text").text_content()
        told[name] = EVIL[k % 3]
        ada.press("123"[k % 3])
    told[ada.sees()] = EVIL[3]
    ada.press("Space")
    ada.keyboard.type(EVIL[3])
    ada.press("Enter")
    ada.is_saved()
    for tab in ("Least sure", "Disagree", "Classes", "Files", "Progress"):
        ada.open_tab(tab)
    ada.press("/")
    ada.keyboard.type("alert")
    expect(ada.page.get_by_text("samples found")).to_be_visible()
    ada.shoot("harm")
    ada.press("Escape")
    assert {event["sample"]: event["body"]["value"] for event in running.events("label")} == told


@pytest.mark.slow
def test_exports_hold_no_formula(studio, join, evil_texts):
    running = studio(evil_texts, "--text-column", "text", "--classes", ",".join(EVIL[6:10]), "--budget", "48")
    ada = join(running, "=1+1")
    told = ada.label(20, lambda name: "1234"[len(name) % 4])
    ada.is_saved()
    running.wait_until_learned()
    for name in ("labels.csv", "predictions.csv"):
        rows = list(csv.reader(io.StringIO(running.get(f"/api/export/{name}").text)))
        assert len(rows) > len(told)
        assert [cell for row in rows for cell in row if is_formula(cell)] == []


@pytest.fixture(scope="module")
def running(shared_studio, digits):
    return shared_studio(digits, "--budget", "60", "--classes", "a,b")


def test_without_the_token_the_page_says_how_to_get_in(running, join):
    eve = join()
    eve.forgives("Failed to load resource")  # 401
    for address in (running.address, f"{running.address}/?token=guess"):
        eve.page.goto(address)
        expect(eve.page.get_by_role("heading", name="trigpoint studio")).to_be_visible()
    expect(eve.page.get_by_text("the token of this link does not belong to this studio")).to_be_visible()
    eve.page.goto(running.address)
    expect(eve.page.get_by_text("open the link that trigpoint studio printed")).to_be_visible()
    expect(eve.page.get_by_text("run the same command again")).to_be_visible()
    expect(eve.page.get_by_role("main")).to_have_css("display", "flex")  # the looks are not behind the door
    eve.shoot("no_token")
    for path in ("/api/state", "/api/pictures/0", "/api/export/labels.csv", "/static/app.js"):
        assert eve.context.request.get(running.address + path).status == 401


def test_cookie_is_out_of_reach_of_scripts(running, join):
    ada = join(running)
    (cookie,) = ada.context.cookies()
    assert cookie["httpOnly"]
    assert cookie["sameSite"] == "Strict"
    assert "token" not in ada.page.url
    assert ada.page.evaluate("document.cookie") == ""


def test_the_policy_refuses_scripts_in_the_page(running, join):
    """And the browser says so: no test would pass in silence if something of the page were refused."""
    ada = join(running)
    expect(ada.sample).to_be_visible()
    with ada.context.expect_event("console", lambda said: "Content Security Policy" in said.text) as refused:
        ada.page.evaluate("document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=alert(1)>')")
    assert refused.value.type == "error"
    ada.forgives("Content Security Policy|Failed to load resource")


class Cats(BaseHTTPRequestHandler):
    """A page of somebody else."""

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<title>Cats</title><link rel=icon href=data:,>")

    def log_message(self, *arguments):
        pass


@pytest.fixture
def other_page():
    with ThreadingHTTPServer(("127.0.0.1", 0), Cats) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.mark.parametrize(
    "media", ["text/plain", pytest.param("application/x-www-form-urlencoded", marks=pytest.mark.slow)]
)
def test_another_page_cannot_label(running, join, other_page, media):
    """A page at another port is of the same site, so the browser sends the cookie along; its origin tells."""
    ada = join(running)
    expect(ada.sample).to_be_visible()
    ada.forgives("Failed to load resource: .*(403|ERR_BLOCKED_BY_RESPONSE)")
    eve = ada.context.new_page()
    eve.goto(other_page)
    label = {"client": "evil-1", "kind": "label", "sample": 0, "value": "a"}
    body = {"annotator": "Ada", "held": [], "want": 0, "actions": [label]}
    with eve.expect_request("**/api/actions") as sent:
        eve.evaluate(FORGERY, [f"{running.address}/api/actions", media, json.dumps(body)])
    assert "BLOCKED_BY_RESPONSE" in sent.value.failure  # it was answered, and the answer kept from the page
    assert running.labels() == {}

"""The routes, with a real service behind them: a store on disk, and the process that computes."""

import asyncio
import csv
import gc
import gzip
import io
import json
import time
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from trigpoint.io import glimpse
from trigpoint.studio._event_store import StoreError, StoreFullError
from trigpoint.studio._events import Settings
from trigpoint.studio._messages import Job
from trigpoint.studio._open import open_studio
from trigpoint.studio._openapi import COMPONENTS, EXPORTS, PATHS
from trigpoint.studio._pictures import Pictures
from trigpoint.studio._security import Access
from trigpoint.studio._studio import Studio
from trigpoint.studio._web import make_app

BASE = "http://127.0.0.1:8300"
ACCESS = Access("token", "trigpoint-8300")
HEADERS = {"cookie": "trigpoint-8300=token", "origin": BASE}
RAW = {"content-type": "application/octet-stream"}
XSS = "<img src=x onerror=alert(1)>"


def studios(visit, folder):
    """Opens studios on pools, and closes them."""
    services = []

    def call(path, settings, **reading):
        samples = glimpse(path, **reading)
        store, settings = open_studio(folder / "studio.db", samples, settings, ())
        service = Studio(samples, store, settings, Job(path, reading, None))
        visitor = visit(make_app(service, ACCESS), BASE, **HEADERS)
        visitor.run(service.start())
        services.append((visitor, service))
        return Visit(visitor, service)

    yield call
    for visitor, service in services:
        visitor.run(service.close())


class Visit:
    """A visitor who has a name and the service at hand."""

    def __init__(self, visitor, service):
        self.studio, self.run, self.get, self.post = service, visitor.run, visitor.get, visitor.post

    def act(self, *actions, **more):
        body = {"annotator": "ann", "held": [], "want": 0, "actions": list(actions), **more}
        return self.post("/api/actions", json=body)

    def wait(self, what):
        """Let the loop hear message until something is so."""
        end = time.monotonic() + 600
        while not what():
            assert time.monotonic() < end, "the message did not come"
            self.run(asyncio.sleep(0.02))


@pytest.fixture
def opened(visit, tmp_path):
    yield from studios(visit, tmp_path)


def test_an_export_that_needs_what_is_not_installed_says_so(shared, monkeypatch):
    monkeypatch.setattr("trigpoint.io._files.find_spec", lambda name: None)
    for name in ("labels.parquet", "hugging_face.tar"):
        answer = shared.get(f"/api/export/{name}")
        words = f'{name} needs pyarrow; install it with: pip install "trigpoint[files]".'
        assert (answer.status_code, answer.json()["error"]) == (501, words)


def drawn(folder):
    """Twelve small pictures, six dark and six light, and one beside the pool that is nobody's business."""
    pool = folder / "pool"
    pool.mkdir()
    rng = np.random.default_rng(0)
    for i in range(12):
        level = 40 if i < 6 else 200
        Image.fromarray(rng.integers(level - 20, level + 20, (8, 8), dtype=np.uint8)).save(
            pool / f"{i:02d}.png"
        )
    (folder / "secret.png").write_bytes((pool / "00.png").read_bytes())
    return pool


PLAIN = Settings(classes=("dark", "light"), budget=10, n_neighbors=3)


@pytest.fixture
def pictures(tmp_path):
    return drawn(tmp_path)


@pytest.fixture
def studio(opened, pictures):
    return opened(pictures, PLAIN)


@pytest.fixture(scope="module")
def shared(visit_all, tmp_path_factory):
    """One studio for all requests that change nothing."""
    folder = tmp_path_factory.mktemp("shared")
    making = studios(visit_all, folder)
    yield next(making)(drawn(folder), PLAIN)
    next(making, None)


def label(i, value, client=None, **more):
    return {"kind": "label", "sample": i, "value": value, "client": client or f"c{i}-{value}", **more}


def test_a_whole_story(studio):
    setup = studio.get("/api/setup").json()
    edition = studio.get("/api/state").json()["edition"]
    about = {"name": "pool", "kind": "images", "n_samples": 12, "edition": edition, "change": ""}
    assert setup["pool"] == about
    first = studio.act(want=3).json()
    assert (first["saved"], first["refused"], first["done"]) == ([], [], False)
    item = first["items"][0]
    assert item["image"] == f"/api/pictures/{item['sample']}"
    assert studio.get(item["image"]).headers["content-type"] == "image/png"
    answer = studio.act(label(item["sample"], "dark", "one"), label(99, "dark", "two")).json()
    assert [saved["client"] for saved in answer["saved"]] == ["one"]
    assert [refused["client"] for refused in answer["refused"]] == ["two"]
    assert answer["state"]["labeled"] == 1
    again = studio.act(label(item["sample"], "dark", "one")).json()
    assert again["saved"] == answer["saved"]  # sent twice, saved once
    assert studio.get("/api/state?annotator=ann&held=1,2").json()["counts"] == {"dark": 1, "light": 0}
    (event,) = studio.get("/api/history?annotator=ann&limit=5").json()["events"]
    assert (event["value"], event["current"]) == ("dark", True)
    assert studio.get(f"/api/history?before={event['seq']}").json() == {"events": []}
    sample = studio.get(f"/api/samples/{item['sample']}?annotator=ann").json()
    assert (sample["label"], sample["mine"], sample["labels"]) == ("dark", "dark", {"ann": "dark"})
    assert [s["sample"] for s in studio.get("/api/samples?ids=3,1").json()] == [3, 1]
    assert studio.get("/api/search?q=07").json() == {"samples": [7], "total": 1}
    assert studio.get("/api/disagreements").json() == {"samples": []}


def test_what_the_worker_finds(studio):
    assert studio.get("/api/map/predictions").status_code == 404
    assert studio.get("/api/export/predictions.csv").status_code == 404
    studio.act(label(0, "dark"), label(11, "light"))
    studio.wait(
        lambda: studio.studio.results.predictions is not None and studio.studio.results.map is not None
    )
    coordinates = studio.get("/api/map/coordinates")
    assert coordinates.headers["content-type"] == "application/octet-stream"
    assert np.frombuffer(coordinates.content, "<f4").reshape(12, 2).max() <= 1
    assert int(coordinates.headers["x-version"]) >= 1
    predictions = studio.get("/api/map/predictions")
    assert predictions.headers["x-classes"] == "%5B%22dark%22%2C%20%22light%22%5D"
    assert len(predictions.content) == 12 * 3
    landmarks = studio.get("/api/map/landmarks").json()
    assert (landmarks["labeled"], landmarks["codes"]) == ([0, 11], [0, 1])
    least_sure = studio.get("/api/least_sure?limit=4").json()["samples"]
    assert len(least_sure) == 4
    assert not {0, 11} & set(least_sure)
    assert studio.get("/api/samples/5").json()["predicted"]["value"] in ("dark", "light")


def test_exports_are_attachments_and_leave_nothing_behind(studio, tmp_path, monkeypatch):
    (tmp_path / "spool").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "spool"))
    studio.act(label(0, "dark"))
    studio.wait(lambda: studio.studio.results.predictions is not None)
    unfit = studio.get("/api/export/coco_keypoints.json")
    assert unfit.status_code == 404
    assert "--points" in unfit.json()["error"]
    for name, kind in EXPORTS.items():
        if name == "coco_keypoints.json":
            continue
        answer = studio.get(f"/api/export/{name}")
        assert answer.status_code == 200, name
        assert answer.headers["content-type"] == kind
        assert answer.headers["content-disposition"] == f'attachment; filename="{name}"'
        assert answer.content
        assert list((tmp_path / "spool").iterdir()) == []


def test_every_answer_keeps_where_it_was_given(studio):
    unsure = {"kind": "unsure", "client": "u", "sample": 1, "source": "map"}
    studio.act(unsure, label(2, "dark") | {"source": "least_sure"}, label(3, "dark"))
    rows = csv.DictReader(studio.get("/api/export/labels.csv").text.splitlines())
    found = {row["id"]: (row["label"], row["source"]) for row in rows}
    assert found == {"01.png": ("", "map"), "02.png": ("dark", "least_sure"), "03.png": ("dark", "queue")}


@pytest.mark.parametrize("name", ["labels.exe", "..%2Fsecret.png", "log.jsonl%00", "x" * 500])
def test_other_exports_are_not_there(shared, name):
    assert shared.get(f"/api/export/{name}").status_code == 404


def test_an_import_is_rehearsed_then_done(studio):
    body = b"id,label\n00.png,dark\n11.png,bright\nghost.png,dark\n"
    told = {"labels": 2, "same": 0, "unknown": ["ghost.png"], "n_unknown": 1, "events": 2}
    url = "/api/import?name=known.csv&annotator=bob&dry="
    assert studio.post(url + "1", content=body, headers=RAW).json() == told
    assert studio.get("/api/state").json()["labeled"] == 0
    assert studio.post(url + "0", content=body, headers=RAW).json() == told
    state = studio.get("/api/state").json()
    assert (state["labeled"], state["classes"]) == (2, ["dark", "light", "bright"])
    assert studio.post(url + "0", content=body, headers=RAW).json() == {
        **told,
        "labels": 0,
        "same": 2,
        "events": 0,
    }


@pytest.mark.parametrize(
    ("query", "body", "message"),
    [
        (
            "name=a.csv&annotator=b",
            b"id,label\n00.png,\n",
            "a.csv must hold at least one label; it holds none.",
        ),
        ("name=a.csv&annotator=b", b"", "a.csv must not be empty."),
        ("name=a.exe&annotator=b", b"x", "the file's name must end in one of .csv,"),
        ("name=..%2F..%2Fetc%2Fpasswd&annotator=b", b"x", "the file's name must end in one of .csv,"),
        ("name=..%2F..%2Fa.json&annotator=b", b"[", "../../a.json must be JSON"),
        ("annotator=b", b"x", "name must be given."),
        ("name=a.csv", b"x", "annotator must be given."),
        ("name=a.csv&annotator=%20", b"x", "annotator must not be blank"),
        ("name=a.csv&annotator=b&dry=2", b"x", "dry must be one of 0, 1; got '2'."),
    ],
)
def test_imports_that_are_refused(shared, query, body, message):
    answer = shared.post(f"/api/import?{query}", content=body, headers=RAW)
    assert answer.status_code == 400
    assert answer.json()["error"].startswith(message)
    assert "trigpoint-" not in answer.text  # where it lay for a moment is nobody's business


def bombs():
    """Of a few kilobytes, but for the plain ones."""
    lines = gzip.compress(b"id,label\n" + b"00.png,dark\n" * 12_500_000)
    yield "a.csv.gz", lines, "a.csv.gz must hold at most 1,000,000 lines; it holds more."
    cell = gzip.compress(b"id,label\n00.png," + bytes(10**8))
    yield "a.csv.gz", cell, "a.csv.gz must unpack to at most 50,000,000 bytes; it holds more."
    lines = b"id,label\n" + b"0,a\n" * 5_000_000
    yield "a.csv", lines, "a.csv must hold at most 1,000,000 lines; it holds more."
    yield "a.json", b"[" * 30_000_000, "a.json must hold at most 1,000,000 objects and lists; it holds more."
    yield "a.json", b"[" * 900_000, "a.json must be JSON, whole and undamaged; reading it failed: maximum"
    sink = io.BytesIO()
    np.savez_compressed(sink, X=np.zeros(50_000_000))
    yield "a.npz", sink.getvalue(), "a.npz must unpack to at most 50,000,000 bytes; it holds more."


@pytest.mark.slow
def test_bombs_are_refused_before_they_are_unpacked(shared):
    """Seconds of the processor, and the most memory that was in use, counted by the system."""
    for name, body, message in bombs():
        gc.collect()
        Path("/proc/self/clear_refs").write_text("5")  # count the most from now on
        before, start = memory("VmRSS"), time.process_time()
        answer = shared.post(f"/api/import?name={name}&annotator=b", content=body, headers=RAW)
        seconds, more = time.process_time() - start, memory("VmHWM") - before
        assert answer.status_code == 400
        assert answer.json()["error"].startswith(message)
        assert seconds < 3, name
        assert more < 100e6, name


def memory(field):
    (line,) = [line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith(field)]
    return int(line.split()[1]) * 1024


def test_what_unpacks_to_little_is_imported(studio):
    body = gzip.compress(b"id,label\n" + b"00.png,dark\n" * 5000)
    answer = studio.post("/api/import?name=a.csv.gz&annotator=b", content=body, headers=RAW)
    assert answer.json()["labels"] == 1


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"", "the body must be JSON in UTF-8; Expecting value"),
        (b"\xff", "the body must be JSON in UTF-8; "),
        (b'{"actions": []}', "body.annotator must be given."),
        (b'{"annotator": " ", "actions": []}', "body.annotator must not be blank, and hold no NUL; got ' '."),
        (b'{"annotator": "a\\u0000", "actions": []}', "body.annotator must not be blank"),
        (b'{"annotator": "\\ud800", "actions": []}', "body.annotator must be text that UTF-8 can hold"),
        (
            b'{"annotator": "a", "annotator": "b", "actions": []}',
            "the body must be JSON in UTF-8; a field is given twice.",
        ),
        (
            b'{"annotator": "a", "actions": [], "x": 1}',
            "body must hold no field 'x'.",
        ),
        (b'{"annotator": "a", "actions": [], "want": 51}', "body.want must be int <= 50; got 51."),
        (b'{"annotator": "a", "actions": [], "want": true}', "body.want must be int; got True."),
        (
            b'{"annotator": "a", "actions": [], "want": NaN}',
            "the body must be JSON in UTF-8; NaN is not a JSON number.",
        ),
        (b'{"annotator": "a", "actions": [], "want": 1e999}', "body.want must be int; got inf."),
        (
            b'{"annotator": "a", "actions": [], "want": ' + b"9" * 4000 + b"}",
            "body.want must be int <= 50; got a larger number.",
        ),
        (
            b'{"annotator": "a", "actions": [], "want": ' + b"9" * 9000 + b"}",
            "the body must be JSON in UTF-8; ",
        ),
        (b"[" * 100_000, "the body must not be nested this deeply."),
        (
            b'{"annotator": "a", "held": [-1], "actions": []}',
            "body.held[0] must be int >= 0; got -1.",
        ),
        (
            b'{"annotator": "a", "actions": [{"kind": "label", "client": "x"}]}',
            "body.actions[0].sample must be given.",
        ),
        (
            b'{"annotator": "a", "actions": [{"kind": "undo", "client": "x", "target": null}]}',
            "body.actions[0].target must be str; got None.",
        ),
        (
            b'{"annotator": "a", "actions": [{"kind": "ask", "client": "x"}]}',
            "body.actions[0].kind must be one of label,",
        ),
        (b'{"annotator": "a", "actions": {}}', "body.actions must be array; got {}."),
        (b"null", "body must be object; got None."),
    ],
)
def test_bad_bodies_are_refused_with_a_sentence(shared, body, message):
    answer = shared.post("/api/actions", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 400
    assert answer.json()["error"].startswith(message)


def test_spaces_around_a_name_do_not_make_another_person(studio):
    studio.act(label(3, "dark"), annotator=" Ann ")
    studio.act(label(3, "light"), annotator="Ann")
    assert studio.get("/api/state").json()["annotators"] == {"Ann": 1}
    assert studio.get("/api/state").json()["quality"] == {}
    assert studio.get("/api/samples/3?annotator=Ann%20").json()["mine"] == "light"
    assert len(studio.get("/api/history?annotator=%20Ann").json()["events"]) == 2
    body = b"id,label\n07.png,dark\n"
    studio.post("/api/import?name=a.csv&annotator=Ann%20", content=body, headers=RAW)
    assert studio.get("/api/state").json()["annotators"] == {"Ann": 2}


def test_a_log_that_would_spoil_the_store_changes_nothing(studio):
    about = studio.get("/api/export/log.jsonl").content
    good = [
        {"kind": "label", "annotator": "z", "sample": "03.png", "client": f"q{k}", "body": {"value": "dark"}}
        for k in range(600)
    ]
    deep = {"kind": "label", "annotator": "z", "sample": "03.png", "client": "n", "body": {"value": "dark"}}
    deep["body"]["note"] = [float("nan")]
    huge = {"kind": "budget", "annotator": "z", "sample": None, "client": "b", "body": {"budget": 10**400}}
    for bad in (deep, huge, {**good[0], "annotator": ""}):
        body = about + b"".join(json.dumps(record).encode() + b"\n" for record in (*good, bad))
        answer = studio.post("/api/import?name=log.jsonl&annotator=a", content=body, headers=RAW)
        assert answer.status_code == 400
        assert "line 60" in answer.json()["error"]
    assert studio.get("/api/export/log.jsonl").content == about


def test_whole_numbers_may_be_spelled_as_reals(studio):
    answer = studio.post(
        "/api/actions",
        content=b'{"annotator": "a", "want": 1.0, "actions": ['
        b'{"kind": "label", "client": "x", "sample": 3.0, "value": "y"}]}',
        headers={"content-type": "application/json"},
    )
    assert len(answer.json()["saved"]) == 1


def test_too_many_actions_at_once(studio):
    answer = studio.act(*[label(0, "dark", f"c{k}") for k in range(501)])
    assert answer.json()["error"] == "body.actions must be array of length <= 500; got 501."
    assert len(studio.act(*[label(0, "dark", f"c{k}") for k in range(500)]).json()["saved"]) == 500


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/api/samples/12", 404),
        ("/api/samples/-1", 404),
        ("/api/samples/x", 404),
        ("/api/samples/" + "9" * 5000, 404),
        ("/api/samples/٣", 404),
        ("/api/samples?ids=1,12", 404),
        ("/api/samples?ids=x", 400),
        ("/api/samples?ids=" + ",".join("1" * 201), 400),
        ("/api/samples", 400),
        ("/api/pictures/12", 404),
        ("/api/pictures/1?side=161", 400),
        ("/api/history?limit=0", 400),
        ("/api/history?limit=501", 400),
        ("/api/history?before=x", 400),
        ("/api/issues?limit=0", 400),
        ("/api/issues?limit=201", 400),
        ("/api/issues?start=-1", 400),
        ("/api/search", 400),
        ("/api/search?q=" + "x" * 1001, 400),
        ("/api/state?held=1,,2", 400),
        ("/api/state?annotator=" + "x" * 61, 400),
        ("/api/nothing", 404),
        ("/api/setup/", 404),
        ("/nothing", 404),
    ],
)
def test_questions_that_have_no_answer(shared, path, status):
    answer = shared.get(path)
    assert answer.status_code == status
    assert set(answer.json()) == {"error"}


@pytest.mark.parametrize("path", ["/api/actions", "/api/import"])
def test_what_writes_cannot_be_got(shared, path):
    answer = shared.get(path)
    assert (answer.status_code, set(answer.json())) == (405, {"error"})


@pytest.mark.parametrize(
    "path",
    [
        "../secret.png",
        "%2e%2e/secret.png",
        "..%2fsecret.png",
        "%2e%2e%2fsecret.png",
        "..%5csecret.png",
        "%252e%252e%252fsecret.png",
        "/etc/passwd",
        "%2fetc%2fpasswd",
        "00.png",
        "0%00",
        "0/../../secret.png",
        "....//secret.png",
        "file:///etc/passwd",
    ],
)
@pytest.mark.parametrize("where", ["/api/pictures/", "/static/", "/static/vendor/"])
def test_no_path_leads_out(shared, where, path):
    import httpx

    raw = httpx.URL(BASE).copy_with(raw_path=(where + path).encode())
    answer = shared.get(raw)
    assert answer.status_code in (400, 404)
    assert "error" in answer.json()


def test_the_page_and_its_files(shared):
    page = shared.get("/")
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert page.headers["cache-control"] == "no-cache"
    script = shared.get("/static/app.js")
    assert script.headers["content-type"] == "text/javascript; charset=utf-8"
    known = shared.get("/static/app.js", headers={"if-none-match": script.headers["etag"]})
    assert (known.status_code, known.content) == (304, b"")


def test_pictures_are_asked_for_again_but_not_sent_again(shared):
    first = shared.get("/api/pictures/3")
    assert first.headers["cache-control"] == "private, no-cache"
    known = shared.get("/api/pictures/3", headers={"if-none-match": first.headers["etag"]})
    assert (known.status_code, known.content) == (304, b"")
    small = shared.get("/api/pictures/3?side=160")
    assert (small.content, small.headers["etag"]) == (first.content, first.headers["etag"])  # small enough


def test_pictures_of_what_is_assigned_are_made_ahead(studio, pictures, monkeypatch):
    made = []
    monkeypatch.setattr(Pictures, "ahead", lambda self, i: made.append(i))
    Image.new("RGB", (900, 300)).save(pictures / "05.png")
    wide = studio.get("/api/pictures/5?side=800")
    assert (wide.status_code, wide.headers["content-type"]) == (200, "image/jpeg")
    known = studio.get("/api/pictures/5?side=800", headers={"if-none-match": wide.headers["etag"]})
    assert (known.status_code, known.content, known.headers["etag"]) == (304, b"", wide.headers["etag"])
    whole = studio.get("/api/pictures/5", headers={"if-none-match": wide.headers["etag"]})
    assert (whole.status_code, whole.content) == (200, (pictures / "05.png").read_bytes())
    items = studio.act(want=5).json()["items"]
    assert made == [item["sample"] for item in items] != []


def test_a_picture_that_vanished_or_broke(studio, pictures):
    (pictures / "02.png").unlink()
    (pictures / "03.png").write_bytes(b"<html>")
    gone, broken = studio.get("/api/pictures/2"), studio.get("/api/pictures/3")
    assert (gone.status_code, broken.status_code) == (404, 415)
    assert gone.json()["error"].startswith("02.png must be in the pool's folder; it cannot be read")


@pytest.mark.parametrize(
    ("kind", "reason", "status"),
    [
        (StoreFullError, "the disk is full", 507),
        (StoreError, "it is read-only", 503),
        (StoreError, "/home/full/pool.db is read-only", 503),  # the word alone says nothing
    ],
)
def test_a_store_that_cannot_write_says_so(studio, kind, reason, status, monkeypatch):
    async def fail(drafts):
        raise kind(f"The store x cannot be used: {reason}.")

    monkeypatch.setattr(studio.studio._writer, "append", fail)
    answer = studio.act(label(0, "dark"))
    assert (answer.status_code, answer.json()) == (
        status,
        {"error": f"The store x cannot be used: {reason}."},
    )
    monkeypatch.undo()
    assert len(studio.act(label(0, "dark")).json()["saved"]) == 1


def test_a_bug_inside_tells_nothing_of_itself(studio, monkeypatch, caplog):
    monkeypatch.setattr(studio.studio, "page_state", lambda *given: {}["secret"])
    answer = studio.get("/api/state")
    assert (answer.status_code, set(answer.json())) == (500, {"error"})
    assert "secret" not in answer.text
    assert "secret" in caplog.text


def test_a_pool_of_scripts_stays_data(opened, tmp_path):
    rows = [{"id": f"{XSS}{i}", "body": f"{XSS}</script>{i}"} for i in range(4)]
    (tmp_path / "pool.json").write_text(json.dumps(rows))
    studio = opened(tmp_path / "pool.json", Settings(budget=4, n_neighbors=2), text_column="body")
    studio.act(label(0, XSS, XSS))
    for path in ("/api/samples/0", "/api/state", "/api/history", "/api/search?q=img", "/api/setup"):
        answer = studio.get(path)
        assert answer.headers["content-type"] == "application/json"
        assert answer.headers["x-content-type-options"] == "nosniff"
    assert studio.get("/api/samples/0").json()["text"] == f"{XSS}</script>0"
    assert studio.get("/api/state").json()["classes"] == [XSS]
    studio.wait(lambda: studio.studio.results.predictions is not None)
    assert studio.get("/api/map/predictions").headers["x-classes"].isascii()


def test_every_address_of_the_schema_is_there(shared):
    document = shared.get("/api/openapi.json").json()
    assert document["paths"].keys() == PATHS.keys()
    assert document["components"]["schemas"].keys() == COMPONENTS.keys()
    for path, operations in document["paths"].items():
        for method in operations:
            there = path.replace("{index}", "0").replace("{name}", "log.jsonl")
            answer = shared.get(there) if method == "get" else shared.post(there)
            assert answer.status_code != 405

"""trigpoint studio as it is typed: what it refuses at once, how it starts, resumes and ends."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import httpx
import numpy as np
import pytest
from PIL import Image

from trigpoint.studio._open import FIXED

PATIENCE = 600  # seconds, on a machine that is busy
COMMAND = [sys.executable, "-m", "trigpoint.cli", "studio"]


class Running:
    """A studio in a process of its own, and a person at its door."""

    def __init__(self, *words, json_too=True):
        more = ["--no-browser", "--port", "0", *(["--json"] if json_too else [])]
        self._tables = str(words[0]).endswith(".csv")  # whose columns are told
        self.process = subprocess.Popen(
            [*COMMAND, *map(str, words), *more],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        )
        told = self.process.stdout.readline()
        while json_too and told and not told.endswith("\n}\n"):
            told += self.process.stdout.readline()
        if not told:
            pytest.fail(self.process.communicate()[1])
        self.told = json.loads(told) if json_too else told
        self.url = self.told["url"] if json_too else told.strip()
        base = self.url.partition("/?")[0]
        self.client = httpx.Client(base_url=base, headers={"origin": base}, timeout=PATIENCE)
        assert self.client.get(self.url).status_code == 303

    def act(self, *actions, annotator="ann", want=0):
        body = {"annotator": annotator, "held": [], "want": want, "actions": list(actions)}
        return self.client.post("/api/actions", json=body).json()

    def state(self):
        return self.client.get("/api/state").json()

    def end(self, number=signal.SIGINT):
        """Exit code, and what was said."""
        self.client.close()
        self.process.send_signal(number)
        out, err = self.process.communicate(timeout=PATIENCE)
        about = re.compile(r"trigpoint: columns used: 2 numbers \(\w+, \w+\); left out: id \(the ids\).\n")
        rest, count = about.subn("", err)
        assert count == self._tables
        return self.process.returncode, out, rest


@contextmanager
def running(*words, **more):
    studio = Running(*words, **more)
    try:
        yield studio
    finally:
        studio.client.close()
        if studio.process.poll() is None:
            studio.process.kill()
            studio.process.communicate()


def label(i, value, client=None):
    return {"kind": "label", "sample": i, "value": value, "client": client or f"c{i}-{value}"}


def test_help_shows_an_example_and_loads_nothing_heavy(run):
    done = run("studio", "--help")
    assert done.code == 0
    assert "Example: trigpoint studio photos/ --budget 200" in " ".join(done.out.split())
    code = (
        "import sys; from trigpoint.cli import main\ntry: main(['studio', '--help'])\nexcept SystemExit: 0\n"
    )
    code += "print(sorted({'numpy', 'scipy', 'starlette', 'uvicorn', 'sqlite3'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_every_setting_that_must_stay_has_an_option(run):
    """A refusal names something that the command can be told."""
    words = run("studio", "--help").out
    assert [flag for flag in FIXED.values() if flag.startswith("--") and flag not in words] == []


def test_a_day_in_the_studio(blobs, folder):
    with running("pool.csv", "--budget", 20, "--classes", "low,high") as studio:
        assert studio.told["store"] == str(folder / "pool.csv.trigpoint.db")
        assert [use["name"] for use in studio.told["columns"]] == ["id", "height", "width"]
        items = studio.act(want=4)["items"]
        assert items[0]["row"][1][0] == "height"
        assert len(studio.act(label(3, "low"), label(40, "high"))["saved"]) == 2
        code, out, err = studio.end()
    assert (code, out) == (0, "")
    place = studio.told["store"]
    assert err == f"trigpoint: 2 samples labeled, kept in {place}; run the same command to continue.\n"
    assert [f.name for f in folder.glob("pool.csv.*")] == ["pool.csv.trigpoint.db"]  # no leftovers of the log
    with running("pool.csv", "--budget", 20, "--classes", "low,high") as studio:
        assert studio.state()["counts"] == {"low": 1, "high": 1}
        code, _, err = studio.end(signal.SIGTERM)
    assert code == 0
    assert "2 samples labeled" in err


def test_without_json_the_link_alone_is_printed(blobs):
    with running("pool.csv", json_too=False) as studio:
        assert studio.url.startswith("http://127.0.0.1:")
        assert studio.state()["budget"] == 60  # no more than there are
        _, out, err = studio.end()
    assert out == ""
    assert err.splitlines()[0] == (
        "trigpoint: open this link to label; Ctrl-C ends the studio, and no label is lost."
    )
    assert "0 samples labeled" in err.splitlines()[1]


def test_a_second_studio_on_one_store_is_refused(blobs, run):
    with running("pool.csv") as studio:
        done = run("studio", "pool.csv", "--no-browser")
        assert done.code == 2
        assert "another studio has it open" in done.err
        assert done.err.count("\n") == 1
        assert studio.state()["labeled"] == 0


@pytest.mark.slow
def test_what_may_change_from_one_day_to_the_next(blobs):
    with running("pool.csv", "--budget", 20, "--classes", "low") as studio:
        rename = {"kind": "rename", "old": "low", "new": "lowest", "client": "r"}
        studio.act({"kind": "budget", "budget": 33, "client": "b"}, label(0, "made up"), rename)
        studio.end()
    with running("pool.csv", "--budget", 20, "--classes", "low,high") as studio:
        state = studio.state()
        assert state["budget"] == 33  # as was said on the page, since the command is the same
        assert state["classes"] == ["lowest", "made up", "high"]  # what was renamed stays so
        studio.end()
    for words in (["--budget", 25], []):
        with running("pool.csv", *words) as studio:
            assert studio.state()["budget"] == 25
            studio.end()


@pytest.mark.slow
def test_a_pool_that_has_grown(folder):
    rows = [f"t{i},{i % 7},{i % 5}\n" for i in range(12)]
    Path("grows.csv").write_text("id,x,y\n" + "".join(rows))
    with running("grows.csv") as studio:
        assert [studio.told[name] for name in ("added", "gone", "changed")] == [0, 0, 0]
        studio.act(label(3, "low"))
        studio.end()
    Path("grows.csv").write_text("id,x,y\nnew,1,1\n" + "".join(rows[:10]).replace("t4,4,4", "t4,4,5"))
    with running("grows.csv") as studio:
        assert [studio.told[name] for name in ("added", "gone", "changed")] == [1, 2, 1]
        assert studio.client.get("/api/history").json()["events"][0]["sample"] == 4  # t3, by its id
        said = "1 new sample, 2 are gone, 1 has changed and keeps its label"
        assert studio.client.get("/api/setup").json()["pool"]["change"] == said
        _, _, err = studio.end()
    assert err.splitlines()[0] == f"trigpoint: {said} since the studio was last opened."


def test_what_may_not_change(blobs, run, folder):
    with running("pool.csv", "--classes", "a") as studio:
        studio.end()
    for words, message in (
        (["--values", "height"], "the task must be classification, as when {} was created; got regression."),
        (["--overlap", "2"], "--overlap must be 1, as when {} was created; got 2."),
        (["--audit", "0.5"], "--audit must be 0.1, as when {} was created; got 0.5."),
        (["--seed", "7"], "--seed must be 0, as when {} was created; got 7."),
        (["--view", "raw"], "--view must be auto, as when {} was created; got raw."),
    ):
        done = run("studio", "pool.csv", *words)
        assert (done.code, done.err) == (
            2,
            f"trigpoint: {message.format(folder / 'pool.csv.trigpoint.db')}\n",
        )


@pytest.mark.slow
def test_a_seed_that_was_given_is_held_against_the_store(blobs, run, folder):
    """Also 0, which is what a new store has where none is given."""
    with running("pool.csv", "--seed", 7) as studio:
        studio.end()
    done = run("studio", "pool.csv", "--seed", "0")
    place = folder / "pool.csv.trigpoint.db"
    assert (done.code, done.err) == (2, f"trigpoint: --seed must be 7, as when {place} was created; got 0.\n")
    Path("options.toml").write_text("[studio]\nseed = 0\n")
    assert run("studio", "pool.csv", "--config", "options.toml").err == done.err
    for words in ([], ["--seed", 7]):
        with running("pool.csv", *words) as studio:
            assert studio.client.get("/api/setup").json()["seed"] == 7
            studio.end()


def test_the_room_loads_what_is_used_and_no_more():
    code = "import sys, trigpoint.studio as s; names = s.__all__\n"
    code += "print(sorted({'numpy', 'msgspec', 'starlette', 'sqlite3'} & set(sys.modules)))\n"
    code += "s.State, s.Settings, s.read_import, s.open_studio\n"
    code += "print(sorted({'starlette', 'uvicorn'} & set(sys.modules)))\n"
    code += "assert all(getattr(s, name) is not None for name in names)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["[]", "[]"]


@pytest.mark.slow
def test_labels_that_are_known_come_in_at_the_start(blobs):
    Path("known.csv").write_text("id,label\ns3,low\ns40,high\nghost,low\n")
    for labels, same in ((2, 0), (0, 2)):
        with running("pool.csv", "--labels", "known.csv") as studio:
            assert studio.state()["counts"] == {"low": 1, "high": 1}
            err = studio.end()[2]
        told = f"{labels} labels from known.csv, {same} known already, 1 of samples that are not in the pool."
        assert err.splitlines()[0] == f"trigpoint: {told}"


@pytest.mark.slow
def test_numbers_and_points(blobs, run):
    with running("pool.csv", "--values", "a,b") as studio:
        setup = studio.client.get("/api/setup").json()
        assert (setup["task"], setup["targets"], setup["points"]) == ("regression", ["a", "b"], [])
        answer = studio.act(label(0, [1.0, 2.5], "fits"), label(0, "x", "does not"))
        assert [s["client"] for s in answer["saved"]] == ["fits"]
        studio.end()
    Path("photos").mkdir()
    for i in range(5):
        Image.fromarray(np.full((6, 6), 40 * i, dtype=np.uint8)).save(f"photos/{i}.png")
    with running("photos", "--points", "nose,left eye") as studio:
        setup = studio.client.get("/api/setup").json()
        assert setup["targets"] == ["nose.x", "nose.y", "left eye.x", "left eye.y"]
        assert studio.act(want=1)["items"][0]["size"] == [6, 6]
        studio.end()
    done = run("studio", "pool.csv", "--store", "new.db", "--points", "nose")
    assert done.err == "trigpoint: --points must be clicked on pictures; pool.csv is a pool of kind table.\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--classes", "a,a"], "--classes must be distinct names of 1 to 200 characters; got 'a'."),
        (["--classes", "a,,b"], "--classes must be distinct names of 1 to 200 characters; got ''."),
        (
            ["--classes", "a\udcff,b"],
            "--classes must be text that can be written; got 'a\\udcff'.",
        ),
        (
            ["--values", "a\nb"],
            "--values must be names on one line, with commas between them; got ['a\\nb'].",
        ),
        (
            ["--classes", "a", "--values", "b"],
            "--classes and --values must not be used together: a label is one or the other.",
        ),
        (["--values", "id"], "--values must not be 'id', the name of the column of ids in exports."),
        (["--audit", "1"], "--audit must lie in [0, 1); got 1.0."),
        (["--budget", "61"], "--budget must be an integer and lie in [1, 60] for 60 samples; got 61."),
        (["--metric", "taxi"], "--metric must be "),
        (["--view", "best"], "--view must be one of 'auto', 'raw', 'standard', 'half_white', 'white'; got"),
        (["--view", "white", "--metric", "cosine"], "--view must be 'auto' or 'raw' with --metric cosine;"),
        (["--neighbors", "60"], "--neighbors must be an integer and lie in [1, 59]"),
        (["--cache", "a", "--no-cache"], "--cache and --no-cache must not be used together."),
        (["--labels", "nothing.csv"], "--labels must be a file that exists; there is no nothing.csv."),
        (["--labels", "bad.csv"], "bad.csv must have a column called label"),
        (["--store", "no/where.db"], "The folder of the store must exist"),
        (["--store", "labels.csv"], "/"),
        (["--text-column", "no"], "--text-column must be a column of pool.csv"),
        (
            ["--host", "192.0.2.1", "--allow-remote"],
            "--host must be an address of this machine; got '192.0.2.1'.",
        ),
        *(
            (["--public-url", url], "--public-url must be an address such as https://label.example.com")
            for url in (
                "label.example.com",
                "ftp://label.example.com",
                "https://",
                "https://a b",
                "https://me@label.example.com",
                "https://label.example.com:x",
                "https://label.example.com:99999",
            )
        ),
        (
            ["--public-url", "https://example.com/label"],
            "--public-url must be an address such as https://label.example.com, without a path: the studio "
            "needs a name of its own; got 'https://example.com/label'.\n",
        ),
        (
            ["--host", "0.0.0.0"],
            "--host must be a local address such as 127.0.0.1, unless --allow-remote is given; "
            "got '0.0.0.0': anyone who can reach the machine and has the link could then see the pool and "
            "label, and what is sent is not encrypted.\n",
        ),
    ],
)
def test_what_is_refused_at_once(run, blobs, words, message):
    Path("bad.csv").write_text("id,a,b\ns1,1,2\n")
    done = run("studio", "pool.csv", *words)
    assert done.code == 2
    assert done.err.startswith(f"trigpoint: {message}")
    assert done.err.count("\n") == 1
    assert done.out == ""
    assert not list(Path().glob("*.db*"))  # a start that fails leaves no store behind


@pytest.mark.slow
def test_after_a_start_that_failed_the_task_is_still_open(run, blobs):
    Path("known.csv").write_text("id,label\ns3,low\n")
    done = run("studio", "pool.csv", "--values", "height", "--labels", "known.csv")
    assert done.code == 2
    assert "known.csv" in done.err
    with running("pool.csv", "--classes", "low,high", "--labels", "known.csv") as studio:
        assert studio.state()["counts"] == {"low": 1, "high": 0}
        studio.end()


@pytest.mark.slow
def test_labels_are_read_as_the_store_says_where_there_is_one(blobs):
    with running("pool.csv", "--values", "height") as studio:
        studio.end()
    Path("known.csv").write_text("id,height\ns3,1.5\n")
    for _ in range(2):  # the second time all of it is known
        with running("pool.csv", "--labels", "known.csv") as studio:
            assert studio.state()["labeled"] == 1
            studio.end()


def test_a_pool_that_is_not_there_or_too_small(run, folder):
    assert run("studio", "nothing.csv").err.startswith("trigpoint: POOL must be a file or folder that exists")
    np.save("one.npy", np.zeros((1, 2)))
    assert run("studio", "one.npy").err == "trigpoint: one.npy must hold at least 2 samples; got 1.\n"
    assert not list(Path().glob("*.db"))


def test_a_port_that_is_taken(run, blobs):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = run("studio", "pool.csv", "--port", port)
    assert done.code == 2
    assert done.err.startswith(f"trigpoint: --port {port} must be free on 127.0.0.1; it is not: ")


def test_the_next_free_port_is_taken_by_itself(blobs):
    from trigpoint.studio._serve import PORT, bind

    with bind("127.0.0.1", None) as first, bind("127.0.0.1", None) as second:
        assert PORT <= first.getsockname()[1] < second.getsockname()[1]


def test_a_store_has_its_usual_port(folder):
    from trigpoint.studio._serve import PORT, PORTS, usual_port

    assert usual_port(Path("a.db")) == usual_port(folder / "a.db") != usual_port(Path("b.db"))
    assert PORT <= usual_port(Path("a.db")) < PORT + PORTS


@pytest.mark.slow
def test_a_store_of_another_pool_is_refused(run, blobs, folder):
    shown = "id,x,y\n" + "".join(f"t{i},{i},{i}\n" for i in range(9))
    Path("other.csv").write_text(shown)
    with running("pool.csv", "--labels", "labels.csv", "--store", "s.db") as studio:
        studio.end()
    done = run("studio", "other.csv", "--store", "s.db")
    assert done.code == 2
    rule = "must belong to other.csv, which contains none of the 2 samples labeled in"
    assert done.err == f"trigpoint: --store {rule} {folder / 's.db'}.\n"


def test_small_answers_are_sent_at_once():
    from trigpoint.studio._serve import bind

    with bind("127.0.0.1", 0) as listener, socket.create_connection(listener.getsockname()):
        accepted, _ = listener.accept()
        with accepted:
            assert accepted.proto == socket.IPPROTO_TCP  # what asyncio looks at before it sets TCP_NODELAY


@pytest.mark.parametrize("words", [("studio", "nothing.csv"), ("export", "nothing.csv", "labels.csv")])
def test_the_missing_extra_comes_first_of_all(run, folder, monkeypatch, words):
    monkeypatch.setattr("trigpoint.cli._errors.find_spec", lambda name: None)
    done = run(*words)
    assert done.code == 2
    assert done.err == (
        f"trigpoint: trigpoint {words[0]} needs starlette, uvicorn, msgspec; "
        'install it with: pip install "trigpoint[studio]".\n'
    )


@pytest.mark.slow
def test_the_browser_is_started_with_a_link_for_one_use(blobs, tmp_path):
    seen = tmp_path / "seen"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {seen}.part && mv {seen}.part {seen}\n')
    browser.chmod(0o755)
    process = subprocess.Popen(
        [*COMMAND, "pool.csv", "--port", "0", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "BROWSER": f"{browser} %s", "DISPLAY": ":9"},
    )
    end = time.monotonic() + PATIENCE
    while not seen.exists() and time.monotonic() < end:
        time.sleep(0.02)
    link = seen.read_text().strip()
    assert httpx.get(link).status_code == 303
    assert httpx.get(link).status_code == 401
    process.send_signal(signal.SIGTERM)
    out, _ = process.communicate(timeout=PATIENCE)
    url = json.loads(out)["url"]
    assert url.partition("token=")[0] == link.partition("token=")[0]
    assert url != link


@pytest.mark.slow
@pytest.mark.parametrize("words", [["--allow-remote"], ["--host", "0.0.0.0", "--allow-remote"]])
def test_a_studio_for_other_machines(blobs, words):
    """The link has an address that others can use."""
    from trigpoint.studio._serve import network_address

    with running("pool.csv", *words) as studio:
        assert studio.url.startswith(f"http://{network_address()}:")
        port = int(studio.url.partition("/?")[0].rpartition(":")[2])
        with socket.create_connection(("127.0.0.2", port)):  # it listens at all addresses
            pass
        studio.end()


def test_the_address_on_the_network_is_the_name_where_there_is_no_route(monkeypatch):
    from trigpoint.studio import _serve

    def nowhere(*_):
        raise OSError("Network is unreachable")

    monkeypatch.setattr(_serve.socket.socket, "connect", nowhere)
    assert _serve.network_address() == socket.gethostname()
    assert _serve.origin("0.0.0.0", 8300) == f"http://{socket.gethostname()}:8300"


@pytest.mark.slow
def test_the_link_stays_until_a_new_one_is_asked_for(blobs, folder):
    tokens, old = [], None
    for words in ([], [], ["--new-link"], []):
        with running("pool.csv", *words) as studio:
            tokens.append(studio.url.partition("token=")[2])
            old = old or studio.url.partition("token=")[2]
            if words:
                assert studio.client.get(f"/?token={old}").status_code == 401
            assert old not in studio.client.get("/api/setup").text
            assert tokens[-1] not in studio.client.get("/api/export/log.jsonl").text
            studio.end()
    assert tokens[0] == tokens[1] != tokens[2] == tokens[3]
    assert (folder / "pool.csv.trigpoint.db").stat().st_mode & 0o777 == 0o600


@pytest.mark.slow
def test_a_public_address(blobs):
    process = subprocess.Popen(
        [*COMMAND, "pool.csv", "--no-browser", "--public-url", "https://Label.Example.com/"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    url = process.stdout.readline()
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=PATIENCE)
    assert re.fullmatch(r"https://label\.example\.com/\?token=[\w-]{43}\n", url)


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("https://label.example.com", "https://label.example.com"),
        ("HTTPS://LABEL.example.com:443", "https://label.example.com"),
        ("http://atlas:8080/", "http://atlas:8080"),
        ("https://b\u00fccher.example", "https://xn--bcher-kva.example"),
        ("http://[2001:DB8::7]:80", "http://[2001:db8::7]"),
    ],
)
def test_public_addresses_as_browsers_write_them(url, origin):
    from trigpoint.cli._studio_setup import public_origin

    assert public_origin(url) == origin

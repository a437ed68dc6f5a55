"""The studios of a folder: which folder is one, what is told of each, and how they are opened and ended."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, contextmanager
from dataclasses import asdict

import httpx
import numpy as np
import pytest
from PIL import Image

from trigpoint.cli._studio_hub import reading_words
from trigpoint.io import glimpse
from trigpoint.studio._event_store import Store, StoreError, glance
from trigpoint.studio._events import Draft, Settings
from trigpoint.studio._hub import Hub, is_folder_of_studios
from trigpoint.studio._open import open_studio
from trigpoint.studio._state import State
from trigpoint.studio._team import summary_of

PATIENCE = 600


def write_pool(folder, name="pool.csv", n=12):
    path = folder / name
    path.write_text("key,height,width\n" + "".join(f"t{i},{i},{i % 5}\n" for i in range(n)))
    return path


def make_store(pool, *drafts, path=None, tidy=True, **reading):
    """A studio that was there once; untidy: it was killed."""
    samples = glimpse(pool, **reading)
    place = path or pool.with_name(f"{pool.name}.trigpoint.db")
    store, settings = open_studio(place, samples, Settings(budget=10, n_neighbors=3), (), reading)
    with closing(store):
        events = store.append(drafts)
        state = State(settings, samples.ids.tolist())
        for event in events:
            state.apply(event)
        if tidy:
            store.amend(summary=summary_of(state, len(samples.ids), len(events)))
    return place


def label(sample, value="a", annotator="ada"):
    return Draft("label", annotator, sample, None, {"value": value})


def ask(sample):
    return Draft("ask", "ada", sample, None, {"audit": False})


def lines(hub):
    return {one.store: one for one in (hub._line(path) for path in sorted(hub.folder.glob("*.db")))}


def test_which_folder_is_a_folder_of_studios(tmp_path):
    folder = tmp_path / "projects"
    folder.mkdir()
    assert not is_folder_of_studios(folder)  # no store
    pool = write_pool(folder)
    make_store(pool)
    assert is_folder_of_studios(folder)
    assert not is_folder_of_studios(pool)
    (folder / "photos").mkdir()
    Image.fromarray(np.zeros((4, 4), dtype=np.uint8)).save(folder / "photos" / "0.png")
    assert is_folder_of_studios(folder)  # pictures of one of its pools
    own = tmp_path / "projects.trigpoint.db"
    own.touch()
    assert not is_folder_of_studios(folder)  # it was opened as a pool before
    own.unlink()
    (folder / "1.PNG").write_bytes((folder / "photos" / "0.png").read_bytes())
    assert not is_folder_of_studios(folder)  # pictures of its own


def test_what_is_told_of_a_studio(tmp_path):
    pool = write_pool(tmp_path)
    make_store(pool, ask("t1"), label("t1"), label("t2"), label("t2", "b", "bob"), id_column="key")
    (one,) = lines(Hub(tmp_path, None)).values()
    told = {name: getattr(one, name) for name in ("name", "pool", "task", "stage", "why", "url")}
    assert told == {
        "name": "pool.csv",
        "pool": str(pool),
        "task": "classification",
        "stage": "closed",
        "why": None,
        "url": None,
    }
    assert (one.n_samples, one.labels, one.spent, one.budget, one.people) == (12, 1, 1, 10, 2)
    assert abs(one.changed - time.time()) < PATIENCE


def test_a_killed_studio_is_counted_anew(tmp_path):
    pool = write_pool(tmp_path)
    drafts = [ask("t1"), label("t1"), label("t2")]
    make_store(pool, *drafts, id_column="key", tidy=False)
    hub = Hub(tmp_path, None)
    for _ in range(2):
        (one,) = lines(hub).values()
        assert (one.n_samples, one.labels, one.spent) == (12, 2, 1)


def test_a_store_is_read_again_when_it_has_changed(tmp_path):
    pool = write_pool(tmp_path)
    place = make_store(pool, label("t1"), id_column="key")
    hub = Hub(tmp_path, None)
    assert lines(hub)[place.name].labels == 1
    with closing(Store.open(place, {})) as store:
        store.append([label("t2")])
    assert lines(hub)[place.name].labels == 2


def test_pools_that_moved_or_are_gone(tmp_path):
    pool = write_pool(tmp_path)
    place = make_store(pool, path=tmp_path / "other.trigpoint.db")
    assert lines(Hub(tmp_path, None))[place.name].stage == "closed"
    pool.rename(tmp_path / "moved.csv")
    one = lines(Hub(tmp_path, None))[place.name]
    assert (one.stage, one.pool, one.why) == ("missing", None, f"its pool is missing: {pool}.")
    (tmp_path / "moved.csv").rename(tmp_path / "other")  # beside the store, under its name
    assert lines(Hub(tmp_path, None))[place.name].pool == str(tmp_path / "other")


def test_what_is_no_store_and_what_is_open_elsewhere(tmp_path):
    (tmp_path / "text.trigpoint.db").write_text("not a store " * 100)
    place = make_store(write_pool(tmp_path), label("t1"), id_column="key")
    hub = Hub(tmp_path, None)
    assert lines(hub)[place.name].stage == "closed"
    code = (
        "import sys\nfrom pathlib import Path\nfrom trigpoint.studio import Store\n"
        "store = Store.open(Path(sys.argv[1]), {})\nprint('open', flush=True)\nsys.stdin.read()"
    )
    command = [sys.executable, "-c", code, str(place)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout.readline() == "open\n"
        found = lines(hub)
        assert found["text.trigpoint.db"].stage == "unreadable"
        assert "is not a store of trigpoint studio" in found["text.trigpoint.db"].why
        assert (found[place.name].stage, found[place.name].labels) == ("elsewhere", 1)
        with pytest.raises(StoreError, match="another studio has it open"):
            glance(place, ("pool",))
        other.stdin.close()
    assert lines(hub)[place.name].stage == "closed"


def test_the_store_remembers_how_the_pool_is_read(tmp_path):
    pool = write_pool(tmp_path)
    place = make_store(pool, id_column="key", columns=["height"])
    about, last, when = glance(place, ("pool", "options", "settings"))
    assert (about["pool"], about["options"]) == (str(pool), {"id_column": "key", "columns": ["height"]})
    assert about["settings"] == json.loads(json.dumps(asdict(Settings(budget=10, n_neighbors=3))))
    assert (last, when) == (0, None)
    assert reading_words(about["options"]) == ["--id-column=key", "--columns=height"]


@contextmanager
def hub_process(folder, *words):
    command = [sys.executable, "-m", "trigpoint.cli", "studio", str(folder), "--no-browser", "--port", "0"]
    with subprocess.Popen(
        [*command, "--json", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "TRIGPOINT_CACHE": str(folder.parent / "cache")},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    ) as process:
        said = ""
        while not said.endswith("\n}\n"):
            line = process.stdout.readline()
            assert line, process.stderr.read()
            said += line
        url = json.loads(said)["url"]
        base = url.partition("/?")[0]
        try:
            with httpx.Client(base_url=base, headers={"origin": base}, timeout=PATIENCE) as client:
                assert client.get("/api/studios").status_code == 401
                assert client.get(url).status_code == 303
                yield process, client
        finally:
            process.kill()


def test_a_folder_of_studios_from_the_terminal(tmp_path):
    """Listed, opened with the options that the store remembers, linked to, and ended together."""
    folder = tmp_path / "projects"
    folder.mkdir()
    place = make_store(write_pool(folder), label("t1"), id_column="key")
    make_store(write_pool(folder, "gone.csv"), id_column="key")
    (folder / "gone.csv").unlink()
    with hub_process(folder) as (process, client):

        def line(name=place.name):
            return next(one for one in client.get("/api/studios").json()["studios"] if one["store"] == name)

        assert "Studios" in client.get("/static/hub.js").text
        assert client.get("/").status_code == 200
        assert (line()["stage"], line()["labels"]) == ("closed", 1)
        for store, status in (("gone.csv.trigpoint.db", 409), ("../x", 404), ("pool.csv", 404)):
            assert client.post("/api/open", json={"store": store}).status_code == status
        for _ in range(2):  # twice is once
            assert client.post("/api/open", json={"store": place.name}).json() == {"done": True}
        end = time.monotonic() + PATIENCE
        while line()["stage"] == "opening" and time.monotonic() < end:
            time.sleep(0.1)
        assert line()["stage"] == "open", line()
        url = line()["url"]
        base = url.partition("/?")[0]
        with httpx.Client(base_url=base, headers={"origin": base}, timeout=PATIENCE) as studio:
            assert studio.get(url).status_code == 303
            action = {"kind": "label", "client": "c", "sample": 5, "value": "b"}
            answer = studio.post("/api/actions", json={"annotator": "bob", "actions": [action]}).json()
            assert len(answer["saved"]) == 1
            assert studio.get("/api/samples/5").json()["id"] == "t5"  # by the column that the store remembers
        assert (line()["labels"], line()["people"]) == (2, 2)
        client.close()
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0, errors
    with pytest.raises(httpx.ConnectError):
        httpx.get(base)
    about, last, _ = glance(place, ("summary",))  # nobody has it open any more, and it ended by itself
    assert (about["summary"]["labels"], about["summary"]["seq"]) == (2, last)


def test_options_of_one_pool_are_refused_for_a_folder(tmp_path):
    make_store(write_pool(tmp_path))
    command = [sys.executable, "-m", "trigpoint.cli", "studio", str(tmp_path), "--classes", "a,b"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith(f"trigpoint: --classes must be about one pool; {tmp_path} holds studios")


def test_one_odd_store_hides_no_other(tmp_path):
    for name in ("fine.csv", "damaged.csv", "newer.csv", "odd.csv"):
        make_store(write_pool(tmp_path, name, 200), label("t1"), id_column="key", tidy=name != "odd.csv")
    damaged = tmp_path / "damaged.csv.trigpoint.db"
    content = bytearray(damaged.read_bytes())
    content[4096:] = b"\xff" * (len(content) - 4096)
    damaged.write_bytes(content)
    with closing(sqlite3.connect(tmp_path / "newer.csv.trigpoint.db")) as connection:
        connection.execute("PRAGMA user_version = 99")
    with closing(sqlite3.connect(tmp_path / "odd.csv.trigpoint.db")) as connection:
        (settings,) = connection.execute("SELECT value FROM meta WHERE key = 'settings'").fetchone()
        odd = json.dumps({**json.loads(settings), "mood": "good"})
        connection.execute("UPDATE meta SET value = ? WHERE key = 'settings'", [odd])
        connection.commit()
    found = {name.partition(".")[0]: (one.stage, one.why) for name, one in lines(Hub(tmp_path, None)).items()}
    assert found["fine"] == ("closed", None)
    assert {name: stage for name, (stage, _) in found.items()} == {
        "fine": "closed",
        "damaged": "unreadable",
        "newer": "unreadable",
        "odd": "unreadable",
    }
    assert "damaged" in found["damaged"][1]
    assert "format 99 of a newer trigpoint" in found["newer"][1]
    assert "mood" in found["odd"][1]

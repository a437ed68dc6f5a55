import os
import random
import resource
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from tempfile import gettempdir

import pytest

from trigpoint.studio._event_store import Store, StoreError, StoreFullError
from trigpoint.studio._events import Draft

ABOUT = {"settings": {"task": "classification"}, "kind": "table"}


def label(client=None, value="cat", sample="s1", annotator="ada"):
    return Draft("label", annotator, sample, client, {"value": value})


@pytest.fixture
def path(tmp_path):
    return tmp_path / "pool #1?.db"


@pytest.fixture
def store(path):
    with closing(Store.open(path, ABOUT)) as store:
        yield store


def run(code, *arguments):
    """A process of its own."""
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_events_come_back_as_they_were_written(store, path):
    before = time.time()
    drafts = [
        Draft("ask", "ada", "s1", None, {"audit": True}),
        label("c1", "Käse; DROP TABLE events --", "<img src=x>"),
        Draft("label", "bob", "\x00\U0001f600", "c2", {"value": [1.5, -2e-308], "final": False}),
        Draft("budget", "bob", None, None, {"budget": 7}),
    ]
    written = store.append(drafts)
    assert [event.draft for event in written] == drafts
    assert [event.seq for event in written] == [1, 2, 3, 4]
    assert all(before <= event.time <= time.time() for event in written)
    assert list(store.events()) == written
    store.close()
    with closing(Store.open(path, {"other": 1})) as again:
        assert list(again.events()) == written
        assert again.append([label()])[0].seq == 5


def test_what_a_store_says_about_itself_is_kept_and_amended(store, path):
    assert store.about.items() >= ABOUT.items()
    assert store.about["format"] == 1
    assert len(store.about["id"]) == 32
    store.amend(digest="new")
    about = dict(store.about)
    assert about["digest"] == "new"
    store.close()
    with closing(Store.open(path, {"kind": "other"})) as again:
        assert again.about == about


def test_a_client_name_is_written_once(store):
    first, same, other = store.append([label("c", "cat"), label("c", "dog"), label("d")])
    assert same == first
    assert other.seq > first.seq
    assert store.append([label("c", "owl"), label("e")])[0] == first
    assert [event.client for event in store.events()] == ["c", "d", "e"]


def test_events_without_a_client_name_are_all_written(store):
    assert len(store.append([label(), label()])) == 2
    assert len(list(store.events())) == 2


def test_events_are_read_page_by_page_while_others_write(store, monkeypatch):
    monkeypatch.setattr("trigpoint.studio._event_store.PAGE", 3)
    store.append([label(str(k)) for k in range(6)])
    reading = store.events()
    next(reading)
    store.append([label("late")])
    assert [event.client for event in reading] == ["1", "2", "3", "4", "5", "late"]


def test_nothing_is_appended(store):
    assert store.append([]) == []


@pytest.mark.parametrize("body", [{"value": float("nan")}, {"value": object()}])
def test_all_of_a_batch_is_written_or_none(store, body):
    with pytest.raises((ValueError, TypeError)):
        store.append([label("good"), Draft("label", "ada", "s", "bad", body)])
    assert list(store.events()) == []
    assert store.append([label("good")])[0].client == "good"


def test_the_database_is_durable_and_only_grows(store):
    connection = store._connection
    asked = ("journal_mode", "synchronous", "locking_mode")
    modes = [connection.execute(f"PRAGMA {name}").fetchone()[0] for name in asked]
    assert modes == ["wal", 2, "exclusive"]
    store.append([label()])
    for statement in ("DELETE FROM events", "UPDATE events SET kind = 'skip'"):
        with pytest.raises(sqlite3.IntegrityError, match="never"):
            connection.execute(statement)


def test_a_second_studio_is_refused_soon_and_the_first_goes_on(store, path):
    with pytest.raises(StoreError, match="another studio has it open"):
        Store.open(path, ABOUT)
    assert store._connection.execute("PRAGMA busy_timeout").fetchone()[0] < 1000  # milliseconds to wait
    code = "import sys; from pathlib import Path; from trigpoint.studio._event_store import Store\n"
    other = run(code + "Store.open(Path(sys.argv[1]), {})", path)
    assert "another studio has it open" in other.communicate()[1].splitlines()[-1]
    store.append([label()])
    assert len(list(store.events())) == 1


def test_a_reader_of_another_kind_is_refused_as_well(store, path):
    store.append([label()])
    with (
        closing(sqlite3.connect(path, timeout=0)) as other,
        pytest.raises(sqlite3.OperationalError, match="locked"),
    ):
        other.execute("SELECT * FROM events")


def test_a_killed_studio_leaves_no_lock_and_no_hole(path):
    code = """
import sys, time
from pathlib import Path
from trigpoint.studio._events import Draft
from trigpoint.studio._event_store import Store
store = Store.open(Path(sys.argv[1]), {})
store.append([Draft("skip", "ada", "s", None, {})])
print("written", flush=True)
time.sleep(60)
"""
    child = run(code, path)
    assert child.stdout.readline() == "written\n"
    child.kill()
    child.communicate()
    with closing(Store.open(path, {})) as store:
        assert [event.kind for event in store.events()] == ["skip"]


def test_what_is_not_a_store_is_refused_and_left_alone(tmp_path):
    text = tmp_path / "text"
    text.write_text("id,label\n" * 100)
    foreign = tmp_path / "foreign.db"
    with closing(sqlite3.connect(foreign)) as other:
        other.execute("CREATE TABLE mine(a)")
    empty_foreign = tmp_path / "empty foreign.db"
    with closing(sqlite3.connect(empty_foreign)) as other:
        other.execute("PRAGMA application_id = 77")
    for file in (text, foreign, empty_foreign):
        content = file.read_bytes()
        with pytest.raises(ValueError, match="is not a store"):
            Store.open(file, ABOUT)
        assert file.read_bytes() == content


def test_a_newer_format_is_refused(store, path):
    store._connection.execute("PRAGMA user_version = 2")
    store.close()
    with pytest.raises(ValueError, match="format 2 of a newer trigpoint; this one reads 1"):
        Store.open(path, ABOUT)


def test_a_damaged_store_is_refused(store, path):
    store.append([label(str(k)) for k in range(500)])
    store.close()
    content = bytearray(path.read_bytes())
    content[4096:] = b"\xff" * (len(content) - 4096)
    path.write_bytes(content)
    with pytest.raises(StoreError, match="damaged"):
        Store.open(path, ABOUT)


def test_folders_are_told_apart_from_files(tmp_path):
    with pytest.raises(StoreError, match="folder of the store must exist"):
        Store.open(tmp_path / "none" / "a.db", ABOUT)
    with pytest.raises(StoreError, match="is a folder"):
        Store.open(tmp_path, ABOUT)


def test_an_empty_file_becomes_a_store(path):
    path.touch()
    with closing(Store.open(path, ABOUT)) as store:
        assert store.about["kind"] == "table"


AS_NOBODY = """
import os, sys
from pathlib import Path
from trigpoint.studio._event_store import Store
if os.getuid() == 0:
    os.setuid(65534)
try:
    Store.open(Path(sys.argv[1]), {})
except OSError as error:
    print(error)
"""


@pytest.mark.parametrize(
    ("file_mode", "folder_mode", "reason"),
    [(0o444, 0o777, "used: it is read-only"), (0o666, 0o555, "used: its folder is read-only")],
)
def test_what_cannot_be_written_is_refused(store, path, file_mode, folder_mode, reason):
    store.append([label()])
    store.close()
    folders = [folder for folder in path.parents if Path(gettempdir()) in folder.parents]
    modes = [folder.stat().st_mode for folder in folders]
    try:
        for folder in folders[1:]:
            folder.chmod(0o755)
        path.chmod(file_mode)
        path.parent.chmod(folder_mode)
        assert reason in run(AS_NOBODY, path).communicate()[0]
    finally:
        for folder, mode in zip(folders, modes, strict=True):
            folder.chmod(mode)


def test_a_full_disk_is_told_and_forgotten_once_there_is_room(store):
    connection = store._connection
    pages = connection.execute("PRAGMA page_count").fetchone()[0]
    connection.execute(f"PRAGMA max_page_count = {pages}")
    long = [label(f"long {k}", "x" * 200) for k in range(500)]
    with pytest.raises(StoreFullError, match=r"cannot be used: the disk is full\.$"):
        store.append(long)
    assert list(store.events()) == []
    connection.execute("PRAGMA max_page_count = 100000")
    assert len(store.append(long)) == len(list(store.events())) == 500


def test_a_store_that_becomes_read_only_is_told_and_forgotten(store):
    store._connection.execute("PRAGMA query_only = 1")
    with pytest.raises(StoreError, match="it is read-only"):
        store.append([label("c")])
    with pytest.raises(StoreError, match="it is read-only"):
        store.amend(digest="x")
    assert "digest" not in store.about
    store._connection.execute("PRAGMA query_only = 0")
    assert store.append([label("c")])[0].seq == 1


def test_a_refused_write_is_told_and_forgotten(store):
    """The limit of a file's size, which the kernel refuses to pass as it does where a quota is used up."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    kept = store.append([label("before")])
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, hard))
        with pytest.raises(StoreError, match="the disk reports an error, or its quota is used up"):
            kept.extend(event for k in range(1000) for event in store.append([label(f"small {k}")]))
        for _ in range(3):
            with pytest.raises(StoreError, match="quota"):
                store.append([label("again")])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert list(store.events()) == kept
    kept += store.append([label("again"), label("after")])
    assert list(store.events()) == kept
    path = store.path
    store.close()
    with closing(Store.open(path, {})) as again:
        assert list(again.events()) == kept
        assert _is_whole(again)


def test_a_store_that_was_removed_takes_no_label(store, path):
    store.append([label("c1")])
    away = path.with_name("away.db")
    path.rename(away)
    with pytest.raises(StoreError, match="it was moved or removed"):
        store.append([label("c2")])
    away.rename(path)
    assert store.append([label("c2")])[0].seq == 2


def test_a_closed_store_says_so(store):
    store.close()
    with pytest.raises(StoreError, match="closed"):
        store.append([label()])
    store.close()


def _is_whole(store):
    return store._connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


UNDER_LOAD = """
import asyncio, os, sys
from pathlib import Path
from trigpoint.studio._events import Draft
from trigpoint.studio._event_store import Store
from trigpoint.studio._writer import Writer

async def annotate(writer, name):
    k = 0
    while True:
        clients = [f"{os.getpid()} {name} {k}", f"{os.getpid()} {name} {k + 1}"]
        k += 2
        drafts = [Draft("label", name, "s", client, {"value": "x" * 50}) for client in clients]
        for event in await writer.append(drafts):
            os.write(1, b"%d %s\\n" % (event.seq, event.client.encode()))

async def main(path):
    writer = Writer(Store.open(path, {}), asyncio.get_running_loop())
    await asyncio.gather(*(annotate(writer, f"a{k}") for k in range(5)))

for line in sys.stdin:  # a child for each line: a fork is soon there
    pid = os.fork()
    if pid == 0:
        asyncio.run(main(Path(line.strip())))
    os.write(1, b"pid %d\\n" % pid)
    os.waitpid(pid, 0)
    os.write(1, b"dead\\n")
"""


def _told(parent, path, count, delay):
    """Seq and client of the events that a process was told are saved, until it was killed ``delay`` seconds
    after the first ``count``."""
    parent.stdin.write(f"{path}\n")
    parent.stdin.flush()
    lines = []
    while not lines or not lines[-1].startswith("pid"):
        lines.append(parent.stdout.readline())
    pid = int(lines.pop().split()[1])
    while len(lines) < count:
        lines.append(parent.stdout.readline())
    time.sleep(delay)
    os.kill(pid, signal.SIGKILL)
    lines += iter(parent.stdout.readline, "dead\n")
    return [(int(seq), client) for seq, client in (line.rstrip().split(" ", 1) for line in lines)]


@pytest.mark.slow
def test_no_kill_takes_an_acknowledged_label(tmp_path):
    """200 kills, from the making of a store on; every tenth begins a new one."""
    rng = random.Random(0)
    saved, total = {}, 0
    command = [sys.executable, "-c", UNDER_LOAD]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as parent:
        for k in range(200):
            path = tmp_path / f"{k // 10}.db"
            if k % 10 == 0:
                total, saved = total + len(saved), {}
            told = _told(parent, path, rng.randrange(60), rng.uniform(0.0, 0.02))
            assert [seq for seq, _ in told] == sorted(seq for seq, _ in told)
            saved.update(told)
            with closing(Store.open(path, {})) as store:
                assert _is_whole(store)
                found = [(event.seq, event.client) for event in store.events()]
            assert [seq for seq, _ in found] == sorted({seq for seq, _ in found})
            assert saved.items() <= dict(found).items()
        parent.stdin.close()
    assert total > 5000

"""The events on disk: one SQLite file that only grows.

An event is on disk before `append` returns (write-ahead log, synchronous=FULL), so that neither a killed
process nor a power cut takes it away. The file is locked for as long as it is open; the lock dies with its
process. A file is made in one transaction: what a crash leaves of it is either nothing or all.

Links, passwords and sessions lie in tables of their own beside the events: they may change and go, and no
export of the log holds them.

Never open the file with `open` in a process that has it open here: POSIX drops a process's locks on a file
when any of its handles is closed.
"""

import json
import os
import sqlite3
import uuid
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from threading import Lock
from time import time
from typing import Any, Self

from trigpoint.studio._events import Draft, Event

APPLICATION = 0x54726967  # "Trig"
FORMAT = 1
PATIENCE = 0.5  # seconds to wait for a studio that is just closing
PAGE = 1000  # events read at a time

SCHEMA = f"""
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT);
CREATE TABLE events(
    seq INTEGER PRIMARY KEY AUTOINCREMENT, time REAL NOT NULL, kind TEXT NOT NULL, annotator TEXT NOT NULL,
    sample TEXT, client TEXT UNIQUE, body TEXT NOT NULL
);
CREATE TRIGGER no_update BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'events are never changed'); END;
CREATE TRIGGER no_delete BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'events are never deleted'); END;
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = {FORMAT};
"""

PEOPLE = (
    "CREATE TABLE IF NOT EXISTS links(id TEXT PRIMARY KEY, token TEXT NOT NULL UNIQUE, role TEXT NOT NULL,"
    " name TEXT, made REAL NOT NULL, ended REAL, salt BLOB, password BLOB)",
    "CREATE TABLE IF NOT EXISTS sessions(digest TEXT PRIMARY KEY, link TEXT NOT NULL, made REAL NOT NULL)",
)

REASONS = {
    sqlite3.SQLITE_FULL: "the disk is full",
    sqlite3.SQLITE_READONLY: "it is read-only",
    sqlite3.SQLITE_PERM: "it may not be written",
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened; may its folder be written?",
    sqlite3.SQLITE_IOERR: "the disk reports an error, or its quota is used up",
    sqlite3.SQLITE_CORRUPT: "its content is damaged",
    sqlite3.SQLITE_BUSY: "another studio has it open",
    sqlite3.SQLITE_LOCKED: "another studio has it open",
}


class StoreError(OSError):
    """The store cannot be written now; the message is one line for a person."""


class StoreFullError(StoreError):
    """The disk has no room for more."""


class StoreBusyError(StoreError):
    """Another studio has it open."""


KINDS = {
    sqlite3.SQLITE_FULL: StoreFullError,
    sqlite3.SQLITE_BUSY: StoreBusyError,
    sqlite3.SQLITE_LOCKED: StoreBusyError,
}


def _store_error(path: Path, error: sqlite3.Error) -> StoreError:
    """Which error it is, is decided by SQLite's code."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    kind = KINDS.get(code, StoreError)
    return kind(f"The store {path} cannot be used: {REASONS.get(code, str(error))}.")


class Store:
    """An open store. Each call holds a lock, so that several threads may share it."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._connection = connection
        self._lock = Lock()
        self._place = _place(path)
        rows = connection.execute("SELECT key, value FROM meta ORDER BY rowid")
        self.about: dict[str, Any] = {key: json.loads(value) for key, value in rows}

    @classmethod
    def open(cls, path: Path, about: dict[str, Any]) -> Self:
        """The store at ``path``, made with ``about`` where there is none.

        Raises
        ------
        ValueError : the file is something else, or of a newer trigpoint
        StoreError : another studio has it open, it cannot be written, its folder does not exist
        """
        path = Path(path).absolute()
        _check_writable(path)
        _create_private(path)
        connection = None
        try:
            connection = sqlite3.connect(
                path.as_uri() + "?mode=rwc",
                uri=True,
                timeout=PATIENCE,
                isolation_level=None,
                check_same_thread=False,
            )
            _prepare(connection, path, about)
            return cls(path, connection)
        except BaseException as error:
            if connection is not None:
                connection.close()
            if isinstance(error, sqlite3.Error):
                if getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_NOTADB:
                    raise ValueError(f"{path} is not a store of trigpoint studio.") from error
                raise _store_error(path, error) from error
            raise

    def amend(self, **about: Any) -> None:
        """Change what the store says about itself."""
        with self._transaction():
            _write_about(self._connection, about)
        self.about.update(about)

    def append(self, drafts: Sequence[Draft]) -> list[Event]:
        """Write all drafts or none; they are on disk on return.

        A draft whose client name was written before gives the event of that time. Raises StoreError where
        the disk refuses; the same store works again once the cause is gone.
        """
        now = time()
        with self._transaction():
            self._check_place()
            return [self._insert(draft, now) for draft in drafts]

    def events(self) -> Iterator[Event]:
        """All events in order, also those that arrive meanwhile."""
        last = 0
        while True:
            with self._lock, self._translated():
                rows = self._select("seq > ? ORDER BY seq LIMIT ?", last, PAGE)
            yield from rows
            if len(rows) < PAGE:
                return
            last = rows[-1].seq

    @property
    def last(self) -> int:
        """The number of the last event; 0 before there is one."""
        with self._lock, self._translated():
            return _number(self._connection, "SELECT coalesce(max(seq), 0) FROM events")

    def rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        """Rows of the tables beside the events."""
        with self._lock, self._translated():
            return self._connection.execute(query, values).fetchall()

    def change(self, *statements: tuple[str, Sequence[Any]]) -> None:
        """Change the tables beside the events: all statements or none, and on disk on return."""
        with self._transaction():
            self._check_place()
            for statement, values in statements:
                self._connection.execute(statement, values)

    def close(self) -> None:
        with self._lock:
            self._connection.close()

    def _insert(self, draft: Draft, now: float) -> Event:
        row = (now, draft.kind, draft.annotator, draft.sample, draft.client)
        body = json.dumps(draft.body, allow_nan=False)
        cursor = self._connection.execute(
            "INSERT INTO events(time, kind, annotator, sample, client, body) VALUES (?, ?, ?, ?, ?, ?)"
            " ON CONFLICT(client) DO NOTHING",
            (*row, body),
        )
        if cursor.rowcount == 0:
            return self._select("client = ?", draft.client)[0]
        return Event(int(cursor.lastrowid or 0), *row, json.loads(body))

    def _select(self, condition: str, *values: Any) -> list[Event]:
        query = f"SELECT seq, time, kind, annotator, sample, client, body FROM events WHERE {condition}"
        rows = self._connection.execute(query, values)
        return [
            Event(seq, when, kind, annotator, sample, client, json.loads(body))
            for seq, when, kind, annotator, sample, client, body in rows
        ]

    def _check_place(self) -> None:
        """SQLite goes on writing to a file that was removed: its labels would be gone with the process."""
        if _place(self.path) != self._place:
            raise StoreError(f"The store {self.path.name} cannot be used: it was moved or removed.")

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with self._lock, self._translated():
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):  # some errors have ended the transaction themselves
                    self._connection.execute("ROLLBACK")
                raise

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise _store_error(Path(self.path.name), error) from error  # annotators elsewhere read it


def glance(path: Path, keys: Sequence[str]) -> tuple[dict[str, Any], int, float | None]:
    """What a store that nobody has open says about itself, and the number and time of its last event.

    For another process than the one that has it open. It takes a moment, for which a studio that starts
    waits. Raises StoreError where somebody has it open or it cannot be read, ValueError where it is no store.
    """
    with _reading(path) as connection:
        marks = ", ".join("?" * len(keys))
        rows = connection.execute(f"SELECT key, value FROM meta WHERE key IN ({marks})", keys)
        about = {key: json.loads(value) for key, value in rows}
        last = connection.execute("SELECT seq, time FROM events ORDER BY seq DESC LIMIT 1").fetchone()
        return about, *(last or (0, None))


def read_events(path: Path) -> list[Event]:
    """All events of a store that nobody has open; as `glance`."""
    with _reading(path) as connection:
        rows = connection.execute(
            "SELECT seq, time, kind, annotator, sample, client, body FROM events ORDER BY seq"
        )
        found = rows.fetchall()
    return [
        Event(seq, when, kind, annotator, sample, client, json.loads(body))
        for seq, when, kind, annotator, sample, client, body in found
    ]


@contextmanager
def _reading(path: Path) -> Iterator[sqlite3.Connection]:
    try:
        uri = path.absolute().as_uri() + "?mode=rw"
        with closing(sqlite3.connect(uri, uri=True, timeout=0.1, isolation_level=None)) as connection:
            if _number(connection, "PRAGMA application_id") != APPLICATION:
                raise ValueError(f"{path} is not a store of trigpoint studio.")
            _check_format(connection, path)
            connection.execute("BEGIN")
            yield connection
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_NOTADB:
            raise ValueError(f"{path} is not a store of trigpoint studio.") from error
        raise _store_error(path, error) from error


def _check_writable(path: Path) -> None:
    """Asked of the system, since SQLite has no clear word for each of these."""
    if not path.parent.is_dir():
        raise StoreError(f"The folder of the store must exist; got {path.parent}.")
    if path.is_dir():
        raise StoreError(f"The store must be a file; {path} is a folder.")
    if not os.access(path.parent, os.W_OK | os.X_OK):
        raise StoreError(f"The store {path} cannot be used: its folder is read-only.")
    if path.exists() and not os.access(path, os.R_OK | os.W_OK):
        raise StoreError(f"The store {path} cannot be used: it is read-only.")


def _create_private(path: Path) -> None:
    """An empty file that its owner alone may read, since it will hold the link; SQLite fills it."""
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def _place(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _prepare(connection: sqlite3.Connection, path: Path, about: dict[str, Any]) -> None:
    """Lock the file, make its tables where it is empty, and see that it is ours."""
    connection.execute("PRAGMA locking_mode = EXCLUSIVE")  # before the first look at a write-ahead log
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("BEGIN EXCLUSIVE")
    tables = _number(connection, "SELECT count(*) FROM sqlite_schema")
    if tables == 0 and _number(connection, "PRAGMA application_id") == 0:
        for statement in SCHEMA.split(";\n"):
            connection.execute(statement)
        _write_about(connection, {**about, "format": FORMAT, "created": time(), "id": uuid.uuid4().hex})
    ours = _number(connection, "PRAGMA application_id") == APPLICATION
    for statement in PEOPLE if ours else ():
        connection.execute(statement)
    connection.execute("COMMIT")
    if not ours:
        raise ValueError(f"{path} is not a store of trigpoint studio.")
    _check_format(connection, path)
    connection.execute("PRAGMA journal_mode = WAL")


def _check_format(connection: sqlite3.Connection, path: Path) -> None:
    version = _number(connection, "PRAGMA user_version")
    if version > FORMAT:
        raise ValueError(f"{path} has format {version} of a newer trigpoint; this one reads {FORMAT}.")


def _number(connection: sqlite3.Connection, query: str) -> int:
    return int(connection.execute(query).fetchone()[0])


def _write_about(connection: sqlite3.Connection, about: dict[str, Any]) -> None:
    rows = [(key, json.dumps(value)) for key, value in about.items()]
    connection.executemany("INSERT OR REPLACE INTO meta(key, value) VALUES (?, ?)", rows)

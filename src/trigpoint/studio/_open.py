"""A studio is opened: the store is found or begun, and what it knows must agree with what is asked for.

A store belongs to a pool. Events name samples by their ids, so a pool with ids of its own may grow, shrink
or be sorted anew. Where ids are row numbers, rows may be added at the end; after any other change they name
other samples, and the store is refused. `Store.about` has what has changed since the last start as "change".
"""

import hashlib
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from trigpoint._errors import InputError
from trigpoint.io import Samples
from trigpoint.prediction import check_view
from trigpoint.studio._changed import former_marks
from trigpoint.studio._event_store import Store
from trigpoint.studio._events import Settings
from trigpoint.studio._pool_change import PoolChange, known_samples, only_appended, pool_change

FIXED = {
    "task": "the task",
    "targets": "--values",
    "points": "--points",
    "overlap": "--overlap",
    "audit": "--audit",
    "seed": "--seed",
    "view": "--view",
}

ENDING = ".trigpoint.db"
TELLING = {"id_column": "--id-column", "key": "--key", "graph": "--graph"}  # which sample is which


def default_store(pool: Path) -> Path:
    """Beside the pool."""
    pool = pool.absolute()
    return pool.with_name(f"{pool.name}{ENDING}")


def pool_of(store: Path, about: Mapping[str, Any]) -> Path | None:
    """The pool of a store: where it was, or else beside the store under its name; None: it is gone."""
    told = about.get("pool")
    beside = store.with_name(store.name.removesuffix(ENDING))
    places = [*([] if told is None else [Path(told)]), beside]
    return next((place for place in places if place.exists()), None)


def open_studio(
    path: Path,
    samples: Samples,
    asked: Settings,
    given: Sequence[str],
    reading: Mapping[str, Any] | None = None,
) -> tuple[Store, Settings]:
    """The store and the settings that hold: its own where it is there already.

    ``given`` names the settings that the user spelled out; these must not contradict the store, but for
    the budget and the classes, which may change. ``reading`` are the options of reading the pool: those that
    say what is a sample, and what its id, must be as they were.
    """
    digest, now = _digest(samples), known_samples(samples)
    about: dict[str, Any] = {
        "id": secrets.token_hex(8),  # by which a page knows the studio that its unsent labels are for
        "settings": asdict(asked),
        "digest": digest,
        "row_numbers": not samples.named,
        "samples": now,
        "reading": {name: value for name, value in (reading or {}).items() if name in TELLING},
    }
    store = Store.open(path, about)
    try:
        settings = _agreed(path, stored_settings(store.about["settings"]), asked, given)
        _check_reading(path, store.about["reading"], about["reading"])
        store.about["change"] = _change(path, samples, store, about)
        _remember(store, samples, reading or {})
    except BaseException:
        store.close()
        raise
    return store, settings


def _remember(store: Store, samples: Samples, reading: Mapping[str, Any]) -> None:
    """Where the pool is and how it is read, so that the store alone can open it again."""
    lists = {name: list(value) for name, value in reading.items() if isinstance(value, tuple)}
    paths = {name: str(value) for name, value in reading.items() if isinstance(value, Path)}
    now = {"pool": str(samples.path.absolute()), "options": {**reading, **lists, **paths}}
    if any(store.about.get(name) != value for name, value in now.items()):
        store.amend(**now)


def _change(path: Path, samples: Samples, store: Store, about: dict[str, Any]) -> PoolChange:
    """What has become of the pool, which the store then knows as it is now."""
    was, now = store.about, about["samples"]
    if was["digest"] and was["digest"] == about["digest"]:
        return PoolChange()
    numbers = was["row_numbers"], about["row_numbers"]
    if any(numbers) and not (all(numbers) and only_appended(was["samples"], now)):
        raise InputError(
            samples.path,
            f"must keep the rows that it had when {path} was created, in their order, because its samples "
            "have no ids of their own to match labels by: add new rows at the end, or give --id-column, or "
            "another --store",
        )
    change = pool_change(was["samples"], now)
    if change.added < len(now["ids"]):  # else it may be the wrong pool, which is told later
        former = former_marks(was.get("former", {}), was["samples"], now, store.last)
        store.amend(digest=about["digest"], samples=now, former=former)
    return change


def _check_reading(path: Path, was: dict[str, Any], now: dict[str, Any]) -> None:
    for name, flag in TELLING.items():
        if was.get(name) != now.get(name):
            then, today = (repr(options[name]) if name in options else "nothing" for options in (was, now))
            raise InputError(flag, f"must be {then}, as when {path} was created", today)


def _digest(samples: Samples) -> str:
    """Of a file's bytes; files of a folder have names, which are their ids."""
    if samples.path.is_dir():
        return ""
    with samples.path.open("rb") as stream:
        return hashlib.file_digest(stream, lambda: hashlib.blake2b(digest_size=16)).hexdigest()


def stored_settings(stored: dict[str, Any]) -> Settings:
    lists = {name: tuple(value) for name, value in stored.items() if isinstance(value, list)}
    return Settings(**{**stored, **lists})


def _agreed(path: Path, own: Settings, asked: Settings, given: Sequence[str]) -> Settings:
    for name, flag in FIXED.items():
        was, now = getattr(own, name), getattr(asked, name)
        if name in given and was != now:
            raise InputError(flag, f"must be {_said(was)}, as when {path} was created", _said(now))
    graph = {name: getattr(asked, name) for name in ("n_neighbors", "metric") if name in given}
    settings = replace(own, **graph)
    check_view(settings.view, settings.metric)
    return settings


def _said(value: Any) -> str:
    return ",".join(map(str, value)) or "none" if isinstance(value, tuple) else str(value)

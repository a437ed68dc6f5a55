"""From what is typed to a studio that can be opened: checks, settings, and what is written first."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from trigpoint._errors import InputError
from trigpoint._validation import check_integer
from trigpoint.cli._errors import tell
from trigpoint.cli._options import NeighborOptions, PoolOptions
from trigpoint.cli._stdin import is_standard_input
from trigpoint.io import Samples, cache_folder, glimpse
from trigpoint.studio import (
    Draft,
    Job,
    Settings,
    State,
    Store,
    guide_problem,
    is_loopback,
    name_problem,
    read_import,
)

PUBLIC = "must be an address such as https://label.example.com"
HOST = re.compile(r"[a-z0-9._-]+|[0-9a-f:.]+")
USUAL_PORTS = {"http": 80, "https": 443}
COMMAND_LINE = "command line"  # the annotator of a new budget and of given classes


def chosen_host(host: str | None, allow_remote: bool) -> str:
    """Where to listen: at this machine's own address unless others are allowed, then at all of its."""
    if host is None:
        return "0.0.0.0" if allow_remote else "127.0.0.1"
    if not is_loopback(host) and not allow_remote:
        raise InputError(
            "--host",
            "must be a local address such as 127.0.0.1, unless --allow-remote is given",
            f"{host!r}: anyone who can reach the machine and has the link could then see the pool and label, "
            "and what is sent is not encrypted",
        )
    return host


def public_origin(url: str | None) -> str | None:
    """The address that browsers show, as they write it in the header Origin.

    >>> public_origin("https://Label.example.com:443/")
    'https://label.example.com'
    """
    if url is None:
        return None
    try:
        parts = urlsplit(url)
        port, name = parts.port, parts.hostname or ""
        name = name if name.isascii() else name.encode("idna").decode()
    except ValueError:
        raise InputError("--public-url", PUBLIC, repr(url)) from None
    if parts.scheme not in USUAL_PORTS or not HOST.fullmatch(name) or "@" in parts.netloc:
        raise InputError("--public-url", PUBLIC, repr(url))
    if parts.path not in ("", "/") or parts.query or parts.fragment:
        raise InputError(
            "--public-url", f"{PUBLIC}, without a path: the studio needs a name of its own", repr(url)
        )
    name = f"[{name}]" if ":" in name else name
    usual = port in (None, USUAL_PORTS[parts.scheme])
    return f"{parts.scheme}://{name}" if usual else f"{parts.scheme}://{name}:{port}"


def label_settings(
    classes: list[str] | None,
    values: list[str] | None,
    points: list[str] | None,
    tags: list[str] | None = None,
) -> dict[str, Any]:
    """The settings that say what a label is; empty where nothing was said."""
    told = {"--classes": classes, "--values": values, "--points": points, "--tags": tags}
    flags = [flag for flag, listed in told.items() if listed is not None]
    if len(flags) > 1:
        raise InputError(
            f"{flags[0]} and {flags[1]}", "must not be used together: a label is one or the other"
        )
    for flag in flags:
        _check_names(told[flag] or [], flag)
    if classes is not None:
        return {"task": "classification", "classes": tuple(classes)}
    if tags is not None:
        return {"task": "tags", "classes": tuple(tags)}
    if values is not None:
        return {"task": "regression", "targets": tuple(values)}
    if points is not None:
        sides = tuple(f"{name}.{side}" for name in points for side in "xy")
        return {"task": "regression", "targets": sides, "points": tuple(points)}
    return {}


def _check_names(listed: list[str], flag: str) -> None:
    for name in listed:
        if not name or len(name) > 200 or listed.count(name) > 1:
            raise InputError(flag, "must be distinct names of 1 to 200 characters", ascii(name)[:60])
        why = name_problem(name, flag)
        if why is not None:
            raise InputError(flag, why.removeprefix(f"{flag} ").removesuffix("."))
        if flag in ("--values", "--points") and name.lower() in ("id", "name", "filename"):
            raise InputError(flag, f"must not be {name!r}, the name of the column of ids in exports")


def look_at(pool: PoolOptions, reading: dict[str, Any], targets: dict[str, Any]) -> Samples:
    if is_standard_input(pool.source):
        raise InputError("POOL", "must be a file or a folder, to which labels are saved", "standard input")
    samples = glimpse(pool.source, **reading)
    if samples.n_samples < 2:
        raise InputError(pool.source, "must hold at least 2 samples", samples.n_samples)
    if targets.get("points") and samples.kind != "images":
        raise InputError(
            "--points", f"must be clicked on pictures; {pool.source} is a pool of kind {samples.kind}"
        )
    return samples


def asked_settings(
    samples: Samples, graph: NeighborOptions, targets: dict[str, Any], **numbers: int | float | None
) -> tuple[Settings, list[str]]:
    """The settings as they would be for a new store, and which of them were given."""
    n = samples.n_samples
    if samples.graph is not None:
        for flag, value in (
            ("--neighbors", graph.neighbors),
            ("--metric", graph.metric),
            ("--view", graph.view),
        ):
            if value is not None:
                raise InputError(flag, f"has no meaning for {samples.path}, which is a graph", repr(value))
    neighbors = None if graph.neighbors is None else check_integer(graph.neighbors, "--neighbors", 1, n - 1)
    if numbers["budget"] is not None:
        check_integer(numbers["budget"], "--budget", 1, n, f" for {n} samples")
    told = {**numbers, **targets, "n_neighbors": neighbors, "metric": graph.metric, "view": graph.view}
    given: dict[str, Any] = {name: value for name, value in told.items() if value is not None}
    usual = {"budget": min(Settings.budget, n), "n_neighbors": min(Settings.n_neighbors, n - 1)}
    return Settings(**{**usual, **given}), list(given)


def make_job(pool: PoolOptions, graph: NeighborOptions, reading: dict[str, Any]) -> Job:
    cache = None if graph.no_cache else (graph.cache or cache_folder()).absolute()
    return Job(pool.source.absolute(), reading, cache)


def check_labels(labels: Path | None, samples: Samples, settings: Settings) -> None:
    """Read the labels as they will be read, and forget them."""
    if labels is not None:
        state = State(settings, samples.ids.tolist())
        read_import(labels, state, samples.ids, settings, COMMAND_LINE, _texts(samples))


def read_guide(path: Path) -> str:
    """The guidelines in a file; lines end as they do everywhere."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise InputError("--guide", "must be a text file in UTF-8", path) from None
    except OSError as error:
        raise InputError("--guide", f"must be a file that can be read: {error.strerror}", path) from None
    why = guide_problem(text, "--guide")
    if why is not None:
        raise InputError("--guide", why.removeprefix("--guide ").removesuffix("."))
    return text


def _texts(samples: Samples) -> Sequence[str] | None:
    return samples.shown if samples.kind == "text" else None


def first_drafts(
    kept: Store,
    settings: Settings,
    asked: Settings,
    given: Sequence[str],
    state: State,
    samples: Samples,
    labels: Path | None,
    guide: str | None = None,
) -> list[Draft]:
    """What is to be written first: a budget that is not the one of the last start, classes, guidelines that
    differ, known labels.

    A budget that was changed on the page stays when the same command is run again, and so does a class that
    was renamed there.
    """
    drafts = []
    if "budget" in given and asked.budget != settings.budget:
        drafts.append(Draft("budget", COMMAND_LINE, None, None, {"budget": asked.budget}))
        kept.amend(settings={**kept.about["settings"], "budget": asked.budget})
    drafts += [
        Draft("class", COMMAND_LINE, None, None, {"name": name})
        for name in asked.classes
        if name not in state.classes and name not in state.book.renamed
    ]
    if guide is not None and guide != state.guide:
        drafts.append(Draft("guide", COMMAND_LINE, None, None, {"text": guide}))
    if labels is not None:
        found = read_import(labels, state, samples.ids, settings, COMMAND_LINE, _texts(samples))
        unknown = f", {len(found.unknown)} of samples that are not in the pool" if found.unknown else ""
        tell(f"{found.n_labels} labels from {labels}, {found.n_same} known already{unknown}.")
        drafts += found.drafts
    return drafts


def check_missing(state: State, store: Path, samples: Samples) -> None:
    """Tell of labels of samples that are not in this pool; where there are no others, refuse the store."""
    n = len({event.sample for event in state.missing if event.kind == "label"})
    if n and not state.answered():
        raise InputError(
            "--store",
            f"must belong to {samples.path}, which contains none of the {n} samples labeled in {store}",
        )
    if n:
        tell(f"{n} labeled samples are not in {samples.path} any more; their labels are kept in {store}.")

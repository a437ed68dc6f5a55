"""An export without a page: from a store that no studio has open.

The store knows where its pool is and how it is read. What is predicted is not kept, so it is computed here,
as the worker would: with the graph out of the cache where it is known.
"""

from pathlib import Path

from trigpoint._errors import InputError
from trigpoint.io import Samples, glimpse, paced
from trigpoint.studio._compute import load_pool, make_learner, round_messages
from trigpoint.studio._event_store import glance, read_events
from trigpoint.studio._events import Settings
from trigpoint.studio._export import write_export
from trigpoint.studio._export_values import NothingYetError
from trigpoint.studio._messages import Job, Predictions, Request
from trigpoint.studio._open import pool_of, stored_settings
from trigpoint.studio._pool_change import known_samples, only_appended
from trigpoint.studio._state import State

GIVEN = (
    "labels.csv",
    "labels.parquet",
    "answers.csv",
    "log.jsonl",
    "label_studio.xml",
    "coco_keypoints.json",
)


def export_store(
    store: Path, name: str, output: Path, cache: Path | None, pool: Path | None = None
) -> Samples:
    """Write the export of that name; ``cache`` is a folder for graphs, or None.

    Without ``pool`` it is where the store says, or beside the store.
    """
    about, _, _ = glance(store, ("settings", "pool", "options", "samples", "row_numbers"))
    if "pool" not in about:
        raise InputError(store, "must have been opened by this version of trigpoint once, to know its pool")
    pool = pool or pool_of(store, about)
    if pool is None:
        raise InputError(store, f"must have its pool where it was or beside it; {about['pool']} is gone")
    settings = stored_settings(about["settings"])
    reading = about["options"]
    if "image_size" in reading:
        reading["image_size"] = tuple(reading["image_size"])
    job = Job(pool, reading, cache)
    samples = glimpse(job.path, **job.reading)
    if about["row_numbers"] and not only_appended(about["samples"], known_samples(samples)):
        raise InputError(samples.path, f"must keep the rows that it had when {store} was last opened")
    state = State(settings, samples.ids.tolist())
    for event in paced(read_events(store)):
        state.apply(event)
    predictions = None if name in GIVEN else predicted(job, settings, state)
    try:
        write_export(name, output, samples, state, predictions, read_events(store))
    except NothingYetError as error:
        raise ValueError(str(error)) from None
    return samples


def predicted(job: Job, settings: Settings, state: State) -> Predictions | None:
    """What the worker would say now; None without labels."""
    if not state.labels:
        return None
    pool = load_pool(job, settings, lambda stage: None)
    request = Request(state.version, state.snapshot(), list(state.classes), 1)
    if pool.readable is not None:
        request = pool.readable.inward(request)
    *_, last = round_messages(make_learner(pool, settings), request, settings.task, None)
    if pool.readable is not None:
        last = pool.readable.outward(last)  # type: ignore[assignment]
    return last if isinstance(last, Predictions) else None

"""A look at the pool's files every minute: are there new samples?

Names, sizes and times of the files tell whether anything has changed (`io.pool_signature`). Only then the
pool is read as at a start, without features, in a thread. The studio goes on with the pool that it has; the
page says what is new.
"""

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

from trigpoint.io import glimpse, pool_signature
from trigpoint.studio._messages import Job
from trigpoint.studio._pool_change import PoolChange, known_samples, pool_change

EVERY = 60.0  # seconds


async def watch_pool(
    job: Job, known: Mapping[str, Any], tell: Callable[[PoolChange], None], every: float = EVERY
) -> None:
    """Call ``tell`` whenever the change since ``known`` is another one, until cancelled."""
    last, told = "", PoolChange()  # files may have changed while the studio was starting
    while True:
        await asyncio.sleep(every)
        now = await asyncio.to_thread(_signature, job)
        if now in (last, None):  # None: somebody is writing it, perhaps
            continue
        change = await asyncio.to_thread(_change, job, known)
        if change is not None:
            last = now
            if change != told:
                tell(change)
                told = change


def _signature(job: Job) -> str | None:
    try:
        return pool_signature(job.path, **job.reading)
    except (OSError, ValueError):
        return None


def _change(job: Job, known: Mapping[str, Any]) -> PoolChange | None:
    try:
        return pool_change(known, known_samples(glimpse(job.path, **job.reading)))
    except (OSError, ValueError):
        return None

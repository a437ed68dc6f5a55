"""A change of the pool's files is told once, and half-written files are no change."""

import asyncio
import time

from trigpoint.io import glimpse
from trigpoint.studio._messages import Job
from trigpoint.studio._pool_change import PoolChange, known_samples
from trigpoint.studio._watch import watch_pool


def test_what_has_changed_is_told(tmp_path):
    file = tmp_path / "pool.csv"
    file.write_text("id,x\na,1\nb,2\n")
    told = []

    async def until(count):
        end = time.monotonic() + 600
        while len(told) < count:
            assert time.monotonic() < end
            await asyncio.sleep(0.01)

    async def story():
        known = known_samples(glimpse(file))
        watch = asyncio.create_task(watch_pool(Job(file), known, told.append, every=0.01))
        await asyncio.sleep(0.1)
        file.write_text("id,x\na,1\na")  # not a table
        await asyncio.sleep(0.1)
        file.write_text("id,x\na,1\nb,2\nc,3\n")
        await until(1)
        file.unlink()
        await asyncio.sleep(0.1)
        file.write_text("id,x\nb,2\nc,3\n")
        await until(2)
        watch.cancel()

    asyncio.run(story())
    assert told == [PoolChange(added=1), PoolChange(added=1, gone=1)]

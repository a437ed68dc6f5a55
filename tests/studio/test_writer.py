import asyncio
from contextlib import closing
from threading import Event as Flag

import pytest

from trigpoint.studio._event_store import Store, StoreError
from trigpoint.studio._events import Draft
from trigpoint.studio._writer import Writer


def label(client=None, value="cat"):
    return Draft("label", "ada", "s1", client, {"value": value})


BAD = Draft("label", "ada", "s1", "bad", {"value": float("nan")})


class Slow(Store):
    """A store that waits, before each transaction, until it may go on; and counts transactions."""

    def append(self, drafts):
        self.sizes = [*getattr(self, "sizes", []), len(drafts)]
        self.entered.set()
        assert self.access.wait(600)
        return super().append(drafts)


@pytest.fixture
def store(tmp_path):
    store = Slow.open(tmp_path / "a.db", {})
    store.entered, store.access = Flag(), Flag()
    store.access.set()
    return store


async def held_up(store, writer, *requests):
    """Requests that all wait while the store is busy with another; their outcomes."""
    store.access.clear()
    busy = asyncio.create_task(writer.append([label("busy")]))
    await asyncio.to_thread(store.entered.wait)
    tasks = [asyncio.create_task(writer.append(drafts)) for drafts in requests]
    await asyncio.sleep(0)  # they are in the queue now
    store.access.set()
    await busy
    return await asyncio.gather(*tasks, return_exceptions=True)


def run(main):
    return asyncio.run(main)


def test_events_are_on_disk_when_the_answer_comes(store):
    async def main():
        writer = Writer(store, asyncio.get_running_loop())
        first = await writer.append([label("a"), label("b")])
        second = await writer.append([label("a"), label("c")])
        found = list(store.events())
        writer.close()
        return first, second, found

    first, second, found = run(main())
    assert [event.client for event in found] == ["a", "b", "c"]
    assert first == found[:2]
    assert second == [found[0], found[2]]


def test_what_waits_goes_into_one_transaction_in_order(store):
    async def main():
        writer = Writer(store, asyncio.get_running_loop())
        outcomes = await held_up(store, writer, [label("a")], [], [label("b"), label("c")], [label("d")])
        writer.close()
        return outcomes

    outcomes = run(main())
    assert [[event.client for event in events] for events in outcomes] == [["a"], [], ["b", "c"], ["d"]]
    seqs = [event.seq for events in outcomes for event in events]
    assert seqs == sorted(seqs)
    assert store.sizes == [1, 4]


def test_a_request_that_cannot_be_written_fails_alone(store):
    async def main():
        writer = Writer(store, asyncio.get_running_loop())
        outcomes = await held_up(store, writer, [label("a")], [label("b"), BAD], [label("c")])
        found = [event.client for event in store.events()]
        writer.close()
        return outcomes, found

    (a, bad, c), found = run(main())
    assert [event.client for event in a + c] == ["a", "c"]
    assert isinstance(bad, ValueError)
    assert found == ["busy", "a", "c"]


def test_a_store_that_fails_is_told_to_all_and_works_again(store):
    async def main():
        writer = Writer(store, asyncio.get_running_loop())
        await writer.append([label("before")])
        store._connection.execute("PRAGMA query_only = 1")
        outcomes = await asyncio.gather(
            *(writer.append([label(str(k))]) for k in range(3)), return_exceptions=True
        )
        store._connection.execute("PRAGMA query_only = 0")
        again = await asyncio.gather(*(writer.append([label(str(k))]) for k in range(3)))
        writer.close()
        return outcomes, again

    outcomes, again = run(main())
    assert all(isinstance(outcome, StoreError) and "read-only" in str(outcome) for outcome in outcomes)
    assert [event.client for events in again for event in events] == ["0", "1", "2"]


def test_saved_events_are_reported_in_order_also_where_nobody_waits(store):
    reported = []

    async def main():
        writer = Writer(store, asyncio.get_running_loop(), reported.extend)
        store.access.clear()
        busy = asyncio.create_task(writer.append([label("busy")]))
        await asyncio.to_thread(store.entered.wait)
        gone = asyncio.create_task(writer.append([label("gone")]))
        stays = asyncio.create_task(writer.append([label("stays")]))
        await asyncio.sleep(0)  # both are in the queue now
        gone.cancel()
        store.access.set()
        await busy
        events = await stays
        assert reported[-1:] == events  # before the answer
        assert gone.cancelled()
        writer.close()

    run(main())
    assert [event.client for event in reported] == ["busy", "gone", "stays"]


def test_closing_writes_what_waits(store, tmp_path):
    async def main():
        writer = Writer(store, asyncio.get_running_loop())
        tasks = [asyncio.create_task(writer.append([label(str(k))])) for k in range(10)]
        await asyncio.sleep(0)
        writer.close()
        with pytest.raises(StoreError, match="closing"):
            await writer.append([label("late")])
        writer.close()
        return await asyncio.gather(*tasks)

    assert [event.client for (event,) in run(main())] == [str(k) for k in range(10)]
    with closing(Store.open(tmp_path / "a.db", {})) as again:
        assert len(list(again.events())) == 10


def test_many_annotators_at_once_lose_nothing(store):
    async def annotate(writer, name):
        return [(await writer.append([label(f"{name} {k}")]))[0] for k in range(50)]

    async def main():
        writer = Writer(store, asyncio.get_running_loop())
        events = await asyncio.gather(*(annotate(writer, name) for name in range(20)))
        found = list(store.events())
        writer.close()
        return events, found

    events, found = run(main())
    for mine in events:
        assert [event.seq for event in mine] == sorted(event.seq for event in mine)
    assert sorted((event for mine in events for event in mine), key=lambda event: event.seq) == found
    assert len(store.sizes) < 1000

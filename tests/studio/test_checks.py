"""Random checks that somebody wants are asked before all else, in the random order, also after a restart."""

import asyncio

from hypothesis import given
from hypothesis import strategies as st

from studio.test_studio import SETTINGS, act, label, pool, running, side, until  # noqa: F401
from trigpoint.studio._audit_order import order_by_ids
from trigpoint.studio._events import Event, Settings
from trigpoint.studio._messages import Proposals
from trigpoint.studio._state import State

IDS = [f"s{i}" for i in range(12)]


def naive(events, budget):
    """(checks that are still to be asked, budget), from the whole list."""
    asked, left = set(), 0
    for kind, value, audit in events:
        if kind == "ask" and value not in asked:
            asked.add(value)
            left = left - 1 if audit and left else left
        elif kind == "checks":
            left += value
            budget = max(budget, min(len(asked) + left, len(IDS)))
        elif kind == "budget":
            budget = value
    return left, budget


asks = st.tuples(st.just("ask"), st.integers(0, 11), st.booleans())
wishes = st.tuples(st.sampled_from(["checks", "budget"]), st.integers(1, 6), st.none())


@given(st.lists(asks | wishes), st.integers(1, 12))
def test_checks_left_and_budget_are_those_of_the_definition(events, budget):
    state = State(Settings(classes=("a",), budget=budget), IDS)
    for seq, (kind, value, audit) in enumerate(events, 1):
        body = {"ask": {"audit": audit}, "checks": {"count": value}, "budget": {"budget": value}}[kind]
        state.apply(Event(seq, 0.0, kind, "ada", IDS[value] if kind == "ask" else None, None, body))
    assert (state.checks, state.budget) == naive(events, budget)


def wish(count, client="more"):
    return {"client": client, "kind": "checks", "count": count}


async def answered(studio, count, held=()):
    """Label so many samples one after the other; those that were handed out, and whether each is a check."""
    held, seen = list(held), {}
    while count:
        if not held:
            await until(lambda: studio.assigner.waiting)
        answer = await act(studio, "ann", held, 1, [])
        seen |= {item["sample"]: item["audit"] for item in answer["items"]}
        for sample in held + [item["sample"] for item in answer["items"]]:
            await act(studio, "ann", [], 0, [label(sample, side(sample))])
            count -= 1
        held = []
    return seen


def front(studio, count, but):
    """The next of the random order, without those that were asked for."""
    order = order_by_ids(0, [f"s{i}" for i in range(80)])
    return [i for i in order if i not in but][:count]


def test_they_come_next_whatever_the_worker_proposes_and_after_a_restart(pool):  # noqa: F811
    async def first():
        async with running(pool) as studio:
            await until(lambda: studio.results.ready and studio.assigner.waiting > 10)
            before = set(studio.state.asked)
            due = front(studio, 12, before)
            answer = await act(studio, "ann", [], 0, [wish(12)])
            assert (answer["refused"], answer["state"]["checks"]) == ([], 12)
            assert answer["state"]["budget"] == 20
            again = await act(studio, "ann", [], 0, [wish(12)])  # the same action: written once
            assert again["state"]["checks"] == 12
            seen = await answered(studio, 4)
            studio._receive(Proposals(studio.state.version, [*range(30)], [i % 9 == 0 for i in range(30)]))
            seen |= await answered(studio, 2)
            assert list(seen) == due[:6]
            assert all(seen.values())
            return due

    async def second(due):
        async with running(pool) as studio:
            assert studio.page_state("ann", []).checks == 6
            seen = await answered(studio, 8)
            assert list(seen)[:6] == due[6:]
            assert all(list(seen.values())[:6])
            assert studio.page_state("ann", []).checks == 0

    asyncio.run(second(asyncio.run(first())))


def test_the_budget_grows_where_it_would_not_do(pool):  # noqa: F811
    async def story():
        async with running(pool, Settings(classes=("left", "right"), budget=3, n_neighbors=5)) as studio:
            await until(lambda: studio.results.ready and studio.assigner.waiting)
            await answered(studio, 3)
            assert (await act(studio, "ann", [], 1, []))["done"]
            answer = await act(studio, "ann", [], 1, [wish(20)])
            assert (answer["done"], answer["state"]["budget"]) == (False, 23)
            assert answer["items"][0]["audit"]
            held = [answer["items"][0]["sample"]]
            seen = await answered(studio, 20, held)
            assert (len(seen), all(seen.values())) == (19, True)
            assert (await act(studio, "ann", [], 1, []))["done"]
            assert studio.page_state("ann", []).checks == 0

    asyncio.run(story())


def test_no_more_are_promised_than_there_are_samples(pool):  # noqa: F811
    async def story():
        async with running(pool) as studio:
            await act(studio, "ann", [], 0, [label(i, side(i), source="map") for i in range(70)])
            answer = await act(studio, "ann", [], 0, [wish(200)])
            assert answer["state"]["checks"] == 10
            assert answer["state"]["budget"] == 80

    asyncio.run(story())

"""The studio without its web: actions in, samples out, a real store and a real worker."""

import asyncio
import json
import sys
import time
from contextlib import asynccontextmanager
from itertools import count
from threading import Thread

import numpy as np
import pytest
from msgspec import convert
from msgspec.json import encode

from trigpoint.io import glimpse
from trigpoint.studio._audit_order import order_by_ids
from trigpoint.studio._event_store import StoreError
from trigpoint.studio._events import Draft, Settings
from trigpoint.studio._messages import Job
from trigpoint.studio._open import open_studio
from trigpoint.studio._requests import AnyAction
from trigpoint.studio._studio import PoolChangedError, Studio

SETTINGS = Settings(classes=("left", "right"), budget=20, n_neighbors=5)


@pytest.fixture
def pool(tmp_path):
    """Two clouds of 40, far apart."""
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(0, 1, (40, 2)), rng.normal(60, 1, (40, 2))])
    file = tmp_path / "pool.csv"
    file.write_text("id,x,y\n" + "".join(f"s{i},{x!r},{y!r}\n" for i, (x, y) in enumerate(X.tolist())))
    return file


@asynccontextmanager
async def running(pool, settings=SETTINGS):
    samples = glimpse(pool)
    store, settings = open_studio(pool.with_name("s.db"), samples, settings, [])
    studio = Studio(samples, store, settings, Job(pool, {}, pool.with_name("cache")))
    await studio.start()
    try:
        yield studio
    finally:
        await studio.close()


async def act(studio, annotator, held, want, actions, edition=None):
    """The answer as the page gets it."""
    told = convert(actions, list[AnyAction])
    return json.loads(encode(await studio.act(annotator, held, want, told, edition)))


async def until(truth, seconds=600):
    """Wait for what the worker will tell."""
    end = time.monotonic() + seconds
    while not truth():
        assert time.monotonic() < end, "it did not come true"
        await asyncio.sleep(0.02)


NAMES = count()


def label(sample, value, **more):
    return {"client": f"c{next(NAMES)}", "kind": "label", "sample": sample, "value": value, **more}


def side(sample):
    return "left" if sample < 40 else "right"


def test_random_checks_are_handed_out_before_the_worker_is_ready(pool):
    async def story():
        async with running(pool) as studio:
            first = await act(studio, "ann", [], 5, [])
            order = order_by_ids(0, [f"s{i}" for i in range(80)])
            assert [item["sample"] for item in first["items"]] == order[:2]  # a tenth of the budget
            assert all(item["audit"] and item["suggestion"] is None for item in first["items"])
            assert not first["state"]["ready"]
            assert first["waiting"] is None
            held = [item["sample"] for item in first["items"]]
            await until(lambda: studio.assigner.waiting >= 18)
            more = await act(studio, "ann", held, 8, [])
            assert len(more["items"]) == 6
            assert not any(item["audit"] for item in more["items"])

    asyncio.run(story())


def test_labels_spread_and_come_back_as_suggestions_advice_and_map(pool):
    async def story():
        async with running(pool) as studio:
            held, actions = [], []
            for _ in range(12):
                answer = await act(studio, "ann", held, 6, actions)
                assert [saved["client"] for saved in answer["saved"]] == [a["client"] for a in actions]
                held += [item["sample"] for item in answer["items"]]
                await until(lambda: studio.results.ready and studio.assigner.waiting)
                if not held:
                    continue
                sample = held.pop(0)
                actions = [label(sample, side(sample))]
            await act(studio, "ann", held, 6, actions)
            await until(lambda: studio.results.predictions is not None and not studio._worker.busy)
            await until(lambda: studio.results.page_fields()["advice"] is not None)
            await until(lambda: not studio.page_state("ann", held).estimating)
            sample = min(set(range(80)) - set(studio.state.labels))
            answer = await act(studio, "ann", held, 6, [label(sample, side(sample))])
            assert answer["state"]["estimating"]
            await until(lambda: not studio.page_state("ann", held).estimating)
            await until(lambda: studio.results.coordinates() is not None)
            assert all(studio.lookup.sample(i, "ann").predicted.value == side(i) for i in range(80))
            assert studio.page_state("ann", held).counts.keys() == {"left", "right"}
            assert len(studio.results.coordinates()[1]) == 80 * 8
            assert len(studio.results.map_layers()[1]) == 80 * 3
            assert len(studio.lookup.least_sure(7).samples) == 7
            assert set(studio.lookup.landmarks().labeled) == set(studio.state.labels)

    asyncio.run(story())


def test_a_renamed_class_is_suggested_by_its_new_name_at_once(pool):
    async def story():
        async with running(pool) as studio:
            await act(studio, "ann", [], 0, [label(i, side(i)) for i in (1, 2, 50, 60)])
            await until(lambda: studio.results.predictions is not None and not studio._worker.busy)
            assert studio.lookup.sample(5, "ann").suggestion.value == "left"
            rename = {"client": "r", "kind": "rename", "old": "left", "new": "west"}
            await act(studio, "ann", [], 0, [rename])
            assert studio.lookup.sample(5, "ann").suggestion.value == "west"

    asyncio.run(story())


def test_a_second_start_goes_on_where_the_first_ended(pool):
    async def first():
        async with running(pool) as studio:
            answer = await act(studio, "ann", [], 2, [])
            one, two = (item["sample"] for item in answer["items"])
            await act(studio, "ann", [two], 2, [label(one, side(one))])
            return one, two

    async def second(one, two):
        async with running(pool) as studio:
            assert studio.state.labels == {one: side(one)}
            assert two in studio.state.asked
            answer = await act(studio, "ann", [], 3, [])
            assert answer["items"][0]["sample"] == two
            assert studio.lookup.history("ann", None, 5).events[0].id == f"s{one}"

    asyncio.run(second(*asyncio.run(first())))


def test_the_bound_is_known_after_a_restart(pool):
    async def first():
        async with running(pool) as studio:
            await act(studio, "ann", [], 0, [label(i, side(i)) for i in (1, 2, 50, 60)])
            await until(lambda: studio.results.bounds)
            return studio.results.bounds

    async def second(bounds):
        async with running(pool) as studio:
            assert studio.page_state("ann", []).bound == list(bounds.items())

    found = asyncio.run(first())
    asyncio.run(second(found))
    pool.write_text(pool.read_text() + "new,0,0\n")
    asyncio.run(second({}))  # of another pool


def test_actions_of_one_request_follow_each_other(pool):
    async def story():
        async with running(pool) as studio:
            wrong, right = label(3, "left"), label(3, "far left")
            actions = [
                wrong,
                {"client": "u1", "kind": "undo", "target": wrong["client"]},
                {"client": "u2", "kind": "undo", "target": wrong["client"]},
                right,
                {"client": "r", "kind": "rename", "old": "far left", "new": "outer"},
                label(99, "left"),
                {"client": "b", "kind": "budget", "budget": 33},
            ]
            answer = await act(studio, "ann", [], 0, actions)
            assert [refused["client"] for refused in answer["refused"]] == ["u2", actions[5]["client"]]
            assert answer["refused"][1]["why"] == "sample must lie in [0, 79]; got 99."
            assert studio.state.labels == {3: "outer"}
            assert answer["state"]["budget"] == 33
            again = await act(studio, "ann", [], 0, actions[:2])
            assert [saved["seq"] for saved in again["saved"]] == [
                saved["seq"] for saved in answer["saved"][:2]
            ]
            assert studio.state.labels == {3: "outer"}

    asyncio.run(story())


def test_a_gesture_that_was_undone_stays_undone_when_it_is_sent_again(pool):
    """Its answer was lost; what it left out then, since Bob had a label there, has none by now."""

    async def story():
        async with running(pool) as studio:
            bobs = label(3, "left")
            await act(studio, "bob", [], 0, [bobs])
            many = {"client": "m", "kind": "labels", "samples": [2, 3, 4], "value": "right", "group": "g"}
            both = [{**many, "source": "gallery"}, {"client": "u", "kind": "undo", "target": "g"}]
            answer = await act(studio, "ann", [], 0, both)
            assert [saved.get("n") for saved in answer["saved"]] == [2, 1]
            await act(studio, "bob", [], 0, [{"client": "v", "kind": "undo", "target": bobs["client"]}])
            again = await act(studio, "ann", [], 0, both)
            assert again["saved"] == answer["saved"]
            assert studio.state.labels == {}

    asyncio.run(story())


def test_the_worker_looks_further_ahead_for_labels_one_by_one_alone(pool, monkeypatch):
    monkeypatch.setattr("trigpoint.studio._studio.AHEAD", 1)

    async def story():
        async with running(pool) as studio:
            one = (await act(studio, "ann", [], 1, []))["items"][0]["sample"]
            counts = []
            studio._worker.request = lambda version, log, classes, count: counts.append(count) or True
            studio._worker.busy = False
            some = [i for i in range(60) if i != one]
            many = {"client": "m", "kind": "labels", "samples": some, "value": "left", "group": "g"}
            await act(studio, "ann", [], 0, [{**many, "source": "map"}])
            await act(studio, "ann", [], 0, [label(one, side(one))])
            assert counts == [1 + 8, 1 + 8 + 4]  # one person, then one answer of theirs

    asyncio.run(story())


def test_samples_come_at_random_while_the_worker_computes_for_long(pool, monkeypatch):
    """If it has predicted; before that there are none."""

    async def story():
        async with running(pool) as studio:
            await act(studio, "ann", [], 0, [label(0, "left"), label(79, "right")])
            await until(lambda: studio.results.predictions is not None and not studio._worker.busy)
            studio._worker.busy = True
            studio.assigner.propose([], [])
            predictions = studio.results.predictions
            for some in (None, predictions):
                studio.results.predictions = some
                assert (await act(studio, "ann", [], 3, []))["items"] == []
            monkeypatch.setattr("trigpoint.studio._studio.PATIENCE", 0.0)
            studio.results.predictions = None
            assert (await act(studio, "ann", [], 3, []))["items"] == []
            studio.results.predictions = predictions
            later = await act(studio, "ann", [], 3, [])
            order = [i for i in order_by_ids(0, [f"s{i}" for i in range(80)]) if i not in (0, 79)]
            assert [item["sample"] for item in later["items"]] == order[:3]
            assert not any(item["audit"] for item in later["items"])

    asyncio.run(story())


def test_nothing_is_applied_or_lost_when_the_store_cannot_write(pool):
    async def story():
        async with running(pool) as studio:
            answer = await act(studio, "ann", [], 2, [])
            one = answer["items"][0]["sample"]
            action = label(one, "left")
            write, studio._writer._store.append = studio._writer._store.append, refuse
            with pytest.raises(StoreError, match="full"):
                await act(studio, "ann", [], 2, [action])
            assert studio.state.labels == {}
            studio._writer._store.append = write
            await act(studio, "ann", [], 2, [action])
            assert studio.state.labels == {one: "left"}
            assert one in studio.state.asked, "the question that waited was written with its answer"

    def refuse(drafts):
        raise StoreError("The store cannot be used: the disk is full.")

    asyncio.run(story())


def test_the_budget_ends_the_work_and_more_of_it_goes_on(pool):
    async def story():
        async with running(pool, Settings(classes=("left", "right"), budget=3, n_neighbors=5)) as studio:
            actions = []
            for _ in range(12_000):  # ten minutes for the worker to begin
                answer = await act(studio, "ann", [], 1, actions)
                if answer["done"]:
                    break
                actions = [label(item["sample"], side(item["sample"])) for item in answer["items"]]
                await asyncio.sleep(0.05)
            assert len(studio.state.labels) == 3
            more = await act(studio, "ann", [], 1, [{"client": "b", "kind": "budget", "budget": 5}])
            assert not more["done"]
            await until(lambda: studio.assigner.waiting > 0)
            assert (await act(studio, "ann", [], 1, []))["items"]

    asyncio.run(story())


def test_a_label_goes_to_the_sample_that_was_seen(pool):
    async def story():
        async with running(pool) as studio:
            seen = label(3, "left") | {
                "id": "s5"
            }  # of a page that was opened before the pool was sorted anew
            edition = studio.setup.pool.edition
            await act(studio, "ann", [], 0, [seen], edition)
            assert studio.state.labels == {5: "left"}
            with pytest.raises(PoolChangedError, match="load the page again"):
                await act(studio, "ann", [], 0, [label(3, "left")], "another")
            gone = await act(studio, "ann", [], 0, [label(3, "left") | {"id": "s99"}], edition)
            assert "s99" in gone["refused"][0]["why"]
            assert studio.state.labels == {5: "left"}

    asyncio.run(story())


def test_a_name_that_stands_for_another_action_is_refused(pool):
    async def story():
        async with running(pool) as studio:
            first = label(3, "left")
            await act(studio, "ann", [], 0, [first])
            answer = await act(studio, "bob", [], 0, [first | {"sample": 4}, first | {"value": "right"}])
            assert answer["saved"] == []
            assert len(answer["refused"]) == 2
            assert (await act(studio, "ann", [], 0, [first]))["saved"]
            assert studio.state.labels == {3: "left"}

    asyncio.run(story())


def test_questions_are_logged_though_nobody_answers(pool):
    async def story():
        async with running(pool) as studio:
            answer = await act(studio, "ann", [], 2, [])
            await until(lambda: len(studio.state.asked) == 2)
            assert list(studio.state.asked) == [item["sample"] for item in answer["items"]]

    asyncio.run(story())


def test_a_tie_does_not_keep_the_work_from_ending(pool):
    async def story():
        settings = Settings(classes=("left", "right"), budget=1, overlap=2, n_neighbors=5)
        async with running(pool, settings) as studio:
            for name, value in (("ann", "left"), ("bob", "right")):
                answer = await act(studio, name, [], 1, [])
                await act(studio, name, [], 0, [label(answer["items"][0]["sample"], value)])
            assert studio.state.labels == {}
            assert (await act(studio, "ann", [], 1, []))["done"]
            assert studio.page_state(None, []).spent == 1

    asyncio.run(story())


def test_two_people_never_hold_the_same_sample(pool):
    async def story():
        async with running(pool) as studio:
            await until(lambda: studio.assigner.waiting >= 16)
            one = await act(studio, "ann", [], 8, [])
            two = await act(studio, "bob", [], 8, [])
            held = [item["sample"] for answer in (one, two) for item in answer["items"]]
            assert len(set(held)) == len(held) == 16

    asyncio.run(story())


def test_people_who_are_cut_off_go_on_with_a_reserve_of_their_own(pool):
    async def story():
        async with running(pool, Settings(classes=("left", "right"), budget=50, n_neighbors=5)) as studio:
            await until(lambda: studio.results.ready and studio.assigner.waiting > 40)
            audits = sum(studio.assigner._proposals.values())
            ann, bob = (studio.reserve(name, 20).samples for name in ("ann", "bob"))
            assert len(ann) == len(bob) == 20
            assert ann == studio.reserve("ann", 20).samples
            assert ann != bob
            assert not studio.state.asked  # nobody is lent these
            assert audits
            assert not any(studio.assigner._proposals[i] for i in {*ann, *bob})
            told = [label(i, side(i), source="queue") for i in ann]
            state = (await act(studio, "ann", [], 0, told))["state"]
            assert (state["spent"], state["labeled"]) == (20, 20)
            assert studio.state.asked == dict.fromkeys(ann, False)
            await act(studio, "ann", [], 0, told)
            assert len(studio.state.asked) == 20
            await act(studio, "bob", [], 0, [label(i, side(i), source="queue") for i in bob])
            assert set(studio.state.asked) == {*ann, *bob}
            left = 50 - len({*ann, *bob})
            assert len(studio.reserve("ann", 100).samples) <= left
            await act(studio, "ann", [], 0, [label(79, "right", source="map")])
            assert 79 not in studio.state.asked or 79 in {*ann, *bob}

    asyncio.run(story())


def test_numbers_are_told_and_predicted(pool):
    async def story():
        settings = Settings(task="regression", targets=("x", "y"), budget=20, n_neighbors=5)
        async with running(pool, settings) as studio:
            truth = np.loadtxt(pool, delimiter=",", skiprows=1, usecols=(1, 2))
            chosen = [*range(0, 80, 5)]
            await act(studio, "ann", [], 0, [label(i, truth[i].tolist()) for i in chosen])
            await until(lambda: studio.results.predictions is not None and not studio._worker.busy)
            assert studio.lookup.sample(7, None).predicted.value == pytest.approx(truth[7], abs=3)
            refused = await act(studio, "ann", [], 0, [label(1, [1.0]), label(1, "left")])
            assert len(refused["refused"]) == 2

    asyncio.run(story())


WRONG = (7, 50)  # samples of two people that are labeled as if they lay in the next corner
CORNERS = ("north", "east", "south", "west")
FOUR = Settings(classes=CORNERS, budget=20, n_neighbors=5)


@pytest.fixture
def corners(tmp_path):
    """Four clouds of 20 in turn, far apart."""
    X = np.random.default_rng(0).normal(0, 1, (80, 4)) + 9 * np.eye(4)[np.arange(80) % 4]
    rows = "".join(f"s{i},{','.join(map(repr, x))}\n" for i, x in enumerate(X.tolist()))
    (tmp_path / "corners.csv").write_text("id,a,b,c,d\n" + rows)
    return tmp_path / "corners.csv"


def corner(i):
    return CORNERS[(i + (i in WRONG)) % 4]


async def mislabel(studio):
    """Ann labels the first half and Bob the second; a label of each is wrong, and the worker sees it."""
    for name, some in (("ann", range(40)), ("bob", range(40, 70))):
        answer = await act(studio, name, [], 0, [label(i, corner(i)) for i in some])
        assert not answer["refused"]
    await until(lambda: {7, 50} <= {one.sample for one in studio.lookup.issues("", 0, 200).issues})


def suspicious(studio, name):
    """Sample -> whose label, in order."""
    return {one.sample: one.whose for one in studio.lookup.issues(name, 0, 50).issues}


def test_labels_that_look_wrong_are_corrected_and_kept(corners):
    async def first():
        async with running(corners, FOUR) as studio:
            few = studio.lookup.issues("ann", 0, 50)
            assert (few.issues, few.total) == ([], 0)
            assert few.sentence == "Too few labels yet: there are 0, and at least 20 are needed."
            await mislabel(studio)
            assert next(iter(suspicious(studio, "ann").items())) == (7, "own")
            assert next(iter(suspicious(studio, "bob").items())) == (50, "own")
            assert suspicious(studio, "eve").keys() == suspicious(studio, "ann").keys()
            assert set(suspicious(studio, "eve").values()) == {"others"}
            page = studio.lookup.issues("bob", 0, 1)
            (one,) = page.issues
            assert (one.label, one.suggested, 0.5 < one.probability <= 1) == ("west", "south", True)
            assert page.total == studio.page_state("bob", []).issues == len(suspicious(studio, "bob"))
            assert page.sentence.startswith(f"About {page.total} of 70 labels look")
            assert [i.sample for i in studio.lookup.issues("bob", 1, 50).issues] == [
                *suspicious(studio, "bob")
            ][1:]
            correct = label(50, "south", source="check", was="west", suggested="south")
            keep = {"client": "k", "kind": "keep", "sample": 7, "value": "north", "quality": 0.05}
            late = label(50, "west", source="check", was="west")
            answer = await act(studio, "ann", [], 0, [correct, keep, late])
            assert [saved["client"] for saved in answer["saved"]] == [correct["client"], "k"]
            said = "the label of 's50' has changed since it was 'west': now it is 'south'."
            assert [refused["why"] for refused in answer["refused"]] == [said]
            assert not {7, 50} & suspicious(studio, "ann").keys()
            again = await act(studio, "ann", [], 0, [correct, keep])
            assert len(again["saved"]) == 2, "sent twice, written once"
            assert studio.state.labels[50] == "south"
            assert studio.state.current(50)["ann"].final
            assert studio.lookup.disagreements().samples == []
            assert studio.state.confirmed == {7, 50}
            assert [e.kind for e in studio.lookup.history("ann", None, 2).events] == ["keep", "label"]

    async def second():
        async with running(corners, FOUR) as studio:
            assert studio.state.confirmed == {7, 50}
            assert studio.lookup.issues("ann", 0, 9).sentence == "Looking for labels that look wrong."
            await until(lambda: studio.results.issues is not None)
            assert not {7, 50} & suspicious(studio, "ann").keys()
            await act(studio, "ann", [], 0, [{"client": "u", "kind": "undo", "target": "k"}])
            await until(lambda: 7 in suspicious(studio, "ann"))

    asyncio.run(first())
    asyncio.run(second())


@pytest.mark.slow
def test_numbers_that_look_wrong(pool):
    async def story():
        settings = Settings(task="regression", targets=("x",), budget=20, n_neighbors=5)
        async with running(pool, settings) as studio:
            truth = np.loadtxt(pool, delimiter=",", skiprows=1, usecols=1)
            told = {i: float(truth[i]) + (500.0 if i == 9 else 0.0) for i in range(40)}
            await act(studio, "ann", [], 0, [label(i, [x]) for i, x in told.items()])
            await until(lambda: 9 in suspicious(studio, "ann"))
            one = studio.lookup.issues("ann", 0, 1).issues[0]
            assert (one.sample, one.label, one.probability) == (9, (told[9],), None)
            assert one.suggested == pytest.approx((truth[9],), abs=3)
            accept = label(9, list(one.suggested), source="check", was=list(one.label))
            assert not (await act(studio, "ann", [], 0, [accept]))["refused"]
            assert studio.state.labels[9] == one.suggested
            assert 9 not in suspicious(studio, "ann")

    asyncio.run(story())


def test_a_pool_that_has_grown_goes_on(pool):
    """New rows come first in the file, so that all others have another number than before."""

    async def first():
        async with running(pool) as studio:
            held = [item["sample"] for item in (await act(studio, "ann", [], 6, []))["items"]]
            await act(studio, "ann", [], 0, [label(i, side(i)) for i in held])
            return {studio.samples.ids[i]: value for i, value in studio.state.labels.items()}

    async def second():
        async with running(pool) as studio:
            assert studio.setup.pool.change == "9 new samples, 1 is gone"
            assert studio.samples.n_samples == 88
            now = {studio.samples.ids[i]: value for i, value in studio.state.labels.items()}
            await until(lambda: studio.results.page_fields()["ready"])
            await until(lambda: studio.results.predictions is not None)
            assert len(studio.results.predictions.codes) == 88
            order = order_by_ids(0, studio.samples.ids)
            answer = await act(studio, "ann", [], 30, [])
            audits = [item["sample"] for item in answer["items"] if item["audit"]]
            known = studio.state.labels.keys()
            assert audits == [i for i in order if i not in known][: len(audits)]
            return now

    before = asyncio.run(first())
    header, *rows = pool.read_text().splitlines()
    gone = next(row for row in rows if row.split(",")[0] not in before)
    new = [f"new{k},{k}.5,0.5" for k in range(9)]
    pool.write_text("\n".join([header, *new, *(row for row in rows if row != gone)]) + "\n")
    assert asyncio.run(second()) == before


def test_new_samples_are_seen_while_the_studio_runs(pool, monkeypatch):
    monkeypatch.setattr("trigpoint.studio._watch.watch_pool.__defaults__", (0.05,))

    async def story():
        async with running(pool) as studio:
            assert studio.page_state("ann", []).newer == ""
            with pool.open("a") as file:
                file.write("late,1.0,2.0\n")
            await until(lambda: studio.page_state("ann", []).newer == "1 new sample")

    asyncio.run(story())


def test_a_pool_that_the_worker_cannot_read_still_takes_labels(pool):
    async def story():
        samples = glimpse(pool)
        store, settings = open_studio(pool.with_name("s.db"), samples, SETTINGS, [])
        studio = Studio(samples, store, settings, Job(pool.with_name("gone.csv"), {}, None))
        await studio.start()
        try:
            await until(lambda: studio.results.failed is not None)
            assert "gone.csv" in studio.page_state(None, []).failed
            answer = await act(studio, "ann", [], 9, [])
            assert len(answer["items"]) == 9
            await act(studio, "ann", [], 0, [label(answer["items"][0]["sample"], "left")])
            assert len(studio.state.labels) == 1
        finally:
            await studio.close()

    asyncio.run(story())


@pytest.mark.parametrize("read", ["export", "import"])
def test_files_are_whole_while_somebody_undoes(pool, read):
    """One thread labels and undoes without a pause, and another exports or imports."""
    samples = glimpse(pool)
    store, settings = open_studio(pool.with_name("s.db"), samples, SETTINGS, [])
    studio = Studio(samples, store, settings, Job(pool, {}, None))
    known = pool.with_name("known.csv")
    known.write_text("id,label\n" + "".join(f"s{i},left\n" for i in range(80)))
    drafts = []
    for k in range(2000):
        last = k >= 1920  # the last label of each sample stays
        drafts.append(Draft("label", "ann", f"s{k % 80}", f"c{k}", {"value": "left" if last else "right"}))
        drafts += [] if last else [Draft("undo", "ann", None, f"u{k}", {"target": f"c{k}"})]
    events = store.append(drafts)

    def reads():
        if read == "import":
            found = studio._read_import(known, "ann")
            return found.n_labels, found.n_same
        path = studio.export("labels.csv")
        rows = path.read_text().splitlines()[1:]
        path.unlink()
        return len(rows), sum(",left," in row for row in rows)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        thread = Thread(target=studio._apply, args=(events,))
        thread.start()
        results = [reads()]
        while thread.is_alive():
            results.append(reads())
        thread.join()
    finally:
        sys.setswitchinterval(interval)
        store.close()
    assert set(results) == {(80, 80) if read == "export" else (0, 80)}  # what is on disk, and no less
    assert studio.state.labels == dict.fromkeys(range(80), "left")

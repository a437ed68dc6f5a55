"""Pools of pictures of which some cannot be read: the page lists all, the worker learns from the rest."""

import asyncio
import shutil

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from playwright.sync_api import expect

from studio import pools
from studio.pools import DIGITS, digit_of
from studio.test_studio import act, label, running, until
from trigpoint._errors import InputError
from trigpoint.io import glimpse, ids_digest, read_pool
from trigpoint.studio._compute import load_pool
from trigpoint.studio._events import Settings
from trigpoint.studio._messages import (
    Issues,
    Job,
    Map,
    Predictions,
    Proposals,
    Request,
    Skipped,
    Stage,
)
from trigpoint.studio._readable import OUTSIDE, Readable, readable

SOME = Readable(5, np.array([0, 2, 3]), {1: "truncated", 4: "empty"})
SETTINGS = Settings(classes=tuple(DIGITS.split(",")), budget=40, n_neighbors=5)


def test_where_no_picture_can_be_read_the_page_says_what_to_do(studio, tmp_path):
    (tmp_path / "photos").mkdir()
    for name in ("a.png", "b.png", "c.png"):
        (tmp_path / "photos" / name).write_bytes(b"")
    running = studio(tmp_path / "photos", "--classes", "a,b")
    running.wait_until(lambda state: state["failed"])
    assert running.state()["failed"] == (
        "photos must hold pictures that can be read; none of 3 can; got a.png (empty). Repair the pool and "
        "start the studio again; until then samples come at random and nothing is predicted."
    )


def test_requests_are_about_the_samples_of_the_learner():
    log = [
        {"event": "ask", "samples": [4, 3, 1], "audits": [True, False, True]},
        {"event": "tell", "samples": [3, 4, 0], "labels": ["c", "e", "a"], "annotator": "Ada"},
        {"event": "tell", "samples": [1], "labels": ["b"]},
        {"event": "confirm", "samples": [2, 1]},
    ]
    assert SOME.inward(Request(7, log, ["a"], 9)) == Request(
        7,
        [
            {"event": "ask", "samples": [2], "audits": [False]},
            {"event": "tell", "samples": [2, 0], "labels": ["c", "a"], "annotator": "Ada"},
            {"event": "confirm", "samples": [1]},
        ],
        ["a"],
        9,
    )
    assert log[0]["samples"] == [4, 3, 1]  # it is shared


def test_messages_are_about_the_samples_of_the_page():
    assert SOME.outward(Proposals(1, [2, 0], [True, False])) == Proposals(1, [3, 0], [True, False])
    found = SOME.outward(Issues(1, 3, None, None, [1], ["a"], ["b"], [0.5], [0.1]))
    assert found == Issues(1, 3, None, None, [2], ["a"], ["b"], [0.5], [0.1])
    assert SOME.outward(Stage("choosing")) == Stage("choosing")
    drawn = SOME.outward(Map(np.array([[0, 1], [2, 3], [4, 5]], dtype=np.float32), done=True))
    assert drawn.done
    assert drawn.coordinates.dtype == np.float32
    out = [OUTSIDE, OUTSIDE]
    assert_array_equal(drawn.coordinates, [[0, 1], out, [2, 3], [4, 5], out])


def test_nothing_is_predicted_of_what_cannot_be_read():
    single = np.array([0.5, 0.75, 1], dtype=np.float32)
    told = Predictions(3, ("a", "b"), np.array([0, 1, 0], dtype=np.int16), single, 1 - single)
    found = SOME.outward(told)
    assert (found.version, found.classes, found.values, found.std) == (3, ("a", "b"), None, None)
    assert found.codes.dtype == np.int16
    assert_array_equal(found.codes, [0, -1, 1, 0, -1])
    assert_array_equal(found.probability, [0.5, np.nan, 0.75, 1, np.nan])
    assert_array_equal(found.uncertainty, [0.5, 1, 0.25, 0, 1])
    real = Predictions(3, (), told.codes, single, single, np.arange(6.0).reshape(3, 2), single)
    found = SOME.outward(real)
    assert_array_equal(found.values[:, 1], [1, np.nan, 3, 5, np.nan])
    assert_array_equal(found.std, [0.5, np.inf, 0.75, 1, np.inf])


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    return pools.digits(tmp_path_factory.mktemp("whole"), 80)


@pytest.fixture
def damaged(whole, tmp_path):
    """80 digits, of which one is cut off and one no picture."""
    folder = tmp_path / "photos"
    shutil.copytree(whole, folder)
    names = sorted(path.name for path in folder.iterdir())
    (folder / names[10]).write_bytes((folder / names[10]).read_bytes()[:60])
    (folder / names[53]).write_text("no picture")
    return folder, {names[10]: "truncated", names[53]: "not a picture of a known kind"}


def test_the_pool_of_the_page_and_that_of_the_worker(damaged):
    folder, why = damaged
    seen, samples = glimpse(folder), read_pool(folder)
    found = readable(samples)
    assert found.why == {10: why[seen.ids[10]], 53: why[seen.ids[53]]}
    assert_array_equal(seen.ids[found.places], samples.ids)
    assert found.told() == Skipped(found.why)
    assert readable(seen) is None
    job = Job(folder, {}, None, ids_digest(seen.ids))
    assert load_pool(job, SETTINGS, lambda stage: None).readable.why == found.why
    (folder / "new.png").write_bytes((folder / seen.ids[0]).read_bytes())
    with pytest.raises(InputError, match="has changed since the studio was opened"):
        load_pool(job, SETTINGS, lambda stage: None)


def test_the_rest_of_the_pool_is_learned_and_labeled(damaged):
    folder, why = damaged

    async def story():
        async with running(folder, SETTINGS) as studio:
            await until(lambda: studio.results.ready and studio.results.skipped, 600)
            assert [i for i in range(80) if not studio._is_free(i)] == [10, 53]  # for audits
            held, asked = [], []
            while True:
                actions = [label(i, digit_of(studio.samples.ids[i])) for i in held]
                answer = await act(studio, "ann", [], 10, actions)
                held = [item["sample"] for item in answer["items"]]
                asked += held
                if answer["done"]:
                    break
                await asyncio.sleep(0.02)
            assert len(asked) == 40
            assert not {10, 53} & set(asked)
            await until(lambda: studio.results.predictions is not None and not studio._worker.busy, 600)
            await until(lambda: studio.results.coordinates() is not None, 600)
            state = studio.page_state("ann", [])
            assert {file.id: file.why for file in state.skipped} == why
            assert state.n_skipped == 2
            assert studio.lookup.sample(10, "ann").unreadable == "truncated"
            assert studio.lookup.sample(10, "ann").predicted is None
            right = [studio.lookup.sample(i, "ann").predicted.value for i in range(80) if i not in (10, 53)]
            assert len(right) == 78
            assert not {10, 53} & set(studio.lookup.least_sure(100).samples)
            # a label of a damaged picture is kept, and does no harm
            await act(studio, "ann", [], 0, [label(10, "3", source="map")])
            await until(lambda: not studio._worker.busy, 600)
            assert studio.results.failed is None
            assert studio.state.labels[10] == "3"

    asyncio.run(story())
    shutil.copy(next(folder.glob("0000*")), folder / next(iter(why)))

    async def later():
        async with running(folder, SETTINGS) as studio:
            await until(lambda: studio.results.predictions is not None, 600)
            assert [file.sample for file in studio.page_state("ann", []).skipped] == [53]
            assert studio.lookup.sample(10, "ann").predicted is not None

    asyncio.run(later())


def test_the_page_lists_damaged_pictures(damaged, studio, join):
    folder, why = damaged
    ada = join(studio(folder, "--classes", DIGITS))
    ada.forgives("415")  # a picture may be fetched before it is known to be none
    listed = ada.page.get_by_test_id("skipped").get_by_role("listitem")
    expect(listed).to_have_text([f"{name} ({reason})" for name, reason in why.items()])
    assert str(folder) not in ada.page.content()
    told = ada.label(12, digit_of)
    assert not why.keys() & told.keys()
    ada.shoot("damaged")

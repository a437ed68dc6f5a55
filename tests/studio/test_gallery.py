"""Which samples a gallery shows and in which order; one label for many samples, and its undo."""

import asyncio
import uuid
from itertools import product

import httpx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.test_studio import act, label, pool, running  # noqa: F401
from studio.test_web import ACCESS, BASE, HEADERS
from trigpoint.io import glimpse
from trigpoint.studio._bulk import chunks, label_drafts, names_of
from trigpoint.studio._events import Draft, Event, Settings
from trigpoint.studio._gallery import Known, along_curve, curve, gallery, patch_numbers, patches
from trigpoint.studio._messages import Map, Predictions
from trigpoint.studio._requests import GalleryQuery, LabelsAction
from trigpoint.studio._state import State
from trigpoint.studio._web import make_app

N = 9
TEXTS = ["red fox", "Red hen", "blue jay", "blue", "fox", "", "hen and fox", "jay", "red"]
CLASSES = ("a", "b", "gone")
NOW = ("a", "b", None)  # the last class is no more

some = st.sets(st.integers(0, N - 1))
levels = st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=N, max_size=N)
places = st.lists(st.tuples(st.integers(-2, 2), st.integers(-2, 2)), min_size=N, max_size=N)


@pytest.fixture(scope="module")
def texts(tmp_path_factory):
    file = tmp_path_factory.mktemp("texts") / "texts.csv"
    file.write_text("id,text\n" + "".join(f"s{i},{text}\n" for i, text in enumerate(TEXTS)))
    return glimpse(file, text_column="text")


@st.composite
def situations(draw):
    """All that is known of a pool but the samples; often there are no predictions or no map yet."""
    codes = draw(st.lists(st.integers(-1, 2), min_size=N, max_size=N))
    uncertainty = np.array(draw(levels), dtype=np.float32)
    predictions = Predictions(1, CLASSES, np.array(codes, dtype=np.int16), 1 - uncertainty, uncertainty)
    labels = draw(st.dictionaries(st.integers(0, N - 1), st.sampled_from(["a", "b", ("a", "b"), ()])))
    return {
        "labels": labels,
        "answered": labels.keys() | draw(some),
        "flagged": draw(some),
        "group": draw(some),
        "suspects": draw(st.permutations(range(N)).map(lambda order: order[:3])),
        "skipped": draw(st.just(set()) | some),
        "predictions": draw(st.none() | st.just(predictions)),
        "map": draw(st.none() | places.map(lambda xy: Map(np.array(xy, dtype=np.float32), True))),
        "names": NOW,
    }


def naive(of, name, sort, known):
    """The same, one sample after the other."""
    label_of, predictions = known["labels"], known["predictions"]

    def belongs(i):
        code = -1 if predictions is None else int(predictions.codes[i])
        predicted = NOW[code] if code >= 0 else None
        return {
            "all": True,
            "unlabeled": i not in known["answered"],
            "flagged": i in known["flagged"],
            "group": i in known["group"],
            "search": name != "" and (name.lower() in TEXTS[i].lower() or name.lower() in f"s{i}"),
            "label": i in label_of and (name == "" or label_of[i] == name or name in tuple(label_of[i])),
            "predicted": predicted is not None and name in ("", predicted) and i not in known["answered"],
        }[of]

    def key(i):
        if sort == "uncertainty" and predictions is not None:
            return -float(predictions.uncertainty[i])
        if sort == "similar" and known["map"] is not None:
            return int(curve(known["map"])[i])
        if sort == "wrong":
            return known["suspects"].index(i) if i in known["suspects"] else N
        return 0

    return sorted(
        (i for i in range(N) if belongs(i) and i not in known["skipped"]), key=lambda i: (key(i), i)
    )


OF = ("all", "unlabeled", "flagged", "group", "search", "label", "predicted")
NAMES = ("", "a", "b", "gone", "red", "fox", "S1", "nothing of the kind")
SORTS = ("pool", "uncertainty", "wrong", "similar")


@given(situations())
def test_a_gallery_is_what_its_query_says(texts, known):
    for of, name, sort in product(OF, NAMES, SORTS):
        found = gallery(GalleryQuery(of=of, name=name, sort=sort), Known(texts, **known))
        assert found.tolist() == naive(of, name, sort, known), (of, name, sort)


def test_a_gallery_of_a_tag_holds_all_that_are_predicted_to_have_it(texts):
    chances = np.full((N, 2), np.nan, dtype=np.float16)
    chances[:4] = [(0.9, 0.8), (0.9, 0.1), (0.1, 0.7), (0.2, 0.2)]
    codes = np.array([0, 0, 1, -1, -1, -1, -1, -1, -1], dtype=np.int16)
    ones = np.ones(N, dtype=np.float32)
    told = Predictions(1, ("a", "b"), codes, ones, ones, tags=chances, threshold=0.5)
    known = Known(texts, {2: ("b",)}, {2}, (), (), (), (), told, None, ("a", "b"))
    found = {name: gallery(GalleryQuery(of="predicted", name=name), known).tolist() for name in ("a", "b")}
    assert found == {"a": [0, 1], "b": [0]}, "without those that have an answer"


def test_the_curve_visits_every_cell_and_each_next_one_touches_the_last():
    cells = np.stack(np.meshgrid(range(16), range(16)), axis=2).reshape(-1, 2) << 12
    order = np.argsort(along_curve(cells), kind="stable")
    assert len(set(along_curve(cells))) == 256
    assert (np.abs(np.diff(cells[order] >> 12, axis=0)).sum(axis=1) == 1).all()


@given(places)
def test_patches_share_out_the_pool(texts, xy):
    known = Known(texts, {}, (), (), (), (), (), None, Map(np.array(xy, dtype=np.float32), True), ())
    n = patches(known)
    assert 1 <= n <= 2  # about half of √9
    found = [gallery(GalleryQuery(of="cluster", name=str(k + 1)), known).tolist() for k in range(n)]
    assert all(found)
    assert sorted(i for some in found for i in some) == list(range(N))
    for name in ("", "0", str(n + 1), "-1", "1.5", "²"):
        assert not len(gallery(GalleryQuery(of="cluster", name=name), known))


def test_patches_keep_apart_what_lies_apart():
    rng = np.random.default_rng(0)
    corners = np.array([(-1, -1), (-1, 1), (1, -1), (1, 1)])
    xy = (np.repeat(corners, 16, axis=0) + rng.normal(0, 0.01, (64, 2))).astype(np.float32)
    drawn = Map(xy, True)
    numbers = patch_numbers(drawn).reshape(4, 16)
    assert (numbers == numbers[:, :1]).all()
    assert sorted(numbers[:, 0]) == [0, 1, 2, 3]
    assert (np.abs(np.diff(corners[np.argsort(numbers[:, 0])], axis=0)).sum(axis=1) == 2).all(), (
        "along the edges"
    )
    assert (patch_numbers(Map(np.full((50, 2), np.nan, dtype=np.float32), True)) == 0).all()


def test_without_a_map_there_are_no_patches(texts):
    known = Known(texts, {}, (), (), (), (), (), None, None, ())
    assert patches(known) == 0
    assert gallery(GalleryQuery(of="cluster", name="1"), known).tolist() == []


# ---- one label for many samples


class Log:
    """A state with a store in memory: one client name is written once."""

    def __init__(self, n=6):
        self.ids = [f"s{i}" for i in range(n)]
        self.state = State(Settings(), self.ids)
        self.events = []

    def write(self, drafts):
        known = {event.client: event for event in self.events}
        written = []
        for draft in drafts:
            if draft.client not in known:
                event = Event(len(self.events) + 1, 1000.0 + len(self.events), *vars(draft).values())
                self.events.append(event)
                self.state.apply(event)
                known[draft.client] = event
            written.append(known[draft.client])
        return written

    def one(self, annotator, kind, sample, **body):
        name = None if sample is None else self.ids[sample]
        draft = Draft(kind, annotator, name, f"c{len(self.events) + 1}", body)
        if self.state.check(draft) is None:
            self.write([draft])

    def many(self, annotator, action):
        names = names_of(action, self.ids)
        return sum(
            len(self.write(label_drafts(action, some, names, annotator, self.state)))
            for some in chunks(action)
        )


def labels_action(samples, value, group="g", relabel=False, client=None):
    client = client or str(uuid.uuid4())
    return LabelsAction(client, samples=samples, value=value, group=group, source="gallery", relabel=relabel)


people = st.sampled_from(["bob", "eve"])
values = st.sampled_from(["x", "y"])
theirs = st.tuples(st.sampled_from(["label", "label", "unsure", "skip"]), people, st.integers(0, 5), values)
gestures = st.tuples(st.lists(st.integers(0, 5), min_size=1, max_size=8), values, st.booleans())


def do(log, one):
    kind, who, sample, value = one
    log.one(who, kind, sample, **({"value": value} if kind == "label" else {}))


@given(st.lists(theirs, max_size=8), gestures, st.lists(theirs, max_size=4))
def test_many_labels_leave_answers_alone_unless_told(before, gesture, after):
    log = Log()
    for one in before:
        do(log, one)
    samples, value, relabel = gesture
    was, open_ = dict(log.state.labels), set(range(6)) - log.state.answered()
    action = labels_action(samples, value, relabel=relabel)
    n = log.many("ada", action)
    wanted = set(samples) if relabel else set(samples) & open_
    assert n == len(wanted)
    assert log.state.labels == {**was, **dict.fromkeys(wanted, value)}
    assert {i for i in range(6) if "ada" in log.state.current(i)} == wanted
    for one in after:
        do(log, one)
    written = len(log.events)
    assert log.many("ada", action) == n, "sent again, it is told the same"
    assert len(log.events) == written, "and writes nothing"


def summary(state):
    counts = {name: n for name, n in state.counts().items() if n}
    people = {name: n for name, n in state.annotators().items() if n}
    return state.labels, state.unsure, state.answered(), state.paid, counts, people


@given(st.lists(st.tuples(st.just("theirs"), theirs) | st.tuples(st.just("ours"), gestures), max_size=14))
def test_an_undo_of_a_group_leaves_what_others_did(some):
    log = Log()
    for whose, one in some:
        if whose == "theirs":
            do(log, one)
        else:
            log.many("ada", labels_action(*one[:2], relabel=one[2]))
    ours = [event for event in log.events if event.body.get("group") == "g"]
    log.one("ada", "undo", None, target="g")
    undone = [event for event in log.events if event.kind == "undo"]
    assert len(undone) == (1 if ours else 0), "one event takes all of it back"
    alone = State(Settings(), log.ids)
    for event in log.events:
        if event not in ours and event not in undone:
            alone.apply(event)
    assert summary(log.state) == summary(alone)
    assert log.state.group("g") == []
    assert log.state.check(Draft("undo", "ada", None, "new", {"target": "g"})) is not None


async def served(studio):
    """The route: all indices as bytes."""
    app = httpx.ASGITransport(make_app(studio, ACCESS))
    async with httpx.AsyncClient(transport=app, base_url=BASE, headers=HEADERS) as client:
        answer = await client.get("/api/gallery?of=unlabeled&sort=similar")
        rest = [*range(40, 80)]
        for i in (41, 50, 60):
            rest.remove(i)
        assert sorted(np.frombuffer(answer.content, "<i4").tolist()) == rest
        assert answer.headers["x-total"] == str(len(rest))
        assert answer.headers["x-version"] == str(studio.state.version)
        answer = await client.get("/api/gallery?of=group&name=g")
        assert np.frombuffer(answer.content, "<i4").tolist() == [*range(40), 50, 60]
        for query, why in (
            ("", "of must be given."),
            (
                "of=each",
                "of must be one of label, predicted, cluster, search, flagged, unlabeled, group, all",
            ),
            ("of=all&sort=up", "sort must be one of pool, uncertainty, wrong, similar; got 'up'."),
        ):
            answer = await client.get(f"/api/gallery?{query}")
            assert (answer.status_code, why in answer.json()["error"]) == (400, True), answer.json()


def test_a_studio_labels_many_and_undoes_them_at_once(pool):  # noqa: F811
    async def run():
        async with running(pool) as studio:
            await act(studio, "bob", [], 0, [label(0, "left"), label(41, "right")])
            first = {
                "client": "m1",
                "kind": "labels",
                "samples": [*range(40), 0, 1],
                "value": "right",
                "group": "g",
                "source": "map",
            }
            answer = await act(studio, "ada", [], 0, [first])
            assert [(one["client"], one["n"]) for one in answer["saved"]] == [("m1", 39)]
            assert studio.state.labels[0] == "left", "bob's label stands"
            seq = answer["saved"][0]["seq"]
            again = await act(studio, "ada", [], 0, [first])
            assert [(one["seq"], one["n"]) for one in again["saved"]] == [(seq, 39)]
            other = await act(studio, "ada", [], 0, [first | {"value": "left"}])
            assert other["refused"][0]["why"].startswith("client must be a new name for each action")
            more = {**first, "client": "m2", "samples": [0, 50, 60], "relabel": True}
            answer = await act(studio, "ada", [], 0, [more])
            assert answer["saved"][0]["n"] == 3
            assert studio.state.labels[0] == "right", "it was told to"
            assert answer["state"]["spent"] == 0, "they cost nothing"
            told = studio.lookup.landmarks()
            assert set(told.labeled) == {*range(40), 41, 50, 60}
            await served(studio)
            (entry, *_) = studio.lookup.history("ada", None, 9).events
            assert (entry.group, entry.n, entry.value) == ("g", 42, "right")
            answer = await act(studio, "ada", [], 0, [{"client": "u", "kind": "undo", "target": "g"}])
            assert not answer["refused"]
            assert studio.state.labels == {0: "left", 41: "right"}
            assert studio.lookup.history("ada", None, 9).events == []
            gone = {**first, "client": "m3", "group": "h", "samples": [1, 99]}
            answer = await act(studio, "ada", [], 0, [gone])
            assert answer["refused"][0]["why"] == "samples must lie in [0, 79]; got 99."
            assert 1 not in studio.state.labels, "all of it is refused"
            left = [str(name) for name in studio.samples.ids[[70, 71]]]
            moved = {**first, "client": "m4", "group": "i", "samples": [1, 2, 3], "ids": [*left, "gone.png"]}
            answer = await act(studio, "ada", [], 0, [moved])
            assert answer["saved"][0]["n"] == 2
            assert studio.state.labels == {0: "left", 41: "right", 70: "right", 71: "right"}

    asyncio.run(run())

"""Labels from elsewhere, and our own exports back again: the same labels, and nothing lost in silence."""

import json
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from trigpoint.io import glimpse
from trigpoint.studio._events import Draft, Event, Settings, name_problem, person_problem
from trigpoint.studio._export import write_export
from trigpoint.studio._import import read_import
from trigpoint.studio._state import State

CLASSES = Settings(classes=("cat", "dog"), budget=5)
NUMBERS = Settings(task="regression", targets=("nose.x", "nose.y"))


@pytest.fixture
def samples(tmp_path):
    (tmp_path / "pool.csv").write_text("id,a\n" + "".join(f"s{i},{i}\n" for i in range(6)))
    return glimpse(tmp_path / "pool.csv")


def label(i, value, who="ann", **more):
    body = {"value": value, "suggested": None, "seconds": None, "final": False, "source": "queue", **more}
    return Draft("label", who, f"s{i}", f"{who}-{i}-{value}", body)


def events(drafts, first=1):
    return [
        Event(first + k, 1e9 + k, d.kind, d.annotator, d.sample, d.client, d.body)
        for k, d in enumerate(drafts)
    ]


def filled(settings, samples, drafts):
    state = State(settings, samples.ids)
    for event in events(drafts):
        state.apply(event)
    return state


def read(path, samples, settings=CLASSES, drafts=()):
    return read_import(path, filled(settings, samples, drafts), samples.ids, settings, "eve")


def written(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    return tmp_path / name


def test_a_table(tmp_path, samples):
    path = written(tmp_path, "l.csv", "id,label\ns0,cat\ns1, new one \ns2,\nghost,cat\ns3,dog\nghost2,\n")
    found = read(path, samples, drafts=[label(3, "dog"), label(0, "dog")])
    assert (found.n_labels, found.n_same, found.unknown, found.events) == (2, 1, ["ghost"], 2)
    assert [(d.kind, d.annotator, d.sample, d.body["value"]) for d in found.drafts] == [
        ("label", "eve", "s0", "cat"),
        ("label", "eve", "s1", "new one"),
    ]
    assert found.drafts[0].body["source"] == "import"
    assert len({d.client for d in found.drafts}) == 2


def test_a_file_that_is_sent_again_after_a_rename_writes_only_what_is_missing(tmp_path, samples):
    """As after a kill in the middle of an import."""
    path = written(tmp_path, "l.csv", "id,label\ns0,cat\ns1,cat\ns2,dog\n")
    half = read(path, samples).drafts[:1]
    others = [
        label(0, "dog"),
        label(0, "dog", "bob"),
        Draft("rename", "o", None, "r", {"old": "cat", "new": "feline"}),
    ]
    again = read(path, samples, drafts=[*half, *others])
    assert [d.sample for d in again.drafts] == ["s1", "s2"]
    assert (again.n_labels, again.n_same) == (2, 1)


def test_a_table_of_strangers_alone_says_so(tmp_path, samples):
    found = read(written(tmp_path, "l.csv", "id,label\nx,cat\ny,dog\n"), samples)
    assert (found.drafts, found.unknown) == ([], ["x", "y"])
    tasks = [{"data": {"id": "x"}, "annotations": [{"result": [choice("cat")]}]}]
    found = read(written(tmp_path, "l.json", json.dumps(tasks)), samples)
    assert (found.drafts, found.unknown) == ([], ["x"])


def choice(name):
    return {"type": "choices", "from_name": "label", "value": {"choices": [name]}}


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("l.csv", "id,label\n", "must hold at least one row"),
        ("l.csv", "id,label\ns0,\n", "must hold at least one label"),
        ("l.csv", "id,a,b\ns0,1,2\n", "must have a column called label"),
        ("l.csv", f"id,label\ns0,{'x' * 201}\n", "the label of 's0' is refused: value must "),
        ("l.csv", "id,label\ns0,a\ns0,b\n", "must give a sample one label"),
        ("l.json", "{", "must be JSON"),
        ("l.jsonl", '{"id": "s0"}\n', "must have a column called label"),
    ],
)
def test_bad_files_are_refused_whole(tmp_path, samples, name, text, message):
    with pytest.raises(ValueError, match=message):
        read(written(tmp_path, name, text), samples)


@pytest.mark.parametrize("name", ["labels.csv", "labels.parquet", "label_studio.json", "log.jsonl"])
@pytest.mark.parametrize("settings", [CLASSES, NUMBERS, replace(NUMBERS, targets=("value",))])
def test_what_goes_out_comes_in_again(tmp_path, samples, name, settings):
    width = len(settings.targets)
    values = [[1.5, -2.0][:width], [0.1, 1e-9][:width]] if width else ["=cat, 'x'", "7.0"]
    drafts = [
        label(0, values[0], "ann"),
        label(0, values[1], "bob"),
        label(0, values[1], "eve", final=True),
        label(2, values[0], "ann"),
        Draft("unsure", "ann", "s4", "u", {}),
        label(5, values[1], "bob"),
    ]
    state = filled(settings, samples, drafts)
    write_export(name, tmp_path / name, samples, state, None, events(drafts))
    found = read(tmp_path / name, samples, settings)
    again = filled(settings, samples, found.drafts)
    assert again.labels == state.labels
    n = 5 if name == "label_studio.json" else 3  # every answer, or the labels
    assert (found.n_labels, len(state.labels)) == (n, 3)
    assert found.unknown == []
    same = read(tmp_path / name, samples, settings, found.drafts)
    assert (same.n_labels, same.n_same) == (0, n)


def test_label_studio_keeps_people_and_who_decided(tmp_path, samples):
    drafts = [
        label(0, "cat", "ann"),
        label(0, "cat", "bob"),
        label(0, "dog", "eve", final=True),
        label(1, "dog", "bob"),
    ]
    state = filled(CLASSES, samples, drafts)
    write_export("label_studio.json", tmp_path / "l.json", samples, state, None, ())
    found = read(tmp_path / "l.json", samples).drafts
    assert {(d.sample, d.annotator, d.body["value"], d.body["final"]) for d in found} == {
        (d.sample, d.annotator, d.body["value"], d.body["final"]) for d in drafts
    }
    assert filled(CLASSES, samples, found).labels == state.labels == {0: "dog", 1: "dog"}


names = st.text(min_size=1, max_size=12).filter(lambda name: name_problem(name, "name") is None)
people = st.text(min_size=1, max_size=12).filter(
    lambda name: name == name.strip() and person_problem(name, "name") is None
)


@given(st.lists(st.tuples(people, st.integers(0, 5), names, st.booleans()), min_size=1, max_size=8))
def test_label_studio_gives_back_what_everybody_said(tmp_path_factory, said):
    folder = tmp_path_factory.mktemp("tasks")
    (folder / "pool.csv").write_text("id,a\n" + "".join(f"s{i},{i}\n" for i in range(6)))
    samples = glimpse(folder / "pool.csv")
    drafts = [
        replace(label(i, name, who, final=final), client=f"c{k}")
        for k, (who, i, name, final) in enumerate(said)
    ]
    state = filled(CLASSES, samples, drafts)
    write_export("label_studio.json", folder / "l.json", samples, state, None, ())
    found = read(folder / "l.json", samples).drafts
    assert {(d.sample, d.annotator, d.body["value"]) for d in found} == {
        (f"s{i}", who, action.value) for i in range(6) for who, action in state.current(i).items()
    }
    write_export("label_studio.xml", folder / "l.xml", samples, state, None, ())
    choices = ElementTree.parse(folder / "l.xml").getroot().iter("Choice")
    printable = [name for name in state.classes if name.isprintable()]
    assert set(printable) <= {choice.get("value") for choice in choices}


def test_the_mean_of_two_people_comes_in_again(tmp_path, samples):
    drafts = [label(0, [1.0, 2.0], "ann"), label(0, [2.0, 4.0], "bob")]
    state = filled(NUMBERS, samples, drafts)
    write_export("labels.csv", tmp_path / "labels.csv", samples, state, None, ())
    found = read(tmp_path / "labels.csv", samples, NUMBERS).drafts
    assert [d.body["value"] for d in found] == [[1.5, 3.0]]


def test_numbers_under_any_name_where_there_is_one_target(tmp_path, samples):
    one = replace(NUMBERS, targets=("value",))
    path = written(tmp_path, "l.csv", "id,length\ns0,1.5\ns1,7\n")
    assert [d.body["value"] for d in read(path, samples, one).drafts] == [[1.5], [7.0]]
    np.save(tmp_path / "l.npy", np.array([0.5, np.nan, 1, 2, 3, 4]))
    assert [d.sample for d in read(tmp_path / "l.npy", samples, one).drafts] == ["s0", "s2", "s3", "s4", "s5"]
    with pytest.raises(ValueError, match=r"must hold 2 numbers per sample \(nose.x, nose.y\); got 1."):
        read(tmp_path / "l.npy", samples, NUMBERS)


answers = st.builds(
    lambda kind, who, i, name: (kind, who, i, name),
    st.sampled_from(
        ["label", "label", "check", "keep", "unsure", "skip", "ask", "undo", "class", "rename", "budget"]
    ),
    st.sampled_from(["ann", "bob"]),
    st.integers(0, 7),
    st.sampled_from(["cat", "dog", "owl"]),
)


def as_draft(k, kind, who, i, name, before):
    bodies = {
        "label": {"value": name, "source": "queue"},
        "check": {"value": name, "source": "check", "was": "dog"},
        "keep": {"value": name, "source": "check", "quality": 0.25},
        "ask": {"audit": i % 2 == 0},
        "undo": {"target": f"c{before}"},
        "class": {"name": name},
        "rename": {"old": name, "new": "fox"},
        "budget": {"budget": i + 1},
    }
    sample = f"s{i}" if kind in ("label", "check", "keep", "unsure", "skip", "ask") else None
    client = None if kind == "ask" else f"c{k}"
    return Draft("label" if kind == "check" else kind, who, sample, client, bodies.get(kind, {}))


def told(state):
    """The history, but for the places of its events, which are new."""
    return [structs.replace(entry, seq=0, time=0) for entry in state.history(None, None, 99)]


@given(st.lists(answers, max_size=30), st.integers(0, 29))
def test_a_log_gives_the_same_state_and_only_once(tmp_path_factory, steps, before):
    folder = tmp_path_factory.mktemp("log")
    (folder / "pool.csv").write_text("id,a\n" + "".join(f"s{i},{i}\n" for i in range(6)))
    samples = glimpse(folder / "pool.csv")
    drafts = [as_draft(k, *step, before) for k, step in enumerate(steps)]
    state = filled(CLASSES, samples, drafts)
    write_export("log.jsonl", folder / "log.jsonl", samples, state, None, events(drafts))
    found = read(folder / "log.jsonl", samples)
    again = filled(CLASSES, samples, found.drafts)
    for name in ("labels", "classes", "asked", "unsure", "budget", "confirmed"):
        assert getattr(again, name) == getattr(state, name)
    assert told(again) == told(state)
    assert set(found.unknown) == {d.sample for d in drafts if d.sample in ("s6", "s7")}
    assert found.events == len(found.drafts)
    clients = [d.client for d in found.drafts]
    assert None not in clients
    assert clients == [d.client for d in read(folder / "log.jsonl", samples).drafts]


def test_a_log_brings_its_own_classes(tmp_path, samples):
    path = tmp_path / "log.jsonl"
    write_export(
        "log.jsonl", path, samples, filled(replace(CLASSES, classes=("cat", "elk")), samples, []), None, ()
    )
    found = read(path, samples)
    assert [(d.kind, d.body) for d in found.drafts] == [("class", {"name": "elk"})]


ABOUT = {
    "format": "trigpoint studio log",
    "version": 1,
    "settings": {"task": "classification", "targets": [], "classes": []},
}
EVENT = {
    "seq": 1,
    "time": 0,
    "kind": "label",
    "annotator": "a",
    "sample": "s0",
    "client": "c",
    "body": {"value": "x"},
}


@pytest.mark.parametrize(
    ("about", "event", "message"),
    [
        ({"version": 2}, {}, "must be a log of version 1; got 2"),
        ({"settings": None}, {}, "must be a log of version 1"),
        (
            {"settings": {"task": "regression"}},
            {},
            "must be a log with task 'classification', as this studio has",
        ),
        (
            {"settings": {"task": "classification", "targets": [], "classes": [1]}},
            {},
            "must list its classes",
        ),
        (
            {"settings": {"task": "classification", "targets": [], "classes": [" x"]}},
            {},
            "must list valid classes; name must be text without spaces around it",
        ),
        ({}, {"kind": "drop"}, "line 2: must be an event with kind, annotator and body; got 'drop'"),
        (
            {},
            {"annotator": ""},
            "line 2: annotator must have 1 to 60 characters, and not blanks alone; got ''",
        ),
        ({}, {"annotator": " \t"}, "line 2: annotator must have 1 to 60 characters"),
        ({}, {"annotator": "a" * 3000}, "line 2: annotator must have 1 to 60 characters"),
        ({}, {"annotator": "a\0"}, "line 2: annotator must hold no NUL"),
        ({}, {"client": ""}, "line 2: client must be str of length >= 1; got 0"),
        ({}, {"client": "c" * 101}, "line 2: client must be str of length <= 100; got 101"),
        ({}, {"body": {"value": "x", "note": 1}}, "line 2: body must hold no field 'note'"),
        ({}, {"body": {"value": "x", "seconds": -1}}, r"line 2: body.seconds must be float >= 0.0; got -1"),
        (
            {},
            {"body": {"value": "x", "seconds": float("nan")}},
            "line 2: must be a JSON object, .*without NaN",
        ),
        ({}, {"body": {"value": "x", "source": "y"}}, "line 2: body.source must be one of"),
        (
            {},
            {"kind": "budget", "sample": None, "body": {"budget": 10**400}},
            "line 2: body.budget must be int <= 1000000000; got a larger number",
        ),
        (
            {},
            {"kind": "budget", "sample": None, "body": {"budget": 10**9 + 1}},
            "line 2: body.budget must be int <= 1000000000; got 1000000001",
        ),
        ({}, {"annotator": 5}, "line 2: must be an event"),
        ({}, {"body": []}, "line 2: must be an event"),
        ({}, {"sample": 5}, "line 2: sample and client must be text or null; got 5"),
        ({}, {"body": {"value": " x"}}, "line 2: the event is refused: value must"),
        ({}, {"body": {}}, "line 2: the event is refused: value must"),
    ],
)
def test_bad_logs_are_refused_whole(tmp_path, samples, about, event, message):
    lines = [{**ABOUT, **about}, {**EVENT, **event}]
    path = written(tmp_path, "log.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
    with pytest.raises(ValueError, match=message):
        read(path, samples)


def test_a_class_of_a_sample_that_has_gone_is_described_for_nobody(tmp_path, samples):
    gone = {**EVENT, "sample": "gone"}
    told = {"name": "x", "text": "with stripes", "example": None, "key": None}
    described = {**EVENT, "seq": 2, "kind": "describe", "sample": None, "client": "d", "body": told}
    lines = [ABOUT, gone, described, {**EVENT, "seq": 3, "client": "e", "body": {"value": "y"}}]
    path = written(tmp_path, "log.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
    assert [(d.kind, d.sample) for d in read(path, samples).drafts] == [("label", "s0")]


def test_people_of_a_log_have_no_spaces_around_them(tmp_path, samples):
    lines = [ABOUT, {**EVENT, "annotator": "Ann "}]
    path = written(tmp_path, "log.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
    assert [d.annotator for d in read(path, samples).drafts] == ["Ann"]


def test_labels_that_were_read_before_are_known_even_where_others_corrected_them(tmp_path, samples):
    path = written(tmp_path, "l.csv", "id,label\ns0,cat\ns1,cat\n")
    drafts = [label(0, "cat", "eve"), label(0, "dog", "ann", final=True)]
    found = read(path, samples, drafts=drafts)
    assert (found.n_labels, found.n_same) == (1, 1)


def test_a_tie_stays_a_tie(tmp_path, samples):
    drafts = [label(0, "cat", "ann"), label(0, "dog", "bob"), label(1, "dog", "bob")]
    state = filled(CLASSES, samples, drafts)
    assert list(state.labels) == [1]
    write_export("label_studio.json", tmp_path / "tasks.json", samples, state, None, ())
    again = filled(CLASSES, samples, read(tmp_path / "tasks.json", samples).drafts)
    assert again.labels == {1: "dog"}
    assert again.disagreements() == [0]


@pytest.mark.parametrize("value", [1e101, -1e101, 1e-101])
def test_numbers_that_cannot_be_learned_from(tmp_path, samples, value):
    one = replace(NUMBERS, targets=("value",))
    path = written(tmp_path, "l.csv", f"id,value\ns0,{value}\n")
    with pytest.raises(ValueError, match=r"of a size from 1e-100 to 1e\+100; got \[-?1e"):
        read(path, samples, one)
    path = written(tmp_path, "l.csv", "id,value\ns0,0\ns1,-1e100\ns2,1e-100\n")
    assert read(path, samples, one).n_labels == 3


@pytest.mark.parametrize("line", ["[]", "{", "[" * 100_000, '"\\ud800"', '{"a": "\\ud800"}'])
def test_lines_that_are_no_objects(tmp_path, samples, line):
    path = written(tmp_path, "log.jsonl", json.dumps(ABOUT) + "\n" + line + "\n")
    with pytest.raises(ValueError, match="line 2: must be a JSON object"):
        read(path, samples)


@pytest.mark.parametrize("settings", [CLASSES, NUMBERS])
def test_everybodys_answers_come_in_again_under_their_names(tmp_path, samples, settings):
    values = ["cat", "dog"] if not settings.targets else [[1.5, -2.0], [0.1, 1e-9]]
    drafts = [
        label(0, values[0], "ann"),
        label(0, values[1], "bob"),
        label(2, values[0], "ann"),
        label(2, values[0], "eve"),
        label(5, values[1], "bob"),
        label(5, values[1], "eve"),
        label(5, values[0], "ann", final=True),
    ]
    state = filled(settings, samples, drafts)
    write_export("answers.csv", tmp_path / "answers.csv", samples, state, None, ())
    found = read(tmp_path / "answers.csv", samples, settings)
    again = filled(settings, samples, found.drafts)
    assert {(d.sample, d.annotator) for d in found.drafts} == {(d.sample, d.annotator) for d in drafts}
    assert again.labels == state.labels
    assert again.agreement() == state.agreement()
    same = read(tmp_path / "answers.csv", samples, settings, found.drafts)
    assert (same.n_labels, same.n_same) == (0, 7)


def test_answers_without_a_name_are_the_importers(tmp_path, samples):
    path = written(tmp_path, "l.csv", "id,label,annotator\ns0,cat,ann\ns0,dog,ann\ns1,cat,\n")
    found = read(path, samples)
    assert [(d.sample, d.annotator, d.body["value"]) for d in found.drafts] == [
        ("s0", "ann", "dog"),
        ("s1", "eve", "cat"),
    ]
    path = written(tmp_path, "l.csv", f"id,label,annotator\ns0,cat,{'x' * 201}\n")
    with pytest.raises(ValueError, match="annotator must"):
        read(path, samples)

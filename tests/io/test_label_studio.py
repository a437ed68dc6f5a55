import base64
import io
import json

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from PIL import Image

from reference.files import PIXELS, POOLS, idx_bytes, write_images
from trigpoint.io import Labels, content, export_label_studio, import_label_studio, read_labels, read_pool


@pytest.fixture
def texts(tmp_path):
    (tmp_path / "t.csv").write_text("id,text\na,one cat\nb,a dog\nc,two cats\nd,no dogs\n")
    return read_pool(tmp_path / "t.csv", text_column="text")


def exported(tmp_path, samples, picks, **options):
    export_label_studio(tmp_path / "tasks.json", samples, picks, **options)
    return json.loads((tmp_path / "tasks.json").read_text())


def imported(tmp_path, tasks, ids=("a", "b", "c", "d"), **options):
    (tmp_path / "in.json").write_text(json.dumps(tasks))
    return import_label_studio(tmp_path / "in.json", ids, **options)


def test_tasks_of_texts(tmp_path, texts):
    tasks = exported(
        tmp_path,
        texts,
        [2, 0],
        predictions=np.array(["cat", "dog", "cat", "dog"]),
        probabilities=[[0.9, 0.1], [0.5, 0.5], [0.25, 0.75], [1, 0]],
    )
    choice = {"from_name": "label", "to_name": "text", "type": "choices", "value": {"choices": ["cat"]}}
    assert tasks == [
        {
            "data": {"id": "c", "trigpoint_id": "c", "text": "two cats"},
            "predictions": [{"model_version": "trigpoint", "result": [choice], "score": 0.75}],
        },
        {
            "data": {"id": "a", "trigpoint_id": "a", "text": "one cat"},
            "predictions": [{"model_version": "trigpoint", "result": [choice], "score": 0.9}],
        },
    ]


def test_missing_predictions_and_scores_are_left_out(tmp_path, texts):
    tasks = exported(
        tmp_path, texts, [0, 1], predictions=[None, "dog", "", ""], probabilities=[1, np.nan, 1, 1]
    )
    assert "predictions" not in tasks[0]
    assert "score" not in tasks[1]["predictions"][0]
    assert exported(tmp_path, texts, [0])[0].keys() == {"data"}


@pytest.mark.parametrize("values", [["cat", 'é "x"'], np.array([1.5, -2.0])])
def test_labels_go_there_and_back(tmp_path, texts, values):
    labels = Labels(np.array([3, 1]), values, ("label",))
    tasks = exported(tmp_path, texts, [3, 2, 1], labels=labels, from_name="kind", to_name="t")
    assert ["annotations" in task for task in tasks] == [True, False, True]
    back = import_label_studio(tmp_path / "tasks.json", texts.ids)
    assert back.indices.tolist() == [3, 1]
    assert list(back.values) == list(values)
    assert back.task == labels.task


def test_pictures_are_addressed_or_embedded(tmp_path):
    write_images(tmp_path / "images")
    (tmp_path / "images" / "a.png").rename(tmp_path / "images" / "a b.png")
    samples = read_pool(tmp_path / "images")
    (task,) = exported(tmp_path, samples, [0])
    assert task["data"]["image"] == "/data/local-files/?d=images/a%20b.png"
    (task,) = exported(tmp_path, samples, [0], image_prefix="https://host/x/")
    assert task["data"]["image"] == "https://host/x/a%20b.png"
    (tmp_path / "x.idx").write_bytes(idx_bytes(PIXELS))
    (task,) = exported(tmp_path, read_pool(tmp_path / "x.idx"), [1])
    head, code = task["data"]["image"].split(",")
    assert head == "data:image/png;base64"
    with Image.open(io.BytesIO(base64.b64decode(code))) as picture:
        assert_array_equal(np.asarray(picture), PIXELS[1])


def test_rows_and_nodes(tmp_path):
    for name in ("pool.csv", "edges.csv"):
        POOLS[name](tmp_path / name)
        samples = read_pool(tmp_path / name)
        (task,) = exported(tmp_path, samples, [1], predictions=["x"] * samples.n_samples)
        assert task["data"]["row"] == content(samples, 1)["row"]
        assert task["predictions"][0]["result"][0]["to_name"] == "row"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"predictions": ["x"]}, "predictions must have 4 entries, one per sample; got 1"),
        ({"probabilities": [1.0]}, r"probabilities must have shape \(4,\) or \(4, c\); got shape \(1,\)"),
        ({"landmarks": [9]}, r"landmarks must lie in \[0, 3\]"),
        ({"predictions": [np.inf] * 4}, "a label must hold finite numbers only"),
    ],
)
def test_bad_exports(tmp_path, texts, options, message):
    picks = options.pop("landmarks", [0])
    with pytest.raises(ValueError, match=message):
        export_label_studio(tmp_path / "tasks.json", texts, picks, **options)
    assert not (tmp_path / "tasks.json").exists()


def result(value, kind="choices", name="label"):
    return {"from_name": name, "to_name": "text", "type": kind, "value": {kind: value}}


def task(name, *annotations):
    return {"id": 91, "data": {"id": name}, "annotations": list(annotations)}


def test_the_full_export(tmp_path):
    first = {
        "id": 1,
        "result": [result(["cat"])],
        "was_cancelled": False,
        "updated_at": "2024-05-01T10:00:00Z",
    }
    later = {
        "id": 2,
        "result": [result(["dog"])],
        "was_cancelled": False,
        "updated_at": "2024-05-01T11:00:00Z",
    }
    skipped = {
        "id": 3,
        "result": [result(["elk"])],
        "was_cancelled": True,
        "updated_at": "2024-05-02T10:00:00Z",
    }
    boxes = {"id": 4, "result": [{"from_name": "b", "type": "rectanglelabels", "value": {"x": 1}}]}
    tasks = [task("b", later, first, skipped), task("a", boxes), task("d", first), task("c", {"result": []})]
    found = imported(tmp_path, tasks)
    assert found.indices.tolist() == [1, 3]
    assert found.values == ["dog", "cat"]
    assert found.columns == ("label",)


def test_without_times_the_last_counts(tmp_path):
    found = imported(tmp_path, [task("a", {"result": [result(["x"])]}, {"result": [result(["y"])]})])
    assert found.values == ["y"]


def test_several_controls_need_a_name(tmp_path):
    both = {"result": [result(["x"]), result(2, "number", "size")]}
    with pytest.raises(
        ValueError, match=r"record 1: must have one control, or give from_name=; got label, size"
    ):
        imported(tmp_path, [task("a", both)])
    assert imported(tmp_path, [task("a", both)], from_name="label").values == ["x"]
    sizes = imported(tmp_path, [task("a", both)], from_name="size")
    assert sizes.values.tolist() == [2.0]
    assert sizes.task == "regression"


def test_several_controls_make_up_one_label(tmp_path):
    def point(x, y):
        return {"result": [result(x, "number", "x"), result(y, "number", "y")]}

    tasks = [
        task("a", point(1, 2)),
        task("b", {"result": [result(3, "number", "x")]}),
        task("c", point(5, 6.5)),
    ]
    found = imported(tmp_path, tasks, from_name=["x", "y"])
    assert (found.indices.tolist(), found.values.tolist()) == ([0, 2], [[1, 2], [5, 6.5]])
    assert found.columns == ("x", "y")
    short = {"trigpoint_id": "d", "id": 7, "x": 1.5, "y": {"number": 2}, "annotation_id": 1}
    assert imported(tmp_path, [short], from_name=["x", "y"]).values.tolist() == [[1.5, 2.0]]
    both = [task("a", {"result": [result(["q"], name="x"), result(2, "number", "y")]})]
    with pytest.raises(ValueError, match="must hold numbers under x, y; got classes"):
        imported(tmp_path, both, from_name=["x", "y"])


def test_the_short_export(tmp_path):
    def record(name, value, when="2024-05-01"):
        return {"trigpoint_id": name, "id": 7, "label": value, "annotation_id": 1, "updated_at": when}

    records = [
        record("a", "x"),
        record("b", {"choices": ["y"]}),
        record("b", "z", "2024-04-01"),
        {"trigpoint_id": "c", "id": 8, "annotation_id": 2},
    ]
    found = imported(tmp_path, records)
    assert found.indices.tolist() == [0, 1]
    assert found.values == ["x", "y"]
    assert imported(tmp_path, [record("a", [{"number": 2.5}])]).values.tolist() == [2.5]
    assert imported(tmp_path, [{"id": "a", "label": "x"}]).indices.tolist() == [0]


@pytest.mark.parametrize(
    ("tasks", "message"),
    [
        ([{"id": 3, "label": "x", "annotation_id": 1}], 'the "id" of JSON-MIN is Label Studio\'s own number'),
        ([task("zoe", {"result": [result(["x"])]})], "ids of the pool only; got 1 unknown, first 'zoe'"),
        ([task("a")], "must hold at least one label"),
        (
            [task("a", {"result": [result(["x", "y"])]})],
            "record 1: must hold one label, or give task='tags'; got 2",
        ),
        ([task("a", {"result": [result(["x"])]}), task("b", {"result": [result(1, "number")]})], "got both"),
        ([task("a", {"result": 3})], "must be a list of objects"),
        ([task("a", "x")], "an annotation must be an object; got 'x'"),
        ([{"data": 1, "annotations": []}], "must be a task with data"),
        ([{"data": {}, "annotations": [{"result": [result(["x"])]}]}], 'must hold the sample\'s "id"'),
        (
            [task("a", {"result": [result(True, "number")]})],
            "a label must be a class or a finite number; got True",
        ),
        ([], "must hold at least one record"),
    ],
)
def test_bad_imports(tmp_path, tasks, message):
    with pytest.raises(ValueError, match=rf"in\.json.*{message}"):
        imported(tmp_path, tasks)


def test_a_text_that_is_not_in_the_pool_is_named_and_the_others_count(tmp_path):
    def record(text, k):
        return {"text": text, "id": k, "label": "x", "annotator": 1, "annotation_id": k}

    path = tmp_path / "in.json"
    path.write_text(json.dumps([record("not in the pool", 1), record("good day", 2)]))
    found = import_label_studio(path, ["a", "b"], texts=["hello", "good day"], skip_unknown=True)
    assert found.indices.tolist() == [1]
    assert list(found.unknown) == ["not in the pool"]


PICTURES = ["x.png", "a b (1).jpg", "sub/y.png", "sub/x.png", "other/z.PNG"]


@pytest.mark.parametrize(
    ("address", "want"),
    [
        ("/data/local-files/?d=photos/x.png", "x.png"),
        ("/data/local-files/?d=photos/sub/x.png", "sub/x.png"),
        ("/data/local-files/?d=home/me/photos/sub/x.png", "sub/x.png"),
        ("/data/local-files/?d=photos/a%20b%20%281%29.jpg", "a b (1).jpg"),
        ("/data/upload/1/0a1b2c3d-a_b_1.jpg", "a b (1).jpg"),
        ("/data/upload/1/0a1b2c3d-y.png", "sub/y.png"),
        ("/data/upload/1/0a1b2c3d-x.png", None),  # two pictures are called so
        ("/home/me/elsewhere/x.png", None),
        ("C:\\me\\photos\\sub\\x.png", "sub/x.png"),
        ("s3://bucket/x.png", "x.png"),
        ("s3://bucket/deep/down/z.PNG", "other/z.PNG"),
        ("https://host/a/sub/y.png?signature=1#2", "sub/y.png"),
        ("https://host/w.png", None),
        ("http://[x.png", None),
        ("data:image/png;base64,x.png", None),
        ("x", None),
        ("a text that ends in x.png", None),
    ],
)
def test_tasks_without_our_id_are_found_by_their_pictures(tmp_path, address, want):
    found = {"id": 3, "data": {"img": address, "n": 1}, "annotations": [{"result": [result(["c"])]}]}
    known = task("sub/y.png", {"result": [result(["d"])]})
    labels = imported(tmp_path, [known, found], PICTURES, skip_unknown=True)
    assert [PICTURES[i] for i in labels.indices][1:] == ([] if want in (None, "sub/y.png") else [want])
    if want == "sub/y.png":
        assert labels.values == ["c"]
    assert labels.unknown == ((address,) if want is None else ())


def test_tasks_without_our_id_are_found_by_their_texts(tmp_path):
    def of(text):
        return {"data": {"text": text}, "annotations": [{"result": [result(["x"])]}]}

    texts = ["one", "two", "two", "three"]
    labels = imported(tmp_path, [of("three"), of("two"), of("four")], texts=texts, skip_unknown=True)
    assert (labels.indices.tolist(), labels.unknown) == ([3], ("two", "four"))
    with pytest.raises(ValueError, match="must hold ids of the pool only; got 2 unknown, first 'two'"):
        imported(tmp_path, [of("three"), of("two"), of("four")], texts=texts)


def author(*texts):
    return {
        "from_name": "trigpoint_author",
        "to_name": "text",
        "type": "textarea",
        "value": {"text": list(texts)},
    }


def answers_of(labels):
    told = labels.answers
    return sorted(zip(told.indices.tolist(), told.annotators, told.values, told.decides, strict=True))


def test_everybody_keeps_their_answer(tmp_path):
    def by(who, value, **more):
        return {"result": [result([value]), *([author(who)] if who else [])], **more}

    tasks = [
        task(
            "a", by("ann", "x", completed_by=1), by("bob", "y", completed_by=1), by(None, "y", completed_by=7)
        ),
        task("b", by("ann", "x"), by(None, "y", completed_by={"id": 3, "email": "me@example.org"})),
        task("c", by("ann", "y"), by("ann", "x"), by(None, "z", was_cancelled=True)),
    ]
    labels = imported(tmp_path, tasks)
    assert answers_of(labels) == [
        (0, "Label Studio 7", "y", False),
        (0, "ann", "x", False),
        (0, "bob", "y", False),
        (1, "ann", "x", False),
        (1, "me@example.org", "y", False),
        (2, "ann", "x", False),
    ]
    told = dict(zip(labels.indices.tolist(), labels.values, strict=True))
    assert (told[0], told[2]) == ("y", "x")


@pytest.mark.parametrize(
    ("marks", "want"), [((True, False, False), "x"), ((True, True, False), "y"), ((False, False, False), "y")]
)
def test_the_only_truth_decides(tmp_path, marks, want):
    said = zip("xyy", ("ann", "bob", "eve"), marks, strict=True)
    annotations = [
        {"result": [result([value]), author(who)], "ground_truth": mark} for value, who, mark in said
    ]
    assert imported(tmp_path, [task("a", *annotations)]).values == [want]
    annotations[0]["result"][1] = author("ann", "decides")
    assert imported(tmp_path, [task("a", *annotations)]).values == ["x"]


SHORT = {"annotator": 1, "annotation_id": 5, "created_at": "2024", "updated_at": "2024", "lead_time": 2.5}


def test_a_short_export_of_a_project_of_its_own(tmp_path):
    def record(image, value, **more):
        return {"image": image, "note": "a", "id": 1, "weather": value, **SHORT, **more}

    empty = {"image": "q.png", "note": "a", "id": 2, **dict.fromkeys(SHORT)}
    records = [record("/data/upload/1/0a1b2c3d-y.png", "sun"), empty, record("s3://b/z.PNG", "rain")]
    labels = imported(tmp_path, records, PICTURES)
    assert dict(zip(labels.indices.tolist(), labels.values, strict=True)) == {2: "sun", 4: "rain"}
    assert labels.columns == ("weather",)
    assert set(labels.answers.annotators) == {"Label Studio 1"}


@pytest.mark.parametrize("name", ["l.csv", "l.tsv"])
def test_a_table_of_a_project_of_its_own(tmp_path, name):
    mark = "\t" if name.endswith("tsv") else ","
    header = ["annotation_id", "annotator", "created_at", "id", "image", "lead_time", "updated_at", "weather"]
    rows = [
        ["1", "me@example.org", "2024", "1", "/data/upload/1/0a1b2c3d-y.png", "2.5", "2024", "sun"],
        ["2", "1", "2024", "2", "s3://b/z.PNG", "", "2024", "rain"],
        ["", "", "", "3", "x.png", "", "", ""],
    ]
    (tmp_path / name).write_text("\n".join(mark.join(row) for row in [header, *rows]) + "\n")
    labels = import_label_studio(tmp_path / name, PICTURES)
    assert answers_of(labels) == [(2, "me@example.org", "sun", False), (4, "Label Studio 1", "rain", False)]
    assert read_labels(tmp_path / name, PICTURES, task="classification").values == labels.values


def test_two_columns_that_may_be_labels_are_refused(tmp_path):
    records = [{"weather": "sun", "id": 3, "mood": "good", "place": "sea", "image": "x.png", **SHORT}]
    with pytest.raises(ValueError, match=r"must have one column of labels; export as JSON.*'mood', 'place'"):
        imported(tmp_path, records, PICTURES)
    assert imported(tmp_path, records, PICTURES, from_name="mood").values == ["good"]


def test_key_points_are_in_pixels(tmp_path):
    value = {"x": 25, "y": 50, "width": 1, "keypointlabels": ["nose"]}
    size = {"original_width": 40, "original_height": 20}
    part = {"from_name": "points", "type": "keypointlabels", "value": value, **size}
    names = ["nose.x", "nose.y"]
    assert imported(tmp_path, [task("a", {"result": [part]})], from_name=names).values.tolist() == [[10, 10]]
    short = {"trigpoint_id": "b", "points": [value | size], "annotation_id": 1}
    assert imported(tmp_path, [short], from_name=names).values.tolist() == [[10, 10]]


def test_results_of_other_kinds_are_no_labels(tmp_path):
    said = {
        "result": [result(["x"], name="kind"), result(4, "rating", "stars"), result(["t"], "textarea", "n")]
    }
    assert imported(tmp_path, [task("a", said)], task="classification").values == ["x"]
    assert imported(tmp_path, [task("a", said)], task="regression").values.tolist() == [4.0]

"""There and back through the real Label Studio: pictures, labels, who gave them, predictions.

Needs the program label-studio on PATH, or TRIGPOINT_LABEL_STUDIO with its path.
"""

import shutil
from uuid import uuid4

import pytest

from studio.label_studio import EMAIL, PROGRAM, find_label_studio, label_studio
from studio.pools import digit_of, spot_of, spots, texts, write_csv

pytestmark = pytest.mark.slow

KINDS = {"JSON": "json", "JSON_MIN": "json", "CSV": "csv", "TSV": "tsv"}
OWNER = {EMAIL, "Label Studio 1"}  # some exports know only the number


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    """The folder that Label Studio may serve files of."""
    return tmp_path_factory.mktemp("root")


@pytest.fixture(scope="module")
def project(tmp_path_factory, root):
    program = find_label_studio()
    if program is None:
        pytest.skip(f"Label Studio is not installed; set {PROGRAM} to its program to run this test")
    with label_studio(program, tmp_path_factory.mktemp("label_studio"), root) as make:
        yield make


@pytest.fixture(scope="module")
def photos(root, digits):
    """Pictures with names that addresses must quote, some in a folder below."""
    folder = root / "my photos"
    (folder / "a b").mkdir(parents=True)
    for k, path in enumerate(sorted(digits.iterdir())[:40]):
        name = path.name if k % 2 else f"a b/{path.name}"
        shutil.copy(path, folder / name)
    return folder


def label(client, person, labels):
    """Labels of samples, each with its index and id."""
    actions = [
        {"kind": "label", "client": uuid4().hex, "sample": i, "id": name, "value": value, "source": "map"}
        for i, name, value in labels
    ]
    answer = client.post("/api/actions", json={"annotator": person, "actions": actions}).json()
    assert answer["refused"] == []


def exported(running, name):
    return running.get(f"/api/export/{name}")


def imported(running, path, dry=0):
    with running.client() as client:
        query = {"name": path.name, "annotator": "Zoe", "dry": dry}
        headers = {"content-type": "application/octet-stream"}
        answer = client.post("/api/import", params=query, content=path.read_bytes(), headers=headers)
    assert answer.status_code == 200, answer.text
    return answer.json()


def answers(running):
    return {(row["id"], row["label"], row["annotator"], row["final"]) for row in running.table("answers.csv")}


def test_a_studio_goes_there_and_back(studio, photos, project, tmp_path):
    ids = sorted(path.relative_to(photos).as_posix() for path in photos.rglob("*.png"))
    options = ("--budget", "30", "--classes", "0,1,2,3,4,5,6,7,8,9,a/b & <c>", "--overlap", "2")
    running = studio(photos, *options)
    with running.client() as client:
        label(client, "Ann", [(i, ids[i], digit_of(ids[i])) for i in range(12)])
        label(client, "=Bob, jr.", [(3, ids[3], "a/b & <c>"), (20, ids[20], digit_of(ids[20]))])
    running.wait_until_learned()
    there = project(exported(running, "label_studio.xml").text)
    there.add_storage(photos)
    tasks = exported(running, "label_studio.json").json()
    told = there.add_tasks(tasks)
    assert (told["task_count"], told["annotation_count"]) == (40, 14)
    assert told["prediction_count"] == sum("predictions" in task for task in tasks) > 0

    here = {task["data"]["trigpoint_id"]: task for task in tasks}
    for task in there.tasks():
        name = task["data"]["trigpoint_id"]
        picture = there.fetch(task["data"]["image"])
        assert picture.content == (photos / name).read_bytes()
        kept = [
            (one["model_version"], one["score"], one["result"][0]["value"]) for one in task["predictions"]
        ]
        sent = here[name].get("predictions", [])
        want = [(one["model_version"], one["score"], one["result"][0]["value"]) for one in sent]
        assert kept == [(model, pytest.approx(score), value) for model, score, value in want]

    new = next(task for task in there.tasks() if task["data"]["trigpoint_id"] == ids[30])
    said = {"from_name": "label", "to_name": "image", "type": "choices", "value": {"choices": ["7"]}}
    there.annotate(new["id"], [said])
    for kind, suffix in KINDS.items():
        path = there.export(kind, tmp_path / f"{kind}.{suffix}")
        again = studio(photos, *options)
        assert imported(again, path, dry=1)["labels"] == 15
        assert imported(again, path)["n_unknown"] == 0
        found = answers(again)
        assert {one for one in found if one[2] not in OWNER} == answers(running), kind
        assert [one[:2] for one in found if one[2] in OWNER] == [(ids[30], "7")], kind
        assert again.labels() == running.labels() | {ids[30]: "7"}, kind
        assert imported(again, path)["labels"] == 0


def test_a_project_of_label_studio_comes_in(studio, photos, project, tmp_path):
    """Its choices have another name, its tasks no ids of ours; some pictures were uploaded."""
    config = """<View><Image name="pic" value="$photo"/><Choices name="what is it" toName="pic">
        <Choice value="odd"/><Choice value="even"/></Choices></View>"""
    there = project(config)
    there.add_storage(photos)
    ids = sorted(path.relative_to(photos).as_posix() for path in photos.rglob("*.png"))
    there.add_tasks(
        [
            {"photo": f"/data/local-files/?d=my photos/{ids[0]}"},
            {"photo": f"s3://bucket/deep/{ids[1]}"},
            {"photo": "https://example.org/strange.png"},
            {"photo": f"/elsewhere/{ids[21].rpartition('/')[2]}"},
        ]
    )
    there.upload(photos / ids[2])
    for task in there.tasks():
        choice = "odd" if digit_of(task["data"]["photo"]) in "13579" else "even"
        result = {
            "from_name": "what is it",
            "to_name": "pic",
            "type": "choices",
            "value": {"choices": [choice]},
        }
        there.annotate(task["id"], [result])
    want = {ids[k]: "odd" if digit_of(ids[k]) in "13579" else "even" for k in (0, 1, 2, 21)}
    for kind, suffix in KINDS.items():
        path = there.export(kind, tmp_path / f"{kind}.{suffix}")
        running = studio(photos, "--budget", "30")
        told = imported(running, path)
        assert (told["labels"], told["unknown"]) == (4, ["https://example.org/strange.png"]), kind
        assert running.labels() == want, kind
        assert {one[2] for one in answers(running)} <= OWNER


def test_points_keep_their_pixels(studio, root, project, tmp_path):
    (root / "spots").mkdir()
    pool = spots(root / "spots", 12)
    ids = sorted(path.name for path in pool.iterdir())
    options = ("--budget", "12", "--points", "spot")
    running = studio(pool, *options)
    with running.client() as client:
        label(client, "Ann", [(i, ids[i], list(map(float, spot_of(ids[i])))) for i in range(5)])
    there = project(exported(running, "label_studio.xml").text)
    there.add_tasks(exported(running, "label_studio.json").json())
    for kind, suffix in KINDS.items():
        again = studio(pool, *options)
        imported(again, there.export(kind, tmp_path / f"{kind}.{suffix}"))
        rows = again.table("answers.csv")
        assert {row["annotator"] for row in rows} == {"Ann"}
        found = {row["id"]: (float(row["spot.x"]), float(row["spot.y"])) for row in rows}
        assert found == {name: pytest.approx(spot_of(name)) for name in ids[:5]}, kind


def test_texts_numbers_and_rows(studio, project, tmp_path):
    pool = texts(tmp_path / "texts.csv", 12)
    running = studio(pool, "--budget", "12", "--text-column", "text", "--values", "length,text")
    with running.client() as client:
        label(client, "Ann", [(0, "sea-000", [1.5, -2.0]), (1, "hill-001", [0.25, 1e-9])])
    there = project(exported(running, "label_studio.xml").text)
    there.add_tasks(exported(running, "label_studio.json").json())
    for kind, suffix in KINDS.items():
        again = studio(pool, "--budget", "12", "--text-column", "text", "--values", "length,text")
        imported(again, there.export(kind, tmp_path / f"{kind}.{suffix}"))
        assert again.table("labels.csv")[0]["length"] == "1.5"
        found = {
            (row["id"], row["length"], row["text"], row["annotator"]) for row in again.table("answers.csv")
        }
        want = {
            (row["id"], row["length"], row["text"], row["annotator"]) for row in running.table("answers.csv")
        }
        assert found == want, kind
    rows = write_csv(
        tmp_path / "rows.csv", ("id", "size", "word"), [("p", 1, "x"), ("q", 2, "y"), ("r", 5, "z")]
    )
    table = studio(rows, "--budget", "3", "--classes", "small,large")
    there = project(exported(table, "label_studio.xml").text)
    assert there.add_tasks(exported(table, "label_studio.json").json())["task_count"] == 3
    assert [task["data"]["row"]["word"] for task in there.tasks()] == ["x", "y", "z"]

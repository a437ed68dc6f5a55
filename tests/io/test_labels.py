import json
import pickle

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from trigpoint.io import MissingColumnError, read_labels, read_landmarks, write_table

IDS = np.array(["ann", "bob", "cy", "007"], dtype=object)


def labels(tmp_path, text, name="l.csv", ids=IDS, **options):
    (tmp_path / name).write_text(text)
    return read_labels(tmp_path / name, ids, **options)


def test_classes_by_id(tmp_path):
    found = labels(tmp_path, "id,label\n007,x\nann,y\nbob,\ncy, \n")
    assert found.indices.dtype == np.int64
    assert found.indices.tolist() == [3, 0]
    assert found.values == ["x", "y"]
    assert found.columns == ("label",)
    assert found.task == "classification"


def test_whole_numbers_are_classes_and_keep_their_spelling(tmp_path):
    assert labels(tmp_path, "id,label\nann,03\nbob,3\n").values == ["03", "3"]
    assert labels(tmp_path, "id,label\nann,3\nbob,4\n", task="regression").values.tolist() == [3.0, 4.0]


def test_numbers_with_fractions_are_real_values(tmp_path):
    found = labels(tmp_path, "id,label\nann,1.5\nbob,2\ncy,\n007,nan\n")
    assert found.task == "regression"
    assert found.indices.tolist() == [0, 1]
    assert found.values.tolist() == [1.5, 2.0]
    assert labels(tmp_path, "id,label\nann,1.5\nbob,2\n", task="classification").values == ["1.5", "2"]
    assert labels(tmp_path, "id,label\nann,1.5\nbob,x\n").values == ["1.5", "x"]


def test_several_columns(tmp_path):
    text = "id,u,v\nann,1,2\nbob,,\ncy,3,4\n"
    found = labels(tmp_path, text, label_column=["v", "u"])
    assert found.indices.tolist() == [0, 2]
    assert_array_equal(found.values, [[2, 1], [4, 3]])
    assert found.columns == ("v", "u")


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".parquet", ".json", ".jsonl"])
def test_every_kind_of_table(tmp_path, suffix):
    path = tmp_path / f"l{suffix}"
    write_table(path, {"id": ["bob", "007"], "label": ["=1+1", "y"]})
    found = read_labels(path, IDS)
    assert found.indices.tolist() == [1, 3]
    assert found.values == ["=1+1", "y"]
    write_table(path, {"id": ["bob", "007"], "label": [0.1, None]})
    assert read_labels(path, IDS).values.tolist() == [0.1]


def test_tables_without_ids_go_by_order(tmp_path):
    found = labels(tmp_path, 'page_type\nx\n""\ny\nx\n')
    assert found.indices.tolist() == [0, 2, 3]
    with pytest.raises(ValueError, match="an id column, or one row for each of the 4 samples; got 2 rows"):
        labels(tmp_path, "label\nx\ny\n")


def test_equal_labels_of_one_sample_count_once(tmp_path):
    assert labels(tmp_path, "id,label\nann,x\nbob,y\nann,x\nann,\n").indices.tolist() == [0, 1]


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("id,label\nann,x\nzoe,y\nyan,y\n", {}, "ids of the pool only; got 2 unknown, first 'zoe' in line 3"),
        ("id,label\nann,x\nann,y\n", {}, "one label; line 2 says 'x', line 3 says 'y'"),
        ("id,label\nann,\n", {}, "must hold at least one label"),
        (
            "id,a,b\nann,x,y\n",
            {},
            "must have a column called label, or give label_column=; got 'id', 'a', 'b'",
        ),
        ("id,a\nann,x\n", {"label_column": "b"}, "label_column must be a column of .*'id', 'a'"),
        ("id,a\nann,x\n", {"id_column": "b"}, "id_column must be a column of"),
        ("id,a\nann,x\n", {"task": "regression"}, "line 2, column 'a': must be a number; got 'x'"),
        ("id,a\nann,x\n", {"task": "clustering"}, "task must be one of 'classification', 'regression'"),
        (
            "id,a\nann,1e999\n",
            {"task": "regression"},
            r"line 2: labels must be all finite or all missing; got \[inf\]",
        ),
        ("id,u,v\nann,1,\n", {"label_column": ["u", "v"]}, "all finite or all missing; got .1.0, nan"),
        ("id,u,v\nann,x,y\n", {"label_column": ["u", "v"]}, "must name one column of classes"),
        ("id,u\nann,x\n", {"label_column": []}, "label_column must be one name or several"),
    ],
)
def test_bad_labels(tmp_path, text, options, message):
    with pytest.raises(ValueError, match=message):
        labels(tmp_path, text, **options)


def test_arrays_go_by_order(tmp_path):
    path = tmp_path / "l.npy"
    np.save(path, np.array([2, -1, 0, 2]))
    found = read_labels(path, IDS)
    assert found.indices.tolist() == [0, 2, 3]
    assert found.values == ["2", "0", "2"]
    assert read_labels(path, IDS, task="regression").values.tolist() == [2, -1, 0, 2]
    np.save(path, np.array([1.0, np.nan, 0.5, 2]))
    assert read_labels(path, IDS).values.tolist() == [1, 0.5, 2]
    np.save(path, np.array([1.0, np.nan, 0, 2]))
    assert read_labels(path, IDS).values == ["1", "0", "2"]
    np.save(path, np.array([[1.0, 2], [np.nan, np.nan], [3, 4], [5, 6]]))
    assert_array_equal(read_labels(path, IDS).values, [[1, 2], [3, 4], [5, 6]])
    np.save(path, np.array(["a", "", "b", "a"]))
    assert read_labels(path, IDS).indices.tolist() == [0, 2, 3]


@pytest.mark.parametrize(
    ("array", "options", "message"),
    [
        (np.arange(3), {}, r"one label for each of 4 samples; got shape \(3,\)"),
        (np.full(4, np.nan), {}, "must hold at least one label"),
        (np.array([1j] * 4), {}, "must hold numbers or text; got dtype complex128"),
        (np.array(["a"] * 4), {"task": "regression"}, "must hold numbers for task='regression'"),
        (np.ones((4, 2)), {"task": "classification"}, "must hold one class per sample"),
        (np.array([[1, np.nan]] * 4), {}, "row 1: labels must be all finite or all missing"),
        (np.array([0.5, np.inf, 0, 0]), {}, "row 2: labels must be all finite or all missing"),
        (np.arange(4), {"label_column": "y"}, "label_column has no meaning"),
    ],
)
def test_bad_arrays(tmp_path, array, options, message):
    np.save(tmp_path / "l.npy", array)
    with pytest.raises(ValueError, match=rf"l\.npy.*{message}|{message}"):
        read_labels(tmp_path / "l.npy", IDS, **options)


def test_arrays_of_an_npz(tmp_path):
    path = tmp_path / "l.npz"
    np.savez(path, images=np.ones((4, 2)), labels=np.arange(4))
    assert read_labels(path, IDS, label_column="labels").values == ["0", "1", "2", "3"]
    assert read_labels(path, IDS, label_column="labels").columns == ("labels",)


def test_real_targets(data_folder):
    ids = [str(i) for i in range(22_470)]
    path = data_folder / "facebook_pages" / "facebook_target.csv"
    found = read_labels(path, ids, label_column="page_type")
    assert set(found.values) == {"tvshow", "government", "company", "politician"}
    poses = read_labels(data_folder / "isomap_faces.npz", ids[:698], label_column="labels")
    assert poses.values.shape == (698, 3)


def test_landmarks_in_order_of_choice(tmp_path):
    path = tmp_path / "p.csv"
    write_table(path, {"rank": [2, 0, 10], "id": ["ann", "007", "cy"]})
    picks = read_landmarks(path, IDS)
    assert picks.dtype == np.int64
    assert picks.tolist() == [3, 0, 2]
    path.write_text("id\nbob\nann\n")
    assert read_landmarks(path, IDS).tolist() == [1, 0]
    path.write_text("who\nbob\nann\n")
    assert read_landmarks(path, IDS).tolist() == [1, 0]
    path.write_text("who,why\nbob,x\n")
    assert read_landmarks(path, IDS, id_column="who").tolist() == [1]
    np.save(tmp_path / "p.npy", [2, 0])
    assert read_landmarks(tmp_path / "p.npy", IDS).tolist() == [2, 0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("id\nann\nzoe\n", "got 1 unknown, first 'zoe' in line 3"),
        ("id\nann\nann\n", "'ann' is in line 2 and line 3"),
        ("a,b\nann,1\n", "must have a column called id, or give id_column="),
        ("rank,id\nx,ann\n", "line 2, column 'rank': must be a number; got 'x'"),
    ],
)
def test_bad_landmarks(tmp_path, text, message):
    (tmp_path / "p.csv").write_text(text)
    with pytest.raises(ValueError, match=rf"p\.csv.*{message}"):
        read_landmarks(tmp_path / "p.csv", IDS)


def test_landmarks_as_indices_are_checked(tmp_path):
    np.save(tmp_path / "p.npy", [0, 9])
    with pytest.raises(ValueError, match=r"p\.npy must lie in \[0, 3\]"):
        read_landmarks(tmp_path / "p.npy", IDS)


def test_label_studio_files_are_known_by_their_looks(tmp_path):
    result = [{"from_name": "label", "to_name": "t", "type": "choices", "value": {"choices": ["x"]}}]
    task = {"data": {"id": "bob"}, "annotations": [{"result": result}]}
    assert labels(tmp_path, json.dumps([task]), "l.json").values == ["x"]
    with pytest.raises(ValueError, match="must hold labels for regression; it holds some for classification"):
        labels(tmp_path, json.dumps([task]), "l.json", task="regression")


@pytest.mark.parametrize(
    ("name", "content", "asked", "argument", "column"),
    [
        ("l.csv", "id,a,b\nann,x,y\n", {}, None, "label"),
        ("l.csv", "id,a\nann,x\n", {"label_column": "b"}, "label_column", "b"),
        ("l.csv", "id,a\nann,x\n", {"label_column": ["a", "c"]}, "label_column", "c"),
        ("l.csv", "id,a\nann,x\n", {"id_column": "who"}, "id_column", "who"),
        ("l.npy", np.arange(4), {"label_column": "y"}, "label_column", "y"),
        ("l.npz", np.arange(4), {"label_column": "y"}, "label_column", "y"),
    ],
)
def test_a_missing_column_is_an_error_of_its_own(tmp_path, name, content, asked, argument, column):
    path = tmp_path / name
    if isinstance(content, str):
        path.write_text(content)
    else:
        np.save(path, content) if path.suffix == ".npy" else np.savez(path, a=content)
    with pytest.raises(MissingColumnError) as caught:
        read_labels(path, IDS, **asked)
    again = pickle.loads(pickle.dumps(caught.value))
    for error in (caught.value, again):
        assert (error.argument, error.column) == (argument or str(path), column)
    assert str(again) == str(caught.value)


def test_landmarks_without_ids_miss_a_column(tmp_path):
    (tmp_path / "l.csv").write_text("a,b\nann,1\n")
    with pytest.raises(MissingColumnError) as caught:
        read_landmarks(tmp_path / "l.csv", IDS)
    assert caught.value.column == "id"


def test_labels_that_break_another_rule_miss_no_column(tmp_path):
    with pytest.raises(ValueError, match="must give a sample one label") as caught:
        labels(tmp_path, "id,label\nann,x\nann,y\n")
    assert not isinstance(caught.value, MissingColumnError)


def test_answers_of_several_annotators_become_their_consensus(tmp_path):
    text = "id,label,Annotator\nann,x,ada\nann,x,bo\nann,y,cy\nbob,x,ada\nbob,y,bo\n007,y,ada\n007,,bo\n"
    found = labels(tmp_path, text)
    assert found.indices.tolist() == [0, 3]
    assert found.values == ["x", "y"]
    assert found.columns == ("label",)
    answers = found.answers
    assert answers.indices.tolist() == [0, 0, 0, 1, 1, 3]
    assert answers.values == ["x", "x", "y", "x", "y", "y"]
    assert answers.annotators == ["ada", "bo", "cy", "ada", "bo", "ada"]
    assert answers.consensus.samples[answers.consensus.disputed].tolist() == [0, 1]
    assert answers.consensus.agreement.pairs == 4
    assert labels(tmp_path, "id,label\nann,x\n").answers is None


def test_a_person_may_correct_themselves_in_a_file(tmp_path):
    found = labels(tmp_path, "id,annotator,label\nann,ada,x\nann,ada,y\nbob,,x\n")
    assert found.values == ["y", "x"]
    assert found.answers.annotators == ["ada", "ada", None]
    with pytest.raises(ValueError, match="must give a sample one label"):
        labels(tmp_path, "id,label\nann,x\nann,y\n")


def test_real_answers_of_several_annotators(tmp_path):
    text = "id,u,v,annotator\nann,1,2.5,ada\nann,3,3.5,bo\ncy,,,ada\nbob,nan,nan,bo\n007,5,6,bo\n"
    found = labels(tmp_path, text, label_column=["u", "v"])
    assert found.indices.tolist() == [0, 3]
    assert_array_equal(found.values, [[2, 3], [5, 6]])
    assert found.answers.annotators == ["ada", "bo", "bo"]
    assert found.answers.values.shape == (3, 2)


def test_answers_may_name_samples_that_are_not_there(tmp_path):
    found = labels(tmp_path, "id,label,annotator\nann,x,ada\nzed,y,bo\n", skip_unknown=True)
    assert (found.values, found.unknown) == (["x"], ("zed",))
    nothing = labels(tmp_path, "id,label,annotator\nzed,y,bo\n", skip_unknown=True)
    assert len(nothing.indices) == 0
    assert nothing.answers is None
    with pytest.raises(ValueError, match="zed"):
        labels(tmp_path, "id,label,annotator\nann,x,ada\nzed,y,bo\n")


def test_people_who_agree_on_nothing_have_answers_and_no_labels(tmp_path):
    found = labels(tmp_path, "id,label,annotator\nann,x,ada\nann,y,bo\n")
    assert (found.indices.tolist(), found.values) == ([], [])
    assert found.answers.indices.tolist() == [0, 0]
    assert found.answers.consensus.labels.tolist() == [None]
    with pytest.raises(ValueError, match="at least one label"):
        labels(tmp_path, "id,label,annotator\nann,,ada\n")


def test_a_column_of_annotators_can_hold_the_labels(tmp_path):
    found = labels(tmp_path, "id,annotator\nann,ada\nbob,bo\n", label_column="annotator")
    assert found.values == ["ada", "bo"]
    assert found.answers is None


def test_ids_of_a_pool_that_has_only_row_numbers(tmp_path):
    (tmp_path / "l.csv").write_text("id,label\n1228,x\n")
    hint = (
        r"got 1 unknown, first '1228' in line 2; the ids of the pool are row numbers, unless id_column= names"
    )
    with pytest.raises(ValueError, match=hint):
        read_labels(tmp_path / "l.csv", ["0", "1", "2"])
    with pytest.raises(ValueError, match="first '1228' in line 2; the first id of the pool is 'ann'"):
        read_labels(tmp_path / "l.csv", ["ann", "bo"])


def test_classes_that_look_like_tags_are_told(tmp_path):
    (tmp_path / "l.csv").write_text("id,label\na,x;y\nb,y\nc,x\n")
    labels = read_labels(tmp_path / "l.csv", list("abc"))
    assert (labels.task, labels.values) == ("classification", ["x;y", "y", "x"])
    assert labels.assumed.startswith(
        "the labels hold semicolons, as 'x;y' does: taken for classes (task='tags'"
    )
    assert read_labels(tmp_path / "l.csv", list("abc"), task="classification").assumed == ""
    for cells in ("x;y z u", "x y z", "x;y x;y z"):
        rows = "".join(f"{name},{cell}\n" for name, cell in zip("abc", cells.split(), strict=True))
        (tmp_path / "l.csv").write_text("id,label\n" + rows)
        assert read_labels(tmp_path / "l.csv", list("abc")).assumed == ""

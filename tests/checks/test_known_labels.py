import numpy as np
import pytest

from trigpoint import InputError
from trigpoint.checks._known_labels import known_labels


def names_of(known):
    return [known.classes[code] for code in known.values]


def test_labels_of_several_kinds_stand_side_by_side():
    known = known_labels([3, "3", None, "a", float("nan"), -1, "-1"], 7, None)
    assert known.samples.tolist() == [0, 1, 3, 6]
    assert names_of(known) == [3, "3", "a", "-1"]
    assert known.spelled[known.values].tolist() == [known.values[0], known.values[0], *known.values[2:]]


@pytest.mark.parametrize(
    "labels",
    [
        [0, 1, -1, 1],
        np.array([0.0, 1.0, np.nan, 1.0]),
        np.array([0, 1, -1, 1], dtype=np.int16),
        [0, 1, None, 1],
    ],
)
def test_numbers_are_classes_of_whole_numbers(labels):
    known = known_labels(labels, 4, None)
    assert known.task == "classification"
    assert known.samples.tolist() == [0, 1, 3]
    assert names_of(known) == [0, 1, 1]
    assert all(isinstance(name, int) for name in known.classes)


def test_truth_values_are_classes():
    assert names_of(known_labels(np.array([True, False, True]), 3, None)) == [True, False, True]


def test_numbers_that_are_not_whole_are_real_targets():
    known = known_labels([0.5, np.nan, 2.0], 3, None)
    assert known.task == "regression"
    assert known.samples.tolist() == [0, 2]
    assert known.labels.tolist() == [0.5, 2.0]
    assert known.values.tolist() == [[0.5], [2.0]]
    several = known_labels(np.arange(6.0).reshape(3, 2), 3, None)
    assert several.task == "regression"
    assert several.labels.shape == (3, 2)
    assert known_labels([1, 2, 3], 3, "regression").values.tolist() == [[1.0], [2.0], [3.0]]


@pytest.mark.parametrize(
    ("labels", "task", "rule"),
    [
        ([1, 2], None, "must be one for each of 3 samples"),
        ([None] * 3, None, "must hold at least one label"),
        ([-1, -1, -1], None, "must hold at least one label"),
        ([np.nan] * 3, "regression", "must hold at least one label"),
        ([0.5, 1.0, 2.0], "classification", "must hold classes"),
        ([[1, 2]] * 3, "classification", "must hold one class per sample"),
        ([1.0, np.inf, 2.0], "regression", "must be finite or NaN"),
    ],
)
def test_what_cannot_be_used_is_refused(labels, task, rule):
    with pytest.raises(InputError, match=rule):
        known_labels(labels, 3, task)


def test_why_labels_cannot_be_checked():
    assert known_labels(["a"] * 9, 9, None).obstacle == "all labels are of one class"
    assert known_labels(["a", "A "] * 3, 6, None).obstacle == "", "single letters may mean their case"
    assert known_labels(["cat", "Cat "] * 3, 6, None).obstacle == "all labels are of one class"
    assert "too few" in known_labels(["a", "b", "c", "c"], 4, None).obstacle
    assert known_labels([0.5, 1.5], 2, None).obstacle == "it takes at least 3 labels"
    assert known_labels(["a", "b"] * 2, 4, None).checkable
    many = known_labels(np.arange(20_000) // 2, 20_000, None)
    assert many.obstacle == "10000 classes are too many for 20000 labels"


def test_corrected_labels_have_one_spelling():
    known = known_labels(np.array(["cat", "Cat", "cat", "dog"]), 4, None)
    assert known.corrected(None).tolist() == ["cat", "cat", "cat", "dog"]
    assert known.labels.tolist() == ["cat", "Cat", "cat", "dog"]

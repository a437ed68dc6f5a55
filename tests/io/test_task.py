import pytest

from trigpoint.io._task import task_of


@pytest.mark.parametrize(
    ("numbers", "several", "task", "asked"),
    [
        ([None, 1.0], False, "classification", False),
        ([], False, "classification", False),
        ([1.0, 2.5], False, "regression", False),
        ([1.0, 2.0], True, "regression", False),
        ([float("nan"), 1.0, 2.0], False, "classification", False),
        ([10.0 * i for i in range(10)] * 3, False, "classification", False),  # ten values may be classes
        ([10.0 * i for i in range(11)], False, "classification", True),  # 101 numbers, not 110
        ([11.0 * i for i in range(11)], False, "regression", True),
        ([float(i) for i in range(77)] * 2, False, "classification", False),  # codes of classes
        ([float(i) for i in range(30)], False, "classification", True),  # most differ
        ([3.0 * i for i in range(20)] * 9, False, "classification", True),  # gaps
    ],
)
def test_the_task_and_whether_it_is_a_question(numbers, several, task, asked):
    found, words = task_of(numbers, several)
    assert found == task
    assert bool(words) is asked
    if asked:
        other = "classification" if task == "regression" else "regression"
        assert f"task='{other}'" in words

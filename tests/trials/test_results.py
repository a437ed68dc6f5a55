import json

import joblib
import numpy as np
import pytest

import trigpoint as tp
from trigpoint.trials import Memory, OtherSettingsError, Store, Task, run_tasks
from trigpoint.trials._manifest import code_digest

CALLS = []


def work(number, poison=-1):
    CALLS.append(number)
    if number == poison:
        raise RuntimeError("a task that fails")
    return [{"number": number, "value": np.random.default_rng(number).random()}]


def tasks(count, **more):
    return [Task(f"task-{k}", "kind", {"number": k, **more}) for k in range(count)]


@pytest.fixture
def store(tmp_path):
    CALLS.clear()
    return Store(tmp_path / "suite")


def run(store, some, jobs=1):
    told = []
    with tp.progress(told.append):
        run_tasks(store, some, work, jobs, "suite")
    assert {one.path for one in told} == {("suite",)}
    return told[1:-1]  # without those that say that a stage begins and ends


def test_what_is_done_is_not_done_again(store):
    run(store, tasks(3))
    assert CALLS == [0, 1, 2]
    CALLS.clear()
    run(store, tasks(5))
    assert CALLS == [3, 4]
    assert [row["number"] for _, rows, _ in store.results(tasks(5)) for row in rows] == [0, 1, 2, 3, 4]


def test_a_failure_loses_only_itself(store):
    with pytest.raises(RuntimeError, match="a task that fails"):
        run(store, tasks(4, poison=2))
    assert store.has(tasks(4)[1])
    assert not store.has(tasks(4)[2])
    CALLS.clear()
    run(store, tasks(4))
    assert 0 not in CALLS
    assert 1 not in CALLS
    assert len(list(store.results(tasks(4)))) == 4


def test_jobs_change_nothing(store, tmp_path):
    run(store, tasks(4))
    other = Store(tmp_path / "other")
    run(other, tasks(4), jobs=2)
    rows, same = ([rows for _, rows, _ in held.results(tasks(4))] for held in (store, other))
    assert rows == same


def test_progress_counts_what_was_there(store):
    run(store, tasks(2))
    told = run(store, tasks(4))
    assert [one.done for one in told] == [2, 3, 4]
    assert {one.total for one in told} == {4}
    assert told[0].seconds_left is not None
    assert told[-1].seconds_left == 0


def test_time_left_goes_by_the_kind(store):
    fast, slow = Task("a", "fast", {"number": 0}), Task("b", "slow", {"number": 1})
    store.add(fast, [], 1.0)
    store.add(slow, [], 100.0)
    waiting = [Task("c", "slow", {"number": 2}), Task("d", "fast", {"number": 3})]
    assert run(store, [fast, slow, *waiting], 2)[0].seconds_left == pytest.approx(101 / 2)


def test_a_folder_keeps_to_its_settings(store):
    store.open({"seed": 0, "sets": (1, 2)}, {"trials": 2})
    store.open({"seed": 0, "sets": (1, 2)}, {"trials": 20})
    manifest = json.loads((store.folder / "manifest.json").read_text())
    assert [one["trials"] for one in manifest["runs"]] == [2, 20]
    with pytest.raises(
        OtherSettingsError, match=r"holds results with seed = 0; this run has 1.*another output folder"
    ) as caught:
        store.open({"seed": 1, "sets": (1, 2)}, {})
    assert caught.value.setting == "seed"


def test_results_without_their_manifest_are_not_taken_over(store):
    run(store, tasks(1))
    with pytest.raises(ValueError, match=r"holds results without their manifest\.json"):
        store.open({"seed": 0}, {})


def test_the_manifest_tells_which_code_made_what(store):
    store.open({"seed": 0}, {})
    run(store, tasks(2))
    held = json.loads(store.path(tasks(2)[0]).read_text())
    store.path(tasks(2)[0]).write_text(json.dumps({**held, "code": "older"}))
    store.close(tasks(2))
    assert json.loads((store.folder / "manifest.json").read_text())["made_by"] == {
        "older": 1,
        code_digest(): 1,
    }


def test_the_manifest_forgets_runs_of_which_nothing_is_left(store):
    for code in ("older", "old", code_digest()):
        store.open({"seed": 0}, {"code": code})
    for task, code in zip(tasks(3), ("unknown", "old", None), strict=True):
        store.add(task, [], 1.0, code)
    store.close(tasks(3))
    assert codes_of(store) == ["older", "old", code_digest()], "one of them made what is unknown"
    store.add(tasks(3)[0], [], 1.0)
    store.close(tasks(3))
    assert codes_of(store) == ["old", code_digest()]


def codes_of(store):
    return [run["code"] for run in json.loads((store.folder / "manifest.json").read_text())["runs"]]


def test_tasks_run_on_one_core(store):
    run_tasks(store, [Task("cores", "kind", {})], count_cores, 1, "cores")
    ((_, rows, _),) = store.results([Task("cores", "kind", {})])
    assert rows == [{"cores": 1}]


def count_cores():
    return [{"cores": joblib.cpu_count()}]


def test_a_damaged_result_is_named(store):
    run(store, tasks(2))
    store.path(tasks(2)[1]).write_text('{"rows": [')
    with pytest.raises(ValueError, match=r"task-1\.json must be a result of an earlier run"):
        list(store.results(tasks(2)))
    store.path(tasks(2)[1]).write_text("[]")
    with pytest.raises(ValueError, match=r"task-1\.json must be a result"):
        list(store.results(tasks(2)))


def test_memory_keeps_as_a_folder_does(store):
    memory = Memory()
    run(store, tasks(3))
    run(memory, tasks(2))
    CALLS.clear()
    run(memory, tasks(3))
    assert CALLS == [2]
    assert [rows for _, rows, _ in memory.results(tasks(3))] == [
        rows for _, rows, _ in store.results(tasks(3))
    ]

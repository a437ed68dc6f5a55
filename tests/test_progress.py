"""How far long calls are: laws of what listeners hear, and what people see."""

import contextvars
import os
import re
import subprocess
import sys
from threading import Thread

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import trigpoint as tp
from trigpoint import _progress
from trigpoint._kernels import run_blocks
from trigpoint._progress import NOBODY, Progress, _kept, in_words, progress, stage, track


@pytest.fixture
def every(monkeypatch):
    """Every step is told."""
    monkeypatch.setattr(_progress, "PAUSE", 0.0)


@pytest.fixture
def clock(monkeypatch):
    """Seconds that pass only when somebody adds to them."""
    now = [100.0]
    monkeypatch.setattr(_progress, "perf_counter", lambda: now[0])
    return now


def heard(work):
    told = []
    with progress(told.append):
        work()
    return told


def check_laws(told):
    """What holds of the records of any call that came to its end."""
    under_way = []
    for one in told:
        assert one.elapsed >= 0
        assert one.seconds_left is None or one.seconds_left >= 0
        assert 0 <= one.done <= (np.inf if one.total is None else one.total)
        if under_way and under_way[-1].path == one.path:
            assert one.done >= under_way[-1].done
            assert one.total == under_way[-1].total
            under_way.pop()
        else:
            assert one.done == 0
            assert one.path[:-1] == (under_way[-1].path if under_way else ())
        if not one.ended:
            under_way.append(one)
        elif one.total is not None:
            assert one.done == one.total
    assert under_way == []


trees = st.recursive(st.integers(0, 3), lambda parts: st.lists(parts, max_size=4), max_leaves=12)


def walk(tree, name="root"):
    if isinstance(tree, int):
        assert list(track(range(tree), name)) == list(range(tree))
        return
    if len(tree) % 2:
        for k, part in enumerate(track(tree, name)):
            walk(part, f"part {k}")
        return
    with stage(name, len(tree)) as told:
        for k, part in enumerate(tree):
            walk(part, f"part {k}")
            told.advance()


@given(trees)
def test_stages_nest_and_done_never_falls(tree):
    before, _progress.PAUSE = _progress.PAUSE, 0.0
    try:
        told = heard(lambda: walk(tree))
    finally:
        _progress.PAUSE = before
    check_laws(told)
    assert told[0].path == told[-1].path == ("root",)
    assert told[-1].ended


def test_nobody_listens():
    items = [1, 2]
    assert track(items, "loop") is items
    with stage("a", 3) as told:
        assert told is NOBODY
        told.advance()
        told.reach(2, None)
    assert heard(lambda: None) == []


def test_the_time_left_is_that_at_the_mean_speed(every, clock):
    told = []
    with progress(told.append), stage("a", 10) as here:
        clock[0] += 8
        here.advance(2)
        here.reach(4, 3.0)
        clock[0] += 2
        here.advance(4, "a note")
        here.advance(9)
    assert [(one.done, one.elapsed, one.seconds_left, one.note, one.ended) for one in told] == [
        (0, 0, None, "", False),
        (2, 8, 32, "", False),
        (4, 8, 3, "", False),
        (8, 10, 2.5, "a note", False),
        (10, 10, 0, "", False),
        (10, 10, 0, "", True),
    ]


def test_a_total_that_is_unknown(every, clock):
    def work():
        with stage("a") as here:
            clock[0] += 1
            here.advance(7, "residual 2")

    assert [(one.done, one.total, one.seconds_left) for one in heard(work)] == [
        (0, None, None),
        (7, None, None),
        (7, None, 0),
    ]
    assert [one.total for one in heard(lambda: list(track(iter("abc"), "loop")))] == [None] * 5
    assert {one.total for one in heard(lambda: list(track(iter("abc"), "loop", 3)))} == {3}


def test_listeners_are_called_seldom(clock):
    def work():
        for _ in track(range(1000), "loop"):
            clock[0] += _progress.PAUSE / 10

    told = heard(work)
    assert 80 <= len(told) <= 120
    check_laws(told)


def test_a_listener_that_raises_ends_the_call():
    def listener(how_far):
        if how_far.done:
            raise ZeroDivisionError("mine")

    X = np.random.default_rng(0).random((300, 8))
    with pytest.raises(ZeroDivisionError, match="mine"), progress(listener):
        tp.neighbor_graph(X, 5)
    with stage("a") as here:
        assert here is NOBODY, "nobody listens any more"


def test_errors_end_stages_without_a_last_word(every):
    def work():
        with stage("outer", 2) as here:
            try:
                with stage("inner", 3):
                    raise KeyError
            except KeyError:
                pass
            here.advance()

    assert [(one.stage, one.ended) for one in heard(work)] == [
        ("outer", False),
        ("outer: inner", False),
        ("outer", False),
        ("outer", True),
    ]


def test_loops_that_are_left_early(every):
    def work():
        for i in track(range(9), "loop"):
            if i == 2:
                break
        with stage("next"):
            pass

    told = heard(work)
    assert [(one.stage, one.done) for one in told] == [
        *(("loop", k) for k in range(3)),
        *(("next", 0), ("next", 0)),
    ]
    waiting = iter(())

    def begun():
        nonlocal waiting
        waiting = iter(track(range(9), "loop"))
        next(waiting)

    assert len(heard(begun)) == 1
    waiting.close()  # outside of the context that it was made in


def test_listeners_belong_to_their_context():
    told = []
    with progress(told.append):
        other = Thread(target=lambda: list(track(range(3), "of a thread")))
        other.start()
        other.join()
        assert told == []
        context = contextvars.copy_context()
        other = Thread(target=lambda: context.run(lambda: list(track(range(3), "of a thread"))))
        other.start()
        other.join()
        assert told[-1].ended
        with progress(lambda how_far: None):
            list(track(range(3), "for another"))
    assert {one.stage for one in told} == {"of a thread"}


def test_steps_may_come_from_several_threads(every):
    def work():
        with stage("a", 400) as here:
            threads = [Thread(target=lambda: [here.advance() for _ in range(100)]) for _ in range(4)]
            for each in threads:
                each.start()
            for each in threads:
                each.join()

    told = heard(work)
    check_laws(told)
    assert [one.done for one in told] == [*range(401), 400]


@pytest.mark.parametrize("cores", [1, 3])
def test_blocks_are_steps(every, cores, monkeypatch):
    monkeypatch.setattr("trigpoint._kernels.threads.joblib.cpu_count", lambda: cores)
    told = heard(lambda: run_blocks(lambda start, stop: None, 10, 4, "blocks"))
    assert [one.done for one in told] == [0, 4, 8, 10, 10]
    assert heard(lambda: run_blocks(lambda start, stop: None, 10, 4)) == []


def blobs(n_each=40):
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1, 2], n_each)
    return rng.normal(9.0 * y[:, None], 1.0, (len(y), 8)), y


def names(told):
    return {name for one in told for name in one.path}


def test_long_calls_tell_their_stages(every):
    X, y = blobs()
    some = np.where(np.arange(len(y)) % 10 == 0, y, -1)
    graph = tp.neighbor_graph(X, 8)
    phi = tp.laplacian(graph)
    learner = tp.ActiveLearner(X)
    learner.tell(range(0, 120, 10), y[::10])
    calls = {
        "neighbors": lambda: tp.neighbor_graph(X, 5),
        "neighborhoods": lambda: tp.ltsa(graph, X, 2),
        "neighbor graph, half_white": lambda: tp.ManifoldClassifier().fit(X, some),
        "predictors": lambda: tp.ManifoldClassifier().fit(X, some),
        "linear model, labels left out": lambda: tp.label_issues(X, y),
        "landmarks": lambda: tp.select(phi, 5),
        "conjugate gradients": lambda: tp.propagate(phi, [0, 60, 100], [0.0, 1.0, 2.0], solver="jacobi_cg"),
        "uncertainty": lambda: tp.uncertainty(phi, [0, 60, 100], method="sampled"),
        "columns": lambda: tp.check_pool(X, y),
        "questions": lambda: learner.ask(3),
        "predictions": lambda: predictions(X, y),
        "compare": lambda: tp.compare(X, y, methods=["random"], predictors=["1-nn"], budgets=[6], n_splits=1),
    }
    for name, call in calls.items():
        told = heard(call)
        assert name in names(told), f"{name} is not among {names(told)}"
        check_laws(told)


def predictions(X, y):
    learner = tp.ActiveLearner(X)
    learner.tell([0, 50, 100], y[[0, 50, 100]])
    learner.predict()


def test_results_do_not_depend_on_listeners():
    X, y = blobs()
    some = np.where(np.arange(len(y)) % 10 == 0, y, -1)
    alone = tp.ManifoldClassifier().fit(X, some)
    with progress(lambda how_far: None):
        told = tp.ManifoldClassifier().fit(X, some)
    np.testing.assert_array_equal(alone.predict_proba(X), told.predict_proba(X))


def test_wrong_listeners():
    with (
        pytest.raises(TypeError, match="listener must be a function of one argument; got int"),
        tp.progress(3),
    ):
        pass


def test_rows_are_the_stages_under_way():
    rows = []
    outer, inner = Progress(("a",), 1, 3, 1.0, 2.0), Progress(("a", "b"), 5, 10, 1.0, 1.0)
    assert _kept(rows, outer) == [("a",)]
    assert _kept(rows, inner) == [("a",), ("a", "b")]
    assert in_words(rows) == "a 2 of 3: b 50 %, about 1 s left"
    assert _kept(rows, Progress(("a", "b"), 10, 10, 2.0, 0.0, ended=True)) == [("a",)]
    assert _kept(rows, Progress(("a",), 3, 3, 2.0, 0.0, ended=True)) == [("a",)]
    assert in_words(rows) == "a"
    assert _kept(rows, Progress(("c",), 7, None, 1.0, None, "residual 3")) == [("c",)]
    assert in_words(rows) == "c 7, residual 3"


def test_lines_where_there_is_no_terminal(monkeypatch, capsys):
    now = [0.0]
    monkeypatch.setattr(_progress, "perf_counter", lambda: now[0])
    with progress():
        for _ in track(range(80), "loop"):
            now[0] += 0.25
    assert capsys.readouterr().err.splitlines() == [
        "trigpoint: loop 25 %, about 15 s left",
        "trigpoint: loop 50 %, about 10 s left",
        "trigpoint: loop 75 %, about 5 s left",
        "trigpoint: loop 100 %",
    ]


BAR = """
import sys
sys.stderr.isatty = lambda: True
import trigpoint as tp
from trigpoint._progress import stage, track
with tp.progress():
    with stage("views", 3):
        for i in track(range(5), "neighbors [not markup]"):
            pass
"""


def test_a_bar_on_a_terminal():
    done = subprocess.run(
        [sys.executable, "-c", BAR],
        capture_output=True,
        env={**os.environ, "TERM": "xterm", "FORCE_COLOR": "1"},
        check=True,
    )
    seen = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", done.stderr.decode())
    assert done.stdout == b""
    assert "views ..." in seen

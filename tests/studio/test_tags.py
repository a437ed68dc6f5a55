"""Sets of tags in the studio: what the worker says of them, and what the server makes of that."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import trigpoint as tp
from trigpoint.studio._compute import SlowResults, round_messages
from trigpoint.studio._messages import Advice, Bound, Predictions, Request

X = np.random.default_rng(0).random((120, 2))
GRAPH = tp.neighbor_graph(X, 6)
TAGS = ["high", "right", "never"]
TRUTH = [[tag for tag, has in zip(("high", "right"), (y > 0.5, x > 0.5), strict=True) if has] for x, y in X]
SOME = list(range(40))


def told(samples=SOME):
    return [
        {"event": "ask", "samples": samples, "audits": [i < 20 for i in samples]},
        {"event": "tell", "samples": samples, "labels": [TRUTH[i] for i in samples]},
    ]


def learner():
    return tp.ActiveLearner(graph=GRAPH, task="tags")


def predicted(log, classes=TAGS):
    *_, message = round_messages(learner(), Request(3, log, classes, 5), "tags", None)
    assert isinstance(message, Predictions)
    return message


def test_each_tag_has_a_probability_of_its_own():
    found = predicted(told())
    assert (found.version, found.classes, found.tags.dtype) == (3, tuple(TAGS), np.float16)
    own = learner()
    own.restore(told(), classes=TAGS)
    assert_allclose(found.tags, own.predict_proba(), atol=1e-3)
    assert found.threshold == own.threshold
    sets = [{TAGS[k] for k in np.flatnonzero(row > found.threshold)} for row in found.tags]
    assert sets == [set(one) for one in own.predict()]
    assert np.mean([one == set(true) for one, true in zip(sets, TRUTH, strict=True)]) > 0.85
    assert_allclose(found.uncertainty, own.uncertainty(), atol=1e-6)
    assert_allclose(found.probability, 1 - found.uncertainty, atol=1e-6)
    assert_array_equal(found.codes == -1, [not one for one in sets])
    likeliest = found.tags.argmax(axis=1)
    assert_array_equal(found.codes[found.codes >= 0], likeliest[found.codes >= 0])


def test_what_no_label_reaches_has_no_tags():
    parts = tp.graph_from_edges([[0, 1], [1, 2], [3, 4]])
    log = [{"event": "tell", "samples": [0, 1], "labels": [["a"], []]}]
    *_, found = round_messages(
        tp.ActiveLearner(graph=parts, task="tags"), Request(1, log, ["a"], 9), "tags", None
    )
    assert_array_equal(np.isnan(found.tags[:, 0]), [False, False, False, True, True])
    assert_array_equal(found.codes[3:], -1)
    assert_array_equal(found.uncertainty[3:], 1)


@pytest.mark.parametrize("labels", [[[]], [[], []]])
def test_a_pool_without_any_tag_yet(labels):
    samples = list(range(len(labels)))
    found = predicted([{"event": "tell", "samples": samples, "labels": labels}], [])
    assert found.classes == ()
    assert found.tags.shape == (120, 0)
    assert_array_equal(found.codes, -1)


def test_advice_is_about_exact_sets_and_labels_are_not_judged():
    mine = learner()
    mine.restore(told(), classes=TAGS)
    messages = list(SlowResults(GRAPH, "tags").messages(mine, 4))
    assert [type(message) for message in messages] == [Advice, Bound]
    assert messages[0].n_audits == 20
    assert messages[0].error < 0.5

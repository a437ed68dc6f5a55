"""Refusals as types."""

import pickle

import pytest

import trigpoint as tp


def test_the_message_names_argument_rule_and_value():
    error = tp.InputError("n_neighbors", "must lie in [1, 9] for 10 samples", 12)
    assert str(error) == "n_neighbors must lie in [1, 9] for 10 samples; got 12."
    assert (error.argument, error.rule, error.value) == (
        "n_neighbors",
        "must lie in [1, 9] for 10 samples",
        12,
    )
    assert str(tp.InputError("graph", "must be connected")) == "graph must be connected."


def test_it_travels_between_processes():
    error = tp.InputError("X", "must be finite", "NaN")
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is tp.InputError
    assert (str(again), again.argument) == (str(error), "X")


def test_refusals_of_the_library_are_of_this_type():
    with pytest.raises(tp.InputError) as caught:
        tp.neighbor_graph([[0.0], [1.0], [3.0]], n_neighbors=7)
    assert caught.value.argument == "n_neighbors"
    assert caught.value.value == "7"


def test_samples_without_a_label_are_warned_of_by_type():
    graph = tp.graph_from_edges([[0, 1], [2, 3]])
    with pytest.warns(tp.UnreachedWarning, match="2 of 4 samples"):
        tp.propagate(tp.laplacian(graph), [0], [1.0])

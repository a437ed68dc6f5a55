"""The records of alignments, and the one function that builds phi from a name."""

import inspect

import numpy as np
import pytest
from scipy import sparse

import trigpoint as tp
from trigpoint import alignment
from trigpoint.alignment import ALIGNMENTS, Shape, align, check_align, check_shape

OPTIONS = {"ltsa": {"n_components": 2}, "isomap": {"n_components": 2}}


@pytest.fixture
def pool():
    X = np.random.default_rng(0).standard_normal((60, 3))
    return X, tp.neighbor_graph(X, 10)


@pytest.mark.parametrize("name", ALIGNMENTS)
def test_a_record_tells_of_its_function(name):
    record, function = ALIGNMENTS[name], getattr(alignment, name)
    assert (record.name, record.build) == (name, function)
    given = [one for one in inspect.signature(function).parameters if one not in ("graph", "X")]
    assert list(record.options) == given
    assert record.required == tuple(OPTIONS.get(name, ()))
    assert record.needs_features == (name in ("lle", "ltsa"))


@pytest.mark.parametrize("name", ALIGNMENTS)
def test_align_is_the_function_of_that_name(pool, name):
    X, graph = pool
    options = OPTIONS.get(name, {})
    phi = align(name, graph, X, **options)
    inputs = (graph, X) if name in ("lle", "ltsa") else (graph,)
    expected = getattr(tp, name)(*inputs, **options)
    assert sparse.issparse(phi) == (not ALIGNMENTS[name].dense)
    assert abs(phi - expected).max() == 0


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("pca", {}, "alignment must be one of 'laplacian', 'diffusion', 'lle', 'ltsa', 'isomap'; got 'pca'."),
        ("lle", {"sigma": 1}, "sigma is not an option of alignment='lle', whose options are: reg."),
        ("ltsa", {}, "alignment_options must hold n_components for 'ltsa'; got {}."),
    ],
)
def test_names_and_options_are_refused_without_a_graph(name, options, message):
    for refuse in (lambda: check_align(name, options), lambda: align(name, None, **options)):
        with pytest.raises(tp.InputError) as refused:
            refuse()
        assert str(refused.value) == message


@pytest.mark.parametrize(
    ("name", "options", "argument"),
    [
        ("laplacian", {"weights": "x"}, "weights"),
        ("laplacian", {"weights": "own"}, "weights='own'"),
        ("laplacian", {"sigma": 1.0}, "sigma"),
        ("diffusion", {"exponent": 2}, "exponent"),
        ("diffusion", {"weights": "heat", "sigma": 0}, "sigma"),
        ("lle", {"reg": -1}, "reg"),
        ("ltsa", {"n_components": 4}, "n_components"),
        ("ltsa", {"n_components": 0}, "n_components"),
        ("isomap", {"n_components": 60}, "n_components"),
    ],
)
def test_values_are_refused_from_the_shape_alone_as_by_the_function(pool, name, options, argument):
    """What a command checks before the graph is built is what the function refuses."""
    X, graph = pool
    said = []
    for refuse in (
        lambda: check_shape(name, options, Shape(60, 3, 10)),
        lambda: align(name, graph, X, **options),
    ):
        with pytest.raises(tp.InputError) as refused:
            refuse()
        assert refused.value.argument == argument
        said.append(str(refused.value))
    assert said[0] == said[1]


def test_dimensions_that_the_neighborhoods_do_not_hold():
    check_shape("ltsa", {"n_components": 2}, Shape(60, 3, 3))
    with pytest.raises(ValueError, match="n_components must be at most k - 2 for neighborhoods of k = 3"):
        check_shape("ltsa", {"n_components": 2, "include_self": False}, Shape(60, 3, 3))


@pytest.mark.parametrize("name", ["lle", "ltsa"])
def test_missing_features(pool, name):
    for refuse in (
        lambda: align(name, pool[1], **OPTIONS.get(name, {})),
        lambda: check_shape(name, OPTIONS.get(name, {}), Shape(60, None, 10)),
    ):
        with pytest.raises(ValueError, match=f"X must be given for alignment='{name}'; got None"):
            refuse()


def test_own_similarities_are_possible_where_there_are_no_features():
    check_shape("laplacian", {"weights": "own"}, Shape(60, None, 10))

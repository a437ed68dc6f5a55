"""Values as plain JSON and arrays: all come back as they were, and a file names no other types."""

import json
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from scipy import sparse

from trigpoint.io import form_of, from_plain, to_plain


@dataclass(frozen=True, eq=False)
class Pair:
    left: Any
    right: Any = None


@dataclass(frozen=True, eq=False)
class Other:
    left: Any


FORMS = (form_of(Pair),)
scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(st.text(max_size=3) | st.integers(), inner, max_size=3)
    ),
    max_leaves=8,
)


def again(value, forms=FORMS):
    plain, arrays = to_plain(value, forms)
    return from_plain(json.loads(json.dumps(plain, allow_nan=False)), arrays, forms)


@given(values)
def test_plain_values_come_back(value):
    assert repr(again(value)) == repr(value)  # repr, since NaN is not NaN


def test_words_of_ours_are_no_danger():
    for word in ("array", "tuple", "dict", "again", "record", "sparse", "objects", "float"):
        assert again({word: {"array": 1}}) == {word: {"array": 1}}


def test_arrays_and_matrices_come_back():
    given = Pair(
        np.arange(3), [np.array([["a", None], [1, True]], dtype=object), np.float32(0.5), np.int8(3)]
    )
    found = again(given)
    assert_array_equal(found.left, given.left)
    assert found.right[0].dtype == object
    assert found.right[0].tolist() == [["a", None], [1, True]]
    assert found.right[1:] == [0.5, 3]
    matrix = sparse.csr_array(np.array([[0.0, 2.0], [0.0, 0.0]], dtype=np.float32))
    for form in (matrix, sparse.csc_matrix(matrix)):
        found = again(form)
        assert isinstance(found, sparse.csr_array)
        assert found.dtype == np.float32
        assert_array_equal(found.toarray(), matrix.toarray())


def test_what_is_the_same_stays_the_same():
    X, matrix = np.arange(3), sparse.csr_array(np.eye(2))
    inner = Pair(X, matrix)
    plain, arrays = to_plain([inner, Pair(inner, X), matrix], FORMS)
    found = from_plain(plain, arrays, FORMS)
    assert found[0] is found[1].left
    assert found[0].left is found[1].right
    assert found[0].right is found[2]
    assert len(arrays) == 4, "each array once"


def test_what_cannot_be_kept_is_named():
    for value, said in (
        ({"a": Pair({"b": object()})}, r"\['a'\]\.left\['b'\] is a object"),
        (Other(1), "it is a Other"),
        (np.array([object()]), "it holds a object"),
        ({1}, "it is a set"),
        (np.random.default_rng(), "it is a Generator"),
    ):
        with pytest.raises(TypeError, match=said):
            to_plain(value, FORMS)


@pytest.mark.parametrize(
    "plain",
    [
        {"record": "Other", "number": 1, "fields": {"left": 1}},
        {"record": "os.system", "number": 1, "fields": {"command": "true"}},
        {"record": "Pair", "number": 1, "fields": {"__class__": 1}},
        {"again": 1},
        {"array": "x"},
        {"what": 1},
    ],
)
def test_a_file_names_no_other_types(plain):
    with pytest.raises((KeyError, TypeError)):
        from_plain(plain, {}, FORMS)


@pytest.mark.parametrize("indices", [np.array([0, 9]), np.array([-1, 0]), np.array([0.0, 1.0])])
def test_matrices_that_point_outside_are_refused(indices):
    plain, arrays = to_plain(sparse.csr_array(np.eye(2)))
    arrays["1"] = indices if indices.dtype.kind == "f" else indices.astype(np.int32)
    with pytest.raises(ValueError, match="ind"):
        from_plain(plain, arrays)

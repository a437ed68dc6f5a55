import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.sparse import csr_array
from sklearn.datasets import load_breast_cancer, load_iris, load_wine

from reference import checks as reference
from trigpoint.checks import _columns
from trigpoint.checks._columns import (
    constant_columns,
    counting_columns,
    leaking_columns,
    repeated_columns,
)

SMALL = arrays(np.float64, st.tuples(st.integers(1, 6), st.integers(1, 6)), elements=st.integers(0, 1))


def lists(groups):
    return [group.tolist() for group in groups]


@given(SMALL)
def test_constant_and_repeated_columns_are_those_of_the_definition(X):
    constant = [j for j in range(X.shape[1]) if len(set(X[:, j])) == 1]
    others = [[j for j in group if j not in constant] for group in reference.exact_groups(X.T)]
    for given_X in (X, csr_array(X), X.astype(np.float32), np.asfortranarray(X), -X):
        found = constant_columns(given_X)
        assert found.tolist() == constant
        assert lists(repeated_columns(given_X, found)) == [group for group in others if group]


def test_a_negative_zero_is_zero():
    X = np.array([[0.0, -0.0], [1.0, 1.0]])
    assert lists(repeated_columns(X, constant_columns(X))) == [[0, 1]]


def test_blocks_do_not_change_what_is_found(monkeypatch):
    X = np.random.default_rng(0).integers(0, 2, (7, 30)).astype(float)
    before = constant_columns(X).tolist(), lists(repeated_columns(X, constant_columns(X)))
    monkeypatch.setattr(_columns, "AT_ONCE", 5)
    assert (constant_columns(X).tolist(), lists(repeated_columns(X, constant_columns(X)))) == before


def test_ids_count_and_features_do_not():
    rng = np.random.default_rng(0)
    n = 50
    columns = {
        "rows": np.arange(n),
        "shuffled rows": rng.permutation(n) + 1000,
        "every third": 3 * rng.permutation(n),
        "a number that goes up": np.cumsum(rng.integers(1, 9, n)),
        "ages": rng.integers(18, 90, n),
        "amounts": rng.choice(10**6, n, replace=False),
        "lengths": np.sort(rng.normal(size=n)),
        "constant": np.zeros(n),
    }
    X = np.column_stack(list(columns.values())).astype(float)
    assert [list(columns)[j] for j in counting_columns(X)] == list(columns)[:4]
    assert counting_columns(X.astype(np.float32)).tolist() == [0, 1, 2, 3]
    assert len(counting_columns(X[:20])) == 0, "20 rows are too few to tell"
    assert len(counting_columns(X[:, :1])) == 0, "the only feature is no id"
    assert len(counting_columns(csr_array(X))) == 0


@given(st.integers(0, 10**6), st.integers(6, 30), st.integers(2, 3))
def test_roughness_is_that_of_the_definition(seed, count, k):
    rng = np.random.default_rng(seed)
    labels = np.concatenate([np.arange(k), rng.integers(0, k, 5 * k + count)])
    column = rng.permutation(len(labels)).astype(float)
    rough = _columns._roughness(labels)
    assert rough(np.argsort(column)) == pytest.approx(reference.roughness(labels.tolist(), column.tolist()))


def leaks(X, y):
    return leaking_columns(X, np.arange(len(y)), y, np.random.default_rng(0))[0].tolist()


def copied(X, y):
    return leaking_columns(X, np.arange(len(y)), y, np.random.default_rng(0))[1]


@pytest.mark.parametrize("load", [load_wine, load_breast_cancer])
def test_a_column_that_holds_the_answer_leaks(load):
    X, y = load(return_X_y=True)
    p = X.shape[1]
    assert leaks(X, y) == []
    assert leaks(np.column_stack([X, y]), y) == [p]
    assert copied(np.column_stack([X, y]), y)
    other = np.column_stack([X, 3.0 - 2.0 * y, np.zeros(len(X))])
    assert leaks(other, y) == [p]
    in_order = np.argsort(y, kind="stable")
    rows = np.column_stack([X[in_order], np.arange(len(y))])
    assert leaks(rows, y[in_order]) == [p], "a file in the order of its classes"
    assert not copied(rows, y[in_order])


def test_iris_does_not_leak():
    X, y = load_iris(return_X_y=True)
    assert leaks(X, y) == []
    assert leaks(X, (y == 0).astype(np.int64)) == []


def test_real_targets_leak_too():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 6))
    y = X[:, 0] + rng.normal(size=200)
    assert leaks(X, y) == []
    both = np.column_stack([X, 7 - 2 * y])
    assert leaks(both, y) == [6]
    assert copied(both, y)
    both[:, 6] += 0.1 * rng.normal(size=200)
    assert leaks(both, y) == [6]
    assert not copied(both, y)


def test_equal_values_and_equal_labels_leak_nothing():
    rng = np.random.default_rng(0)
    X = np.column_stack([np.ones(90), rng.normal(size=(90, 4))])
    assert leaks(X, np.repeat([0, 1, 2], 30)) == [], "the order of the file is no order of equal values"
    assert leaks(X, np.zeros(90, dtype=np.int64)) == []
    assert leaks(X, np.ones(90)) == []
    assert leaks(X, np.arange(90)) == [], "one label a class"
    y = rng.integers(0, 2, 90)
    both = np.column_stack([X, y])
    assert leaks(both, y) == [5]
    assert leaks(both[:20], y[:20]) == [], "too few labels to tell"
    assert leaks(csr_array(both), y) == []
    assert leaks(both.astype(np.float32), y) == [5]

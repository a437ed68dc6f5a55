"""Every record that a predictor may hold can be kept in a file."""

import inspect
from dataclasses import is_dataclass
from importlib import import_module
from pathlib import Path

import numpy as np
from numpy.testing import assert_array_equal

import trigpoint.prediction
from trigpoint.alignment import laplacian
from trigpoint.io import from_plain, to_plain
from trigpoint.prediction import forms, viewed_pool

PASSING = {"Members", "Spread"}  # on the way to a predictor, which does not hold them


def test_no_record_is_forgotten():
    known = {form.type.__name__ for form in forms(None, lambda graph, X: None)}
    for file in Path(trigpoint.prediction.__file__).parent.glob("_[a-z]*.py"):
        module = import_module(f"trigpoint.prediction.{file.stem}")
        for name, record in inspect.getmembers(module, inspect.isclass):
            if is_dataclass(record) and record.__module__.startswith("trigpoint.prediction"):
                assert name in known | PASSING, f"{name} must be among the forms of _records"


def test_a_pool_comes_back():
    X = np.random.default_rng(0).normal(size=(40, 6)).astype(np.float32)
    pool = viewed_pool(X, n_neighbors=5)
    kinds = forms(X, lambda graph, features: laplacian(graph))
    plain, arrays = to_plain(pool, kinds)
    assert sum(array.shape == X.shape for array in arrays.values()) == 1, "features are kept once"
    found = from_plain(plain, arrays, kinds)
    assert found.X.dtype == np.float32
    assert "standard" in vars(found)
    for seen, again in zip(pool.views, found.views, strict=True):
        assert again.name == seen.name
        assert_array_equal(again.X, seen.X)
        assert_array_equal(again.phi.toarray(), seen.phi.toarray())
        assert_array_equal(again.graph.distances, seen.graph.distances)
    assert found.considered == pool.considered

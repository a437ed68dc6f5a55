"""Every refusal of the front door, and what it says."""

import numpy as np
import pytest
from scipy import sparse

import trigpoint as tp
from reference import propagation as oracle

PATH = oracle.path(4)


@pytest.mark.parametrize(
    ("landmarks", "said"),
    [
        ([True, False, True, False], "landmarks must be integer indices, not a mask"),
        ([0.0, 1.0], "landmarks must be integer indices; got dtype float64"),
        ([0, 0], "landmarks must be distinct; got 0 2 times"),
        ([0, 4], r"landmarks must lie in \[0, 3\] for 4 samples; got 4"),
        ([-1, 0], r"landmarks must lie in \[0, 3\] for 4 samples; got -1"),
        ([], "landmarks must be one-dimensional and not empty"),
        ([[0, 1]], "landmarks must be one-dimensional"),
    ],
)
@pytest.mark.parametrize("door", [tp.propagate, tp.uncertainty])
def test_landmarks(door, landmarks, said):
    with pytest.raises(ValueError, match=said):
        door(PATH, landmarks, [1.0, 2.0])


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ([1.0], r"values must have shape \(2,\) or \(2, d\), one row per landmark; got shape \(1,\)"),
        (np.ones((2, 2, 2)), "values must have shape"),
        (np.ones((2, 0)), "values must have shape"),
        ([1.0, np.nan], r"values must hold finite numbers only; got 1 NaN or infinite"),
        ([np.inf, 1.0], "values must hold finite"),
        (["a", "b"], "values must be numbers; for classes use ManifoldClassifier"),
        ([1j, 2j], "values must hold real numbers"),
    ],
)
@pytest.mark.parametrize("door", [tp.propagate, tp.uncertainty])
def test_values(door, values, said):
    with pytest.raises(ValueError, match=said):
        door(PATH, [0, 1], values)


@pytest.mark.parametrize(
    ("phi", "said"),
    [
        (np.ones((3, 2)), "phi must be a square matrix"),
        (np.ones(3), "phi must be a square matrix"),
        (np.arange(9.0).reshape(3, 3), "phi must be symmetric"),
        (sparse.csr_array(np.arange(9.0).reshape(3, 3)), "phi must be symmetric"),
        (np.full((3, 3), np.nan), "phi must hold finite"),
        (sparse.csr_array(np.full((3, 3), np.inf)), "phi must hold finite"),
        (sparse.csr_array(np.ones((3, 3), complex)), "phi must hold real numbers"),
    ],
)
def test_phi(phi, said):
    for call in (
        lambda: tp.propagate(phi, [0], [1.0]),
        lambda: tp.uncertainty(phi, [0]),
        lambda: tp.embed(phi, 1),
    ):
        with pytest.raises(ValueError, match=said):
            call()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"method": "magic"}, "method must be one of 'least_squares', 'spectral'; got 'magic'"),
        (
            {"solver": "gauss"},
            "solver must be one of 'auto', 'direct', 'jacobi_cg', 'sgs_cg', 'amg_cg'; got 'gauss'",
        ),
        ({"tol": 0.0}, "tol must be a finite number greater than 0; got 0.0"),
        ({"gamma": -1.0}, "gamma must be a finite number at least 0; got -1.0"),
        ({"beta": 0.0}, "beta must be greater than 0; got 0"),
        ({"beta": [1.0, 2.0, 3.0]}, r"beta must be one number or have shape \(2,\); got shape \(3,\)"),
        ({"beta": [1.0, np.nan]}, "beta must hold finite"),
        ({"beta": "much"}, "beta must hold real numbers"),
        ({"n_components": 2}, "n_components has no meaning for method='least_squares'; got 2"),
        ({"ridge": 0.1}, "ridge has no meaning for method='least_squares'"),
        ({"method": "spectral", "beta": 1.0}, "beta has no meaning for method='spectral'; got 1.0"),
        ({"method": "spectral", "scale": np.ones(4)}, "scale has no meaning for method='spectral'"),
        ({"method": "spectral", "solver": "direct"}, "solver has no meaning for method='spectral'"),
        ({"method": "spectral", "gamma": 0.0}, "gamma must be a finite number greater than 0"),
        ({"method": "spectral", "ridge": -1}, "ridge must be a finite number at least 0"),
        ({"method": "spectral", "n_components": 2}, r"n_components must be an integer and lie in \[1, 1\]"),
    ],
)
def test_options(options, said):
    with pytest.raises(ValueError, match=said):
        tp.propagate(PATH, [0, 3], [0.0, 1.0], **options)


def test_spectral_needs_two_landmarks():
    with pytest.raises(ValueError, match="landmarks must be at least 2 for method='spectral'; got 1"):
        tp.propagate(PATH, [0], [1.0], method="spectral")


@pytest.mark.parametrize("scale", [1e-200, 1e200])
def test_magnitudes_beyond_float64_products_are_refused(scale):
    phi = oracle.path(5)
    said = "must be of magnitude 1e-100 to 1e100; got"
    for call in (
        lambda: tp.propagate(phi * scale, [0, 4], [0.0, 1.0]),
        lambda: tp.propagate(phi, [0, 4], [0.0, scale]),
        lambda: tp.propagate(phi, [0, 4], [0.0, 1.0], beta=scale),
        lambda: tp.propagate(phi, [0, 4], [0.0, 1.0], gamma=scale),
        lambda: tp.uncertainty(phi * scale, [0, 4]),
        lambda: tp.embed(phi * scale, 2),
    ):
        with pytest.raises(ValueError, match=said):
            call()


@pytest.mark.parametrize("seed", ["a", -1, 1.5])
def test_seeds_that_are_none_are_named(seed):
    phi = oracle.path(5)
    for call in (
        lambda: tp.uncertainty(phi, [0], random_state=seed),
        lambda: tp.embed(phi, 2, random_state=seed),
        lambda: tp.propagate(phi, [0, 4], [0.0, 1.0], method="spectral", random_state=seed),
        lambda: tp.select(phi, 1, method="random", random_state=seed),
        lambda: tp.neighbor_graph(np.eye(5), 2, random_state=seed),
    ):
        with pytest.raises(ValueError, match="random_state must be None, an integer from 0 or"):
            call()


def test_arrays_given_to_the_wrong_method_are_named():
    with pytest.raises(ValueError, match=r"beta has no meaning for method='spectral'"):
        tp.propagate(oracle.path(9), [0, 5, 8], [1.0, 2, 3], method="spectral", beta=np.ones(3))
    with pytest.raises(ValueError, match=r"n_components \(by default the number of value columns\) must"):
        tp.propagate(oracle.path(9), [0, 5, 8], np.eye(3), method="spectral")

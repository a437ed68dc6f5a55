import numpy as np
import pytest

from trigpoint.plots import landmarks_picture, save_picture


@pytest.mark.parametrize("n_landmarks", [1, pytest.param(60, marks=pytest.mark.slow)])
@pytest.mark.parametrize("suffix", [".png", ".svg", ".PDF"])
def test_the_picture_of_any_number_of_landmarks(n_landmarks, suffix, tmp_path):
    rng = np.random.default_rng(0)
    figure = landmarks_picture(
        rng.random((n_landmarks, 8, 8)),
        np.zeros(n_landmarks, dtype=int),
        rng.random((80, 2)),
        np.arange(n_landmarks),
        rng.integers(3, size=80),
        np.zeros(80, dtype=bool),
        np.array([n_landmarks]),
        np.array([0.9]),
        rng.random((20, 1)),
    )
    save_picture(figure, tmp_path / f"picture{suffix}")
    assert (tmp_path / f"picture{suffix}").stat().st_size > 5000

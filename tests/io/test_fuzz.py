"""Damaged files end in an error that names them, or are read in shapes that fit: never anything else."""

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference.files import IDS, LABELS, POOLS, write_images
from reference.mutants import LIES, TOKENS, damaged
from trigpoint.io import Samples, content, import_label_studio, read_labels, read_landmarks, read_pool

PLACE = st.floats(0, 1, exclude_max=True)
EDITS = st.lists(
    st.one_of(
        st.tuples(st.just("cut"), PLACE, st.just(0)),
        st.tuples(st.just("flip"), PLACE, st.integers(1, 255)),
        st.tuples(st.just("drop"), PLACE, st.integers(1, 40)),
        st.tuples(st.just("twice"), PLACE, st.integers(1, 60)),
        st.tuples(st.just("insert"), PLACE, st.sampled_from(TOKENS)),
        st.tuples(st.just("replace"), PLACE, st.sampled_from(TOKENS)),
        st.tuples(st.just("replace"), PLACE, st.sampled_from(LIES)),
    ),
    min_size=1,
    max_size=3,
)


@cache
def valid(name: str) -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder) / name
        (POOLS | LABELS)[name](path)
        return path.read_bytes()


def fits(samples: Samples) -> None:
    n = samples.n_samples
    assert n > 0
    assert len(set(samples.ids)) == n
    assert all(isinstance(name, str) and name for name in samples.ids)
    if samples.graph is not None:
        assert samples.X is None
        assert samples.graph.n_samples == n
    else:
        assert samples.X.ndim == 2
        assert samples.X.shape[0] == n
        assert np.isfinite(samples.X.sum())
    assert content(samples, n - 1)["id"] == samples.ids[-1]


def settled(path: Path, read, check) -> None:
    try:
        result = read(path)
    except (ValueError, OSError) as error:
        said = str(error)
    else:
        check(result)
        return
    assert path.name in said
    assert "\n" not in said


@pytest.mark.parametrize("name", POOLS)
@given(edits=EDITS)
@settings(max_examples=80)
def test_a_damaged_pool(name, edits):
    with TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(damaged(valid(name), edits))
        settled(path, read_pool, fits)


def labels_fit(labels) -> None:
    assert len(labels.indices) == len(labels.values) > 0
    assert len(set(labels.indices.tolist())) == len(labels.indices)
    assert ((labels.indices >= 0) & (labels.indices < 4)).all()
    assert labels.task == "classification" or np.isfinite(labels.values).all()


@pytest.mark.parametrize("name", LABELS)
@given(edits=EDITS)
@settings(max_examples=60)
def test_damaged_labels(name, edits):
    column = ["u", "v"] if name == "real.csv" else None
    with TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(damaged(valid(name), edits))
        settled(path, lambda p: read_labels(p, IDS, label_column=column), labels_fit)
        if name == "tasks.json":
            settled(path, lambda p: import_label_studio(p, IDS), labels_fit)
        if name in ("labels.csv", "labels.npy"):
            settled(path, lambda p: read_landmarks(p, IDS), lambda picks: picks.dtype == np.int64)


@pytest.fixture(scope="module")
def pictures(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pictures") / "images"
    write_images(folder)
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("name", ["a.png", "b.jpg", "c.gif", "d.bmp"])
@given(edits=EDITS)
@settings(max_examples=40)
def test_a_damaged_picture(pictures, name, edits):
    with TemporaryDirectory() as folder:
        path = Path(folder) / "images" / name
        path.parent.mkdir()
        path.write_bytes(damaged(pictures[name], edits))
        settled(path, lambda p: read_pool(p.parent), fits)


@pytest.mark.parametrize("name", POOLS)
def test_every_prefix_of_a_short_file(name, tmp_path):
    """Cut anywhere, in particular in headers and just before the end."""
    data = valid(name)
    path = tmp_path / name
    for stop in sorted({*range(0, min(len(data), 80)), *range(max(0, len(data) - 20), len(data))}):
        path.write_bytes(data[:stop])
        settled(path, read_pool, fits)


N_MUTANTS = int(os.environ.get("TRIGPOINT_MUTANTS", "400"))  # of each format


@pytest.mark.slow
@pytest.mark.parametrize("name", POOLS)
def test_a_storm_of_damaged_pools(name, tmp_path):
    """Thousands of files, in a process of their own: no traceback, no crash, no memory, no wrong result."""
    POOLS[name](tmp_path / name)
    storm = Path(__file__).parents[1] / "reference" / "storm.py"
    done = subprocess.run(
        [sys.executable, storm, tmp_path / name, str(N_MUTANTS)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    told = json.loads(done.stdout)
    assert told["refused"] + told["read"] == N_MUTANTS
    assert told["failures"] == []
    assert told["grown"] <= 3 * (tmp_path / name).stat().st_size + 2**26, "memory, in bytes"

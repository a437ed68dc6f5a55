"""Damaged files end in an error that names them, or are read in shapes that fit: never anything else."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference.files import IDS, LABELS, POOLS, write_images
from trigpoint.io import Samples, content, import_label_studio, read_labels, read_landmarks, read_pool

TOKENS = [
    b"",
    b"\0",
    b"\xff\xfe",
    b"\xe9",
    b'"',
    b"'",
    b";",
    b",",
    b"\t",
    b"\n",
    b"\r",
    b"nan",
    b"inf",
    b"1e400",
    b"-1",
    b"9" * 30,
    b"null",
    b"[",
    b"}",
    b"ann",
    b"=",
    b"\xef\xbb\xbf",
]
PLACE = st.floats(0, 1, exclude_max=True)
EDITS = st.lists(
    st.one_of(
        st.tuples(st.just("cut"), PLACE, st.just(0)),
        st.tuples(st.just("flip"), PLACE, st.integers(1, 255)),
        st.tuples(st.just("drop"), PLACE, st.integers(1, 40)),
        st.tuples(st.just("twice"), PLACE, st.integers(1, 60)),
        st.tuples(st.just("insert"), PLACE, st.sampled_from(TOKENS)),
        st.tuples(st.just("replace"), PLACE, st.sampled_from(TOKENS)),
    ),
    min_size=1,
    max_size=3,
)


def damaged(data: bytes, edits: list) -> bytes:
    for kind, place, how in edits:
        at = int(place * len(data))
        if kind == "cut":
            data = data[:at]
        elif kind == "flip" and data:
            data = data[:at] + bytes([data[at] ^ how]) + data[at + 1 :]
        elif kind == "drop":
            data = data[:at] + data[at + how :]
        elif kind == "twice":
            data = data[: at + how] + data[at:]
        elif kind == "insert":
            data = data[:at] + how + data[at:]
        elif kind == "replace":
            data = data[:at] + how + data[at + len(how) :]
    return data


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

"""Graphs and alignment matrices on disk: what is opened is what was saved, mapped, and damage is told."""

import json
import os
import shutil

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy.sparse import csr_array, eye_array

import trigpoint as tp
from trigpoint.storage import _build, graph_facts, is_graph_folder

X = np.random.default_rng(0).normal(size=(80, 3))
GRAPHS = {
    "neighbors": lambda: tp.neighbor_graph(X, 6),
    "cosine": lambda: tp.neighbor_graph(X, 6, metric="cosine"),
    "edges": lambda: tp.graph_from_edges([[0, 1], [1, 2], [3, 3]], [0.5, 2.0, 1.0], n_nodes=5),
    "no edges": lambda: tp.graph_from_edges(np.empty((0, 2), dtype=int), n_nodes=3),
}


def is_mapped(array):
    while array is not None:
        if isinstance(array, np.memmap):
            return True
        array = getattr(array, "base", None)
    return False


@pytest.mark.parametrize("name", GRAPHS)
@pytest.mark.parametrize("check", [False, True])
def test_a_graph_comes_back_mapped(name, check, tmp_path):
    graph = GRAPHS[name]()
    tp.save_graph(tmp_path / "g", graph)
    found = tp.open_graph(tmp_path / "g", check=check)
    assert repr(found) == repr(graph)
    for part in ("indptr", "indices", "distances", "similarities"):
        one, other = getattr(found, part), getattr(graph, part)
        if other is None:
            assert one is None
            continue
        assert_array_equal(one, other)
        assert one.dtype == other.dtype
        assert is_mapped(one)
        assert type(one) is np.ndarray
        assert not one.flags.writeable
    assert sorted(file.name for file in tmp_path.iterdir()) == ["g"]
    assert is_graph_folder(tmp_path / "g")


def test_settings_and_facts_are_kept(tmp_path):
    tp.save_graph(tmp_path / "g", GRAPHS["cosine"](), settings={"view": "white", "pool": "x.npy"})
    facts = graph_facts(tmp_path / "g")
    assert facts["settings"] == {"view": "white", "pool": "x.npy"}
    assert (facts["shape"], facts["n_neighbors"], facts["metric"], facts["recall"]) == (
        [80, 80],
        6,
        "cosine",
        1,
    )
    files = sum(file.stat().st_size for file in (tmp_path / "g").glob("*.npy"))
    assert facts["bytes"] == files
    with pytest.raises(tp.InputError, match="settings must be plain values"):
        tp.save_graph(tmp_path / "g", GRAPHS["cosine"](), settings={"view": np.ones(2)})
    assert graph_facts(tmp_path / "g") == facts


def test_an_unknown_recall_stays_unknown(tmp_path):
    graph = tp.NeighborGraph(np.array([0, 1, 2]), np.array([1, 0], np.int32), np.ones(2), recall=np.nan)
    tp.save_graph(tmp_path / "g", graph)
    assert np.isnan(tp.open_graph(tmp_path / "g", check=True).recall)


@pytest.mark.parametrize("check", [False, True])
def test_an_alignment_matrix_comes_back_mapped(check, tmp_path):
    phi = tp.laplacian(GRAPHS["neighbors"]())
    tp.save_alignment(tmp_path / "phi", phi, settings={"alignment": "laplacian"})
    found = tp.open_alignment(tmp_path / "phi", check=check)
    assert isinstance(found, csr_array)
    assert found.has_canonical_format
    for part in ("indptr", "indices", "data"):
        assert_array_equal(getattr(found, part), getattr(phi, part))
        assert is_mapped(getattr(found, part))
        assert not getattr(found, part).flags.writeable
    assert found.indices.dtype == np.int32


def test_other_matrices_are_refused(tmp_path):
    with pytest.raises(tp.InputError, match="phi must be sparse"):
        tp.save_alignment(tmp_path / "phi", np.eye(3))
    with pytest.raises(tp.InputError, match="must be symmetric"):
        tp.save_alignment(tmp_path / "phi", csr_array([[0.0, 1.0], [0.0, 0.0]]))
    with pytest.raises(tp.InputError, match="graph must be a NeighborGraph"):
        tp.save_graph(tmp_path / "phi", csr_array(np.eye(3)))
    assert list(tmp_path.iterdir()) == []


def test_indices_of_64_bits_become_smaller(tmp_path):
    phi = csr_array(eye_array(5))
    phi.indices, phi.indptr = phi.indices.astype(np.int64), phi.indptr.astype(np.int64)
    tp.save_alignment(tmp_path / "phi", phi)
    assert np.load(tmp_path / "phi" / "indices.npy").dtype == np.int32
    assert_array_equal(tp.open_alignment(tmp_path / "phi", check=True).toarray(), np.eye(5))


def test_saving_again_replaces(tmp_path):
    tp.save_graph(tmp_path / "g", GRAPHS["neighbors"]())
    before = tp.open_graph(tmp_path / "g")
    kept = before.indices.copy()
    tp.save_graph(tmp_path / "g", GRAPHS["edges"]())
    assert tp.open_graph(tmp_path / "g").n_samples == 5
    assert_array_equal(before.indices, kept), "what is mapped stays"
    assert sorted(file.name for file in tmp_path.iterdir()) == ["g"]


def test_a_folder_of_something_else_is_not_replaced(tmp_path):
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "a.png").write_bytes(b"x")
    tp.save_alignment(tmp_path / "phi", tp.laplacian(GRAPHS["edges"]()))
    (tmp_path / "file").write_text("x")
    for name, rule in [
        ("photos", "must be new, empty"),
        ("phi", "must be new, empty"),
        ("file", "is a file"),
    ]:
        with pytest.raises(tp.InputError, match=rule):
            tp.save_graph(tmp_path / name, GRAPHS["edges"]())
    with pytest.raises(FileNotFoundError, match="must lie in a folder that exists"):
        tp.save_graph(tmp_path / "no" / "g", GRAPHS["edges"]())
    assert (tmp_path / "photos" / "a.png").exists()
    (tmp_path / "empty").mkdir()
    tp.save_graph(tmp_path / "empty", GRAPHS["edges"]())
    assert tp.open_graph(tmp_path / "empty").n_samples == 5


def test_a_failed_writer_leaves_the_old_one(tmp_path, monkeypatch):
    tp.save_graph(tmp_path / "g", GRAPHS["edges"]())

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("trigpoint.storage._folder.zlib.crc32", full)
    with pytest.raises(OSError, match=r"No space left on device: .*g'"):
        tp.save_graph(tmp_path / "g", GRAPHS["neighbors"]())
    monkeypatch.undo()
    assert tp.open_graph(tmp_path / "g", check=True).n_samples == 5
    assert sorted(file.name for file in tmp_path.iterdir()) == ["g"]


def _about(folder, **changes):
    told = json.loads((folder / "about.json").read_text())
    (folder / "about.json").write_text(json.dumps({**told, **changes}))


def _cut(folder):
    data = (folder / "indices.npy").read_bytes()
    (folder / "indices.npy").write_bytes(data[:-4])


def _swap(folder):
    np.save(folder / "indices.npy", np.load(folder / "indices.npy").astype(np.int64))


def _other_length(folder):
    np.save(folder / "distances.npy", np.ones(3))


def _retold(folder, name, array):
    """An array that about.json describes truly, so that only what it means is wrong."""
    np.save(folder / f"{name}.npy", array)
    told = json.loads((folder / "about.json").read_text())["arrays"]
    size = (folder / f"{name}.npy").stat().st_size
    told[name] |= {"dtype": array.dtype.str, "shape": list(array.shape), "bytes": size}
    _about(folder, arrays=told)


DAMAGE = {
    "cut short": _cut,
    "other type": _swap,
    "other length": _other_length,
    "empty": lambda f: (f / "indptr.npy").write_bytes(b""),
    "text": lambda f: (f / "indptr.npy").write_bytes(b"hello" * 99),
    "missing": lambda f: (f / "indptr.npy").unlink(),
    "no about": lambda f: (f / "about.json").unlink(),
    "broken about": lambda f: (f / "about.json").write_text("{"),
    "a list": lambda f: (f / "about.json").write_text("[1]"),
    "other kind": lambda f: _about(f, kind="alignment"),
    "newer": lambda f: _about(f, format=99),
    "other shape": lambda f: _about(f, shape=[81, 81]),
    "no metric": lambda f: _about(f, metric=None),
    "odd recall": lambda f: _about(f, recall="good"),
    "no arrays": lambda f: _about(f, arrays={}),
    "elsewhere": lambda f: _about(f, arrays={"../g/indptr": {}}),
    "wrong start": lambda f: _retold(f, "indptr", np.arange(1, 82) * 6),
    "wrong end": lambda f: _retold(f, "indptr", np.arange(81) * 7),
    "two dimensions": lambda f: _retold(f, "indices", np.zeros((480, 1), np.int32)),
    "pickled": lambda f: np.save(f / "indptr.npy", np.array([None] * 81), allow_pickle=True),
}


@pytest.mark.parametrize("how", DAMAGE)
def test_damage_is_one_clear_error(how, tmp_path):
    tp.save_graph(tmp_path / "g", GRAPHS["neighbors"]())
    DAMAGE[how](tmp_path / "g")
    with pytest.raises(tp.InputError, match="g must be ") as caught:
        tp.open_graph(tmp_path / "g")
    assert "\n" not in str(caught.value)


HIDDEN = {
    "flipped": lambda f: _flip(f / "distances.npy"),
    "beyond the pool": lambda f: _retold(f, "indices", np.full(480, 99, np.int32)),
    "not finite": lambda f: _retold(f, "distances", np.full(480, np.nan)),
    "falling": lambda f: _retold(f, "indptr", np.concatenate([[0], np.arange(79)[::-1], [480]])),
}


def _flip(file):
    data = bytearray(file.read_bytes())
    data[-3] ^= 255
    file.write_bytes(bytes(data))


@pytest.mark.parametrize("how", HIDDEN)
def test_the_full_check_finds_what_opening_does_not_read(how, tmp_path):
    tp.save_graph(tmp_path / "g", GRAPHS["neighbors"]())
    HIDDEN[how](tmp_path / "g")
    graph = tp.open_graph(tmp_path / "g")
    whole = r"g must be a folder written by trigpoint\.save_graph, whole"
    with pytest.raises(tp.InputError, match=whole):
        tp.open_graph(tmp_path / "g", check=True)
    with pytest.raises(tp.InputError, match=whole):
        tp.read_pool(tmp_path / "g")
    if how in ("beyond the pool", "falling"):  # compiled code would read what is not there
        for told in ("components", "isolated"):
            with pytest.raises(tp.InputError, match=r"the graph must hold lists that name its own samples"):
                getattr(graph, told)


def test_the_full_check_of_a_matrix(tmp_path):
    tp.save_alignment(tmp_path / "phi", tp.laplacian(GRAPHS["neighbors"]()))
    good = np.load(tmp_path / "phi" / "indices.npy")
    _retold(tmp_path / "phi", "indices", good[::-1].copy())
    tp.open_alignment(tmp_path / "phi")
    with pytest.raises(
        tp.InputError, match=r"phi must be a folder written by trigpoint\.save_alignment, whole"
    ):
        tp.open_alignment(tmp_path / "phi", check=True)


def test_nothing_there(tmp_path):
    with pytest.raises(FileNotFoundError, match="there is none"):
        tp.open_graph(tmp_path / "g")
    (tmp_path / "g").write_text("x")
    with pytest.raises(tp.InputError, match="it is a file"):
        tp.open_graph(tmp_path / "g")
    assert not is_graph_folder(tmp_path)


def test_a_map_survives_the_removal_of_its_folder(tmp_path):
    tp.save_graph(tmp_path / "g", GRAPHS["neighbors"]())
    graph = tp.open_graph(tmp_path / "g")
    shutil.rmtree(tmp_path / "g")
    assert_array_equal(graph.neighbors, GRAPHS["neighbors"]().neighbors)


def test_a_folder_that_cannot_be_written_to_is_refused_before_the_search(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "access", lambda path, how: False)
    monkeypatch.setattr(_build, "searched", None)
    with pytest.raises(PermissionError, match=rf"g must be writable; {tmp_path} is not\."):
        tp.build_graph(tmp_path / "g", np.eye(9), 3)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_must_not_be_written(tmp_path):
    (tmp_path / "closed").mkdir(mode=0o500)
    with pytest.raises(PermissionError, match="closed/g"):
        tp.save_graph(tmp_path / "closed" / "g", GRAPHS["edges"]())

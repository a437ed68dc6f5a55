import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy import sparse

from reference.files import RING, SPARSE, X
from trigpoint.io import content, read_pool


def test_npy_is_mapped_and_not_loaded(tmp_path):
    path = tmp_path / "x.npy"
    np.save(path, X.astype(np.float32))
    samples = read_pool(path)
    assert isinstance(samples.X, np.memmap)
    assert samples.X.dtype == np.float32
    assert samples.kind == "array"
    assert_array_equal(samples.X, X)
    assert samples.ids.tolist() == ["0", "1", "2", "3"]
    assert content(samples, 1) == {"id": "1", "row": {"0": -3, "1": 4}}


def test_stacks_of_pictures_are_flattened_and_stay_mapped(tmp_path):
    np.save(tmp_path / "x.npy", np.arange(24.0).reshape(2, 3, 4))
    samples = read_pool(tmp_path / "x.npy")
    assert isinstance(samples.X, np.memmap)
    assert_array_equal(samples.X, np.arange(24.0).reshape(2, 12))


@pytest.mark.parametrize("array", [X[::-1], np.asfortranarray(X), X.astype(">f4"), X.astype(int), X > 1])
def test_any_order_and_real_type(tmp_path, array):
    np.save(tmp_path / "x.npy", array)
    assert_array_equal(read_pool(tmp_path / "x.npy").X, array)


@pytest.mark.parametrize(
    ("array", "message"),
    [
        (np.arange(3.0), r"must hold samples in rows, .* got shape \(3,\)"),
        (np.float64(1), r"got shape \(\)"),
        (np.empty((0, 2)), r"got shape \(0, 2\)"),
        (np.array([["a"]]), "must hold real numbers; got dtype <U1"),
        (np.array([[1j]]), "must hold real numbers; got dtype complex128"),
        (np.array([[1.0, np.nan]]), r"must hold finite numbers only; got 1 NaN .* at \(0, 1\)"),
        (np.array([[1.0, np.inf]]), "must hold finite numbers only"),
    ],
)
@pytest.mark.parametrize("suffix", [".npy", ".npz"])
def test_bad_arrays(tmp_path, array, message, suffix):
    path = tmp_path / f"x{suffix}"
    if suffix == ".npy":
        np.save(path, array)
    else:
        np.savez(path, X=array)
    with pytest.raises(ValueError, match=rf"x{suffix}.*{message}"):
        read_pool(path)


@pytest.mark.parametrize("suffix", [".npy", ".npz"])
def test_pickles_are_never_loaded(tmp_path, suffix):
    class Bomb:
        def __reduce__(self):
            return exec, ("raise SystemExit('unpickled')",)

    path = tmp_path / f"x{suffix}"
    bomb = np.array([[Bomb()]], dtype=object)
    with path.open("wb") as stream:
        np.save(stream, bomb) if suffix == ".npy" else np.savez(stream, X=bomb)
    with pytest.raises(ValueError, match="got pickled objects, which are never loaded"):
        read_pool(path)


def test_a_file_of_another_kind(tmp_path):
    (tmp_path / "x.npy").write_bytes(b"PK\x03\x04 and so on")
    with pytest.raises(
        ValueError,
        match=r"x\.npy must be a \.npy file, as its name says; it looks like a zip archive: name it x\.npz",
    ):
        read_pool(tmp_path / "x.npy")
    (tmp_path / "x.npz").write_bytes(b"\x93NUMPY")
    with pytest.raises(ValueError, match=r"x\.npz must be a \.npz file, .* looks like an array of numpy"):
        read_pool(tmp_path / "x.npz")


def test_which_array_of_an_npz(tmp_path):
    path = tmp_path / "x.npz"
    np.savez(path, images=X, labels=np.arange(4))
    assert_array_equal(read_pool(path).X, X)
    np.savez(path, images=X, pose=X * 2)
    assert_array_equal(read_pool(path, key="pose").X, X * 2)
    with pytest.raises(ValueError, match="or give key=; got 'images', 'pose'"):
        read_pool(path)
    with pytest.raises(ValueError, match=r"key must be a column of .*'images', 'pose'.*; got 'faces'"):
        read_pool(path, key="faces")
    np.savez(path, X=X, Z=X * 2)
    assert_array_equal(read_pool(path).X, X)


def test_ids_of_an_npz(tmp_path):
    path = tmp_path / "x.npz"
    np.savez(path, X=X, ids=np.array(["a", "b", "c", "é"]))
    assert read_pool(path).ids.tolist() == ["a", "b", "c", "é"]
    np.savez(path, X=X, ids=np.array(["a", "b", "c", "b"]))
    with pytest.raises(ValueError, match="must be distinct and not blank; got 'b'"):
        read_pool(path)
    np.savez(path, X=X, ids=np.arange(3))
    with pytest.raises(ValueError, match="one for each of 4 samples"):
        read_pool(path)


@pytest.mark.parametrize("form", ["csr", "csc", "coo", "bsr"])
def test_sparse_features(tmp_path, form):
    path = tmp_path / "s.npz"
    sparse.save_npz(path, SPARSE.asformat(form))
    samples = read_pool(path)
    assert isinstance(samples.X, sparse.csr_array)
    assert samples.X.has_canonical_format
    assert_array_equal(samples.X.toarray(), SPARSE.toarray())
    assert content(samples, 0) == {"id": "0", "row": {"0": 1, "2": 2}}


def test_a_square_sparse_npz_needs_the_word(tmp_path):
    path = tmp_path / "s.npz"
    sparse.save_npz(path, RING)
    with pytest.raises(
        ValueError, match="could be a graph or features, because it is square with an empty diagonal"
    ):
        read_pool(path)
    graph = read_pool(path, graph=True).graph
    assert graph.metric == "edges"
    features = read_pool(path, graph=False)
    assert features.graph is None
    from trigpoint import neighbor_graph

    dense = neighbor_graph(RING.toarray(), 2)
    assert_array_equal(neighbor_graph(features.X, 2).neighbors, dense.neighbors)  # not taken for distances


def test_sparse_indices_out_of_bounds_are_refused(tmp_path):
    path = tmp_path / "s.npz"
    np.savez(path, format=b"csr", shape=(2, 2), data=[1.0], indices=np.array([7]), indptr=np.array([0, 1, 1]))
    with pytest.raises(ValueError, match=r"s\.npz must be a sparse \.npz"):
        read_pool(path)


def test_real_faces(data_folder):
    faces = read_pool(data_folder / "isomap_faces.npz", key="images")
    assert faces.X.shape == (698, 1024)

import json

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy import io, sparse

import trigpoint as tp
from reference.files import RING, SPARSE, X
from trigpoint.io import content, read_pool


def dense(graph):
    n = graph.n_samples
    return sparse.csr_array((graph.similarities, graph.indices, graph.indptr), shape=(n, n)).toarray()


def pool(tmp_path, text, name="e.csv", **options):
    (tmp_path / name).write_text(text)
    return read_pool(tmp_path / name, **options)


@pytest.mark.parametrize("header", ["source,target", "From,To", "id_1,id_2", "target,source"])
def test_edge_lists_by_their_header(tmp_path, header):
    samples = pool(tmp_path, f"{header}\nb,a\nc,a\nd,d\n")
    assert samples.kind == "graph"
    assert samples.X is None
    assert set(samples.ids) == {"a", "b", "c", "d"}
    order = [samples.ids.tolist().index(name) for name in "abcd"]
    W = np.zeros((4, 4))
    W[0, 1] = W[1, 0] = W[0, 2] = W[2, 0] = 1
    assert_array_equal(dense(samples.graph)[np.ix_(order, order)], W)
    assert samples.ids[samples.graph.isolated].tolist() == ["d"]
    assert sorted(content(samples, order[0])["row"]["neighbors"]) == ["b", "c"]


def test_weights_are_similarities(tmp_path):
    samples = pool(tmp_path, "source,target,weight\nx,y,2\ny,z,0.5\n")
    assert samples.ids.tolist() == ["x", "y", "z"]
    assert_array_equal(dense(samples.graph), [[0, 2, 0], [2, 0, 0.5], [0, 0.5, 0]])


def test_numbered_nodes_come_in_order(tmp_path):
    samples = pool(tmp_path, "source,target\n10,9\n2,10\n")
    assert samples.ids.tolist() == ["2", "9", "10"]


def test_edges_in_json(tmp_path):
    edges = [{"source": 1, "target": 2}, {"source": 2, "target": 3}]
    assert pool(tmp_path, json.dumps(edges), "e.json").graph.n_samples == 3


def test_more_columns_make_a_table_unless_a_graph_is_asked_for(tmp_path):
    text = "source,target,a\nx,y,1\ny,z,2\n"
    assert pool(tmp_path, text).kind == "table"
    assert pool(tmp_path, text, graph=True).graph.n_samples == 3
    assert pool(tmp_path, "u,v\n1,2\n2,3\n", graph=True).graph.n_samples == 3
    assert pool(tmp_path, "from,to\n1,2\n2,3\n", graph=False).X.tolist() == [[1, 2], [2, 3]]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "source,target,weight\na,b,-1\n",
            "line 2, column 'weight': must be a finite number of at least 0; got '-1'",
        ),
        ("source,target,weight\na,b,\n", "column 'weight': .* got ''"),
        ("source,target,weight\na,b,x\n", "column 'weight': .* got 'x'"),
        (
            "source,target,weight\na,b,1e-310\n",
            r"must be a graph of similarities: weights must be 0 or lie in",
        ),
        ("source,target\na,\n", "line 2, column 'target': must name a node"),
        ("source,target\n", "must hold at least one row"),
    ],
)
def test_bad_edges(tmp_path, text, message):
    with pytest.raises(ValueError, match=rf"e\.csv.*{message}"):
        pool(tmp_path, text)


def test_one_column_is_no_graph(tmp_path):
    with pytest.raises(ValueError, match="must have two columns, source and target"):
        pool(tmp_path, "a\n1\n", graph=True)


@pytest.mark.parametrize("matrix", [SPARSE, RING, X, RING.toarray(), sparse.csr_array([[0, 2.0], [-2, 0]])])
@pytest.mark.parametrize("field", ["real", "pattern", None])
def test_matrix_market_as_scipy_writes_it(tmp_path, matrix, field):
    path = tmp_path / "m.mtx"
    if field == "pattern" and not sparse.issparse(matrix):
        return
    io.mmwrite(path, matrix, field=field, comment="a comment\nof two lines")
    samples = read_pool(path, graph=False)
    expected = io.mmread(path, spmatrix=False)
    if sparse.issparse(matrix):
        assert isinstance(samples.X, sparse.csr_array)
        assert_array_equal(samples.X.toarray()[:, : matrix.shape[1]], expected.toarray())
    else:
        assert_array_equal(samples.X, expected)


def test_a_symmetric_matrix_is_a_graph(tmp_path):
    io.mmwrite(tmp_path / "ring.mtx", RING)
    assert_array_equal(dense(read_pool(tmp_path / "ring.mtx").graph), RING.toarray())
    io.mmwrite(tmp_path / "s.mtx", SPARSE)
    assert read_pool(tmp_path / "s.mtx").graph is None
    io.mmwrite(tmp_path / "dense.mtx", RING.toarray())
    assert read_pool(tmp_path / "dense.mtx").graph is None


HEAD = "%%MatrixMarket matrix coordinate real general\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hello\n", "must be a Matrix Market file; its first line is 'hello'"),
        (
            "%%MatrixMarket matrix coordinate complex general\n1 1 0\n",
            "must hold a real, .* 'coordinate complex general'",
        ),
        ("%%MatrixMarket matrix array pattern general\n1 1\n", "must hold values, because it is an array"),
        (HEAD + "2 2\n1 1 1\n", "must give 3 sizes below its comments; got '2 2'"),
        (HEAD + "0 2 0\n", "must have from 1 to 2147483647 rows and columns; it says 0 x 2"),
        (HEAD + "2 2 2\n1 1 1\n", "must hold the 2 entries that it promises; got 1"),
        (HEAD + "2 2 1\n3 1 1\n", "must count rows and columns from 1 to 2; entry 1 says 3"),
        (HEAD + "2 2 1\n1.5 1 1\n", "entry 1 says 1.5"),
        (HEAD + "2 2 1\n1 1\n", "must have 3 numbers in each entry; got 2"),
        (HEAD + "2 2 1\n1 1 x\n", "must be a Matrix Market file, whole and undamaged"),
        (HEAD + "2 2 1\n1 1 nan\n", "must hold finite numbers only"),
        (
            "%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n4\n5\n",
            "must hold the 4 entries that it promises; got 5",
        ),
        ("%%MatrixMarket matrix coordinate real symmetric\n2 3 1\n1 1 1\n", "must be square to be symmetric"),
        (
            "%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n2 1 -1\n",
            "must be a graph of similarities: .* at least 0",
        ),
    ],
)
def test_bad_matrix_market(tmp_path, text, message):
    with pytest.raises(ValueError, match=rf"m\.mtx.*{message}"):
        pool(tmp_path, text, "m.mtx")


def test_a_graph_without_edges(tmp_path):
    samples = pool(tmp_path, "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 0\n", "m.mtx")
    assert samples.graph.isolated.tolist() == [0, 1, 2]


@pytest.mark.slow
def test_a_real_graph(data_folder):
    path = data_folder / "facebook_pages" / "facebook_edges.csv"
    samples = read_pool(path)
    assert samples.n_samples == 22_470
    assert samples.ids[:3].tolist() == ["0", "1", "2"]
    edges = np.loadtxt(path, delimiter=",", skiprows=1)
    assert_array_equal(samples.graph.indices, tp.graph_from_edges(edges).indices)

"""Files of lines without a header: edge lists, and texts."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy import sparse

from trigpoint.io import content, glimpse, read_pool


def dense(graph):
    n = graph.n_samples
    return sparse.csr_array((graph.similarities, graph.indices, graph.indptr), shape=(n, n)).toarray()


def pool(tmp_path, name, text, **options):
    (tmp_path / name).write_text(text, encoding="utf-8")
    return read_pool(tmp_path / name, **options)


@pytest.mark.parametrize("name", ["x.edges", "x.edgelist", "x.txt", "x.csv", "x.tsv"])
@pytest.mark.parametrize("mark", [" ", "\t", ",", "  ", ", ", ";"])
def test_pairs_of_numbers(tmp_path, name, mark):
    samples = pool(tmp_path, name, f"# from{mark}to\n% made by hand\n\n10{mark}9\n2{mark}10\n")
    assert samples.kind == "graph"
    assert samples.ids.tolist() == ["2", "9", "10"]
    assert_array_equal(dense(samples.graph), [[0, 0, 1], [0, 0, 1], [1, 1, 0]])
    assert glimpse(tmp_path / name).graph is not None


def test_names_and_weights(tmp_path):
    samples = pool(tmp_path, "x.edges", "ann bob 2\nbob cy 0.5\n")
    assert samples.ids.tolist() == ["ann", "bob", "cy"]
    assert_array_equal(dense(samples.graph), [[0, 2, 0], [2, 0, 0.5], [0, 0.5, 0]])


@pytest.mark.parametrize("header", ["source target", "from,to", "u v"])
def test_a_header_is_no_edge(tmp_path, header):
    assert pool(tmp_path, "x.edges", f"{header}\n1 2\n2 3\n").ids.tolist() == ["1", "2", "3"]


def test_names_above_names_are_an_edge(tmp_path):
    assert pool(tmp_path, "x.edges", "ann bob\nbob cy\n").ids.tolist() == ["ann", "bob", "cy"]


def test_what_networkx_writes(tmp_path):
    nx = pytest.importorskip("networkx")
    graph = nx.Graph([("a", "b"), ("b", "c")])
    nx.write_edgelist(graph, tmp_path / "x.edgelist")
    assert read_pool(tmp_path / "x.edgelist").ids.tolist() == ["a", "b", "c"]
    graph["a"]["b"]["weight"], graph["b"]["c"]["weight"] = 2.5, 1
    nx.write_edgelist(graph, tmp_path / "x.edgelist")
    assert dense(read_pool(tmp_path / "x.edgelist").graph)[0, 1] == 2.5
    nx.write_weighted_edgelist(graph, tmp_path / "y.edgelist")
    assert_array_equal(
        dense(read_pool(tmp_path / "y.edgelist").graph), dense(read_pool(tmp_path / "x.edgelist").graph)
    )


def test_a_txt_is_texts_unless_all_its_lines_are_edges(tmp_path):
    samples = pool(tmp_path, "x.txt", "hello world\n\n  good morning  \nhello again\n")
    assert samples.kind == "text"
    assert [content(samples, i)["text"] for i in range(3)] == ["hello world", "good morning", "hello again"]
    assert samples.ids.tolist() == ["0", "1", "2"]
    assert samples.note == ""
    edges = pool(tmp_path, "x.txt", "1 2\n2 3\n")
    assert edges.kind == "graph"
    assert (
        "is read as edges, since its lines are pairs of whole numbers; graph=False reads texts" in edges.note
    )
    assert pool(tmp_path, "x.txt", "1 2\n2 3\nthree\n").kind == "text"
    assert pool(tmp_path, "x.txt", "1 2\n2 3\n", graph=False).kind == "text"
    named = pool(tmp_path, "x.txt", "ann bob\nbob cy\n", graph=True)
    assert named.ids.tolist() == ["ann", "bob", "cy"]
    assert named.note == ""


def test_features_of_texts_from_a_file(tmp_path):
    np.save(tmp_path / "f.npy", np.eye(2))
    samples = pool(tmp_path, "x.txt", "one\ntwo\n", features=tmp_path / "f.npy")
    assert_array_equal(samples.X, np.eye(2))
    assert samples.kind == "text"


@pytest.mark.parametrize("first", ["0,1", "0,1,2", "1,2"])
def test_a_first_line_that_counts_needs_a_word(tmp_path, first):
    rest = first.replace("1", "7")
    text = f"{first}\n{rest}\n{first}\n"
    with pytest.raises(
        ValueError, match=r"x\.csv could be edges or a table, because its first line counts; give"
    ):
        pool(tmp_path, "x.csv", text)
    assert pool(tmp_path, "x.csv", text, graph=True).kind == "graph"
    assert pool(tmp_path, "x.csv", text, graph=False, columns=["1"]).feature_names == ("1",)


def test_numbers_that_are_no_nodes_need_a_header(tmp_path):
    with pytest.raises(ValueError, match="must start with a header of column names"):
        pool(tmp_path, "x.csv", "1.5,2.5\n3.5,1.0\n")
    with pytest.raises(ValueError, match="must start with a header of column names"):
        pool(tmp_path, "x.csv", "5,2\n3,1\n", graph=False)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1 2\n3\n", "must have two nodes a line, and perhaps a weight; line 2 has 1 fields"),
        ("1 2\n3 4 5\n", "line 2 has 3 fields"),
        ("1 2 3 4\n", "line 1 has 4 fields"),
        ("a b x\nb c y\n", "line 1, column 'weight': must be a finite number of at least 0; got 'x'"),
        ("a b 1\nb c -1\n", "line 2, column 'weight': must be a finite number of at least 0; got '-1'"),
        ("# nothing\n", "must hold at least one row"),
        ("1 2\n,3\n", "line 2 has 2 fields"),
        ("1 2\n\0\n", "holds a NUL"),
    ],
)
def test_bad_edges(tmp_path, text, message):
    with pytest.raises(ValueError, match=message) as caught:
        pool(tmp_path, "x.edges", text)
    assert "x.edges" in str(caught.value)
    with pytest.raises(ValueError, match=r"graph must not be False: .*x\.edges is a graph by its kind"):
        read_pool(tmp_path / "x.edges", graph=False)

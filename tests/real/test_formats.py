"""Files and objects as strangers have them: formats, and what comes out."""

import gzip
import json
import struct

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from numpy.testing import assert_array_equal

import trigpoint as tp
from reference.files import safetensors_bytes
from trigpoint.io import content, read_labels

rng = np.random.default_rng(3)
E = rng.normal(size=(30, 8)).astype(np.float32)
TEXTS = [f"sentence {i} about {'cats' if i % 2 else 'dogs'}" for i in range(30)]


def uses(samples):
    return {use.name: use.use for use in samples.columns}


def test_openai_style_jsonl_with_text_embedding_and_tokens(tmp_path):
    rows = [
        {
            "custom_id": f"r{i}",
            "text": TEXTS[i],
            "embedding": E[i].tolist(),
            "tokens": [i, i + 1, 7],
            "model": "m",
        }
        for i in range(30)
    ]
    (tmp_path / "out.jsonl").write_text("\n".join(map(json.dumps, rows)) + "\n")
    samples = tp.read_pool(tmp_path / "out.jsonl", id_column="custom_id")
    assert_array_equal(samples.X, E.astype(np.float64))
    assert samples.ids[3] == "r3"
    assert uses(samples) == {
        "custom_id": None,
        "text": None,
        "embedding": "embedding",
        "tokens": None,
        "model": None,
    }
    assert content(samples, 3)["row"]["text"] == TEXTS[3]


def test_a_parquet_with_float16_vectors_in_row_groups(tmp_path):
    lists = pa.array([row.astype(np.float16) for row in E], pa.list_(pa.float16()))
    pq.write_table(pa.table({"vector": lists, "caption": TEXTS}), tmp_path / "x.parquet", row_group_size=7)
    samples = tp.read_pool(tmp_path / "x.parquet", text_column="caption", features="vector")
    assert samples.X.dtype == np.float32
    assert_array_equal(samples.X, E.astype(np.float16).astype(np.float32))
    assert content(samples, 29) == {"id": "29", "text": TEXTS[29]}


def test_pandas_index_and_numpy_cells_through_parquet(tmp_path):
    frame = pd.DataFrame({"emb": list(E), "y": ["u", "v"] * 15}, index=[f"row {i}" for i in range(30)])
    frame.to_parquet(tmp_path / "x.parquet")
    file, memory = tp.read_pool(tmp_path / "x.parquet"), tp.read_pool(frame)
    assert file.ids.tolist() == memory.ids.tolist() == list(frame.index)
    assert_array_equal(file.X, E)
    assert_array_equal(memory.X, E)


def test_one_row_whose_api_call_failed(tmp_path):
    broken = [None if i == 17 else row.tolist() for i, row in enumerate(E)]
    pq.write_table(pa.table({"emb": broken}), tmp_path / "x.parquet")
    with pytest.raises(
        tp.InputError, match=r"x\.parquet, row 18, column 'emb': must be a list of numbers; got nothing"
    ):
        tp.read_pool(tmp_path / "x.parquet")
    with pytest.raises(
        tp.InputError, match=r"data frame, row 18, column 'emb': must be a list of numbers; got nothing"
    ):
        tp.read_pool(pl.DataFrame({"emb": broken}))


def test_two_models_in_one_file(tmp_path):
    pq.write_table(pa.table({"small": E[:, :3].tolist(), "large": E.tolist()}), tmp_path / "x.parquet")
    with pytest.raises(tp.InputError, match="choose one with features=; got 'small', 'large'"):
        tp.read_pool(tmp_path / "x.parquet")
    assert tp.read_pool(tmp_path / "x.parquet", features="large").X.shape == (30, 8)


def test_a_dataset_folder_with_a_cache_file_in_it(tmp_path):
    folder = tmp_path / "reviews"
    folder.mkdir()
    table = pa.table({"text": TEXTS, "emb": E.tolist(), "label": [i % 2 for i in range(30)]})
    with pa.ipc.new_stream(folder / "data-00000-of-00001.arrow", table.schema) as sink:
        sink.write_table(table, max_chunksize=11)
    (folder / "cache-1b2c.arrow").write_bytes(b"left over")
    (folder / "state.json").write_text(
        '{"_data_files": [{"filename": "data-00000-of-00001.arrow"}], "_split": null}'
    )
    (folder / "dataset_info.json").write_text("{}")
    samples = tp.read_pool(folder)
    assert_array_equal(samples.X, E.astype(np.float64))
    labels = read_labels(folder, samples.ids, label_column="label")
    assert labels.values[:3] == ["0", "1", "0"]


def test_shards_from_the_hub_with_a_readme(tmp_path):
    data = tmp_path / "repo" / "data"
    data.mkdir(parents=True)
    for k in range(3):
        pq.write_table(
            pa.table({"emb": E[10 * k : 10 * k + 10].tolist()}), data / f"train-{k:05}-of-00003.parquet"
        )
    (tmp_path / "repo" / "README.md").write_text("# data")
    (tmp_path / "repo" / ".gitattributes").write_text("*.parquet filter=lfs")
    assert_array_equal(tp.read_pool(tmp_path / "repo").X, E.astype(np.float64))


def test_a_shard_that_is_a_pointer_of_git_lfs(tmp_path):
    text = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"
    folder = tmp_path / "repo"
    folder.mkdir()
    (folder / "x.parquet").write_text(text)
    for path in (folder, folder / "x.parquet"):
        with pytest.raises(
            tp.InputError, match=r"x\.parquet must be .* looks like a pointer of Git LFS: git lfs pull"
        ):
            tp.read_pool(path)


def test_embeddings_of_a_model_in_bfloat16(tmp_path):
    halves = (E.view(np.uint32) >> 16).astype("<u2")
    header = {
        "__metadata__": {"format": "pt"},
        "embeddings": {"dtype": "BF16", "shape": [30, 8], "data_offsets": [0, 480]},
        "step": {"dtype": "I64", "shape": [], "data_offsets": [480, 488]},
    }
    data = halves.tobytes() + struct.pack("<q", 7)
    (tmp_path / "x.safetensors").write_bytes(safetensors_bytes(header, data))
    X = tp.read_pool(tmp_path / "x.safetensors").X
    assert X.dtype == np.float32
    assert np.abs(X - E).max() < 0.02 * np.abs(E).max()


def test_a_half_downloaded_safetensors(tmp_path):
    header = {"X": {"dtype": "F32", "shape": [30, 8], "data_offsets": [0, 960]}}
    (tmp_path / "x.safetensors").write_bytes(safetensors_bytes(header, E.tobytes()[:500]))
    with pytest.raises(
        tp.InputError, match=r"x\.safetensors must end with its last tensor, .* it was cut short"
    ):
        tp.read_pool(tmp_path / "x.safetensors")


def test_an_npz_of_float16_with_names(tmp_path):
    np.savez_compressed(
        tmp_path / "x.npz", features=E.astype(np.float16), ids=np.array([f"i{k}" for k in range(30)])
    )
    samples = tp.read_pool(tmp_path / "x.npz")
    assert samples.X.dtype == np.float32
    assert samples.ids[2] == "i2"


def test_an_export_of_a_browser_called_csv(tmp_path):
    (tmp_path / "x.csv").write_bytes(gzip.compress(b"a,b\n1,2\n3,4\n"))
    with pytest.raises(tp.InputError, match=r"looks like a gzipped file: name it x\.csv\.gz"):
        tp.read_pool(tmp_path / "x.csv")
    (tmp_path / "x.csv").write_text("<!DOCTYPE html><html><body>Sign in</body></html>")
    with pytest.raises(tp.InputError, match="looks like a web page"):
        tp.read_pool(tmp_path / "x.csv")


def test_a_snap_edge_list(tmp_path):
    head = "# Undirected graph: ../../data/output/ca.txt\n# Nodes: 4 Edges: 6\n# FromNodeId\tToNodeId\n"
    (tmp_path / "ca.txt").write_text(head + "3466\t937\n3466\t5233\n937\t3466\n5233\t10310\n")
    samples = tp.read_pool(tmp_path / "ca.txt")
    assert samples.ids.tolist() == ["937", "3466", "5233", "10310"]
    assert "read as edges" in samples.note


def test_a_konect_edge_list(tmp_path):
    (tmp_path / "out.edges").write_text("% sym weighted\n% 3 3 3\n1 2 1.5\n2 3 2\n3 1 0.5\n")
    graph = tp.read_pool(tmp_path / "out.edges").graph
    assert sorted(graph.similarities.tolist()) == [0.5, 0.5, 1.5, 1.5, 2, 2]


def test_texts_with_windows_line_ends_and_a_mark(tmp_path):
    (tmp_path / "x.txt").write_bytes("\ufefferste Zeile\r\n\r\nzweite Zeile, mit Komma\r\n".encode())
    samples = tp.read_pool(tmp_path / "x.txt")
    assert [content(samples, i)["text"] for i in range(2)] == ["erste Zeile", "zweite Zeile, mit Komma"]


def test_texts_in_latin_1(tmp_path):
    (tmp_path / "x.txt").write_bytes("plain\nséance\n".encode("latin-1"))
    with pytest.raises(tp.InputError, match=r"x\.txt must be UTF-8 text; line 2 holds the byte 0xe9"):
        tp.read_pool(tmp_path / "x.txt")


def test_a_yed_graph_with_more_than_a_graph_in_it(tmp_path):
    """yEd writes labels as XML of its own below <data>."""
    (tmp_path / "x.graphml").write_text(
        '<?xml version="1.0" encoding="UTF-8" standalone="no"?>'
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:y="http://www.yworks.com/xml/graphml">'
        '<key for="node" id="d6" yfiles.type="nodegraphics"/><graph edgedefault="directed" id="G">'
        '<node id="n0"><data key="d6"><y:Shape><y:NodeLabel>Start</y:NodeLabel></y:Shape></data></node>'
        '<node id="n1"><data key="d6"><y:ShapeNode/></data></node>'
        '<edge id="e0" source="n0" target="n1"><data key="d9"/></edge></graph></graphml>'
    )
    samples = tp.read_pool(tmp_path / "x.graphml")
    assert samples.ids.tolist() == ["n0", "n1"]
    assert samples.graph.n_components == 1


def test_a_multigraph_of_networkx_with_self_loops():
    nx = pytest.importorskip("networkx")
    graph = nx.MultiDiGraph(
        [("a", "b", {"weight": 1}), ("a", "b", {"weight": 2}), ("b", "a", {"weight": 9}), ("c", "c", {})]
    )
    samples = tp.read_pool(graph)
    assert samples.ids.tolist() == ["a", "b", "c"]
    assert samples.graph.similarities.tolist() == [9, 9]  # 1 + 2 one way, 9 the other: the larger holds
    assert samples.graph.isolated.tolist() == [2]


def test_a_view_of_polars_straight_into_a_classifier():
    frame = pl.DataFrame({"emb": E, "group": ["u", "v"] * 15}).filter(pl.col("group") == "u")
    y = [0, 1] + [-1] * 13
    clf = tp.ManifoldClassifier(n_neighbors=3).fit(frame, y)
    assert len(clf.predict(frame.head(4))) == 4


def test_texts_without_words_under_cosine():
    sparse = pytest.importorskip("sklearn.feature_extraction.text")
    X = sparse.TfidfVectorizer().fit_transform(
        ["red apple", "green apple", "...", "red car", "!!!", "fast car"]
    )
    graph = tp.neighbor_graph(X, 2, metric="cosine")
    assert graph.distances.reshape(6, 2)[[2, 4]].tolist() == [[1, 1], [1, 1]]

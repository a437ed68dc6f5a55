"""What has become of a pool, whatever its kind."""

import numpy as np
import pytest
from scipy import sparse

from studio import pools
from trigpoint.io import glimpse
from trigpoint.studio._pool_change import PoolChange, known_samples, only_appended, pool_change


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (PoolChange(), ""),
        (PoolChange(37, 2), "37 new samples, 2 are gone"),
        (PoolChange(1), "1 new sample"),
        (PoolChange(1200, 1, 1), "1,200 new samples, 1 is gone, 1 has changed and keeps its label"),
        (PoolChange(gone=1), "1 sample is gone"),
        (PoolChange(changed=3), "3 samples have changed and keep their labels"),
    ],
)
def test_it_is_told_in_words(change, sentence):
    assert str(change) == sentence
    assert bool(change) == bool(sentence)


def test_a_folder_of_pictures(tmp_path):
    before = known_samples(glimpse(pools.digits(tmp_path, 12)))
    names = sorted(tmp_path.iterdir())
    names[0].unlink()
    names[5].write_bytes(names[5].read_bytes() + b"more")
    names[7].touch()
    (tmp_path / "new.png").write_bytes(names[3].read_bytes())
    assert pool_change(before, known_samples(glimpse(tmp_path))) == PoolChange(1, 1, 1)


def write_array(file, X):
    np.save(file, X)


def write_sparse(file, X):
    sparse.save_npz(file, sparse.csr_array(X))


def write_table(file, X):
    file.write_text("a,b\n" + "".join(f"{a},{b}\n" for a, b in X.tolist()))


@pytest.mark.parametrize(
    ("name", "write"), [("x.npy", write_array), ("x.npz", write_sparse), ("x.csv", write_table)]
)
def test_rows_without_ids(tmp_path, name, write):
    X, file = np.random.default_rng(0).normal(size=(9, 2)), tmp_path / name

    def known(rows):
        write(file, rows)
        return known_samples(glimpse(file))

    before = known(X[:6])
    assert before == known(X[:6])
    assert only_appended(before, known(X))
    assert pool_change(before, known(X)) == PoolChange(added=3)
    assert not only_appended(before, known(X[::-1]))
    assert not only_appended(before, known(X[:5]))
    edited = X.copy()
    edited[2, 1] += 1e-9
    assert not only_appended(before, known(edited))


def test_texts_and_the_nodes_of_a_graph(tmp_path):
    texts = tmp_path / "t.csv"
    texts.write_text("id,text\na,one\nb,two\n")
    before = known_samples(glimpse(texts, text_column="text"))
    texts.write_text("id,text\nc,three\nb,two\na,won\n")
    assert pool_change(before, known_samples(glimpse(texts, text_column="text"))) == PoolChange(1, 0, 1)
    edges = tmp_path / "e.csv"
    edges.write_text("source,target\na,b\nb,c\nd,e\n")
    before = known_samples(glimpse(edges))
    edges.write_text("source,target\na,b\nb,c\nd,e\nf,e\n")
    assert pool_change(before, known_samples(glimpse(edges))) == PoolChange(1, 0, 1)  # e has a new neighbor

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.feature_extraction.text import TfidfVectorizer

from trigpoint.io import content, read_pool

WORDS = ["ant", "bee", "cat", "dog", "elk", "fox", "gnu", "hen", "ibis", "jay", "kite", "lynx", "mole"]


def pool(tmp_path, texts, **options):
    path = tmp_path / "t.csv"
    path.write_text("id,text\n" + "".join(f'{i},"{text}"\n' for i, text in enumerate(texts)))
    return read_pool(path, text_column="text", **options)


def test_few_words_are_plain_tfidf(tmp_path):
    texts = ["cat dog", "dog cat", "bee", "owl owl bee", "", "日本"]
    samples = pool(tmp_path, texts)
    assert samples.kind == "text"
    assert content(samples, 3) == {"id": "3", "text": "owl owl bee"}
    expected = TfidfVectorizer(sublinear_tf=True).fit_transform(texts).toarray()
    assert_allclose(samples.X, expected)
    assert_array_equal(samples.X[0], samples.X[1])
    assert not samples.X[4].any()


def test_many_words_are_reduced_to_a_sphere_and_repeat(tmp_path):
    rng = np.random.default_rng(0)
    texts = [" ".join(f"{rng.choice(WORDS)}{rng.integers(30)}" for _ in range(8)) for _ in range(300)]
    samples = pool(tmp_path, texts)
    assert samples.X.shape == (300, 100)
    assert_allclose(np.linalg.norm(samples.X, axis=1), 1)
    assert_array_equal(samples.X, pool(tmp_path, texts).X)
    assert pool(tmp_path, texts[:40]).X.shape == (40, 40)


def test_embeddings_beside_the_texts(tmp_path):
    np.save(tmp_path / "f.npy", np.eye(2))
    samples = pool(tmp_path, ["a", "b"], features=tmp_path / "f.npy")
    assert samples.kind == "text"
    assert_array_equal(samples.X, np.eye(2))


def test_bad_texts(tmp_path):
    with pytest.raises(ValueError, match=r"t\.csv must hold texts; all are blank"):
        pool(tmp_path, ["", " "])
    with pytest.raises(ValueError, match=r"t\.csv must hold words; got none that counts"):
        pool(tmp_path, ["!", "?"])
    (tmp_path / "t.csv").write_text("id,a\nx,1\n")
    with pytest.raises(ValueError, match=r"text_column must be a column of .*'id', 'a'.*got 'text'"):
        read_pool(tmp_path / "t.csv", text_column="text")

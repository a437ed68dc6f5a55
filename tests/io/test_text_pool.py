import numpy as np
import pytest
from numpy.testing import assert_array_equal

from trigpoint._errors import InputError
from trigpoint.features import fit_text, picture_recipe
from trigpoint.io import content, read_pool


def pool(tmp_path, texts, **options):
    path = tmp_path / "t.csv"
    path.write_text("id,text\n" + "".join(f'{i},"{text}"\n' for i, text in enumerate(texts)))
    return read_pool(path, text_column="text", **options)


def test_texts_become_features_by_a_recipe(tmp_path):
    texts = ["cat dog", "cat dog", "bee", "owl owl bee", "", "日本"]
    samples = pool(tmp_path, texts, text_features="words")
    assert samples.kind == "text"
    assert content(samples, 3) == {"id": "3", "text": "owl owl bee"}
    assert_array_equal(samples.X, fit_text(texts, "words").transform(texts))
    assert samples.recipe.method == "words"
    known = pool(tmp_path, texts)
    assert known.recipe.method == "embeddings"  # the extra is installed
    assert known.X.shape[1] == samples.X.shape[1] + 256
    assert known.fingerprint != samples.fingerprint


def test_new_texts_by_the_recipe_of_others(tmp_path):
    old = pool(tmp_path, ["a sea of salt", "a hill of stone", "the tide"])
    new = pool(tmp_path, ["the tide", "stone"], recipe=old.recipe)
    assert new.recipe is old.recipe
    assert_array_equal(new.X[0], old.X[2])
    alone = pool(tmp_path, ["the tide", "stone"])
    assert alone.fingerprint != new.fingerprint
    with pytest.raises(InputError, match=r"recipe must be one for texts, .* got one for images"):
        pool(tmp_path, ["a", "b"], recipe=picture_recipe((3, 4)))
    with pytest.raises(InputError, match="text_features must not be used together with recipe="):
        pool(tmp_path, ["a", "b"], recipe=old.recipe, text_features="words")
    with pytest.raises(InputError, match="text_features has no meaning without text_column="):
        read_pool(tmp_path / "t.csv", text_features="words")


def test_embeddings_beside_the_texts(tmp_path):
    np.save(tmp_path / "f.npy", np.eye(2))
    samples = pool(tmp_path, ["a", "b"], features=tmp_path / "f.npy")
    assert samples.kind == "text"
    assert_array_equal(samples.X, np.eye(2))


def test_bad_texts(tmp_path):
    with pytest.raises(ValueError, match=r"t\.csv must hold texts; all are blank"):
        pool(tmp_path, ["", " "])
    with pytest.raises(ValueError, match=r"t\.csv must hold words; got none that counts"):
        pool(tmp_path, [chr(0x4E00 + i) for i in range(1200)])
    (tmp_path / "t.csv").write_text("id,a\nx,1\n")
    with pytest.raises(ValueError, match=r"text_column must be a column of .*'id', 'a'.*got 'text'"):
        read_pool(tmp_path / "t.csv", text_column="text")

import json
import socket
import sys
from importlib.util import find_spec

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from reference import texts as reference
from trigpoint._errors import InputError
from trigpoint.features import (
    _text_recipe,
    _token_vectors,
    fit_text,
    fitted_text,
    recipe_digest,
    recipe_from,
    text_method,
)

some = st.lists(st.text(alphabet="ab A.é\n", max_size=9), min_size=1, max_size=6)
WORDS = ["ant", "bee", "cat", "dog", "elk", "fox", "gnu", "hen", "ibis", "jay", "kite", "lynx", "mole"]
ODD = ["", " ", "a", "!", "😀", "日本語の文", "x" * 300, "one two", "one two", "nul \0 and \ud800 half"]


def many(n=160, seed=0):
    rng = np.random.default_rng(seed)
    return [" ".join(f"{rng.choice(WORDS)}{rng.integers(30)}" for _ in range(8)) for _ in range(n)]


@given(some, some)
def test_few_pieces_match_the_definition(pool, new):
    pool = [*pool, "a b"]
    expected = reference.tfidf(pool, new, reference.pieces)
    if expected.shape[1] <= 100:
        assert_allclose(fit_text(pool, "words").transform(new), expected, atol=1e-6)


def test_many_pieces_lie_along_their_leading_directions():
    texts = many(60)
    weights = reference.tfidf(texts, texts, reference.pieces)
    U, s, _ = np.linalg.svd(weights, full_matrices=False)
    recipe, X = fitted_text(texts, "words")
    assert X.shape == (60, 60)  # as many as there are texts: nothing is lost
    assert_allclose(X @ X.T, (U * s) @ (U * s).T, atol=1e-5)
    assert recipe.method == "words"


@pytest.mark.parametrize("method", ["words", "embeddings"])
def test_features_are_points_of_the_sphere_that_do_not_depend_on_company(method):
    texts = [*many(), *ODD]
    recipe, X = fitted_text(texts, method)
    assert X.shape == (170, 100 if method == "words" else 356)
    assert X.dtype == np.float32
    assert_array_equal(recipe.transform(texts), X)
    assert_array_equal(recipe.transform(texts[7:8])[0], X[7])
    assert_array_equal(X[-3], X[-2])
    lengths = np.linalg.norm(X, axis=1)
    assert_allclose(lengths[:160], 1, rtol=1e-5)
    assert not X[160:162].any()  # blank
    assert np.isfinite(X).all()
    assert_array_equal(fit_text(texts, method).transform(texts), X)  # the same each time
    assert recipe.transform([]).shape == (0, X.shape[1])


@pytest.mark.parametrize("texts", [["one"], ["same", "same", "same"], ["!", "?"], ["😀"]])
def test_small_pools(texts):
    for method in ("words", "embeddings"):
        X = fit_text(texts, method).transform(texts)
        assert_allclose(np.linalg.norm(X, axis=1), 1, rtol=1e-5)


def test_directions_are_found_from_some_of_many_texts(monkeypatch):
    texts = many(300)
    monkeypatch.setattr(_text_recipe, "FITTED", 150)
    recipe, X = fitted_text(texts, "words")
    assert X.shape == (300, 100)
    assert_array_equal(recipe.transform(texts), X)


def test_a_very_long_text_is_cut():
    long = "harbor " * 150_000
    recipe = fit_text([long, "sea", "hill"], "embeddings")
    assert_array_equal(recipe.transform([long]), recipe.transform([long[:100_000]]))


@pytest.mark.parametrize("method", ["words", "embeddings"])
def test_a_recipe_comes_back_from_its_state(method):
    for texts in (["one two", "two three", "", "four"], many(120)):
        recipe = fit_text(texts, method)
        state = recipe.state()
        plain = {name: value for name, value in state.items() if not isinstance(value, np.ndarray)}
        again = recipe_from({**state, **json.loads(json.dumps(plain))})
        new = ["three two", "five", "elk7"]
        assert_array_equal(again.transform(new), recipe.transform(new))
        assert recipe_digest(again) == recipe_digest(recipe)
    assert recipe_digest(fit_text(["one"], method)) != recipe_digest(recipe)


def test_vectors_know_what_words_mean():
    recipe = fit_text(["the cat sleeps", "a kitten dreams", "pay the invoice", "rain"], "embeddings")
    cat, kitten, invoice = recipe.transform(["the cat sleeps", "a kitten dreams", "pay the invoice"])
    assert cat @ kitten > cat @ invoice + 0.2
    tokens = recipe.vectors.tokenizer.encode("the cat", add_special_tokens=False).ids
    assert_allclose(recipe.vectors.transform(["the cat"])[0], recipe.vectors.vectors[tokens].mean(axis=0))


def test_the_package_of_the_vectors_is_not_imported_and_nobody_is_asked(monkeypatch):
    def refuse(*_):
        raise AssertionError("the network")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    _token_vectors.token_vectors.cache_clear()
    fit_text(["some words"], "embeddings")
    assert "wordllama" not in sys.modules


def test_without_the_extra(monkeypatch):
    recipe = fit_text(["some words"], "embeddings")
    assert text_method() == recipe.method == "embeddings"
    state = recipe.state()
    with pytest.raises(InputError, match="needs the version of wordllama that it was made with"):
        recipe_from(state | {"vectors": "another"})
    monkeypatch.setattr(
        _token_vectors, "find_spec", lambda name: None if name == "wordllama" else find_spec(name)
    )
    assert fit_text(["some words"]).method == text_method() == "words"
    with pytest.raises(InputError, match=r'embeddings. needs wordllama; .* pip install "trigpoint\[text\]"'):
        fit_text(["some words"], "embeddings")
    with pytest.raises(InputError, match="a recipe with embeddings needs wordllama"):
        recipe_from(state)


def test_what_is_refused():
    with pytest.raises(InputError, match="texts must hold texts; all are blank"):
        fit_text(["", " \n"])
    with pytest.raises(InputError, match="texts must hold words; got none that counts"):
        fit_text(many(5) and [str(chr(0x4E00 + i)) for i in range(1200)], "words")  # no piece occurs twice
    with pytest.raises(InputError, match="text_features must be one of 'auto', 'words', 'embeddings'"):
        fit_text(["a"], "letters")

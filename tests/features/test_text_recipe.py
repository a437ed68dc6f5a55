import json

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from reference import texts as reference
from trigpoint.features import fit_text, recipe_from

texts = st.lists(st.text(alphabet="abc AB.é", max_size=12), min_size=1, max_size=8)


@given(texts, texts)
def test_few_words_match_the_definition(pool, new):
    pool = [*pool, "a b"]
    recipe = fit_text(pool)
    assert_allclose(recipe.transform(new), reference.tfidf(pool, new), atol=1e-12)


def test_a_recipe_comes_back_from_its_state():
    recipe = fit_text(["one two", "two three", "", "four"])
    state = recipe.state()
    plain = {name: value for name, value in state.items() if not isinstance(value, np.ndarray)}
    again = recipe_from({**state, **json.loads(json.dumps(plain))})
    new = ["three two", "five"]
    assert_array_equal(again.transform(new), recipe.transform(new))

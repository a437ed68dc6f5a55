import json

import numpy as np
import pytest

from trigpoint.features import EmbeddingRecipe, recipe_from


def test_the_state_is_plain_and_comes_back():
    recipe = EmbeddingRecipe("vector", 3)
    assert recipe_from(json.loads(json.dumps(recipe.state()))) == recipe
    assert recipe.kind == "table"


def test_new_samples_have_the_same_column():
    recipe, X = EmbeddingRecipe("vector", 3), np.ones((2, 3), np.float32)
    assert recipe.transform({"vector": X, "other": X * 2}) is X
    with pytest.raises(ValueError, match="columns must include the embedding 'vector' of the pool"):
        recipe.transform({"other": X})
    with pytest.raises(ValueError, match="column 'vector' must be lists of 3 numbers, as in the pool"):
        recipe.transform({"vector": X[:, :2]})

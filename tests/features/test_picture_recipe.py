import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal

from reference import pictures as reference
from trigpoint._errors import InputError
from trigpoint.features import _gradients, picture_recipe, recipe_digest, recipe_from

small = st.tuples(st.integers(1, 3), st.integers(1, 9), st.integers(1, 15)).flatmap(
    lambda shape: arrays(np.uint8, shape)
)


@given(small)
def test_gradients_match_the_definition(pixels):
    found = picture_recipe(pixels.shape[1:]).transform(pixels)
    assert found.shape == (len(pixels), 12 * 12 * 8)
    assert found.dtype == np.float32
    # a single precision direction may fall on the other side of a cut, where the shares are the same
    assert_allclose(found, [reference.gradients(picture) for picture in pixels], atol=2e-3)


def test_an_edge_by_hand():
    """One edge from dark to light, left to right: all of it has the first direction."""
    pixels = np.zeros((1, 24, 24), dtype=np.uint8)
    pixels[:, :, 12:] = 200
    found = picture_recipe((24, 24)).transform(pixels).reshape(12, 12, 8)
    assert not found[..., 1:].any()
    assert not found[:, [0, 1, 2, 3, 4, 7, 8, 9, 10, 11]].any()
    assert_allclose(found[:, 5:7, 0], 24**-0.5, rtol=1e-5)
    flipped = picture_recipe((24, 24)).transform(200 - pixels).reshape(12, 12, 8)
    assert_allclose(flipped[..., 4], found[..., 0], atol=1e-4)  # the other way round is another direction


def noise(shape, seed=0):
    return np.random.default_rng(seed).integers(0, 256, shape, dtype=np.uint8)


def test_light_and_contrast_do_not_matter_and_one_grey_is_zero():
    pixels = noise((3, 20, 16)) // 2
    recipe = picture_recipe((20, 16))
    found = recipe.transform(pixels)
    assert_allclose(recipe.transform(pixels + 100), found, atol=1e-5)
    assert_allclose(recipe.transform(pixels * 2), found, atol=1e-5)
    assert_allclose(np.linalg.norm(found, axis=1), 1, rtol=1e-5)
    assert not recipe.transform(np.full((2, 20, 16), 77, dtype=np.uint8)).any()
    assert recipe.transform(pixels[:0]).shape == (0, 1152)


def test_a_picture_does_not_depend_on_its_company(monkeypatch):
    pixels = noise((7, 9, 11))
    recipe = picture_recipe((9, 11))
    found = recipe.transform(pixels)
    assert_array_equal(recipe.transform(pixels[4:5])[0], found[4])
    assert_array_equal(recipe.transform(np.asfortranarray(pixels)), found)
    monkeypatch.setattr(_gradients, "BLOCK", 2)
    assert_array_equal(recipe.transform(pixels), found)
    assert_array_equal(recipe.transform(pixels.astype(np.float32)), found)


def test_pixels_are_pixels_and_color_is_kept():
    pixels = noise((2, 3, 4, 3))
    recipe = picture_recipe((3, 4), color=True)
    assert recipe.method == "pixels"
    assert_array_equal(recipe.transform(pixels), pixels.reshape(2, 36))
    assert recipe.transform(pixels).dtype == np.float32
    assert_array_equal(picture_recipe((3, 4), method="pixels").transform(pixels[..., 0]).shape, (2, 12))


@pytest.mark.parametrize(("method", "color"), [("gradients", False), ("pixels", False), ("pixels", True)])
def test_a_recipe_comes_back_from_its_state(method, color):
    recipe = picture_recipe((3, 4), color, method)
    again = recipe_from(json.loads(json.dumps(recipe.state())))
    assert again == recipe
    assert recipe_digest(again) == recipe_digest(recipe)
    assert recipe_digest(picture_recipe((4, 3), color, method)) != recipe_digest(recipe)


def test_what_is_refused():
    with pytest.raises(InputError, match=r"pixels must be pictures of 3 x 4; got shape \(2, 4, 3\)"):
        picture_recipe((3, 4)).transform(noise((2, 4, 3)))
    with pytest.raises(InputError, match="image_features must be one of 'auto', 'gradients', 'pixels'"):
        picture_recipe((3, 4), method="edges")
    with pytest.raises(InputError, match="image_features must be pixels for pictures in color"):
        picture_recipe((3, 4), True, "gradients")
    with pytest.raises(InputError, match="state must be the state of a recipe"):
        recipe_from({"kind": "sounds"})

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.preprocessing import OneHotEncoder, RobustScaler, StandardScaler

from trigpoint import InputError
from trigpoint.features import fit_table, recipe_from

rng = np.random.default_rng(0)
MASS = rng.normal(4000, 800, 60)
SHARE = rng.random(60)
COLOR = rng.choice(["red", "green", "blue"], 60).tolist()


def why(recipe):
    return {use.name: use.why for use in recipe.uses if use.use is None}


def used(recipe):
    return {use.name: use.use for use in recipe.uses if use.use is not None}


def test_robust_numbers_are_those_of_robust_scaler_bent():
    recipe = fit_table({"mass": MASS, "share": SHARE})
    scaled = RobustScaler(unit_variance=True).fit_transform(np.stack([MASS, SHARE], axis=1))
    expected = scaled / np.hypot(1, scaled / 3)
    assert_allclose(recipe.transform({"mass": MASS, "share": SHARE}), expected, rtol=1e-3, atol=1e-9)


def test_standard_numbers_are_those_of_standard_scaler():
    recipe = fit_table({"mass": MASS, "share": SHARE}, scale="standard")
    expected = StandardScaler().fit_transform(np.stack([MASS, SHARE], axis=1))
    assert_allclose(recipe.transform({"mass": MASS, "share": SHARE}), expected)


def test_categories_are_those_of_one_hot_encoder():
    recipe = fit_table({"color": COLOR, "mass": MASS})
    X = recipe.transform({"color": COLOR, "mass": MASS})
    assert recipe.feature_names == ("color=blue", "color=green", "color=red", "mass")
    assert_array_equal(X[:, :3], OneHotEncoder(sparse_output=False).fit_transform(np.array(COLOR)[:, None]))


def test_numbers_of_one_kind_stay_as_they_are():
    pixels = {str(j): rng.integers(0, 256, 50) * 1.0 for j in range(8)}
    assert_array_equal(fit_table(pixels).transform(pixels), np.stack(list(pixels.values()), axis=1))


def test_one_outlier_changes_little():
    far = MASS.copy()
    far[7] *= 1000
    plain, bent = (fit_table({"m": m, "s": SHARE}).transform({"m": m, "s": SHARE}) for m in (MASS, far))
    rest = np.arange(60) != 7
    assert np.abs(plain - bent)[rest].max() < 0.1
    assert np.abs(bent).max() <= 3


def test_mostly_zeros_have_a_spread():
    counts = np.where(rng.random(60) < 0.8, 0, rng.integers(1, 1000, 60)) * 1.0
    X = fit_table({"n": counts, "s": SHARE}).transform({"n": counts, "s": SHARE})[:, 0]
    assert not X[counts == 0].any()
    assert 0.5 < np.median(X[counts > 0]) < 1.5


def test_missing_numbers_are_the_median_and_are_marked():
    mass = MASS.copy()
    mass[:12] = np.nan
    recipe = fit_table({"mass": mass, "color": COLOR})
    X = recipe.transform({"mass": mass, "color": COLOR})
    assert recipe.feature_names[:2] == ("mass", "mass missing")
    assert_array_equal(X[:, 1], np.arange(60) < 12)
    assert_allclose(X[:12, 0], 0)
    mass[:1] = MASS[:1]
    assert "mass missing" not in fit_table({"mass": mass, "color": COLOR}).feature_names, "less than 20 %"


def test_missing_categories_are_a_category():
    color = ["NA", "?"] * 6 + COLOR[12:]
    recipe = fit_table({"color": color})
    assert recipe.feature_names[-1] == "color=missing"
    assert_array_equal(recipe.transform({"color": color})[:, -1], np.arange(60) < 12)


def test_few_missing_categories_are_as_far_from_one_as_from_any_other():
    color = ["NA"] * 5 + COLOR[5:]
    recipe = fit_table({"color": color})
    assert recipe.feature_names == ("color=blue", "color=green", "color=red")
    X = recipe.transform({"color": color})
    assert not X[:5].any()
    assert_array_equal(X[5:].sum(axis=1), 1)


def test_rare_categories_are_one():
    color = ["a"] * 300 + ["b"] * 280 + [f"c{i}" for i in range(20)] + ["NA"] * 9
    recipe = fit_table({"color": color})
    assert recipe.feature_names == ("color=a", "color=b", "color=other")
    assert not recipe.transform({"color": ["NA"]}).any()
    assert recipe.transform({"color": ["c3", "never seen", "a"]}).tolist() == [
        [0, 0, 1],
        [0, 0, 1],
        [1, 0, 0],
    ]


def test_what_is_left_out_and_why():
    columns = {
        "width": SHARE,
        "customer_id": rng.permutation(10**6)[:60] * 1.0,
        "row": np.arange(60.0),
        "site": ["Rome"] * 60,
        "version": np.ones(60),
        "nothing": ["", "NA"] * 30,
        "mail": [f"m{i}@x.org" for i in range(60)],
        "note": [f"she said {i} things about it" for i in range(60)],
        "visits": rng.permutation(10**6)[:60] * 1.0,
        "kind": COLOR,
        "code": [{"red": "R", "green": "G", "blue": "B"}[color] for color in COLOR],
    }
    recipe = fit_table(columns, labels=COLOR)
    assert why(recipe) == {
        "customer_id": "identifies the rows",
        "row": "counts the rows",
        "site": "constant",
        "version": "constant",
        "nothing": "empty",
        "mail": "all different",
        "note": "free text: --text-column note uses it",
        "kind": "says the same as the label",
        "code": "says the same as the label",
    }
    assert used(recipe) == {"width": "number", "visits": "number"}
    columns = {name: columns[name] for name in ("width", "row", "kind")}
    chosen = fit_table(columns, chosen=("row", "kind"), labels=COLOR)
    assert used(chosen) == {"width": "number", "row": "number", "kind": "category"}


def test_a_good_feature_is_no_leak():
    """It tells the classes apart, and has more to say."""
    labels = ["low" if x < 0.5 else "high" for x in SHARE]
    assert used(fit_table({"x": SHARE, "mass": MASS}, labels=labels)) == {"x": "number", "mass": "number"}


def test_numbers_that_count_are_features_if_there_is_nothing_else():
    assert used(fit_table({"row": np.arange(60.0), "site": ["Rome"] * 60})) == {"row": "number"}


def test_new_rows():
    columns = {
        "mass": MASS,
        "color": COLOR,
        "smoker": ["yes", "no"] * 30,
        "size": ["low", "high", "medium"] * 20,
    }
    recipe = fit_table(columns)
    new = {
        "extra": ["x", "y"],
        "size": ["HIGH", "enormous"],
        "smoker": ["NA", "Yes"],
        "color": ["violet", " red "],
        "mass": ["3,000", "NA"],
    }
    with pytest.raises(InputError, match=r"row 1, column 'mass': must be a number; got '3,000'"):
        recipe.transform(new)
    X = recipe.transform(new | {"mass": np.array([np.nan, 1e9])})
    by_name = dict(zip(recipe.feature_names, X.T.tolist(), strict=True))
    assert by_name["mass"][0] == pytest.approx(0, abs=1e-9)
    assert by_name["mass"][1] == pytest.approx(3, abs=1e-3)
    assert [by_name[f"color={c}"] for c in ("blue", "green", "red")] == [[0, 0], [0, 0], [0, 1]]
    assert by_name["smoker"][1] == pytest.approx(2**0.5)
    assert by_name["size"][0] > by_name["size"][1], "an unknown level is a missing one, the median"
    with pytest.raises(InputError, match="must have the columns of the pool; 'mass', 'color' are missing"):
        recipe.transform({"smoker": ["no"], "size": ["low"]})


def test_orders_that_are_known():
    recipe = fit_table(
        {"grade": ["B", "A", "C", "A"] * 10, "m": MASS[:40]}, orders={"grade": ["C", "B", "A"]}
    )
    X = recipe.transform({"grade": ["C", "B", "A"], "m": MASS[:3]})
    assert X[0, 0] < X[1, 0] < X[2, 0]
    assert recipe.uses[0].why == "c < b < a"


def test_words_among_numbers():
    cells = [str(i / 7) for i in range(40)]
    with pytest.raises(
        InputError, match=r"row 8, column 'a': must be a number, as 39 others .*drop=.* got 'ten'"
    ):
        fit_table({"a": [*cells[:7], "ten", *cells[8:]]})
    doors = ["2", "3", "4", "5more"] * 10
    assert used(fit_table({"doors": doors})) == {"doors": "category"}
    with pytest.raises(InputError, match="'a': may be a fraction or thousands"):
        fit_table({"a": ["1,234", "5,678"] * 9})
    with pytest.raises(InputError, match=r"row 2, column 'a': must be a finite number; got infinity"):
        fit_table({"a": np.array([1, np.inf, 2])})


def test_refused_choices():
    with pytest.raises(InputError, match="scale must be one of 'auto', 'robust', 'standard', 'none'"):
        fit_table({"a": MASS}, scale="minmax")
    with pytest.raises(InputError, match="missing must be one of"):
        fit_table({"a": MASS}, missing="drop")
    with pytest.raises(
        InputError, match="columns must name columns that can be features; 'mail' cannot: all"
    ):
        fit_table({"mail": [f"m{i}" for i in range(60)], "a": MASS}, chosen=["mail", "a"])
    with pytest.raises(InputError, match=r"row 3, column 'c': must not be missing.* got a missing value"):
        fit_table({"c": ["a", "b", "NA", "b", "a", "a"]}, missing="refuse")


CELLS = st.one_of(
    st.lists(st.sampled_from(["a", "b", "c", "NA", ""]), min_size=12, max_size=12),
    st.lists(st.sampled_from(["yes", "no", "?"]), min_size=12, max_size=12),
    st.lists(st.sampled_from(["2024-01-01", "2023-05-06 07:08", "nan"]), min_size=12, max_size=12),
    st.lists(st.floats(-1e300, 1e300) | st.just(float("nan")), min_size=12, max_size=12).map(np.array),
    st.lists(st.integers(-3, 3).map(float), min_size=12, max_size=12).map(np.array),
)


@given(
    st.dictionaries(st.sampled_from("abcd"), CELLS, min_size=1),
    st.sampled_from(["auto", "robust", "standard"]),
)
def test_features_are_finite_and_serve_each_row_alone(columns, scale):
    recipe = fit_table(columns, scale=scale)
    if not recipe.columns:
        return
    X = recipe.transform(columns)
    assert X.shape == (12, len(recipe.feature_names))
    assert np.isfinite(X).all()
    again = recipe_from(json.loads(json.dumps(recipe.state())))
    assert again == recipe
    some = {name: [cells[i] for i in (3, 7)] for name, cells in columns.items()}
    some = {n: np.array(c) if isinstance(columns[n], np.ndarray) else c for n, c in some.items()}
    assert_array_equal(again.transform(some), X[[3, 7]])


def test_a_state_of_another_kind_or_version_is_refused():
    with pytest.raises(InputError, match="must be the state of a recipe; got 'spell'"):
        recipe_from({"kind": "spell"})
    with pytest.raises(InputError, match="must be of version 1; got 99"):
        recipe_from({"kind": "table", "version": 99})


def test_one_row():
    recipe = fit_table({"a": np.array([5.0]), "b": ["x"]})
    assert recipe.transform({"a": np.array([5.0]), "b": ["x"]}).tolist() == [[5.0]]

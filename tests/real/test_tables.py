"""Tables as strangers have them, and what comes out."""

import numpy as np
import pandas as pd
import pytest

from trigpoint import InputError
from trigpoint.features import recipe_from, told_columns
from trigpoint.io import content, read_labels, read_pool

rng = np.random.default_rng(7)
N = 40


@pytest.fixture
def table(tmp_path):
    """Write a table of text, and read it."""

    def write(text, name="t.csv", **options):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return read_pool(path, **options)

    return write


def rows(*columns, head, separator=","):
    lines = [separator.join(map(str, cells)) for cells in zip(*columns, strict=True)]
    return "\n".join([separator.join(head), *lines]) + "\n"


def uses(samples):
    return {use.name: use.use or f"({use.why})" for use in samples.columns}


NUMBERS = [round(float(x), 3) for x in rng.normal(50, 9, N)]
OTHERS = [round(float(x), 6) for x in rng.random(N)]


@pytest.mark.parametrize("word", ["NA", "N/A", "n/a", "null", "None", "nan", "-", "?", "", "#N/A"])
def test_01_one_word_for_missing_among_numbers(table, word):
    cells = [*NUMBERS[:9], word, *NUMBERS[10:]]
    samples = table(rows(cells, OTHERS, head=["mass", "share"]))
    assert uses(samples) == {"mass": "number", "share": "number"}
    assert samples.X[9, 0] == pytest.approx(0), "the median"
    assert np.isfinite(samples.X).all()
    assert len(samples.ids) == N, "no row vanishes"


def test_02_penguins(table):
    """Numbers with holes, categories, a boolean in all but name."""
    mass = [*map(int, rng.normal(4200, 800, N - 8)), *["NA"] * 8]
    sex = ["male", "female", "NA", "male"] * 10
    island = ["Biscoe", "Dream"] * 20
    samples = table(rows(island, NUMBERS, mass, sex, head=["island", "bill_mm", "mass_g", "sex"]))
    assert samples.feature_names == (
        *("island=Biscoe", "island=Dream", "bill_mm", "mass_g", "mass_g missing"),
        *("sex=female", "sex=male", "sex=missing"),
    )
    assert samples.X[:, 4].sum() == 8
    assert (
        told_columns(samples.columns)
        == "columns used: 2 categories (island, sex), 2 numbers (bill_mm, mass_g)"
    )


def test_03_a_table_of_customers(table):
    text = rows(
        range(1000, 1000 + N),
        [f"{i}@shop.org" for i in range(N)],
        ["$1,234.50", "$7.00"] * 20,
        ["12%", "3.5%", "NA", "0%"] * 10,
        ["2024-03-01", "2023-12-24"] * 20,
        ["yes", "no", "no", "yes"] * 10,
        ["low", "medium", "high", "low"] * 10,
        ["EU"] * N,
        head=["customer_id", "mail", "spent", "discount", "since", "active", "tier", "market"],
    ).replace("$1,234.50", '"$1,234.50"')
    samples = table(text)
    assert uses(samples) == {
        "customer_id": "(counts the rows)",
        "mail": "(all different)",
        "spent": "number",
        "discount": "percentage",
        "since": "date",
        "active": "boolean",
        "tier": "ordered",
        "market": "(constant)",
    }
    assert content(samples, 0)["row"]["spent"] == "$1,234.50", "a person sees what the file says"
    plain = table(text, scale="none")
    assert plain.X[0, :3].tolist() == [1234.5, 12, 0]
    assert plain.X[0, 3] - plain.X[1, 3] == 68  # days


def test_04_european_excel(table):
    text = "gewicht;preis;land\n" + "".join(
        f"{i},5;1.{i:03d},25;{'DE' if i % 2 else 'FR'}\n" for i in range(N)
    )
    samples = table(text, scale="none")
    assert uses(samples) == {"gewicht": "number", "preis": "number", "land": "category"}
    assert samples.X[:, 0].tolist() == [i + 0.5 for i in range(N)]
    assert samples.X[3, 1] == 1003.25
    assert [use.why for use in samples.columns[:2]] == ["decimal commas", "decimal commas"]


def test_05_a_comma_that_may_mean_two_things(table):
    text = "a;b\n" + "".join(f"{i + 1},250;{i % 7}\n" for i in range(N))
    with pytest.raises(InputError, match=r"t\.csv, line 2, column 'a': may be a fraction or thousands"):
        table(text)
    salaries = "pay,b\n" + "".join(f'"{i % 9 + 31},250",{i % 7}\n' for i in range(N))
    assert table(salaries, scale="none").X[0].tolist() == [31250, 0], (
        "a comma separates the cells of this file"
    )


def test_06_outliers_and_other_units(table):
    far = [*NUMBERS[:-1], NUMBERS[-1] * 1000]
    samples = table(rows(far, [x * 1e-6 for x in OTHERS], head=["a", "b"]))
    assert np.abs(samples.X).max() <= 3
    spreads = samples.X[:-1].std(axis=0)
    assert 0.6 < spreads.min() <= spreads.max() < 1.2


def test_07_many_rare_categories(table):
    towns = ["Rome", "Oslo"] * 100 + [f"village {i // 2}" for i in range(30)]
    samples = table(rows(towns, rng.random(230), head=["town", "x"]))
    kept = [name for name in samples.feature_names if name.startswith("town=")]
    assert kept == ["town=Oslo", "town=Rome", "town=other"]


def test_08_free_text_is_left_out_with_a_word(table):
    notes = [f"the customer wrote {i} letters to us" for i in range(N)]
    samples = table(rows(NUMBERS, notes, head=["x", "comment"]))
    assert uses(samples)["comment"] == "(free text: --text-column comment uses it)"


def test_09_uuids_and_shuffled_numbers(table):
    uuids = [f"{i * 7919:08x}-aaaa-4bbb-8ccc-{i:012x}" for i in range(N)]
    samples = table(
        rows(
            uuids,
            rng.permutation(N) + 500,
            rng.permutation(10**6)[:N],
            NUMBERS,
            head=["uuid", "ticket", "orderId", "x"],
        )
    )
    assert uses(samples) == {
        "uuid": "(all different)",
        "ticket": "(counts the rows)",
        "orderId": "(identifies the rows)",
        "x": "number",
    }


def test_10_the_answer_beside_the_label(table):
    species = ["cat", "dog"] * 20
    code = [{"cat": 1, "dog": 2}[name] for name in species]
    good = [x + 30 * (name == "dog") for x, name in zip(OTHERS, species, strict=True)]
    text = rows(species, species, code, good, NUMBERS, head=["label", "animal", "animal_code", "height", "x"])
    assert uses(table(text)) == {
        "label": "(a label)",
        "animal": "(says the same as the label)",
        "animal_code": "(says the same as the label)",
        "height": "number",
        "x": "number",
    }


def test_11_flags_of_every_kind(table):
    text = rows(
        [0, 1] * 20,
        ["True", "False"] * 20,
        ["Y", "N", "", "Y"] * 10,
        [1, 2] * 20,
        NUMBERS,
        head=["bit", "flag", "answer", "code", "x"],
    )
    samples = table(text)
    assert uses(samples) == {
        "bit": "boolean",
        "flag": "boolean",
        "answer": "boolean",
        "code": "number",
        "x": "number",
    }
    assert set(samples.X[:, 0].tolist()) == {0, 2**0.5}
    assert "answer missing" in samples.feature_names


def test_12_surveys(table):
    text = rows(
        ["18-25", "<18", "26-35", "65+"] * 10,
        ["agree", "disagree", "neutral", "strongly agree"] * 10,
        ["1st", "2nd", "3rd", "2nd"] * 10,
        ["S", "M", "XL", "L"] * 10,
        NUMBERS,
        head=["age", "opinion", "place", "shirt", "x"],
    )
    samples = table(text, scale="none")
    assert uses(samples) == dict.fromkeys(("age", "opinion", "place", "shirt"), "ordered") | {"x": "number"}
    assert samples.X[:4, 0].tolist() == [21.5, 18, 30.5, 65]
    assert samples.X[:4, 1].tolist() == [2, 0, 1, 3]
    assert samples.X[:4, 3].tolist() == [0, 1, 3, 2]


def test_13_times(table):
    text = rows(
        [f"{i % 24:02d}:30" for i in range(N)],
        [f"2024-01-{i % 28 + 1:02d}T06:00:00Z" for i in range(N)],
        [f"{i % 28 + 1}/{i % 12 + 1}/2023" for i in range(N)],
        ["03/04/2024", "05/06/2024"] * 20,
        head=["clock", "stamp", "day", "either"],
    )
    samples = table(text, scale="none")
    assert uses(samples) == {"clock": "date", "stamp": "date", "day": "date", "either": "category"}
    assert samples.X[:2, 0].tolist() == [0.5, 1.5]


def test_14_a_typo_among_numbers_names_its_line(table):
    cells = [*NUMBERS[:5], "4o.1", *NUMBERS[6:]]
    with pytest.raises(
        InputError, match=r"t\.csv, line 7, column 'a': must be a number, as 39 others.*got '4o\.1'"
    ):
        table(rows(cells, OTHERS, head=["a", "b"]))
    assert uses(table(rows(cells, OTHERS, head=["a", "b"]), drop=["a"])) == {"a": "(dropped)", "b": "number"}


def test_15_pixels_keep_their_scale(table):
    pixels = rng.integers(0, 256, (N, 12))
    samples = table(rows(*pixels.T, head=[f"p{j}" for j in range(12)]))
    np.testing.assert_array_equal(samples.X, pixels)


def test_16_wide_tables_get_a_short_line(table):
    columns = [rng.normal(size=N) for _ in range(98)]
    text = rows(range(N), *columns, [1] * N, head=["customer_id", *(f"x{j}" for j in range(98)), "const"])
    assert told_columns(table(text).columns) == (
        "columns used: 98 numbers; left out: customer_id (counts the rows), const (constant)"
    )


def test_17_typed_files(tmp_path):
    frame = pd.DataFrame(
        {
            "when": pd.to_datetime(["2020-01-01", None, "2020-03-01", "2021-01-01"] * 10),
            "flag": pd.array([True, None, False, True] * 10, dtype="boolean"),
            "kind": pd.Categorical(["u", "v", None, "u"] * 10),
            "whole": pd.array([1, None, 3, 4] * 10, dtype="Int64"),
        }
    )
    frame.to_parquet(tmp_path / "t.parquet")
    samples = read_pool(tmp_path / "t.parquet")
    assert uses(samples) == {"when": "date", "flag": "boolean", "kind": "category", "whole": "number"}
    assert [name for name in samples.feature_names if name.endswith("missing")] == [
        *("when missing", "flag missing", "kind=missing", "whole missing")
    ]


def test_18_new_rows_from_another_file(table, tmp_path):
    first = table(rows(NUMBERS, ["1", "2", "x", "1"] * 10, ["yes", "no"] * 20, head=["mass", "code", "ok"]))
    new = tmp_path / "new.csv"
    new.write_text("extra,ok,code,mass\nq,NA,2,NA\nr,no,9,50\n")
    found = read_pool(new, recipe=first.recipe)
    assert found.feature_names == first.feature_names == ("mass", "code=1", "code=2", "code=x", "ok")
    assert found.X[:, 1:4].tolist() == [[0, 1, 0], [0, 0, 0]], (
        "2 is the category, though all cells are numbers"
    )
    assert found.columns == first.columns
    again = read_pool(new, recipe=recipe_from(first.recipe.state()))
    np.testing.assert_array_equal(again.X, found.X)
    assert again.fingerprint == found.fingerprint != read_pool(new).fingerprint
    new.write_text("ok,mass\nno,5\n")
    with pytest.raises(InputError, match=r"new\.csv must have the columns of the pool; 'code' is missing"):
        read_pool(new, recipe=first.recipe)
    new.write_text("ok,mass,code\nno,heavy,1\n")
    with pytest.raises(InputError, match=r"new\.csv, line 2, column 'mass': must be a number; got 'heavy'"):
        read_pool(new, recipe=first.recipe)
    with pytest.raises(InputError, match="scale must not be used together with recipe="):
        read_pool(new, recipe=first.recipe, scale="none")


def test_19_nothing_that_can_be_a_feature(table):
    with pytest.raises(
        InputError, match=r"must have a column that can be a feature .*'mail' \(all different\)"
    ):
        table(rows([f"a{i}" for i in range(N)], ["x"] * N, head=["mail", "site"]))


def test_20_chosen_and_dropped_columns(table):
    text = rows(range(N), NUMBERS, ["a", "b"] * 20, OTHERS, head=["n", "x", "kind", "y"])
    assert uses(table(text, columns=["n", "kind"])) == {
        "n": "number",
        "x": "(not chosen)",
        "kind": "category",
        "y": "(not chosen)",
    }
    assert uses(table(text, drop=["x"]))["x"] == "(dropped)"
    with pytest.raises(InputError, match="drop must be a column of"):
        table(text, drop=["z"])
    marks = {
        table(text, **options).fingerprint
        for options in ({}, {"scale": "none"}, {"drop": ["x"]}, {"missing": "refuse"})
    }
    assert len(marks) == 4, "each is another pool to the cache"


@pytest.mark.parametrize(
    ("values", "task", "said"),
    [
        (rng.permutation(3000)[:30] + 2700, "regression", "taken for quantities (task='classification'"),
        (np.arange(30) % 12, "classification", ""),
        (rng.permutation(40)[:30], "classification", "taken for classes (task='regression'"),
        (np.arange(30) % 3 * 1000, "classification", ""),
        (np.arange(30) / 7, "regression", ""),
    ],
)
def test_21_whole_numbers_as_labels(tmp_path, values, task, said):
    (tmp_path / "l.csv").write_text(rows(range(30), values, head=["id", "body_mass_g"]))
    ids = [str(i) for i in range(30)]
    found = read_labels(tmp_path / "l.csv", ids)
    np.save(tmp_path / "l.npy", values)
    assert found.task == read_labels(tmp_path / "l.npy", ids).task == task
    assert said in found.assumed if said else found.assumed == ""
    assert read_labels(tmp_path / "l.csv", ids, task="regression").assumed == ""

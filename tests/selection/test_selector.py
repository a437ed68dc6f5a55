"""The records of selectors: true of what the selectors do, and enough to refuse by."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import trigpoint as tp
from trigpoint.selection import METHODS, SELECTORS, check_method, check_needs, selector_of

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(scope="module")
def pool():
    X = np.random.default_rng(0).standard_normal((80, 3))
    return X, tp.neighbor_graph(X, 8)


def test_names():
    assert ("auto", *SELECTORS) == METHODS
    assert selector_of("auto") is SELECTORS["facility"]
    assert all(record.name == name for name, record in SELECTORS.items())
    with pytest.raises(KeyError):
        SELECTORS["auto"]
    with pytest.raises(tp.InputError, match="method must be one of 'auto', 'facility'") as refused:
        check_method("best", {})
    assert refused.value.argument == "method"


def test_the_names_alone_load_no_selector():
    code = (
        "import sys; from trigpoint.selection import METHODS; from trigpoint.alignment import ALIGNMENTS;"
        "print(len(METHODS), list(ALIGNMENTS)[0], sorted({'numpy', 'scipy', 'numba'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == f"{len(METHODS)} laplacian []"


@pytest.mark.parametrize("name", SELECTORS)
def test_what_is_not_needed_may_be_missing(pool, name):
    X, graph = pool
    needed = SELECTORS[name].needed({})
    given = {"X": X if "X" in needed else None, "graph": graph if "graph" in needed else None}
    assert len(tp.select(tp.laplacian(graph), 4, method=name, **given)) == 4
    for missing in needed:
        with pytest.raises(tp.InputError, match=f"must be given for method='{name}'; got None") as refused:
            tp.select(tp.laplacian(graph), 4, method=name, **{**given, missing: None})
        assert refused.value.argument == missing


def test_needs_that_options_make():
    assert SELECTORS["approx_dpp"].needed({}) == {"graph": ""}
    assert list(SELECTORS["approx_dpp"].needed({"neighbors": "all", "sigma": 2.0})) == ["X"]
    assert list(SELECTORS["approx_dpp"].needed({"sigma": "dimension"})) == ["graph", "X"]


@pytest.mark.parametrize("name", SELECTORS)
def test_whether_phi_counts(pool, name):
    """Two matrices on one graph: another choice for those that use phi, the same for all others."""
    X, graph = pool
    picks = [
        tp.select(phi, 12, method=name, X=X, graph=graph, random_state=3).tolist()
        for phi in (tp.laplacian(graph), tp.ltsa(graph, X, 2), tp.diffusion(graph))
    ]
    alike = [found == picks[0] for found in picks[1:]]
    assert alike == ([False, False] if SELECTORS[name].uses_phi else [True, True])


@pytest.mark.filterwarnings("ignore:X has rank 3")  # volume sampling, which only then is not nested
@pytest.mark.parametrize("name", SELECTORS)
def test_whether_it_is_nested(pool, name):
    X, graph = pool
    phi, differ = tp.laplacian(graph), 0
    for seed in range(4):
        longer, shorter = (
            tp.select(phi, count, method=name, X=X, graph=graph, random_state=seed) for count in (12, 2)
        )
        differ += longer[:2].tolist() != shorter.tolist()
    assert (differ == 0) == SELECTORS[name].is_nested(12)


def test_nested_up_to_a_number():
    assert SELECTORS["v_optimal"].is_nested(1000)
    assert not SELECTORS["v_optimal"].is_nested(1001)
    assert SELECTORS["gcls"].is_nested(10**6)


@pytest.mark.parametrize(
    ("method", "options", "argument"),
    [
        ("auto", {"power": 1}, "power"),
        ("nystrom", {"power": 3}, "power"),
        ("gcls", {"strategy": "x"}, "strategy"),
        ("gcls", {"strategy": "two_candidates", "ties": "spread"}, "ties"),
        ("gcls", {"alpha": 0}, "alpha"),
        ("mincond", {"radii": "x"}, "radii"),
        ("mincond", {"alpha": -1.0}, "alpha"),
        ("aligned", {"coverage": 2}, "coverage"),
        ("approx_dpp", {"sigma": "x"}, "sigma"),
        ("approx_dpp", {"neighbors": "x"}, "neighbors"),
        ("gaussian_field", {"prior": 0}, "prior"),
        ("v_optimal", {"alpha": 0}, "alpha"),
        ("sigma_optimal", {"alpha": "x"}, "alpha"),
        ("pivoted_cholesky", {"pivots": "x"}, "pivots"),
        ("pivoted_cholesky", {"alpha": 1e300}, "alpha"),
    ],
)
def test_options_are_refused_without_a_pool_as_by_select(pool, method, options, argument):
    X, graph = pool
    for refuse in (
        lambda: check_method(method, options),
        lambda: tp.select(tp.laplacian(graph), 2, method=method, X=X, graph=graph, **options),
    ):
        with pytest.raises(tp.InputError) as refused:
            refuse()
        assert refused.value.argument == argument


def test_pools_that_are_too_large():
    for name, record in SELECTORS.items():
        if record.limit is not None:
            check_needs(name, {}, record.limit, has_X=True, has_graph=True)
            with pytest.raises(tp.InputError, match=f"the limit is {record.limit}") as refused:
                check_needs(name, {}, record.limit + 1, has_X=True, has_graph=True)
            assert refused.value.argument == name
        else:
            check_needs(name, {}, 10**9, has_X=True, has_graph=True)


def test_the_words_about_methods_name_exactly_those_that_there_are():
    """In the docstring of select, and as rows of the table in docs/selection.md."""
    text = tp.select.__doc__.partition("method : str")[2].partition("X : (n, p)")[0]
    assert [name for name in METHODS if f'"{name}"' not in text] == []
    page = (DOCS / "selection.md").read_text()
    rows = {line.split("`")[1] for line in page.splitlines() if line.startswith("| `")}
    assert set(SELECTORS) <= rows

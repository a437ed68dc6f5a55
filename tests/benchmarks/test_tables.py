"""Tables of pages are those of stored results, and figures that a page states are those that were found."""

import sys
from pathlib import Path

import pytest

from docs.said import NUMBER, rounds_to

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT / "benchmarks"))  # last: names of tests come first

from _figures import Figure  # noqa: E402
from _promises import HERE, PROMISES  # noqa: E402
from _tables import (  # noqa: E402
    TABLES,
    duration,
    figure_of,
    full,
    share,
    stored_results,
    unstored,
    with_rows,
    written,
)

RESULTS = stored_results()
STATED = [
    one
    for one in PROMISES
    if one.page != HERE and NUMBER.findall(one.words) and one.figure in full(RESULTS, one.benchmark)
]


@pytest.mark.parametrize("page", sorted({table.page for table in TABLES}))
def test_a_page_has_the_tables_that_its_stored_figures_make(page):
    text = (ROOT / page).read_text()
    assert written(text, page, RESULTS) == text, "write it anew: ./dev bench all --table --write-docs"


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.head)
def test_a_table_is_where_it_is_looked_for(table):
    text = (ROOT / table.page).read_text()
    assert with_rows(text, table.head, [["new"]]).count("\n| new |\n") == 1


def test_some_tables_are_stored():
    assert len(unstored(RESULTS)) < len(TABLES)


@pytest.mark.parametrize("one", STATED, ids=lambda one: f"{one.page}: {one.words}")
def test_the_words_of_a_page_state_what_was_found(one):
    figure = full(RESULTS, one.benchmark)[one.figure]
    found = [value for value in (figure.value, figure.ratio, figure.peer_value) if value is not None]
    numbers = [text.replace(",", "") for text in NUMBER.findall(one.words)]
    assert any(rounds_to(value, text) for value in found for text in numbers), figure.line()


def test_rows_take_the_place_of_rows():
    text = "before\n| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n\nafter\n| a | c |\n"
    made = "before\n| a | b |\n|---|---|\n| 5 | 6 |\n\nafter\n| a | c |\n"
    assert with_rows(text, "| a | b |", [["5", "6"]]) == made


def test_quick_figures_and_runs_that_failed_write_nothing():
    record = Figure("a", 1.0).record()
    assert full({"one": {"quick": False, "figures": [record]}}, "one").keys() == {"a"}
    assert full({"one": {"quick": True, "figures": [record]}}, "one") == {}
    assert full({"one": {"quick": False, "failed": "why", "figures": [record]}}, "one") == {}
    assert full({}, "one") == {}


def test_numbers_are_written_as_people_read_them():
    assert [share(value) for value in (0.3744, 0.0, 1.0249)] == [".374", "0", "1.025"]
    assert [figure_of(value) for value in (8.71, 159.3, 85_170.0)] == ["8.7", "159", "85,200"]
    assert [duration(value) for value in (0.594, 3.67, 206.0, 480.8)] == [
        "0.6 s",
        "4 s",
        "206 s",
        "8 minutes",
    ]

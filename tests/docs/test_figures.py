"""Figures that pages repeat from the tables of long runs, or from drawings, are those that stand there."""

import re
import sys

import pytest

from docs.pages import ROOT, WRITTEN, path_of

sys.path.append(str(ROOT / "benchmarks"))  # last: names of tests come first

from _promises import PROMISES, UNREPEATED
from _tables import TABLES

WAYS = {  # row of the README -> row of the stored table
    "logistic regression on the same labels": "÷ logistic regression, our labels",
    "logistic regression on labels at k-means centers": "÷ logistic regression, k-means labels",
    "the best of SVM, 1-NN, LabelSpreading and graphlearning for each pool, on the same labels": (
        "÷ best peer of each pool, our labels"
    ),
    "trigpoint on random labels": "÷ ours, random labels",
}


def _tables(path):
    """Every table of a page: the title of a row -> its cells."""
    found = []
    for table in re.findall(r"^\|.*\n\|[-:| ]+\|\n((?:\|.*\n)+)", (ROOT / path).read_text(), re.MULTILINE):
        rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()]
        found.append({title: cells for title, *cells in rows})
    return found


STORED, BY_BUDGET = _tables("docs/bakeoff/endtoend/README.md")[:2]


def test_the_table_of_the_readme_is_that_of_the_run():
    (said,) = [table for table in _tables("README.md") if "trigpoint on random labels" in table]
    assert {way: cells[0] for way, cells in said.items()} == {
        way: STORED[row][6].split()[0] for way, row in WAYS.items()
    }


def test_the_tables_of_the_evidence_are_those_of_the_run():
    whole, by_budget = _tables("docs/bakeoff.md")[:2]
    assert by_budget == BY_BUDGET
    expected = {}
    for title, (own, _, outside, _, unseen, _, together, worst, goal) in STORED.items():
        counts = [int(re.search(r", (\d+)\)", cell)[1]) for cell in (own, outside, unseen, together)]
        assert counts == [15, 16, 20, 51]  # as the heads of the columns say
        cells = [re.sub(r", \d+\)", ")", cell) for cell in (own, outside, unseen, together)]
        expected[title] = [*cells, worst, goal]
    assert whole == expected


def test_the_words_for_a_drawing_say_what_stands_in_it():
    compared = []
    for page in sorted((ROOT / "docs/method").glob("*.md")):
        for words, name in re.findall(r"!\[([^]]*)\]\((\w+\.svg)\)", page.read_text()):
            drawn = " ".join(re.findall(r">([^<>]+)</text>", (page.parent / name).read_text()))
            for number in re.findall(r"\d+\.\d+", words):
                assert re.search(rf"(?<![\d.]){re.escape(number)}(?!\d)", drawn), (
                    f"{name} does not show {number}"
                )
                compared.append(number)
    assert len(compared) >= 5


MADE = ("docs/performance.md", "docs/reproduction", "docs/bakeoff/")  # written by runs, or tested elsewhere
COMPARED = {  # first lines of tables that the tests above compare, and of tables without measurements
    "| trigpoint ÷ … | 51 pools |",
    "|  | 15 own pools | 16 outside pools",
    "|  | 20 | 50 | 100 | 200 |",
    "| call | samples | values | drawn uniformly |",
    "| use | cells | features |",
}


def _with_measurements(page):
    """Tables of at least four numbers with decimals, units or percents."""
    if path_of(page).startswith(MADE):
        return []
    found = re.findall(r"^\|.*\n\|[-:| ]+\|\n(?:\|.*\n)+", page.read_text(), re.MULTILINE)
    measured = r"(?<![\w.`])(?:\d*\.\d+|\d+ (?:%|s|ms|GB|MB|kB)(?!\w))(?![\w`])"
    return [table for table in found if len(re.findall(measured, re.sub(r"`[^`]*`", "", table))) >= 4]


@pytest.mark.parametrize("page", WRITTEN, ids=path_of)
def test_a_table_of_measurements_has_a_source(page):
    """A stored run, a promise about a figure of it, or the list of what was measured once."""
    name = path_of(page)
    words = [one.words for one in PROMISES if one.page == name]
    words += [said for where, said in UNREPEATED if where == name]
    heads = (*(table.head for table in TABLES if table.page == name), *COMPARED)
    for table in _with_measurements(page):
        text = " ".join(table.split())
        assert table.startswith(heads) or any(some in text for some in words), table.splitlines()[0]

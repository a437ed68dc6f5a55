"""Figures that pages repeat from the tables of long runs are those of the tables."""

import re

from docs.pages import ROOT

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

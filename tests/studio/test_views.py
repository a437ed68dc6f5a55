"""Lists of samples: the least sure, and those that hold a word."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trigpoint.io import read_pool
from trigpoint.studio._views import holding, least_sure


def test_by_falling_doubt_without_those_known():
    assert least_sure(np.array([0.1, 0.9, 0.5, 0.9]), [1], 2) == [3, 2]
    assert least_sure(np.array([0.1, 0.9]), [0, 1], 5) == []


@given(st.lists(st.integers(0, 3), min_size=1), st.sets(st.integers(0, 20)), st.integers(0, 10))
def test_least_sure_is_the_definition(doubts, known, limit):
    known = {i for i in known if i < len(doubts)}
    rest = [i for i in range(len(doubts)) if i not in known]
    expected = sorted(rest, key=lambda i: (-doubts[i], i))[:limit]
    assert least_sure(np.array(doubts, dtype=np.float32), known, limit) == expected


@pytest.fixture
def texts(tmp_path):
    file = tmp_path / "pool.csv"
    file.write_text("id,body\na1,The HERON stands\nb2,a duck\nc3,Straße\nheron4,nothing\n")
    return read_pool(file, text_column="body")


def test_words_are_found_in_ids_and_texts_in_any_case(texts):
    assert holding(texts, "heron", 50) == ([0, 3], 2)
    assert holding(texts, "STRASSE", 50) == ([2], 1)
    assert holding(texts, "heron", 1) == ([0], 2)
    assert holding(texts, "goose", 9) == ([], 0)


def test_cells_of_tables_are_searched(tmp_path):
    file = tmp_path / "pool.csv"
    file.write_text("id,x,y,note\n1,1,2,green\n2,3,4,red\n")
    assert holding(read_pool(file), "RED", 5) == ([1], 1)

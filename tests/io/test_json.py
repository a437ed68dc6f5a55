"""JSON one record at a time: the same records and the same refusals as all at once."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trigpoint.io import write_records
from trigpoint.io._json import load_records

cells = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
)
values = st.recursive(
    cells, lambda more: st.lists(more, max_size=3) | st.dictionaries(st.text(), more, max_size=3)
)
records = st.lists(st.dictionaries(st.text(), values, max_size=4), min_size=1, max_size=6)


@given(records, st.sampled_from([None, 1, "\t"]), st.sampled_from(["", " \r\n\t"]), st.booleans())
def test_records_are_those_of_the_list(tmp_path_factory, found, indent, blanks, ascii_only):
    path = tmp_path_factory.mktemp("json") / "x.json"
    text = json.dumps(found, indent=indent, ensure_ascii=ascii_only)
    path.write_bytes((blanks + text + blanks).encode(errors="surrogatepass"))
    assert load_records(path) == found


@given(st.text(st.sampled_from('[]{},:"1a \n'), max_size=12))
def test_what_is_refused_is_what_the_parser_refuses(tmp_path_factory, text):
    path = tmp_path_factory.mktemp("json") / "x.json"
    path.write_text(text)
    try:
        expected = json.loads(text)
    except ValueError:
        expected = None
    if isinstance(expected, list) and expected and all(isinstance(r, dict) for r in expected):
        assert load_records(path) == expected
    else:
        with pytest.raises(ValueError, match=r"x\.json must"):
            load_records(path)


@given(st.lists(st.dictionaries(st.text(), cells, max_size=4), max_size=6), st.booleans())
def test_what_is_written_can_be_read(tmp_path_factory, found, lines):
    path = tmp_path_factory.mktemp("json") / "x.json"
    write_records(path, iter(found), lines=lines)
    text = path.read_text()
    assert (
        [json.loads(line) for line in text.split("\n") if line] == found
        if lines
        else json.loads(text) == found
    )
    assert text == "" if lines and not found else text.endswith("\n")


def test_nothing_is_left_of_a_file_that_cannot_be_written_to_the_end(tmp_path):
    with pytest.raises(ValueError, match="not JSON compliant"):
        write_records(tmp_path / "x.json", [{"a": 1}, {"a": float("nan")}])
    assert list(tmp_path.iterdir()) == []

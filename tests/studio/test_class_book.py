"""The keys, lines and order of classes, as the server keeps them."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import trigpoint.studio
from trigpoint.studio._class_book import COMMANDS, ClassBook, ClassInfo
from trigpoint.studio._events import Draft, Event, Settings
from trigpoint.studio._state import State

KEYMAP = Path(trigpoint.studio.__file__).parent / "static" / "store" / "keymap.js"


def test_the_page_and_the_server_know_the_same_commands():
    listed = re.search(r"const COMMANDS = \{(.*?)\};", KEYMAP.read_text(), re.DOTALL)[1]
    assert set(re.findall(r'^\s*"?([^\s":])"?:', listed, re.MULTILINE)) == set(COMMANDS)


@pytest.mark.parametrize(
    ("key", "why"),
    [
        ("u", f"key must be none of {' '.join(COMMANDS)}, which are commands of the page; got 'u'."),
        ("X", "key must be a small letter, a digit or a sign; got 'X'."),
        (" ", "key must be a small letter, a digit or a sign; got ' '."),
        ("q", "key must be free; 'q' is the key of 'cat'."),
        ("xy", "key must be one character; got 'xy'."),
    ],
)
def test_keys_that_are_taken_are_refused_with_a_sentence(key, why):
    state = State(Settings(classes=("cat", "dog")), ["s0"])
    state.apply(Event(1, 0.0, "describe", "ada", None, "c1", {"name": "cat", "text": "", "key": "q"}))
    draft = Draft("describe", "ada", None, "c2", {"name": "dog", "text": "", "key": key})
    assert state.check(draft) == why
    own = Draft("describe", "ada", None, "c3", {"name": "cat", "text": "meows", "key": "q"})
    assert state.check(own) is None, "a class may keep its own key"


def test_a_class_takes_its_line_and_key_along_and_gets_them_back():
    book = ClassBook(["cat", "dog"])
    info = ClassInfo("meows", "s0", "q")
    book.describe("cat", info)
    book.rename("cat", "Katze")
    assert book.infos == {"Katze": info}
    merged = book.rename("Katze", "dog")
    assert book.infos == {}
    book.undo(merged)
    assert book.infos == {"Katze": info}


def test_a_key_that_was_given_to_another_class_since_is_not_taken_back():
    book = ClassBook(["cat", "dog"])
    book.describe("cat", ClassInfo("meows", None, "q"))
    merged = book.rename("cat", "dog")
    book.describe("dog", ClassInfo("", None, "q"))
    book.undo(merged)
    assert book.infos == {"cat": ClassInfo("meows"), "dog": ClassInfo("", None, "q")}


names = st.lists(st.sampled_from("abcdef"), max_size=6)


@given(names, names)
def test_an_order_keeps_every_class_once(classes, asked):
    book = ClassBook(classes)
    before = book.names
    book.order(asked)
    assert sorted(book.names) == sorted(before)
    first = [name for name in dict.fromkeys(asked) if name in before]
    assert list(book.names[: len(first)]) == first
    rest = [name for name in before if name not in first]
    assert list(book.names[len(first) :]) == rest

"""`--tags` and `--guide`: what is refused before anything starts, and what is written first."""

import pytest

from trigpoint._errors import InputError
from trigpoint.cli import _studio_setup
from trigpoint.io import glimpse
from trigpoint.studio import Settings, State
from trigpoint.studio._open import open_studio


def test_tags_are_a_kind_of_label_of_their_own():
    assert _studio_setup.label_settings(None, None, None, ["a", "b"]) == {
        "task": "tags",
        "classes": ("a", "b"),
    }
    with pytest.raises(InputError, match="--classes and --tags must not be used together"):
        _studio_setup.label_settings(["a"], None, None, ["b"])
    with pytest.raises(InputError, match="--tags must be distinct names of 1 to 200 characters; got 'a'"):
        _studio_setup.label_settings(None, None, None, ["a", "a"])


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"\xff\xfe\x00", "--guide must be a text file in UTF-8; got "),
        (b"x" * 20_001, "--guide must be text of at most 20,000 characters; got 'xxx"),
        (b"a\x00b", "--guide must hold no NUL; got "),
    ],
)
def test_files_that_are_no_guidelines_are_refused(tmp_path, content, why):
    file = tmp_path / "guide.md"
    file.write_bytes(content)
    with pytest.raises(InputError, match=why):
        _studio_setup.read_guide(file)
    with pytest.raises(InputError, match="--guide must be a file that can be read"):
        _studio_setup.read_guide(tmp_path)


def test_guidelines_are_written_where_they_differ(tmp_path):
    file = tmp_path / "pool.csv"
    file.write_text("id,x\na,1\nb,2\n")
    samples = glimpse(file)
    store, settings = open_studio(tmp_path / "s.db", samples, Settings(), [])

    def first(guide):
        state = State(settings, samples.ids.tolist())
        for event in store.events():
            state.apply(event)
        drafts = _studio_setup.first_drafts(store, settings, settings, [], state, samples, None, guide)
        store.append(drafts)
        return [(draft.kind, draft.body) for draft in drafts]

    try:
        assert first("Be kind.") == [("guide", {"text": "Be kind."})]
        assert first("Be kind.") == []
        assert first(None) == []
        assert first("") == [("guide", {"text": ""})]
    finally:
        store.close()


def test_a_mark_of_order_before_the_text_is_no_part_of_it(tmp_path):
    file = tmp_path / "guide.md"
    file.write_bytes("\ufeff# Häuser\r\n".encode())
    assert _studio_setup.read_guide(file) == "# Häuser\n"

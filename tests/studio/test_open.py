"""A store is found again, and agrees with what is asked for."""

import shutil

import pytest

from trigpoint._errors import InputError
from trigpoint.io import read_pool
from trigpoint.studio._events import Draft, Settings
from trigpoint.studio._open import default_store, open_studio
from trigpoint.studio._pool_change import PoolChange


def pool(folder, rows, name="pool.csv"):
    file = folder / name
    file.write_text("\n".join(["x,y" if rows[0].count(",") == 1 else "id,x,y", *rows]) + "\n")
    return read_pool(file)


ROWS = [f"s{i},{i},{i * i}" for i in range(6)]
NUMBERED = [f"{i},{i * i}" for i in range(6)]


def test_the_store_lies_beside_the_pool(tmp_path):
    assert default_store(tmp_path / "a.csv") == tmp_path / "a.csv.trigpoint.db"
    assert default_store(tmp_path / "photos/") == tmp_path / "photos.trigpoint.db"


def test_its_own_settings_hold_when_it_is_opened_again(tmp_path):
    samples, path = pool(tmp_path, ROWS), tmp_path / "s.db"
    begun = Settings(classes=("a", "b"), budget=7, overlap=2)
    store, settings = open_studio(path, samples, begun, ["classes", "budget"])
    assert settings == begun
    name = store.about["id"]
    store.close()
    store, settings = open_studio(path, samples, Settings(budget=9, n_neighbors=3), ["budget", "n_neighbors"])
    assert settings == Settings(classes=("a", "b"), budget=7, overlap=2, n_neighbors=3)
    assert store.about["id"] == name
    store.close()


@pytest.mark.parametrize(
    ("asked", "given", "sentence"),
    [
        (Settings(overlap=3), "overlap", r"--overlap must be 1, as when .*s\.db was created; got 3\."),
        (
            Settings(task="regression", targets=("x",)),
            "task",
            "task must be classification, .* got regression",
        ),
        (Settings(view="raw"), "view", r"--view must be auto, as when .*s\.db was created; got raw\."),
        (Settings(points=("nose", "eye")), "points", "--points must be none, .* got nose,eye"),
    ],
)
def test_what_contradicts_the_store_is_refused_and_the_store_let_go(tmp_path, asked, given, sentence):
    samples, path = pool(tmp_path, ROWS), tmp_path / "s.db"
    open_studio(path, samples, Settings(), [])[0].close()
    with pytest.raises(ValueError, match=sentence):
        open_studio(path, samples, asked, [given])
    open_studio(path, samples, asked, [])[0].close()


def test_a_new_metric_must_fit_the_view_of_the_store(tmp_path):
    samples, path = pool(tmp_path, ROWS), tmp_path / "s.db"
    open_studio(path, samples, Settings(view="white"), ["view"])[0].close()
    with pytest.raises(ValueError, match=r"view must be 'auto' or 'raw' with metric='cosine'; got 'white'\."):
        open_studio(path, samples, Settings(metric="cosine"), ["metric"])
    store, settings = open_studio(path, samples, Settings(), [])
    assert (settings.view, settings.metric) == ("white", "euclidean")
    store.close()


def test_a_pool_with_ids_may_change(tmp_path):
    path = tmp_path / "s.db"
    store, _ = open_studio(path, pool(tmp_path, ROWS), Settings(), [])
    store.append([Draft("label", "ann", "s3", "c1", {"value": "a"})])
    store.close()
    store, _ = open_studio(path, pool(tmp_path, [*ROWS[2:], "s9,9,81"]), Settings(), [])
    assert [event.sample for event in store.events()] == ["s3"]
    store.close()


def test_what_has_changed_is_counted_once(tmp_path):
    path = tmp_path / "s.db"
    store, _ = open_studio(path, pool(tmp_path, ROWS), Settings(), [])
    assert store.about["change"] == PoolChange()
    store.close()
    after = ["s9,9,81", *reversed(ROWS[1:]), "s7,7,49"]
    after[1] = "s5,5,26"
    store, _ = open_studio(path, pool(tmp_path, after), Settings(), [])
    assert store.about["change"] == PoolChange(added=2, gone=1, changed=1)
    store.close()
    store, _ = open_studio(path, pool(tmp_path, after), Settings(), [])
    assert store.about["change"] == PoolChange()
    store.close()


def test_rows_without_ids_may_come_after_the_others(tmp_path):
    path = tmp_path / "s.db"
    for rows, added in ((NUMBERED, 0), ([*NUMBERED, "7,7", "8,9"], 2), ([*NUMBERED, "7,7", "8,9", "1,1"], 1)):
        store, _ = open_studio(path, pool(tmp_path, rows), Settings(), [])
        assert store.about["change"] == PoolChange(added=added)
        store.close()
    for rows in (NUMBERED, [*NUMBERED, "7,8", "8,9", "1,1", "2,2"]):
        with pytest.raises(InputError, match="must keep the rows"):
            open_studio(path, pool(tmp_path, rows), Settings(), [])


def test_another_pool_is_not_taken_for_a_change(tmp_path):
    path = tmp_path / "s.db"
    open_studio(path, pool(tmp_path, ROWS), Settings(), [])[0].close()
    open_studio(path, pool(tmp_path, ["z1,1,2", "z2,2,3"]), Settings(), [])[0].close()
    store, _ = open_studio(path, pool(tmp_path, [*ROWS, "s7,7,49"]), Settings(), [])
    assert store.about["change"] == PoolChange(added=1)
    store.close()


@pytest.mark.parametrize(("before", "after"), [(NUMBERED, NUMBERED[1:]), (NUMBERED, ROWS), (ROWS, NUMBERED)])
def test_a_pool_of_row_numbers_must_not_change_otherwise(tmp_path, before, after):
    path = tmp_path / "s.db"
    open_studio(path, pool(tmp_path, before), Settings(), [])[0].close()
    with pytest.raises(
        ValueError, match=r"must keep the rows .* to match labels by: add new rows at the end, or give --id-c"
    ):
        open_studio(path, pool(tmp_path, after), Settings(), [])
    open_studio(path, pool(tmp_path, before), Settings(), [])[0].close()


@pytest.mark.parametrize(("flag", "name"), [("--id-column", "id_column"), ("--key", "key")])
def test_what_tells_samples_apart_must_stay(tmp_path, flag, name):
    samples, path = pool(tmp_path, ROWS), tmp_path / "s.db"
    open_studio(path, samples, Settings(), [], {name: "a", "color": True})[0].close()
    open_studio(path, samples, Settings(), [], {name: "a"})[0].close()
    with pytest.raises(ValueError, match=f"{flag} must be 'a', as .* got 'b'"):
        open_studio(path, samples, Settings(), [], {name: "b"})
    with pytest.raises(ValueError, match=f"{flag} must be 'a', as .* got nothing"):
        open_studio(path, samples, Settings(), [])


def test_a_pool_may_move(tmp_path):
    path = tmp_path / "s.db"
    open_studio(path, pool(tmp_path, NUMBERED), Settings(), [])[0].close()
    shutil.move(tmp_path / "pool.csv", tmp_path / "other.csv")
    open_studio(path, read_pool(tmp_path / "other.csv"), Settings(), [])[0].close()

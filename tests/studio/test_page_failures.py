"""When the server dies or cannot write, the page keeps the labels, says so, and sends them later, once."""

import re
import shutil
from contextlib import suppress

import pytest
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError
from playwright.sync_api import expect

from studio import pools
from studio.pools import DIGITS, digit_of
from studio.running import Since

REQUESTS = "Failed to load resource"  # what the browser says of each request that fails
# A browser that keeps no unsent labels.
FULL = """{
  const write = Storage.prototype.setItem;
  Storage.prototype.setItem = function (key, value) {
    if (key.startsWith("trigpoint:unsent")) throw new DOMException("full", "QuotaExceededError");
    write.call(this, key, value);
  };
}"""


@pytest.fixture(scope="module")
def for_all(shared_studio, digits):
    return shared_studio(digits, "--budget", "300", "--classes", DIGITS)


@pytest.fixture
def running(for_all):
    if not for_all.runs:  # after a test that failed
        for_all.start()
    for_all.wait_until(lambda state: state["waiting"] > 20)  # so that the page can fetch ahead
    return Since(for_all)


@pytest.fixture
def ada(running, join, request):
    ada = join(running, request.node.name)
    ada.forgives(REQUESTS)
    return ada


def is_told(person, sentence):
    expect(person.page.get_by_role("alert").filter(has_text=sentence)).to_be_visible()


def retry(person):
    """Press the button, unless the page was faster: it also tries by itself, after 1 to 15 seconds."""
    with suppress(PlaywrightTimeoutError):
        person.button("Retry now").click(timeout=2000)


def check_once(running, told):
    """All labels are there, and none was written twice."""
    assert running.labels() == told
    assert sorted(event["sample"] for event in running.events("label")) == sorted(told)


@pytest.mark.slow
def test_killed_server(running, ada):
    told = ada.label(5, digit_of)
    ada.is_saved()
    running.kill()
    told |= ada.label(4, digit_of)  # from those fetched ahead
    is_told(ada, "does not answer")
    expect(ada.page.get_by_text("not saved: 4 wait")).to_be_visible()
    ada.shoot("no_server")

    running.start()
    retry(ada)
    ada.is_saved()  # its link is the same, and so is the cookie
    check_once(running, told)

    running.kill()
    told |= ada.label(1, digit_of)
    running.start("--new-link")
    retry(ada)
    is_told(ada, "open the link of the studio again")
    expect(ada.page.get_by_text("not saved: 1 wait")).to_be_visible()
    ada.shoot("new_link")
    told |= ada.label(1, digit_of)

    ada.enter_again(running)
    ada.is_saved()
    check_once(running, told)
    told |= ada.label(3, digit_of)
    ada.is_saved()
    check_once(running, told)


@pytest.mark.slow
def test_killed_in_the_middle_and_reopened_beside(running, ada):
    """Labels of the last moment may or may not have been written; two tabs then send the same ones."""
    told = ada.label(6, digit_of)
    running.kill()
    told |= ada.label(1, digit_of)
    running.start()
    beside = ada.context.new_page()
    beside.goto(running.url)
    expect(beside.get_by_text("saved", exact=True)).to_be_visible()
    # The first tab goes on by itself: the cookie of the new one serves both.
    ada.is_saved()
    expect(ada.page.get_by_role("alert")).to_have_count(0)
    check_once(running, told)
    told |= ada.label(2, digit_of)
    ada.is_saved()
    check_once(running, told)


def test_full_disk(running, ada):
    told = ada.label(3, digit_of)
    ada.is_saved()
    running.limit_files(1)
    told |= ada.label(4, digit_of)
    is_told(ada, running.store.name)
    expect(ada.page.get_by_text("not saved: 4 wait")).to_be_visible()
    ada.shoot("full_disk")
    assert len(running.state()["counts"]) == 10  # it still answers
    running.limit_files(None)
    retry(ada)
    ada.is_saved()
    expect(ada.page.get_by_role("alert")).to_have_count(0)
    check_once(running, told)


def test_store_that_was_moved_away(running, ada):
    told = ada.label(3, digit_of)
    ada.is_saved()
    aside = running.store.with_suffix(".aside")
    running.store.rename(aside)
    told |= ada.label(2, digit_of)
    is_told(ada, "it was moved or removed")
    aside.rename(running.store)
    ada.is_saved()  # by itself
    check_once(running, told)


def test_labels_wait_in_a_browser_that_was_closed(running, ada):
    told = ada.label(2, digit_of)
    ada.is_saved()
    running.kill()
    told |= ada.label(3, digit_of)
    ada.page.goto("about:blank")
    running.start()
    ada.enter_again(running)
    ada.is_saved()
    check_once(running, told)


@pytest.mark.slow
def test_many_labels_at_once_outlive_a_change_of_the_pool(studio, join, tmp_path):
    """As far as the page has read the ids; it says how many others there are."""
    pool = pools.texts(tmp_path / "texts.csv", 300)
    running = studio(pool, "--text-column", "text", "--budget", "9", "--classes", "sea,hill")
    ada = join(running)
    ada.forgives(REQUESTS)
    expect(ada.sample).to_be_visible()
    ada.press("g")
    expect(ada.page.get_by_text(re.compile("300 samples, [1-9][0-9]+ seen"))).to_be_visible()
    ada.page.get_by_label("Class for the rest").select_option("sea")
    running.stop()
    ada.button("All 300…").click()
    ada.button(re.compile("Yes, all 300")).click()
    expect(ada.page.get_by_text("not saved: ")).to_be_visible()
    head, *rows = pool.read_text().splitlines(keepends=True)
    pool.write_text("".join([head, "first,snow and stone\n", *rows]))
    with ada.page.expect_event("load"):
        running.start()
    told = ada.page.locator(".banner", has_text="cannot be matched any more")
    n = int(re.search(r"changed: (\d+) unsent", told.text_content())[1])
    ada.is_saved()
    labels = running.labels()
    assert labels == dict.fromkeys(labels, "sea")
    assert "first" not in labels
    assert len(labels) == 300 - n
    assert 0 < n < 290


@pytest.mark.slow
@pytest.mark.parametrize("storage", ["", FULL], ids=["kept", "full"])
def test_pool_that_changed_meanwhile(studio, digits, join, tmp_path, storage):
    """Numbers of samples mean others then; labels go by the ids that the person saw."""
    pool = tmp_path / "pool"
    pool.mkdir()
    for path in digits.iterdir():
        shutil.copy(path, pool / f"b{path.name}")
    running = studio(pool, "--budget", "60", "--classes", DIGITS)
    running.wait_until(lambda state: state["waiting"] > 20)
    ada = join()
    ada.context.add_init_script(storage)
    ada.enter(running).forgives(REQUESTS)
    told = ada.label(3, digit_of)
    ada.is_saved()
    running.stop()
    told |= ada.label(2, digit_of)
    expect(ada.page.get_by_text("not saved: 2 wait")).to_be_visible()
    shutil.copy(pool / "b0000-0.png", pool / "a00.png")  # sorts first
    running.start()
    beside = ada.context.new_page()
    with ada.page.expect_event("load"):  # by itself, once the cookie of the new tab serves both
        beside.goto(running.url)
    expect(beside.get_by_text("saved", exact=True)).to_be_visible()
    ada.is_saved()
    check_once(running, told)
    told |= ada.label(2, digit_of)
    ada.press("u", "u", "u")  # the last one of before as well
    ada.is_saved()  # which may be seen before the page has felt the last key
    running.wait_until(lambda _: running.labels() == {name: told[name] for name in list(told)[:4]})

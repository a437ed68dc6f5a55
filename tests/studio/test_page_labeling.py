"""Labeling with the keyboard alone: what was pressed is what is kept, sample by sample."""

import pytest
from playwright.sync_api import expect

from studio.pools import DIGITS, digit_of
from studio.running import Since


@pytest.fixture(scope="module")
def for_all(shared_studio, digits):
    return shared_studio(digits, "--budget", "300", "--classes", DIGITS)


@pytest.fixture
def running(for_all):
    return Since(for_all)


@pytest.fixture
def ada(running, join, request):
    """Somebody whom the studio has not seen before."""
    return join(running, request.node.name)


def other_digit(name):
    return str((int(digit_of(name)) + 1) % 10)


def test_fifty_labels_as_fast_as_they_come(running, ada):
    told = ada.label(50, digit_of)
    ada.is_saved()
    assert len(told) == 50
    assert running.labels() == told
    labels = running.events("label")
    assert [event["sample"] for event in labels] == list(told)
    assert {event["annotator"] for event in labels} == {ada.name}
    expect(ada.page.get_by_text(f"{running.spent + 50} of 300")).to_be_visible()
    ada.shoot("labeling")


def test_undo_three_deep_then_label_otherwise(running, ada):
    running.wait_until(lambda state: state["ready"])  # until then all are random checks
    told = ada.label(12, digit_of)
    ada.open_tab("Progress").get_by_role("button", name="20 random checks now").click()
    running.wait_until(lambda state: state["checks"] > 0)
    told |= ada.label(1, digit_of)
    ada.is_saved()
    for name in list(told)[:-4:-1]:
        ada.press("u")
        assert ada.sees() == name
    ada.is_saved()
    again = ada.label(3, other_digit)  # in their old order, also before the checks that have come meanwhile
    ada.is_saved()
    assert list(again) == list(told)[-3:]
    assert running.labels() == {**told, **again}


def test_all_can_be_undone(running, ada):
    told = ada.label(12, digit_of)
    ada.press(*"u" * 12)
    assert ada.sees() == next(iter(told))
    ada.press("u")
    expect(ada.page.get_by_role("status").filter(has_text="nothing to undo").last).to_be_attached()
    ada.is_saved()
    assert running.labels() == {}


def test_history_corrects(running, ada):
    told = ada.label(5, digit_of)
    name, here = list(told)[1], ada.sees()
    deeds = ada.history()
    expect(deeds).to_have_count(5)
    ada.button(f"Show {name} again {told[name]}").click()
    expect(ada.sample).to_have_text(name)
    expect(ada.page.get_by_text(f"you said {told[name]}")).to_be_visible()
    ada.press(other_digit(name))
    assert ada.sees() == here
    ada.is_saved()
    assert running.labels() == {**told, name: other_digit(name)}
    expect(deeds).to_have_count(5)


def test_arrow_keys_walk_through_the_history(running, ada):
    told = list(ada.label(3, digit_of))
    here = ada.sees()
    for name in reversed(told):
        ada.press("ArrowLeft")
        expect(ada.sample).to_have_text(name)
    ada.press("ArrowRight")
    expect(ada.sample).to_have_text(told[1])
    ada.press("Escape")
    expect(ada.sample).to_have_text(here)
    ada.is_saved()  # before the next test looks


def test_skip_and_unsure(running, ada):
    skipped = ada.sees()
    ada.press("s")
    unknown = ada.sees()
    ada.press("?")
    told = ada.label(2, digit_of)
    ada.is_saved()
    assert running.labels() == told
    assert [event["sample"] for event in running.events("skip")] == [skipped]
    assert [event["sample"] for event in running.events("unsure")] == [unknown]
    expect(ada.page.get_by_text(f"{running.spent + 3} of 300")).to_be_visible()


def test_reload_loses_nothing(running, ada):
    told = ada.label(10, digit_of)
    ada.page.reload()  # before all of them are saved
    told |= ada.label(10, digit_of)
    ada.is_saved()
    assert len(told) == 20
    assert running.labels() == told
    assert len(running.events("label")) == 20


@pytest.mark.slow
def test_same_command_goes_on(running, ada):
    told = ada.label(12, digit_of)
    ada.is_saved()
    ada.page.goto("about:blank")
    running.restart()
    ada.enter_again(running)
    expect(ada.page.get_by_text(f"{running.spent + 12} of 300")).to_be_visible()
    expect(ada.history()).to_have_count(12)
    ada.press("u")  # of the day before
    expect(ada.sample).to_have_text(list(told)[-1])
    told |= ada.label(4, other_digit)
    ada.is_saved()
    assert len(told) == 15
    assert running.labels() == told


def test_enter_accepts_the_suggestion(studio, digits, join):
    running = studio(digits, "--budget", "60", "--classes", DIGITS, "--audit", "0")
    ada = join(running)
    told = ada.label(3, digit_of)
    ada.is_saved()
    running.wait_until_learned()
    ada.page.reload()
    suggested = ada.button("Enter accepts")
    expect(suggested).to_be_visible()
    name = ada.sees()
    digit = suggested.get_attribute("title")
    ada.press("Enter")
    ada.is_saved()
    assert running.labels() == {**told, name: digit}
    assert running.events("label")[-1]["body"]["suggested"] == digit


def test_mouse_alone(running, ada):
    name = ada.sees()
    ada.button("7 key 7").click()
    ada.button("Skip").click()
    ada.button("Unsure").click()
    ada.button("Undo").click()
    ada.is_saved()
    assert running.labels() == {name: "7"}
    assert running.state()["unsure"] == running.unsure


def test_search(running, ada):
    here = ada.sees()
    ada.press("/")
    ada.keyboard.type("0123-")
    expect(ada.page.get_by_text("1 sample found")).to_be_visible()
    ada.press("Enter")
    expect(ada.sample).to_contain_text("0123-")
    told = ada.label(1, digit_of)
    assert ada.sees() == here
    ada.is_saved()
    assert running.labels() == told
    assert running.events("label")[0]["body"]["source"] == "search"


@pytest.mark.slow
def test_budget_used_up_then_more(studio, digits, join):
    running = studio(digits, "--budget", "5", "--classes", DIGITS)
    ada = join(running)
    told = ada.label(5, digit_of)
    expect(ada.page.get_by_role("heading", name="Done")).to_be_visible()
    ada.shoot("done")
    ada.press("3")
    ada.button("Label 20 more").click()
    told |= ada.label(2, digit_of)
    ada.is_saved()
    expect(ada.page.get_by_text("7 of 25")).to_be_visible()
    assert running.labels() == told

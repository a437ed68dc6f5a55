"""Labeling with the keyboard alone: what was pressed is what is kept, sample by sample."""

import pytest
from playwright.sync_api import expect

from studio.pools import DIGITS, digit_of


@pytest.fixture
def running(studio, digits):
    return studio(digits, "--budget", "60", "--classes", DIGITS)


def other_digit(name):
    return str((int(digit_of(name)) + 1) % 10)


def test_fifty_labels_as_fast_as_they_come(running, join):
    ada = join(running)
    told = ada.label(50, digit_of)
    ada.is_saved()
    assert len(told) == 50
    assert running.labels() == told
    labels = running.events("label")
    assert [event["sample"] for event in labels] == list(told)
    assert {event["annotator"] for event in labels} == {"Ada"}
    expect(ada.page.get_by_text("50 of 60")).to_be_visible()
    ada.shoot("labeling")


def test_undo_three_deep_then_label_otherwise(running, join):
    ada = join(running)
    told = ada.label(6, digit_of)
    for name in list(told)[:2:-1]:
        ada.press("u")
        assert ada.sees() == name
    again = ada.label(3, other_digit)
    ada.is_saved()
    assert list(again) == list(told)[3:]
    assert running.labels() == {**told, **again}


def test_all_can_be_undone(running, join):
    ada = join(running)
    told = ada.label(12, digit_of)
    ada.press(*"u" * 12)
    assert ada.sees() == next(iter(told))
    ada.press("u")
    expect(ada.page.get_by_role("status").filter(has_text="nothing to undo")).to_be_attached()
    ada.is_saved()
    assert running.labels() == {}


def test_history_corrects(running, join):
    ada = join(running)
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


def test_arrow_keys_walk_through_the_history(running, join):
    ada = join(running)
    told = list(ada.label(3, digit_of))
    here = ada.sees()
    for name in reversed(told):
        ada.press("ArrowLeft")
        expect(ada.sample).to_have_text(name)
    ada.press("ArrowRight")
    expect(ada.sample).to_have_text(told[1])
    ada.press("Escape")
    expect(ada.sample).to_have_text(here)


def test_skip_and_unsure(running, join):
    ada = join(running)
    skipped = ada.sees()
    ada.press("s")
    unknown = ada.sees()
    ada.press("?")
    told = ada.label(2, digit_of)
    ada.is_saved()
    assert running.labels() == told
    assert [event["sample"] for event in running.events("skip")] == [skipped]
    assert [event["sample"] for event in running.events("unsure")] == [unknown]
    expect(ada.page.get_by_text("3 of 60")).to_be_visible()


def test_reload_loses_nothing(running, join):
    ada = join(running)
    told = ada.label(10, digit_of)
    ada.page.reload()  # before all of them are saved
    told |= ada.label(10, digit_of)
    ada.is_saved()
    assert len(told) == 20
    assert running.labels() == told
    assert len(running.events("label")) == 20


def test_same_command_goes_on(running, join):
    ada = join(running)
    told = ada.label(12, digit_of)
    ada.is_saved()
    ada.page.goto("about:blank")
    running.restart()
    ada.enter_again(running)
    expect(ada.page.get_by_text("12 of 60")).to_be_visible()
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
    running.wait_until(lambda state: state["versions"]["predictions"])
    ada.page.reload()
    suggested = ada.button("Enter accepts")
    expect(suggested).to_be_visible()
    name = ada.sees()
    digit = suggested.get_attribute("title")
    ada.press("Enter")
    ada.is_saved()
    assert running.labels() == {**told, name: digit}
    assert running.events("label")[-1]["body"]["suggested"] == digit


def test_mouse_alone(running, join):
    ada = join(running)
    name = ada.sees()
    ada.button("7 key 7").click()
    ada.button("Skip").click()
    ada.button("Unsure").click()
    ada.button("Undo").click()
    ada.is_saved()
    assert running.labels() == {name: "7"}
    assert running.state()["unsure"] == 0


def test_search(running, join):
    ada = join(running)
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

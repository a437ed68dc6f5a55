"""Classes: named on the way, more of them than keys, renamed, merged."""

import re

import pytest
from playwright.sync_api import expect

from studio.pools import DIGITS, digit_of

pytestmark = pytest.mark.slow

MANY = [f"class {k:02d}" for k in range(50)]


def test_classes_are_made_up_on_the_way(studio, digits, join):
    running = studio(digits, "--budget", "60")
    ada = join(running)
    expect(ada.page.get_by_role("combobox")).to_be_focused()  # there is nothing to press but a name
    told = {ada.sees(): "walrus"}
    ada.keyboard.type("walrus")
    ada.press("Enter")
    told[ada.sees()] = "rus"
    ada.press("Space")
    ada.keyboard.type("rus")
    ada.press("Shift+Enter")  # Enter alone would take the walrus
    told[ada.sees()] = "walrus"
    ada.press("1")
    ada.is_saved()
    assert running.labels() == told
    assert running.state()["classes"] == ["walrus", "rus"]


@pytest.mark.slow
def test_more_classes_than_keys(studio, digits, join):
    running = studio(digits, "--budget", "60", "--classes", ",".join(MANY))
    ada = join(running)
    expect(ada.button("class 10 key a")).to_be_visible()
    told = {ada.sees(): "class 10"}
    ada.press("a")
    told[ada.sees()] = "class 47"
    ada.press("Space")
    ada.keyboard.type("47")
    expect(ada.page.get_by_role("option")).to_contain_text(["class 47", "New class 47"])
    ada.shoot("many_classes")
    ada.press("Enter")
    told[ada.sees()] = "class 41"
    ada.press("Space")
    ada.keyboard.type("class 4")
    ada.press("ArrowDown", "Enter")
    here = ada.sees()
    ada.press("Space", "Escape")
    ada.is_saved()
    assert ada.sees() == here
    assert running.labels() == told


@pytest.mark.slow
def test_classes_are_renamed_and_merged(studio, digits, join):
    running = studio(digits, "--budget", "60", "--classes", "one,two,three")
    ada = join(running)
    told = ada.label(3, lambda name: "123"[int(name[3]) % 3])
    names = dict(zip("123", ("uno", "three", "three"), strict=True))
    panel = ada.open_tab("Classes")
    panel.get_by_role("button", name="Edit one").click()
    ada.page.get_by_label("New name of one").fill("uno")
    ada.press("Enter")
    expect(ada.button("uno key")).to_be_visible()
    panel.get_by_role("button", name="Edit two").click()
    ada.page.get_by_label("New name of two").fill("three")
    panel.get_by_role("button", name="Merge").click()
    expect(ada.button("two key")).to_have_count(0)
    expect(ada.history()).to_have_text([re.compile(names[key]) for key in reversed(told.values())])
    ada.is_saved()
    assert running.labels() == {name: names[key] for name, key in told.items()}
    assert running.state()["classes"] == ["uno", "three"]


def test_a_class_that_was_renamed_is_not_suggested(studio, digits, join):
    running = studio(digits, "--budget", "60", "--classes", DIGITS, "--audit", "0")
    ada = join(running)
    ada.label(3, digit_of)
    ada.is_saved()
    running.wait_until_learned()
    ada.page.reload()
    suggested = ada.button("Enter accepts")
    expect(suggested).to_be_visible()
    here, old = ada.sees(), suggested.get_attribute("title")
    panel = ada.open_tab("Classes")
    panel.get_by_role("button", name=f"Edit {old}").click()
    ada.page.get_by_label(f"New name of {old}").fill("something else")
    ada.press("Enter")
    expect(ada.button("something else key")).to_be_visible()
    expect(suggested).to_have_count(0)
    ada.press("Enter")
    assert ada.sees() == here
    ada.is_saved()
    assert old not in running.state()["classes"]
    assert len(running.labels()) == 3

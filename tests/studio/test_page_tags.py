"""Sets of tags: keys turn them on and off, Enter saves those that are on."""

import pytest
from playwright.sync_api import expect

from studio.test_page_guide import _is_accessible

MEANING = {"even": "02468", "prime": "2357", "loop": "0689"}
KEYS = dict(zip(MEANING, "123", strict=True))
TAGS = ",".join(MEANING)


def tags_of(name):
    digit = name.removesuffix(".png")[-1]
    return {tag for tag, digits in MEANING.items() if digit in digits}


def is_on(person):
    pressed = person.page.locator(".tag[aria-pressed=true]").all()
    return {button.get_attribute("title") for button in pressed}


def save(person, tags):
    """Turn tags on and all others off, whatever the studio suggested, and save."""
    for tag in tags ^ is_on(person):
        person.press(KEYS[tag])
    person.press("Enter")


def answer(person):
    """Say what is true of the sample; its id and its tags."""
    name = person.sees()
    save(person, tags_of(name))
    return name, sorted(tags_of(name))


def told(running):
    return {event["sample"]: event["body"]["value"] for event in running.events("label")}


def test_keys_turn_tags_on_and_enter_saves_them(studio, digits, join):
    running = studio(digits, "--budget", "60", "--tags", TAGS, "--audit", "0.5")
    ada = join(running)
    even = ada.button("even key 1")
    expect(even).to_have_attribute("aria-pressed", "false")
    here = ada.sees()
    ada.press("1", "2", "1")
    expect(even).to_have_attribute("aria-pressed", "false")
    expect(ada.button("prime key 2")).to_have_attribute("aria-pressed", "true")
    expect(ada.button("Save prime")).to_be_visible()
    ada.press("Enter")
    second = ada.sees()
    assert second != here
    assert is_on(ada) == set()
    ada.press("Enter")  # none of them is an answer, too
    expect(ada.history().first).to_contain_text("none of them")
    ada.is_saved()
    assert told(running) == {here: ["prime"], second: []}
    ada.press("u")
    expect(ada.sample).to_have_text(second)
    ada.press("Space")
    ada.keyboard.type("straight")
    ada.press("Enter", "3")
    assert is_on(ada) == {"straight", "loop"}
    ada.press("Enter")
    ada.is_saved()
    assert running.state()["classes"] == [*MEANING, "straight"]
    assert running.state()["counts"] == {"even": 0, "prime": 1, "loop": 1, "straight": 1}
    assert running.state()["labeled"] == 2


@pytest.mark.slow
def test_tags_are_suggested_with_their_probabilities(studio, digits, join):
    running = studio(digits, "--budget", "80", "--tags", TAGS, "--audit", "0.3")
    ada = join(running)
    expect(ada.button("even key 1")).to_be_visible()
    truth = dict(answer(ada) for _ in range(30))
    ada.is_saved()
    assert told(running) == truth
    running.wait_until_learned()
    ada.page.reload()
    accept = ada.button("Accept")
    while not accept.count():  # random checks come without a suggestion
        expect(ada.button("even key 1")).to_be_visible()
        name, tags = answer(ada)
        truth[name] = tags
    ada.shoot("tags")
    here, suggested = ada.sees(), sorted(is_on(ada))
    expect(ada.page.locator(".tag .hint").first).to_contain_text("%")
    ada.press("Enter")
    ada.is_saved()
    assert told(running) == truth | {here: suggested}
    running.wait_until(lambda state: state["advice"] is not None)
    panel = ada.open_tab("Check")
    expect(panel.get_by_role("status")).to_have_text(
        "Sets of tags are taken to be right: the studio does not look for wrong ones."
    )
    assert running.state()["failed"] is None


@pytest.mark.slow
def test_a_tag_counts_that_most_people_gave(studio, digits, join):
    running = studio(digits, "--budget", "3", "--tags", TAGS, "--audit", "0.9", "--overlap", "3")
    said = {}
    for name, tags in (("Ada", {"even", "prime"}), ("Bob", {"even"}), ("Eve", {"even", "loop"})):
        person = join(running, name)
        expect(person.button("even key 1")).to_be_visible()
        for _ in range(3):
            said.setdefault(person.sees(), []).append(tags)
            save(person, tags)
        person.is_saved()
    assert all(len(answers) == 3 for answers in said.values())
    state = running.state()
    assert state["counts"] == {"even": 3, "prime": 0, "loop": 0}
    assert state["agreement"]["share"] == 0
    assert state["disagreements"] == 3


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_tags_are_accessible_and_fit_a_phone(studio, digits, join, scheme):
    running = studio(digits, "--budget", "60", "--tags", TAGS)
    ada = join(running, color_scheme=scheme)
    expect(ada.button("even key 1")).to_be_visible()
    ada.press("1")
    _is_accessible(ada)
    ada.page.set_viewport_size({"width": 390, "height": 800})
    _is_accessible(ada)
    ada.shoot(f"tags_phone_{scheme}")
    ada.page.get_by_role("button", name="prime").click()
    ada.page.get_by_role("button", name="Save even, prime").click()
    ada.is_saved()
    assert list(told(running).values()) == [["even", "prime"]]

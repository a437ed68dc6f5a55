"""Several people: nobody is asked what another has in hand; who differs is seen, and decided."""

import pytest
from playwright.sync_api import expect

from studio.pools import DIGITS, digit_of

pytestmark = pytest.mark.slow


@pytest.mark.slow
def test_nobody_gets_what_another_has(studio, digits, join):
    running = studio(digits, "--budget", "60", "--classes", DIGITS)
    ada, bob = join(running, "Ada"), join(running, "Bob")
    expect(ada.sample).to_be_visible()
    expect(bob.sample).to_be_visible()
    hers, his = {}, {}
    for _ in range(10):
        assert ada.sees() != bob.sees()
        hers |= ada.label(1, digit_of)
        his |= bob.label(1, digit_of)
    ada.is_saved()
    bob.is_saved()
    assert not hers.keys() & his.keys()
    assert running.labels() == {**hers, **his}
    assert running.state()["annotators"] == {"Ada": 10, "Bob": 10}


def test_disagreement_is_seen_and_decided(studio, digits, join):
    running = studio(digits, "--budget", "4", "--overlap", "2", "--classes", "even,odd")
    ada = join(running, "Ada")
    hers = ada.label(4, lambda name: "1")
    ada.is_saved()
    bob = join(running, "Bob")
    odd = bob.sees()
    his = {**bob.label(1, lambda name: "2"), **bob.label(3, lambda name: "1")}
    bob.is_saved()
    assert hers.keys() == his.keys()
    assert odd not in running.labels()

    tab = ada.page.get_by_role("tab", name="Disagree").locator("visible=true")
    expect(tab).to_contain_text("1")
    panel = ada.open_tab("Disagree")
    expect(panel).to_contain_text("Ada even")
    expect(panel).to_contain_text("Bob odd")
    ada.shoot("disagreement")
    ada.button(f"Decide {odd}").click()
    expect(ada.sample).to_have_text(odd)  # the plate before it also says that people disagree
    expect(ada.page.get_by_text("people disagree")).to_be_visible()
    ada.press("2")
    ada.is_saved()
    expect(panel).to_contain_text("Nobody disagrees")  # still open
    assert running.labels() == {name: "odd" if name == odd else "even" for name in hers}

    expect(ada.open_tab("Progress")).to_contain_text("of 4 pairs on 4 samples")
    ada.shoot("agreement")


@pytest.mark.slow
def test_disputes_follow_each_other(studio, digits, join):
    running = studio(digits, "--budget", "3", "--overlap", "2", "--classes", "even,odd")
    ada = join(running, "Ada")
    hers = ada.label(3, lambda name: "1")
    ada.is_saved()
    bob = join(running, "Bob")
    bob.label(3, lambda name: "2")
    expect(bob.page.get_by_role("heading", name="Done")).to_be_visible()
    expect(bob.page.get_by_text("People disagree on 3 samples")).to_be_visible()
    bob.shoot("done_in_dispute")
    bob.button("Decide the 3").click()
    panel = bob.page.get_by_role("tabpanel", name="Disagree")
    seen = set()
    for k in range(3):
        expect(bob.page.get_by_text(f"people disagree, {k + 1} of 3")).to_be_visible()
        expect(panel).to_be_visible()
        seen |= bob.label(1, lambda name: "2").keys()
    bob.is_saved()
    expect(panel).to_contain_text("Nobody disagrees")
    expect(bob.page.get_by_role("heading", name="Done")).to_be_visible()
    assert seen == hers.keys()
    assert running.labels() == dict.fromkeys(hers, "odd")


@pytest.mark.slow
def test_the_last_samples_are_in_other_hands(studio, digits, join):
    running = studio(digits, "--budget", "4", "--classes", DIGITS)
    running.wait_until(lambda state: state["waiting"] > 4)
    ada = join(running, "Ada")
    expect(ada.sample).to_be_visible()
    bob = join(running, "Bob")
    expect(bob.page.get_by_role("heading", name="Others are labeling the last samples")).to_be_visible()
    bob.shoot("in_other_hands")
    ada.label(4, digit_of)
    expect(bob.page.get_by_role("heading", name="Done")).to_be_visible()


@pytest.mark.slow
def test_a_name_may_change(studio, digits, join):
    running = studio(digits, "--budget", "60", "--classes", DIGITS)
    ada = join(running)
    ada.label(2, digit_of)
    ada.button("Ada", exact=True).click()
    ada.page.get_by_label("Your name").fill("Grace")
    ada.press("Enter")
    ada.label(3, digit_of)
    ada.is_saved()
    assert running.state()["annotators"] == {"Ada": 2, "Grace": 3}

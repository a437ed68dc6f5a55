"""Where on the page an answer was given is kept with it, whatever the answer."""

import pytest
from playwright.sync_api import expect

from studio.pools import digit_of


@pytest.mark.slow
def test_answers_among_the_least_sure_are_kept_as_such(studio, digits, join):
    running = studio(digits, "--budget", "60", "--classes", "0,1,2,3,4,5,6,7,8,9")
    ada = join(running)
    ada.label(4, digit_of)
    ada.is_saved()
    running.wait_until(lambda state: state["versions"]["predictions"])
    cards = ada.open_tab("Least sure").get_by_role("button")
    expect(cards.first).to_be_visible()
    cards.first.click()
    expect(ada.page.get_by_text("one of the least sure")).to_be_visible()
    unknown = ada.sees()
    ada.press("?")
    expect(ada.sample).not_to_have_text(unknown)
    skipped = ada.sees()
    ada.press("s")
    ada.is_saved()
    events = [(kind, running.events(kind)) for kind in ("unsure", "skip")]
    told = [(kind, event["sample"], event["body"]) for kind, found in events for event in found]
    body = {"source": "least_sure"}
    assert told == [("unsure", unknown, body), ("skip", skipped, body)]
    sources = {row["id"]: row["source"] for row in running.table("labels.csv")}
    assert sources.pop(unknown) == "least_sure"
    assert set(sources.values()) == {"queue"}

"""Without a line to the server people label on, and all of it arrives."""

import pytest
from playwright.sync_api import expect

from studio.pools import DIGITS, digit_of

REQUESTS = "Failed to load resource"
FILLED = "async () => (await import('/static/store/reserve.js')).reserved() >= 44"
HELD = """async () => {
  const { imageFor } = await import("/static/store/samples.js");
  const look = (k) => imageFor(`/api/pictures/${k}`);
  const many = Array.from({ length: 120 }, (_, k) => look(k)); // twice as many as wait in the browser
  const first = many[0];
  const all = many.every((picture, k) => look(k) === picture);
  for (let k = 120; k < 280; k++) look(k % 50 ? k : 0); // the first one now and then
  return all && look(0) === first;
}"""


@pytest.mark.slow
def test_more_than_forty_labels_without_a_server(studio, digits, join):
    running = studio(digits, "--budget", "200", "--classes", DIGITS)
    running.wait_until(lambda state: state["waiting"] > 60)
    ada = join(running)
    told = ada.label(3, digit_of)
    ada.is_saved()
    ada.page.wait_for_function(FILLED)
    told |= ada.label(14, digit_of)  # many of them are in the reserve, too
    ada.is_saved()
    ada.page.wait_for_load_state("networkidle")
    ada.forgives(REQUESTS)
    ada.context.set_offline(True)
    for _ in range(41):
        shown = ada.page.get_by_role("img", name="Sample ")
        assert shown.evaluate("async (picture) => picture.decode().then(() => picture.naturalWidth)") == 8
        told |= ada.label(1, digit_of)
    expect(ada.page.get_by_text("not saved: 41 wait")).to_be_visible()
    assert len(told) == 58
    assert len(running.labels()) == 17
    ada.context.set_offline(False)
    ada.is_saved()
    assert running.labels() == told
    assert sorted(event["sample"] for event in running.events("label")) == sorted(told)
    assert running.state()["spent"] == 58
    assert ada.page.evaluate(HELD)


@pytest.mark.slow
def test_two_people_at_the_end_of_a_pool_do_not_starve_each_other(studio, digits, join):
    running = studio(digits, "--budget", "24", "--classes", DIGITS)
    running.wait_until(lambda state: state["waiting"] > 12)
    people = [join(running, name) for name in ("Ada", "Bob")]
    told = {}
    while len(told) < 24:
        for person in people:
            if person.sample.count():  # whoever has none left waits for the other
                told |= person.label(1, digit_of)
        people[0].page.wait_for_timeout(20)
    for person in people:
        person.is_saved()
        expect(person.page.get_by_test_id("done")).to_be_visible()
    assert running.labels() == told
    assert running.state()["spent"] == len(told) == 24

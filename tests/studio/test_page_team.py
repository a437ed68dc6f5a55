"""The team in the browser: an owner invites, a person has an account, a viewer looks on."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from studio.pools import DIGITS, digit_of

pytestmark = pytest.mark.slow


def violations(person):
    found = Axe().run(person.page).response["violations"]
    return [(one["id"], [node["html"] for node in one["nodes"]]) for one in found]


def make_link(owner, name, role):
    """The address that the page shows for a new link."""
    panel = owner.page.get_by_role("tabpanel")
    panel.get_by_label("Name", exact=True).fill(name)
    panel.get_by_label("Role", exact=True).select_option(role)
    owner.button("Make a link").click()
    return panel.get_by_label(f"Link of {name or 'Anybody'}", exact=True).input_value()


def test_a_day_of_a_team(studio, digits, join):
    running = studio(digits, "--budget", "30", "--overlap", "2", "--classes", DIGITS)
    olga = join(running, "Olga")
    olga.label(6, digit_of)
    olga.is_saved()
    panel = olga.open_tab("Team")
    expect(panel.get_by_test_id("left")).to_contain_text("at today's pace of 1 person")
    link = make_link(olga, "Ada", "annotator")
    looks = make_link(olga, "", "viewer")

    ada = join(name="Ada")
    ada.page.goto(link)  # no name is asked for
    expect(ada.sample).to_be_visible()
    expect(ada.page.get_by_role("tab", name="Team")).to_have_count(0)
    olga.button("Keys h").click()
    expect(olga.button("Someone else?")).to_be_visible()
    olga.press("Escape")
    ada.press("h")
    expect(ada.page.get_by_text("You are Ada.")).to_be_visible()
    expect(ada.button("Someone else?")).to_have_count(0)  # her link is hers
    ada.press("Escape")
    done = ada.label(4, digit_of)
    ada.is_saved()
    assert {event["annotator"] for event in running.events("label")} == {"Olga", "Ada"}
    expect(panel.get_by_text(f"labeled {list(done)[-1]} as").first).to_be_visible()
    panel.get_by_label("Of whom").select_option("Ada")
    expect(panel.locator(".activity .who", has_text="Olga")).to_have_count(0)
    olga.shoot("team")
    assert violations(olga) == []

    ada.button("Ada", exact=True).click()
    ada.page.get_by_label("New password").fill("correct horse")
    ada.button("Set password").click()
    expect(ada.page.get_by_text("The password is set")).to_be_visible()
    ada.shoot("account")
    assert violations(ada) == []
    ada.button("Sign out").click()
    ada.forgives("401")
    expect(ada.button("Sign in")).to_be_visible()
    olga.forgives("ERR_CONNECTION_REFUSED")
    running.restart()
    assert violations(ada) == []
    ada.page.get_by_label("Your name").fill("ada")
    ada.page.get_by_label("Your password").fill("wrong")
    ada.press("Enter")
    expect(ada.page.get_by_role("alert")).to_contain_text("Name and password do not belong together.")
    ada.shoot("sign_in")
    ada.page.get_by_label("Your password").fill("correct horse")
    ada.press("Enter")
    expect(ada.sample).to_be_visible()

    vi = join(name="Vi", color_scheme="dark")
    vi.page.goto(looks)
    expect(vi.page.get_by_role("heading", name="You are looking on")).to_be_visible()
    assert vi.open_tab("Team").get_by_role("button", name="Make a link").count() == 0
    before = len(running.events())
    vi.press("1", "Enter", "u", "s", "?")
    vi.press("h")
    expect(vi.page.get_by_role("dialog")).to_be_visible()
    expect(vi.button("Someone else?")).to_have_count(0)
    vi.press("Escape", "/")
    vi.keyboard.type(next(iter(done)))
    expect(vi.page.get_by_text("1 sample found")).to_be_visible()
    vi.press("Enter")
    expect(vi.sample).to_have_text(next(iter(done)))
    vi.press("+")  # who looks on may look closely
    expect(vi.page.locator(".picture")).to_have_attribute("data-zoomed", "yes")
    vi.press("z", "Escape")
    vi.shoot("viewer")
    assert violations(vi) == []
    assert len(running.events()) == before

    olga.open_tab("Team")
    olga.button("End the link of Ada").click()
    olga.button("End it for good").click()
    expect(olga.page.get_by_label("Link of Ada")).to_have_count(0)
    ada.forgives("410")
    expect(ada.page.get_by_text("this link was ended by an owner of the studio")).to_be_visible()
    ada.label(1, digit_of)
    expect(ada.page.get_by_text("not saved: 1 wait")).to_be_visible()  # and stays in her browser
    ada.page.goto(make_link(olga, "Ada", "annotator"))
    ada.is_saved()
    assert len([one for one in running.events("label") if one["annotator"] == "Ada"]) == 5


def test_what_others_left_in_a_browser_waits_for_them(studio, digits, join):
    running = studio(digits, "--budget", "30", "--classes", DIGITS)
    olga = join(running, "Olga")
    olga.label(1, digit_of)
    olga.is_saved()
    olga.open_tab("Team")
    link = make_link(olga, "Ada", "annotator")
    olga.sample.click()  # out of the field for the name
    olga.forgives("ERR_|Failed to load|500")
    olga.page.route("**/api/actions", lambda route: route.abort())
    olga.label(2, digit_of)
    expect(olga.page.get_by_text("not saved: 2 wait")).to_be_visible()
    ada = olga.context.new_page()
    ada.goto(link)
    expect(ada.get_by_role("button", name="Ada", exact=True)).to_be_visible()
    expect(ada.get_by_text("saved", exact=True)).to_be_visible()
    ada.close()
    olga.page.unroute("**/api/actions")
    olga.page.goto(running.url)
    olga.is_saved()
    assert [event["annotator"] for event in running.events("label")] == ["Olga"] * 3


def test_a_name_that_another_has_keeps_nobody_from_labeling(studio, digits, join):
    running = studio(digits, "--budget", "30", "--classes", DIGITS)
    with running.client() as owner:
        anybody = owner.post("/api/links", json={"role": "annotator"}).json()["url"]
        cy = join(name="Cy")
        cy.page.goto(anybody)
        cy.page.get_by_label("Your name").fill("Cy")
        cy.press("Enter")
        cy.label(1, digit_of)
        cy.is_saved()
        owner.post("/api/links", json={"role": "annotator", "name": "cy"})
    cy.forgives("403")
    cy.label(1, digit_of)
    expect(cy.page.get_by_text("'Cy' has a link of their own")).to_be_visible()
    expect(cy.page.get_by_text("not saved: 1 wait")).to_be_visible()
    cy.button("Cy", exact=True).click()
    cy.page.get_by_label("Your name").fill("Di")
    cy.press("Enter")
    expect(cy.sample).to_be_visible()
    cy.label(3, digit_of)
    expect(cy.page.get_by_text("saving 1")).to_be_visible()  # Cy's, which waits
    assert running.state()["annotators"] == {"Cy": 1, "Di": 3}

"""Labels that look wrong: seen, corrected, kept, taken back; one's own first."""

import re

import pytest
from playwright.sync_api import expect

from studio import pools
from studio.test_page_looks import CONTRASTS, DARK, MISNAMED, NAMELESS, PHONE

HERS, HIS = (3, 8), 11  # samples that Ada and Bob label wrong
CHECK_THEM = """async () => {
  const { startCheck } = await import("/static/views/check.js");
  startCheck();
}"""  # as the button does when the budget is used up
OTHER = {"north": "east", "east": "south", "south": "west", "west": "north", "sea": "hill", "hill": "sea"}


def kind_of(name):
    """
    >>> kind_of("00-north.png"), kind_of("sea-000")
    ('north', 'sea')
    """
    return re.search("[a-z]+", name)[0]


def tell(running, annotator, labels, **more):
    """Labels that somebody gives, not at this browser: sample -> value."""
    actions = [
        {"client": f"{annotator}-{i}-{value}", "kind": "label", "sample": i, "value": value, **more}
        for i, value in labels.items()
    ]
    with running.client() as client:
        answer = client.post("/api/actions", json={"annotator": annotator, "actions": actions}).json()
    assert len(answer["saved"]) == len(labels)


def mislabel(running, n=60):
    """Ada labels the even samples and Bob the odd ones, but for one; three are wrong. The ids of all."""
    names = [running.get(f"/api/samples/{i}").json()["id"] for i in range(n)]
    told = {i: OTHER[kind_of(name)] if i in (*HERS, HIS) else kind_of(name) for i, name in enumerate(names)}
    tell(running, "Ada", {i: value for i, value in told.items() if i % 2 == 0 or i == 3})
    tell(running, "Bob", {i: value for i, value in told.items() if i % 2 and i != 3})
    return names


def wait_for(running, *samples):
    """Until these labels look wrong, and perhaps others; the worker computes when it likes."""

    def listed(state):
        found = running.get("/api/issues").json()
        return {issue["sample"] for issue in found["issues"]} >= set(samples)

    running.wait_until(listed)


def on_desk(person):
    return person.page.get_by_role("region", name="Looks wrong")


def verdict(person, label, suggested):
    """What the desk offers for a label that looks wrong."""
    box = person.page.get_by_role("region", name="Looks wrong")
    expect(box.get_by_role("button", name=f"Keep {label}")).to_be_visible()
    expect(box.get_by_role("button", name=f"Correct to {suggested}")).to_be_visible()


@pytest.fixture(scope="module")
def lamps(tmp_path_factory):
    return pools.lamps(tmp_path_factory.mktemp("lamps"))


@pytest.fixture
def running(studio, lamps):
    return studio(lamps, "--classes", "north,east,south,west,none", "--budget", "80")


@pytest.mark.slow
def test_own_labels_first_then_those_of_others(running, join):
    ada = join(running)
    panel = ada.open_tab("Check")
    expect(panel).to_contain_text("Too few labels yet: there are 0, and at least 20 are needed.")
    names = mislabel(running)
    wait_for(running, *HERS, HIS)
    ours = {names[i] for i in HERS}
    expect(panel).to_contain_text("of 60 labels look wrong (")
    total = str(running.state()["issues"])
    expect(ada.page.get_by_role("tab", name="Check").locator("visible=true")).to_contain_text(total)
    own, others = (
        panel.get_by_role("list", name=name).get_by_role("button") for name in ("Your labels", "Labels of")
    )
    expect(others.first).to_contain_text(f"Check {names[HIS]}: labeled{OTHER[kind_of(names[HIS])]}")
    assert {own.nth(k).get_attribute("title") for k in range(2)} == ours
    ada.shoot("check")

    ada.button("Check them").click()
    expect(ada.page.get_by_text(f"looks wrong, 1 of {total}")).to_be_visible()
    first = ada.sees()
    expect(ada.page.get_by_text(f"labeled {OTHER[kind_of(first)]} by you")).to_be_visible()
    verdict(ada, OTHER[kind_of(first)], kind_of(first))
    ada.shoot("check_desk")
    ada.press("s")  # it stays as it is, and nothing is written
    second = ada.sees()
    assert {first, second} == ours
    ada.press("Enter")
    expect(ada.sample).not_to_have_text(second)
    ada.press("u")
    expect(ada.sample).to_have_text(second)
    expect(ada.page.get_by_text(f"· taken back: {kind_of(second)} · labeled")).to_be_visible()
    verdict(ada, OTHER[kind_of(second)], kind_of(second))
    ada.press("Enter")
    panel.get_by_role("button", name=f"Check {names[HIS]}").click()
    expect(ada.page.get_by_text(f"labeled {OTHER[kind_of(names[HIS])]} by Bob")).to_be_visible()
    ada.press("k")
    expect(ada.sample).not_to_have_text(names[HIS])
    ada.press("u")
    expect(ada.sample).to_have_text(names[HIS])
    verdict(ada, OTHER[kind_of(names[HIS])], kind_of(names[HIS]))
    ada.press("k")
    ada.is_saved()
    told = running.labels()
    assert told[first] == OTHER[kind_of(first)]
    assert told[second] == kind_of(second)
    assert told[names[HIS]] == OTHER[kind_of(names[HIS])], "kept"
    assert running.events("skip") == []
    assert [event["sample"] for event in running.events("keep")] == [names[HIS]] * 2
    assert [event["body"].get("source") for event in running.events("label")][-2:] == ["check"] * 2
    expect(others.filter(has_text=names[HIS])).to_have_count(0)

    panel.get_by_role("button", name=f"Check {first}").click()
    expect(ada.sample).to_have_text(first)
    tell(running, "Eve", {names.index(first): "none"}, source="history")
    ada.press("Enter")
    expect(ada.page.get_by_text("has changed since").first).to_be_visible()
    assert running.labels()[first] == "none"
    expect(ada.history().first).to_contain_text("kept")  # what was refused was not done


@pytest.mark.slow
def test_what_is_kept_stays_kept(running, join):
    names = mislabel(running)
    wait_for(running, *HERS, HIS)
    ada = join(running)
    panel = ada.open_tab("Check")
    panel.get_by_role("button", name=f"Check {names[HIS]}").click()
    expect(on_desk(ada)).to_be_visible()
    ada.press("5")  # another class
    ada.button("Check them").click()
    expect(ada.page.get_by_text("by you")).to_be_visible()
    kept = ada.sees()
    ada.press("k", "Enter")
    while "wrong (" in panel.text_content():  # whatever else looks wrong
        if on_desk(ada).count():
            ada.press("k")
    ada.is_saved()
    expect(panel).to_contain_text("Nothing looks wrong.")
    ada.shoot("check_nothing")
    assert running.labels()[names[HIS]] == "none"
    assert running.state()["disagreements"] == 0, "who corrects another's label decides"
    n_kept = len(running.events("keep"))
    ada.page.goto("about:blank")
    running.restart()
    running.wait_until(lambda state: state["versions"]["issues"])
    ada.enter_again(running)
    rows = {row["id"]: row for row in running.table("labels.csv")}
    confirmed = {name for name in rows if rows[name]["confirmed"] == "true"}
    assert {names[i] for i in (*HERS, HIS)} <= confirmed
    listed = running.get("/api/issues").json()["issues"]
    assert not {names[issue["sample"]] for issue in listed} & confirmed
    expect(ada.history()).not_to_have_count(0)
    ada.press(*"u" * (n_kept + 1))  # of the day before; the first keep is the last that is taken back
    expect(ada.page.get_by_text(f"· taken back: kept {OTHER[kind_of(kept)]}")).to_be_visible()
    ada.is_saved()
    wait_for(running, *HERS)


@pytest.mark.slow
def test_small_and_dark(running, join):
    mislabel(running)
    wait_for(running, *HERS, HIS)
    ada = join(running, **PHONE, **DARK)
    expect(ada.sample).to_be_visible()
    on_the_way = []

    def both(route):
        """The button asks, and so does the tab that it opens: they are answered together."""
        on_the_way.append(route)
        for one in [route] if len(on_the_way) > 2 else on_the_way if len(on_the_way) == 2 else []:
            one.continue_()

    ada.page.route("**/api/issues?*", both)
    ada.page.evaluate(CHECK_THEM)
    expect(on_desk(ada)).to_be_visible()
    panel = ada.open_tab("Check")
    expect(panel.get_by_role("button", name="Check them")).to_be_visible()
    for shot in ("phone_check", "phone_check_desk"):
        ada.shoot(shot)
        assert ada.page.evaluate("document.documentElement.scrollWidth") <= 390
        faint = [found for found in ada.page.evaluate(CONTRASTS) if found[1] < 4.5]
        assert faint == []
        assert ada.page.evaluate(MISNAMED) == []
        tree = ada.page.locator("body").aria_snapshot()
        assert [line for line in tree.splitlines() if line.strip().rstrip(":") in NAMELESS] == []
        if shot == "phone_check":
            ada.button("Check them").tap()
            expect(on_desk(ada)).to_be_visible()
    box = on_desk(ada)
    assert all(button.bounding_box()["height"] >= 44 for button in box.get_by_role("button").all())
    name = ada.sees()
    box.get_by_role("button", name="Correct to").tap()
    ada.is_saved()
    assert running.labels()[name] == kind_of(name)


@pytest.mark.slow
def test_texts(studio, join, tmp_path):
    running = studio(pools.texts(tmp_path / "texts.csv"), "--text-column", "text", "--classes", "sea,hill")
    names = mislabel(running)
    running.wait_until(lambda state: state["issues"])
    ada = join(running)
    panel = ada.open_tab("Check")
    expect(panel).to_contain_text("of 60 labels look")
    ada.shoot("check_texts")
    panel.get_by_role("list").get_by_role("button").first.click()
    expect(on_desk(ada)).to_be_visible()
    name = ada.sees()
    assert names.index(name) in (*HERS, HIS)
    ada.press("Enter")
    ada.is_saved()
    assert running.labels()[name] == kind_of(name)


LENGTHS = {4: 50.0, 30: -9.0, 61: 33.0}  # of flowers, far off


@pytest.mark.slow
def test_numbers(studio, join, tmp_path):
    running = studio(pools.flowers(tmp_path / "flowers.csv"), "--values", "length", "--budget", "90")
    rows = [running.get(f"/api/samples/{i}").json() for i in range(80)]
    truth = [dict(row["row"])["sepal length"] for row in rows]
    tell(running, "Ada", {i: [LENGTHS.get(i, x)] for i, x in enumerate(truth)})
    wait_for(running, *LENGTHS)
    ada = join(running)
    ada.open_tab("Check")
    ada.shoot("check_numbers")
    ada.button("Check them").click()
    said = {}
    for answer in ("Enter", "k", "7.25"):
        expect(on_desk(ada)).to_be_visible()
        expect(ada.page.get_by_label("length")).to_have_value("")
        said[answer] = ada.sees()
        ada.shoot("check_numbers_desk")
        ada.keyboard.type(answer) if answer == "7.25" else ada.press(answer)
        if answer == "7.25":
            ada.press("Enter")
        expect(ada.sample).not_to_have_text(said[answer])
    ada.is_saved()
    known = {row["id"]: float(row["length"]) for row in running.table("labels.csv")}
    wrong = {rows[i]["id"]: i for i in LENGTHS}
    assert wrong.keys() == set(said.values())
    assert known[said["k"]] == LENGTHS[wrong[said["k"]]]
    assert known[said["7.25"]] == 7.25
    assert known[said["Enter"]] == pytest.approx(truth[wrong[said["Enter"]]], abs=1.5)


@pytest.mark.slow
def test_points(studio, join, tmp_path):
    (tmp_path / "spots").mkdir()
    running = studio(pools.spots(tmp_path / "spots"), "--points", "spot", "--budget", "30")
    names = [running.get(f"/api/samples/{i}").json()["id"] for i in range(30)]
    spots = {i: list(map(float, pools.spot_of(name))) for i, name in enumerate(names)}
    tell(running, "Ada", spots | {12: [900.0, -700.0]})
    wait_for(running, 12)
    ada = join(running)
    panel = ada.open_tab("Check")
    panel.get_by_role("button", name=f"Check {names[12]}").click()
    expect(on_desk(ada)).to_be_visible()
    ada.shoot("check_points")
    ada.press("Enter")
    ada.is_saved()
    (row,) = (row for row in running.table("labels.csv") if row["id"] == names[12])
    assert abs(float(row["spot.x"])) < 200
    assert (row["source"], row["confirmed"]) == ("check", "true")

"""What people are told: guidelines, a line and a key for each class, notes, flags, and what has changed."""

import random
import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from studio import pools
from trigpoint.studio._class_book import COMMANDS

GUIDE = """# Digits

Label what the writer **meant**. See [the rules](https://example.com/rules).

- like this: ![a round one](3)
"""
HOSTILE = [
    "<script>alert(1)</script><img src=x onerror=alert(1)>",
    "[a](javascript:alert(1)) [b](JAVASCRIPT:alert(1)) [c](data:text/html,x)",
    "[d](http://example.com) [e](//example.com) [f](https:example.com)",
    "[a](https://u:p@example.com) [b](https://) [\u202ec](vbscript:x) ![x](https://example.com/p.png)",
    '[<b onclick=alert(1)>x</b>](https://example.com/"onmouseover=alert(1))',
    "**<iframe srcdoc=x>** `<svg onload=alert(1)>` # <style>*{}</style>",
    "```\n<script>alert(1)</script>\n",
    "![<img src=x onerror=alert(1)>](0)",
    *("[" * 20_000, "*" * 20_000, "_*`" * 6000, "> - # " * 3000, "![](" * 5000, "```\n" * 5000),
]
DRAW = """async (text) => {
    const { markdown } = await import("/static/markdown.js");
    const { html, render } = await import("/static/html.js");
    const box = document.createElement("div");
    document.body.append(box);
    render(html`<div>${markdown(text, (n, words) => html`<i class="sample">${n} ${words}</i>`)}</div>`, box);
    const all = [...box.querySelectorAll("*")];
    const found = {
        names: [...new Set(all.map((one) => one.localName))],
        attributes: [...new Set(all.flatMap((one) => one.getAttributeNames()))],
        links: [...box.querySelectorAll("a")].map((a) => [a.getAttribute("href"), a.target, a.rel]),
        text: box.textContent,
    };
    box.remove();
    return found;
}"""
SAFE = {"div", "h3", "h4", "p", "ul", "ol", "li", "br", "blockquote", "pre", "code", "strong", "em", "a", "i"}


@pytest.fixture(scope="module")
def guide(tmp_path_factory):
    file = tmp_path_factory.mktemp("guide") / "guide.md"
    file.write_text(GUIDE)
    return file


def sheet(person, name="Guidelines"):
    return person.page.get_by_role("dialog", name=name)


def edit(panel, name, **fields):
    panel.get_by_role("button", name=f"Edit {name}", exact=True).click()
    labels = {"line": f"Line of {name}", "key": f"Key of {name}", "to": f"New name of {name}"}
    for field, text in fields.items():
        panel.get_by_label(labels[field]).fill(text)
    panel.get_by_role("button", name=re.compile("Save|Merge")).click()


@pytest.mark.slow
def test_guidelines_keys_notes_and_flags(studio, digits, join, guide):
    running = studio(digits, "--budget", "60", "--classes", pools.DIGITS, "--guide", str(guide))
    ada = join(running)
    expect(sheet(ada)).to_contain_text("Label what the writer meant")  # before the first sample
    expect(sheet(ada).get_by_role("link")).to_have_attribute("href", "https://example.com/rules")
    expect(sheet(ada).get_by_role("img", name="a round one")).to_be_visible()
    ada.press("Escape")
    ada.page.reload()
    expect(ada.button("0 key 0")).to_be_visible()
    expect(sheet(ada)).to_have_count(0)  # once is enough
    ada.press("i")
    sheet(ada).get_by_role("button", name="Edit the guidelines").click()
    field = sheet(ada).get_by_role("textbox")
    field.press_sequentially("Look twice. ")
    box = field.bounding_box()
    ada.page.mouse.move(box["x"] + 9, box["y"] + 9)
    ada.page.mouse.down()
    ada.page.mouse.move(3, box["y"] + 9, steps=3)  # marks words, and ends beside the sheet
    ada.page.mouse.up()
    expect(field).to_have_value(re.compile("Look twice."))
    ada.press("Escape", "i")
    sheet(ada).get_by_role("button", name="Go on editing").click()
    expect(field).to_have_value(re.compile("Look twice."))
    sheet(ada).get_by_role("button", name="Cancel").click()
    expect(sheet(ada).get_by_role("button", name="Edit the guidelines")).to_be_visible()
    ada.page.mouse.click(3, 300)  # a click beside it closes it
    expect(sheet(ada)).to_have_count(0)

    panel = ada.open_tab("Classes")
    edit(panel, "3", line="Two bows, open to the left", key="t")
    three = ada.button("3 key t")
    expect(three).to_have_attribute("title", "3: Two bows, open to the left")
    edit(panel, "4", key="u")
    expect(ada.page.locator(".banner")).to_have_text("The key u is taken: undo.")
    panel.get_by_role("button", name="Cancel").click()
    edit(panel, "4", key="t")
    expect(ada.page.locator(".banner")).to_have_text("The key t belongs to 3; give 3 another key first.")
    panel.get_by_role("button", name="Cancel").click()
    told = {ada.sees(): "3"}
    ada.press("t")

    flagged = ada.sees()
    ada.press("n")
    sheet(ada, "Note").get_by_role("textbox").fill("is it a seven?")
    ada.press("Escape", "n")  # the draft is still there
    ada.press("Enter")
    expect(ada.page.locator(".head")).to_contain_text("is it a seven?")
    ada.press("f")
    expect(ada.button("Flag f", exact=True)).to_have_attribute("aria-pressed", "true")
    told[flagged] = "7"
    ada.press("7")
    ada.is_saved()
    assert running.labels() == told
    row = next(row for row in running.table("labels.csv") if row["id"] == flagged)
    assert (row["note"], row["flag"]) == ("is it a seven?", "true")
    panel = ada.open_tab("Check")
    expect(panel.get_by_role("heading", name="1 flagged sample")).to_be_visible()
    panel.get_by_role("button", name=flagged).click()
    expect(ada.sample).to_have_text(flagged)
    ada.press("f", "Escape")
    expect(panel.get_by_role("heading", name="1 flagged sample")).to_have_count(0)
    ada.is_saved()
    assert running.state()["flagged"] == 0


@pytest.mark.slow
@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_guidelines_stay_text(shared_guide, text):
    found = shared_guide.page.evaluate(DRAW, text)
    assert set(found["names"]) <= SAFE
    assert set(found["attributes"]) <= {"class", "href", "target", "rel"}
    for href, target, rel in found["links"]:
        assert href.startswith("https://")
        assert (target, rel) == ("_blank", "noopener noreferrer")


@pytest.fixture(scope="module")
def shared_guide(browser, shared_studio, tmp_path_factory, guide):
    from studio.browser import Person

    folder = pools.digits(tmp_path_factory.mktemp("few"), 30)
    person = Person(browser, "Eve", tmp_path_factory.mktemp("shots"))
    person.enter(shared_studio(folder, "--guide", str(guide)))
    expect(sheet(person)).to_be_visible()
    yield person
    person.leave()


@pytest.mark.slow
def test_markdown_is_drawn(shared_guide):
    text = "# A *b*\n\nc **d**  \ne `f`\n\n1. g\n\n- h\n> i\n![j](7) _k_ l_m_n\n### o\n```\np\n```\n[q](https://r.s)"
    found = shared_guide.page.evaluate(DRAW, text)
    assert set(found["names"]) == SAFE
    assert "7 j" in found["text"]
    assert "l_m_n" in found["text"]


ASSIGN = """async (cases) => {
    const { assignKeys } = await import("/static/store/keymap.js");
    return cases.map(([before, classes, given]) => {
        return [...assignKeys(new Map(before), classes, Object.fromEntries(given))];
    });
}"""
LETTERS = [key for key in "1234567890abcdefghijklmnopqrstuvwxyz" if key not in COMMANDS]


def _keys_case(rng):
    names = [f"class {k}" for k in range(rng.choice([3, 12, 40]))] + [
        "7",
        "c",
        "u",
        "constructor",
        "__proto__",
    ]
    some = rng.sample(names, rng.randint(0, min(len(names), 20)))
    before = dict(zip(some, rng.sample(LETTERS, len(some)), strict=True))
    classes = rng.sample(names, rng.randint(1, len(names)))
    told = rng.sample(classes, rng.randint(0, min(len(classes), 5)))
    given = dict(zip(told, rng.sample([*LETTERS, ";", "ö"], len(told)), strict=True))
    return before, classes, given


@pytest.mark.slow
def test_no_key_moves_unless_the_owner_says_so(shared_guide):
    rng = random.Random(0)
    cases = [_keys_case(rng) for _ in range(300)]
    plain = [[list(before.items()), classes, list(given.items())] for before, classes, given in cases]
    found = map(dict, shared_guide.page.evaluate(ASSIGN, plain))
    for (before, classes, given), keys in zip(cases, found, strict=True):
        assert given.items() <= keys.items()
        assert len(set(keys.values())) == len(keys)
        assert set(keys) <= set(classes)
        assert not set(keys.values()) & set(COMMANDS)
        learned = {name: key for name, key in before.items() if name in classes and name not in given}
        stays = {name: key for name, key in learned.items() if key not in given.values()}
        assert stays.items() <= keys.items()
        assert len(keys) == len(classes) or set(LETTERS) <= set(keys.values())


@pytest.mark.slow
def test_changed_guidelines_are_announced_and_not_forced(studio, digits, join, guide):
    running = studio(digits, "--budget", "60", "--classes", "a,b", "--guide", str(guide))
    ada, bob = join(running), join(running, "Bob")
    for person in (ada, bob):
        sheet(person).get_by_role("button", name="Go on").click()
    ada.press("i")
    ada.button("Edit the guidelines").click()
    ada.page.get_by_role("textbox", name="Guidelines").fill("Only *new* rules.")
    sheet(ada).get_by_role("button", name="Save").click()
    expect(sheet(ada)).to_contain_text("Only new rules.")
    ada.press("Escape")
    expect(bob.page.locator(".banner")).to_have_text("The guidelines have changed: press i to read them.")
    expect(sheet(bob)).to_have_count(0)
    bob.press("i")
    expect(sheet(bob)).to_contain_text("Only new rules.")
    eve = join(running, "Eve")
    expect(sheet(eve)).to_contain_text("Only new rules.")
    assert [event["annotator"] for event in running.events("guide")] == ["command line", "Ada"]


@pytest.mark.slow
def test_the_first_guidelines_do_not_get_in_the_way_of_those_who_work(studio, digits, join):
    running = studio(digits, "--budget", "60", "--classes", "a,b")
    ada, bob = join(running), join(running, "Bob")
    for person in (ada, bob):
        expect(person.button("a key a")).to_be_visible()
    ada.press("i")
    ada.button("Edit the guidelines").click()
    ada.page.get_by_role("textbox", name="Guidelines").fill("# Now there are some")
    sheet(ada).get_by_role("button", name="Save").click()
    expect(bob.page.locator(".banner")).to_have_text("The guidelines are new: press i to read them.")
    expect(sheet(bob)).to_have_count(0)
    bob.page.reload()
    expect(sheet(bob)).to_contain_text("Now there are some")


@pytest.mark.slow
def test_merges_are_undone_and_classes_sorted(studio, digits, join):
    running = studio(digits, "--budget", "60", "--classes", "walrus,ant,bee")
    ada = join(running)
    told = ada.label(3, lambda name: "123"[int(name[3]) % 3])
    names = dict(zip("123", ("walrus", "ant", "bee"), strict=True))
    panel = ada.open_tab("Classes")
    edit(panel, "ant", to="bee")
    expect(ada.button("ant key")).to_have_count(0)
    panel.get_by_role("button", name="Undo merge of ant").click()
    expect(ada.button("ant key 2")).to_be_visible()
    edit(panel, "walrus", to="bee")
    expect(ada.button("walrus key")).to_have_count(0)
    ada.press("u")  # the last thing that Ada did
    expect(ada.button("walrus key 1")).to_be_visible()
    panel.get_by_role("button", name="A–Z").click()
    buttons = ada.page.get_by_role("region", name="Classes").get_by_role("button")
    expect(buttons).to_contain_text(["ant", "bee", "walrus"])
    expect(ada.button("walrus key 1")).to_be_visible()  # keys stay where they are
    panel.get_by_role("button", name="By hand").click()
    panel.get_by_role("button", name="Move walrus up").click()
    expect(buttons).to_contain_text(["ant", "walrus", "bee"])
    panel.get_by_role("button", name="By count").click()
    ada.is_saved()
    counts = running.state()["counts"]
    assert list(counts.values()) == sorted(counts.values(), reverse=True)
    assert running.labels() == {name: names[key] for name, key in told.items()}


@pytest.mark.slow
def test_texts_that_changed_are_kept_or_labeled_anew(studio, tmp_path, join):
    file = pools.texts(tmp_path / "texts.csv", 30)
    running = studio(
        file, "--text-column", "text", "--budget", "20", "--classes", "sea,hill", "--audit", "0.9"
    )
    ada = join(running)
    told = ada.label(3, lambda name: "1" if name.startswith("sea") else "2")
    ada.is_saved()
    running.stop()
    first, _, third = told
    lines = file.read_text().splitlines(keepends=True)
    edited = [line.replace("\n", " anew\n") if line.startswith((first, third)) else line for line in lines]
    file.write_text("".join(edited))
    running.start()
    ada.forgives("Failed to load resource|ERR_")
    ada.enter_again(running)
    panel = ada.open_tab("Check")
    expect(panel.get_by_role("status")).to_contain_text("2 samples have changed since they were labeled.")
    changed = panel.get_by_role("list", name="Changed since they were labeled").get_by_role("button")
    expect(changed).to_have_count(2)
    panel.get_by_role("button", name="Check them").click()
    expect(ada.sample).to_have_text(re.compile(f"{first}|{third}"))
    ada.press("k")
    expect(changed).to_have_count(1)
    ada.press("2")
    expect(changed).to_have_count(0)
    ada.is_saved()
    assert running.state()["issues"] == 0
    running.restart()
    assert running.state()["issues"] == 0


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_sheets_and_forms_are_accessible(studio, digits, join, guide, scheme):
    running = studio(digits, "--budget", "60", "--classes", "ant,bee", "--guide", str(guide))
    ada = join(running, color_scheme=scheme)
    expect(sheet(ada)).to_be_visible()
    _is_accessible(ada)
    ada.button("Edit the guidelines").click()
    _is_accessible(ada)
    ada.press("Escape")
    ada.press("f", "n")
    _is_accessible(ada)
    ada.press("Escape")
    panel = ada.open_tab("Classes")
    panel.get_by_role("button", name="By hand").click()
    _is_accessible(ada)
    panel.get_by_role("button", name="By hand").click()
    panel.get_by_role("button", name="Edit ant").click()
    _is_accessible(ada)


def _is_accessible(person):
    found = Axe().run(person.page)
    assert found.violations_count == 0, found.generate_report()

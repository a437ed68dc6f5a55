"""For all eyes, hands and screens: names, focus, contrast; dark, small, by touch, without motion."""

import re

import pytest
from playwright.sync_api import expect

from studio.pools import DIGITS, digit_of

pytestmark = pytest.mark.slow

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
LIGHT, DARK = {"color_scheme": "light"}, {"color_scheme": "dark"}

# Every visible element with text of its own: that text, its contrast with what lies behind it, its size.
CONTRASTS = """() => {
  const parse = (color) => {
    const [r, g, b, a = 1] = color.match(/[\\d.]+/g).map(Number);
    return color.startsWith("color(") ? [255 * r, 255 * g, 255 * b, a] : [r, g, b, a];
  };
  const over = ([r, g, b, a], ground) => [r, g, b].map((c, k) => c * a + ground[k] * (1 - a)).concat(1);
  const behind = (element) => {
    if (!element) return [255, 255, 255, 1];
    const color = parse(getComputedStyle(element).backgroundColor);
    return color[3] === 1 ? color : over(color, behind(element.parentElement));
  };
  const light = (color) => {
    const linear = (c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    const [r, g, b] = color.slice(0, 3).map((c) => linear(c / 255));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const texts = (element) => [...element.childNodes].filter((node) => node.nodeType === 3);
  const own = (element) => texts(element).map((node) => node.data.trim()).join("");
  const shown = (element) => element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }) &&
    element.getBoundingClientRect().width > 1 && !element.closest(":disabled");
  return [...document.querySelectorAll("body *")].filter((e) => own(e) && shown(e)).map((element) => {
    const ground = behind(element);
    const [a, b] = [light(over(parse(getComputedStyle(element).color), ground)), light(ground)];
    return [own(element), (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)];
  });
}"""
# What has the focus: its name, and the width of the line around it.
FOCUSED = """() => {
  const element = document.activeElement;
  const { outlineStyle, outlineWidth } = getComputedStyle(element);
  const name = element.getAttribute("aria-label") ?? element.textContent;
  return [element.tagName, name, outlineStyle === "none" ? 0 : parseFloat(outlineWidth)];
}"""


# Buttons and links whose name does not hold the words that they show, for who says what they see.
MISNAMED = """() => {
  const words = (text) => text.toLowerCase().match(/[\\p{L}\\p{N}]+/gu) ?? [];
  return [...document.querySelectorAll("button, a, [role=tab]")]
    .filter((element) => element.checkVisibility({ checkVisibilityCSS: true }) && element.ariaLabel)
    .filter((element) => !words(element.ariaLabel).join(" ").includes(words(element.innerText).join(" ")))
    .map((element) => [element.ariaLabel, element.innerText]);
}"""


@pytest.fixture(scope="module")
def running(shared_studio, digits):
    running = shared_studio(digits, "--budget", "300", "--classes", DIGITS)
    running.wait_until(lambda state: state["versions"]["map"])
    return running


@pytest.mark.parametrize("scheme", [LIGHT, DARK], ids=["light", "dark"])
def test_contrast(running, join, scheme):
    ada = join(running, **scheme)
    ada.label(8, digit_of)
    ada.is_saved()
    running.wait_until(lambda state: state["advice"])
    for tab in ("Least sure", "Check", "Classes", "Files", "Progress"):
        ada.open_tab(tab)
        found = ada.page.evaluate(CONTRASTS)
        assert len(found) > 20
        assert [(text, round(ratio, 2)) for text, ratio in found if ratio < 4.5] == []
    ada.shoot(scheme["color_scheme"])
    ada.press("h")
    assert [(text, round(ratio, 2)) for text, ratio in ada.page.evaluate(CONTRASTS) if ratio < 4.5] == []


def test_everything_has_a_name(running, join):
    ada = join(running)
    ada.label(3, digit_of)
    ada.is_saved()
    for tab in ("Least sure", "Check", "Disagree", "Classes", "Files", "Progress"):
        ada.open_tab(tab)
        tree = ada.page.locator("body").aria_snapshot()
        nameless = [line.strip() for line in tree.splitlines() if line.strip().rstrip(":") in NAMELESS]
        assert nameless == [], tree
        assert ada.page.evaluate(MISNAMED) == []
    expect(ada.page.get_by_role("heading", level=1)).to_have_count(1)


NAMELESS = tuple(
    f"- {role}" for role in ("button", "link", "textbox", "combobox", "img", "tab", "progressbar")
)


@pytest.mark.slow
def test_focus_is_seen_wherever_it_goes(running, join):
    ada = join(running)
    ada.label(2, digit_of)
    expect(ada.sample).to_be_visible()
    seen = []
    for _ in range(60):
        ada.press("Tab")
        tag, name, width = ada.page.evaluate(FOCUSED)
        if tag == "BODY":
            break
        seen.append(name)
        assert width >= 2, name
    assert any("Undo" in name for name in seen)
    assert any("Map of the pool" in name for name in seen)
    assert any("again" in name for name in seen)
    assert len(seen) > 25


def test_what_happens_is_said(running, join):
    ada = join(running)
    said = ada.page.locator("[aria-live=polite]")
    ((name, digit),) = ada.label(1, digit_of).items()
    expect(said).to_contain_text(digit)
    expect(said).to_contain_text(f"Next: {ada.sees()}")
    ada.press("u")
    expect(said).to_contain_text(f"Taken back: {digit}. {name}")


def test_phone_by_touch(running, join):
    ada = join(running, "Grace", **PHONE)
    name, before = ada.sees(), running.labels()
    ada.shoot("phone_label")
    ada.button("7 key 7").tap()
    other = ada.sees()
    ada.button("Skip").tap()
    ada.is_saved()
    assert running.labels() == {**before, name: "7"}
    assert [event["sample"] for event in running.events("skip")] == [other]
    wide = ada.page.evaluate("document.documentElement.scrollWidth")
    assert wide <= 390
    for tab in ("Map", "Progress", "Files", "Label"):
        ada.page.get_by_role("navigation", name="Views").get_by_role("tab", name=tab).tap()
        expect(ada.page.get_by_role("main")).to_have_count(1)
        ada.shoot(f"phone_{tab.lower()}")
    expect(ada.sample).to_be_visible()


def test_buttons_are_large_enough_for_fingers(running, join):
    ada = join(running, **PHONE)
    expect(ada.sample).to_be_visible()
    main = ada.page.get_by_role("main")
    for button in main.get_by_role("button").all():
        box = button.bounding_box()
        assert min(box["width"], box["height"]) >= 24, button.text_content()


def test_nothing_moves_for_those_who_want_it_still(running, join):
    ada = join(running, reduced_motion="reduce")
    ada.label(2, digit_of)
    ada.shoot("reduced_motion")
    moving = ada.page.evaluate(
        "document.getAnimations().map((a) => a.effect.getComputedTiming().duration).filter((ms) => ms > 1)"
    )
    assert moving == []


@pytest.mark.slow
def test_theme_can_be_chosen(running, join):
    ada = join(running, **LIGHT)
    expect(ada.sample).to_be_visible()
    ground = "getComputedStyle(document.body).backgroundColor"
    before = ada.page.evaluate(ground)
    ada.button("Light or dark").click()
    dark = ada.page.evaluate(ground)
    assert dark != before
    ada.page.reload()
    expect(ada.sample).to_be_visible()
    assert ada.page.evaluate(ground) == dark


def test_small_pictures_stay_small(running, join):
    ada = join(running)
    expect(ada.sample).to_be_visible()
    picture = ada.page.get_by_role("img", name="Sample ")
    for size, side in [((1280, 800), 320), ((2560, 1440), 576), ((360, 500), None)]:
        ada.page.set_viewport_size({"width": size[0], "height": size[1]})
        card = ada.page.get_by_role("region", name="The sample").bounding_box()
        box = picture.bounding_box()
        assert side is None or (box["width"], box["height"]) == (side, side)
        assert box["x"] >= card["x"]
        assert box["y"] >= card["y"]
        assert box["x"] + box["width"] <= card["x"] + card["width"]
        assert box["y"] + box["height"] <= card["y"] + card["height"]


NAMES = (
    "running shoe left,person standing,shirt,t-shirt/top,dress (evening),photographic equipment,"
    "unidentifiable,sandal,bag,ankle boot,trouser,pullover,coat,hand-held_device_small,"
    "a class of many words that somebody made,bicycle,motorcycle,traffic light,fire hydrant,stop sign"
)
# Of each class: its name, the words of it that are broken in two, and whether something of it is cut off.
SHOWN = """() => [...document.querySelectorAll(".class .what")].map((what) => {
  const texts = [...what.childNodes].filter((node) => node.nodeType === 3);
  const broken = texts.flatMap((node) => [...node.data.matchAll(/[^\\s-]+/g)].filter(({ 0: word, index }) => {
    const range = document.createRange();
    range.setStart(node, index);
    range.setEnd(node, index + word.length);
    return new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size > 1;
  }).map(([word]) => word));
  const { scrollWidth, clientWidth, scrollHeight, clientHeight } = what;
  return [what.textContent, broken, scrollWidth > clientWidth || scrollHeight > clientHeight];
})"""


def test_twenty_classes_have_whole_names_colors_and_room_for_the_picture(shared_studio, digits, join):
    running = shared_studio(digits, "--budget", "300", "--classes", NAMES)
    ada = join(running)
    expect(ada.sample).to_be_visible()
    for width, height in ((390, 844), (1440, 900), (3840, 2160)):
        ada.page.set_viewport_size({"width": width, "height": height})
        shown = ada.page.evaluate(SHOWN)
        assert [name for name, _, _ in shown] == NAMES.split(",")
        assert [(name, broken) for name, broken, cut in shown if broken or cut] == []
        desk = ada.page.get_by_role("region", name="Desk").bounding_box()
        card = ada.page.get_by_role("region", name="The sample").bounding_box()
        assert card["height"] >= 0.45 * desk["height"], width
        assert ada.page.evaluate("document.documentElement.scrollWidth") <= width
        ada.shoot(f"twenty_{width}")
    colors = ada.page.evaluate(
        "[...document.querySelectorAll('.class')].map((e) => getComputedStyle(e).borderLeftColor)"
    )
    assert len(set(colors)) == 20


def test_the_first_class_is_named_beside_the_picture(shared_studio, digits, join):
    running = shared_studio(digits, "--budget", "60")
    ada = join(running)
    field = ada.page.get_by_role("combobox", name="Which class?")
    expect(field).to_be_visible()
    for width, height in ((390, 844), (1280, 800), (3840, 2160)):
        ada.page.set_viewport_size({"width": width, "height": height})
        picture = ada.page.get_by_role("img", name="Sample ").bounding_box()
        sheet = ada.page.get_by_role("dialog").bounding_box()
        apart = sheet["y"] >= picture["y"] + picture["height"] or sheet["y"] + sheet["height"] <= picture["y"]
        assert apart, (width, picture, sheet)


def test_counts_of_checks_are_the_same_everywhere_and_more_can_be_had(shared_studio, digits, join):
    running = shared_studio(digits, "--budget", "5", "--audit", "0.5", "--classes", DIGITS)
    ada = join(running)
    for _ in range(5):
        ada.label(1, digit_of)
    expect(ada.page.get_by_test_id("done")).to_be_visible()
    running.wait_until(lambda state: state["advice"] and state["advice"]["n_labels"] == 5)
    words = running.state()["advice"]["headline"]
    assert words.endswith("random checks right")
    expect(ada.page.get_by_test_id("quality")).to_have_text(words)
    expect(ada.page.get_by_test_id("done")).to_contain_text(words)
    expect(ada.open_tab("Progress")).to_contain_text(words)
    ada.open_tab("Progress").get_by_role("button", name="20 random checks now").click()
    told = ada.label(20, digit_of)
    ada.is_saved()
    asked = {event["sample"]: event["body"]["audit"] for event in running.events("ask")}
    assert all(asked[name] for name in told)
    assert running.state()["budget"] == 25
    expect(ada.page.get_by_test_id("done")).to_be_visible()
    expect(ada.open_tab("Progress")).to_contain_text(
        re.compile("Of 1.?00.? samples that nobody has labeled, about")
    )
    expect(ada.page.get_by_test_id("quality")).to_have_text(re.compile("about .* right"))

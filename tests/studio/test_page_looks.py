"""For all eyes, hands and screens: names, focus, contrast; dark, small, by touch, without motion."""

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
ACCURACY = "async (advice) => (await import('/static/words.js')).accuracy(advice)"


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


@pytest.mark.parametrize(
    ("error", "low", "high", "span", "middle"),
    [
        (0.0, 0.0, 0.4, "60–100 %", None),
        (0.05, 0.02, 0.1, "90–98 %", "95 %"),
        (0.063, 0.02, 0.1, "90–98 %", "93.7 %"),
        (0.0, 0.0, 0.0, "100–100 %", "100 %"),
    ],
)
def test_few_checks_tell_an_interval_only(running, join, error, low, high, span, middle):
    ada = join(running)
    told = ada.page.evaluate(ACCURACY, {"error": error, "low": low, "high": high})
    assert (told["span"], told["middle"]) == (span, middle)

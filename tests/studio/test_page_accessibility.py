"""axe-core finds nothing on any view, light and dark, at a desk and on a phone; the keyboard reaches all.

A view is one line of `VIEWS`: the pool on which it is looked at, and how it is opened. Quick runs look at a
few of them; all of them are looked at in the slow ones.
"""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from studio import pools
from studio.pools import DIGITS

DESK = {"viewport": {"width": 1440, "height": 900}}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
SCREENS = {"desk": DESK, "phone": PHONE}

POOLS = {  # how each is made in a folder, and the options of its studio
    "pictures": (pools.digits, ["--classes", DIGITS, "--budget", "60", "--audit", "0.3"]),
    "texts": (
        lambda folder: pools.texts(folder / "t.csv"),
        ["--text-column", "text", "--classes", "sea,hill"],
    ),
    "rows": (lambda folder: pools.flowers(folder / "f.csv"), ["--classes", "setosa,versicolor,virginica"]),
    "numbers": (lambda folder: pools.flowers(folder / "f.csv"), ["--values", "height,weight"]),
    "points": (pools.spots, ["--points", "spot,other", "--budget", "20"]),
    "tags": (lambda folder: pools.digits(folder, 60), ["--tags", "round,straight,tall", "--budget", "30"]),
    "done": (
        lambda folder: pools.digits(folder, 20),
        ["--classes", "a,b", "--budget", "1", "--audit", "0.9"],
    ),
}


def tab(name):
    return lambda ada: ada.open_tab(name)


def key(pressed, dialog):
    """A sheet."""

    def open_sheet(ada):
        ada.press(pressed)
        expect(ada.page.get_by_role("dialog", name=dialog)).to_be_visible()

    return open_sheet


def desk(ada):
    expect(ada.sample).to_be_visible()


def gallery(ada):
    ada.press("g")
    expect(ada.page.get_by_role("gridcell").first).to_be_visible()


def whole_map(ada):
    ada.press("m")
    expect(ada.page.get_by_label("Map of the pool").first).to_be_visible()


def search(ada):
    key("/", "Search")(ada)
    ada.keyboard.type("00")
    expect(ada.page.get_by_text("samples found")).to_be_visible()


def finished(ada):
    expect(ada.page.get_by_test_id("done")).to_be_visible()


VIEWS = {
    **{f"desk of {kind}": (kind, desk) for kind in POOLS if kind != "done"},
    "map": ("pictures", whole_map),
    "progress": ("pictures", tab("Progress")),
    "least sure": ("pictures", tab("Least sure")),
    "check": ("pictures", tab("Check")),
    "disagree": ("pictures", tab("Disagree")),
    "classes": ("pictures", tab("Classes")),
    "files": ("pictures", tab("Files")),
    "files of texts": ("texts", tab("Files")),
    "team": ("pictures", tab("Team")),
    "progress of numbers": ("numbers", tab("Progress")),
    "classes of tags": ("tags", tab("Classes")),
    "keys": ("pictures", key("h", "Keys")),
    "search": ("pictures", search),
    "new class": ("pictures", key(" ", "class")),
    "note": ("pictures", key("n", "Note")),
    "guidelines": ("pictures", key("i", "Guidelines")),
    "gallery of pictures": ("pictures", gallery),
    "gallery of texts": ("texts", gallery),
    "done": ("done", finished),
}
QUICK = (("desk of pictures", "desk"), ("gallery of pictures", "phone"))
OUTSIDE = {  # what one sees before one is in
    "welcome": lambda ada, studio: ada.page.goto(studio.url),
    "without the link": lambda ada, studio: ada.page.goto(studio.address),
}
REACH = """() => {
  const element = document.activeElement;
  const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
  (window.reached ??= new WeakSet()).add(element);
  const at = document.getElementById(element.getAttribute("aria-activedescendant")); // of a grid, the tile
  const inside = at ? parseFloat(getComputedStyle(at, "::before").borderTopWidth) : 0;
  const around = outlineStyle === "none" ? 0 : parseFloat(outlineWidth);
  const ring = around || (boxShadow === "none" ? inside : 2);
  const name = element.ariaLabel ?? element.textContent.trim().slice(0, 60);
  return [element.tagName, element.role ?? element.getAttribute("role"), name, ring];
}"""
# Tiles of a grid are reached by arrow keys, which the grid itself listens to.
UNREACHED = """() => [...document.querySelectorAll("button, a[href], input, select, textarea, summary")]
  .filter((one) => one.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }) && !one.disabled)
  .filter((one) => one.getBoundingClientRect().width > 1 && !one.closest("[role=grid], [inert]"))
  .filter((one) => !window.reached?.has(one))
  .map((one) => one.outerHTML.slice(0, 120))"""


@pytest.fixture(scope="module")
def running(shared_studio, tmp_path_factory):
    """The studio of a kind of pool, with something to show in it."""
    found = {}

    def call(kind):
        if kind not in found:
            make, options = POOLS[kind]
            found[kind] = shared_studio(make(tmp_path_factory.mktemp(kind)), *options)
            if kind in ("pictures", "done"):
                fill(found[kind], n=24 if kind == "pictures" else 1)
        return found[kind]

    return call


def fill(studio, n):
    """Labels, and for many of them a second person who differs, a note and guidelines."""
    for person in ("Ada", "Bob")[: 2 if n > 1 else 1]:
        with studio.client() as client:
            body = {"annotator": person, "held": [], "want": n, "actions": []}
            items = client.post("/api/actions", json=body).raise_for_status().json()["items"]
            samples = [item["sample"] for item in items] if n == 1 else list(range(n))
            values = ["a" if n == 1 else str(i % 10 if i else int(person == "Bob")) for i in samples]
            actions = [
                {"client": f"{person} {i}", "kind": "label", "sample": i, "value": value}
                for i, value in zip(samples, values, strict=True)
            ]
            if n > 1:
                actions.append(
                    {"client": f"n {person}", "kind": "note", "sample": 1, "text": "?", "flag": True}
                )
                actions.append(
                    {"client": f"g {person}", "kind": "guide", "text": "# Digits\n\nLook **twice**."}
                )
            answer = client.post("/api/actions", json={**body, "want": 0, "actions": actions}).json()
            assert answer["refused"] == []
    if n > 1:
        studio.wait_until_learned()
        studio.wait_until(lambda state: state["versions"]["map"] and not state["stage"])


def come(join, studio, kind, **screen):
    """Somebody new; the guidelines open by themselves, once."""
    ada = join(studio, **screen)
    if kind == "pictures":
        expect(ada.page.get_by_role("dialog", name="Guidelines")).to_be_visible()
        ada.press("Escape")
    return ada


def look(ada, name):
    """What axe-core finds wrong with the screen, in light and in dark."""
    wrong = []
    for scheme in ("light", "dark"):
        ada.page.emulate_media(color_scheme=scheme)
        ada.shoot(f"axe {name} {scheme}".replace(" ", "_"))
        found = Axe().run(ada.page).response["violations"]
        wrong += [(name, scheme, one["id"], [node["html"][:200] for node in one["nodes"]]) for one in found]
    return wrong


@pytest.mark.parametrize(("view", "screen"), QUICK)
def test_a_view_has_no_violation(running, join, view, screen):
    kind, show = VIEWS[view]
    ada = come(join, running(kind), kind, **SCREENS[screen])
    show(ada)
    assert look(ada, f"{view} {screen}") == []


@pytest.mark.slow
@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("kind", POOLS)
def test_no_view_has_a_violation(running, join, kind, screen):
    ada = come(join, running(kind), kind, **SCREENS[screen])
    wrong = []
    for name, show in ((name, show) for name, (pool, show) in VIEWS.items() if pool == kind):
        show(ada)
        wrong += look(ada, f"{name} {screen}")
        ada.page.reload()
        (finished if kind == "done" else desk)(ada)
    assert wrong == []


@pytest.mark.slow
@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("view", OUTSIDE)
def test_no_view_from_outside_has_a_violation(running, join, view, screen):
    ada = join(**SCREENS[screen])
    ada.forgives("401|403")
    OUTSIDE[view](ada, running("texts"))
    expect(ada.page.get_by_role("heading").first).to_be_visible()
    assert look(ada, f"{view} {screen}") == []


def walk(ada):
    """Tab to the last one, then from the first to the last; of tabs, which share a stop, all by arrows."""
    ada.page.evaluate("() => { document.activeElement?.blur(); window.reached = new WeakSet(); }")
    unseen, ends = [], 0
    for _ in range(400):
        ada.press("Tab")
        tag, role, name, ring = ada.page.evaluate(REACH)
        if tag == "BODY":  # past the last one: nothing has kept the focus
            ends += 1
            if ends == 2:
                return unseen
            continue
        unseen += [name] if ring < 2 else []
        for _ in range(
            ada.page.locator(":focus").locator("..").get_by_role("tab").count() if role == "tab" else 0
        ):
            ada.press("ArrowRight")
            ada.page.evaluate(
                "new Promise((then) => requestAnimationFrame(() => requestAnimationFrame(then)))"
            )
            ada.panel()
            _, _, name, ring = ada.page.evaluate(REACH)
            unseen += [name] if ring < 2 else []
    raise AssertionError(f"the focus does not leave the page; last it was at {name}")


@pytest.mark.slow
@pytest.mark.parametrize(
    "view", ["desk of pictures", "desk of numbers", "team", "files", "classes", "gallery of pictures"]
)
def test_the_keyboard_reaches_everything(running, join, view):
    kind, show = VIEWS[view]
    ada = come(join, running(kind), kind, **DESK)
    show(ada)
    assert walk(ada) == []
    assert ada.page.evaluate(UNREACHED) == []

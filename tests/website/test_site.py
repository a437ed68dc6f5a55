"""The site: every page listed, built without a warning, and nothing loaded from elsewhere."""

import re
import shutil
import sys
from pathlib import Path

import pytest

import trigpoint

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "website"))

api = pytest.importorskip("api")


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    pytest.importorskip("zensical")
    build = pytest.importorskip("build")
    folder = tmp_path_factory.mktemp("site")
    build.build(folder / "work", folder / "site")
    return folder / "site"


def test_the_api_pages_hold_every_public_name(tmp_path):
    entries = api.write_pages(tmp_path / "api")
    assert sorted(entries) == sorted(trigpoint.__all__)
    for name, place in entries.items():
        page, anchor = place.split("#")
        assert f"{{ #{anchor} }}" in (tmp_path / "api" / page).read_text(), name
    for room, (_, others) in api.public_names().items():
        text = (tmp_path / "api" / f"{room}.md").read_text()
        assert [name for name in others if f"{{ #tp.{room}.{name} }}" not in text] == []


def test_every_room_has_a_page():
    assert {*api.ROOMS, "cli", "demo"} == trigpoint._ROOMS | {"io"}


def test_a_docstring_becomes_lists_and_fences():
    page = api._docstring(trigpoint.select)
    assert "- `phi`: (n, n) alignment matrix" in page
    assert "```pycon\n>>> import trigpoint as tp" in page
    assert "----" not in page


def test_what_python_wrote_is_not_shown_as_a_docstring():
    told = {name: api._told(getattr(trigpoint.trials, name)) for name in ("Row", "Estimate", "number")}
    assert told == {
        "Row": "A type: `dict[str, typing.Any]`.",
        "Estimate": "A record: `mean`, `ci95`, `trials`.",
        "number": "`number(value)`",
    }
    assert "'gcls'" in api._told(trigpoint.selection.SELECTORS)


def test_private_files_of_a_room_are_not_on_its_page():
    page = api._page("io", [], [])
    assert "Read pools and labels" in page
    assert "nothing is ever unpickled." in page
    assert "_pool" not in page.replace("\\_", "_")


def test_words_between_stars_are_stressed_and_products_stay():
    assert api._escaped("the *state*, a * b * c, n*p*q") == r"the *state*, a \* b \* c, n\*p\*q"


def test_names_are_linked_beside_other_links_but_not_in_them():
    pages = pytest.importorskip("pages")
    line = pages._mentions({"select": "s.md#x", "embed": "e.md#y"}, "")
    assert line("[a](b.md), `tp.select`") == "[a](b.md), [`tp.select`](api/s.md#x)"
    assert line("[`tp.embed` and more](b.md)") == "[`tp.embed` and more](b.md)"
    for part in ("more of `tp.embed`](b.md)", "[a](b.md) and [more of `tp.embed`"):
        assert line(part) == part


def test_a_page_that_nobody_lists_stops_the_build(tmp_path):
    build = pytest.importorskip("build")
    pages = pytest.importorskip("pages")
    pages.put_together(tmp_path / "docs")
    assert build.navigation(tmp_path / "docs")
    (tmp_path / "docs/lost.md").write_text("# Lost\n")
    with pytest.raises(SystemExit, match=r"does not list: lost\.md"):
        build.navigation(tmp_path / "docs")
    (tmp_path / "docs/bound.md").unlink()
    with pytest.raises(SystemExit, match=r"do not exist: bound\.md"):
        build.navigation(tmp_path / "docs")


def test_links_lead_to_pages_of_the_site_and_others_become_text():
    pages = pytest.importorskip("pages")
    home, below = pages._at_home("index.md"), pages._at_home("howto/choose.md")
    assert (
        home("[a](docs/cli.md#x) [b](CONTRIBUTING.md) [c](LICENSE)") == "[a](cli.md#x) [b](contributing.md) c"
    )
    assert (
        home("![d](docs/demo.png) [e](https://example.org/f.md)")
        == "![d](demo.png) [e](https://example.org/f.md)"
    )
    assert (
        below("[a](../cli.md) [b](../../CHANGELOG.md#x) [c](../../src/x.py)")
        == "[a](../cli.md) [b](../changelog.md#x) c"
    )


def test_a_picture_on_a_line_of_its_own_opens_and_may_have_a_dark_twin():
    pages = pytest.importorskip("pages")
    line = pages._figures("method/circles.md")
    assert line("![a](circle.svg)") == "[![a](circle.svg)](circle.svg)"
    assert line("| ![a](circle.svg) |") == "| ![a](circle.svg) |"
    light, dark = pages._figures("index.md")("![b](studio.png)").split(") [")
    assert light + ")" == "[![b](studio.png#only-light)](studio.png)"
    assert "[" + dark == "[![b](studio_dark.png#only-dark)](studio_dark.png)"


def test_options_quantities_and_ranges_stay_whole_where_a_line_ends():
    pages = pytest.importorskip("pages")
    line = pages._unbroken
    whole = '<span class="whole">{}</span>'.format
    assert line("`--json` and `a --b=<c>`") == (
        f"<code>{whole('--json')}</code> and <code>a {whole('--b')}=&lt;c&gt;</code>"
    )
    assert line("| 94 % | 0.6 (0.4–0.8) | 2 ± 7e-06 | `94 %` |") == (
        f"| 94\xa0% | 0.6 ({whole('0.4–0.8')}) | {whole('2 ± 7e-06')} | `94 %` |"
    )
    for same in ("## 5 % wrong", "`--budget must be`{ .message }", "in 1 scene, 3 sizes", "[a](b-c.md#d--e)"):
        assert line(same) == same


def test_a_sentence_of_a_docstring_goes_on_and_a_new_one_gets_its_own_line():
    listed = api._items(
        "a : how far it\n    goes\nb : int\n    Number of it.\nc, d\n    As above.", "`{}`".format
    )
    assert listed.split("\n") == [
        "- `a`: how far it goes",
        "- `b`: int<br>Number of it.",
        "- `c`, `d`<br>As above.",
    ]
    assert api._items("self", "`{}`".format) == "- self"
    long = "a : " + "x" * 80
    assert "<br>" not in api._items(f"{long} or\n    None", "`{}`".format)
    assert "<br>" in api._items(f"{long}, optional\n    None, as before", "`{}`".format)
    assert "<br>" in api._items('a : "b" or "c"\n    "b" is one', "`{}`".format)
    assert "](alignment.md#tp.lle)" in api._items("trigpoint.ltsa, trigpoint.lle", api._linked)


def test_what_is_returned_is_one_item_however_many_lines_it_has():
    assert api._whole("(n,) classes, or\n(n, d) values") == "(n,) classes, or (n, d) values"
    assert api._whole("indices\n\nMore of\nit.") == "indices\n\n    More of\n    it."
    for same in ("a : int\nb : float", "Record\n    All of it.\n    More."):
        assert api._whole(same) == same
    page = api._docstring(trigpoint.ManifoldClassifier)
    assert "n &lt;= K" in page
    assert "\\<" not in page
    assert "_fit" not in api._signature(trigpoint.annotators.Consensus)
    assert "<" not in api._signature(trigpoint.report.Basis)


def test_every_room_with_a_page_of_its_own_links_to_it():
    assert "[How to use it](../files.md), with examples." in api._page("io", [], [])
    assert "How to use it" not in api._page("trials", [], [])
    assert [guide for guide in api.GUIDES.values() if not (api.DOCS / guide.partition("#")[0]).exists()] == []


def test_the_page_of_a_wrong_address_links_to_pages_that_exist(tmp_path):
    pages = pytest.importorskip("pages")
    pages.put_together(tmp_path)
    linked = re.findall(
        r"\{\{ '([\w/]+)\.html' \| url \}\}", (ROOT / "website/templates/404.html").read_text()
    )
    assert len(linked) > 3
    assert [page for page in linked if not (tmp_path / f"{page}.md").exists()] == []


def test_dead_links_and_other_hosts_are_found(tmp_path):
    check = pytest.importorskip("check")
    (tmp_path / "a.html").write_text(
        '<h1 id="x"><a href="b.html#y"></a><a href="c.html"></a><a href="#x"></a>'
    )
    (tmp_path / "b.html").write_text(
        '<script src="https://example.org/x.js"></script><a href="https://example.org">'
    )
    (tmp_path / "a.css").write_text("@import 'https://example.org/font.css'; a { background: url(x.png) }")
    assert check.problems(tmp_path) == [
        "a.html links to b.html#y, which has no such anchor",
        "a.html links to c.html, which does not exist",
        "b.html loads https://example.org/x.js",
        "a.css loads @import 'https://example.org/font.css",
    ]


@pytest.mark.slow
def test_the_site_is_built_without_a_warning(site):
    for name in ("index", "get_started", "howto/troubleshooting", "method/circles", "paper", "api/selection"):
        assert (site / f"{name}.html").exists()
    assert (site / "method/circles.html").read_text().count("<math") > 3
    assert 'href="/get_started.html"' in (site / "404.html").read_text()
    assert 'href="api/selection.html#tp.select"' in (site / "selection.html").read_text()


@pytest.fixture(scope="module")
def browser():
    program = shutil.which("chromium") or shutil.which("google-chrome")
    if program is None:
        pytest.skip("no Chromium was found")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as started:
        opened = started.chromium.launch(
            executable_path=program, args=["--no-sandbox", "--disable-dev-shm-usage"]
        )
        yield opened
        opened.close()


@pytest.mark.slow
@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_page_loads_nothing_from_elsewhere_and_fits_the_screen(site, browser, width, scheme):
    page = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
    asked, wrong = [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: wrong.append(error))
    for name in ("index", "get_started", "howto/choose", "method/circles", "performance", "api/selection"):
        page.goto(f"file://{site}/{name}.html")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name
    page.close()
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []
    assert wrong == []


@pytest.mark.slow
def test_the_circles_of_the_page_are_those_of_the_library(site, browser):
    page = browser.new_page()
    page.goto(f"file://{site}/method/circles.html")

    def shown(part):
        return float(page.locator(f"[data-part={part}]").get_attribute("data-value"))

    edges = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0), (1, 4), (3, 5), (5, 6), (6, 7), (7, 8), (8, 5), (6, 8)]
    phi = trigpoint.laplacian(trigpoint.graph_from_edges(edges), weights="binary")
    labeled = []
    for sample in (3, 6, 1, 8):
        page.locator(f"[data-sample='{sample}']").click()
        labeled.append(sample)
        found = trigpoint.landmark_bound(phi, labeled, alpha=10**-0.7)
        assert shown("kappa") == pytest.approx(found.condition_number)
        assert shown("Q") == pytest.approx(found.gershgorin)
    page.locator("[data-part=reset]").click()
    for _ in range(3):
        page.locator("[data-part=next]").click()
    picked = page.eval_on_selector_all(
        ".sample.labeled", "found => found.map((g) => Number(g.dataset.sample))"
    )
    assert sorted(picked) == sorted(trigpoint.select(phi, 3, method="gcls", alpha=10**-0.7))
    page.close()

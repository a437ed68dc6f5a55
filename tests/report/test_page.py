"""The page as a whole: valid, alone, safe, and complete for whatever a run has found out."""

import re
import subprocess
import sys
from html.parser import HTMLParser

import numpy as np
import pytest

import trigpoint as tp
from trigpoint.report import Basis, Curve, Report, library_versions, page

VOID = {"meta", "img", "br", "path", "circle", "rect", "use", "image"}
HOSTILE = "<script>alert('x')</script>\"><img src=x onerror=alert(1)>&amp;\x00\x1b\ud800\u202e</style>"


class Outline(HTMLParser):
    """Every tag closed in order, and what the page holds."""

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.attributes, self.text = [], [], [], []
        self.feed(text)
        self.close()
        assert self.open == [], f"never closed: {self.open}"

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]

    def handle_endtag(self, tag):
        assert self.open, f"{tag} is closed, but was not opened"
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)

    def headings(self):
        return [tag for tag in self.tags if re.fullmatch("h[1-6]", tag)]


def outline(report):
    text = page(report)
    text.encode()  # no lone surrogates
    found = Outline(text)
    alone(text, found)
    assert not re.search(r"\bnan\b|\binf\b", re.sub(r"base64,[^\"]*", "", text), re.IGNORECASE)
    return found, text


def alone(text, found):
    """No script, and no address but those within the page."""
    assert "script" not in found.tags
    assert not {"link", "iframe", "object", "embed", "base", "form", "video", "audio"} & set(found.tags)
    for tag, name, value in found.attributes:
        assert not name.startswith("on"), f"{tag} has a handler {name}"
        if name in ("src", "href", "srcset", "action", "poster", "xlink:href"):
            assert value.startswith(("data:image/", "#")), f"{tag} {name}={value[:60]}"
        assert name != "style" or "url" not in value
    style = re.search("<style>(.*?)</style>", text, re.DOTALL)[1]
    assert "url(" not in style
    assert "@import" not in style
    assert "default-src 'none'" in text
    assert text.count("<!DOCTYPE html>") == 1


def whole(n=60, **more):
    """A report with every part."""
    rng = np.random.default_rng(0)
    graph = tp.neighbor_graph(rng.random((n, 3)), 5)
    phi = tp.laplacian(graph)
    landmarks = tp.select(phi, 6, graph=graph, random_state=0)
    budgets = np.array([2, 4, 6])
    image = rng.integers(0, 256, (8, 8), dtype=np.uint8)
    parts = {
        "shown": [{"id": f"s{i}", "label": "ab"[i % 2], "image": image} for i in landmarks],
        "coordinates": rng.random((n, 2)),
        "labels": ["ab"[i % 2] for i in range(n)],
        "uncertainty": rng.random(n),
        "uncertain": [
            {"id": "s9", "index": 9, "label": "b", "truth": "a", "uncertainty": 0.9, "image": image}
        ],
        "curve": Curve(
            budgets, np.array([0.5, 0.8, 0.9625]), budgets / 10, budgets / 12, budgets / 9, note="a note"
        ),
        "path": tp.selection_path(phi, landmarks),
        "basis": Basis(
            "white",
            {"raw": 0.71234, "white": 0.5},
            {"raw": 0.25, "white": 0.625, "linear": 0.125},
            {"raw": 0.1, "white": 0.05, "linear": 1 / 3},
            "left-out labels wrong",
            share=True,
            temperature=0.8,
        ),
        "settings": {"neighbors": "5"},
        "versions": library_versions(),
        "seconds": {"graph": 0.5},
        "command": "trigpoint select pool.npy --budget 6",
    }
    return Report("A pool", "pool.npy", n, landmarks, **(parts | more))


def test_a_whole_report():
    found, text = outline(whole())
    assert found.headings()[:1] == ["h1"]
    assert found.headings().count("h2") == 7
    for title in (
        "What was chosen",
        "The pool as a map",
        "Accuracy by number of labels",
        "What predicted",
        "Coverage and bound",
    ):
        assert title in text
    assert "The least certain samples" in text
    assert "Repeat this run" in text
    told = "".join(found.text)
    assert (
        "6 labels for 60 samples: 96.2\u00a0% of the others right; with 6 random labels, 60.0\u00a0%." in told
    )
    assert "The bound is not an error bound for labels." in told
    assert "1 of these 1 are wrong" in told
    assert "trigpoint select pool.npy --budget 6" in told
    assert f"trigpoint{tp.__version__}" in told.replace("\n", "")


def test_every_picture_has_a_text_in_its_place():
    found, _ = outline(whole())
    pictures = [name for name in found.tags if name == "img"]
    assert len(pictures) == len([a for a in found.attributes if a[:2] == ("img", "alt") and a[2]]) > 0
    roles = [a for a in found.attributes if a[0] == "svg" and a[1] in ("aria-label", "aria-hidden")]
    assert len(roles) == found.tags.count("svg")


def test_the_smallest_report():
    found, text = outline(Report("A pool", "pool.npy", 10, np.array([3])))
    assert "section" not in found.tags
    assert "1 of 10 samples to label first." in text


@pytest.mark.parametrize(
    "part",
    [
        "shown",
        "coordinates",
        "labels",
        "uncertainty",
        "uncertain",
        "curve",
        "path",
        "basis",
        "settings",
        "versions",
        "seconds",
        "command",
    ],
)
def test_each_part_can_be_left_out(part):
    empty = {"shown": (), "uncertain": (), "settings": {}, "versions": {}, "seconds": {}, "command": ""}
    found, _ = outline(whole(**{part: empty.get(part)}))
    assert found.tags.count("section") == 7 - (part in ("shown", "coordinates", "curve", "path", "basis"))


def test_what_predicted_is_a_table_by_weight():
    _, text = outline(whole())
    start = text.index("<h2>What predicted</h2>")
    part = text[start : text.index("</section>", start)]
    rows = [re.findall("<bdi>(.*?)</bdi>", row) for row in re.findall("<tr>(.*?)</tr>", part, re.DOTALL)]
    assert rows == [
        ["predictor", "what it is", "nearness", "left-out labels wrong", "weight"],
        [
            "white",
            "labels spread: all directions made equal",
            "0.5",
            "5.0\u00a0%",
            "62\u00a0%",
        ],
        ["raw", "labels spread: features as they are", "0.712", "10.0\u00a0%", "25\u00a0%"],
        ["linear", "a linear model", "–", "33.3\u00a0%", "12\u00a0%"],
    ]
    assert "white is the one that counts most, of 2 that were considered." in part
    assert "Probabilities are then made sharper (temperature 0.80)." in part


def test_a_selection_tells_its_view():
    _, text = outline(whole(basis=Basis("raw", {"raw": 0.5, "white": np.inf})))
    start = text.index("<h2>The view</h2>")
    part = text[start : text.index("</section>", start)]
    rows = [re.findall("<bdi>(.*?)</bdi>", row) for row in re.findall("<tr>(.*?)</tr>", part, re.DOTALL)]
    assert rows == [
        ["view", "what it is", "nearness"],
        ["raw", "features as they are", "0.5"],
        ["white", "all directions made equal", "–"],
    ]
    assert "raw is the one used, of 2 that were considered." in part


def test_numbers_and_what_has_no_view():
    basis = Basis("white", {"white": 0.5}, {"linear": 1.0}, {"linear": 0.12345}, "root mean squared error")
    _, text = outline(whole(basis=basis))
    assert "<bdi>0.123</bdi>" in text
    assert "counts most" not in text, "a linear model looks at no view"
    smooth = Basis("graph", {}, {"graph": 0.5, "graph^2": 0.5})
    _, text = outline(whole(basis=smooth))
    assert "<bdi>labels spread smoothly: links of the pool</bdi>" in text


def test_equal_reports_give_equal_pages():
    assert page(whole()) == page(whole())


@pytest.mark.parametrize("kind", ["image", "pixels", "text", "row", "nothing", "file"])
def test_a_hostile_pool_stays_text(kind, tmp_path):
    looks = {
        "image": {"image": np.zeros((4, 4), dtype=np.uint8)},
        "pixels": {"pixels": np.zeros((4, 4, 3), dtype=np.uint8)},
        "text": {"text": HOSTILE},
        "row": {"row": {HOSTILE: HOSTILE, "b": 1.5}},
        "nothing": {},
        "file": {"image": tmp_path / "<b>.png"},
    }[kind]
    sample = {"id": HOSTILE, "label": HOSTILE, "truth": HOSTILE + "x", "uncertainty": 0.5, "index": 3} | looks
    report = whole(
        shown=[sample] * 6,
        uncertain=[sample],
        labels=[HOSTILE, "b"] * 30,
        curve=Curve(np.array([6]), np.array([0.5]), measure=HOSTILE, note=HOSTILE),
        settings={HOSTILE: HOSTILE},
        versions={HOSTILE: HOSTILE},
        seconds={HOSTILE: 1.0},
        command=HOSTILE,
        noun=HOSTILE,
    )
    object.__setattr__(report, "title", HOSTILE)
    object.__setattr__(report, "pool", HOSTILE)
    found, text = outline(report)
    assert "<script" not in text
    assert "\x00" not in text
    assert found.tags.count("img") == (7 if kind in ("image", "pixels") else 0)
    assert "alert('x')" in "".join(found.text), "shown, as text"


def test_jinja_is_loaded_when_a_page_is_made():
    code = (
        "import sys, numpy as np; from trigpoint.report import Report, page;"
        "before = 'jinja2' in sys.modules; page(Report('', '', 1, np.array([0])));"
        "print(before, 'jinja2' in sys.modules)"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.split() == ["False", "True"]


def test_one_sample():
    graph = tp.graph_from_edges(np.empty((0, 2), dtype=int), n_nodes=1)
    report = Report(
        "One", "one.npy", 1, np.array([0]), [{"id": "0", "label": "a", "text": "only"}],
        np.zeros((1, 2)), ["a"], uncertainty=np.zeros(1), path=tp.selection_path(tp.laplacian(graph), [0]),
    )  # fmt: skip
    _, text = outline(report)
    assert "1 label for 1 sample: all have a label now." in text


def test_one_class():
    _, text = outline(whole(labels=["only"] * 60))
    assert "<bdi>only</bdi> (60)" in text


def test_a_hundred_classes():
    _, text = outline(whole(labels=[f"class {i}" for i in range(60)]))
    assert "37 other labels (37)" in text


def test_values_instead_of_classes():
    values = np.linspace(-3.0, 5.0, 60)
    values[7:10] = np.nan
    curve = Curve(np.array([3, 6]), np.array([0.5, 0.25]), measure="mean absolute error", share=False)
    _, text = outline(whole(labels=None, values=values, curve=curve))
    assert "6 labels for 60 samples: mean absolute error 0.25; 3 lie where no label reaches." in text
    assert "no value (3)" in text
    assert "--ramp-8" in text


def test_nothing_could_be_inferred():
    outline(whole(uncertain=[{"id": "s9", "index": 9, "label": None, "uncertainty": np.nan}]))
    _, text = outline(
        whole(labels=None, values=np.full(60, np.nan), curve=None, uncertainty=np.full(60, np.nan))
    )
    assert "60 lie where no label reaches" in text
    outline(whole(labels=[None] * 60, curve=None))
    unreached = np.where(np.arange(60) < 30, np.inf, 0.5)
    least_sure = [{"id": "s9", "index": 9, "label": "", "uncertainty": np.inf}]
    outline(whole(labels=None, values=np.zeros(60), curve=None, uncertainty=unreached, uncertain=least_sure))
    outline(whole(curve=Curve(np.array([6]), np.array([np.nan]), np.array([np.nan]))))


def test_before_anyone_has_labeled():
    shown = [{"id": str(i), "label": None, "text": "a text"} for i in range(6)]
    _, text = outline(whole(shown=shown, labels=None, curve=None, uncertain=()))
    assert "6 of 60 samples to label first." in text
    assert "The 6 samples worth asking a person about" in text
    assert "<dt><bdi>to label</bdi></dt>" in text
    _, text = outline(whole(labels=None, curve=None))
    assert "6 of 60 samples labeled." in text


def test_a_path_without_eigenvalues():
    phi = tp.laplacian(tp.neighbor_graph(np.random.default_rng(0).random((60, 3)), 5))
    _, text = outline(whole(path=tp.selection_path(phi, np.arange(6), checkpoints=0)))
    assert "by eigenvalues" not in text


def test_many_landmarks_are_counted_not_shown():
    shown = [{"id": str(i), "label": "a", "text": "t"} for i in range(500)]
    report = Report("Many", "many", 1000, np.arange(500), shown)
    found, text = outline(report)
    assert found.tags.count("li") == 200
    assert "Show 140 more" in text
    assert "and 300 more" in text


def test_seventy_thousand_samples_make_a_page_of_a_megabyte():
    rng = np.random.default_rng(0)
    n = 70_000
    path = whole().path
    report = Report(
        "Large", "large", n, np.arange(500), coordinates=rng.standard_normal((n, 2)),
        labels=[str(k) for k in rng.integers(0, 10, n)], uncertainty=rng.random(n), path=path,
    )  # fmt: skip
    text = page(report)
    Outline(text)
    assert len(text) < 1_500_000


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"coordinates": np.zeros((3, 2))},
            r"coordinates must have shape \(60, 2\), one row per sample; got \(3, 2\)",
        ),
        ({"labels": ["a"]}, r"labels must have shape \(60,\)"),
        ({"values": np.zeros((60, 2))}, r"values must have shape \(60,\)"),
        ({"shown": [{}] * 7}, "shown must hold at most the 6 landmarks; got 7"),
    ],
)
def test_parts_of_other_sizes_are_refused(change, message):
    with pytest.raises(ValueError, match=message):
        whole(**change)


def test_curves_of_other_sizes_are_refused():
    with pytest.raises(ValueError, match=r"ours must have shape \(2,\), one per budget; got \(1,\)"):
        Curve(np.array([1, 2]), np.array([0.5]))
    with pytest.raises(ValueError, match="budgets must hold at least one budget"):
        Curve(np.array([]), np.array([]))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_can_be_read(scheme):
    """Contrast of at least 4.5 (WCAG AA) of every text color with every ground."""
    sheet = page(whole())
    blocks = re.findall(r"--page: [^}]*", sheet)
    colors = dict(re.findall(r"--([a-z]+): (#[0-9a-f]{6})", blocks[scheme == "dark"]))

    def luminance(color):
        c = np.array([int(color[k : k + 2], 16) for k in (1, 3, 5)]) / 255
        return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4) @ [0.2126, 0.7152, 0.0722]

    for ink in ("ink", "soft", "accent", "wrong", "right"):
        for ground in ("page", "panel", "tint"):
            low, high = sorted(0.05 + luminance(colors[name]) for name in (ink, ground))
            assert high / low >= 4.5, (ink, ground, high / low)

import re
from pathlib import Path

import numpy as np


def test_a_selection_is_told_on_a_page(run, blobs):
    done = run("select", "pool.csv", "--budget", 4, "-o", "picks.csv", "--report", "page.html", "--json")
    assert done.code == 0, done.err
    assert done.json["report"] == "page.html"
    page = Path("page.html").read_text(encoding="utf-8")
    for row in Path("picks.csv").read_text().splitlines()[1:]:
        assert row.split(",")[0] in page
    assert "height" in page, "rows of the table are shown"
    view = done.json["view"]
    assert f"<bdi>Samples are compared in views of their features; {view['name']} is the one used" in page
    for name, said in view["considered"].items():
        assert re.search(rf"<bdi>{name}</bdi>.*<bdi>{said['nearness']:.3g}</bdi>", page)
    assert "weight" not in table_of(page)


def test_predictions_are_told_on_a_page(run, blobs):
    X = np.random.default_rng(0).normal(size=(60, 6))
    rows = "".join(f"s{i},{','.join(map(str, x))}\n" for i, x in enumerate(X.tolist()))
    Path("wide.csv").write_text("id,a,b,c,d,e,f\n" + rows)
    done = run("propagate", "wide.csv", "--labels", "labels.csv", "-o", "out.csv", "--report", "page.html")
    assert done.code == 0, done.err
    page = Path("page.html").read_text(encoding="utf-8")
    assert "low" in page
    assert "high" in page
    told = run("propagate", "wide.csv", "--labels", "labels.csv", "--json").json
    assert f"; {told['view']['name']} is the one that counts most, of 3 that were considered." in page
    for name, weight in told["weights"].items():
        error = f"{100 * told['left_out_errors'][name]:.1f}\u00a0%"
        row = rf"<bdi>{name}</bdi>.*<bdi>{error}</bdi>.*<bdi>{100 * weight:.0f}\u00a0%</bdi>"
        assert re.search(row, table_of(page)), name


def table_of(page):
    """What the part about views and predictors holds."""
    title = "The view" if ">The view<" in page else "What predicted"
    start = page.index(f"<h2>{title}</h2>")
    return page[start : page.index("</section>", start)]


def test_a_graph_is_told_without_views(run, folder):
    Path("edges.csv").write_text("source,target\na,b\nb,c\nc,d\n")
    Path("labels.csv").write_text("id,label\na,low\nd,high\n")
    assert run("select", "edges.csv", "-n", 2, "-o", "p.csv", "--report", "page.html").code == 0
    assert "The view" not in Path("page.html").read_text(encoding="utf-8")
    done = run("propagate", "edges.csv", "--labels", "labels.csv", "-o", "out.csv", "--report", "page.html")
    assert done.code == 0, done.err
    page = Path("page.html").read_text(encoding="utf-8")
    assert "labels spread: links of the pool" in table_of(page)
    assert "nearness" not in table_of(page)


def test_samples_that_no_label_reaches_are_not_the_least_sure(run, folder):
    """They are not uncertain but unknown: more labels nearby would not help the others."""
    Path("edges.csv").write_text("source,target\na,b\nb,c\nc,d\nfar,away\n")
    Path("labels.csv").write_text("id,label\na,low\nd,high\n")
    done = run("propagate", "edges.csv", "--labels", "labels.csv", "-o", "out.csv", "--report", "page.html")
    assert done.code == 0, done.err
    page = Path("page.html").read_text(encoding="utf-8")
    least_sure = page[page.index("The least certain samples") : page.index("Repeat this run")]
    assert "<bdi>b</bdi>" in least_sure
    assert "<bdi>c</bdi>" in least_sure
    assert "<bdi>far</bdi>" not in least_sure
    assert "<bdi>away</bdi>" not in least_sure
    assert "2 lie where no label reaches" in page


def test_numbers_are_told_on_a_page(run, blobs):
    rows = [f"s{i},{x[0]!r},{x[1]!r}" for i, x in enumerate(blobs.tolist()) if i % 6 == 0]
    Path("numbers.csv").write_text("id,x,y\n" + "\n".join(rows) + "\n")
    words = ("--label-column", "x,y", "-o", "out.csv", "--report", "page.html")
    done = run("propagate", "pool.csv", "--labels", "numbers.csv", *words)
    assert done.code == 0, done.err
    assert "pool.csv" in Path("page.html").read_text(encoding="utf-8")


def test_hostile_cells_are_only_text(run, folder):
    X = np.random.default_rng(0).normal(size=(12, 2))
    rows = [f'"<script>alert({i})</script>",{a},{b}' for i, (a, b) in enumerate(X.tolist())]
    Path("pool.csv").write_text("id,a,b\n" + "\n".join(rows) + "\n")
    assert run("select", "pool.csv", "--budget", 3, "-o", "p.csv", "--report", "page.html").code == 0
    assert "<script" not in Path("page.html").read_text(encoding="utf-8")


def test_a_report_that_cannot_be_written_is_refused_at_once(run, blobs):
    for path, rule in (("page.png", "must end in .html"), ("no/where/page.html", "no/where")):
        done = run("select", "pool.csv", "--budget", 4, "-o", "picks.csv", "--report", path)
        assert done.code == 2
        assert rule in done.err
        assert not Path("picks.csv").exists()

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


def test_predictions_are_told_on_a_page(run, blobs):
    done = run("propagate", "pool.csv", "--labels", "labels.csv", "-o", "out.csv", "--report", "page.html")
    assert done.code == 0, done.err
    page = Path("page.html").read_text(encoding="utf-8")
    assert "low" in page
    assert "high" in page


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

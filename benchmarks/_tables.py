"""Tables of pages, written from the stored figures of a benchmark, so that no number is typed.

A table is found by its head, what its first line begins with; that line and the one below stay, and the rows
are made anew. Only figures of full size count: as long as `docs/performance/results.json` has none of a
benchmark, the page keeps its rows, and docs/performance.md tells which tables these are (`unstored`).
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from _figures import Figure
from _results import ROOT, figures_of

Found = Mapping[str, Figure]
Rows = list[list[str]]


@dataclass(frozen=True)
class Table:
    page: str
    benchmark: str
    head: str
    rows: Callable[[Found], Rows]


def written(text: str, page: str, results: Mapping[str, dict[str, Any]]) -> str:
    """The page with the rows of all its tables that have stored figures."""
    for table in TABLES:
        found = full(results, table.benchmark)
        if table.page == page and found:
            text = with_rows(text, table.head, table.rows(found))
    return text


def with_rows(text: str, head: str, rows: Rows) -> str:
    lines = text.split("\n")
    [first] = [k for k, line in enumerate(lines) if line.startswith(head)]
    last = first + 2
    while lines[last].startswith("|"):
        last += 1
    made = ["|" + "|".join(f" {cell} " if cell else " " for cell in cells) + "|" for cells in rows]
    return "\n".join([*lines[: first + 2], *made, *lines[last:]])


def full(results: Mapping[str, dict[str, Any]], benchmark: str) -> Found:
    """Name -> figure, if the benchmark was run at full size and ended."""
    result = results.get(benchmark, {"quick": True})
    if result["quick"] or "failed" in result:
        return {}
    return {one.name: one for one in figures_of(result)}


def unstored(results: Mapping[str, dict[str, Any]]) -> list[Table]:
    return [table for table in TABLES if not full(results, table.benchmark)]


def write_pages(results: Mapping[str, dict[str, Any]]) -> None:
    for page in sorted({table.page for table in TABLES}):
        path = ROOT / page
        path.write_text(written(path.read_text(encoding="utf-8"), page, results), encoding="utf-8")


def stored_results() -> dict[str, dict[str, Any]]:
    path = ROOT / "docs" / "performance" / "results.json"
    found: dict[str, dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return found


def share(value: float) -> str:
    """.374, 1.02, 0: a share of one without its zero."""
    return "0" if value == 0 else f"{value:.3f}".removeprefix("0")


def least_bold(cells: Sequence[str]) -> list[str]:
    least = min(map(float, cells))
    return [f"**{cell}**" if float(cell) == least else cell for cell in cells]


def figure_of(value: float) -> str:
    """Three digits, without an exponent: 85,200; 159; 8.7."""
    return f"{value:.1f}" if value < 30 else f"{float(f'{value:.3g}'):,.0f}"


def duration(seconds: float) -> str:
    """As people say it: 0.6 s, 15 s, 8 minutes."""
    if seconds >= 300:
        return f"{seconds / 60:.0f} minutes"
    return f"{seconds:.1f} s" if seconds < 0.95 else f"{seconds:.0f} s"


def facility_on_phi(found: Found) -> Rows:
    rows = []
    for pool, unit, matrices in (
        ("digits", "wrong, %", ("diffusion", "lle", "ltsa, d = 6")),
        ("swiss roll", "relative, %", ("diffusion", "lle", "ltsa, d = 2")),
        ("ISOMAP faces", "relative, %", ("diffusion", "lle", "ltsa, d = 3")),
    ):
        for matrix in matrices:
            one = found[f"{pool}, {matrix}, 50: error"]
            other = found[f"{one.name}, chosen on the Laplacian"].value
            title = f"{pool} ({unit})" if matrix == "diffusion" else ""
            rows.append([title, matrix, *(f"{x:.1f}" for x in (one.peer_value or 0.0, one.value, other))])
    return rows


def gcls_quality(found: Found) -> Rows:
    methods = ("random", "facility", "farthest", "gcls", "gcls, ties by index", "two candidates")
    rows = []
    for pool, unit, budgets in (
        ("swiss roll", "relative, %", (20, 160)),
        ("digits", "wrong, %", (20, 200)),
        ("ISOMAP faces", "relative, %", (20, 120)),
        ("Extended YaleB", "wrong, %", (76, 608)),
    ):
        for budget in budgets:
            errors = [found[f"{pool}, self_tuning, {budget}, {method}: error"].value for method in methods]
            title = f"{pool} ({unit})" if budget == budgets[0] else ""
            rows.append([title, str(budget), *least_bold([f"{x:.1f}" for x in errors])])
    for size in ("small", "large"):
        ratios = [found[f"{method} to random, {size} budgets"].value for method in methods]
        title = "geometric mean relative to random, both weights" if size == "small" else ""
        rows.append([title, f"{size} l", *least_bold([f"{x:.2f}" for x in ratios])])
    return rows


def bound_noise(found: Found) -> Rows:
    rows = []
    for pool in ("digits", "swiss roll"):
        for size in (20, 180):
            for kind in ("random", "farthest", "clustered"):
                b, s, used, e = (
                    found[f"{pool}, {size} {kind}: {what}"].value
                    for what in ("bound", "sensitivity", "share used", "error")
                )
                title = pool if (size, kind) == (20, "random") else ""
                count = str(size) if kind == "random" else ""
                cells = [figure_of(b), figure_of(s), f"{used:.1f} %", f"{e:.1f} %"]
                rows.append([title, count, kind, *cells])
    return rows


def bound_ranks(found: Found) -> Rows:
    rows = []
    for what, title in (("sensitivity", "sensitivity"), ("error", "label error")):
        for which, sets in (("all sets", "all sets"), ("without clustered", "without the clustered sets")):
            names = [f"{pool}: rank correlation of bound and {what}, {which}" for pool in POOLS_OF_BOUND]
            rows.append([f"with {title}, {sets}", *(f"{found[name].value:+.2f}" for name in names)])
    return rows


POOLS_OF_BOUND = ("digits", "swiss roll")


def views(found: Found) -> Rows:
    rows = []
    for pool, title in (
        ("digits, 1,797 x 64", "digits, 1,797 × 64"),
        ("100,000 x 64", "100,000 × 64, float32"),
        ("20,000 x 784", "20,000 × 784, float32"),
        ("sparse, 10,000 x 4,000", "sparse, 10,000 × 4,000, 1 % filled"),
    ):
        names = [f"{pool}, {view}" for view in ("standard", "half_white", "white")]
        rows.append([title, *(f"{found[name].value:.1g}" for name in names)])
    return rows


def text(found: Found) -> Rows:
    rows = []
    for pool, title in (
        ("banking77", "banking77: {} questions, 77 intents"),
        ("docstrings", "{} first sentences of docstrings, 19 modules"),
    ):
        for size in ("few", "many"):
            one, other = (found[f"{pool}, {way}, {size} labels: error"] for way in ("words", "embeddings"))
            told = sorted(
                f"{found[f'{each.name} of TF-IDF, logistic on them'].value:.2f}"[1:] for each in (one, other)
            )
            cells = [share(one.value), share(other.value), share(one.peer_value or 0.0)]
            n = int(one.detail.partition(" labels of ")[2].partition(",")[0])
            first = title.format(f"{n:,}") if size == "few" else ""
            rows.append([first, f"{one.at:.0f}", *cells, "–".join(dict.fromkeys(told))])
    return rows


def pictures(found: Found) -> Rows:
    rows = []
    for pool, title in (
        ("mnist", "MNIST"),
        ("usps", "USPS"),
        ("umist", "UMIST faces"),
        ("palm", "palms"),
        ("extended_yaleb", "Extended Yale B"),
        ("ar_faces", "AR faces"),
        ("digits", "digits, enlarged from 8 × 8"),
    ):
        cells = []
        for which in ("fewer", "more"):
            both = [found[f"{pool}, draw {draw}, {which} labels: error"] for draw in (0, 1)]
            pairs = [f"{share(one.value)} : {share(one.peer_value or 0.0)}" for one in both]
            cells.append(", ".join(dict.fromkeys(pairs)))
        rows.append([title, *cells])
    return rows


def own_model(found: Found) -> Rows:
    rows = []
    for way, title in (
        ("auto", '`"auto"`'),
        ("uncertainty", '`"uncertainty"`'),
        ("coverage", '`"coverage"`'),
        ("ours", "those for our own predictor"),
        ("margin", "smallest margin"),
        ("entropy", "largest entropy"),
    ):
        names = [f"{way} to random, {where}{worst}" for where in ("rest", "held out") for worst in WORST]
        rows.append([title, *(f"{found[name].value:.2f}" for name in names)])
    return rows


WORST = ("", ": worst pool")


def stopping(found: Found) -> Rows:
    rows = []
    for audits, labels in ((5, 50), (10, 100), (20, 200), (50, 250), (100, 300)):
        one = {
            what: found[f"other pools, {audits} audits: {what}"].value
            for what in (
                "interval held",
                "held on the worst pool",
                "mean width",
                "interval of before held",
                "mean width of before",
                "width to before",
            )
        }
        held, worst, wide, before, wider, ratio = one.values()
        cells = [f"{held:.0f} %", f"{worst:.0f} %", f"{wide:.2f}", f"{before:.0f} %", f"{wider:.2f}"]
        rows.append([str(audits), str(labels), *cells, f"{ratio:.2f}"])
    return rows


def dictionary(found: Found) -> Rows:
    rows = [
        ["features, atoms, training and test samples", "504, 570, 1209 and 1205", "540, 500, 2000 and 600"]
    ]
    for title, way in (
        ("LC-KSVD1, learned map", "variant 1, 50 iterations, learned"),
        ("LC-KSVD1, linear SVM", "variant 1, 50 iterations, linear_svm"),
        ("LC-KSVD1, RBF SVM", "variant 1, 50 iterations, rbf_svm"),
        ("LC-KSVD2, learned map", "variant 2, 50 iterations, learned"),
        ("LC-KSVD2, linear SVM (the default)", "variant 2, 50 iterations, linear_svm"),
        ("LC-KSVD2, RBF SVM", "variant 2, 50 iterations, rbf_svm"),
        ("LC-KSVD2, linear SVM, 10 iterations instead of 50", "variant 2, 10 iterations, linear_svm"),
        ("LC-KSVD2 as its authors report it, about", ""),
        (
            "no dictionary: linear SVM of the features, C = 100",
            "no dictionary, linear SVM of the features, C = 100",
        ),
    ):
        both = [found[f"{pool}, {way}"] for pool in ("Extended Yale B", "AR")] if way else []
        cells = [f"{one.value:.1f} {one.detail.partition(',')[0]}" for one in both]
        rows.append([title, *(cells or ["95", "93 to 94"])])
    return rows


def scale(found: Found) -> Rows:
    rows = []
    for n in (100_000, 1_000_000, 10_000_000):
        times = [
            duration(found[f"{stage}, n = {n:,}, p = 16"].value)
            for stage in ("graph", "laplacian", "landmarks", "propagation")
        ]
        memory = found[f"propagation, n = {n:,}, p = 16: memory"].value
        rows.append([f"{n:,}", *times[:-1], times[-1] + (f", {memory:.1f} GB" if n > 1_000_000 else "")])
    return rows


def dask(found: Found) -> Rows:
    rows = []
    for stage, title in (
        ("graph", "`neighbor_graph`"),
        ("laplacian", "`laplacian`"),
        ("landmarks", "`select`, 1,000 landmarks"),
        ("propagation", "`propagate`, 10 columns, in rows"),
        ("all stages", "all"),
    ):
        two, peak = found[f"{stage}: 2 workers"], found[f"{stage}: 2 workers: peak of a worker"]
        one = two.peer_value or 0.0
        held, of = peak.detail.split(" of ")
        moved = two.detail.partition(" moved")[0]
        times = [f"{one:.1f} s, {of}", f"{two.value:.1f} s, {held}", f"{two.value / one:.1f} times"]
        rows.append([title, *times, f"{peak.value:.0f} %", moved])
    return rows


SELECTION, BOUND, LEARNER = "docs/selection.md", "docs/bound.md", "docs/learner.md"
TABLES = (
    Table(
        SELECTION,
        "facility_on_phi",
        "| pool, l = 50 | Φ | random | `facility` on Φ | on the Laplacian |",
        facility_on_phi,
    ),
    Table(
        SELECTION,
        "gcls_quality",
        '| pool | l | random | facility | farthest point | gcls | gcls, `ties="index"` | two candidates |',
        gcls_quality,
    ),
    Table(
        BOUND,
        "bound_noise",
        "| pool | l | landmarks | `bound_inf` | sensitivity | share used | label error |",
        bound_noise,
    ),
    Table(
        BOUND,
        "bound_noise",
        "| rank correlation of the bound, at equal l | digits | swiss roll |",
        bound_ranks,
    ),
    Table("docs/distributed.md", "dask", "| step | one machine | two workers |", dask),
    Table("docs/dictionary.md", "dictionary", "| | Extended Yale B | AR |", dictionary),
    Table("docs/views.md", "views", "| pool | standard | half_white | white |", views),
    Table(
        "docs/files.md",
        "text",
        '| | labels | `"words"` | `"embeddings"` | TF-IDF, logistic, random labels |',
        text,
    ),
    Table("docs/files.md", "pictures", "| | fewer labels | more labels |", pictures),
    Table(LEARNER, "own_model", "| questions | the rest | worst | held out | worst |", own_model),
    Table(
        LEARNER,
        "stopping",
        "| audits | labels | held | least on a pool | mean width | before: held |",
        stopping,
    ),
    Table(
        "docs/howto/scale.md", "scale", "| samples | graph | Φ | landmarks | propagation, 10 classes |", scale
    ),
)

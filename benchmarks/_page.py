"""docs/performance.md, written from results: what stands between its two marks, and the pictures beside it.

The results are kept as they are in docs/performance/results.json, so the page can be made again from the
repository (a test does so).
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from _figures import Figure, number
from _fit import exponent
from _promises import UNREPEATED
from _results import ROOT, figures_of
from _table import (
    ABSENT,
    HEADS,
    KEPT,
    LARGE,
    MISSED,
    Verdict,
    counted,
    markdown,
    missed_lines,
    rows,
    verdicts,
)
from _tables import unstored, write_pages

from trigpoint.io import write_text

PAGE, FOLDER = ROOT / "docs" / "performance.md", ROOT / "docs" / "performance"
BEGIN, END = "<!-- figures: written by ./dev bench all --write-docs -->", "<!-- end of figures -->"
CURVES = {  # picture -> benchmark, axis, title
    "against_n.svg": ("scale", "samples", "Cost of each stage against the size of the pool"),
    "against_l.svg": ("landmarks", "landmarks", "Cost against the number of landmarks"),
}


def write_docs(measured: dict[str, dict[str, Any]], order: Sequence[str]) -> None:
    """With what was measured now, and with what the page had of other benchmarks."""
    FOLDER.mkdir(exist_ok=True)
    results = joined(stored(FOLDER / "results.json"), measured, order)
    write_text(FOLDER / "results.json", json.dumps(results, indent=1, ensure_ascii=False) + "\n")
    for name, (benchmark, axis, title) in CURVES.items():
        draw(FOLDER / name, curves(results, benchmark), axis, title)
    write_text(PAGE, page(PAGE.read_text(encoding="utf-8"), results))
    write_pages(results)


def stored(file: Path) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    return found


def joined(
    before: dict[str, dict[str, Any]], measured: dict[str, dict[str, Any]], order: Sequence[str]
) -> dict[str, dict[str, Any]]:
    """By benchmark, in this order: what was measured, else what was there before."""
    both = before | measured
    return {name: both[name] for name in order if name in both}


def page(text: str, results: dict[str, dict[str, Any]]) -> str:
    """The page with what stands between the marks made anew."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n\n{generated(results)}\n{END}{after}"


def generated(results: dict[str, dict[str, Any]]) -> str:
    judged = verdicts(results)
    lines = missed_lines(judged)
    blocks = [counted(judged)]
    blocks.append(
        "**Promises missed:**\n\n" + "\n".join(f"- {line}" for line in lines)
        if lines
        else "**No promise was missed.**"
    )
    failed = [f"- {name}: {result['failed']}" for name, result in results.items() if "failed" in result]
    if failed:
        blocks.append("**Benchmarks that failed:**\n\n" + "\n".join(failed))
    for name, (benchmark, axis, title) in CURVES.items():
        blocks.append(f"![{title}](performance/{name})")
        blocks.append(growth(curves(results, benchmark), axis))
    table = rows(results, judged)
    promised, others = [line for line in table if line[-1]], [line[:-2] for line in table if not line[-1]]
    blocks.append(
        "## Promises\n\n`./dev bench NAME` repeats those of a row, and `./dev bench all` all. "
        "The ratio is the peer's number over ours."
    )
    blocks.append(by_benchmark(judged))
    blocks.append(folded(f"All {len(judged)} promises, with what was found", markdown(HEADS, promised)))
    blocks.append(folded(f"{len(others)} other figures, which no page states", markdown(HEADS[:-2], others)))
    blocks.append(folded("Where and when it was measured", machine(results)))
    tables = [
        f"- {link(table.page)}: the table “{table.head.strip('| ')}”; `./dev bench {table.benchmark}`"
        for table in unstored(results)
    ]
    if tables:
        blocks.append(f"## Measured before output was stored\n\n{OLDER}\n\n" + "\n".join(tables))
    blocks.append(f"## Stated without a benchmark\n\n{ONCE}")
    blocks.append(once())
    return "\n\n".join(block.rstrip("\n") for block in blocks) + "\n"


ONCE = "These were measured once: no command repeats them, or its output is not stored."
OLDER = "The command beside a table repeats it; its next run at full size writes the table anew:"


def once() -> str:
    """What each page says that no command repeats: its words, or where its row of a table begins."""
    said: dict[str, list[str]] = {}
    for page, words in UNREPEATED:
        first, *others = words.strip("| ").split(" | ")
        said.setdefault(page, []).append(f"the row “{first}” of a table" if others else f"“{first}”")
    return "\n".join(f"- {link(page)}: {'; '.join(each)}" for page, each in said.items())


def link(page: str) -> str:
    return f"[{Path(page).stem}]({page.removeprefix('docs/')})"


def folded(title: str, text: str) -> str:
    """Opened by a click, on the site and in repository viewers; after a blank line both read Markdown."""
    return f'<details markdown="1">\n<summary>{title}</summary>\n\n{text.rstrip()}\n\n</details>'


def by_benchmark(judged: list[Verdict]) -> str:
    """A row a benchmark: how many of its promises came out how."""
    words = (KEPT, MISSED, LARGE, ABSENT)
    lines = []
    for name in dict.fromkeys(one.promise.benchmark for one in judged):
        said = [one.said for one in judged if one.promise.benchmark == name]
        lines.append([name, *(str(said.count(word) or "") for word in words)])
    return markdown(["benchmark", *words], lines)


def machine(results: dict[str, dict[str, Any]]) -> str:
    """Where and when; several lines if results come from several places."""
    kinds: dict[tuple[str, ...], list[str]] = {}
    for name, result in results.items():
        packages = ", ".join(f"{key} {value}" for key, value in result["packages"].items())
        size = "quick sizes" if result["quick"] else "full sizes"
        size = "read from stored tables" if result.get("stored") else size
        where = f"{result['cpu']}, {result['cores']} cores, {result['memory_gb']:g} GB"
        kinds.setdefault((size, where, f"Python {result['Python']}, {packages}"), []).append(name)
    lines = []
    for kind, names in kinds.items():
        dates = sorted(results[name]["date"][:10] for name in names)
        commits = sorted({results[name]["commit"].rstrip("+") for name in names})
        when = dates[0] if dates[0] == dates[-1] else f"{dates[0]} to {dates[-1]}"
        lines.append(f"- {', '.join(names)}: {'; '.join(kind)}; {when}, commit {', '.join(commits)}")
    return "\n".join(lines)


def curves(results: dict[str, dict[str, Any]], benchmark: str) -> dict[str, list[Figure]]:
    found: dict[str, list[Figure]] = {}
    for figure in figures_of(results.get(benchmark, {})):
        if figure.curve and figure.at:
            found.setdefault(figure.curve, []).append(figure)
    return {name: sorted(some, key=lambda figure: figure.at or 0) for name, some in found.items()}


def growth(found: dict[str, list[Figure]], axis: str) -> str:
    """A row a curve: its costs, and the exponent of the law that fits them."""
    sizes = sorted({figure.at for some in found.values() for figure in some if figure.at})
    lines = []
    for name, some in found.items():
        costs = {figure.at: figure.value for figure in some}
        law = exponent(list(costs), list(costs.values()))[0]
        cells = [f"{number(costs[size])} s" if size in costs else "" for size in sizes]
        lines.append([name, *cells, f"{law:.2f}" if law == law else "–"])
    return markdown(["", *(f"{size:,.0f} {axis}" for size in sizes), "exponent"], lines)


def draw(path: Path, found: dict[str, list[Figure]], axis: str, title: str) -> None:
    import matplotlib

    matplotlib.use("svg")
    from matplotlib import pyplot

    with pyplot.rc_context({"svg.hashsalt": "trigpoint", "svg.fonttype": "none", "font.size": 11}):
        figure, axes = pyplot.subplots(figsize=(8, 4.2), layout="constrained")
        for name, some in found.items():
            sizes, costs = [one.at for one in some], [one.value for one in some]
            law = exponent(sizes, costs)[0]
            label = f"{name} ({law:.2f})" if law == law else name
            axes.plot(sizes, costs, marker="o", markersize=4, label=label)
        axes.set(xscale="log", yscale="log", xlabel=axis, ylabel="seconds", title=title)
        axes.grid(alpha=0.3)
        if found:
            figure.legend(title="exponent in brackets", fontsize=9, loc="outside right upper")
        figure.savefig(path, metadata={"Date": None})
        pyplot.close(figure)

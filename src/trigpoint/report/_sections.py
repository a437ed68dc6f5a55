"""The parts of the page, each a section or nothing."""

from collections.abc import Mapping

import numpy as np

from trigpoint.plots import Line, histogram, line_chart
from trigpoint.report._record import Curve, Report
from trigpoint.report._samples import gallery
from trigpoint.report._words import counted, duration, labeled, measured, percent, section, things, word


def chosen(report: Report) -> str:
    if not report.shown:
        return ""
    count = things(len(report.landmarks), report.noun)
    asked = "that a person was asked about" if labeled(report) else "worth asking a person about"
    intro = f"The {count} {asked}, in order of choice."
    return section("What was chosen", intro, gallery(report.shown, len(report.landmarks), ranked=True))


def bought(report: Report) -> str:
    curve = report.curve
    if curve is None:
        return ""
    every = np.arange(len(curve.budgets))
    lines = [Line("chosen", curve.budgets, np.asarray(curve.ours, dtype=float), "ours", dots=every)]
    if curve.random_mean is not None:
        random = Line(
            "random", curve.budgets, curve.random_mean, "random", curve.random_low, curve.random_high, every
        )
        lines = [random, *lines]
    alt = f"{curve.measure} against the number of labels; the table below holds the numbers"
    chart = line_chart(lines, "labels", alt, percent=curve.share)
    name = curve.measure[:1].upper() + curve.measure[1:]
    drawn = _figure(name, chart, [(line.kind, line.name) for line in lines[::-1]])
    side = f'<div class="side">{_numbers(curve)}</div>'
    return section("What a label buys", curve.note, f'<div class="pair">{drawn}{side}</div>')


def _numbers(curve: Curve) -> str:
    bands = curve.random_low is not None and curve.random_high is not None
    heads = ["labels", "chosen"]
    heads += ["random"] if curve.random_mean is not None else []
    heads += ["low to high"] if bands else []
    rows = []
    for k, budget in enumerate(curve.budgets):
        cells = [counted(int(budget)), measured(curve.ours[k], curve)]
        if curve.random_mean is not None:
            cells.append(measured(curve.random_mean[k], curve))
        if curve.random_low is not None and curve.random_high is not None:
            cells.append(f"{measured(curve.random_low[k], curve)} to {measured(curve.random_high[k], curve)}")
        rows.append("<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>")
    head = "".join(f'<th scope="col">{name}</th>' for name in heads)
    return f'<table class="numbers"><thead><tr>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table>'


def along(report: Report) -> str:
    path = report.path
    if path is None:
        return ""
    k = np.arange(1, len(path.landmarks) + 1)
    covered = line_chart(
        [Line("coverage", k, path.coverage, "ours")], "labels", "Coverage against labels", percent=True
    )
    lines = [
        Line("by Gershgorin's circles", k, path.gershgorin, "random"),
        Line("by eigenvalues", k, path.bound_inf, "ours", dots=path.checkpoints),
    ]
    bound = line_chart(lines, "labels", "The bound against labels, logarithmic", log=True)
    near = "a landmark or a neighbor of one" if path.hops == 1 else f"within {path.hops} links of a landmark"
    intro = f"After all picks, {percent(path.coverage[-1])} of the pool is {near}."
    keys = [(line.kind, line.name) for line in lines[::-1] if np.isfinite(line.y).any()]
    body = _figure("Coverage of the pool", covered, []) + _figure(
        "Bound on the sensitivity to noise", bound, keys
    )
    return section("Along the way", intro, f'<div class="pair">{body}</div>{NOT_AN_ERROR_BOUND}')


NOT_AN_ERROR_BOUND = (
    '<p class="small"><strong>The bound is not an error bound for labels.</strong> It limits, to first '
    "order and for labels that do not cancel, how far inferred values move when the alignment matrix is a "
    "little wrong. Whether they are right is another question: of two well spread sets of landmarks it "
    "does not tell which gives better labels. Look for where it stops falling.</p>"
)


def unsure(report: Report) -> str:
    if not report.doubtful and report.doubt is None:
        return ""
    chart = None
    if report.doubt is not None:
        rest = np.delete(np.asarray(report.doubt, dtype=float), report.landmarks)
        chart = histogram(rest, "doubt", "How many samples have how much doubt")
    said = "Least sure first, with the doubt: label or check these next." if report.doubtful else ""
    known = [s for s in report.doubtful if s.get("truth") is not None]
    if known:
        wrong = sum(str(s["truth"]) != str(s.get("label")) for s in known)
        said += f" The truth is known here: {wrong} of these {len(known)} are wrong."
    samples = gallery(report.doubtful, len(report.doubtful), ranked=False)
    drawn = _figure("Doubt of the samples that were not labeled", chart, [])
    return section("Where it is least sure", said, samples + drawn) if samples or drawn else ""


def repeat(report: Report) -> str:
    command = f'<pre tabindex="0"><code>{word(report.command)}</code></pre>' if report.command else ""
    seconds = {name: duration(value) for name, value in report.seconds.items()}
    tables = [("Settings", report.settings), ("Versions", report.versions), ("Time", seconds)]
    body = command + '<div class="three">' + "".join(_pairs(*table) for table in tables) + "</div>"
    return section("Repeat this run", "", body) if command or any(t for _, t in tables) else ""


def _pairs(name: str, pairs: Mapping[str, str]) -> str:
    if not pairs:
        return ""
    rows = "".join(f"<div><dt>{word(key)}</dt><dd>{word(value)}</dd></div>" for key, value in pairs.items())
    return f"<div><h3>{name}</h3><dl>{rows}</dl></div>"


def _figure(name: str, chart: str | None, keys: list[tuple[str, str]]) -> str:
    if chart is None:
        return ""
    legend = "".join(f'<li><span class="stroke {kind}"></span>{text}</li>' for kind, text in keys)
    legend = f'<ul class="legend">{legend}</ul>' if legend else ""
    return f"<figure><figcaption>{word(name)}</figcaption>{legend}{chart}</figure>"

"""The whole page: a head that allows no script and no network, a headline, sections, small print."""

import re
from functools import cache
from html import escape
from pathlib import Path

import numpy as np

from trigpoint.plots import DARK, LIGHT, palette_css
from trigpoint.report._atlas import atlas
from trigpoint.report._record import Report
from trigpoint.report._sections import along, bought, chosen, repeat, unsure
from trigpoint.report._words import counted, duration, headline, labeled, measured, percent, word

POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"  # even if a string got through
UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def page(report: Report) -> str:
    """The report as one HTML document; equal reports give equal pages."""
    sections = "\n".join(make(report) for make in (chosen, atlas, bought, along, unsure, repeat))
    text = (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{escape(report.title)}</title>\n<style>\n{style()}</style>\n</head>\n<body>\n"
        f"{_top(report)}\n<main>\n{sections}\n</main>\n{_FOOT}\n</body>\n</html>\n"
    )
    return UNPRINTABLE.sub("\ufffd", text)


@cache
def style() -> str:
    sheet = Path(__file__).with_name("style.css").read_text(encoding="utf-8")
    dark = f"@media (prefers-color-scheme: dark) {{ :root {{ {palette_css(DARK)} }} }}"
    return f":root {{ {palette_css(LIGHT)} }}\n{dark}\n{sheet}"


def _top(report: Report) -> str:
    return (
        f'<header><p class="eyebrow">{_MARK} <strong>trigpoint report</strong> {word(report.pool)}</p>'
        f'<h1>{word(report.title)}</h1><p class="lead">{word(headline(report))}</p>'
        f"{_figures(report)}</header>"
    )


_MARK = (
    '<svg class="mark" viewBox="-10 -10 20 20" aria-hidden="true">'
    '<path d="M0-8 8.6 6.4h-17.2z"/><circle cy="1.4" r="1.7"/></svg>'
)
_FOOT = (
    "<footer><p>Made by trigpoint. This page needs no network and runs no script: "
    "keep it, mail it, print it.</p></footer>"
)


def _figures(report: Report) -> str:
    inferred = report.labels is not None or report.values is not None
    name = "labels" if inferred or labeled(report) else "to label"
    told = [(name, counted(len(report.landmarks))), (report.noun, counted(report.n_samples))]
    curve = report.curve
    if curve is not None:
        told.append((f"{curve.measure}, chosen", measured(curve.ours[-1], curve)))
        if curve.random_mean is not None:
            told.append((f"{curve.measure}, random", measured(curve.random_mean[-1], curve)))
    if report.path is not None and np.isfinite(report.path.coverage[-1]):
        told.append(("of the pool covered", percent(report.path.coverage[-1])))
    if report.seconds:
        told.append(("time in all", duration(sum(report.seconds.values()))))
    tiles = "".join(f"<div><dt>{word(name)}</dt><dd>{value}</dd></div>" for name, value in told)
    return f'<dl class="figures">{tiles}</dl>'

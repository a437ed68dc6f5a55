"""Samples to look at: pictures in a grid, texts in cards, rows in a table."""

from collections.abc import Sequence
from html import escape
from typing import Any

from trigpoint.report._record import Sample
from trigpoint.report._thumbnail import thumbnail
from trigpoint.report._words import counted, shortened, word

SHOWN, AT_ONCE = 200, 60  # in all, and before the reader asks for more
COLUMNS = 8  # of a row
TEXT, CELL = 320, 60  # characters


def gallery(samples: Sequence[Sample], total: int, *, ranked: bool) -> str:
    """The samples in order, numbered where ``ranked``; and how many more there are."""
    shown = list(samples[:SHOWN])
    if not shown:
        return ""
    if all("row" in sample for sample in shown):
        body = _table(shown, ranked)
    else:
        body = _cards(shown[:AT_ONCE], 1, ranked)
        folded = shown[AT_ONCE:]
        if folded:
            more = _cards(folded, 1 + AT_ONCE, ranked)
            body += f"<details><summary>Show {counted(len(folded))} more</summary>{more}</details>"
    left = total - len(shown)
    return body + (f'<p class="more">and {counted(left)} more</p>' if left > 0 else "")


def _cards(samples: Sequence[Sample], first: int, ranked: bool) -> str:
    looks = {look for sample in samples for look in ("image", "pixels", "text", "row") if look in sample}
    kind = "images" if looks & {"image", "pixels"} else "texts" if looks else "plain"
    cards = "".join(_card(rank, sample, ranked) for rank, sample in enumerate(samples, first))
    return f'<ol class="cards {kind}">{cards}</ol>'


def _card(rank: int, sample: Sample, ranked: bool) -> str:
    name = str(sample.get("id", ""))
    number = f'<span class="rank">#{rank}</span>' if ranked else ""
    doubt = f"{_doubt(sample)} · " if _doubt(sample) else ""
    whole = escape(shortened(name, TEXT))
    return (
        f'<li>{_body(sample)}<span class="tell">{_label(sample)}{number}</span>'
        f'<span class="id" title="{whole}">{doubt}{word(_middle_out(name))}</span></li>'
    )


def _middle_out(name: str, most: int = 36) -> str:
    """Long names differ at their ends, so it is the middle that goes."""
    return name if len(name) <= most else f"{name[: most // 3]}…{name[-(2 * most // 3) :]}"


def _body(sample: Sample) -> str:
    picture = sample.get("image", sample.get("pixels"))
    if picture is not None:
        label = sample.get("label")
        alt = f"sample {sample.get('id', '')}" + (f", label {label}" if label is not None else "")
        return f'<span class="frame">{thumbnail(picture, alt)}</span>'
    if "text" in sample:
        return f'<span class="text" dir="auto">{escape(shortened(str(sample["text"]), TEXT))}</span>'
    if "row" in sample:
        cells = "; ".join(
            f"{column} {_cell(value)}" for column, value in list(sample["row"].items())[:COLUMNS]
        )
        return f'<span class="text" dir="auto">{escape(cells)}</span>'
    return ""


def _label(sample: Sample) -> str:
    label = sample.get("label")
    if label is None:
        return '<span class="label none">no label</span>'
    told = f'<span class="label">{word(shortened(str(label), CELL))}</span>'
    truth = sample.get("truth")
    if truth is None:
        return told
    if str(truth) == str(label):
        return f'{told}<span class="right">right</span>'
    return f'{told}<span class="wrong">really {word(shortened(str(truth), CELL))}</span>'


def _doubt(sample: Sample) -> str:
    doubt = sample.get("doubt")
    return "" if doubt is None or doubt != doubt else f"{doubt:.2f}"


def _table(samples: Sequence[Sample], ranked: bool) -> str:
    columns = list(dict.fromkeys(column for sample in samples for column in sample["row"]))
    doubt = any("doubt" in sample for sample in samples)
    heads = [*(["#"] if ranked else []), "id", "label", *(["doubt"] if doubt else []), *columns[:COLUMNS]]
    rows = []
    for rank, sample in enumerate(samples, 1):
        cells = [str(rank)] if ranked else []
        cells += [word(shortened(str(sample.get("id", "")), CELL)), _label(sample)]
        cells += [_doubt(sample)] if doubt else []
        cells += [word(_cell(sample["row"].get(column, ""))) for column in columns[:COLUMNS]]
        rows.append("<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>")
    head = "".join(f'<th scope="col">{word(shortened(str(name), CELL))}</th>' for name in heads)
    left = len(columns) - COLUMNS
    more = f'<p class="more">and {counted(left)} more columns</p>' if left > 0 else ""
    body = f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
    return f'<div class="wide" tabindex="0" role="region" aria-label="samples">{body}</div>{more}'


def _cell(value: Any) -> str:
    if isinstance(value, list):
        return shortened(", ".join(map(str, value)), CELL)
    if value is None:
        return "–"
    return f"{value:.5g}" if isinstance(value, float) else shortened(str(value), CELL)

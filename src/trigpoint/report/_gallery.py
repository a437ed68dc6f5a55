"""Samples to look at, as the template takes them: pictures in a grid, texts in cards, rows in a table."""

from collections.abc import Sequence
from math import isfinite
from typing import Any

from trigpoint.report._contents import Sample
from trigpoint.report._thumbnails import thumbnail
from trigpoint.report._words import counted, shortened

SHOWN, AT_ONCE = 200, 60  # in all, and before the reader asks for more
COLUMNS = 8  # of a row
TEXT, CELL = 320, 60  # characters


def gallery(samples: Sequence[Sample], total: int, *, ranked: bool) -> dict[str, Any] | None:
    """The samples in order, numbered where ``ranked``; and how many more there are."""
    shown = list(samples[:SHOWN])
    if not shown:
        return None
    rows = all("row" in sample for sample in shown)
    cards = [] if rows else [_card(rank, sample, ranked) for rank, sample in enumerate(shown, 1)]
    left = total - len(shown)
    return {
        "table": _table(shown, ranked) if rows else None,
        "kind": _kind(shown),
        "cards": cards[:AT_ONCE],
        "folded": cards[AT_ONCE:],
        "n_folded": counted(len(cards[AT_ONCE:])),
        "more": counted(left) if left > 0 else "",
    }


def _kind(samples: Sequence[Sample]) -> str:
    looks = {look for sample in samples for look in ("image", "pixels", "text", "row") if look in sample}
    return "images" if looks & {"image", "pixels"} else "texts" if looks else "plain"


def _card(rank: int, sample: Sample, ranked: bool) -> dict[str, Any]:
    name, label = str(sample.get("id", "")), sample.get("label")
    picture = sample.get("image", sample.get("pixels"))
    return {
        "rank": rank if ranked else None,
        "name": _middle_out(name),
        "whole_name": shortened(name, TEXT),
        "picture": None if picture is None else thumbnail(picture),
        "alt": f"sample {name}" + (f", label {label}" if label is not None else ""),
        "text": _text(sample),
        "uncertainty": _uncertainty(sample),
        "note": sample.get("note", ""),
        **_label(sample),
    }


def _middle_out(name: str, most: int = 36) -> str:
    """Long names differ at their ends, so it is the middle that goes."""
    return name if len(name) <= most else f"{name[: most // 3]}…{name[-(2 * most // 3) :]}"


def _text(sample: Sample) -> str | None:
    if "text" in sample:
        return shortened(str(sample["text"]), TEXT)
    if "row" not in sample:
        return None
    return "; ".join(f"{column} {_cell(value)}" for column, value in list(sample["row"].items())[:COLUMNS])


def _label(sample: Sample) -> dict[str, Any]:
    """The label, and the truth, or what others suggest, where it is known and the label is another."""
    label, truth, suggested = sample.get("label"), sample.get("truth"), sample.get("suggested")
    known = label is not None and truth is not None
    return {
        "label": None if label is None else shortened(str(label), CELL),
        "right": known and str(truth) == str(label),
        "truth": shortened(str(truth), CELL) if known and str(truth) != str(label) else None,
        "suggested": None if suggested is None else shortened(str(suggested), CELL),
    }


def _uncertainty(sample: Sample) -> str:
    uncertainty = sample.get("uncertainty")
    return "" if uncertainty is None or not isfinite(uncertainty) else f"{uncertainty:.2f}"


def _table(samples: Sequence[Sample], ranked: bool) -> dict[str, Any]:
    columns = list(dict.fromkeys(column for sample in samples for column in sample["row"]))
    uncertain = any(_uncertainty(sample) for sample in samples)
    noted = any(sample.get("note") for sample in samples)
    heads = [*(["#"] if ranked else []), "id", "label", *(["uncertainty"] if uncertain else [])]
    heads += ["note"] if noted else []
    left = len(columns) - COLUMNS
    return {
        "heads": [shortened(str(name), CELL) for name in heads + columns[:COLUMNS]],
        "rows": [
            {
                "rank": rank if ranked else None,
                "name": shortened(str(sample.get("id", "")), CELL),
                "uncertainty": _uncertainty(sample) if uncertain else None,
                "note": sample.get("note", "") if noted else None,
                "cells": [_cell(sample["row"].get(column, "")) for column in columns[:COLUMNS]],
                **_label(sample),
            }
            for rank, sample in enumerate(samples, 1)
        ],
        "more_columns": counted(left) if left > 0 else "",
    }


def _cell(value: Any) -> str:
    if isinstance(value, list):
        return shortened(", ".join(map(str, value)), CELL)
    if value is None:
        return "–"
    return f"{value:.5g}" if isinstance(value, float) else shortened(str(value), CELL)

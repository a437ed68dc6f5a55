"""The report of a run on any pool: what select, propagate and check found, as one page."""

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from trigpoint._types import Array, Floats, Ints
from trigpoint.bound import selection_path
from trigpoint.checks import PoolCheck
from trigpoint.cli._infer import SHARES, Inferred
from trigpoint.cli._prepare import Prepared
from trigpoint.cli._progress import Progress
from trigpoint.features import told_columns
from trigpoint.io import Labels, Samples, content, tags_text, write_text
from trigpoint.report import Basis, Report, check_page, library_versions, map_coordinates, write_report

MAP = 200_000  # samples up to which a map is drawn: above, it would take minutes
ON_ITS_OWN = ("view", "weights", "left_out_errors", "temperature")  # facts that have a part of the page
SHOWN, UNCERTAIN, CHECKPOINTS = 200, 24, 6


def report_selection(
    path: Path, ready: Prepared, picks: Ints, facts: dict[str, Any], steps: Progress
) -> None:
    with steps.step("report"):
        samples = ready.samples
        shown = [{**content(samples, int(i)), "label": None} for i in picks[:SHOWN]]
        basis = None if ready.seen.view is None else Basis(ready.seen.name, _nearness(ready))
        write_report(_report(ready, picks, shown, facts, basis=basis), path)


def report_predictions(
    path: Path, ready: Prepared, labels: Labels, found: Inferred, facts: dict[str, Any], steps: Progress
) -> None:
    """Of several targets the first is shown."""
    with steps.step("report"):
        samples, known, columns = ready.samples, labels.indices, found.columns
        shown = [
            {**content(samples, int(i)), "label": _word(label)}
            for i, label in zip(known[:SHOWN], labels.values, strict=False)
        ]
        if "predicted" in columns:
            inferred = ["" if label is None else str(label) for label in columns["predicted"]]
            parts: dict[str, Any] = {"labels": inferred, "uncertainty": columns["uncertainty"]}
        else:
            inferred = [_word(value) for value in _first(columns, "value")]
            parts = {
                "values": _first(columns, "value"),
                "uncertainty": _first(columns, "std", required=False),
            }
        if parts["uncertainty"] is not None:
            parts["uncertain"] = _least_sure(samples, known, parts["uncertainty"], inferred)
        basis = Basis(
            ready.seen.name,
            _nearness(ready),
            found.weights,
            found.left_out_errors,
            found.measure,
            share=found.measure in SHARES,
            temperature=found.temperature,
        )
        write_report(_report(ready, known, shown, facts, basis=basis, **parts), path)


def report_check(path: Path, samples: Samples, found: PoolCheck, steps: Progress) -> None:
    with steps.step("report"):
        text = check_page(
            found,
            lambda i: content(samples, i),
            title=samples.path.name,
            pool=str(samples.path),
            settings={"columns": told_columns(samples.columns)} if samples.columns else {},
            versions=library_versions(),
            command=shlex.join(["trigpoint", *sys.argv[1:]]),
        )
        write_text(path, text)


def _report(
    ready: Prepared, landmarks: Ints, shown: list[dict[str, Any]], facts: dict[str, Any], **parts: Any
) -> Report:
    samples = ready.samples
    told = {key: value for key, value in facts.items() if key not in ON_ITS_OWN}
    settings = {key: _setting(value) for key, value in told.items() if value not in (None, {}, "")}
    if samples.columns:
        settings["columns"] = told_columns(samples.columns)
    return Report(
        title=samples.path.name,
        pool=str(samples.path),
        n_samples=samples.n_samples,
        landmarks=landmarks,
        shown=shown,
        coordinates=map_coordinates(ready.seen.graph) if samples.n_samples <= MAP else None,
        path=selection_path(ready.seen.phi, landmarks, checkpoints=CHECKPOINTS),
        settings=settings,
        versions=library_versions(),
        command=shlex.join(["trigpoint", *sys.argv[1:]]),
        **parts,
    )


def _setting(value: Any) -> str:
    if not isinstance(value, dict):
        return str(value)
    return ", ".join(f"{name} {item}" for name, item in value.items())


def _nearness(ready: Prepared) -> dict[str, float]:
    return {name: said["nearness"] for name, said in ready.pool.considered.items()}


def _least_sure(
    samples: Samples, known: Ints, uncertainty: Floats, labels: Sequence[str]
) -> list[dict[str, Any]]:
    """The samples without a label that are known least, of those that a label reaches."""
    reached = np.isfinite(uncertainty) & np.array([label != "" for label in labels], dtype=bool)
    open_ = np.setdiff1d(np.flatnonzero(reached), known)
    worst = open_[np.argsort(-uncertainty[open_], kind="stable")[:UNCERTAIN]]
    return [
        {
            **content(samples, int(i)),
            "index": int(i),
            "uncertainty": float(uncertainty[i]),
            "label": labels[i],
        }
        for i in worst
    ]


def _first(columns: dict[str, Array], prefix: str, required: bool = True) -> Any:
    found = [values for name, values in columns.items() if name.startswith(prefix)]
    return found[0] if found or required else None


def _word(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, tuple):
        return tags_text(value)
    number = float(np.ravel(value)[0])
    return "" if np.isnan(number) else f"{number:.4g}"

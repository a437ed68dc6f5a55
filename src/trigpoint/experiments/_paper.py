"""What the paper and the authors' toolbox report, where a folder holds it as CSV files."""

import csv
from pathlib import Path

from trigpoint._errors import InputError
from trigpoint.experiments._torus import TOOLBOX

Reported = dict[tuple[object, ...], tuple[float, float | None]]  # cell -> mean, half width or None
FILES = {
    "regression": "paper_regression.csv",
    "classification": "paper_classification.csv",
    "torus": "toolbox_torus_results.csv",
}


def reported(suite: str, folder: Path | None) -> Reported:
    """Its figures by cell; nothing where no folder is given or the paper has no figures."""
    if folder is None or suite not in FILES:
        return {}
    path = folder / FILES[suite]
    if not path.is_file():
        raise FileNotFoundError(
            f"{path} must hold the paper's figures for {suite}, as CSV; there is no such file."
        )
    with path.open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    try:
        return _READERS[suite](rows)
    except (KeyError, ValueError) as error:
        raise InputError(path, f"must hold the columns that {suite} reads; {error!r}") from None


def _regression(rows: list[dict[str, str]]) -> Reported:
    return {
        (row["dataset"], row["condition"], int(row["n_landmarks"]), row["method"]): (
            float(row["error_percent"]),
            float(row["ci95"]),
        )
        for row in rows
    }


def _classification(rows: list[dict[str, str]]) -> Reported:
    return {
        (row["dataset"], int(row["labels_per_class"]), row["method"]): (float(row["accuracy_percent"]), None)
        for row in rows
    }


def _torus(rows: list[dict[str, str]]) -> Reported:
    ours = {theirs: name for name, theirs in TOOLBOX.items()}
    return {
        (float(row["noise"]), row["propagator"], int(row["n_landmarks"]), ours[row["method"]]): (
            float(row["mean_error_percent"]),
            None,
        )
        for row in rows
        if row["method"] in ours
    }


_READERS = {"regression": _regression, "classification": _classification, "torus": _torus}

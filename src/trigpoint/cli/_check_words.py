"""What a check is asked for, and what it says: labels from files, and the commands that act on findings."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from trigpoint._errors import InputError
from trigpoint.checks import Finding, PoolCheck
from trigpoint.cli._options import PoolOptions
from trigpoint.features import Recipe, TableRecipe
from trigpoint.io import Labels, Samples, holds_pictures, label_column_of, read_labels

LISTED = 20  # columns that a command spells out
NO_LABELS = "give --labels, or --label-column for a column of the pool"


def as_looked_at(pool: PoolOptions) -> PoolOptions:
    """Pictures by their pixels: near copies differ in faint edges, of which gradients make much."""
    told = pool.image_features is not None or pool.features is not None
    return pool if told or not holds_pictures(pool.source) else replace(pool, image_features="pixels")


@dataclass(frozen=True)
class Asked:
    """Where the pool and its labels are."""

    pool: PoolOptions
    labels: Path | None
    label_column: list[str] | None
    label_id_column: str | None
    task: str | None

    def read(self, samples: Samples) -> Labels | None:
        """The labels of the pool, from their own file or from the pool's."""
        if self.labels is None:
            column = self.label_column or label_column_of(samples)
            if column is None:
                self._check_unused()
                return None
        else:
            column = self.label_column
        return read_labels(
            self.labels or self.pool.source,
            samples.ids,
            id_column=self.label_id_column or (None if self.labels else self.pool.id_column),
            label_column=column,
            task=self.task,
            skip_unknown=samples.skipped,
        )

    def _check_unused(self) -> None:
        for flag, value in (("--label-id-column", self.label_id_column), ("--task", self.task)):
            if value is not None:
                raise InputError(flag, f"has no meaning without labels: {NO_LABELS}", repr(value))

    def words(self, command: str, labels: str | None = None, apart: Sequence[str] = ()) -> list[str]:
        """The start of a command on the same pool, without the columns ``apart``.

        With labels if ``labels`` names their flag.
        """
        pool = self.pool
        dropped = [*(pool.drop or ()), *(f'"{name}"' if "," in name else name for name in apart)]
        words = ["trigpoint", command, str(pool.source)]
        for flag, value in (
            ("--id-column", pool.id_column),
            ("--text-column", pool.text_column),
            ("--text-features", pool.text_features),
            ("--columns", ",".join(pool.columns) if pool.columns else None),
            ("--drop", ",".join(dropped) or None),
            ("--scale", pool.scale),
            ("--missing", pool.missing),
            ("--features", pool.features),
            ("--key", pool.key),
            ("--image-size", pool.image_size),
            ("--image-features", pool.image_features),
        ):
            words += [] if value is None else [flag, str(value)]
        words += ["--color"] * pool.color
        words += [] if pool.is_graph is None else ["--graph" if pool.is_graph else "--no-graph"]
        if labels is not None:
            if self.labels is not None or labels != "--labels" or command != "check":
                words += [labels, str(self.labels or pool.source)]
            if labels == "--labels" and self.label_column:
                words += ["--label-column", ",".join(self.label_column)]
        return words


def acting(
    check: PoolCheck, asked: Asked, output: Path | None, report: Path | None, recipe: Recipe | None = None
) -> PoolCheck:
    """The findings with commands to act on them, where there is a command."""
    columns = recipe.columns if isinstance(recipe, TableRecipe) else ()
    sources = {name: column.name for column in columns for name in column.features}
    told = []
    for finding in check.findings:
        action = _command(check, finding, asked, output, report, sources) or finding.action
        told.append(replace(finding, action=action))
    return replace(check, findings=tuple(told))


def _command(
    check: PoolCheck,
    finding: Finding,
    asked: Asked,
    output: Path | None,
    report: Path | None,
    sources: dict[str, str],
) -> str:
    """``sources`` are the columns that features come from."""
    kind = finding.kind
    if kind in ("wrong_labels", "spellings", "typos", "conflicts", "near_conflicts"):
        if output is None:
            return shlex.join([*asked.words("check", "--labels"), "-o", "issues.csv"])
        words = asked.words("propagate")
        return shlex.join(
            [*words, "--labels", str(output), "--label-column", "corrected", "-o", "predictions.csv"]
        )
    if kind in ("duplicates", "near_duplicates"):
        return shlex.join([*asked.words("check"), "--kept", "kept.csv"])
    if kind == "outliers":
        if report is not None:
            return f"look at them in {report}; correct them in the pool, or leave them out"
        return shlex.join([*asked.words("check"), "--report", "page.html"])
    if kind in ("unlabeled_parts", "few_labels", "one_class"):
        if check.n_labels == check.n_samples:
            return "look at their samples, or label more of them"
        budget = finding.count if kind == "unlabeled_parts" else min(10, check.n_samples - check.n_labels)
        return shlex.join([*asked.words("select", "--initial"), "-n", str(budget), "-o", "next.csv"])
    if kind == "parts":
        return shlex.join([*asked.words("select"), "-n", str(finding.count), "-o", "landmarks.csv"])
    if kind == "many_classes":
        return shlex.join([*asked.words("check", "--labels"), "--task", "regression"])
    if kind in ("constant", "repeated", "counting", "leaks") and check.columns is not None:
        return _columns(check, finding, asked, sources)
    return ""


def _columns(check: PoolCheck, finding: Finding, asked: Asked, sources: dict[str, str]) -> str:
    names = check.columns or ()
    extra = {j for group in finding.columns for j in (group[1:] if finding.kind == "repeated" else group)}
    apart = list(dict.fromkeys(sources.get(names[j], names[j]) for j in sorted(extra)))
    if len(apart) > LISTED or len(apart) == len(set(sources.values())):
        return f"--drop {', '.join(map(repr, apart[:LISTED]))}" + ", ..." * (len(apart) > LISTED)
    return shlex.join(asked.words("check", "--labels" if check.n_labels else None, apart))

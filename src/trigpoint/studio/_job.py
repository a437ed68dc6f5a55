"""What the worker process is told: its pool, once, and then a survey for each round."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from trigpoint.io import ids_digest

__all__ = ["Job", "Survey", "ids_digest"]


@dataclass(frozen=True)
class Job:
    """A pool to work on.

    Attributes
    ----------
    path : a file or folder, as for `io.read_pool`
    reading : its options, by name
    cache : folder for graphs and maps; None: nothing is kept
    ids : `ids_digest` of the samples that people see, which the worker must find, too; "": any will do
    """

    path: Path
    reading: dict[str, Any] = field(default_factory=dict)
    cache: Path | None = None
    ids: str = ""


@dataclass(frozen=True)
class Survey:
    """What is known now, and how many proposals are wanted.

    Attributes
    ----------
    version : a number that comes back with all news of this survey
    log : of asks and tells, as in `ActiveLearner.log`
    classes : that exist now, in the order of the codes
    count : proposals wanted
    """

    version: int
    log: list[dict[str, Any]]
    classes: list[str]
    count: int

"""What a report tells. Parts that are None or empty are left out of the page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from trigpoint._errors import InputError
from trigpoint._types import Floats, Ints
from trigpoint._validation import check_integer, check_landmarks
from trigpoint.bound import SelectionPath

Sample = Mapping[str, Any]


@dataclass(frozen=True, eq=False)
class Curve:
    """How good the inferred labels are at each budget, for chosen and for random landmarks.

    Attributes
    ----------
    budgets : (b,) int, ascending
    ours : (b,) the measure for the chosen landmarks
    random_mean, random_low, random_high : (b,) of random landmarks, optional
    measure : what it is: "accuracy", "error rate", "mean absolute error", ...
    share : whether it is a share of the samples, to be told in percent
    note : how it was measured, and what low and high are
    """

    budgets: Ints
    ours: Floats
    random_mean: Floats | None = None
    random_low: Floats | None = None
    random_high: Floats | None = None
    measure: str = "accuracy"
    share: bool = True
    note: str = ""

    def __post_init__(self) -> None:
        if len(self.budgets) == 0:
            raise InputError("budgets", "must hold at least one budget", "none")
        for name in ("ours", "random_mean", "random_low", "random_high"):
            values = getattr(self, name)
            if values is not None and np.shape(values) != (len(self.budgets),):
                wanted = f"({len(self.budgets)},), one per budget"
                raise InputError(name, f"must have shape {wanted}", np.shape(values))


@dataclass(frozen=True, eq=False)
class Basis:
    """What a run rests on: the view in which samples are compared, and what predicted.

    Attributes
    ----------
    view : the name of the view that was used, or that counts most
    nearness : name -> `views.nearness` of each view that was considered
    weights : predictor -> weight, of sum 1; views by their names, and models of the features
    errors : predictor -> its error at labels that it does not know
    measure : what these errors are
    share : whether they are shares of the labels, to be told in percent
    temperature : of the mixture of probabilities; below 1 they are made sharper, above 1 flatter
    """

    view: str
    nearness: Mapping[str, float] = field(default_factory=dict)
    weights: Mapping[str, float] = field(default_factory=dict)
    errors: Mapping[str, float] = field(default_factory=dict)
    measure: str = "error"
    share: bool = False
    temperature: float | None = None


@dataclass(frozen=True, eq=False)
class Report:
    """Everything that the page tells.

    Attributes
    ----------
    title : the page's
    pool : where the samples come from
    n_samples : size of the pool
    landmarks : (l,) int, in order of choice
    shown : one mapping for each landmark, or for the first of them: "id"; "label", or None before a
        person has given one; and what the sample looks like, as `io.content` tells: "text",
        "image" (the path of a picture, or pixels), "pixels" ((h, w) or (h, w, 3) uint8) or
        "row" ({column: value})
    coordinates : (n, 2) a map of the pool, as `map_coordinates` makes
    labels : (n,) inferred label of each sample, None or "" where there is none
    values : (n,) inferred value, NaN where there is none
    uncertainty : (n,) of each sample
    uncertain : the least sure samples, as in ``shown``, with "uncertainty", the inferred "label", and
        where known "index" (to mark it on the map) and "truth"
    curve : the accuracy, or another measure, by number of labels
    path : the bound and coverage after each pick
    basis : the view that was used, and what predicted
    settings, versions : what the run was made with
    seconds : what each step took
    command : what repeats the run
    noun : what the samples are, in the plural
    """

    title: str
    pool: str
    n_samples: int
    landmarks: Ints
    shown: Sequence[Sample] = ()
    coordinates: Floats | None = None
    labels: Sequence[Any] | None = None
    values: Floats | None = None
    uncertainty: Floats | None = None
    uncertain: Sequence[Sample] = ()
    curve: Curve | None = None
    path: SelectionPath | None = None
    basis: Basis | None = None
    settings: Mapping[str, str] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    seconds: Mapping[str, float] = field(default_factory=dict)
    command: str = ""
    noun: str = "samples"

    def __post_init__(self) -> None:
        n = check_integer(self.n_samples, "n_samples", 1)
        object.__setattr__(self, "landmarks", check_landmarks(self.landmarks, n))
        shapes = {"coordinates": (n, 2), "labels": (n,), "values": (n,), "uncertainty": (n,)}
        for name, shape in shapes.items():
            given = getattr(self, name)
            found = (len(given),) if name == "labels" and given is not None else np.shape(given)
            if given is not None and found != shape:
                raise InputError(name, f"must have shape {shape}, one row per sample", found)
        if len(self.shown) > len(self.landmarks):
            most = f"at most the {len(self.landmarks)} landmarks"
            raise InputError("shown", f"must hold {most}", len(self.shown))

"""Labels in the loop: methods that are told labels as they choose.

Such a method asks for the labels of samples, which makes these its landmarks: of l landmarks at most l
labels are told, and whatever was told must be among those chosen. So it has as many labels as all the others.
Of classes it hears their numbers, from 0 in the order of their names; of real values the scaled ones.

The built-in one, "learner", is `ActiveLearner` without audits, asking for l landmarks in batches of
max(1, l // 20). It is given the features; where the graph is given, the graph. With the option "model" its
questions are those for a model of the user's.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from trigpoint._errors import InputError
from trigpoint._types import Array, Floats, Ints
from trigpoint._validation import check_integer, check_landmarks
from trigpoint.comparison._split import Split
from trigpoint.learner import ActiveLearner

LEARNER = "learner"
OPTIONS = ("batch", "model")
BATCHES = 20


@dataclass(frozen=True, eq=False)
class Answers:
    """The labels of a pool for one method and one budget; called with samples, it tells theirs.

    Attributes
    ----------
    who : name of the method
    labels : (n,) classes by number, or (n,) or (n, d) values
    most : how many may be told
    told : those that were
    """

    who: str
    labels: Array
    most: int
    told: set[int] = field(default_factory=set, init=False)

    @property
    def task(self) -> str:
        return "classification" if self.labels.dtype.kind == "i" else "regression"

    def __call__(self, samples: Any) -> Array:
        picks = check_landmarks(np.atleast_1d(samples), len(self.labels), f"what {self.who!r} asks for")
        self.told.update(picks.tolist())
        if len(self.told) > self.most:
            raise InputError(repr(self.who), f"must ask for at most {self.most} labels", len(self.told))
        return np.asarray(self.labels[picks])

    def check(self, chosen: Ints) -> None:
        missing = self.told - set(chosen.tolist())
        if missing:
            raise InputError(
                repr(self.who), f"must choose all samples that it asked for; {min(missing)} is missing"
            )


def labels_of(targets: Floats, classes: int) -> Array:
    """As methods hear them."""
    if classes:
        return np.asarray(targets.argmax(axis=1))
    return targets[:, 0] if targets.shape[1] == 1 else targets


def check_options(name: str, options: dict[str, Any]) -> None:
    for option, value in options.items():
        if option not in OPTIONS:
            raise InputError(
                option, f"is not an option of method='learner', whose options are: {', '.join(OPTIONS)}"
            )
        if option == "batch":
            check_integer(value, f"methods[{name!r}] batch", 1)


def check_questions_for(model: Any, task: str, features: bool) -> None:
    """Refuse a model that a learner of such a pool would refuse."""
    if not features:
        raise InputError("model", "needs features; this pool is a graph")
    ActiveLearner(np.eye(3), view="raw", n_neighbors=1, task=task, model=model)


def learned(
    drawn: Split, count: int, answer: Answers, seed: int, batch: int | None = None, model: Any = None
) -> Ints:
    """The landmarks that an active learner asks for."""
    pool: dict[str, Any] = {"graph": drawn.graph}
    if drawn.made is not None:
        pool = {"X": drawn.X, **drawn.made.of_graphs}
    if model is not None:
        pool |= {"model": model, "model_X": drawn.X}  # also beside a graph
    learner = ActiveLearner(**pool, task=answer.task, audit=0.0, random_state=seed)
    size = max(1, count // BATCHES) if batch is None else batch
    for start in range(0, count, size):
        samples = learner.ask(min(size, count - start))
        learner.tell(samples, answer(samples).tolist())
    return np.array(list(learner.labels), dtype=np.int64)

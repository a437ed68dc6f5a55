"""What was asked and told, and what follows from it without a look at the pool.

The log is all of the state: `repeat` makes the same record of the same events.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np

from trigpoint._errors import InputError
from trigpoint._types import Array, Ints
from trigpoint._validation import check_choice, check_landmarks
from trigpoint.learner._answers import check_answers, check_person
from trigpoint.learner._audits import audits_due
from trigpoint.learner._people import People
from trigpoint.learner._tags import check_for_tags


class Record:
    """Questions and answers about the samples of a pool.

    Parameters
    ----------
    task : "classification", "regression" or "tags"

    Attributes
    ----------
    log : what happened, in order: plain lists and numbers
    asked : sample -> whether it is an audit, in order of asking
    again : sample asked for again -> whether that was answered
    people : who answered what
    random : samples told of as drawn at random
    confirmed : samples whose labels are right for certain
    """

    def __init__(self, task: str) -> None:
        self.task = task
        self.log: list[dict[str, Any]] = []
        self.asked: dict[int, bool] = {}
        self.again: dict[int, bool] = {}
        self.people = People(task)
        self.random: set[int] = set()
        self.confirmed: set[int] = set()

    def ask(self, samples: list[int], audits: list[bool], again: list[int]) -> None:
        """Note questions; those of ``again`` are asked for once more."""
        new = [(i, audit) for i, audit in zip(samples, audits, strict=True) if i not in again]
        self.asked.update(new)
        self.again.update(dict.fromkeys(again, False))
        more = {"again": again} if again else {}
        self.log.append({"event": "ask", "samples": samples, "audits": audits, **more})

    def tell(
        self, samples: Any, labels: Any, n_samples: int, annotator: Any = None, random: Any = False
    ) -> None:
        """Take answers, see `ActiveLearner.tell`."""
        name = check_person(annotator)
        if self.task == "tags":
            check_for_tags("auto", annotator)
        if np.size(samples) == 0 and hasattr(labels, "__len__") and len(labels) == 0:
            return
        indices = check_landmarks(np.atleast_1d(samples), n_samples, "samples").tolist()
        width = self.people.width if self.task == "regression" else None
        answers = check_answers(labels, self.task, "labels", len(indices), width)
        if not isinstance(random, bool | np.bool_):
            raise InputError("random", "must be True or False", repr(random))
        for i, answer in zip(indices, answers, strict=True):
            if i in self.again:
                self.again[i] = True
            self.confirmed.discard(i)
            self.people.take(i, self._held(answer), name)
        self.random.update(indices if random else ())
        event = {"event": "tell", "samples": indices, "labels": answers}
        self.log.append(event | _given(annotator=name, random=bool(random)))

    def confirm(self, samples: Any, n_samples: int) -> None:
        """Take labels as right for certain, see `ActiveLearner.confirm`."""
        indices = check_landmarks(np.atleast_1d(samples), n_samples, "samples").tolist()
        missing = [i for i in indices if i not in self.labels]
        if missing:
            raise InputError("samples", "must have labels", f"sample {missing[0]}, which has none")
        self.confirmed.update(indices)
        self.log.append({"event": "confirm", "samples": indices})

    def repeat(self, log: Iterable[dict[str, Any]], n_samples: int) -> None:
        """What logged events left behind, in a pool that now has ``n_samples``."""
        for event in log:
            if event["event"] == "tell":
                self.tell(event["samples"], event["labels"], n_samples, **whose(event))
            elif event["event"] == "confirm":
                self.confirm(event["samples"], n_samples)
            elif event["event"] == "add":
                self.log.append(dict(event))
            else:
                check_choice(event["event"], "event", ("ask", "tell", "confirm", "add"))
                self._ask_again(event, n_samples)

    def _ask_again(self, event: dict[str, Any], n_samples: int) -> None:
        if len(event["samples"]) == len(event["audits"]) == 0:
            return
        samples = check_landmarks(event["samples"], n_samples, "samples").tolist()
        again = [i for i in event.get("again", ()) if i in samples]
        self.ask(samples, [bool(audit) for audit in event["audits"]], again)

    @property
    def labels(self) -> dict[int, Any]:
        """In order of the first answer."""
        return self.people.labels

    @property
    def pending(self) -> list[int]:
        """Samples that were asked for and not answered yet, in order of asking."""
        unsure = self.people.unsure
        open_ = [i for i in self.asked if i not in self.labels and i not in unsure]
        return [*open_, *(i for i, told in self.again.items() if not told)]

    @property
    def audits(self) -> list[int]:
        """Samples that were drawn at random, in order of asking."""
        return [i for i, audit in self.asked.items() if audit]

    @property
    def trusted(self) -> set[int]:
        """Samples whose labels are taken as right: after a second look, or a second answer."""
        return self.confirmed | {i for i, told in self.again.items() if told}

    def free(self, n_samples: int) -> Array:
        """(n,) bool: neither asked for nor told of."""
        free = np.ones(n_samples, dtype=bool)
        free[[*self.labels, *self.people.unsure, *self.asked]] = False
        return free

    def taken(self) -> Ints:
        """Samples asked for or told of, but for audits, in the order of the log.

        Fields are given them one by one, and in large pools to some digits only: another order would be
        another question.
        """
        seen = dict.fromkeys(i for event in self.log for i in event.get("samples", ()))
        return np.array([i for i in seen if not self.asked.get(i)], dtype=np.int64)

    def drawn(self, labels: Iterable[int]) -> Ints:
        """Places, among these labels, of those drawn at random: audits, and what was told as such.

        They are a uniform sample of what the method did not ask for.
        """
        places = [k for k, i in enumerate(labels) if self.asked.get(i, i in self.random)]
        return np.array(places, dtype=np.int64)

    def checks_due(self, count: int, share: float) -> Array:
        """(count,) bool: which of the next questions are checks."""
        begun, checks = len(self.asked) + len(self.again), len(self.audits) + len(self.again)
        return audits_due(begun, checks, count, share)

    def _held(self, answer: Any) -> Any:
        """An answer as `labels` gives it."""
        if isinstance(answer, list):
            return frozenset(answer) if self.task == "tags" else tuple(answer)
        return answer


def whose(event: dict[str, Any]) -> dict[str, Any]:
    """Who told, and whether at random: what a log leaves out where there is nothing to say."""
    return {name: event[name] for name in ("annotator", "random") if name in event}


def _given(**options: Any) -> dict[str, Any]:
    """Those that are not empty or False."""
    return {name: value for name, value in options.items() if value}

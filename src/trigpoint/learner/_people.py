"""What was told, by whom, and the labels that follow.

As long as one person answers, named or not, a sample's label is their last answer. Once there are two, it is
the consensus of the last answer of each (`annotators.consensus`), found when it is asked for, and once for
each state of the answers. A sample of which nothing decides has no label, and counts as unsure. Answers
without a name are those of one more person.
"""

from collections.abc import Hashable
from typing import Any

from trigpoint.annotators import Agreement, Annotator, Consensus, consensus


class People:
    """Answers by sample and person.

    Parameters
    ----------
    task : "classification" or "regression"; answers to the second are tuples
    """

    def __init__(self, task: str) -> None:
        self._task = task
        self._answers: dict[int, dict[str | None, Any]] = {}  # in order of the first answer that stands
        self._names: dict[str | None, None] = {}  # of all who said anything
        self._unsure: set[int] = set()
        self._single: dict[int, Any] = {}  # the labels as long as there is one person
        self._settled: tuple[dict[int, Any], set[int]] | None = None
        self._consensus: Consensus | None = None

    def take(self, i: int, answer: Any, name: str | None) -> None:
        """The answer of a person, in place of the one that they gave before; None for unsure."""
        self._names[name] = None
        self._settled = self._consensus = None
        if answer is not None:
            self._answers.setdefault(i, {})[name] = answer
            self._single[i] = answer
            self._unsure.discard(i)
            return
        own = self._answers.get(i, {})
        own.pop(name, None)
        if not own:
            self._answers.pop(i, None)
            self._single.pop(i, None)
            self._unsure.add(i)

    @property
    def labels(self) -> dict[int, Any]:
        return self._single if len(self._names) < 2 else self._settle()[0]

    @property
    def unsure(self) -> set[int]:
        """Samples that nobody has a label for and somebody was unsure of, and those that nothing decides."""
        return self._unsure if len(self._names) < 2 else self._settle()[1]

    @property
    def width(self) -> int | None:
        """Targets of an answer, once there is one."""
        first = next(iter(self._answers.values()), None)
        return None if first is None else len(next(iter(first.values())))

    @property
    def annotators(self) -> dict[Hashable, Annotator]:
        return dict(self._found().annotators) if self._answers else {}

    @property
    def agreement(self) -> Agreement | None:
        return self._found().agreement if self._answers else None

    @property
    def disputed(self) -> list[int]:
        found = self._found() if self._answers else None
        return [] if found is None else [int(i) for i in found.samples[found.disputed]]

    def _found(self) -> Consensus:
        if self._consensus is None:
            told = [(i, label, name) for i, own in self._answers.items() for name, label in own.items()]
            samples, labels, names = (list(part) for part in zip(*told, strict=True))
            self._consensus = consensus(samples, labels, names, task=self._task)
        return self._consensus

    def _settle(self) -> tuple[dict[int, Any], set[int]]:
        if self._settled is None:
            labels: dict[int, Any] = {}
            undecided = set(self._unsure)
            if self._answers:
                found = self._found()
                rows = found.labels.reshape(len(found.labels), -1) if self._task == "regression" else None
                told = map(tuple, rows.tolist()) if rows is not None else found.labels.tolist()
                for i, label, sure in zip(found.samples.tolist(), told, found.decided.tolist(), strict=True):
                    if sure:
                        labels[i] = label
                    else:
                        undecided.add(i)
            self._settled = labels, undecided
        return self._settled

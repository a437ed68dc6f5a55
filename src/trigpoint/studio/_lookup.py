"""What can be looked up in a studio: samples, history, lists of samples, the guide, and what a gallery asks.

It reads the state and the results, and changes nothing.
"""

from collections.abc import Mapping
from typing import Any, Literal

from trigpoint.annotators import Value
from trigpoint.io import Samples
from trigpoint.studio._answers import (
    ClassLine,
    Found,
    Guide,
    Issue,
    IssueList,
    Item,
    Landmarks,
    PastActions,
    PastRename,
    Sample,
    SampleList,
)
from trigpoint.studio._changed import Outdated, changed_words
from trigpoint.studio._events import Settings
from trigpoint.studio._gallery import Known
from trigpoint.studio._history import IMPORT
from trigpoint.studio._issues import TAGS, Suspect, Suspects, few_labels, sentence
from trigpoint.studio._items import item_fields, search
from trigpoint.studio._results import Results, least_sure
from trigpoint.studio._state import NO_NOTE, State

RENAMES = 5  # that the page offers to undo


class Lookup:
    """Answers questions about a studio, on its event loop; threads may call `search`.

    ``samples_then`` and ``former`` are what the store knows of the samples: their marks now, and those that
    samples had when they were labeled.
    """

    def __init__(
        self,
        samples: Samples,
        state: State,
        results: Results,
        samples_then: Mapping[str, Any],
        former: Mapping[str, Any],
    ) -> None:
        self.samples: Samples = samples
        self.state: State = state
        self.results: Results = results
        self.settings: Settings = state.settings
        self._suspects = Suspects(state, state.book.now)
        self._outdated = Outdated(state, samples.ids.tolist(), samples_then, former)

    def item(self, i: int, annotator: str | None, audit: bool) -> Item:
        """A sample as the page shows it; audits come without a suggestion, which would lead the eye."""
        return Item(**self._item_fields(i, annotator, audit))

    def _item_fields(self, i: int, annotator: str | None, audit: bool) -> dict[str, Any]:
        actions = self.state.current(i)
        labels = {name: action.value for name, action in actions.items() if action.kind == "label"}
        note = self.state.notes.get(i, NO_NOTE)
        return {
            **item_fields(self.samples, i),
            "audit": audit,
            "suggestion": None if audit or self._knows_one_class() else self.results.predicted(i),
            "mine": labels.get(annotator or ""),
            "labels": labels or None,
            "unreadable": self.results.skipped.get(i),
            "note": note.text,
            "flag": note.flag,
        }

    def _knows_one_class(self) -> bool:
        """Then the whole pool is predicted to be of it, which is nothing to suggest."""
        if self.settings.has_tags:  # or all labels are the same set
            return not any(0 < n < len(self.state.labels) for n in self.state.counts().values())
        return not self.settings.regresses and self._n_classes() < 2

    def _n_classes(self) -> int:
        """Classes that have a label."""
        return sum(count > 0 for count in self.state.counts().values())

    def sample(self, i: int, annotator: str | None) -> Sample:
        return Sample(
            **self._item_fields(i, annotator, self.state.asked.get(i, False)),
            predicted=self.results.predicted(i),
            label=self.state.labels.get(i),
            asked=i in self.state.asked,
        )

    def history(self, annotator: str | None, before: int | None, limit: int) -> PastActions:
        return PastActions(self.state.history(annotator, before, limit))

    def least_sure(self, limit: int) -> SampleList:
        predictions = self.results.predictions
        known = self.state.labels.keys() | self.state.unsure | self.results.skipped.keys()
        return SampleList([] if predictions is None else least_sure(predictions.uncertainty, known, limit))

    def issues(self, annotator: str, start: int, limit: int) -> IssueList:
        """Labels of samples that have changed; then those that look wrong, the annotator's own first."""
        found, few, changed = self.results.issues, self._too_few(), self._outdated.samples()
        left: list[Suspect] = []
        said = few or "Looking for labels that look wrong."
        if found is not None and few is None:
            left = self._suspects.own_first(found, annotator)
            said = sentence(found, len(left))
        known = {one.sample: one for one in left}
        listed = [(known.pop(i) if i in known else self._unjudged(i), True) for i in changed]
        listed += [(one, False) for one in known.values()]
        some = [self._issue(one, annotator, new) for one, new in listed[start : start + limit]]
        return IssueList(some, len(listed), " ".join(filter(None, [changed_words(len(changed)), said])))

    def _unjudged(self, i: int) -> Suspect:
        """A label that nothing is known against."""
        return Suspect(i, self.state.labels[i], None, None, 1.0)

    def _issue(self, one: Suspect, annotator: str, changed: bool) -> Issue:
        given = [a.source for a in self.state.current(one.sample).values() if a.kind == "label"]
        others: Literal["others", "file"] = "file" if set(given) == {IMPORT} else "others"
        whose = "own" if self.state.owns(annotator, one.sample) else others
        fields = one._asdict() | {"quality": round(one.quality, 6)}
        return Issue(**fields, whose=whose, changed=changed)

    def n_issues(self) -> int:
        """Labels that look wrong, or whose samples have changed, and that nobody has corrected or kept."""
        found, changed = self.results.issues, self._outdated.samples()
        if found is None or self._too_few() is not None:
            return len(changed)
        return self._suspects.count(found, changed)

    def _too_few(self) -> str | None:
        if self.settings.has_tags:
            return TAGS
        return few_labels(len(self.state.labels), self._n_classes(), self.settings.regresses)

    def disagreements(self) -> SampleList:
        return SampleList(self.state.disagreements())

    def flagged(self) -> SampleList:
        """The latest first."""
        return SampleList([i for i, note in reversed(self.state.notes.items()) if note.flag])

    def search(self, words: str, limit: int) -> Found:
        return Found(*search(self.samples, words, limit))

    def guide(self) -> Guide:
        index = self.state.index
        lines = {
            name: ClassLine(info.text, None if info.example is None else index(info.example), info.key)
            for name, info in self.state.book.infos.items()
        }
        renames = [
            PastRename(client, done.old, done.new, done.merged)
            for client, done in self.state.renames()[:RENAMES]
        ]
        return Guide(self.state.guide, lines, renames)

    def landmarks(self) -> Landmarks:
        numbers = {name: k for k, name in enumerate(self.state.classes)}
        labels = self.state.labels
        codes = [_code(value, numbers) for value in labels.values()]
        unsure, answered = self.state.unsure, self.state.answered()
        pending = [i for i in self.state.asked if i not in labels and i not in unsure]
        tied = [i for i in answered if i not in labels and i not in unsure]
        disputed = sorted({*self.state.disagreements(), *tied})
        return Landmarks(list(labels), codes, pending, disputed, sorted(unsure))

    def known(self, group: str) -> Known:
        """What a gallery may ask of all samples, as it is now: a thread may read it."""
        state, results = self.state, self.results
        issues = results.issues if self._too_few() is None else None
        classes = results.predictions.classes if results.predictions is not None else ()
        return Known(
            samples=self.samples,
            labels=dict(state.labels),
            answered=state.answered(),
            flagged=[i for i, note in state.notes.items() if note.flag],
            group=state.group(group),
            suspects=[] if issues is None else [one.sample for one in self._suspects.own_first(issues, "")],
            skipped=list(results.skipped),
            predictions=results.predictions,
            map=results.map,
            names=[self.state.book.now(name) for name in classes],
        )


def _code(value: Value, numbers: Mapping[str, int]) -> int:
    """The number of a class; of tags that of the first."""
    names = [value] if isinstance(value, str) else [name for name in value if isinstance(name, str)]
    return min((numbers[name] for name in names if name in numbers), default=-1)

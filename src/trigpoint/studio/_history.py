"""What people have done with samples, without what was undone, and the label that follows from it.

Each person has a stack of actions on each sample; the top one is current. Undo takes an action out of its
stack wherever it lies, so that any number of them can be undone in any order.

A sample's label is the final one, the latest of several. Where there is none, it is the class that most
people chose; where classes tie, the one of the better people (`annotators.majority`), and no label where
their quality does not decide. Of real targets it is the mean. Labels from files count only where no person
gave one. Where nobody has a label and somebody is unsure, the sample is unsure. Sets of tags are settled
tag by tag (`_tag_votes`).

Beyond ties the label does not follow people's quality, as that of `tp.consensus` does: what most people said
stays what it is, whatever is learned about them later, and anybody can check it by counting.
"""

from bisect import bisect_left, insort
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from statistics import mean

from trigpoint.annotators import Value, majority
from trigpoint.studio._tag_votes import is_tags, parted_value, renamed_value, voted_tags

IMPORT = "import"  # the source of labels from files


@dataclass(frozen=True, slots=True)
class Action:
    """A label, an unsure or a skip.

    Attributes
    ----------
    seq, time, kind, annotator, client : of its event
    sample : index
    value : the class, or the real targets; None where there is no label
    source : where on the page it was made
    suggested : what the page suggested, if anything
    seconds : that it took, if known
    final : whether it decides among annotators
    group : of the labels that were given by one gesture; None for one by one
    """

    seq: int
    time: float
    kind: str
    annotator: str
    sample: int
    value: Value | None
    client: str | None
    source: str
    suggested: Value | None
    seconds: float | None
    final: bool
    group: str | None = None


class History:
    """All actions that stand."""

    def __init__(self) -> None:
        self._actions: dict[int, Action] = {}  # by seq
        self._clients: dict[str, int] = {}
        self._stacks: dict[int, dict[str, list[int]]] = {}  # sample -> annotator -> seqs
        self._orders: dict[str | None, list[int]] = {None: []}  # annotator, or None for all -> seqs
        self._groups: dict[str, list[int]] = {}

    def add(self, action: Action) -> None:
        self._actions[action.seq] = action
        if action.client is not None:
            self._clients[action.client] = action.seq
        stacks = self._stacks.setdefault(action.sample, {})
        insort(stacks.setdefault(action.annotator, []), action.seq)
        insort(self._orders.setdefault(action.annotator, []), action.seq)
        insort(self._orders[None], action.seq)
        if action.group is not None:
            self._groups.setdefault(action.group, []).append(action.seq)

    def remove(self, client: str) -> Action:
        return self.take_out(self._actions[self._clients[client]])

    def take_out(self, action: Action) -> Action:
        del self._actions[action.seq]
        if action.client is not None:
            self._clients.pop(action.client, None)
        stacks = self._stacks[action.sample]
        for seqs in (stacks[action.annotator], self._orders[action.annotator], self._orders[None]):
            del seqs[bisect_left(seqs, action.seq)]
        if not stacks[action.annotator]:
            del stacks[action.annotator]
        return action

    def find(self, client: str) -> Action | None:
        seq = self._clients.get(client)
        return None if seq is None else self._actions[seq]

    def top(self, sample: int, annotator: str) -> Action | None:
        seqs = self._stacks.get(sample, {}).get(annotator)
        return self._actions[seqs[-1]] if seqs else None

    def current(self, sample: int) -> dict[str, Action]:
        """The top action of each person."""
        return {name: self._actions[seqs[-1]] for name, seqs in list(self._stacks.get(sample, {}).items())}

    def standing(self, sample: int) -> list[list[Action]]:
        """All actions of each person, the top one last."""
        return [[self._actions[seq] for seq in seqs] for seqs in self._stacks.get(sample, {}).values()]

    def independent(self, sample: int) -> list[Action]:
        """The last action of each person before they decided among others' labels."""
        stacks = self._stacks.get(sample, {}).values()
        found = (next((a for a in self._downwards(seqs) if not a.final), None) for seqs in stacks)
        return [action for action in found if action is not None]

    def newest(self, annotator: str | None, before: int | None) -> Iterator[tuple[Action, bool]]:
        """Actions from the newest on, each with whether it is current."""
        seqs = self._orders.get(annotator, [])
        end = len(seqs) if before is None else bisect_left(seqs, before)
        for k in reversed(range(end)):
            action = self._actions[seqs[k]]
            yield action, self._stacks[action.sample][action.annotator][-1] == action.seq

    def rename(self, old: str, new: str) -> dict[int, Action]:
        """Give labels another name; the actions that were changed as they were, by their seq."""
        before = {}
        for seq, action in self._actions.items():
            value, suggested = (renamed_value(one, old, new) for one in (action.value, action.suggested))
            if (value, suggested) != (action.value, action.suggested):
                before[seq] = action
                self._actions[seq] = replace(action, value=value, suggested=suggested)
        return before

    def part(self, before: Mapping[int, Action], old: str, new: str) -> set[int]:
        """Give labels that were merged their old name, but for those undone since; their samples."""
        standing = {seq: action for seq, action in before.items() if seq in self._actions}
        for seq, was in standing.items():
            now = self._actions[seq]
            value = parted_value(now.value, was.value, old, new)
            suggested = parted_value(now.suggested, was.suggested, old, new)
            self._actions[seq] = replace(now, value=value, suggested=suggested)
        return {action.sample for action in standing.values()}

    def group(self, name: str) -> list[Action]:
        """The actions of one gesture that stand, in their order."""
        return [self._actions[seq] for seq in self._groups.get(name, ()) if seq in self._actions]

    def is_last(self, action: Action) -> bool:
        """Whether it is the last of its gesture that stands; so is what belongs to none."""
        if action.group is None:
            return True
        found = (self._actions.get(seq) for seq in reversed(self._groups[action.group]))
        own = (one.seq for one in found if one is not None and one.annotator == action.annotator)
        return next(own) == action.seq

    def _downwards(self, seqs: list[int]) -> Iterator[Action]:
        return (self._actions[seq] for seq in reversed(seqs))


@dataclass(frozen=True)
class Consensus:
    """What a sample's annotators come to: a label or none, unsure, and whether they differ."""

    label: Value | None = None
    unsure: bool = False
    disputed: bool = False


def consensus(
    actions: Iterable[Action], quality: Mapping[str, float] | None = None, n_classes: int = 2
) -> Consensus:
    """Of the current action of each annotator; their quality, where it is known, breaks ties."""
    actions = list(actions)
    labels = [action for action in actions if action.kind == "label"]
    finals = [action for action in labels if action.final]
    if finals:
        return Consensus(max(finals, key=lambda action: action.seq).value)
    if not labels:
        return Consensus(unsure=any(action.kind == "unsure" for action in actions))
    people = [action for action in labels if action.source != IMPORT]
    votes = {action.annotator: action.value for action in people or labels if action.value is not None}
    return Consensus(_middle(votes, quality or {}, n_classes), disputed=len(set(votes.values())) > 1)


def _middle(votes: dict[str, Value], quality: Mapping[str, float], n_classes: int) -> Value | None:
    rows = [value for value in votes.values() if isinstance(value, tuple)]
    if rows and all(is_tags(row) for row in rows):
        return voted_tags(rows)  # type: ignore[arg-type]
    if rows:
        return tuple(mean(column) for column in zip(*rows, strict=True))  # exact, however large
    return majority(votes, quality, n_classes)  # type: ignore[return-value, arg-type]

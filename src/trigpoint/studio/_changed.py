"""Labels whose samples have changed since: a text that was edited, a picture that was replaced.

The store keeps a mark of each sample (`_pool_change`). Where a mark is another one at a start than at the
start before, the store keeps the former ones, too, each with the number of the last event until then:
{id: [[mark, seq], ...]}. So the label of event s was given for the first of these marks with seq >= s, and
for the mark of now where there is none. A label is outdated if that is not the mark of now. One that is
given or kept after the change is not; to undo that makes it outdated again. All follows from the log and the
marks, and so outlives a restart.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from trigpoint.studio._state import State

Former = Mapping[str, Sequence[Sequence[Any]]]  # id -> [mark, last event] ...


def former_marks(
    former: Former, known: Mapping[str, Any], now: Mapping[str, Any], last: int
) -> dict[str, list[list[Any]]]:
    """Former marks with those of ``known`` that have become others; ``last`` is the last event so far."""
    found = {name: [list(one) for one in marks] for name, marks in former.items()}
    after = dict(zip(now["ids"], now["marks"], strict=True))
    for name, mark in zip(known["ids"], known["marks"], strict=True):
        if after.get(name, mark) != mark:
            found.setdefault(name, []).append([mark, last])
    return found


def mark_at(former: Sequence[Sequence[Any]], now: str, seq: int) -> str:
    """The mark that a sample had at an event.

    >>> former = [["a", 10], ["b", 20]]
    >>> [mark_at(former, "c", seq) for seq in (1, 10, 11, 20, 21)]
    ['a', 'a', 'b', 'b', 'c']
    """
    return next((str(mark) for mark, until in former if seq <= until), now)


def changed_words(n: int) -> str:
    """
    >>> print(changed_words(1))
    1 sample has changed since it was labeled.
    """
    if n == 1:
        return "1 sample has changed since it was labeled."
    return f"{n:,} samples have changed since they were labeled." if n else ""


class Outdated:
    """Which labels are outdated; only what people acted on since the last call is looked at again."""

    def __init__(self, state: State, ids: Sequence[str], known: Mapping[str, Any], former: Former) -> None:
        marks = dict(zip(known["ids"], known["marks"], strict=True)) if former else {}
        self._state = state
        self._former = {
            i: (former[name], marks[name]) for i, name in enumerate(ids) if name in former and name in marks
        }
        self._read = 0, 0  # entries of state.touched and state.checked
        self._left = {i for i in self._former if self._is_outdated(i)}

    def samples(self) -> list[int]:
        """In the order of the pool."""
        if not self._former:
            return []
        touched, checked = self._read
        self._read = len(self._state.touched), len(self._state.checked)
        acted = {*self._state.touched[touched:], *self._state.checked[checked:]}
        for i in acted & self._former.keys():
            (self._left.add if self._is_outdated(i) else self._left.discard)(i)
        return sorted(self._left)

    def _is_outdated(self, i: int) -> bool:
        seq = self._state.labeled_at(i)
        former, now = self._former[i]
        return seq is not None and mark_at(former, now, seq) != now

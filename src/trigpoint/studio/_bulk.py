"""One label for many samples: a `labels` action as the label events that are written for it.

The event of the k-th sample has the client name ``client.k``, so that an action that is sent again after a
failure writes only what is missing. What belongs to a group that was undone since is not missing.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from trigpoint.studio._events import Draft
from trigpoint.studio._requests import LabelsAction
from trigpoint.studio._state import State

CHUNK = 250  # labels of one transaction: nobody's label waits for all of them


def chunks(action: LabelsAction) -> Iterator[range]:
    """The places of the action's samples, some at a time."""
    n = len(action.samples)
    return (range(start, min(start + CHUNK, n)) for start in range(0, n, CHUNK))


def names_of(action: LabelsAction, ids: Any) -> list[str | None]:
    """The ids of the samples: as the page says, else by their numbers; None for what is not in the pool."""
    if action.ids is not None and len(action.ids) == len(action.samples):
        return list(action.ids)
    return [str(ids[i]) if i < len(ids) else None for i in action.samples]


def label_drafts(
    action: LabelsAction, places: range, names: Sequence[str | None], annotator: str, state: State
) -> list[Draft]:
    """Drafts for those samples that may have the label now; one that was written before is among them.

    A sample that the action has twice is labeled once, and one that has gone from the pool is left out.
    """
    body = {"value": action.value, "source": action.source, "group": action.group, "relabel": action.relabel}
    first = {name: k for k, name in reversed(list(enumerate(names)))}
    drafts = (
        Draft("label", annotator, names[k], f"{action.client}.{k}", body)
        for k in places
        if first[names[k]] == k and (action.ids is None or state.index(names[k] or "") is not None)
    )
    return [draft for draft in drafts if _may(draft, action.relabel, state)]


def _may(draft: Draft, relabel: bool, state: State) -> bool:
    return state.knows(draft.client or "") or state.may_join(
        str(draft.body["group"]), draft.sample or "", relabel
    )

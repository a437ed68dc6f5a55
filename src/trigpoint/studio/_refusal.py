"""Why an action cannot be taken as things stand, in one sentence."""

from collections.abc import Mapping, Sequence
from typing import Any

from trigpoint.studio._events import ANSWERS, KINDS, Draft
from trigpoint.studio._history import History
from trigpoint.studio._rules import count_problem, name_problem, numbers_problem, shown
from trigpoint.studio._settings import Settings


def refusal(
    draft: Draft,
    settings: Settings,
    index: Mapping[str, int],
    classes: Sequence[str],
    history: History,
    clients: Mapping[str, str],
) -> str | None:
    """None for what may be done. ``clients`` has the kinds of all actions so far, undone ones too."""
    body = draft.body
    if draft.kind not in KINDS:
        return f"kind must be one of {', '.join(KINDS)}; got {shown(draft.kind)}."
    if draft.kind in (*ANSWERS, "ask"):
        if draft.sample not in index:
            return f"sample must be in the pool; got {shown(draft.sample)}."
        return _label(body, settings) if draft.kind == "label" else None
    if draft.kind == "undo":
        return _undo(draft.annotator, body.get("target"), history, clients)
    if draft.kind == "budget":
        return count_problem(body.get("budget"), "budget")
    if settings.regresses:
        return f"{draft.kind} must be of a pool with classes; this one has numbers for labels."
    return name_problem(body.get("name"), "name") if draft.kind == "class" else _rename(body, classes)


def _label(body: Mapping[str, Any], settings: Settings) -> str | None:
    for name in ("value", "suggested"):
        value = body.get(name)
        if value is None and name == "suggested":
            continue
        if settings.regresses:
            problem = numbers_problem(value, max(len(settings.targets), 1), name)
        else:
            problem = name_problem(value, name)
        if problem is not None:
            return problem
    seconds = body.get("seconds")
    return None if seconds is None else numbers_problem([seconds], 1, "seconds")


def _undo(annotator: str, target: Any, history: History, clients: Mapping[str, str]) -> str | None:
    if not isinstance(target, str) or clients.get(target) not in ANSWERS:
        return f"target must be a label, an unsure or a skip; got {shown(target)}."
    action = history.find(target)
    if action is None:
        return "target must be an action that stands; it was undone before."
    if action.annotator != annotator:
        return f"target must be an action of {shown(annotator)}; it is one of {shown(action.annotator)}."
    return None


def _rename(body: Mapping[str, Any], classes: Sequence[str]) -> str | None:
    old, new = body.get("old"), body.get("new")
    if old not in classes:
        return f"old must be one of the classes; got {shown(old)}."
    if old == new:
        return f"new must be another name than old; got {shown(new)}."
    return name_problem(new, "new")

"""Label in the browser: a page, a server that keeps the labels, and a worker process that computes.

    page ──actions──▶ web ─▶ studio ─▶ writer ─▶ store (SQLite, on disk before the answer)
                               │                   │ events
                               │                   ▼
                               ├── assigner ◀── state (labels, classes, history) ──requests──▶ worker process
                               │                                                                    │
                               └── results ◀────────── messages, through the worker client ─────────┘

The *store* is a log of events that only grows. The *state* is what follows from the log. The *assigner* says
who gets which sample next, and for how long. The *worker* owns the graph and the learner; nobody waits for
it. *Results* are what the worker found last.
"""

from typing import TYPE_CHECKING

from trigpoint._lazy import on_first_use

if TYPE_CHECKING:
    from trigpoint.studio._event_store import Store
    from trigpoint.studio._events import Draft, Settings, guide_problem, name_problem
    from trigpoint.studio._export_store import export_store
    from trigpoint.studio._hub import Hub, is_folder_of_studios, stores_in
    from trigpoint.studio._hub_web import serve_hub
    from trigpoint.studio._import import read_import
    from trigpoint.studio._messages import Job
    from trigpoint.studio._open import default_store, open_studio
    from trigpoint.studio._openapi import EXPORTS
    from trigpoint.studio._security import is_loopback
    from trigpoint.studio._serve import bind, kept_token, serve, usual_port
    from trigpoint.studio._state import State
    from trigpoint.studio._studio import Studio

__all__ = [
    "EXPORTS",
    "Draft",
    "Hub",
    "Job",
    "Settings",
    "State",
    "Store",
    "Studio",
    "bind",
    "default_store",
    "export_store",
    "guide_problem",
    "is_folder_of_studios",
    "is_loopback",
    "kept_token",
    "name_problem",
    "open_studio",
    "read_import",
    "serve",
    "serve_hub",
    "stores_in",
    "usual_port",
]

_FILES = {  # loaded when they are first used: starlette is needed to serve, and for nothing else
    **dict.fromkeys(("Draft", "Settings", "guide_problem", "name_problem"), "_events"),
    **dict.fromkeys(("default_store", "open_studio"), "_open"),
    **dict.fromkeys(("bind", "kept_token", "serve", "usual_port"), "_serve"),
    **dict.fromkeys(("Hub", "is_folder_of_studios", "stores_in"), "_hub"),
    "EXPORTS": "_openapi",
    "Job": "_messages",
    "State": "_state",
    "Store": "_event_store",
    "Studio": "_studio",
    "export_store": "_export_store",
    "is_loopback": "_security",
    "read_import": "_import",
    "serve_hub": "_hub_web",
}
if not TYPE_CHECKING:  # which would take any name for one of ours
    __getattr__ = on_first_use(__name__, _FILES, extra="studio")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])

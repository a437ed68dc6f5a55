"""Who may do what: one table for the routes, one for the kinds of actions, and nothing else decides it.

    owner      everything
    annotator  labels, notes, checks, new classes, and undoes what is their own
    viewer     reads and exports, and changes nothing

A route without a rule here is an error when the application is made, and an action without one is refused.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

Role: TypeAlias = Literal["owner", "annotator", "viewer"]
ROLES: tuple[Role, ...] = get_args(Role)

ALL = frozenset(ROLES)
DOERS: frozenset[Role] = frozenset({"owner", "annotator"})
TEAM: frozenset[Role] = frozenset({"owner", "viewer"})
OWNERS: frozenset[Role] = frozenset({"owner"})

ROUTES: Mapping[str, frozenset[Role]] = {
    "/": ALL,
    "/static/{path:path}": ALL,
    "/api/setup": ALL,
    "/api/state": ALL,
    "/api/samples": ALL,
    "/api/samples/{index}": ALL,
    "/api/pictures/{index}": ALL,
    "/api/history": ALL,
    "/api/least_sure": ALL,
    "/api/issues": ALL,
    "/api/disagreements": ALL,
    "/api/search": ALL,
    "/api/map/coordinates": ALL,
    "/api/map/predictions": ALL,
    "/api/map/landmarks": ALL,
    "/api/export/{name}": ALL,
    "/api/openapi.json": ALL,
    "/api/guide": ALL,
    "/api/flagged": ALL,
    "/api/gallery": ALL,
    "/api/reserve": DOERS,
    "/api/actions": DOERS,
    "/api/import": OWNERS,
    "/api/team": TEAM,
    "/api/activity": TEAM,
    "/api/links": OWNERS,
    "/api/links/end": OWNERS,
    "/api/password": ALL,  # of those whose link has a name
    "/api/sign_in": ALL,  # and of those who are nobody yet
    "/api/sign_out": ALL,
}
ACTIONS: Mapping[str, frozenset[Role]] = {
    "label": DOERS,
    "labels": DOERS,
    "unsure": DOERS,
    "skip": DOERS,
    "keep": DOERS,
    "undo": DOERS,
    "note": DOERS,
    "checks": DOERS,
    "class": DOERS,
    "rename": OWNERS,
    "order": OWNERS,
    "describe": OWNERS,
    "guide": OWNERS,
    "budget": OWNERS,
}
DEEDS = {
    "rename": "rename or merge classes",
    "order": "change the order of classes",
    "describe": "describe a class",
    "guide": "change the guidelines",
    "budget": "change the budget",
}


@dataclass(frozen=True)
class Visitor:
    """Who a request comes from: by which link (None: the one that the terminal printed), and as whom.

    ``name`` is None where the link is nobody's: then they give a name. ``ended`` is of a link that was ended.
    """

    role: Role = "owner"
    name: str | None = None
    link: str | None = None
    ended: bool = False


def action_problem(role: Role, kind: str) -> str | None:
    """Why somebody in this role may not do this; None where they may.

    >>> action_problem("annotator", "rename")
    'only an owner may rename or merge classes; your link is for an annotator.'
    """
    if role in ACTIONS.get(kind, frozenset()):
        return None
    if role == "viewer" or kind not in ACTIONS:
        return f"{kind} must come from somebody who may change something; your link is for a {role}."
    return f"only an owner may {DEEDS.get(kind, kind)}; your link is for an {role}."


def route_problem(role: Role, path: str) -> str | None:
    """Why somebody in this role may not ask for this; None where they may."""
    allowed = ROUTES[path]
    if role in allowed:
        return None
    listed = " or ".join(f"{'an' if one[0] in 'ao' else 'a'} {one}" for one in ROLES if one in allowed)
    return f"this is for {listed}; your link is for {'an' if role[0] in 'ao' else 'a'} {role}."

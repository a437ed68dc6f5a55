"""What there is to know of a selector before it runs, as data: one record beside each function."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from trigpoint._errors import InputError
from trigpoint._lazy import Records

SELECTORS: "Records[Selector]" = Records(
    "trigpoint.selection",
    "SELECTOR",
    (
        "facility",
        "random",
        "nystrom",
        "volume",
        "kmeans",
        "maxmin_geodesic",
        "approx_dpp",
        "gaussian_field",
        "mincond",
        "rrqr",
        "gcls",
        "aligned",
        "v_optimal",
        "sigma_optimal",
        "spectral_kmeans",
        "pivoted_cholesky",
    ),
)
AUTO = "facility"
METHODS = ("auto", *SELECTORS)  # the names that `select` takes


@dataclass(frozen=True)
class Selector:
    """One way to choose landmarks.

    Attributes
    ----------
    name : as `select` knows it
    choose : ``choose(pool, n_landmarks, rng, *, its own options) -> (n_landmarks,) int64``
    needs : "X", "graph" or both, where it cannot do without them
        Where options decide, a function of the options that returns ``{"X": " and neighbors='all'"}``: what
        it needs, and the words that say why.
    uses_phi : whether another alignment matrix can change what it chooses
    takes_dense : whether phi may be dense; not where |phi_ij| are the weights of a graph (`Pool.laplacian`)
    nested : whether its first k of l landmarks are those that it chooses for k
    nested_to : of up to how many landmarks, where that is not so of all
    limit : the largest pool, for a method that needs a dense matrix
    arrays : how many arrays of (n, n) it then holds
    weighs : whether it takes samples that count differently (`Pool.sample_weight`)
    check : refuses values of options, all of which it is given by name
    options : its options and their defaults, the keyword-only parameters of ``choose``
    """

    name: str
    choose: Callable[..., Any]
    needs: tuple[str, ...] | Callable[..., dict[str, str]] = ()
    uses_phi: bool = False
    takes_dense: bool = True
    nested: bool = False
    nested_to: int | None = None
    limit: int | None = None
    arrays: int = 1
    weighs: bool = False
    check: Callable[..., object] | None = None
    options: Mapping[str, Any] = field(init=False)

    def __post_init__(self) -> None:
        parameters = inspect.signature(self.choose).parameters.values()
        found = {one.name: one.default for one in parameters if one.kind is one.KEYWORD_ONLY}
        object.__setattr__(self, "options", found)

    def needed(self, options: Mapping[str, Any]) -> dict[str, str]:
        """What it needs with these options, each with the words that say why."""
        if callable(self.needs):
            return self.needs(**{**self.options, **options})
        return dict.fromkeys(self.needs, "")

    def is_nested(self, n_landmarks: int) -> bool:
        """Whether the first k of so many landmarks are those that it chooses for k."""
        return self.nested and (self.nested_to is None or n_landmarks <= self.nested_to)


def users_of_phi(dense: bool) -> str:
    """The names of those that use phi; with ``dense``, of those that use a dense one."""
    users = [one.name for one in SELECTORS.values() if one.uses_phi and (one.takes_dense or not dense)]
    return ", ".join(users)


def check_weighs(method: str) -> None:
    """Refuse a method for which all samples count the same."""
    if not selector_of(method).weighs:
        able = ", ".join(["auto", *(one.name for one in SELECTORS.values() if one.weighs)])
        rule = f"must be None for method={method!r}; methods that take it: {able}"
        raise InputError("sample_weight", rule, "weights")


def selector_of(method: str) -> Selector:
    """The record of a name that `select` takes."""
    return SELECTORS[AUTO if method == "auto" else method]

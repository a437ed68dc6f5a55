"""Selectors as they are compared: a name, and how it chooses.

A method is a name that `select` knows, the same with options, or a function

    choose(X, graph, phi, n_landmarks, rng) -> (n_landmarks,) distinct indices

of one's own, which may carry ``choose.nested = True``. Methods whose first k of l landmarks are those that
they choose for k are asked once, for the largest budget; the others at every budget. One that carries
``choose.asks = True`` is given ``answer(indices) -> labels`` after ``rng``: see `_loop`.

"auto" is `LandmarkSelector` on the features, as users have it. All others choose on the graph of the split,
and so does "auto" where the graph was given.
"""

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from zlib import crc32

import numpy as np

from trigpoint._errors import InputError
from trigpoint._types import Array, Ints
from trigpoint._validation import check_landmarks
from trigpoint.comparison._loop import LEARNER, Answers, check_options, check_questions_for, learned
from trigpoint.comparison._split import Split
from trigpoint.estimators import LandmarkSelector
from trigpoint.selection import check_method, check_needs, select, selector_of

AUTO, RANDOM = "auto", "random"
DEFAULT = (AUTO, RANDOM, "kmeans")
ON_GRAPHS = (AUTO, RANDOM, "maxmin_geodesic")

LONG = 80  # letters of a name in file names

Choose = Callable[..., Any]


@dataclass(frozen=True)
class Method:
    name: str
    method: str = ""  # as `select` knows it, or "learner"
    options: dict[str, Any] = field(default_factory=dict)
    own: Choose | None = None

    def nested(self, most: int) -> bool:
        """Whether its first k landmarks of ``most`` are those that it chooses for k."""
        if self.own is not None:
            return bool(getattr(self.own, "nested", False))
        return not self.asks and selector_of(self.method).is_nested(most)

    @property
    def asks(self) -> bool:
        """Whether it is told labels as it chooses."""
        return self.method == LEARNER if self.own is None else bool(getattr(self.own, "asks", False))

    @property
    def slug(self) -> str:
        """Its name in file names; options are told apart."""
        spelled = ", ".join([self.name, *(f"{key}={value!r}" for key, value in sorted(self.options.items()))])
        name = "".join(letter if letter.isalnum() else "_" for letter in spelled.lower())
        return name if len(name) <= LONG else f"{name[:LONG]}_{crc32(spelled.encode()):08x}"


def check_methods(methods: Any, features: bool) -> list[Method]:
    """Methods in the order of the user, random among them."""
    if methods is None:
        methods = DEFAULT if features else ON_GRAPHS
    if isinstance(methods, str) or not isinstance(methods, Sequence | Mapping) or not methods:
        raise InputError("methods", "must be a list of names, or a dict of name: options", repr(methods))
    given = methods if isinstance(methods, Mapping) else dict.fromkeys(methods)
    if len(given) < len(methods):
        raise InputError("methods", "must be distinct", list(methods))
    found = [_method(name, how) for name, how in given.items()]
    if RANDOM not in given:
        found.append(Method(RANDOM, RANDOM))
    slugs = [known.slug for known in found]
    for known in found:
        if slugs.count(known.slug) > 1:
            raise InputError("methods", "must have names that differ in letters or digits", repr(known.name))
    return found


def _method(name: Any, how: Any) -> Method:
    if not isinstance(name, str):
        raise InputError("methods", "must be names", repr(name))
    if name == RANDOM and how:
        raise InputError("methods", "must not redefine 'random', the baseline of every comparison")
    if callable(how):
        return Method(name, own=how)
    if how is not None and not isinstance(how, Mapping):
        raise InputError(f"methods[{name!r}]", "must be a dict of options or a function", repr(how))
    options = dict(how or {})
    method = options.pop("method", name)
    if method == LEARNER:
        check_options(name, options)
    else:
        check_method(method, options)
    return Method(name, method, options)


def check_against_pool(methods: Sequence[Method], n_pool: int, features: bool, task: str) -> None:
    """Refuse what a method lacks in these pools, before any of them is drawn."""
    for known in methods:
        if known.options.get("model") is not None and known.asks:
            check_questions_for(known.options["model"], task, features)
        if known.own is None and not known.asks:
            check_needs(known.method, known.options, n_pool, has_X=features, has_graph=True)


def chosen(known: Method, drawn: Split, count: int, seed: int, labels: Array) -> Ints:
    """The landmarks of a method for one budget; only one that asks for labels is told any."""
    answer = Answers(known.name, labels, count)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # volume sampling below the rank says so
        picks = _picks(known, drawn, count, seed, answer)
    if len(picks) != count:
        raise InputError(repr(known.name), f"must choose {count} landmarks", len(picks))
    answer.check(picks)
    return picks


def _picks(known: Method, drawn: Split, count: int, seed: int, answer: Answers) -> Ints:
    X, graph, phi = drawn.X, drawn.graph, drawn.phi
    if known.own is not None:
        further = (answer,) if known.asks else ()
        picks = known.own(X, graph, phi, count, np.random.default_rng(seed), *further)
        return check_landmarks(picks, graph.n_samples, f"what {known.name!r} chooses")
    if known.asks:
        return learned(drawn, count, answer, seed, **known.options)
    if known.method == AUTO and drawn.made is not None:
        options = {"options": known.options, "random_state": seed, **drawn.made.of_graphs}
        selector = LandmarkSelector(count, **options)
        return np.asarray(selector.fit(X).landmarks_)
    return select(phi, count, method=known.method, X=X, graph=graph, random_state=seed, **known.options)

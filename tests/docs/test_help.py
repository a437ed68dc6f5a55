"""``help(name)`` is enough to use a name: what goes in, what comes out, what it costs, what else there is.

Held to this are all functions and estimators of ``trigpoint``, the methods of its classes, and the functions
of rooms that a page shows.
"""

import importlib
import inspect
import operator
import re

import pytest

import trigpoint
from docs.pages import WRITTEN, prose

ESTIMATORS = (
    "ActiveLearner",
    "LandmarkSelector",
    "LCKSVDClassifier",
    "ManifoldClassifier",
    "ManifoldRegressor",
)
FUNCTIONS = sorted(name for name in trigpoint.__all__ if inspect.isfunction(getattr(trigpoint, name)))
QUIET = {"write_table", "library_versions", "told_columns", "load_digits"}  # nothing to use instead
CLUSTER = "distributed"  # whose examples need a cluster: they are in docs/distributed.md


def _shown():
    """Functions of rooms that pages name, as room.name."""
    found = set()
    for page in WRITTEN:
        text = page.read_text()
        found |= set(re.findall(r"\btp\.(\w+\.\w+)", text))
        for room, names in re.findall(r"from trigpoint\.(\w+) import ([\w, ]+)", text):
            found |= {f"{room}.{name.strip()}" for name in names.split(",")}
    rooms = {
        name: importlib.import_module(f"trigpoint.{name.split('.')[0]}")
        for name in found
        if name.split(".")[0] in trigpoint._ROOMS | {"io"}
    }
    named = {name: getattr(room, name.split(".")[1], None) for name, room in rooms.items()}
    return {
        name: thing
        for name, thing in named.items()
        if inspect.isfunction(thing) and not name.startswith("datasets.make_")
    }


SHOWN = _shown()


def sections(thing):
    """Title -> text of the parts of a docstring; the summary is called ""."""
    parts = re.split(r"^(\w[\w ]+)\n-{3,}$", inspect.getdoc(thing) or "", flags=re.MULTILINE)
    return {"": parts[0]} | dict(zip(parts[1::2], parts[2::2], strict=True))


@pytest.mark.parametrize("name", trigpoint.__all__)
def test_a_public_name_has_one_line_that_sums_up_and_an_example(name):
    found = sections(getattr(trigpoint, name))
    summary = found[""].strip().split("\n\n")[0]
    assert summary.endswith(".")
    assert "\n" not in summary
    assert ">>>" in found["Examples"]


@pytest.mark.parametrize("name", [*FUNCTIONS, *ESTIMATORS])
def test_a_public_function_or_estimator_tells_cost_limits_and_what_else_there_is(name):
    thing = getattr(trigpoint, name)
    found = sections(thing)
    assert _all_named(thing, found["Parameters"]) == []
    assert "Cost" in found["Notes"]
    assert found["See Also"].strip()
    if name in FUNCTIONS and inspect.signature(thing).return_annotation not in (None, "None"):
        assert "Returns" in found or name == "progress"  # which is a context


def _members():
    """Methods and properties of the public classes, without those that they have from another library."""
    found = {}
    for name in trigpoint.__all__:
        for cls in getattr(getattr(trigpoint, name), "__mro__", ()):
            if cls.__module__.startswith("trigpoint."):
                own = {f"{name}.{key}": member for key, member in vars(cls).items() if key[0] != "_"}
                found = {key: m for key, m in own.items() if callable(m) or hasattr(m, "__get__")} | found
    return found


MEMBERS = _members()


@pytest.mark.parametrize("name", MEMBERS)
def test_a_method_tells_what_it_takes_and_gives(name):
    member = MEMBERS[name]
    function = member if inspect.isfunction(member) else getattr(member, "__func__", None)
    found = sections(member if function is None else function)
    summary = found[""].strip().split("\n\n")[0]
    assert summary.endswith(".")
    assert "\n" not in summary
    if function is not None:
        names = [p for p in inspect.signature(function).parameters if p not in ("self", "cls")]
        assert [one for one in names if not re.search(rf"\b{one}\b", found.get("Parameters", ""))] == []
        assert "Returns" in found or inspect.signature(function).return_annotation in (None, "None")


@pytest.mark.parametrize("name", sorted(SHOWN))
def test_a_function_that_a_page_shows_tells_its_cost(name):
    found = sections(SHOWN[name])
    assert found[""].strip()
    if name.split(".")[1] not in QUIET:
        assert "Cost" in found["Notes"]
        assert found["See Also"].strip()
        assert name.startswith(CLUSTER) or ">>>" in found["Examples"]


def test_what_else_there_is_exists():
    things = {name: getattr(trigpoint, name) for name in [*FUNCTIONS, *ESTIMATORS]} | SHOWN
    for name, thing in things.items():
        room = thing.__module__.split(".")[1]
        for line in sections(thing).get("See Also", "").splitlines():
            if line.startswith("trigpoint studio"):  # a command
                continue
            for other in re.findall(r"^[\w.]+|(?<=, )[\w.]+", line.split(" : ")[0]):
                assert _known(other, room), f"{name} names {other}"


def _known(other, room):
    if other.startswith("sklearn."):
        module, _, last = other.rpartition(".")
        return hasattr(importlib.import_module(module), last)
    path = other.removeprefix("trigpoint.")
    if "." in path:
        importlib.import_module(f"trigpoint.{path.split('.')[0]}")
    try:
        return bool(operator.attrgetter(path)(trigpoint))
    except AttributeError:
        return hasattr(importlib.import_module(f"trigpoint.{room}"), path)


def _all_named(thing, text):
    """Parameters that the text does not name."""
    names = [p.name for p in inspect.signature(thing).parameters.values()]
    return [name for name in names if not re.search(rf"\b{name}\b", text)]


def test_mentions_of_names_in_the_prose_are_right():
    """`tp.name` in the prose of a page is a name, or a room with one."""
    for page in WRITTEN:
        for path in re.findall(r"`tp\.([A-Za-z_][\w.]*)", prose(page)):
            try:
                if "." in path and path.split(".")[0] in trigpoint._ROOMS | {"io"}:
                    importlib.import_module(f"trigpoint.{path.split('.')[0]}")
                operator.attrgetter(path.rstrip("."))(trigpoint)
            except AttributeError:
                pytest.fail(f"{page.name}: tp.{path}")

"""Types as a user's checker sees them: every public name says what it takes, gives and holds."""

import inspect
import re
from functools import cached_property
from importlib import import_module
from pkgutil import iter_modules

import pytest

import trigpoint as tp

ROOMS = [f"trigpoint.{room.name}" for room in iter_modules(tp.__path__) if not room.name.startswith("_")]
PUBLIC = {
    f"{module.__name__}.{name}": getattr(module, name)
    for module in (tp, *map(import_module, ROOMS))
    for name in getattr(module, "__all__", ())
}


def functions(value):
    """A function, or the methods of a class, without those that it has from another library."""
    if inspect.isfunction(value):
        return [value]
    ours = [cls for cls in getattr(value, "__mro__", ()) if cls.__module__.startswith("trigpoint.")]
    members = [pair for cls in ours for pair in vars(cls).items() if inspect.isfunction(pair[1])]
    public = [one for name, one in members if name[0] != "_" or name == "__init__"]
    return [one for one in public if one.__module__.startswith("trigpoint.")]


@pytest.mark.parametrize("name", PUBLIC)
def test_parameters_and_results_have_types(name):
    for function in functions(PUBLIC[name]):
        signature = inspect.signature(function)
        taken = [each for each in signature.parameters.values() if each.name not in ("self", "cls")]
        assert not [each.name for each in taken if each.annotation is each.empty], function
        assert signature.return_annotation is not signature.empty, function


@pytest.mark.parametrize("name", [name for name, value in PUBLIC.items() if inspect.isclass(value)])
def test_attributes_that_a_docstring_tells_of_have_types(name):
    """Checkers may differ in what they make of an attribute that some method sets."""
    cls = PUBLIC[name]
    told = re.search(r"^Attributes\n-+\n(.*?)(^\w+\n---|\Z)", inspect.getdoc(cls), re.DOTALL | re.MULTILINE)
    names = re.findall(r"^(\w+) :", told[1], re.MULTILINE) if told else []
    declared = {name for each in cls.__mro__ for name in (*inspect.get_annotations(each), *properties(each))}
    declared.update(re.findall(r"^ +self\.(\w+): ", inspect.getsource(cls), re.MULTILINE))
    assert set(names) <= declared


def properties(cls):
    return [name for name, member in vars(cls).items() if isinstance(member, property | cached_property)]

import pytest

import trigpoint
from trigpoint import features, graph, prediction
from trigpoint.cli import _options

COMMANDS = [
    "demo",
    "select",
    "propagate",
    "predict",
    "check",
    "studio",
    "export",
    "bound",
    "compare",
    "reproduce",
    "graph build",
    "graph info",
]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_shows_an_example(run, command):
    done = run(*command.split(), "--help")
    assert done.code == 0
    assert f"Example: trigpoint {command} " in " ".join(done.out.split())


def test_the_version(run, folder):
    assert run("--version").out == f"trigpoint {trigpoint.__version__}\n"


def test_no_command_gets_the_help(run, folder):
    done = run()
    assert done.code == 2
    assert "propagate" in done.out


def test_the_shell_completes_methods(run, folder, monkeypatch):
    monkeypatch.setenv("_TRIGPOINT_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", "trigpoint select --method g")
    monkeypatch.setenv("COMP_CWORD", "3")
    assert run().out.split() == ["gaussian_field", "gcls"]


def test_the_names_are_those_of_the_library():
    """They are spelled out for the help, which loads nothing heavy."""
    assert _options.VIEWS == prediction.VIEW_NAMES
    assert _options.PREDICTORS == prediction.PREDICTORS
    assert graph.N_NEIGHBORS == _options.NEIGHBORS
    assert _options.TEXT_METHODS == features.TEXT_METHODS
    assert _options.PICTURE_METHODS == features.PICTURE_METHODS

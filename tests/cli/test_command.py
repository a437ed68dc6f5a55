"""Options in groups, settings in text, messages in the words of the command line."""

import inspect
import warnings
from dataclasses import dataclass
from typing import Annotated

import pytest
import typer
from typer.testing import CliRunner

from trigpoint._errors import InputError
from trigpoint.cli._command import command
from trigpoint.cli._errors import StoppedError, in_options
from trigpoint.cli._values import names, settings, size


@dataclass(frozen=True)
class Group:
    first: Annotated[str, typer.Argument()]
    second: Annotated[int, typer.Option("--second")] = 2


def test_a_group_of_options_is_spread_and_gathered():
    seen = []

    def work(group: Group, third: Annotated[bool, typer.Option("--third")] = False) -> None:
        seen.append((group, third))

    app = typer.Typer()
    app.command()(command(work))
    assert CliRunner().invoke(app, ["a", "--second", "5", "--third"]).exit_code == 0
    assert CliRunner().invoke(app, ["b"]).exit_code == 0
    assert seen == [(Group("a", 5), True), (Group("b", 2), False)]
    assert list(inspect.signature(command(work)).parameters) == ["first", "second", "third"]


def test_a_warning_is_told_once(capsys):
    @command
    def work() -> None:
        for _ in range(2):
            warnings.warn("mind\nthe gap", UserWarning, stacklevel=1)

    work()
    assert capsys.readouterr() == ("", "trigpoint: warning: mind the gap\n")


def test_an_interrupt_is_passed_on_as_our_own():
    @command
    def work() -> None:
        raise KeyboardInterrupt

    with pytest.raises(StoppedError):
        work()


def test_settings_are_json_or_text():
    texts = ["a=1", "b-c=two", "d=0.5", "e=true", "f=null", 'g="3"', "h=x=y", "i="]
    values = {"a": 1, "b_c": "two", "d": 0.5, "e": True, "f": None, "g": "3", "h": "x=y", "i": ""}
    assert settings(texts, "--option") == values
    assert settings(None, "--option") == {}


@pytest.mark.parametrize("text", ["", "a", "=1", "a b=1", "1a=2"])
def test_settings_that_are_none(text):
    with pytest.raises(ValueError, match="--option must look like KEY=VALUE"):
        settings([text], "--option")


def test_names_and_sizes():
    assert names(None) is None
    assert names(["a, b", '"c,d"']) == ["a", "b", "c,d"]
    assert size("28x20") == (28, 20)
    for text in ("", "x", "28x", "-3", "2.5", "3x3x3"):
        with pytest.raises(ValueError, match="--image-size must look like"):
            size(text)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (
            ("columns", "must not be used together with features= or text_column=", "both"),
            "--columns must not be used together with --features or --text-column; got both.",
        ),
        (
            ("a.npz", "may be either: say graph=True (similarities) or graph=False"),
            "a.npz may be either: say --graph (similarities) or --no-graph.",
        ),
        (("graph=True", "cannot be combined"), "--graph cannot be combined."),
        (("power", "is not an option of method='auto'"), "power is not an option of --method auto."),
        (("columns of x.csv", "must each hold one kind"), "columns of x.csv must each hold one kind."),
        (("mincond", "needs a dense matrix"), "--method mincond needs a dense matrix."),
        (
            ("columns", "must not name the ids", "'a'; give id_column="),
            "--columns must not name the ids; got 'a'; give --id-column.",
        ),
        (
            ("neighbors", "must be one of 'graph', 'all'", 3),
            "neighbors must be one of 'graph', 'all'; got 3.",
        ),
    ],
)
def test_refusals_name_options_as_they_are_typed(said, told):
    assert in_options(InputError(*said)) == told

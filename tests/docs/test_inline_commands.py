"""Commands in running text name commands, options and benchmarks that exist."""

import re
import shlex

import pytest
import typer

from docs.pages import ROOT, WRITTEN, path_of, prose
from trigpoint.cli import main

INLINE = re.compile(r"`(?P<line>(?:trigpoint|\./dev) [^`\n]+)`")


def _lines(program):
    return [
        (path_of(page), found["line"])
        for page in WRITTEN
        for found in INLINE.finditer(prose(page))
        if found["line"].startswith(f"{program} ")
    ]


@pytest.fixture(scope="module")
def commands():
    """Name of a command -> its options."""
    with pytest.raises(SystemExit):
        main(["--version"])  # lets all commands register
    from trigpoint.cli._app import app

    found = {}

    def collect(command, name):
        found[name] = {flag for one in command.params for flag in (*one.opts, *one.secondary_opts)}
        for sub, other in getattr(command, "commands", {}).items():
            collect(other, f"{name} {sub}".strip())

    collect(typer.main.get_command(app), "")
    return found


def test_commands_and_options_exist(commands):
    lines = _lines("trigpoint")
    assert len(lines) > 50
    for page, line in lines:
        words = shlex.split(line)[1:]
        if words[0].startswith("--") or not words[0].islower():  # --version; COMMAND
            continue
        if words[0] == "studio" and "needs" in words:  # a message
            continue
        name = " ".join(words[:2]) if " ".join(words[:2]) in commands else words[0]
        assert name in commands, f"{page}: {line}"
        known = commands[name] | {"--help"}
        assert [w for w in words if w.startswith("--") and w.split("=")[0] not in known] == [], (
            f"{page}: {line}"
        )


def test_commands_of_dev_and_benchmarks_exist():
    cases = set(re.findall(r"^([a-z-]+)\)$", (ROOT / "dev").read_text(), re.MULTILINE))
    benchmarks = {path.stem for path in (ROOT / "benchmarks").iterdir() if not path.name.startswith("_")}
    for page, line in _lines("./dev"):
        command, *words = shlex.split(line)[1:]
        assert command in cases, f"{page}: {line}"
        if command == "bench" and words[0].islower():
            assert words[0] in benchmarks | {"dask"}, f"{page}: {line}"

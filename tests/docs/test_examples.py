"""Every example of every page runs: Python and commands, in their order, beside the files that they name."""

import os
import re
import shlex
import signal
import subprocess
import sys
from codeop import compile_command
from importlib.metadata import version
from pathlib import Path

import pytest

from docs.desk import lay_out
from docs.pages import PAGES, ROOT, WRITTEN, blocks, path_of, prose
from docs.said import missing
from docs.said import run as run_python
from trigpoint.cli import main

NOT_RUN = 13  # 5 install, 3 take hours; 1 each: shell settings, a cluster, zarr, Label Studio, the tests
WIDE = 108  # characters of a line of code that the site shows without scrolling, on a screen of 1280 pixels
FOUND_WITH = {"numpy": [2, 4], "scipy": [1, 17], "scikit-learn": [1, 9]}
LONG = {
    "docs/cli.md",
    "docs/compare.md",
    "docs/estimators.md",
    "docs/get_started.md",
    "docs/howto/choose.md",
    "docs/install.md",
    "docs/label_studio.md",
    "docs/learner.md",
    "docs/models.md",
    "docs/reproduction.md",
}
COMMAND = re.compile(r"^ *(?:\$ |(?:trigpoint|pip|python|\./dev|dask|cd|export) )", re.MULTILINE)


def _story(page):
    return [block for block in blocks(page, "python", "sh") if not block.why]


def _marked(page):
    return pytest.param(page, marks=pytest.mark.slow) if path_of(page) in LONG else page


@pytest.fixture
def desk(tmp_path, monkeypatch):
    monkeypatch.setenv("TRIGPOINT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    desk = tmp_path / "desk"
    desk.mkdir()
    monkeypatch.chdir(desk)
    return desk


@pytest.mark.parametrize("page", [_marked(page) for page in WRITTEN if _story(page)], ids=path_of)
def test_the_blocks_of_a_page_run_in_their_order(page, desk):
    for block in blocks(page, "toml"):
        (desk / "trigpoint.toml").write_text(block.text)
    if any(block.kind == "sh" for block in _story(page)):
        lay_out(desk)
    namespace: dict = {}
    wrong = []
    for block in _story(page):
        if block.kind == "python":
            wrong += run_python(block.text, page.name, namespace)
            continue
        for line in block.text.replace("\\\n", " ").splitlines():
            (_open_studio if line.startswith("trigpoint studio ") else _run)(line)
    assert not wrong or _older(), "\n".join(wrong)


def _older():
    """Whether a library is older than those that the figures of the pages were found with."""
    return any(
        [int(part) for part in version(name).split(".")[:2]] < least for name, least in FOUND_WITH.items()
    )


def _run(line):
    """In this process, without the seconds that a new one takes; what only a shell can do, in a shell."""
    program, *words = shlex.split(line, comments=True)
    if program == "trigpoint":
        with pytest.raises(SystemExit) as end:
            main(words)
        assert not end.value.code, line
        return
    done = subprocess.run(["bash", "-euo", "pipefail", "-c", line], capture_output=True, text=True)
    assert done.returncode == 0, f"{line}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"


def _open_studio(line):
    """It gives its link, and ends with Ctrl-C."""
    words = ["bash", "-c", f"exec {line.partition('#')[0]} --no-browser --port 0"]
    with subprocess.Popen(
        words,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    ) as studio:
        link = studio.stdout.readline()
        studio.send_signal(signal.SIGINT)
        _, said = studio.communicate()
    assert link.startswith("http"), f"{line}\n{said}"
    assert studio.returncode == 0, f"{line}\n{said}"


@pytest.mark.parametrize("page", [page for page in WRITTEN if blocks(page, "python")], ids=path_of)
def test_a_block_can_be_pasted_into_a_session_of_python(page):
    """Before Python 3.13 an indented block ends at an empty line only, as ``with`` in a session does."""
    for block in blocks(page, "python"):
        typed: list[str] = []
        for line in [*block.text.splitlines(), ""]:
            typed.append(line)
            if compile_command("\n".join(typed)) is not None:
                typed = []
        assert not typed, block.text


def test_blocks_that_are_not_run_say_why_and_are_counted():
    marked = [
        f"{path_of(page)}: {block.why}"
        for page in PAGES
        for block in blocks(page, "python", "sh")
        if block.why
    ]
    marks = sum(page.read_text().count("<!-- not run") for page in PAGES)
    assert len(marked) == marks == NOT_RUN, "\n".join(marked)


@pytest.mark.parametrize("page", WRITTEN, ids=path_of)
def test_commands_stand_in_blocks_that_are_run(page):
    """And not in blocks of another kind, or in indented ones, where no test would see them."""
    others = [block.text for block in blocks(page) if block.kind not in ("python", "sh")]
    indented = [line for line in prose(page).splitlines() if line.startswith("    ")]
    assert not COMMAND.findall("\n".join([*others, *indented]))


@pytest.mark.parametrize("page", WRITTEN, ids=path_of)
def test_lines_of_code_can_be_read_without_scrolling(page):
    lines = [line for block in blocks(page, "python", "sh") for line in block.text.splitlines()]
    assert [line for line in lines if len(line) > WIDE] == []


@pytest.mark.parametrize(
    ("comment", "output", "absent"),
    [
        ("99.2% right", "99.2% right", []),
        ("99.3% right", "99.2% right", ["99.3"]),
        ("52.0", "52.01299674643949", []),
        ("180.4 216.2", "180.39 -216.2", ["216.2"]),
        ("1,493 of 1500", "1493 of 1500", []),
        ("raw 0.72, white .77", "raw 0.72\nwhite 0.77", []),
        ("the worst first", "2 problems", []),
    ],
)
def test_a_comment_is_held_against_what_was_printed(comment, output, absent):
    assert missing(comment, output) == absent


def test_pages_that_take_long_exist():
    assert {page for page in LONG if not (ROOT / page).exists()} == set()

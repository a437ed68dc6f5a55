import json
import subprocess
import sys
from pathlib import Path

import pytest

COMMAND = [str(Path(sys.executable).with_name("trigpoint"))]


@pytest.mark.slow
def test_the_demo_tells_its_story_and_reports_it(tmp_path):
    """In a process of its own, as it is installed."""
    command = [*COMMAND, "demo", "--budget", "30"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "1797 handwritten digits, 30 labels" in done.stdout
    assert "The report: trigpoint-demo.html" in done.stdout
    assert "30 labels for 1797 digits" in (tmp_path / "trigpoint-demo.html").read_text(encoding="utf-8")
    assert [f.name for f in tmp_path.iterdir()] == ["trigpoint-demo.html"], "nothing half-written is left"


@pytest.mark.slow
def test_the_demo_draws_a_picture_too(run, folder):
    done = run("demo", "--budget", "20", "--report", "page.html", "-o", "picture.png")
    assert done.code == 0, done.err
    assert "The picture: picture.png" in done.out
    assert (folder / "picture.png").read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    assert sorted(f.name for f in folder.iterdir()) == ["page.html", "picture.png"]


@pytest.mark.slow
def test_the_demo_in_json(run, folder):
    first, second = (run("demo", "--budget", "20", "--json") for _ in range(2))
    figures, again = json.loads(first.out), json.loads(second.out)
    assert figures["landmarks"] == again["landmarks"], "equal seeds give equal landmarks"
    assert len(set(figures["landmarks"])) == 20
    assert figures["accuracy"][-1] > figures["random_accuracy_mean"][-1]
    assert (folder / figures["report"]).exists()
    assert figures["picture"] is None


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["demo", "--budget", "1797"],
            "budget must be an integer and lie in [2, 1796] for 1797 digits; got 1797",
        ),
        (["demo", "-o", "no/such/folder.png"], "output must lie in a folder that exists"),
        (["demo", "--report", "no/such/page.html"], "report must be a file in a folder that exists"),
        (["demo", "--report", "page.png"], "report must end in .html; got 'page.png'"),
        (["demo", "-o", "picture.gif"], "output must end in .png, .svg, .pdf; got 'picture.gif'"),
    ],
)
def test_bad_input_ends_in_one_line_and_exit_code_2(run, folder, arguments, message):
    done = run(*arguments)
    assert done.code == 2
    assert done.err.strip().count("\n") == 0
    assert message in done.err
    assert list(folder.iterdir()) == []


def test_unknown_options_are_refused(run):
    done = run("demo", "--bugdet", "3")
    assert done.code == 2
    assert "--bugdet" in done.err


def test_help_shows_an_example(run):
    done = run("demo", "--help")
    assert done.code == 0
    assert "trigpoint demo --budget 50" in done.out

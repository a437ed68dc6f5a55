import json
import subprocess
import sys
from pathlib import Path

import pytest

COMMAND = [str(Path(sys.executable).with_name("trigpoint"))]


def run(*arguments, folder):
    return subprocess.run([*COMMAND, *arguments], cwd=folder, capture_output=True, text=True, check=False)


def test_the_demo_tells_its_story_and_reports_it(tmp_path):
    done = run("demo", "--budget", "30", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "1797 handwritten digits, 30 labels" in done.stdout
    assert "The report: trigpoint-demo.html" in done.stdout
    assert "30 labels for 1797 digits" in (tmp_path / "trigpoint-demo.html").read_text(encoding="utf-8")
    assert [f.name for f in tmp_path.iterdir()] == ["trigpoint-demo.html"], "nothing half-written is left"


def test_the_demo_draws_a_picture_too(tmp_path):
    done = run("demo", "--budget", "20", "--report", "page.html", "-o", "picture.png", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "The picture: picture.png" in done.stdout
    assert (tmp_path / "picture.png").read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    assert sorted(f.name for f in tmp_path.iterdir()) == ["page.html", "picture.png"]


def test_the_demo_in_json(tmp_path):
    first, second = (run("demo", "--budget", "20", "--json", folder=tmp_path) for _ in range(2))
    figures, again = json.loads(first.stdout), json.loads(second.stdout)
    assert figures["landmarks"] == again["landmarks"], "equal seeds give equal landmarks"
    assert len(set(figures["landmarks"])) == 20
    assert figures["accuracy"][-1] > figures["random_accuracy_mean"][-1]
    assert (tmp_path / figures["report"]).exists()
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
def test_bad_input_ends_in_one_line_and_exit_code_2(arguments, message, tmp_path):
    done = run(*arguments, folder=tmp_path)
    assert done.returncode == 2
    assert done.stderr.strip().count("\n") == 0
    assert message in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_unknown_options_are_refused(tmp_path):
    done = run("demo", "--bugdet", "3", folder=tmp_path)
    assert done.returncode == 2
    assert "--bugdet" in done.stderr


def test_help_shows_an_example(tmp_path):
    done = run("demo", "--help", folder=tmp_path)
    assert done.returncode == 0
    assert "trigpoint demo --budget 50" in done.stdout

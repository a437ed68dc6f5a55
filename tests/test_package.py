"""The package as people get it: built, installed alone in a bare environment, and used there."""

import os
import re
import runpy
import subprocess
import sys
import tarfile
import tomllib
import venv
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest
import yaml

import trigpoint

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "trigpoint"
PIP = ("-m", "pip", "--quiet", "--disable-pip-version-check")


def test_the_files_beside_the_code_know_the_version():
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert cited["version"] == trigpoint.__version__
    changes = re.findall(r"^## (\S+), ", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert changes[0] == trigpoint.__version__


def test_the_citation_has_what_its_format_asks_for():
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert cited["cff-version"] == "1.2.0"
    assert cited["message"]
    assert cited["title"]
    assert cited["authors"]
    (paper,) = cited["references"]
    assert paper["title"] == "A unified framework for manifold landmarking"
    assert [author["family-names"] for author in paper["authors"]] == ["Xu", "Yu", "Davenport", "Zha"]


def test_the_page_about_installing_tells_what_the_package_says():
    said = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    page = (ROOT / "docs" / "install.md").read_text()
    rows = dict(re.findall(r"^\| `(\w+)` \| ([\w, ]+) \|", page, re.MULTILINE))
    assert set(rows) == set(said["optional-dependencies"])
    for extra, needed in said["optional-dependencies"].items():
        for one in needed:
            assert re.match(r"\w+", one)[0] in rows[extra]
    tested = re.findall(r"Python :: (3\.\d+)", " ".join(said["classifiers"]))
    assert f"tested on Linux with Python {', '.join(tested[:-1])} and {tested[-1]} and" in page
    assert said["requires-python"] == f">={tested[0]}"


LINKED = re.compile(r"\]\(([^)\s]+)\)")


def test_an_index_shows_a_page_without_dead_links():
    index_readme = runpy.run_path(str(ROOT / "hatch_build.py"))["index_readme"]
    text = (ROOT / "README.md").read_text()
    for page in (index_readme(text), index_readme(text, "https://example.com/it")):
        assert {link.partition("://")[0] for link in LINKED.findall(page)} == {"https"}
        assert "![" not in page
        assert "./dev demo" not in page
        assert "./dev studio" not in page
        assert page.startswith("# trigpoint\n")
        assert "\npip install " in page
        assert "BSD-3-Clause" in page
    links = [link for link in LINKED.findall(text) if not link.endswith(".png") and link != "docs/install.md"]
    assert [link.removeprefix("https://example.com/it/") for link in LINKED.findall(page)] == links


def run(*words, cwd=None):
    """Run a program that sees nothing of this project, and return what it says."""
    env = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    done = subprocess.run([str(word) for word in words], cwd=cwd, env=env, capture_output=True, text=True)
    assert done.returncode == 0, f"{words}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def refused(*words, cwd):
    """What a command says that ends with an error."""
    done = subprocess.run([str(word) for word in words], cwd=cwd, capture_output=True, text=True)
    assert done.returncode == 2, done.stdout
    return done.stderr


@pytest.fixture(scope="module")
def bare(tmp_path_factory):
    """The `bin` of an environment with pip alone."""
    if os.name == "nt":
        pytest.skip("environments are laid out otherwise on Windows")
    folder = tmp_path_factory.mktemp("bare")
    venv.create(folder, with_pip=True)
    programs = folder / "bin"
    try:
        run(programs / "python", *PIP, "download", "--no-deps", "--dest", folder / "got", "hatchling")
    except AssertionError as error:
        pytest.skip(f"no package index can be reached: {str(error).strip().splitlines()[-1]}")
    return programs


@pytest.fixture(scope="module")
def built(bare, tmp_path_factory):
    """The folder of sdist and wheel, the wheel made from the sdist."""
    folder = tmp_path_factory.mktemp("dist")
    tools = tmp_path_factory.mktemp("tools")
    venv.create(tools, with_pip=True)
    run(tools / "bin" / "python", *PIP, "install", "build", "twine")
    run(tools / "bin" / "python", "-m", "build", "--outdir", folder, ROOT)
    run(tools / "bin" / "python", "-m", "twine", "check", "--strict", *sorted(folder.iterdir()))
    return folder


@pytest.fixture(scope="module")
def installed(bare, built):
    """The environment with the wheel, and what it requires, and no extras."""
    (wheel,) = built.glob("*.whl")
    run(bare / "python", *PIP, "install", wheel)
    return bare


@pytest.mark.slow
def test_the_wheel_holds_the_package_and_nothing_else(built):
    (wheel,) = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        inside = set(archive.namelist())
    files = {
        str(Path("trigpoint", file.relative_to(SOURCE)))
        for file in SOURCE.rglob("*")
        if file.is_file() and file.parent.name != "__pycache__"
    }
    assert {name for name in inside if ".dist-info/" not in name} == files
    assert {
        "trigpoint/py.typed",
        "trigpoint/report/page.html",
        "trigpoint/studio/static/index.html",
    } <= inside


@pytest.mark.slow
def test_the_sdist_holds_what_the_tests_need(built):
    (sdist,) = built.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        inside = {member.name.partition("/")[2]: member.size for member in archive}
    assert {"pyproject.toml", "README.md", "CHANGELOG.md", "CITATION.cff", "LICENSE", "dev"} <= set(inside)
    for folder in ("tests", "benchmarks"):
        sources = {str(file.relative_to(ROOT)) for file in (ROOT / folder).rglob("*.py")}
        assert sources <= set(inside)
    assert {str(page.relative_to(ROOT)) for page in (ROOT / "docs").rglob("*.md")} <= set(inside)
    assert not [name for name in inside if name.endswith((".png", ".pyc", ".nbi"))]
    assert "docs/reproduction/runtime/trials.csv" in inside
    assert "docs/reproduction/torus/trials.csv" not in inside
    assert sdist.stat().st_size < 4_000_000


@pytest.mark.slow
def test_the_wheel_alone_does_the_work(installed, tmp_path):
    assert run(installed / "python", *PIP, "check") == ""
    assert run(installed / "trigpoint", "--version") == f"trigpoint {trigpoint.__version__}\n"
    script = (ROOT / "tests" / "user_script.py").read_text()
    (tmp_path / "script.py").write_text(script)
    said = run(installed / "python", "-W", "error", "script.py", cwd=tmp_path)
    assert said == f"trigpoint {trigpoint.__version__}: module 'trigpoint' has no attribute 'nothing'\n"
    assert set(re.findall(r"\btp\.(\w+)", script)) >= set(trigpoint.__all__)


@pytest.mark.slow
def test_every_missing_extra_is_named(installed, tmp_path):
    (tmp_path / "pool.csv").write_text("a,b\n" + "\n".join(f"{i},{i * i % 7}" for i in range(40)))
    (tmp_path / "texts.txt").write_text("one\ntwo three\nfour\nfive six\n")
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "a.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    (tmp_path / "pool.parquet").write_bytes(b"PAR1")
    for words, extra in {
        "select pool.parquet -n 2": "files",
        "select pool.csv -n 2 -o chosen.parquet": "files",
        "select photos -n 1": "files",
        "select texts.txt -n 1 --text-features embeddings": "text",
        "select pool.csv -n 2 --scheduler tcp://127.0.0.1:1": "dask",
        "studio pool.csv": "studio",
        "export pool.csv labels.csv": "studio",
        "demo -o demo.png": "plots",
        "reproduce torus -o out": "plots",
    }.items():
        said = refused(installed / "trigpoint", *words.split(), cwd=tmp_path)
        assert f'install it with: pip install "trigpoint[{extra}]"' in said, words
        assert said.count("\n") == 1
    for code, extra in {
        "tp.distributed.neighbor_graph([[0.0], [1.0]])": "dask",
        "tp.studio.Studio": "studio",
        "tp.plots.curves_picture([[]], 'title')": "plots",
    }.items():
        caught = f"import trigpoint as tp\ntry:\n    {code}\nexcept ImportError as error:\n    print(error)"
        assert f'"trigpoint[{extra}]"' in run(installed / "python", "-c", caught, cwd=tmp_path)


@pytest.mark.slow
def test_type_checkers_know_every_public_name(installed, tmp_path):
    """mypy sees the installed package, as a user's does: through py.typed."""
    if find_spec("mypy") is None:
        pytest.skip("mypy is not installed: ./dev check installs it")
    (tmp_path / "script.py").write_text((ROOT / "tests" / "user_script.py").read_text())
    python = f"--python-executable={installed / 'python'}"
    cache = f"--cache-dir={tmp_path / 'cache'}"
    said = run(sys.executable, "-m", "mypy", "--strict", python, cache, "script.py", cwd=tmp_path)
    assert said == "Success: no issues found in 1 source file\n"


@pytest.mark.slow
def test_all_extras_agree(installed, built):  # the last of all, since `installed` has none until here
    (wheel,) = built.glob("*.whl")
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    for extra in listed:
        run(installed / "python", *PIP, "install", f"{wheel}[{extra}]")
        assert run(installed / "python", *PIP, "check") == ""

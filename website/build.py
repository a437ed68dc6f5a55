"""Build the site: python website/build.py [--serve] [-o FOLDER]

The pages are put together in build/website, built there by Zensical with every warning an error, and
checked; then the site is in site/. --serve shows it at http://localhost:8000.
"""

import argparse
import contextlib
import functools
import http.server
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import yaml

sys.path.insert(0, str(Path(__file__).parent))
import check
import pages

HERE = Path(__file__).parent
ROOT = HERE.parent


def navigation(docs: Path) -> list[Any]:
    """nav.yml, with folders replaced by their pages; refuses pages that are missing there or here."""
    nav = _expanded(yaml.safe_load((HERE / "nav.yml").read_text()), docs)
    listed = set(_leaves(nav))
    there = {path.relative_to(docs).as_posix() for path in docs.rglob("*.md")}
    if missing := sorted(listed - there):
        raise SystemExit(f"website/nav.yml lists pages that do not exist: {', '.join(missing)}")
    if unlisted := sorted(there - listed):
        raise SystemExit(f"website/nav.yml does not list: {', '.join(unlisted)}")
    return nav


def _expanded(entries: list[Any], docs: Path) -> list[Any]:
    found: list[Any] = []
    for entry in entries:
        title, value = next(iter(entry.items())) if isinstance(entry, dict) else (None, entry)
        if isinstance(value, list):
            found.append({title: _expanded(value, docs)})
        elif value.endswith("/"):
            below = _below(docs / value, docs)
            found += [{title: below}] if below else []
        else:
            found.append(entry)
    return found


def _below(folder: Path, docs: Path) -> list[Any]:
    """The pages of a folder, the index first; those of the API in the order of the rooms."""
    order = {room: i for i, room in enumerate(pages.api.ROOMS)} if folder.name == "api" else {}
    found = sorted(
        folder.glob("*.md"), key=lambda p: (p.name != "index.md", order.get(p.stem, len(order)), p.stem)
    )
    return [path.relative_to(docs).as_posix() for path in found]


def _leaves(nav: list[Any]) -> list[str]:
    leaves = []
    for entry in nav:
        value = next(iter(entry.values())) if isinstance(entry, dict) else entry
        leaves += _leaves(value) if isinstance(value, list) else [value]
    return leaves


def build(work: Path, site: Path) -> None:
    """Make the site in the folder ``site``, by way of ``work``; ends the program where anything is wrong."""
    pages.put_together(work / "docs")
    shutil.copytree(HERE / "templates", work / "templates", dirs_exist_ok=True)
    nav = json.dumps(navigation(work / "docs"), ensure_ascii=False)
    (work / "mkdocs.yml").write_text((HERE / "mkdocs.yml").read_text() + f"nav: {nav}\n")
    program = [sys.executable, "-m", "zensical", "build", "--strict", "--clean", "-f", "mkdocs.yml"]
    done = subprocess.run(
        program,
        cwd=work,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(HERE), os.environ.get("PYTHONPATH", "")])},
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise SystemExit(f"{done.stdout}\n{done.stderr}".strip())
    if wrong := check.problems(work / "site"):
        raise SystemExit("\n".join(wrong))
    shutil.rmtree(site, ignore_errors=True)
    shutil.move(work / "site", site)


def main() -> None:
    """Read the command line and build."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("-o", "--output", type=Path, default=ROOT / "site")
    parser.add_argument("--serve", action="store_true")
    options = parser.parse_args()
    build(ROOT / "build" / "website", options.output)
    sys.stdout.write(f"{options.output / 'index.html'}\n")
    if options.serve:
        handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=options.output)
        with http.server.ThreadingHTTPServer(("localhost", 8000), handler) as server:
            sys.stdout.write("http://localhost:8000 shows it; Ctrl-C ends.\n")
            with contextlib.suppress(KeyboardInterrupt):
                server.serve_forever()


if __name__ == "__main__":
    main()

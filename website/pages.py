"""The pages of the site, put together: docs/ as it is, three files of the root, and the API from docstrings.

README.md becomes the first page, CONTRIBUTING.md and CHANGELOG.md pages of their own. Their links to
docs/page.md become page.md. The first ``tp.name`` in the prose of a page becomes a link to the API. A picture
on a line of its own opens when it is pressed, since a phone shows it small; where a dark one lies beside it
(``studio_dark.png``), that is shown in dark colors. No line ends between a number and its unit, or within an
option of a command.
"""

import html
import posixpath
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import api

ROOT = Path(__file__).parents[1]
FROM_ROOT = {"README.md": "index.md", "CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md"}
HIDDEN = {  # what stands beside a page, where it needs the room, or holds nothing
    "index.md": "navigation, toc",
    "get_started.md": "navigation",
    "install.md": "navigation",
    "selection.md": "toc",
    "paper.md": "toc",
    "bakeoff.md": "toc",
    "bakeoff/endtoend/README.md": "toc",
    "bakeoff/README.md": "toc",
    "performance.md": "toc",
    "reproduction/regression/README.md": "toc",
    "reproduction/runtime/README.md": "toc",
}
MESSAGE = re.compile(r"^(`[^`]+`)$", re.MULTILINE)  # a line of code alone: an error message
MENTION = re.compile(r"(?<!\[)`tp\.(\w+)(?:\([^`]*\))?`(?!\])")
WHOLE = re.compile(r"(!?\[[^\[\]]*\]\([^()\s]*\))")  # a link or a picture, from its first bracket to its last
LINK = re.compile(r"(?P<text>!?\[[^\]]*\])\((?P<path>[^)#\s:]+)(?P<anchor>#[^)\s]*)?\)")

CODE = re.compile(r"(?<!`)(`[^`]+`)(?![`{])")  # in a line; a message has attributes behind it
OPTION = re.compile(r"(?<![^\s=])-{1,2}[a-z][\w-]*")
RANGE = re.compile(r"\d[\d.]*(?:e-\d+)?\xa0?%?(?: ± |–)\d[\d.]*(?:e-\d+)?(?:\xa0%)?")
UNIT = re.compile(r"(?<=\d) (?=(?:%|[kMG]i?B|m?s|°C|times)(?![\w/]))")
FIGURE = re.compile(r"^(?P<shown>!\[[^\]]*\])\((?P<path>[^)\s]+)\)$")  # a line of its own


def put_together(target: Path) -> None:
    """Write all pages, pictures and tables of the site into the folder ``target``."""
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(ROOT / "docs", target)
    shutil.copytree(ROOT / "website" / "theme", target / "theme")
    for name, page in FROM_ROOT.items():
        shutil.copy(ROOT / name, target / page)
    entries = api.write_pages(target / "api")
    for page in target.rglob("*.md"):
        if page.parent.name != "api":
            page.write_text(_written(page.read_text(), page.relative_to(target).as_posix(), entries))


def _written(text: str, page: str, entries: dict[str, str]) -> str:
    """A page as the site has it, from what is stored."""
    if page == "howto/troubleshooting.md":
        text = MESSAGE.sub(r"\1{ .message }", text)
    text = _outside_fences(text, _at_home(page))
    text = _outside_fences(text, _mentions(entries, "../" * page.count("/")))
    text = _outside_fences(text, _figures(page))
    text = _outside_fences(text, _unbroken)
    return f"---\nhide: [{HIDDEN[page]}]\n---\n\n{text}" if page in HIDDEN else text


def _at_home(page: str) -> Callable[[str], str]:
    """A function that lets the links of a line lead to pages of the site; others become plain text."""
    stored = next((name for name, of in FROM_ROOT.items() if of == page), f"docs/{page}")

    def moved(found: re.Match[str]) -> str:
        there = posixpath.normpath(posixpath.join(posixpath.dirname(stored), found["path"]))
        if there not in FROM_ROOT and not there.startswith("docs/"):
            return found["text"].strip("![]")
        path = posixpath.relpath(
            FROM_ROOT.get(there, there.removeprefix("docs/")), posixpath.dirname(page) or "."
        )
        return f"{found['text']}({path}{found['anchor'] or ''})"

    return lambda line: LINK.sub(moved, line)


def _figures(page: str) -> Callable[[str], str]:
    """A function that lets a picture on a line of its own open, and shows its dark twin in dark colors."""

    def link(found: re.Match[str]) -> str:
        light = Path(found["path"])
        dark = light.with_stem(f"{light.stem}_dark")
        if not (ROOT / "docs" / page).parent.joinpath(dark).exists():
            return f"[{found[0]}]({light})"
        both = ((light, "light"), (dark, "dark"))
        return " ".join(f"[{found['shown']}({path}#only-{colors})]({path})" for path, colors in both)

    return lambda line: FIGURE.sub(link, line)


def _mentions(entries: dict[str, str], up: str) -> Callable[[str], str]:
    """A function that links the first mention of every public name, for lines given in their order."""
    linked = set()

    def link(found: re.Match[str]) -> str:
        name = found[1]
        if name not in entries or name in linked:
            return found[0]
        linked.add(name)
        return f"[{found[0]}]({up}api/{entries[name]})"

    def line(text: str) -> str:
        # Headings stay as they are, and so do links that hold code, and lines of which a link is only a part.
        parts = WHOLE.split(text)
        if text.startswith(("#", "    ")) or ("](" in text and re.search(r"[\[\]]", "".join(parts[::2]))):
            return text
        return "".join(part if i % 2 else MENTION.sub(link, part) for i, part in enumerate(parts))

    return line


def _unbroken(line: str) -> str:
    """A line whose options, quantities and ranges stay whole where a browser ends the line."""
    parts = CODE.split(line)
    for i, part in enumerate(parts):
        if i % 2 and OPTION.search(part[1:-1]):
            options = OPTION.sub(r'<span class="whole">\g<0></span>', html.escape(part[1:-1], quote=False))
            parts[i] = f"<code>{options}</code>"
        elif i % 2 == 0 and not line.startswith("#"):
            parts[i] = RANGE.sub(r'<span class="whole">\g<0></span>', UNIT.sub("\N{NO-BREAK SPACE}", part))
    return "".join(parts)


def _outside_fences(text: str, change: Callable[[str], str]) -> str:
    lines, fenced = [], False
    for line in text.split("\n"):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        lines.append(line if fenced else change(line))
    return "\n".join(lines)

"""The pages of the site, put together: docs/ as it is, three files of the root, and the API from docstrings.

README.md becomes the first page, CONTRIBUTING.md and CHANGELOG.md pages of their own. Their links to
docs/page.md become page.md. The first ``tp.name`` in the prose of a page becomes a link to the API.
"""

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import api

ROOT = Path(__file__).parents[1]
FROM_ROOT = {"README.md": "index.md", "CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md"}
HIDDEN = {
    "index.md": "navigation, toc",
    "paper.md": "toc",
}  # what stands beside a page, where it needs the room
MESSAGE = re.compile(r"^(`[^`]+`)$", re.MULTILINE)  # a line of code alone: an error message
MENTION = re.compile(r"(?<!\[)`tp\.(\w+)(?:\([^`]*\))?`(?!\])")
LINK = re.compile(r"(\]\()([^)#\s]+)(#[^)\s]*)?(\))")


def put_together(target: Path) -> None:
    """Write all pages, pictures and tables of the site into the folder ``target``."""
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(ROOT / "docs", target)
    shutil.copytree(ROOT / "website" / "theme", target / "theme")
    for name, page in FROM_ROOT.items():
        (target / page).write_text(_at_home((ROOT / name).read_text()))
    for page, hidden in HIDDEN.items():
        (target / page).write_text(f"---\nhide: [{hidden}]\n---\n\n{(target / page).read_text()}")
    messages = target / "howto" / "troubleshooting.md"
    messages.write_text(MESSAGE.sub(r"\1{ .message }", messages.read_text()))
    entries = api.write_pages(target / "api")
    for page in target.rglob("*.md"):
        if page.parent.name != "api":
            text = page.read_text()
            linked = _outside_fences(
                text, _mentions(entries, "../" * (len(page.relative_to(target).parts) - 1))
            )
            page.write_text(linked)


def _at_home(text: str) -> str:
    """A page of the root, as it reads among those of docs/."""

    def moved(found: re.Match[str]) -> str:
        path = FROM_ROOT.get(found[2], found[2].removeprefix("docs/"))
        return f"{found[1]}{path}{found[3] or ''}{found[4]}"

    return LINK.sub(moved, text)


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
        # Headings stay as they are, and so do lines whose links already hold code.
        return text if text.startswith(("#", "    ", "|")) or "](" in text else MENTION.sub(link, text)

    return line


def _outside_fences(text: str, change: Callable[[str], str]) -> str:
    lines, fenced = [], False
    for line in text.split("\n"):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        lines.append(line if fenced else change(line))
    return "\n".join(lines)

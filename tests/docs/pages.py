"""The pages of the documentation, and the blocks in them that a reader would run.

A block that cannot be run here has the line ``<!-- not run: WHY -->`` before its fence. Nothing else keeps
a block from being run.
"""

import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
]
# Pages of examples are made by running their scripts, which tests/test_examples.py does again.
WRITTEN = [page for page in PAGES if page.parent.name != "examples"]

_FENCE = re.compile(
    r"^(?:<!-- not run: (?P<why>[^\n]*?) -->\n)?```(?P<kind>\w*)\n(?P<text>.*?)^```", re.DOTALL | re.MULTILINE
)


class Block(NamedTuple):
    """``why`` says why it is not run, and is empty if it is."""

    kind: str
    text: str
    why: str


def blocks(page: Path, *kinds: str) -> list[Block]:
    found = [Block(m["kind"], m["text"], m["why"] or "") for m in _FENCE.finditer(page.read_text())]
    return [block for block in found if not kinds or block.kind in kinds]


def prose(page: Path) -> str:
    """The page without its fenced blocks."""
    return _FENCE.sub("", page.read_text())


def path_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()

"""What is wrong with a built site: links and anchors that lead nowhere, and things from other hosts."""

import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "video": "src", "object": "data"}
ELSEWHERE = re.compile(r"""(?:@import\s+|url\()\s*["']?(?:https?:)?//[^"')\s]+""")


class Page(HTMLParser):
    """The anchors of a page, its links, and what a browser loads for it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: set[str] = set()
        self.loaded: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what the tag names, links to or loads."""
        found = {name: value or "" for name, value in attrs}
        self.anchors.update(found[name] for name in ("id", "name") if name in found)
        if tag == "a" and "href" in found:
            self.links.add(found["href"])
        elif tag == "link" and "href" in found and found.get("rel") != "canonical":
            self.loaded.add(found["href"])
        elif tag in LOADED and LOADED[tag] in found:
            self.loaded.add(found[LOADED[tag]])


def problems(site: Path) -> list[str]:
    """One line for each link, anchor or file that is missing, and for each thing loaded from another host."""
    pages = {path: Page(path.read_text()) for path in sorted(site.rglob("*.html"))}
    found = []
    for path, page in pages.items():
        name = path.relative_to(site)
        if path.name == "404.html":
            continue  # its links begin at the root of a host
        for target in sorted(page.links | page.loaded):
            parts = urlsplit(target)
            if parts.scheme == "data" or (parts.scheme and target not in page.loaded):
                continue
            if parts.netloc:
                found.append(f"{name} loads {target}")
                continue
            file = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if file.is_dir():
                file /= "index.html"
            if not file.exists():
                found.append(f"{name} links to {target}, which does not exist")
            elif parts.fragment and file in pages and unquote(parts.fragment) not in pages[file].anchors:
                found.append(f"{name} links to {target}, which has no such anchor")
    for path in sorted(site.rglob("*.css")):
        found += [f"{path.relative_to(site)} loads {text}" for text in ELSEWHERE.findall(path.read_text())]
    return found

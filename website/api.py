"""The API pages, one for each room, made from signatures and docstrings.

A page holds the names of ``trigpoint.__all__`` that live in the room, then the other names that the room
exports, for those who build on it. ``public_names`` is what a reader may expect to find: the tests compare it
with the pages.
"""

import dataclasses
import functools
import importlib
import inspect
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import trigpoint

SECTIONS = (
    "Parameters",
    "Returns",
    "Attributes",
    "Raises",
    "Yields",
    "Warns",
    "Notes",
    "See Also",
    "Examples",
)
ITEMS = ("Parameters", "Returns", "Attributes", "Raises", "Yields", "Warns", "See Also")
FILES = re.compile(r"^_\w+[*,]? .*\n(?:.+\n?)*", re.MULTILINE)  # what the private files of a room hold
NAMES = re.compile(r"(?:[a-z][\w.]*|X\w*)(?:, (?:[a-z][\w.]*|X\w*))*(?<!self)")  # and no words
MADE = re.compile(r"<(?:function|class|object|factory)[^>]*>")  # a default that Python does not spell
# The way that data takes, then what serves it.
ROOMS = (
    *("views", "graph", "alignment", "selection", "propagation", "prediction", "bound"),
    *("estimators", "learner", "annotators", "checks", "comparison", "io", "features", "storage"),
    *("distributed", "datasets", "dictionary", "studio", "report", "plots", "trials", "experiments"),
)
DOCS = Path(__file__).parents[1] / "docs"
EVERYWHERE = "everywhere"  # the page of names that belong to no room
GUIDES = {  # the page that explains a room, where it has another name
    "checks": "check.md",
    "comparison": "compare.md",
    "io": "files.md",
    "features": "tables.md",
    "storage": "graph.md#on-disk",
    "experiments": "reproduction.md",
    EVERYWHERE: "howto/troubleshooting.md",
}


def public_names() -> dict[str, tuple[list[str], list[str]]]:
    """For every page: the names of ``tp`` on it, and the other names that the room exports."""
    pages: dict[str, tuple[list[str], list[str]]] = {}
    for room in ROOMS:
        module = importlib.import_module(f"trigpoint.{room}")
        exported = sorted(module.__all__, key=_first_functions)
        main = [name for name in exported if getattr(trigpoint, name, None) is getattr(module, name)]
        pages[room] = main, [name for name in exported if name not in main]
    placed = {name for main, _ in pages.values() for name in main}
    pages[EVERYWHERE] = [name for name in trigpoint.__all__ if name not in placed], []
    return pages


def write_pages(folder: Path) -> dict[str, str]:
    """Write the pages into ``folder``; returns where each name of ``tp`` is, as ``page.md#anchor``."""
    folder.mkdir(parents=True)
    pages = public_names()
    for room, (main, others) in pages.items():
        (folder / f"{room}.md").write_text(_page(room, main, others))
    (folder / "index.md").write_text(_index(pages))
    return _places()


def _first_functions(name: str) -> tuple[int, str]:
    return (name.isupper(), name[0].isupper(), name.lower())  # type: ignore[return-value]


def _index(pages: dict[str, tuple[list[str], list[str]]]) -> str:
    lines = [
        "# API",
        "",
        "`import trigpoint as tp`. These are all names of `tp`, in the order in which data passes through",
        "them. Each links to its parameters, what it returns, what it costs, and an example that the tests",
        "run. `help(tp.select)` shows the same text.",
        "",
    ]
    for room, (main, _) in pages.items():
        if main:
            lines += [f"**[{_title(room)}]({room}.md)**", "", "| name | what it does |", "|---|---|"]
            lines += [
                f"| [`tp.{name}`]({room}.md#tp.{name}) | {_summary(getattr(trigpoint, name))} |"
                for name in main
            ]
            lines.append("")
    rest = ", ".join(f"[{_title(room)}]({room}.md)" for room, (main, _) in pages.items() if not main)
    lines += [f"Rooms whose names are used as `tp.datasets.load_digits`: {rest}.", ""]
    return "\n".join(lines)


def _title(room: str) -> str:
    return "Errors, warnings, progress" if room == EVERYWHERE else f"`tp.{room}`"


def _page(room: str, main: list[str], others: list[str]) -> str:
    parts = [f"# {_title(room)}"]
    module = trigpoint if room == EVERYWHERE else importlib.import_module(f"trigpoint.{room}")
    if room != EVERYWHERE:
        parts.append(_prose(FILES.sub("", inspect.getdoc(module) or "")))
    guide = GUIDES.get(room, f"{room}.md")
    if (DOCS / guide.partition("#")[0]).exists():
        parts.append(f"[How to use it](../{guide}), with examples.")
    parts += [_entry(f"tp.{name}", getattr(module, name)) for name in main]
    things = {f"tp.{room}.{name}": getattr(module, name) for name in others}
    explained = {name: thing for name, thing in things.items() if _explained(thing)}
    if main and explained:
        parts.append(f"## More of `tp.{room}`")
    parts += [_entry(name, thing) for name, thing in explained.items()]
    parts += _internal({name: thing for name, thing in things.items() if name not in explained})
    return "\n\n".join(parts) + "\n"


def _explained(thing: Any) -> bool:
    """Whether its docstring tells more than what it is."""
    return callable(thing) and len(_sections(inspect.getdoc(thing) or "")) > 1


def _internal(things: dict[str, Any]) -> list[str]:
    """What other rooms use, in a line each, folded away."""
    if not things:
        return []
    lines = [f"- `{name}`{{ #{name} }}: {_told(thing)}" for name, thing in things.items()]
    title = f"{len(things)} more name{'s' if len(things) > 1 else ''}, which other rooms use"
    body = "\n".join(lines)
    return [f'<details markdown="1">\n<summary>{title}</summary>\n\n{body}\n\n</details>']


def _told(thing: Any) -> str:
    """What a name is, in a line: its docstring is none of its own where Python wrote it."""
    if isinstance(thing, Mapping) and not isinstance(thing, dict):
        return f"A mapping, whose keys are `{_short(list(thing))}`."
    if isinstance(thing, type(list[int]) | type(int | str)):
        return f"A type: `{_short(thing)}`."
    if not callable(thing):
        return f"A constant: `{_short(thing)}`."
    if dataclasses.is_dataclass(thing) and (inspect.getdoc(thing) or "").startswith(f"{thing.__name__}("):
        return f"A record: {', '.join(f'`{field.name}`' for field in dataclasses.fields(thing))}."
    return _summary(thing) or f"`{thing.__name__}{_signature(thing)}`".replace("\n", " ")


def _entry(name: str, thing: Any) -> str:
    heading = f"## `{name}` {{ #{name} }}"
    if not callable(thing) or isinstance(thing, type(int | str)):
        return f"{heading}\n\nA constant: `{_short(thing)}`."
    call = f"{name}{_signature(thing, room=min(89, 106 - len(name)))}"
    parts = [heading, f"```python\n{call}\n```", _docstring(thing)]
    if inspect.isclass(thing):
        parts += [_method(name, method, found) for method, found in _methods(thing)]
    return "\n\n".join(part for part in parts if part)


def _short(thing: Any) -> str:
    text = repr(thing).replace("`", "'").replace("\n", " ")
    return text if len(text) <= 200 else f"{text[:200]} …"


def _methods(cls: type) -> list[tuple[str, Any]]:
    """Public methods and properties that the class itself, or another class of ours, defines."""
    found = {}
    for base in reversed(cls.__mro__):
        if base.__module__.startswith("trigpoint"):
            found.update({k: v for k, v in vars(base).items() if not k.startswith("_")})
    return [(k, v) for k, v in found.items() if inspect.getdoc(v) and (_called(v) or isinstance(v, property))]


def _called(thing: Any) -> bool:
    return inspect.isfunction(thing) or isinstance(thing, classmethod | staticmethod)


def _method(owner: str, name: str, thing: Any) -> str:
    function = getattr(thing, "__func__", thing)
    parts = [f"### `{name}` {{ #{owner}.{name} }}"]
    if _called(thing):
        call = f"{name}{_signature(function, bound=not isinstance(thing, staticmethod))}"
        parts.append(f"```python\n{call}\n```")
    return "\n\n".join([*parts, _docstring(thing)])


def _signature(thing: Any, bound: bool = False, room: int = 89) -> str:
    """The parameters with their defaults, folded if longer than ``room``; types are told by the docstring."""
    try:
        signature = inspect.signature(thing)
    except (TypeError, ValueError):
        return "(...)"
    kept = [p.replace(annotation=p.empty) for p in signature.parameters.values()][bound:]
    kept = [p for p in kept if not p.name.startswith("_")]
    text = str(inspect.Signature(kept))
    return MADE.sub("...", text if len(text) <= room else _folded(kept))


def _folded(parameters: list[inspect.Parameter]) -> str:
    lines, star = [], False
    for p in parameters:
        if p.kind is p.KEYWORD_ONLY and not star:
            lines.append("*,")
        star = star or p.kind in (p.KEYWORD_ONLY, p.VAR_POSITIONAL)
        lines.append(f"{p},")
    return "(\n    " + "\n    ".join(lines) + "\n)"


def _summary(thing: Any) -> str:
    return _inline((inspect.getdoc(thing) or "").split("\n\n")[0].replace("\n", " ")).replace("|", "\\|")


def _docstring(thing: Any) -> str:
    """A docstring in the numpy form, as Markdown."""
    parts = []
    for title, text in _sections(inspect.getdoc(thing) or ""):
        if title:
            parts.append(f"**{title}**")
        if title in ITEMS:
            whole = _whole(text) if title in ("Returns", "Yields") else text
            parts.append(_items(whole, _linked if title == "See Also" else "`{}`".format))
        else:
            parts.append(_prose(text))
    return "\n\n".join(part for part in parts if part)


def _sections(text: str) -> list[tuple[str, str]]:
    lines = text.split("\n")
    found: list[tuple[str, list[str]]] = [("", [])]
    skip = False
    for line, under in zip(lines, [*lines[1:], ""], strict=True):
        if skip:
            skip = False
        elif line in SECTIONS and under.startswith("---"):
            found.append((line, []))
            skip = True
        else:
            found[-1][1].append(line)
    return [(title, "\n".join(body).strip("\n")) for title, body in found]


def _items(text: str, named: Callable[[str], str]) -> str:
    """``name : what it is``, with further words indented below, as a list."""
    items: list[tuple[str, list[str]]] = []
    for line in text.split("\n"):
        if line and not line.startswith(" "):
            items.append((line, []))
        elif items:
            items[-1][1].append(line.strip())
    lines = []
    for head, more in items:
        name, colon, rest = head.partition(" : ")
        names = ", ".join(map(named, name.split(", ")))
        what = f"{names}: {_inline(rest)}" if colon else names if NAMES.fullmatch(head) else _inline(head)
        told = _inline(" ".join(word for word in more if word))
        between = " " if rest and _goes_on(head, told) else "<br>"
        lines.append(f"- {what}{between}{told}" if told else f"- {what}")
    return "\n".join(lines)


def _goes_on(head: str, told: str) -> bool:
    """Whether the words below are the rest of the sentence above, which did not fit into its line."""
    full = len(head) > 75 and not head.endswith(("optional", "."))
    return told[:1].islower() or (full and told.startswith(("(", '"', "None", "NaN")))


def _whole(text: str) -> str:
    """What is returned, with a sentence of several lines in one, and what follows a blank line below it."""
    lines: list[str] = []
    for line in text.split("\n"):
        plain = line and not line.startswith(" ") and " : " not in line
        if plain and "" in lines:
            lines.append(f"    {line}")
        elif plain and lines and not lines[-1].startswith(" ") and " : " not in lines[-1]:
            lines[-1] += f" {line}"
        else:
            lines.append(line)
    return "\n".join(lines)


def _linked(name: str) -> str:
    """A link, where it is a name of ``tp`` or of a room."""
    path = name.removeprefix("trigpoint.")
    place = _places().get(path) or _places_in_rooms().get(path)
    return f"[`tp.{path}`]({place})" if place else f"`{name}`"


@functools.cache
def _places() -> dict[str, str]:
    return {name: f"{room}.md#tp.{name}" for room, (main, _) in public_names().items() for name in main}


@functools.cache
def _places_in_rooms() -> dict[str, str]:
    rooms = public_names().items()
    return {f"{room}.{name}": f"{room}.md#tp.{room}.{name}" for room, (_, others) in rooms for name in others}


def _prose(text: str) -> str:
    """Paragraphs; examples become fences, and indented lines stay as they are."""
    blocks = []
    for block in re.split(r"\n{2,}", text.strip("\n")):
        if block.lstrip().startswith(">>>"):
            blocks.append(f"```pycon\n{inspect.cleandoc(block)}\n```")
        elif block.startswith("    "):
            blocks.append(block)
        else:
            blocks.append(
                "\n".join(line if line.startswith("    ") else _inline(line) for line in block.split("\n"))
            )
    return "\n\n".join(blocks)


def _inline(text: str) -> str:
    """Text of a docstring with nothing that Markdown would read as markup, but for code."""
    parts = re.split(r"(``.+?``|`[^`]+`)", text)
    return "".join(f"`{part.strip('`')}`" if part.startswith("`") else _escaped(part) for part in parts)


def _escaped(text: str) -> str:
    """Pages that a docstring names become links, and *words* between stars stay as Markdown reads them."""
    plain = re.sub(r"([*_\[\]])", r"\\\1", text.replace("<", "&lt;"))
    plain = re.sub(r"(?<!\w)\\\*(\w[\w ]*)\\\*(?!\w)", r"*\1*", plain)
    return re.sub(r"docs/([\w/]+)\.md", r"[docs/\1.md](../\1.md)", plain)

"""Options from a TOML file: one table per command, with the names of its options as keys.

    [select]
    budget = 100
    method = "gcls"
    option = { strategy = "two_candidates" }    # --option strategy=two_candidates
    [graph.build]
    neighbors = 20

What the command line says wins. Paths are taken from where the command runs, as if typed there.
"""

import json
import tomllib
from pathlib import Path
from typing import Any

import typer

from trigpoint._errors import InputError


def load_config(context: typer.Context, path: Path | None) -> Path | None:
    """Make the file's values the defaults of the command (before any other option is looked at)."""
    if path is None or context.resilient_parsing:
        return path
    content = _read(path)
    for group in _groups(context):
        commands = sorted(group.command.commands)  # type: ignore[attr-defined]
        for name, table in content.items():
            if name not in commands or not isinstance(table, dict):
                raise InputError(path, f"must hold tables of commands ({', '.join(commands)})", repr(name))
        content = content.get(_below(context, group), {})
    name = str(context.info_name)
    options = _options(context)
    found = {}
    for key, value in content.items():
        option = options.get(key.replace("_", "-"))
        if option is None:
            raise InputError(
                f"{path}: {key!r}", f"is not an option of {name}, whose options are: {', '.join(options)}"
            )
        found[option.name] = _as_typed(value, option, f"{path}: {key} of {name}")
    context.default_map = {**(context.default_map or {}), **found}
    return path


def _groups(context: typer.Context) -> list[typer.Context]:
    """The groups that a command is in, the outermost first."""
    return [] if context.parent is None else [*_groups(context.parent), context.parent]  # type: ignore[arg-type, list-item]


def _below(context: typer.Context, group: typer.Context) -> str:
    """The name of the command, or of the group that it is in, within a group."""
    while context.parent is not group:
        context = context.parent  # type: ignore[assignment]
    return str(context.info_name)


def _read(path: Path) -> dict[str, Any]:
    if path.is_dir():
        raise IsADirectoryError(f"{path} must be a TOML file; it is a folder.")
    if not path.exists():
        raise FileNotFoundError(f"{path} must be a TOML file that exists; there is none.")
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except ValueError as error:  # of TOML or of UTF-8
        raise InputError(path, f"must be TOML; {error}") from None


def _options(context: typer.Context) -> dict[str, Any]:
    """{"id-column": the option, ...}, but for --config and --help, which mean nothing in a file."""
    found = {}
    for option in context.command.params:
        names = [name.removeprefix("--") for name in option.opts if name.startswith("--")]
        if names and names[0] not in ("config", "help"):
            found[names[0]] = option
    return found


def _as_typed(value: Any, option: Any, place: str) -> bool | str | list[str]:
    """A value as the command line would give it."""
    if getattr(option, "is_flag", False):
        if not isinstance(value, bool):
            raise InputError(place, "must be true or false", repr(value))
        return value
    if option.multiple:
        if isinstance(value, dict):
            return [f"{key}={json.dumps(item)}" for key, item in value.items()]
        return [_text(item, place) for item in (value if isinstance(value, list) else [value])]
    return _text(value, place)


def _text(value: Any, place: str) -> str:
    if not isinstance(value, str | int | float) or isinstance(value, bool):
        raise InputError(place, "must be text or a number", repr(value))
    return str(value)

"""trigpoint studio FOLDER, where the folder holds studios: the page that lists them."""

import csv
import io
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import typer

from trigpoint._errors import InputError
from trigpoint.cli._errors import tell
from trigpoint.studio import Hub, bind, serve_hub, stores_in, usual_port

OWN = ("source", "host", "port", "allow_remote", "no_browser", "config")  # options of the page itself


def run_hub(
    folder: Path, given: Sequence[str], host: str, port: int | None, *, browser: bool, as_json: bool
) -> None:
    """List the studios of a folder until Ctrl-C; ``given`` are the options that the user spelled out."""
    _check_options(folder, given)
    remote = "allow_remote" in given

    def command(pool: Path, store: Path, options: Mapping[str, Any]) -> list[str]:
        place = [f"--store={store}", f"--host={host}", *(["--allow-remote"] if remote else [])]
        words = [str(pool), *place, *reading_words(options), "--no-browser", "--json"]
        return [sys.executable, "-m", "trigpoint.cli", "studio", *words]

    def announce(url: str) -> None:
        if as_json:
            from trigpoint.cli._output import print_json

            print_json({"url": url, "folder": str(folder.absolute())})
            return
        typer.echo(url)
        n = len(stores_in(folder))
        holds = f"{folder} holds {n} studio{'s' * (n != 1)}"
        tell(f"{holds}: open this link to choose one; Ctrl-C ends all that were opened there.")

    with bind(host, port, usual_port(folder)) as listener:
        serve_hub(Hub(folder, command), listener, host, announce=announce, browser=browser)


def _check_options(folder: Path, given: Sequence[str]) -> None:
    wrong = [name for name in given if name not in (*OWN, "as_json", "quiet", "verbose")]
    if wrong:
        flag = f"--{wrong[0].replace('_', '-')}"
        raise InputError(
            flag,
            f"must be about one pool; {folder} holds studios, which are listed (with --store it is a pool)",
        )


def reading_words(options: Mapping[str, Any]) -> list[str]:
    """The options of reading a pool as they are typed.

    >>> reading_words({"columns": ["a", "b, c"], "image_size": [28, 20], "graph": False, "color": True})
    ['--columns=a,"b, c"', '--image-size=28x20', '--no-graph', '--color']
    """
    return [_word(name, value) for name, value in options.items()]


def _word(name: str, value: Any) -> str:
    flag = name.replace("_", "-")
    if isinstance(value, bool):
        return f"--{flag}" if value else f"--no-{flag}"
    if name == "image_size":
        return f"--{flag}={'x'.join(map(str, value))}"
    if isinstance(value, list):
        line = io.StringIO()
        csv.writer(line, lineterminator="").writerow(value)
        return f"--{flag}={line.getvalue()}"
    return f"--{flag}={value}"

"""The command line: parse, check everything, call the library, write.

    _app                which commands there are, one file each
    _options, _config   what a user may say, and where
    _paths              files that are read and written, looked at first
    _prepare            pool -> graph -> phi, nothing long before all is known to be well
    _progress, _output  what is seen: standard error for people, standard output for programs

Only typer is imported before a command runs; numpy and the others load inside it, so that --help is quick.
"""

import sys
from collections.abc import Sequence

from trigpoint.cli._interrupt import leave, watched_interrupt


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line: exit code 0, or 2 for bad input and 130 at Ctrl-C, with one line that says so."""
    with watched_interrupt() as interrupted:
        try:
            from trigpoint.cli._app import app

            code = app(arguments, prog_name="trigpoint", standalone_mode=False) or 0
        except BaseException as error:
            if interrupted():
                leave()
            from trigpoint.cli._errors import exit_code

            code = exit_code(error)
    sys.exit(code)

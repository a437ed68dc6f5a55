"""One benchmark in this process, for `all.py`: its figures go to a file, one JSON a line, as they are found.

    python _child.py NAME FILE [--quick]

A file that breaks off has what was found before.
"""

import importlib
import json
import sys
from pathlib import Path

from _stored import STORED

MODULES = {"dask": "dask_cluster"}  # a file dask.py would hide the package


def figures(name: str, quick: bool):
    if name in STORED:
        return STORED[name]()
    return importlib.import_module(MODULES.get(name, name)).figures(quick)


def main() -> None:
    name, file, quick = sys.argv[1], Path(sys.argv[2]), "--quick" in sys.argv[3:]
    sys.argv = sys.argv[:1]
    with file.open("w", encoding="utf-8") as out:
        for figure in figures(name, quick):
            print(figure.line(), flush=True)
            out.write(json.dumps(figure.record(), default=float) + "\n")
            out.flush()


if __name__ == "__main__":
    main()

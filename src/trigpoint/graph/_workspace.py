"""Where a long search keeps its arrays: in memory, or in files that outlive the process.

In a folder, arrays are memory maps, and `done` tells which steps were finished. They are forced to disk
before a step counts as finished, so after a kill, or a crash of the machine, the next process goes on
after the last of these steps.
"""

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np

from trigpoint._mapped import empty_beside, take_room
from trigpoint._types import Array

STATE = "search.json"


class Workspace:
    """Named arrays, and the steps that are done. Without a folder, arrays lie beside the pool (`_mapped`)."""

    def __init__(self, folder: Path | None = None, key: str = "", pool: Any = None) -> None:
        self.folder: Path | None = folder
        self.key: str = key
        self._pool: Any = pool
        self._arrays: dict[str, Array] = {}
        self.facts: dict[str, Any] = {"key": key, "done": []}
        if folder is None:
            return
        state = self._read()
        if state is None or state["key"] != key:
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            self._write()
        else:
            self.facts = state

    @staticmethod
    def is_one(folder: Path) -> bool:
        """Whether a folder was left by a search."""
        return (folder / STATE).is_file()

    def array(self, name: str, shape: tuple[int, ...], dtype: Any) -> Array:
        """An array of this name: what it held before, or anything."""
        if self.folder is None:
            if name not in self._arrays:
                self._arrays[name] = empty_beside(self._pool, shape, dtype)
            return self._arrays[name]
        file = self.folder / f"{name}.bin"
        size = int(np.prod(shape)) * np.dtype(dtype).itemsize
        if not file.exists() or file.stat().st_size != size:
            with file.open("wb") as stream:
                take_room(stream, size, str(file))
        if name not in self._arrays:
            self._arrays[name] = np.memmap(file, dtype, "r+", shape=shape)
        return self._arrays[name]

    def drop(self, *names: str) -> None:
        """Give the room of arrays back."""
        for name in names:
            self._arrays.pop(name, None)
            if self.folder is not None:
                (self.folder / f"{name}.bin").unlink(missing_ok=True)

    def done(self, step: str) -> bool:
        return step in self.facts["done"]

    def finish(self, step: str, **facts: Any) -> None:
        """A step is done; ``facts`` are numbers to remember."""
        self.facts |= facts
        self.facts["done"].append(step)
        if self.folder is not None:
            for array in self._arrays.values():
                if isinstance(array, np.memmap):
                    array.flush()
            self._write()

    def close(self) -> None:
        """The work is over: nothing of it is needed any more."""
        self._arrays.clear()
        if self.folder is not None:
            shutil.rmtree(self.folder, ignore_errors=True)

    def _read(self) -> dict[str, Any] | None:
        assert self.folder is not None
        try:
            state = json.loads((self.folder / STATE).read_text())
            return state if isinstance(state, dict) and {"key", "done"} <= set(state) else None
        except (OSError, ValueError):
            return None

    def _write(self) -> None:
        assert self.folder is not None
        part = self.folder / f"{STATE}.part"
        part.write_text(json.dumps(self.facts))
        part.replace(self.folder / STATE)

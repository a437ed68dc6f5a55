"""A folder for each class, with a link to each of its pictures, in a tar file.

    classes/labels/cat/x.png     -> ../../../photos/x.png    what people say
    classes/predicted/dog/y.png  -> ../../../photos/y.png    predictions that are at least 90 % sure
    classes/folders.csv                                      the class of each folder

The links are relative: unpacked beside the folder of pictures, they lead to them, on any machine. The
pictures of an IDX file are in the tar file themselves. Folders have names that all systems can hold, and
distinct ones also where case does not count.
"""

import csv
import io
import re
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from trigpoint.io import Samples, atomic_path, content, guarded, paced, png_bytes
from trigpoint.studio._export_values import NothingYetError, class_names, predicted_values
from trigpoint.studio._messages import Predictions
from trigpoint.studio._state import State

SURE = 0.9  # the least probability of a prediction that gets a link
ROOT = "classes"
RISKY = re.compile(r'[<>:"/\\|?*\x00-\x1f\x7f]')
TAKEN = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)  # names of devices on Windows
LONGEST = 100  # bytes of the name of a folder


def write_class_folders(path: Path, samples: Samples, state: State, predictions: Predictions | None) -> None:
    if samples.kind != "images" or state.settings.regresses:
        raise NothingYetError("folders of classes are for pictures with classes: this studio has others.")
    folders = Names()
    with atomic_path(path) as part, tarfile.open(part, "w", format=tarfile.PAX_FORMAT) as archive:
        for group, name, i in paced(_members(samples, state, predictions)):
            _add(archive, f"{ROOT}/{group}", folders(group, name), samples, i, folders)
        rows = sorted((group, folder, name) for (group, name), folder in folders.given.items() if name)
        _add_bytes(archive, f"{ROOT}/folders.csv", _table(rows))


def _members(
    samples: Samples, state: State, predictions: Predictions | None
) -> Iterator[tuple[str, str, int]]:
    """(labels or predicted, class, sample)"""
    labels = dict(state.labels)
    for i, value in labels.items():
        yield from (("labels", name, i) for name in class_names(value))
    guesses = predicted_values(state, predictions)
    for i in range(samples.n_samples):
        guess = None if i in labels else guesses(i)
        if guess is not None and guess.probability is not None and round(guess.probability, 6) >= SURE:
            yield from (("predicted", name, i) for name in class_names(guess.value))


class Names:
    """Safe names, each given once in its folder."""

    def __init__(self) -> None:
        self.given: dict[tuple[str, str], str] = {}
        self._taken: set[tuple[str, str]] = set()

    def __call__(self, group: str, name: str) -> str:
        if (group, name) not in self.given:
            self.given[group, name] = self.free(group, safe_name(name))
        return self.given[group, name]

    def free(self, folder: str, name: str) -> str:
        """The name, with a number where something is called so already."""
        stem, dot, end = name.rpartition(".") if "." in name else (name, "", "")
        found, count = name, 1
        while (folder, found.casefold()) in self._taken:
            count += 1
            found = f"{stem} ({count}){dot}{end}"
        self._taken.add((folder, found.casefold()))
        return found


def safe_name(name: str) -> str:
    """A name that a folder can have on any system.

    >>> [safe_name(name) for name in ("cat", "a/b", "..", "CON", "x. ", "")]
    ['cat', 'a_b', '_', 'CON_', 'x', '_']
    """
    found = RISKY.sub("_", name).encode()[:LONGEST].decode(errors="ignore").strip().strip(".").strip()
    found = found or "_"
    return f"{found}_" if TAKEN.fullmatch(found) else found


def _add(archive: tarfile.TarFile, place: str, folder: str, samples: Samples, i: int, names: Names) -> None:
    shown = content(samples, i)
    inside = f"{place}/{folder}"
    if "pixels" in shown:
        _add_bytes(
            archive,
            f"{inside}/{names.free(inside, safe_name(shown['id']) + '.png')}",
            png_bytes(shown["pixels"]),
        )
        return
    link = tarfile.TarInfo(f"{inside}/{names.free(inside, shown['id'].replace('/', '__'))}")
    link.type = tarfile.SYMTYPE
    link.linkname = f"../../../{_folder_name(samples)}/{shown['id']}"
    archive.addfile(link)


def _folder_name(samples: Samples) -> str:
    path = samples.path.absolute()
    return (path.resolve() if path.name == ".." else path).name


def _add_bytes(archive: tarfile.TarFile, name: str, data: bytes) -> None:
    info = tarfile.TarInfo(name)
    info.size = len(data)
    archive.addfile(info, io.BytesIO(data))


def _table(rows: list[Any]) -> bytes:
    sink = io.StringIO(newline="")
    writer = csv.writer(sink, lineterminator="\n")
    writer.writerow(["source", "folder", "class"])
    writer.writerows([guarded(cell) for cell in row] for row in rows)
    return sink.getvalue().encode()

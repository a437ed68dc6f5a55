"""What a file looks like by its first bytes, for files whose names say something else."""

import zipfile
from pathlib import Path

from trigpoint._errors import InputError

STARTS = {
    b"PAR1": ("a Parquet file", ".parquet"),
    b"ARROW1": ("an Arrow file", ".arrow"),
    b"\xff\xff\xff\xff": ("an Arrow stream", ".arrow"),
    b"FEA1": ("a Feather file of the first version, which is not read", ""),
    b"\x93NUMPY": ("an array of numpy", ".npy"),
    b"\x1f\x8b": ("a gzipped file", ".gz"),
    b"PK\x03\x04": ("a zip archive", ".npz"),
    b"%%MatrixMarket": ("a Matrix Market file", ".mtx"),
    b"\x89PNG": ("a picture", ""),
    b"\xff\xd8\xff": ("a picture", ""),
    b"GIF8": ("a picture", ""),
    b"%PDF": ("a PDF document", ""),
    b"SQLite format 3": ("an SQLite database", ""),
    b"\x89HDF": ("an HDF5 file", ""),
    b"\xd0\xcf\x11\xe0": ("an old Excel or Word file", ""),
    b"\x28\xb5\x2f\xfd": ("a file packed by zstd", ""),
    b"version https://git-lfs": ("a pointer of Git LFS: git lfs pull brings the file", ""),
    b"BZh": ("a file packed by bzip2", ""),
    b"\xfd7zXZ": ("a file packed by xz", ""),
}
OWN = {
    "parquet": (".parquet",),
    "arrow": (".arrow", ".parquet"),  # a part may be either
    "npy": (".npy",),
    "npz": (".npz",),
    "mtx": (".mtx",),
    "idx": (".gz",),
    "safetensors": (),
    "graphml": (),
}


def looks_like(path: Path) -> tuple[str, str]:
    """What the file is, and the suffix that it should have; "" where nothing is known."""
    with path.open("rb") as stream:
        start = stream.read(64)
    for mark, (what, suffix) in STARTS.items():
        if start.startswith(mark):
            return _in_archive(path) if suffix == ".npz" else (what, suffix)
    if len(start) > 9 and start[8:9] == b"{" and 0 < int.from_bytes(start[:8], "little") < 2**32:
        return "a .safetensors file", ".safetensors"
    head = start.removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    if head.startswith((b"<graphml", b"<?xml")):
        return "an XML document", ".graphml"
    if head.startswith((b"<!doctype html", b"<html")):
        return "a web page", ""
    return "", ""


def guessed_suffix(path: Path) -> str:
    """The suffix that a file should have by its content: of a known kind, else of text.

    JSON starts with a bracket, a table has tabs, commas or semicolons in its first line; all else is lines.
    """
    what, suffix = looks_like(path)
    if what:
        return ".csv.gz" if suffix == ".gz" else suffix
    with path.open("rb") as stream:
        first = next((line.strip() for line in stream if line.strip() and line[:1] not in b"#%"), b"")
    if first.startswith(b"["):
        return ".json"
    if first.startswith(b"{"):
        return ".jsonl"
    if b"\t" in first:
        return ".tsv"
    return ".csv" if b"," in first or b";" in first else ".txt"


def _in_archive(path: Path) -> tuple[str, str]:
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
    except (zipfile.BadZipFile, OSError, NotImplementedError, ValueError):
        return "a zip archive", ".npz"
    if any(name.startswith("xl/") for name in names):
        return "an Excel workbook: save it as .csv", ""
    return ("an .npz archive", ".npz") if any(n.endswith(".npy") for n in names) else ("a zip archive", "")


def check_looks(path: Path, kind: str) -> None:
    """Refuse a file that is clearly of another kind than its name says."""
    what, suffix = looks_like(path)
    if kind == "txt" and suffix == ".graphml":
        return  # lines of XML are texts
    zipped = suffix == ".gz" and path.name.lower().endswith(".gz")
    if not what or zipped or suffix in OWN.get(kind, ()) or suffix == f".{kind}":
        return
    better = f"name it {_renamed(path, suffix)}" if suffix else "it is not read as it is"
    raise InputError(path, f"must be a .{kind} file, as its name says; it looks like {what}: {better}")


def _renamed(path: Path, suffix: str) -> str:
    return path.name + suffix if suffix == ".gz" else path.with_suffix(suffix).name

"""Pools in parts, as one memory-mapped array in the cache.

The rows of the parts stream into a folder of the cache (`storage.write_folder`), called by a hash of the
names, sizes and times of the parts. While they do, they are hashed: the fingerprint tells the content, and
not how it is cut into parts. The next reading maps the array and reads nothing.

Memory: a block. Disk: the whole pool, as float32 or float64; that there is room for it is checked first.
"""

import hashlib
import shutil
import warnings
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from trigpoint._errors import InputError
from trigpoint._progress import stage
from trigpoint._types import Array
from trigpoint.io._cache_folder import (
    SIZE_VARIABLE,
    alone,
    cache_folder,
    cache_size,
    make_folder,
    remove,
    trim,
    used,
)
from trigpoint.io._files import files_signature
from trigpoint.storage import FolderKind, Stream, open_folder, write_folder

POOL = FolderKind("pool", 1, "trigpoint.read_pool")


def joined(
    path: Path,
    parts: dict[str, Path],
    read_as: Any,
    shape: tuple[int, int],
    dtype: np.dtype[Any],
    blocks: Callable[[], Iterable[Array]],
) -> tuple[Array, str]:
    """The rows of all parts as one array, mapped, and its fingerprint.

    Parameters
    ----------
    path : the folder of the parts
    parts : its files by name; names, sizes and times tell whether anything has changed
    read_as : plain values that the rows also depend on
    shape, dtype, blocks : of the whole; its rows in order
    """

    def entry_now() -> Path:
        key = files_signature(parts, [str(path.resolve()), read_as, POOL.format, str(dtype)])
        return cache_folder() / f"pool-{key}"

    entry = entry_now()
    found = _open(entry, shape, dtype)
    if found is not None:
        return found
    with alone(entry):
        found = _open(entry, shape, dtype)  # another one may have made it
        if found is not None:
            return found
        _check_room(path, entry, shape, dtype)
        digest = hashlib.blake2b(f"{dtype} {shape}".encode(), digest_size=16)
        told = Stream(dtype, shape, _hashed(blocks(), digest, shape[0]))
        remove(entry)  # damaged, if there is any
        write_folder(entry, POOL, lambda: {"fingerprint": digest.hexdigest(), "from": str(path)}, {"X": told})
        if entry_now() != entry:
            remove(entry)
            raise InputError(path, "must not change while it is read")
        trim(entry)
        found = _open(entry, shape, dtype)
    if found is None:
        raise OSError(f"{entry} must be a folder of the cache that can be read; it is not.")
    return found


def _open(entry: Path, shape: tuple[int, int], dtype: np.dtype[Any]) -> tuple[Array, str] | None:
    """The array and the fingerprint of an entry; None where there is none, or none to be trusted."""
    try:
        about, arrays = open_folder(entry, POOL)
        X, fingerprint = arrays["X"], about["fingerprint"]
    except Exception:  # not there, or whatever damage does
        return None
    used(entry)
    return (X, str(fingerprint)) if X.shape == shape and X.dtype == dtype else None


def _check_room(path: Path, entry: Path, shape: tuple[int, int], dtype: np.dtype[Any]) -> None:
    n_bytes = shape[0] * shape[1] * dtype.itemsize
    folder = entry.parent
    make_folder(folder)
    free, hint = shutil.disk_usage(folder).free, "TRIGPOINT_CACHE names another folder"
    if n_bytes > free:
        rule = f"must have room for the {n_bytes:,} bytes of {path}, which is joined in it; {hint}"
        raise InputError(folder, rule, f"{free:,} free")
    if n_bytes > cache_size() // 2:
        said = f"{path} takes {n_bytes:,} bytes of the cache, more than half of its largest size"
        warnings.warn(
            f"{said}; set {SIZE_VARIABLE} to more, or the pool and its graphs will push each other out.",
            UserWarning,
            stacklevel=2,
        )


def _hashed(blocks: Iterable[Array], digest: Any, n: int) -> Iterator[Array]:
    with stage("rows joined", n) as told:
        for block in blocks:
            whole = np.ascontiguousarray(block)
            digest.update(memoryview(whole.reshape(-1).view(np.uint8)))  # type: ignore[arg-type]
            yield whole
            told.advance(len(whole))

"""Arrays in .safetensors: 8 bytes with the size N of the header, N bytes of JSON, then the data.

The header says of each tensor its type, its shape and where its bytes lie, from the end of the header on:

    {"X": {"dtype": "F32", "shape": [4, 2], "data_offsets": [0, 32]}, "__metadata__": {...}}

Nothing in it is believed before it fits: the header lies in the file and is small, every tensor has as many
bytes as its shape and type say, none overlap, and together they are all the data there are. The one array
that is asked for is mapped, and not loaded. BF16, the upper half of a float32, becomes float32.
"""

import json
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from trigpoint._errors import InputError
from trigpoint._types import Array
from trigpoint.io._files import reading
from trigpoint.io._table import check_column, listed

LARGEST = 2**22  # bytes of a header: some forty thousand tensors
TYPES = {
    **{f"F{8 * size}": f"<f{size}" for size in (2, 4, 8)},
    **{f"{sign.upper()}{8 * size}": f"<{sign}{size}" for sign in "iu" for size in (1, 2, 4, 8)},
    "BF16": "<u2",
    "BOOL": "|b1",
}
UNREAD = ("C64", "F4", "F6_E2M3", "F6_E3M2", "F8_E4M3", "F8_E4M3FNUZ", "F8_E5M2", "F8_E5M2FNUZ", "F8_E8M0")
BLOCK = 2**20  # numbers


@dataclass(frozen=True)
class Tensor:
    dtype: str
    shape: tuple[int, ...]
    start: int  # in the file
    stop: int


def read_safetensors(path: Path, key: str | None) -> Array:
    """An array by its name: ``key``, else X, else the only one of two dimensions or more."""
    tensors = safetensors_header(path)
    if key is None:
        large = [name for name, tensor in tensors.items() if len(tensor.shape) >= 2]
        if "X" not in tensors and len(large) != 1:
            rule = "must hold a tensor called X or only one of two dimensions or more, or give key="
            raise InputError(path, rule, listed(list(tensors)) or "none")
        key = "X" if "X" in tensors else large[0]
    tensor = tensors[check_column(path, list(tensors), key, "key")]
    if tensor.dtype not in TYPES:
        raise InputError(
            f"{path}, tensor {key!r}:", f"must be of a type among {', '.join(TYPES)}", tensor.dtype
        )
    if 0 in tensor.shape:
        raise InputError(f"{path}, tensor {key!r}:", "must hold numbers", f"shape {tensor.shape}")
    with reading(path, "a .safetensors file"):
        mapped = np.memmap(path, TYPES[tensor.dtype], "r", tensor.start, tensor.shape)
    return _from_bfloat16(mapped) if tensor.dtype == "BF16" else mapped


def safetensors_header(path: Path) -> dict[str, Tensor]:
    """The tensors of a file, all of which fit it."""
    size = path.stat().st_size
    with path.open("rb") as stream:
        first = stream.read(8)
        n_header = struct.unpack("<Q", first)[0] if len(first) == 8 else 0
        if not 2 <= n_header <= min(LARGEST, size - 8):
            rule = (
                f"must start with the size of its header, at most {min(LARGEST, max(size - 8, 0))} bytes here"
            )
            raise InputError(path, rule, n_header)
        text = stream.read(n_header)
    with reading(path, "a .safetensors file, with a header in JSON"):
        header = json.loads(text, object_pairs_hook=_distinct)
    if not isinstance(header, dict):
        raise InputError(path, "must have a header that names tensors", type(header).__name__)
    words = header.get("__metadata__", {})
    if not isinstance(words, dict) or not all(isinstance(word, str) for word in words.values()):
        raise InputError(f"{path}, __metadata__:", "must be text by name")
    start = 8 + n_header
    tensors = {
        name: _tensor(path, name, about, start) for name, about in header.items() if name != "__metadata__"
    }
    _check_places(path, tensors, start, size)
    return tensors


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name is there twice")
    return found


def _tensor(path: Path, name: str, about: Any, start: int) -> Tensor:
    place = f"{path}, tensor {name!r}:"
    if not isinstance(about, dict) or not {"dtype", "shape", "data_offsets"} <= about.keys():
        raise InputError(place, "must have a dtype, a shape and data_offsets")
    dtype, shape, offsets = about["dtype"], about["shape"], about["data_offsets"]
    if not isinstance(dtype, str) or not _sizes(shape) or not _sizes(offsets) or len(offsets) != 2:
        raise InputError(
            place, "must have a type, sizes and two offsets", f"{shape!r:.60} and {offsets!r:.60}"
        )
    n_bytes = offsets[1] - offsets[0]
    if dtype not in TYPES and dtype not in UNREAD:
        raise InputError(place, f"must be of a known type ({', '.join((*TYPES, *UNREAD))})", repr(dtype))
    if dtype in TYPES:
        promised = np.dtype(TYPES[dtype]).itemsize
        for size in shape:
            promised *= size
        if promised != n_bytes:
            raise InputError(place, f"must have the {promised} bytes of its shape {shape}", f"{n_bytes}")
    return Tensor(dtype, tuple(shape), start + offsets[0], start + offsets[1])


def _sizes(given: Any) -> bool:
    """Whole numbers from 0, few of them and none beyond what a file can hold."""
    return (
        isinstance(given, list)
        and len(given) <= 32
        and all(type(size) is int and 0 <= size < 2**62 for size in given)
    )


def _check_places(path: Path, tensors: dict[str, Tensor], start: int, size: int) -> None:
    """One tensor begins where another ends, and the last ends where the file does."""
    end = start
    for name, tensor in sorted(tensors.items(), key=lambda item: (item[1].start, item[1].stop)):
        if tensor.start != end or tensor.stop < tensor.start:
            raise InputError(f"{path}, tensor {name!r}:", "must begin where the one before ends")
        end = tensor.stop
    if end != size:
        found = "it was cut short" if end > size else "there is more"
        raise InputError(path, f"must end with its last tensor, after {end} bytes; {found}")


def _from_bfloat16(halves: Array) -> Array:
    found = np.empty(halves.shape, np.float32)
    flat, source = found.reshape(-1).view(np.uint32), halves.reshape(-1)
    for a in range(0, len(flat), BLOCK):
        flat[a : a + BLOCK] = source[a : a + BLOCK].astype(np.uint32) << 16
    return found

"""Files that are damaged: cut, flipped, with words and numbers where they do not belong."""

import struct

import numpy as np

TOKENS = [
    b"",
    b"\0",
    b"\xff\xfe",
    b"\xe9",
    b'"',
    b"'",
    b";",
    b",",
    b"\t",
    b"\n",
    b"\r",
    b"nan",
    b"inf",
    b"1e400",
    b"-1",
    b"9" * 30,
    b"null",
    b"[",
    b"}",
    b"ann",
    b"=",
    b"\xef\xbb\xbf",
]
NUMBERS = (0, 1, 7, 2**15, 2**16 - 1, 2**31 - 1, 2**32 - 1, 2**40, 2**62, 2**63 - 1, 2**64 - 1)
LIES = [  # sizes and offsets, as headers hold them
    struct.pack(order + size, number & (2 ** (8 * struct.calcsize(order + size)) - 1))
    for order in "<>"
    for size in "BHIQ"
    for number in NUMBERS
]
KINDS = ("cut", "flip", "drop", "twice", "insert", "replace", "lie", "spell")


def damaged(data: bytes, edits: list) -> bytes:
    for kind, place, how in edits:
        at = int(place * len(data))
        if kind == "cut":
            data = data[:at]
        elif kind == "flip" and data:
            data = data[:at] + bytes([data[at] ^ how]) + data[at + 1 :]
        elif kind == "drop":
            data = data[:at] + data[at + how :]
        elif kind == "twice":
            data = data[: at + how] + data[at:]
        elif kind == "insert":
            data = data[:at] + how + data[at:]
        elif kind == "replace":
            data = data[:at] + how + data[at + len(how) :]
    return data


def mutant(data: bytes, rng: np.random.Generator) -> bytes:
    """One to three edits at random."""
    for _ in range(int(rng.integers(1, 4))):
        kind, place = KINDS[rng.integers(len(KINDS))], float(rng.random())
        if kind == "lie":
            edit = ("replace", place, LIES[rng.integers(len(LIES))])
        elif kind == "spell":
            edit = ("replace", place, str(NUMBERS[rng.integers(len(NUMBERS))]).encode())
        elif kind in ("insert", "replace"):
            edit = (kind, place, TOKENS[rng.integers(len(TOKENS))])
        else:
            edit = (kind, place, int(rng.integers(1, 256 if kind == "flip" else 60)))
        data = damaged(data, [edit])
    return data

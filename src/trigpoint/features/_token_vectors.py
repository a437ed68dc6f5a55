"""Texts as means of token vectors that come inside a package (the extra `trigpoint[text]`).

The package wordllama holds 32,000 vectors of 256 numbers, and the tokenizer that they belong to, as files.
They are read from its folder. The package itself is not imported: it looks for its tokenizer in a folder
where it is not, and then asks the network. Nothing here reaches a network.

A text is the mean of the vectors of its tokens, scaled to length 1; one without tokens is the zero vector.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from trigpoint._errors import InputError, needs_extra
from trigpoint._types import Array

PACKAGES = ("wordllama", "tokenizers", "safetensors")
VECTORS = "weights/l2_supercat_256.safetensors"
TOKENIZER = "tokenizers/l2_supercat_tokenizer_config.json"
BLOCK = 1000  # texts at a time


@dataclass(frozen=True, eq=False)
class TokenVectors:
    """
    Attributes
    ----------
    vectors : (n_tokens, 256) float32
    tokenizer : of the library tokenizers
    digest : of the two files
    """

    vectors: Array
    tokenizer: Any
    digest: str

    def transform(self, texts: Sequence[str]) -> Array:
        """(m, 256) float32; a text's do not depend on the other texts."""
        found = np.zeros((len(texts), self.vectors.shape[1]), dtype=np.float32)
        for start in range(0, len(texts), BLOCK):
            some = list(texts[start : start + BLOCK])
            for i, tokens in enumerate(self.tokenizer.encode_batch(some, add_special_tokens=False), start):
                if tokens.ids:
                    found[i] = self.vectors[tokens.ids].mean(axis=0, dtype=np.float64)
        return found


def is_installed() -> bool:
    return all(find_spec(name) is not None for name in PACKAGES) and all(
        (_folder() / name).is_file() for name in (VECTORS, TOKENIZER)
    )


def check_installed(argument: str) -> None:
    if not is_installed():
        raise InputError(argument, needs_extra("wordllama", "text"))


@cache
def token_vectors() -> TokenVectors:
    """Read once; `check_installed` comes before."""
    from safetensors.numpy import load_file
    from tokenizers import Tokenizer

    files = [_folder() / name for name in (VECTORS, TOKENIZER)]
    (vectors,) = load_file(files[0]).values()
    tokenizer = Tokenizer.from_file(str(files[1]))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    digest = hashlib.blake2b(b"".join(file.read_bytes() for file in files), digest_size=16).hexdigest()
    return TokenVectors(vectors.astype(np.float32), tokenizer, digest)


def _folder() -> Path:
    """Of the package, which is not imported."""
    spec = find_spec(PACKAGES[0])
    places = [] if spec is None else list(spec.submodule_search_locations or [])
    return Path(places[0]) if places else Path()

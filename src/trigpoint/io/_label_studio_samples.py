"""Which sample of a pool a task of Label Studio is about.

A task that we wrote carries the sample's id. One that was made in Label Studio has the address of a picture,
or a text. An address means the sample whose id is its end, such as sub/x.png for
/data/local-files/?d=photos/sub/x.png; else the one sample whose file has the same name. A picture that was
uploaded has eight characters in front of its name (1a2b3c4d-x.png), and no blanks or brackets in it. A text
means the one sample that has it. Names and texts that several samples have mean none of them.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias
from urllib.parse import parse_qs, unquote, urlsplit

from trigpoint.io._images import SUFFIXES

SAMPLE_ID = "trigpoint_id"  # in the data of a task that we wrote
UPLOADED = re.compile(r"[0-9a-f]{8}-(.+)", re.DOTALL)
Find: TypeAlias = Callable[[Any], str | None]  # an address or a text -> the id of its sample


def sample_finder(ids: Iterable[Any], texts: Sequence[str] | None = None) -> Find:
    """A function from a field of a task's data to the id of the sample that it means, or None."""
    pool = {str(name) for name in ids}
    files = [name for name in pool if _is_picture(name)]
    by_name = _unique((name.rpartition("/")[2], name) for name in files)
    by_upload = _unique((_as_uploaded(name.rpartition("/")[2]), name) for name in files)
    by_text = _unique(zip(texts, map(str, ids), strict=True)) if texts is not None else {}

    def find(value: Any) -> str | None:
        if not isinstance(value, str):
            return None
        for path in _paths(value) if files else ():
            parts = path.split("/")
            for start in range(len(parts)):
                end = "/".join(parts[start:])
                sure = start < len(parts) - 1 or len(parts) <= 2 or by_name.get(end) == end
                if end in pool and sure:
                    return end
            uploaded = UPLOADED.fullmatch(parts[-1])
            found = by_name.get(parts[-1])
            if found is None and uploaded is not None:
                found = by_name.get(uploaded[1]) or by_upload.get(uploaded[1])
            if found is not None:
                return found
        return by_text.get(value)

    return find


def own_name(data: Mapping[str, Any], id_is_own: bool) -> str | None:
    """The id that a task's data gives its sample; None where "id" is Label Studio's own number."""
    name = data.get(SAMPLE_ID)
    if name in (None, "") and id_is_own:
        name = data.get("id")
    return str(name) if isinstance(name, str | int) and not isinstance(name, bool) and name != "" else None


def _unique(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Without keys that several ids have."""
    found: dict[str, str | None] = {}
    for key, name in pairs:
        found[key] = name if key not in found else None
    return {key: name for key, name in found.items() if name is not None}


def _is_picture(path: str) -> bool:
    return path.lower().endswith(SUFFIXES)


def _as_uploaded(name: str) -> str:
    """The name that Label Studio gives a file that somebody uploads."""
    return re.sub(r"[^-\w.]", "", name.strip().replace(" ", "_"))


def _paths(address: str) -> list[str]:
    """The paths that an address may mean: as it stands, and as a URL."""
    if len(address) > 4000 or address.startswith("data:"):
        return []
    try:
        url = urlsplit(address)
    except ValueError:  # such as http://[x
        return []
    local = parse_qs(url.query).get("d", [])
    plain = address.replace("\\", "/")
    found = dict.fromkeys([plain, *local, unquote(url.path)])
    return [path.strip("/") for path in found if _is_picture(path)]

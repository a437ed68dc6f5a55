"""The page's own files: a fixed list by name, so that no name can lead out of their folder."""

import hashlib
from collections.abc import Mapping
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.responses import Response

STATIC = Path(__file__).parent / "static"
MEDIA = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".woff2": "font/woff2",
    ".json": "application/json",
}


def static_files() -> dict[str, Path]:
    """What is served, by its path in the folder."""
    found = (path for path in STATIC.rglob("*") if path.suffix in MEDIA and path.is_file())
    return {path.relative_to(STATIC).as_posix(): path for path in found}


def static_response(files: Mapping[str, Path], name: str, headers: Mapping[str, str]) -> Response:
    """A file, or 304 where the browser has it already; it asks each time, so that updates are seen."""
    if name not in files:
        raise HTTPException(404, "there is no such file in the page.")
    content = files[name].read_bytes()
    etag = f'"{hashlib.blake2b(content, digest_size=12).hexdigest()}"'
    known = {"etag": etag, "cache-control": "no-cache"}
    if etag in headers.get("if-none-match", ""):
        return Response(status_code=304, headers=known)
    return Response(content, media_type=MEDIA[files[name].suffix], headers=known)

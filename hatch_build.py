"""README.md as an index of packages shows it: there, no file lies beside it, and nobody has ./dev.

pictures that lie in the repository   are left out
links to files of the repository      lead to ADDRESS; without one they are plain text, and no page is listed
the commands of a copy of the source  are those of the installed package
"""

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

ADDRESS = ""  # of the files on the web, as "https://example.com/trigpoint/blob/main"; none yet
FILE = r"(?!https?:|#)([^)\s]+)"
LINK = re.compile(rf"(?<!!)\[([^\[\]]*)\]\({FILE}\)")
PICTURE = re.compile(rf"^!\[[^\[\]]*\]\({FILE}\)\n\n", re.MULTILINE)
SOURCE = re.compile(r"^```sh\n\./dev demo.*?^Run them in.*?^(?=\n)", re.MULTILINE | re.DOTALL)
INSTALL = """```sh
pip install "trigpoint[studio,files]"
trigpoint demo    # the main job on a built-in pool; ends with a report
```

Python 3.11 or newer. `pip install trigpoint` leaves out the page in the browser.
"""
STUDIO = " `./dev studio` tries it on built-in digits."
PAGES = re.compile(r"^## Read on\n.*", re.MULTILINE | re.DOTALL)
NO_PAGES = "The source distribution holds the documentation, in `docs/`. License: BSD-3-Clause.\n"


def index_readme(text: str, address: str = ADDRESS) -> str:
    """The same page for readers who have no copy of the source.

    >>> index_readme("See [the studio](docs/studio.md) and [Caddy](https://caddyserver.com).")
    'See the studio and [Caddy](https://caddyserver.com).'
    >>> index_readme("See [the studio](docs/studio.md).", "https://example.com/it")
    'See [the studio](https://example.com/it/docs/studio.md).'
    """
    text = SOURCE.sub(INSTALL, PICTURE.sub("", text)).replace(STUDIO, "")
    return LINK.sub(rf"[\1]({address}/\2)", text) if address else LINK.sub(r"\1", PAGES.sub(NO_PAGES, text))


class ReadmeHook(MetadataHookInterface):
    def update(self, metadata: dict[str, Any]) -> None:
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": index_readme(text)}

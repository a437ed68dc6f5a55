"""Makes the gallery: runs each script and writes its page, its notebook, its pictures and the list of all.

    python docs/examples/build.py [NAME ...] [--again]     all scripts, or those that are named

A script whose code has not changed since its notebook was made is not run: its outputs stay, and its prose
is new. `--again` runs it in any case.

A script is in the percent format: `# %% [markdown]` begins prose, `# %%` begins code. For each one there is
then NAME.md, NAME.ipynb, NAME_1.png and so on, and NAME_small.png. manifest.json says how they were made.
"""

import base64
import contextlib
import hashlib
import io
import json
import os
import platform
import re
import subprocess
import sys
import time
from dataclasses import dataclass, field
from importlib.metadata import version
from itertools import takewhile
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
MANIFEST = HERE / "manifest.json"
SCRIPTS = ("images", "network", "building", "loop", "roll")
PACKAGES = ("numpy", "scipy", "scikit-learn", "numba", "matplotlib")


@dataclass
class Cell:
    prose: bool
    text: str
    printed: str = ""
    pictures: list[bytes] = field(default_factory=list)


def read_cells(source: str) -> list[Cell]:
    """The cells of a script; prose without its comment signs."""
    cells = []
    for kind, body in re.findall(r"^# %%(.*)\n((?:(?!# %%).*\n)*)", source, re.MULTILINE):
        prose = "[markdown]" in kind
        text = re.sub(r"^# ?", "", body, flags=re.MULTILINE) if prose else body
        cells.append(Cell(prose, text.strip("\n")))
    return cells


def run(name: str, quick: bool = False) -> list[Cell]:
    """Run the script and keep what each cell prints and draws."""
    import matplotlib

    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    path = HERE / f"{name}.py"
    cells, here = read_cells(path.read_text("utf-8")), []

    plt.close("all")  # of whoever was here before

    def show() -> None:
        for number in plt.get_fignums():
            picture = io.BytesIO()
            plt.figure(number).savefig(picture, dpi=100, metadata={"Software": None})
            here.append(few_colors(picture.getvalue()))
        plt.close("all")

    namespace: dict[str, Any] = {"__name__": "__main__"}
    argv, shown = sys.argv, plt.show
    sys.argv, plt.show = [path.name, "--quick"] if quick else [path.name], show
    try:
        with plt.style.context("default"):
            for cell in cells:
                if not cell.prose:
                    with contextlib.redirect_stdout(io.StringIO()) as printed:
                        exec(compile(cell.text, path.name, "exec"), namespace)
                    cell.printed, cell.pictures = printed.getvalue(), here.copy()
                    here.clear()
    finally:
        sys.argv, plt.show = argv, shown
    return cells


def stored(name: str) -> list[Cell] | None:
    """The cells of the script with the outputs of its notebook; None if they are not of this code."""
    cells, path = read_cells((HERE / f"{name}.py").read_text("utf-8")), HERE / f"{name}.ipynb"
    if not path.exists():
        return None
    entries = json.loads(path.read_text("utf-8"))["cells"]
    codes = [entry for entry in entries if entry["cell_type"] == "code"]
    mine = [cell for cell in cells if not cell.prose]
    if [cell.text for cell in mine] != ["".join(entry["source"]) for entry in codes]:
        return None
    for cell, entry in zip(mine, codes, strict=True):
        for output in entry["outputs"]:
            cell.printed += "".join(output.get("text", ""))
            if "data" in output:
                cell.pictures.append(base64.b64decode(output["data"]["image/png"]))
    return cells


def page(name: str, cells: list[Cell]) -> str:
    """The page in Markdown. The prose after a picture is its caption, the first sentence in short."""
    parts, number = [], 0
    for cell, after in zip(cells, [*cells[1:], None], strict=True):
        if cell.prose:
            parts.append(cell.text)
            continue
        parts.append(f"```python\n{cell.text.strip()}\n```")
        if cell.printed:
            parts.append(f"```text\n{cell.printed.rstrip()}\n```")
        for _ in cell.pictures:
            number += 1
            caption = first_sentence(after.text) if after and after.prose else name
            parts.append(f"![{caption}]({name}_{number}.png)")
    links = f"[The script]({name}.py) · [the notebook]({name}.ipynb) · [all examples](index.md)"
    return "\n\n".join([parts[0], links, *parts[1:]]) + "\n"


def first_sentence(text: str) -> str:
    paragraph = next(part for part in text.split("\n\n") if not part.startswith("#"))
    return re.split(r"(?<=[.?!])\s", re.sub(r"[*`]", "", " ".join(paragraph.split())))[0]


def notebook(cells: list[Cell]) -> dict[str, Any]:
    """The same as a notebook (nbformat 4.5), with its outputs."""
    made: list[dict[str, Any]] = []
    for number, cell in enumerate(cells):
        entry = {"id": f"cell-{number}", "metadata": {}, "source": cell.text.splitlines(keepends=True)}
        if cell.prose:
            made.append({"cell_type": "markdown", **entry})
            continue
        outputs: list[dict[str, Any]] = []
        if cell.printed:
            outputs.append(
                {"output_type": "stream", "name": "stdout", "text": cell.printed.splitlines(keepends=True)}
            )
        for picture in cell.pictures:
            data = {"image/png": base64.b64encode(picture).decode(), "text/plain": ["<Figure>"]}
            outputs.append({"output_type": "display_data", "metadata": {}, "data": data})
        made.append({"cell_type": "code", **entry, "execution_count": len(made), "outputs": outputs})
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {"cells": made, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}


def how_made(name: str, cpu_seconds: float, seconds: float) -> dict[str, Any]:
    git = subprocess.run(["git", "rev-parse", "HEAD"], cwd=HERE, capture_output=True, text=True, check=True)
    return {
        "command": f"python docs/examples/build.py {name}",
        "commit": git.stdout.strip(),
        "real_data": "TRIGPOINT_DATA" in os.environ,
        "seeds": "in the script",
        "cpu_seconds": round(cpu_seconds),
        "seconds": round(seconds),
        "versions": {
            "python": platform.python_version(),
            **{package: version(package) for package in PACKAGES},
        },
    }


def write(name: str, cells: list[Cell]) -> dict[str, Any]:
    """Write all files of one example; returns their digests and that of the script."""
    files = {f"{name}.md": page(name, cells).encode()}
    files[f"{name}.ipynb"] = (json.dumps(notebook(cells), indent=1, ensure_ascii=False) + "\n").encode()
    pictures = [picture for cell in cells for picture in cell.pictures]
    files |= {f"{name}_{number}.png": picture for number, picture in enumerate(pictures, 1)}
    files[f"{name}_small.png"] = thumbnail(pictures[0])
    for file, content in files.items():
        (HERE / file).write_bytes(content)
    script = digest((HERE / f"{name}.py").read_bytes())
    return {"script": script, "files": {file: digest(content) for file, content in files.items()}}


def thumbnail(picture: bytes) -> bytes:
    return few_colors(picture, (360, 240))


def few_colors(picture: bytes, largest: tuple[int, int] = (2000, 2000)) -> bytes:
    """The picture as a PNG of 128 colors, a third of the size, and no larger than this."""
    from PIL import Image

    small = Image.open(io.BytesIO(picture)).convert("RGB")
    small.thumbnail(largest, Image.Resampling.LANCZOS)
    out = io.BytesIO()
    small.quantize(128).save(out, "PNG", optimize=True)
    return out.getvalue()


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def read_manifest() -> dict[str, Any]:
    return json.loads(MANIFEST.read_text("utf-8")) if MANIFEST.exists() else {}


def gallery() -> str:
    """The list of all examples. What a script found is the first sentence below its last table."""
    parts = [
        "# Examples",
        "Each example is one script that you can run, read as a page, or open as a notebook. Where real data "
        "are missing, a built-in or generated pool takes their place. What a script found is in italics.",
    ]
    for name in filter(read_manifest().get, SCRIPTS):
        book = json.loads((HERE / f"{name}.ipynb").read_text("utf-8"))
        prose = "".join(book["cells"][0]["source"])
        outputs = [output for cell in book["cells"] for output in cell.get("outputs", []) if "text" in output]
        sentences = takewhile(lambda line: "  " not in line, reversed(outputs[-1]["text"]))  # below the table
        title = re.sub(r"^# ", "", prose.splitlines()[0])
        parts.append(f"## [{title}]({name}.md)")
        parts.append(f"[![{title}]({name}_small.png)]({name}.md)")
        about = " ".join(prose.split("\n\n")[1].split())
        found = list(sentences)[-1].strip()
        found = found[0].upper() + found[1:]
        parts.append(f"{about}\n\n*{found}.* [Script]({name}.py) · [notebook]({name}.ipynb)")
    how = "`python docs/examples/build.py` makes all of this again; [manifest.json](manifest.json) says how."
    return "\n\n".join([*parts, how]) + "\n"


def main(arguments: list[str]) -> None:
    for name in [name for name in arguments if name != "--again"] or SCRIPTS:
        cells = None if "--again" in arguments else stored(name)
        made = read_manifest().get(name)
        if cells is None or made is None:
            cpu, clock = time.process_time(), time.perf_counter()
            cells = run(name)
            made = how_made(name, time.process_time() - cpu, time.perf_counter() - clock)
        manifest = {**read_manifest(), name: {**made, **write(name, cells)}}
        MANIFEST.write_text(json.dumps(manifest, indent=1, sort_keys=True) + "\n", "utf-8")
    (HERE / "index.md").write_text(gallery(), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])

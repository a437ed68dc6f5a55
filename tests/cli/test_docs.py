"""Every command in the documentation runs."""

import json
import re
import shlex
from pathlib import Path

import numpy as np
import pytest

PAGES = [Path(__file__).parents[2] / name for name in ("docs/cli.md", "docs/models.md", "README.md")]


def commands(page):
    blocks = re.findall(r"^```sh\n(.*?)^```", page.read_text(), re.DOTALL | re.MULTILINE)
    lines = [shlex.split(line, comments=True) for block in blocks for line in block.splitlines()]
    return [words[1:] for words in lines if words[:1] == ["trigpoint"] and words[1] != "demo"]


@pytest.fixture
def files(blobs):
    from PIL import Image

    Path("new.csv").write_text("id,height,width\nt1,1,2\nt2,7,8\n")
    Path("numbers.csv").write_text("id,score\ns3,1.5\ns5,1.25\ns40,8\ns44,8.5\n")
    Path("known.csv").write_text("id,label\n" + "".join(f"s{i},{'ab'[i > 29]}\n" for i in range(60)))
    task = {"data": {"id": "s4"}, "annotations": [{"result": [choice("tall")]}]}
    Path("export.json").write_text(json.dumps([task]))
    Path("answers.csv").write_text("id,label,annotator\ns1,a,ada\ns1,a,bob\ns30,b,ada\n")
    Path("edges.csv").write_text("source,target\n" + "".join(f"n{i},n{i + 1}\n" for i in range(9)))
    Path("texts.csv").write_text(
        "id,review\n" + "".join(f"{i},{'good' * (i % 2)} tea {i}\n" for i in range(9))
    )
    notes = [{"id": f"r{i}", "vector": [i % 5 / 4, i // 5 / 4, 0.5]} for i in range(25)]
    Path("notes.jsonl").write_text("\n".join(map(json.dumps, notes)))
    Path("pictures").mkdir()
    for i in range(12):
        Image.fromarray(np.full((4, 4), 20 * i, dtype=np.uint8)).save(f"pictures/{i}.png")
    toml = re.findall(r"^```toml\n(.*?)^```", PAGES[0].read_text(), re.DOTALL | re.MULTILINE)
    Path("trigpoint.toml").write_text(toml[0])


def choice(label):
    return {"from_name": "label", "to_name": "row", "type": "choices", "value": {"choices": [label]}}


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_commands_of_a_page_run(run, files, page):
    assert commands(page)
    for words in commands(page):
        done = run(*words)
        assert done.code == 0, f"{words}: {done.err}"

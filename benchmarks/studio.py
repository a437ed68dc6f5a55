"""The studio under load: how long people wait while the pool is computed on.

    ./dev bench studio [--people 20] [--labels 5000] [--pause 0.2]

A real server on loopback with MNIST's 70,000 pictures (TRIGPOINT_DATA; without it, as many made-up ones), its
graph cached. Each person holds 8 pictures, looks at one for the pause, labels it, and is handed the next
in the same answer, as the page does. Time is taken where the person sits: from the key to the answer that
says "saved" and brings the next picture; and of the picture itself. As a ratio: the same without any work
behind, a plain request for the settings in the same run.
"""

import argparse
import asyncio
import gzip
import json
import os
import subprocess
import sys
import tempfile
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from time import perf_counter

import httpx
import numpy as np

HELD = 8


def pool(folder: Path) -> tuple[Path, np.ndarray]:
    """70,000 pictures in one IDX file, and their labels."""
    data = Path(os.environ.get("TRIGPOINT_DATA", "")) / "mnist"
    if data.is_dir():
        images = np.concatenate([_idx(data / f"{part}-images-idx3-ubyte.gz") for part in ("train", "t10k")])
        labels = np.concatenate([_idx(data / f"{part}-labels-idx1-ubyte.gz") for part in ("train", "t10k")])
    else:
        rng = np.random.default_rng(0)
        labels = rng.integers(10, size=70_000)
        centers = rng.integers(0, 200, (10, 28, 28))
        images = (centers[labels] + rng.integers(0, 56, (70_000, 28, 28))).astype(np.uint8)
    file = folder / "pictures-idx3-ubyte"
    file.write_bytes(bytes([0, 0, 8, 3]) + np.array(images.shape, ">i4").tobytes() + images.tobytes())
    return file, labels


def _idx(path: Path) -> np.ndarray:
    raw = gzip.decompress(path.read_bytes())
    shape = np.frombuffer(raw, ">i4", raw[3], 4)
    return np.frombuffer(raw, np.uint8, offset=4 + 4 * raw[3]).reshape(shape)


def start(file: Path, budget: int) -> tuple[subprocess.Popen, str]:
    command = [sys.executable, "-m", "trigpoint.cli", "studio", str(file), "--budget", str(budget)]
    command += ["--classes", ",".join("0123456789"), "--no-browser", "--json", "--port", "0"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    told = ""
    while not told.rstrip().endswith("}"):
        told += server.stdout.readline()
    return server, json.loads(told)["url"]


@asynccontextmanager
async def entered(url: str) -> AsyncIterator[httpx.AsyncClient]:
    base, token = url.split("/?")
    async with httpx.AsyncClient(base_url=base, headers={"Origin": base}, timeout=60) as client:
        await client.get("/?" + token)
        yield client


async def person(name, url, truth, pause, left, times):
    async with entered(url) as client:
        held, actions = [], []
        rng = np.random.default_rng(abs(hash(name)) % 2**32)
        await asyncio.sleep(rng.random())
        while left[0] > 0 or actions:
            body = {"annotator": name, "held": [i["sample"] for i in held], "want": HELD, "actions": actions}
            begun = perf_counter()
            answer = await client.post("/api/actions", json=body)
            times["saved and next"].append(perf_counter() - begun)
            answer = answer.raise_for_status().json()
            assert len(answer["saved"]) == len(actions), answer["refused"]
            held += answer["items"]
            for item in answer["items"]:
                begun = perf_counter()
                (await client.get(item["image"])).raise_for_status()
                times["picture"].append(perf_counter() - begun)
            actions = []
            times["learning"].append(answer["state"]["learning"])
            if not held:
                times["nothing to do"].append(1)
                await asyncio.sleep(0.6)  # as the page does
                continue
            await asyncio.sleep(pause * rng.uniform(0.5, 1.5))
            if left[0] > 0:
                left[0] -= 1
                item = held.pop(0)
                value = str(truth[item["sample"]])
                actions = [
                    {"client": str(uuid.uuid4()), "kind": "label", "sample": item["sample"], "value": value}
                ]


async def run(url, truth, people, labels, pause):
    times = {"saved and next": [], "picture": [], "nothing to do": [], "learning": [], "settings": []}
    async with entered(url) as client:
        while not (await client.get("/api/state", params={"annotator": "watch"})).json()["ready"]:
            await asyncio.sleep(0.5)
        for _ in range(200):
            begun = perf_counter()
            await client.get("/api/setup")
            times["settings"].append(perf_counter() - begun)
        left = [labels]
        begun = perf_counter()
        await asyncio.gather(*(person(f"p{k}", url, truth, pause, left, times) for k in range(people)))
        times["seconds"] = perf_counter() - begun
        state = (await client.get("/api/state", params={"annotator": "watch"})).json()
    return times, state


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--people", type=int, default=20)
    arguments.add_argument("--labels", type=int, default=5000)
    arguments.add_argument("--pause", type=float, default=0.2)
    given = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        file, truth = pool(Path(folder))
        server, url = start(file, given.labels + given.people * HELD)
        try:
            times, state = asyncio.run(run(url, truth, given.people, given.labels, given.pause))
        finally:
            server.terminate()
            server.wait(20)
    print(f"{state['labeled']} labels by {given.people} people in {times['seconds']:.0f} s")
    print(f"computing behind {100 * np.mean(times['learning']):.0f} % of the time")
    print(f"asked with nothing to do: {len(times['nothing to do'])} times")
    plain = np.percentile(times["settings"], 99)
    for name in ("saved and next", "picture"):
        p50, p99, most = 1e3 * np.percentile(times[name], [50, 99, 100])
        times_plain = p99 / plain / 1e3
        print(f"{name}: median {p50:.1f} ms, p99 {p99:.1f} ms, most {most:.0f} ms", end="; ")
        print(f"its p99 is {times_plain:.1f} times that of a plain request")
    print("advice:", (state["advice"] or {}).get("sentence"))


if __name__ == "__main__":
    main()

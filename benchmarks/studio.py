"""The studio under load: how long people wait while the pool is computed on, and how the server grows.

    ./dev bench studio [--people 50] [--labels 10000] [--pause 1] [--quick]

A real server on loopback with MNIST's 70,000 pictures (TRIGPOINT_DATA; without it, as many made-up ones), its
graph cached. Each person does what the page does: holds 8 pictures, looks at one for the pause, labels it,
and is handed the next in the same answer; asks how things stand every 2 seconds, and for new suggestions when
there are some. One in five has the map open. One in ten also labels 200 samples at once now and then, takes
half of these back, and writes notes; these labels come on top.

Time is taken where the person sits: from the key to the answer that says "saved". As a ratio: a plain request
for the settings in the same run, before the load. Memory is of the server's process, without its worker, from
the first label to the last. --quick: 4 people, 100 labels, 3,000 made-up pictures.
"""

import argparse
import asyncio
import gzip
import json
import os
import signal
import subprocess
import sys
import tempfile
import uuid
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from time import perf_counter

import httpx
import numpy as np
from _figures import Figure, show

ALL = 70_000
HELD = 8
MANY = 200  # samples labeled at once
EVERY = 1000  # labels from one look at the memory to the next
PULSE = 2.0  # seconds, as in the page


def pool(folder: Path, n: int) -> tuple[Path, np.ndarray]:
    """MNIST's 70,000 pictures in one IDX file, and their labels; other numbers are made up."""
    data = Path(os.environ.get("TRIGPOINT_DATA", "")) / "mnist"
    if data.is_dir() and n == ALL:
        images = np.concatenate([_idx(data / f"{part}-images-idx3-ubyte.gz") for part in ("train", "t10k")])
        labels = np.concatenate([_idx(data / f"{part}-labels-idx1-ubyte.gz") for part in ("train", "t10k")])
    else:
        rng = np.random.default_rng(0)
        labels = rng.integers(10, size=n)
        centers = rng.integers(0, 200, (10, 28, 28))
        images = (centers[labels] + rng.integers(0, 56, (n, 28, 28))).astype(np.uint8)
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
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # whoever ends this ends the server, too
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    told = ""
    while not told.rstrip().endswith("}"):
        told += server.stdout.readline()
    return server, json.loads(told)["url"]


@asynccontextmanager
async def entered(url: str) -> AsyncIterator[httpx.AsyncClient]:
    base, token = url.split("/?")
    limits = httpx.Limits(keepalive_expiry=1)  # browsers send again what met a connection that just closed
    async with httpx.AsyncClient(
        base_url=base, headers={"Origin": base}, timeout=60, limits=limits
    ) as client:
        await client.get("/?" + token)
        yield client


def memory(pid: int) -> dict[str, float]:
    """Megabytes of a process that are in memory: all, what it made itself, and files that it has mapped."""
    lines = dict(line.split(":") for line in Path(f"/proc/{pid}/status").read_text().splitlines())
    return {name: int(lines[name].split()[0]) / 1024 for name in ("VmRSS", "RssAnon", "RssFile")}


class Person:
    """Somebody at the page; ``left`` is what all together still have to label."""

    def __init__(self, k, url, pid, truth, pause, left, times, memories):
        self._pid, self._memories = pid, memories
        self.name, self._url, self._truth, self._pause = f"person {k}", url, truth, pause
        self._left, self._times = left, times
        self._sees_map, self._does_more = k % 5 == 0, k % 10 == 0
        self._rng = np.random.default_rng(k)
        self._held = []
        self._done = False

    async def work(self):
        async with entered(self._url) as client:
            self._client = client
            await asyncio.gather(self._label_all(), self._follow())

    async def _timed(self, what, request):
        begun = perf_counter()
        answer = await request
        self._times[what].append(perf_counter() - begun)
        return answer.raise_for_status()

    async def _act(self, what, actions):
        held = [item["sample"] for item in self._held]
        body = {"annotator": self.name, "held": held, "want": HELD, "actions": actions}
        answer = (await self._timed(what, self._client.post("/api/actions", json=body))).json()
        assert len(answer["saved"]) == len(actions), answer["refused"]
        self._held += answer["items"]
        self._times["learning"].append(answer["state"]["learning"])
        for item in answer["items"]:
            await self._timed("picture", self._client.get(item["image"]))

    async def _label_all(self):
        await asyncio.sleep(self._rng.random() * self._pause)
        await self._act("first pictures", [])
        n = 0
        while self._left[0] > 0:
            if not self._held:
                self._times["nothing to do"].append(1)
                await asyncio.sleep(0.6)  # as the page does
                await self._act("nothing to do", [])
                continue
            await asyncio.sleep(self._pause * self._rng.uniform(0.5, 1.5))
            if self._left[0] <= 0:
                break
            self._left[0] -= 1
            if self._left[0] % EVERY == 0:
                self._memories.append(memory(self._pid)["VmRSS"])
            n += 1
            await self._label_one()
            if self._does_more and n % 10 == 0:
                await self._act(
                    "note saved", [self._new("note", sample=n, text="Is this one right?", flag=True)]
                )
            if self._does_more and n % 40 == 0:
                await self._label_many()
        self._done = True

    async def _label_one(self):
        item = self._held.pop(0)
        value = str(self._truth[item["sample"]])
        await self._act("saved", [self._new("label", sample=item["sample"], value=value, id=item["id"])])

    async def _label_many(self):
        digit, group = int(self._rng.integers(10)), str(uuid.uuid4())
        some = self._rng.choice(np.flatnonzero(self._truth == digit), MANY, replace=False).tolist()
        more = {"samples": some, "value": str(digit), "source": "gallery", "group": group}
        await self._act("200 at once saved", [self._new("labels", **more)])
        if self._rng.random() < 0.5:
            await asyncio.sleep(self._pause)
            await self._act("200 at once undone", [self._new("undo", target=group)])

    def _new(self, kind, **fields):
        return {"client": str(uuid.uuid4()), "kind": kind, **fields}

    async def _follow(self):
        """What the page asks for by itself."""
        seen = {"predictions": 0, "labels": 0}
        while not self._done:
            await asyncio.sleep(PULSE)
            held = [item["sample"] for item in self._held]
            query = {"annotator": self.name, "held": ",".join(map(str, held))}
            now = (await self._timed("state", self._client.get("/api/state", params=query))).json()[
                "versions"
            ]
            if now["predictions"] != seen["predictions"]:
                if held[1:]:
                    query = {"annotator": self.name, "ids": ",".join(map(str, held[1:]))}
                    await self._timed("suggestions", self._client.get("/api/samples", params=query))
                if self._sees_map:
                    await self._timed("map", self._client.get("/api/map/predictions"))
            if now["labels"] != seen["labels"] and self._sees_map:
                await self._timed("landmarks", self._client.get("/api/map/landmarks"))
            seen = now


async def run(url, pid, truth, people, labels, pause):
    times, memories = defaultdict(list), []
    async with entered(url) as client:
        while True:  # until the graph is there, the first samples are chosen and the map is drawn
            state = (await client.get("/api/state", params={"annotator": "watch"})).json()
            if state["ready"] and state["stage"] is None:
                break
            await asyncio.sleep(0.5)
        for _ in range(200):
            begun = perf_counter()
            await client.get("/api/setup")
            times["plain"].append(perf_counter() - begun)
        left, before = [labels], memory(pid)
        begun = perf_counter()
        everybody = [Person(k, url, pid, truth, pause, left, times, memories) for k in range(people)]
        await asyncio.gather(*(person.work() for person in everybody))
        seconds = perf_counter() - begun
        state = (await client.get("/api/state", params={"annotator": "watch"})).json()
    return times, state, seconds, before, memory(pid), memories


def measured(people, labels, pause, n):
    with tempfile.TemporaryDirectory() as folder:
        file, truth = pool(Path(folder), n)
        server, url = start(file, labels + people * HELD)
        try:
            return asyncio.run(run(url, server.pid, truth, people, labels, pause))
        finally:
            server.terminate()
            server.wait(20)


def figures(quick, people=50, labels=10_000, pause=1.0):
    if quick:
        people, labels, pause = 4, 100, 0.2
    times, state, seconds, before, after, memories = measured(people, labels, pause, 3000 if quick else ALL)
    said = f"{labels:,} labels by {people} people, {state['labeled']:,} samples have one in the end"
    yield Figure("all labels given", seconds, "s", detail=said)
    yield Figure("computing behind", 100 * np.mean(times["learning"]), "% of the time")
    yield Figure("asked with nothing to do", len(times["nothing to do"]), "times")
    plain = 1e3 * np.percentile(times["plain"], 99)
    for name in sorted(set(times) - {"learning", "nothing to do", "plain"}):
        p50, p95, p99, most = 1e3 * np.percentile(times[name], [50, 95, 99, 100])
        said = f"{len(times[name]):,} times, p95 {p95:.0f}, most {most:.0f} ms"
        yield Figure(f"{name}: median", p50, "ms")
        yield Figure(f"{name}: p99", p99, "ms", "a plain request", plain, said)
    for name in before:
        said = f"{before[name]:.1f} MB before, {after[name]:.1f} MB after"
        yield Figure(f"{name} of the server grows by", after[name] - before[name], "MB", detail=said)
    if memories:
        said = ", ".join(f"{size:.1f}" for size in memories)
        yield Figure(f"VmRSS after each {EVERY} labels: last", memories[-1], "MB", detail=said)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--people", type=int, default=50)
    arguments.add_argument("--labels", type=int, default=10_000)
    arguments.add_argument("--pause", type=float, default=1.0)
    arguments.add_argument("--quick", action="store_true")
    given = arguments.parse_args()
    show(figures(given.quick, given.people, given.labels, given.pause))


if __name__ == "__main__":
    main()

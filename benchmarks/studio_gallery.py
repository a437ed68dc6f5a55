"""The gallery's frames a second: 100,000 pictures, scrolled from end to end in a browser without a window.

    ./dev bench studio_gallery [--samples 100000] [--seconds 5] [--folder PICTURES] [--quick]

A real studio on loopback with one IDX file of pictures of 28 × 28 pixels, or with a folder of yours, and
Chromium. The gallery of all samples is scrolled by the wheel, and then by its bar from the top to the bottom
and back, for some seconds at each size of the tiles. Frames are counted where they are painted, by
requestAnimationFrame. As a ratio: frames of the same page while nothing moves, in the same run. The load of
the machine is told beside, and how many pictures are there three seconds after the last move.

Then 2,895 samples are labeled by one gesture and taken back by one undo, as the lasso does; time is taken
where the person sits, and of the server's processor.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

import httpx
import numpy as np
from _figures import Figure, show
from playwright.sync_api import sync_playwright

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = ("--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--enable-unsafe-swiftshader")
SIZES = (40, 100, 400)
MANY = 2895  # samples of one gesture
STEP = 1200  # pixels of one turn of the wheel
WATCH = """() => {
  const frames = [];
  let last = null;
  let on = true;
  const count = (now) => {
    if (last !== null) frames.push(now - last);
    last = now;
    if (on) requestAnimationFrame(count);
  };
  requestAnimationFrame(count);
  window.endWatch = () => ((on = false), frames);
}"""
DRAG = """([seconds]) => new Promise((done) => {
  const box = document.querySelector(".tile-grid");
  const began = performance.now();
  const most = box.scrollHeight - box.clientHeight;
  const move = (now) => {
    const share = (now - began) / 1000 / seconds;
    box.scrollTop = most * (1 - Math.abs(1 - 2 * share));
    if (share < 1) requestAnimationFrame(move);
    else done();
  };
  requestAnimationFrame(move);
})"""
FULL = '() => [...document.querySelectorAll(".tile img")].length'


def pool(folder: Path, n: int) -> Path:
    """Made-up pictures of ten kinds in one IDX file."""
    rng = np.random.default_rng(0)
    kinds = rng.integers(10, size=n)
    centers = rng.integers(0, 200, (10, 28, 28), dtype=np.uint8)
    images = centers[kinds] + rng.integers(0, 56, (n, 28, 28), dtype=np.uint8)
    file = folder / "pictures-idx3-ubyte"
    file.write_bytes(bytes([0, 0, 8, 3]) + np.array(images.shape, ">i4").tobytes() + images.tobytes())
    return file


def start(path: Path, store: Path) -> tuple[subprocess.Popen, str]:
    command = [sys.executable, "-m", "trigpoint.cli", "studio", str(path), "--store", str(store)]
    command += ["--classes", ",".join("0123456789"), "--no-browser", "--json", "--port", "0"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    told = ""
    while not told.rstrip().endswith("}"):
        told += server.stdout.readline()
    return server, json.loads(told)["url"]


def pace(frames: list[float]) -> dict[str, float]:
    """Frames a second: the mean and that of the worst second; the 95th percentile of a frame in ms."""
    times = np.array(frames)
    seconds = np.bincount((np.cumsum(times) // 1000).astype(int))
    worst = seconds[:-1].min() if len(seconds) > 1 else seconds.min()  # the last second is not a whole one
    return {"mean": 1000 * len(times) / times.sum(), "worst": int(worst), "p95": np.percentile(times, 95)}


def watched(page, act) -> dict[str, float]:
    page.evaluate(WATCH)
    act()
    return pace(page.evaluate("() => window.endWatch()"))


def wheel(page, seconds: float) -> None:
    end = page.evaluate("() => performance.now()") + 1000 * seconds
    box = page.locator(".tile-grid").bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    while page.evaluate("() => performance.now()") < end:
        page.mouse.wheel(0, STEP)


def measure(page, seconds: float):
    still = watched(page, lambda: page.wait_for_timeout(1000 * min(seconds, 3)))
    for size in SIZES:
        page.get_by_label("Size").fill(str(size))
        page.locator(".tile").first.wait_for()
        for name, act in (
            ("wheel", lambda: wheel(page, seconds)),
            ("bar", lambda: page.evaluate(DRAG, [seconds])),
        ):
            page.evaluate("() => (document.querySelector('.tile-grid').scrollTop = 0)")
            found = watched(page, act)
            page.wait_for_timeout(3000)
            said = f"p95 of a frame {found['p95']:.0f} ms, {page.evaluate(FULL)} pictures 3 s after"
            said += f", at rest {still['mean']:.0f}, load {os.getloadavg()[0]:.1f}"
            yield Figure(f"tiles of {size} px, {name}", found["mean"], "frames a second", detail=said)
            yield Figure(f"tiles of {size} px, {name}: worst second", found["worst"], "frames")
            share = found["mean"] / still["mean"]
            yield Figure(f"tiles of {size} px, {name}: to a page at rest", share, "")


def gesture(url: str, pid: int):
    """Labels for many samples, and their undo, through the API."""
    base, token = url.split("/?")
    with httpx.Client(base_url=base, headers={"Origin": base}, timeout=120) as client:
        client.get("/?" + token)
        n = min(MANY, client.get("/api/setup").json()["pool"]["n_samples"])
        fields = {"kind": "labels", "value": "3", "group": "g", "source": "map"}
        parts = [list(range(start, min(start + 2000, n))) for start in range(0, n, 2000)]
        labels = [{"client": f"m{k}", "samples": part, **fields} for k, part in enumerate(parts)]
        for name, actions in (("label", labels), ("undo", [{"client": "u", "kind": "undo", "target": "g"}])):
            worked, began = processor(pid), perf_counter()
            answer = client.post("/api/actions", json={"annotator": "Ada", "actions": actions})
            waited = perf_counter() - began
            assert not answer.raise_for_status().json()["refused"], answer.text[:500]
            worked = processor(pid) - worked
            yield Figure(
                f"{name} {MANY:,} samples", waited, "s", detail=f"{n:,}, of the processor {worked:.2f} s"
            )


def processor(pid: int) -> float:
    """Seconds of the processor that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def figures(quick, samples=100_000, seconds=5.0, folder_of_pictures=None, width=1440):
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        raise FileNotFoundError("no Chromium here")
    if quick:
        samples, seconds = 2_000, 1.0
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        path = folder_of_pictures or pool(Path(folder), samples)
        server, url = start(path, Path(folder) / "labels.db")
        try:
            browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
            page = browser.new_page(viewport={"width": width, "height": 900})
            page.goto(url)
            page.get_by_label("Your name").fill("Ada")
            page.keyboard.press("Enter")
            page.locator(".work .id").wait_for()
            page.keyboard.press("g")
            page.get_by_label("Which samples").select_option(label="All samples")
            page.locator(".tile img").first.wait_for()
            yield from measure(page, seconds)
            browser.close()
            yield from gesture(url, server.pid)
        finally:
            server.terminate()
            server.wait(20)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--samples", type=int, default=100_000)
    arguments.add_argument("--seconds", type=float, default=5.0)
    arguments.add_argument("--folder", type=Path, help="pictures of yours instead of made-up ones")
    arguments.add_argument("--width", type=int, default=1440)
    arguments.add_argument("--quick", action="store_true")
    given = arguments.parse_args()
    show(figures(given.quick, given.samples, given.seconds, given.folder, given.width))


if __name__ == "__main__":
    main()

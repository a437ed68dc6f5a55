"""Photos in the studio: from a key to the next picture on the screen.

    ./dev bench studio_pictures [--labels 200] [--photos 60] [--density 1] [--quick]

A real studio on loopback with photos of 4000 x 3000 pixels (JPEG, 2 to 5 MB each, made up: soft colors with
noise), and Chromium without a window or a graphics card. Somebody labels, with a pause of 0.3 to 0.5 seconds
after each key, while the worker learns behind. The page tells the time itself: from the time stamp of the key
press to the time at which the browser has painted the element with the next picture (Element Timing), which
includes saving, drawing the page and decoding. Every photo is in the pool several times, under different
names: the server and the browser take them for different ones. As a ratio: the same page with whole files.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from _figures import Figure, show
from PIL import Image
from playwright.sync_api import sync_playwright

BROWSER = Path(__file__).parents[1] / "tests" / "studio"
COPIES = 4
WINDOW = {"width": 1440, "height": 900}
# Every picture on the desk is timed when it is painted; key presses leave their time stamps.
WATCH = """
window.painted = []; window.pressed = [];
addEventListener("keydown", (event) => window.pressed.push(event.timeStamp), true);
new PerformanceObserver((list) => {
  for (const { renderTime, loadTime, url } of list.getEntries())
    window.painted.push([renderTime || loadTime, url]);
}).observe({ type: "element", buffered: true });
new MutationObserver((changes) => {
  for (const { addedNodes } of changes)
    for (const node of addedNodes)
      for (const image of node.nodeType === 1 ? [node, ...node.querySelectorAll("img")] : [])
        if (image.matches(".glass img")) image.setAttribute("elementtiming", "picture");
}).observe(document, { childList: true, subtree: true });
"""
# The same page without smaller pictures: what it asks for is the file.
WHOLE = """
const { get, set } = Object.getOwnPropertyDescriptor(HTMLImageElement.prototype, "src");
Object.defineProperty(HTMLImageElement.prototype, "src", {
  get, set(url) { set.call(this, url.replace(/[?]side=(800|1600|2560)$/, "")); },
});
"""
# Until the worker has chosen samples, and some seconds more.
READY = """async () => {
  const pause = (ms) => new Promise((go) => setTimeout(go, ms));
  while (!(await (await fetch("/api/state")).json()).ready || !window.painted.length) await pause(500);
  await pause(4000);
}"""
# The time from a key to the picture that was painted next.
NEXT = """([n, m]) => new Promise((done) => {
  const end = performance.now() + 5000;
  const look = () => {
    if (window.painted.length > n) done(window.painted[n][0] - window.pressed[m]);
    else if (performance.now() > end) done(null);
    else setTimeout(look, 20);
  };
  look();
})"""


def photos(folder: Path, n: int) -> None:
    rng = np.random.default_rng(0)
    for i in range(n):
        soft = Image.fromarray(rng.integers(0, 256, (12, 16, 3), dtype=np.uint8))
        colors = np.asarray(soft.resize((4000, 3000), Image.Resampling.BICUBIC)).astype(np.int16)
        colors += np.tile(rng.normal(0, 9, (1500, 1000)).astype(np.int16), (2, 4))[..., None]
        path = folder / f"{i:03d}-0.jpg"
        Image.fromarray(colors.clip(0, 255).astype(np.uint8)).save(path, quality=int(rng.integers(80, 91)))
        for copy in range(1, COPIES):
            os.link(path, folder / f"{i:03d}-{copy}.jpg")


def start(pool: Path, store: Path, budget: int) -> tuple[subprocess.Popen, str]:
    command = [sys.executable, "-m", "trigpoint.cli", "studio", str(pool)]
    command += ["--classes", "a,b,c", "--no-browser", "--json", "--port", "0", "--store", str(store)]
    command += ["--budget", str(budget)]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    told = ""
    for line in server.stdout:
        told += line
        if line == "}\n":
            break
    return server, json.loads(told)["url"]


def label(page, n: int, seed: int) -> tuple[list[float], int]:
    """Milliseconds from each key to the next picture, and how many did not come in five seconds."""
    rng = np.random.default_rng(seed)
    page.evaluate(READY)
    times = []
    for _ in range(n):
        before = page.evaluate("[window.painted.length, window.pressed.length]")
        page.keyboard.press("abc"[rng.integers(3)])
        times.append(page.evaluate(NEXT, before))
        page.wait_for_timeout(int(rng.integers(300, 501)))
    there = [time for time in times if time is not None]
    return there, len(times) - len(there)


def run(pool: Path, labels: int, density: float, whole: bool) -> tuple[list[float], str]:
    sys.path.insert(0, str(BROWSER))
    from browser import FLAGS, find_chromium

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server, url = start(pool, Path(folder) / "labels.db", labels + 1)
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=list(FLAGS))
        try:
            context = browser.new_context(viewport=WINDOW, device_scale_factor=density)
            context.add_init_script(WATCH + (WHOLE if whole else ""))
            page = context.new_page()
            page.goto(url)
            page.get_by_label("Your name").fill("Ada")
            page.keyboard.press("Enter")
            times, late = label(page, labels, seed=1)
            sizes = page.evaluate("[...document.querySelectorAll('.glass img')].map((i) => i.naturalWidth)")
        finally:
            browser.close()
            server.terminate()
            server.wait(60)
    said = f"{sizes} pixels wide, {len(times)} keys, most {max(times):.0f} ms, {late} not in 5 s"
    return times, f"{said}, load {os.getloadavg()[0]:.1f}"


def figures(quick, labels=200, n_photos=60, density=1.0):
    if quick:
        labels, n_photos = 10, 4
    with tempfile.TemporaryDirectory() as folder:
        pool = Path(folder) / "photos"
        pool.mkdir()
        photos(pool, n_photos)
        (resized, said), (whole, also) = (run(pool, labels, density, whole) for whole in (False, True))
    yield Figure("from a key to the next picture: median", np.median(resized), "ms", detail=said)
    times = [float(np.percentile(some, 95)) for some in (resized, whole)]
    yield Figure("from a key to the next picture: p95", times[0], "ms", "whole files", times[1], also)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--labels", type=int, default=200)
    arguments.add_argument("--photos", type=int, default=60)
    arguments.add_argument("--density", type=float, default=1, help="of the screen: 2 for fine ones")
    arguments.add_argument("--quick", action="store_true")
    given = arguments.parse_args()
    show(figures(given.quick, given.labels, given.photos, given.density))


if __name__ == "__main__":
    main()

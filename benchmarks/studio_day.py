"""An annotator's day: the same 500 labels one by one and with the gallery; how fast, and how good.

    ./dev bench studio_day [--labels 500] [--first 100] [--n-samples 5000] [--glance 0.4 ...] [--quick]

A real server, by HTTP, as the page does it. Pools: so many pictures of MNIST and of USPS (TRIGPOINT_DATA;
without it, scikit-learn's digits).

one by one   500 samples as the queue asks for them
gallery      100 as the queue asks for them. Then, class after class, a screen of 40 samples that are
             predicted to be of this class and have no label: the wrong ones are ticked and named, the rest is
             accepted. Until 500 have a label; and on, until the time of "one by one" is over.

The person is simulated. Seconds are those of the keystroke-level model (Card, Moran & Newell, The
keystroke-level model for user performance time with interactive systems, CACM 23(7), 1980) and of the model
human processor (Card, Moran & Newell, The Psychology of Human-Computer Interaction, 1983, chapter 2):

    a single label   M + K            think 1.35, press a key 0.28 (an average typist)
    a tile           one glance       0.4: an eye movement 0.23, perceive 0.1, decide 0.07
    a wrong tile     P + B + M + K    point 1.1, click 0.2, think, press the key of its class
    a screen         M + 2 (P + B) + M + 2K    choose the class in the list, then accept: Shift and Enter

All of them are options: real annotators differ by more than the two ways do. The person errs in 2 % of single
labels and of names for wrong tiles, and overlooks 5 % of the wrong tiles, which are then accepted. Nobody
tires, and nobody waits: the worker has always learned from the last screen (one by one: from the last 50).
"""

import argparse
import os
import sys
import tempfile
import time
import uuid
from pathlib import Path

import httpx
import numpy as np

sys.path.insert(0, str(Path(__file__).parent))
from _figures import Figure, show

from studio import _idx, start

BATCH = 50  # labels one by one until the worker has learned from them


def pools(n: int) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Pictures and their classes."""
    data = Path(os.environ.get("TRIGPOINT_DATA", ""))
    if not (data / "mnist").is_dir():
        from sklearn.datasets import load_digits

        digits = load_digits()
        return {"digits": ((digits.images * 15.9375).astype(np.uint8), digits.target)}
    mnist = [_idx(data / "mnist" / f"train-{part}.gz") for part in ("images-idx3-ubyte", "labels-idx1-ubyte")]
    usps = np.load(data / "pools" / "usps.npz")
    some = np.random.default_rng(0).permutation(len(usps["y"]))[:n]
    return {
        "MNIST": (mnist[0][:n], mnist[1][:n]),
        "USPS": (usps["X"][some].reshape(-1, 16, 16), usps["y"][some] % 10),
    }


class Day:
    """One studio, one person, and the time that they have spent."""

    def __init__(self, url, truth, given):
        base, token = url.split("/?")
        self._client = httpx.Client(base_url=base, headers={"Origin": base}, timeout=600)
        self._client.get("/?" + token)
        self._truth, self._given = truth, given
        self._rng = np.random.default_rng(given.seed)
        self.seconds = 0.0
        self.labels = {}  # sample -> the label that was given

    def queue(self, n):
        """Label n samples as they are asked for."""
        held = []
        for k in range(n):
            if k % BATCH == 0:
                self._learned()
                held = []
            if not held:
                held = self._act([], want=min(BATCH, n - k))["items"]
            i = held.pop(0)["sample"]
            value = self._named(i)
            more = {"sample": i, "value": str(value)}
            rest = [item["sample"] for item in held]
            self._act([{"client": str(uuid.uuid4()), "kind": "label", **more}], held=rest, want=len(rest))
            self.labels[i] = value
            self.seconds += self._given.mental + self._given.key
        self._learned()

    def screen(self, digit, most):
        """One screen of the gallery of a predicted class; how many samples it had."""
        query = {"of": "predicted", "name": str(digit), "sort": self._given.sort}
        answer = self._client.get("/api/gallery", params=query).raise_for_status()
        shown = np.frombuffer(answer.content, "<i4")[: min(self._given.screen, most)].tolist()
        if not shown:
            return 0
        wrong = [i for i in shown if self._truth[i] != digit and self._rng.random() >= self._given.overlook]
        values = {i: self._named(i) if i in wrong else digit for i in shown}
        group = str(uuid.uuid4())
        for value in sorted(set(values.values())):
            some = [i for i in shown if values[i] == value]
            more = {"samples": some, "value": str(value), "source": "gallery", "group": group}
            self._act([{"client": str(uuid.uuid4()), "kind": "labels", **more}])
        self.labels |= values
        point = self._given.point + self._given.click
        think = self._given.mental
        self.seconds += len(shown) * self._given.glance + len(wrong) * (point + think + self._given.key)
        self.seconds += 2 * (think + point + self._given.key)
        self._learned()
        return len(shown)

    def outcome(self):
        """Minutes, labels a minute, errors of the labels, of the rest and of all that comes out."""
        answer = self._client.get("/api/map/predictions").raise_for_status()
        state = self._state()
        codes = np.frombuffer(answer.content, "<i2", len(self._truth))
        predicted = np.array([*map(int, state["classes"]), -1])[codes]
        given = np.zeros(len(self._truth), dtype=bool)
        given[list(self.labels)] = True
        right = predicted == self._truth
        wrong = np.mean([value != self._truth[i] for i, value in self.labels.items()])
        right[list(self.labels)] = [value == self._truth[i] for i, value in self.labels.items()]
        rest, n = 1 - right[~given].mean(), len(self.labels)
        return self.seconds / 60, n, 60 * n / self.seconds, wrong, rest, 1 - right.mean()

    def _named(self, i):
        if self._rng.random() >= self._given.slip:
            return int(self._truth[i])
        return int(self._rng.choice([k for k in range(10) if k != self._truth[i]]))

    def _act(self, actions, held=(), want=0):
        body = {"annotator": "Ada", "held": list(held), "want": want, "actions": actions}
        answer = self._client.post("/api/actions", json=body).raise_for_status().json()
        assert len(answer["saved"]) == len(actions), answer["refused"]
        return answer

    def _state(self):
        return self._client.get("/api/state", params={"annotator": "Ada"}).raise_for_status().json()

    def _learned(self):
        """Until the worker has learned from all labels."""
        time.sleep(0.2)
        while (state := self._state())["learning"] or not state["ready"]:
            time.sleep(0.2)


def one_by_one(day, given):
    day.queue(given.labels)
    yield "one by one", day.outcome()


def with_gallery(day, given):
    day.queue(given.first)
    end, told = given.labels * (given.mental + given.key), False
    while day.seconds < end:
        before = len(day.labels)
        for digit in range(10):
            if day.seconds >= end:
                break
            most = given.screen if told else given.labels - len(day.labels)
            day.screen(digit, most)
            if not told and len(day.labels) == given.labels:
                told = True
                yield "gallery, as many labels", day.outcome()
        if len(day.labels) == before:
            break  # nothing is left
    yield "gallery, as much time", day.outcome()


def arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    for name, default in (("labels", 500), ("first", 100), ("n-samples", 5000), ("screen", 40), ("seed", 0)):
        parser.add_argument(f"--{name}", type=int, default=default)
    for name, default in (("mental", 1.35), ("key", 0.28), ("point", 1.1), ("click", 0.2), ("glance", 0.4)):
        parser.add_argument(f"--{name}", type=float, default=default, help="seconds")
    parser.add_argument("--slip", type=float, default=0.02, help="share of single labels that are wrong")
    parser.add_argument("--overlook", type=float, default=0.05, help="share of wrong tiles not seen")
    parser.add_argument("--sort", default="uncertainty", help="of the gallery, as in the page")
    parser.add_argument("--quick", action="store_true")
    return parser


def figures(quick, given=None):
    """Of 2,000 pictures, unless others are given."""
    if given is None:
        words = ["--labels", "30", "--first", "10"] if quick else ["--n-samples", "2000"]
        given = arguments().parse_args(words)
    for name, (images, truth) in pools(given.n_samples).items():
        if quick:
            images, truth = images[:500], truth[:500]
        yield from days(name, images, truth, given)
        if quick:
            return


def days(name, images, truth, given):
    for way in (one_by_one, with_gallery):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "pictures-idx3-ubyte"
            shape = np.array(images.shape, ">i4").tobytes()
            file.write_bytes(bytes([0, 0, 8, 3]) + shape + images.tobytes())
            server, url = start(file, len(truth))
            try:
                for what, (minutes, n, pace, wrong, rest, all_) in way(Day(url, truth, given), given):
                    said = f"{n} labels, {pace:.0f} a minute, {100 * wrong:.1f} % of them wrong, "
                    said += f"of the rest {100 * rest:.1f} %"
                    yield Figure(f"{name}, {what}", minutes, "minutes", detail=said)
                    yield Figure(f"{name}, {what}: wrong in the pool", 100 * all_, "%")
            finally:
                server.terminate()
                server.wait(20)


def main() -> None:
    given = arguments().parse_args()
    show(figures(given.quick, None if given.quick else given))


if __name__ == "__main__":
    main()

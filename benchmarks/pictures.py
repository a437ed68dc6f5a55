"""Pictures: gradients beside pixels, from the choice of labels to the error of the rest.

    ./dev bench pictures [--data FOLDER] [--n-samples N] [--seeds K ...] [--quick]

For pools of grey pictures in the folder (by default $TRIGPOINT_DATA), at 32 x 32 pixels as a folder of files
would be read: the error of the rest with all defaults, for 2 and 5 labels a class (1 and 2 from 60 classes
on), a random part of each pool.
"""

import argparse
import gzip
import os
from pathlib import Path

import numpy as np
from _figures import Figure, show
from PIL import Image
from sklearn.datasets import load_digits

import trigpoint as tp
from trigpoint.features import picture_recipe

SIZE = (32, 32)


def pools(folder):
    """Names, and functions that return pictures, (n, h, w) uint8, and classes."""

    def archive(path, pixels, classes, shape):
        with np.load(folder / path) as file:
            found = file[pixels].reshape(-1, *shape).astype(float)
            return np.rint(255 * (found - found.min()) / np.ptp(found)).astype(np.uint8), file[classes]

    def mnist():
        parts = [(folder / "mnist" / f"t10k-{name}.gz", skip) for name, skip in IDX]
        images, labels = (
            np.frombuffer(gzip.decompress(path.read_bytes())[skip:], dtype=np.uint8) for path, skip in parts
        )
        return images.reshape(-1, 28, 28), labels

    digits = load_digits()
    yield "digits", lambda: ((digits.images * 15.9).astype(np.uint8), digits.target)
    yield "mnist", mnist
    yield "usps", lambda: archive("pools/usps.npz", "X", "y", (16, 16))
    yield "umist", lambda: archive("pools/umist.npz", "X", "y", (32, 32))
    yield "palm", lambda: archive("pools/palm.npz", "X", "y", (16, 16))
    yield "ar_faces", lambda: archive("ar_faces.npz", "images", "labels", (55, 40))
    yield "extended_yaleb", lambda: archive("extended_yaleb.npz", "images_48x42", "labels", (48, 42))


IDX = (("images-idx3-ubyte", 16), ("labels-idx1-ubyte", 8))


def resized(images):
    small = [Image.fromarray(image).resize(SIZE[::-1], Image.Resampling.BOX) for image in images]
    return np.stack([np.asarray(image) for image in small])


def error(X, y, budget):
    picks = tp.LandmarkSelector(n_landmarks=budget).fit(X).landmarks_
    told = np.full(len(y), -1)
    told[picks] = y[picks]
    found = tp.ManifoldClassifier().fit(X, told).transduction_
    return float(np.mean(found[told < 0] != y[told < 0]))


def figures(quick, data=None, n_samples=1200, seeds=(0, 1), names=None):
    data, ratios = data or Path(os.environ.get("TRIGPOINT_DATA", ".")), {"fewer": [], "more": []}
    for seed in seeds[:1] if quick else seeds:
        yield from drawn(quick, data, n_samples, seed, names, ratios)
    for which, found in ratios.items():
        if found:
            mean = float(np.exp(np.mean(np.log(found))))
            yield Figure(f"gradients to pixels, {which} labels", mean, "", detail="geometric mean")


def drawn(quick, data, n_samples, seed, names, ratios):
    """The errors of one draw of every pool; their ratios are added to ``ratios``."""
    for name, load in pools(data):
        if (names is not None and name not in names) or (quick and name != "digits"):
            continue
        try:
            images, classes = load()
        except FileNotFoundError:
            continue
        y = np.unique(classes, return_inverse=True)[1]
        part = np.random.default_rng(seed).permutation(len(y))[: 300 if quick else n_samples]
        pixels, y = resized(images[part]), y[part]
        k = len(np.unique(y))
        for which, budget in zip(ratios, (2 * k, 5 * k) if k < 60 else (k, 2 * k), strict=True):
            both = [
                error(picture_recipe(SIZE, method=method).transform(pixels), y, budget)
                for method in ("gradients", "pixels")
            ]
            title = f"{name}, draw {seed}, {which} labels: error"
            yield Figure(title, both[0], "", "pixels", both[1], f"{budget} labels")
            ratios[which] += [both[0] / both[1]] if min(both) > 0 else []


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=None)
    parser.add_argument("--n-samples", type=int, default=1200)
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1])
    parser.add_argument("--pools", nargs="+", default=None)
    parser.add_argument("--quick", action="store_true")
    given = parser.parse_args()
    show(figures(given.quick, given.data, given.n_samples, given.seeds, given.pools))


if __name__ == "__main__":
    main()

"""Small pools of every kind, whose ids tell what the right label is."""

import csv

import numpy as np
from PIL import Image
from sklearn.datasets import load_digits, load_iris

DIGITS = "0,1,2,3,4,5,6,7,8,9"
TOPICS = {"sea": "waves sail anchor tide harbor fish salt", "hill": "summit cairn ridge path snow goat stone"}


def digit_of(name):
    """The class of a sample of `digits`.

    >>> digit_of("0012-7.png")
    '7'
    """
    return name.removesuffix(".png")[-1]


def digits(folder, n=300):
    """Pictures of 8 x 8 pixels, named by number and digit."""
    images, classes = load_digits(return_X_y=True)
    for i, (image, digit) in enumerate(zip(images[:n], classes[:n], strict=True)):
        pixels = (image.reshape(8, 8) * 15.9).astype(np.uint8)
        Image.fromarray(pixels).save(folder / f"{i:04d}-{digit}.png")
    return folder


def spots(folder, n=40):
    """Pictures of 120 x 80 pixels with a bright spot; `spot_of` tells where."""
    rng = np.random.default_rng(0)
    rows, columns = np.mgrid[:80, :120]
    for _ in range(n):
        x, y = rng.integers(20, 100), rng.integers(20, 60)
        light = 255 * np.exp(-((columns + 0.5 - x) ** 2 + (rows + 0.5 - y) ** 2) / 60)
        Image.fromarray(light.astype(np.uint8)).save(folder / f"spot-{x}-{y}.png")
    return folder


def spot_of(name):
    """
    >>> spot_of("spot-31-40.png")
    (31, 40)
    """
    _, x, y = name.removesuffix(".png").split("-")
    return int(x), int(y)


def texts(path, n=60):
    """Sentences about the sea and the hills; ids begin with the topic."""
    rng = np.random.default_rng(0)
    rows = []
    for i in range(n):
        topic = list(TOPICS)[i % 2]
        rows.append((f"{topic}-{i:03d}", " ".join(rng.choice(TOPICS[topic].split(), 12))))
    return write_csv(path, ("id", "text"), rows)


def flowers(path):
    """The irises: a table with four numbers a row."""
    iris = load_iris()
    names = [name.removesuffix(" (cm)") for name in iris.feature_names]
    rows = [
        (f"{iris.target_names[k]}-{i}", *x)
        for i, (x, k) in enumerate(zip(iris.data, iris.target, strict=True))
    ]
    return write_csv(path, ("id", *names), rows)


def ring(path, n=40):
    """A graph: each node is tied to the next two of a ring."""
    edges = [(f"node {i}", f"node {(i + step) % n}") for i in range(n) for step in (1, 2)]
    return write_csv(path, ("source", "target"), edges)


def cloud(path, n):
    """Four clouds of points in four dimensions, without ids."""
    rng = np.random.default_rng(0)
    centers = 6 * np.eye(4)
    np.save(path, centers[np.arange(n) % 4] + rng.normal(size=(n, 4)))
    return path


def write_csv(path, header, rows):
    with path.open("w", newline="", encoding="utf-8") as sink:
        csv.writer(sink).writerows([header, *rows])
    return path


def lamps(folder, n=80):
    """Pictures of 16 x 16 pixels with a light in the north, east, south or west; ids end with where it is."""
    rng = np.random.default_rng(0)
    rows, columns = np.mgrid[:16, :16]
    for i in range(n):
        name, y, x = (("north", 3, 8), ("east", 8, 12), ("south", 12, 8), ("west", 8, 3))[i % 4]
        y, x = np.array([y, x]) + rng.normal(0, 0.5, 2)
        light = 180 * np.exp(-((rows - y) ** 2 + (columns - x) ** 2) / 12) + rng.normal(40, 5, (16, 16))
        Image.fromarray(light.clip(0, 255).astype(np.uint8)).save(folder / f"{i:02d}-{name}.png")
    return folder

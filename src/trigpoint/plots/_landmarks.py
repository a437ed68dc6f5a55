"""A run as one picture for paper, by matplotlib."""

from typing import Any

import numpy as np

from trigpoint._types import Array, Floats, Ints
from trigpoint.plots._figure import empty_figure


def landmarks_picture(
    images: Floats,  # (l, h, w) the landmarks as pictures
    labels: Ints,  # (l,)
    coordinates: Floats,  # (n, 2) of all samples
    landmarks: Ints,  # (l,)
    predicted: Ints,  # (n,)
    wrong: Array,  # (n,) bool
    budgets: Ints,
    accuracy: Floats,  # (b,)
    random_accuracy: Floats,  # (draws, b)
) -> Any:
    """The landmarks, the map that they fill in, and the accuracy against random choices."""
    figure = empty_figure(figsize=(13, 8), layout="constrained")
    subfigures: Any = figure.subfigures(2, 1, height_ratios=[1, 3.2])
    top, bottom = subfigures
    _gallery(top, images, labels)
    left, right = bottom.subplots(1, 2, width_ratios=[1.5, 1])
    _map(left, coordinates, landmarks, predicted, wrong)
    _curve(right, budgets, accuracy, random_accuracy)
    return figure


def _gallery(figure: Any, images: Floats, labels: Ints, columns: int = 25) -> None:
    shown = min(len(images), 2 * columns)
    figure.suptitle(f"The {len(images)} samples worth labeling, in order of choice", fontsize=11)
    axes = np.atleast_1d(figure.subplots(-(-shown // columns), min(columns, shown))).ravel()
    for axis in axes:
        axis.set_axis_off()
    for axis, image, label in zip(axes, images[:shown], labels[:shown], strict=False):
        axis.imshow(image, cmap="gray_r")
        axis.set_title(str(label), fontsize=8, pad=2)


def _map(axis: Any, coordinates: Floats, landmarks: Ints, predicted: Ints, wrong: Array) -> None:
    axis.scatter(*coordinates.T, c=predicted, cmap="tab10", s=8, alpha=0.6, linewidths=0)
    axis.scatter(*coordinates[landmarks].T, c="none", edgecolors="black", s=60, label="labeled by a person")
    axis.scatter(*coordinates[wrong].T, marker="x", c="black", s=24, linewidths=0.8, label="inferred wrongly")
    for label in np.unique(predicted):
        center = np.median(coordinates[predicted == label], axis=0)
        axis.annotate(str(label), center, fontsize=16, weight="bold", ha="center", va="center")
    axis.set(xticks=[], yticks=[], title="The whole pool, colored by inferred label")
    axis.legend(loc="upper right", fontsize=9)


def _curve(axis: Any, budgets: Ints, accuracy: Floats, random_accuracy: Floats) -> None:
    mean = 100 * random_accuracy.mean(axis=0)
    low, high = 100 * np.quantile(random_accuracy, [0.05, 0.95], axis=0)
    axis.fill_between(budgets, low, high, color="gray", alpha=0.25, label="random, 5 to 95 %")
    axis.plot(budgets, mean, color="gray", marker="o", label="random, mean")
    axis.plot(budgets, 100 * accuracy, color="tab:blue", marker="o", linewidth=2, label="trigpoint")
    axis.set(
        xlabel="labels", ylabel="accuracy on the unlabeled rest (%)", title="Accuracy by number of labels"
    )
    axis.grid(alpha=0.3)
    axis.legend(loc="lower right")

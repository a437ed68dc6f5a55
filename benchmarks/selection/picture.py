"""The picture of a bake-off, from its trials. Alone, it draws that of a folder anew from its trials.csv:

python benchmarks/selection/picture.py docs/bakeoff
"""

import csv
import sys
from pathlib import Path

from standings import AUTO, RANDOM

from trigpoint.plots import curves_picture, save_picture
from trigpoint.trials import series, series_panel

WHERE = {"held_out": "samples held out", "rest": "unlabeled rest of the pool"}
DRAWN = (
    AUTO,
    RANDOM,
    "learner",
    "kmeans",
    "maxmin_geodesic",
    "gcls",
    "aligned",
    "v_optimal",
    "apricot facility",
    "graphlearning var_opt",
    "graphlearning uncertainty",
    "activeml TypiClust",
)


def picture(rows):
    """A panel a pool and measure: the error of some methods against the number of landmarks."""
    pools = {}
    for row in rows:
        pools.setdefault(row["pool"], []).append(row)
    panels = [
        [
            series_panel(
                series(trials, ("n_landmarks",), where),
                [name for name in DRAWN if any(row["method"] == name for row in trials)],
                f"{pool}, {what}",
                "landmarks",
                "error",
                (AUTO, RANDOM),
                log=True,
            )
            for where, what in WHERE.items()
        ]
        for pool, trials in pools.items()
    ]
    return curves_picture(panels, "Error against the number of landmarks")


def read(path):
    """The rows of a trials.csv."""
    with path.open(newline="") as file:
        return [
            row
            | {name: int(row[name]) for name in ("trial", "n_landmarks")}
            | {where: float(row[where]) if row[where] else None for where in WHERE}
            for row in csv.DictReader(file)
        ]


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    save_picture(picture(read(folder / "trials.csv")), folder / "selection.png", few_colors=True)

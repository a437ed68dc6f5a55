"""The experiments as data: the paper's sizes, and a quick preset that runs the same code in two minutes."""

from dataclasses import dataclass, replace

SUITES = ("regression", "classification", "runtime", "bound", "torus")
NOISE = 0.1  # standard deviation: the paper's variance of 0.01, on pixels in [0, 1]
CONDITIONS = {"clean": 0.0, "noisy": NOISE}


@dataclass(frozen=True)
class RegressionSet:
    """One data set of the regression experiments; ``paper`` is its name in the paper's tables."""

    name: str
    title: str
    paper: str
    pool: int  # images in the pool that each trial draws from
    n_samples: int
    n_features: int | None  # principal components of the pool; None: the pixels
    n_neighbors: int
    budgets: tuple[int, ...]
    slow_trials: int = 20
    slow_ltsa: bool = True  # whether slow methods also select on LTSA
    real: bool = False  # needs --data


@dataclass(frozen=True)
class ClassificationSet:
    """One data set of the classification experiments, with Jiang et al.'s dictionary."""

    name: str
    title: str
    paper: str
    n_features: int  # of the random projection, drawn anew in every trial
    atoms_per_class: int
    labels_per_class: tuple[int, ...]
    people: int | None = None  # the first so many only


@dataclass(frozen=True)
class Preset:
    name: str
    trials: int
    regression: tuple[RegressionSet, ...]
    classification: tuple[ClassificationSet, ...]
    sparsity: int
    dictionary_iterations: int
    runtime_n: int  # the pool whose l varies
    runtime_budgets: tuple[int, ...]
    runtime_sizes: tuple[int, ...]
    runtime_l: int  # the budget at which n varies
    runtime_slow_n: int  # slow methods are not timed above
    torus_n: int
    torus_budgets: tuple[int, ...]
    torus_slow_trials: int


FACES = RegressionSet(
    "faces", "Faces, rendered", "Face", 698, 500, 200, 30, (40, 80, 120, 160, 200), slow_trials=10
)
FULL = Preset(
    name="full",
    trials=20,
    regression=(
        FACES,
        replace(FACES, name="isomap_faces", title="Faces, ISOMAP's", real=True),
        RegressionSet("lips", "Lips, rendered", "Lips", 2000, 80, 196, 35, (40, 45, 50, 55, 60)),
        RegressionSet(
            "jazz_hands",
            "Jazz hands, rendered",
            "Jazz Hand",
            2000,
            1000,
            498,
            30,
            (300, 400, 500, 600, 700),
            slow_trials=2,
            slow_ltsa=False,
        ),
        RegressionSet(
            "deformed_grid",
            "Deformed grid, rendered",
            "Grid",
            3000,
            1500,
            None,
            30,
            (220, 240, 260, 280, 300),
            slow_trials=2,
            slow_ltsa=False,
        ),
    ),
    classification=(
        ClassificationSet("ar", "AR", "AR", 540, 5, (10, 15, 20)),
        ClassificationSet("yaleb", "Extended YaleB", "Extended YaleB", 504, 15, (15, 20, 25)),
    ),
    sparsity=30,
    dictionary_iterations=50,
    runtime_n=500,
    runtime_budgets=(40, 80, 120, 160, 200),
    runtime_sizes=(250, 500, 1000, 2000),
    runtime_l=50,
    runtime_slow_n=1000,
    torus_n=500,
    torus_budgets=(20, 40, 60, 80, 100),
    torus_slow_trials=20,
)
QUICK = Preset(
    name="quick",
    trials=2,
    regression=(
        RegressionSet("faces", "Faces, rendered", "Face", 150, 100, 60, 12, (20, 40)),
        RegressionSet(
            "isomap_faces", "Faces, ISOMAP's", "Face", 698, 100, 60, 12, (20, 40), slow_trials=1, real=True
        ),
        RegressionSet("lips", "Lips, rendered", "Lips", 250, 80, 60, 35, (40, 50)),
        RegressionSet(
            "jazz_hands", "Jazz hands, rendered", "Jazz Hand", 150, 100, 60, 12, (30, 50), 1, False
        ),
        RegressionSet(
            "deformed_grid", "Deformed grid, rendered", "Grid", 250, 120, None, 12, (30, 50), 1, False
        ),
    ),
    classification=(
        ClassificationSet("ar", "AR", "AR", 100, 5, (6, 8), people=6),
        ClassificationSet("yaleb", "Extended YaleB", "Extended YaleB", 100, 8, (10,), people=5),
    ),
    sparsity=8,
    dictionary_iterations=5,
    runtime_n=150,
    runtime_budgets=(20, 40),
    runtime_sizes=(100, 150),
    runtime_l=20,
    runtime_slow_n=150,
    torus_n=120,
    torus_budgets=(20, 40),
    torus_slow_trials=1,
)
PRESETS = {"full": FULL, "quick": QUICK}

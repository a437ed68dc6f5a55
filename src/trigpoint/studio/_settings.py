"""What a studio is told when it is first opened; kept in its store."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    """How a pool is labeled.

    Attributes
    ----------
    task : "classification" or "regression"
    classes : that are known from the start; others may come up at any time
    targets : names of the numbers that make a real value; () for classes
    points : names of points to click on a picture; then the targets are the x and y of each, in its pixels
    budget : samples to label
    overlap : people who label each sample
    audit : share of the questions that are drawn at random, to tell the accuracy
    seed, method, n_neighbors, metric : as in `ActiveLearner`
    """

    task: str = "classification"
    classes: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    points: tuple[str, ...] = ()
    budget: int = 100
    overlap: int = 1
    audit: float = 0.1
    seed: int = 0
    method: str = "auto"
    n_neighbors: int = 10
    metric: str = "euclidean"

    @property
    def regresses(self) -> bool:
        return self.task == "regression"

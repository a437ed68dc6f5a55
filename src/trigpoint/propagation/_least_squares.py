"""Least-squares propagation (Yang, Fu, Zha & Barlow, 2006): see `_system` for the equations."""

from dataclasses import dataclass

import numpy as np

from trigpoint._types import Floats, Ints, Sparse
from trigpoint.propagation._reach import Reach
from trigpoint.propagation._solvers import Outcome, solve_system
from trigpoint.propagation._system import System, hard_system, soft_system


@dataclass(frozen=True, eq=False)
class Field:
    """A pool with landmarks, ready to solve: phi, the null vector s, and how landmarks hold."""

    phi: Sparse
    landmarks: Ints
    found: Reach
    scale: Floats | None  # s; None where s = 1
    beta: Floats | None  # (l,); None: hard landmarks
    gamma: float

    def system(self, values: Floats) -> System:
        """The equations for values of shape (l, d) at the landmarks."""
        targets = values if self.scale is None else values * self.scale[self.landmarks, None]
        shared = (self.phi, self.landmarks, targets, self.found.reached, self.gamma)
        return hard_system(*shared) if self.beta is None else soft_system(*shared, self.beta)

    def near_null(self, system: System) -> Floats | None:
        return None if self.scale is None else self.scale[system.unknown]


def least_squares(field: Field, values: Floats, solver: str, tol: float) -> tuple[Floats, Outcome]:
    """z of shape (n, d), NaN where no landmark reaches, and how the system was solved."""
    system = field.system(values)
    z = np.full((field.phi.shape[0], values.shape[1]), np.nan)
    if field.beta is None:
        z[field.landmarks] = values
    if len(system.unknown) == 0:
        return z, Outcome(np.empty((0, values.shape[1])), "none", 0, 0.0)
    outcome = solve_system(system.A, system.B, solver=solver, tol=tol, near_null=field.near_null(system))
    u = system.start + outcome.X
    z[system.unknown] = u if field.scale is None else u / field.scale[system.unknown, None]
    return z, outcome

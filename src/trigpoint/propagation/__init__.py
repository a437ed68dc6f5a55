"""Landmark values in, values for every sample out.

`propagate` infers values, `solve` also tells how; `uncertainty` and `posterior` how sure they are;
`extend` and `extend_std` carry both to new samples; `embed` gives coordinates to any other model.
`classify` turns propagated one-hot values into classes; `encode` and `decode` go from labels to class
numbers and back.
"""

from trigpoint.propagation._classes import Classes, classify, decode, encode, label_array, mass_ratio
from trigpoint.propagation._cycle import Cycle, cycle_of
from trigpoint.propagation._direct import Factor, factorize
from trigpoint.propagation._eigen import Quadratic, smallest_eigenvectors
from trigpoint.propagation._embed import embed
from trigpoint.propagation._extend import coincide, copies, extend, weighted_means
from trigpoint.propagation._extend_std import extend_std
from trigpoint.propagation._posterior import Posterior, UnknownScaleError, field_scale, posterior, uncertainty
from trigpoint.propagation._propagate import Solution, check_no_classes, propagate, solve
from trigpoint.propagation._reach import NEGLIGIBLE, Reach, reach, warn_outside, warn_unreached
from trigpoint.propagation._solver import HUGE, Solver, affordable
from trigpoint.propagation._structure import NULL

__all__ = [
    "HUGE",
    "NEGLIGIBLE",
    "NULL",
    "Classes",
    "Cycle",
    "Factor",
    "Posterior",
    "Quadratic",
    "Reach",
    "Solution",
    "Solver",
    "UnknownScaleError",
    "affordable",
    "check_no_classes",
    "classify",
    "coincide",
    "copies",
    "cycle_of",
    "decode",
    "embed",
    "encode",
    "extend",
    "extend_std",
    "factorize",
    "field_scale",
    "label_array",
    "mass_ratio",
    "posterior",
    "propagate",
    "reach",
    "smallest_eigenvectors",
    "solve",
    "uncertainty",
    "warn_outside",
    "warn_unreached",
    "weighted_means",
]

"""Landmark values in, values for every sample out.

`propagate` infers values, `solve` also tells how; `uncertainty` and `posterior` how sure they are;
`extend` and `extend_std` carry both to new samples; `embed` gives coordinates to any other model.
"""

from trigpoint.propagation._embed import embed
from trigpoint.propagation._extend import extend
from trigpoint.propagation._extend_std import extend_std
from trigpoint.propagation._posterior import Posterior, field_scale, posterior, uncertainty
from trigpoint.propagation._propagate import Solution, propagate, solve

__all__ = [
    "Posterior",
    "Solution",
    "embed",
    "extend",
    "extend_std",
    "field_scale",
    "posterior",
    "propagate",
    "solve",
    "uncertainty",
]

"""From an alignment matrix (and a graph) to landmarks: which samples to label."""

from typing import TYPE_CHECKING

from trigpoint._lazy import on_first_use

if TYPE_CHECKING:
    from trigpoint.selection._block_cells import (
        block_coarse,
        block_degrees,
        chosen_cells,
        region_centers,
        shares,
    )
    from trigpoint.selection._cells import Cells
    from trigpoint.selection._dense import first_best
    from trigpoint.selection._expected_risk import LabeledLandmarks, gaussian_field_loop, gaussian_field_step
    from trigpoint.selection._facility import PLENTY, WHOLE, coarse_pool, facility_of_groups
    from trigpoint.selection._field import Field, condition, unlabeled_field
    from trigpoint.selection._gaussian_field import LIMIT as DENSE_LIMIT
    from trigpoint.selection._gaussian_field import Field as GaussianField
    from trigpoint.selection._gaussian_field import check_prior, gaussian_process
    from trigpoint.selection._gaussian_field import condition as gaussian_condition
    from trigpoint.selection._pool import Pool
    from trigpoint.selection._resolvent import Resolvent, in_units, resolvent_correlations
    from trigpoint.selection._scale import scale_for
    from trigpoint.selection._select import check_counts, check_method, check_needs, select
    from trigpoint.selection._selector import AUTO, METHODS, SELECTORS, Selector, check_weighs, selector_of

__all__ = [
    "AUTO",
    "DENSE_LIMIT",
    "METHODS",
    "PLENTY",
    "SELECTORS",
    "WHOLE",
    "Cells",
    "Field",
    "GaussianField",
    "LabeledLandmarks",
    "Pool",
    "Resolvent",
    "Selector",
    "block_coarse",
    "block_degrees",
    "check_counts",
    "check_method",
    "check_needs",
    "check_prior",
    "check_weighs",
    "chosen_cells",
    "coarse_pool",
    "condition",
    "facility_of_groups",
    "first_best",
    "gaussian_condition",
    "gaussian_field_loop",
    "gaussian_field_step",
    "gaussian_process",
    "in_units",
    "region_centers",
    "resolvent_correlations",
    "scale_for",
    "select",
    "selector_of",
    "shares",
    "unlabeled_field",
]

_FILE = {
    "Cells": "_cells",
    "first_best": "_dense",
    **dict.fromkeys(("LabeledLandmarks", "gaussian_field_loop", "gaussian_field_step"), "_expected_risk"),
    **dict.fromkeys(
        ("region_centers", "block_coarse", "block_degrees", "chosen_cells", "shares"), "_block_cells"
    ),
    **dict.fromkeys(("PLENTY", "WHOLE", "coarse_pool", "facility_of_groups"), "_facility"),
    **dict.fromkeys(("Field", "condition", "unlabeled_field"), "_field"),
    **dict.fromkeys(("check_prior", "gaussian_process"), "_gaussian_field"),
    "DENSE_LIMIT": "_gaussian_field.LIMIT",
    "GaussianField": "_gaussian_field.Field",
    "gaussian_condition": "_gaussian_field.condition",
    "Pool": "_pool",
    **dict.fromkeys(("Resolvent", "in_units", "resolvent_correlations"), "_resolvent"),
    "scale_for": "_scale",
    **dict.fromkeys(("check_counts", "check_method", "check_needs", "select"), "_select"),
    **dict.fromkeys(("AUTO", "METHODS", "SELECTORS", "Selector", "check_weighs", "selector_of"), "_selector"),
}
if not TYPE_CHECKING:  # which would take any name for one of ours
    __getattr__ = on_first_use(__name__, _FILE)

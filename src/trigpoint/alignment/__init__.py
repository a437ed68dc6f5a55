"""From a neighbor graph (and features) to the alignment matrix phi; one method a file, its maths on top."""

from typing import TYPE_CHECKING

from trigpoint._lazy import on_first_use

if TYPE_CHECKING:
    from trigpoint.alignment._alignment import ALIGNMENTS, Alignment, Shape, align, check_align, check_shape
    from trigpoint.alignment._block_rows import (
        block_powers,
        block_sample,
        laplacian_block,
        plain_block,
        sampled_lists,
        symmetric_block,
        tuned_block,
        tuning,
        turned,
    )
    from trigpoint.alignment._diffusion import diffusion
    from trigpoint.alignment._group_rows import (
        block_is_laplacian,
        block_links,
        block_strongest,
        completed,
        cut_by_groups,
        founded,
        groups_of_ranges,
        rows_among,
        rows_of_groups,
    )
    from trigpoint.alignment._groups import Groups, groups
    from trigpoint.alignment._isomap import isomap
    from trigpoint.alignment._laplacian import degrees, laplacian
    from trigpoint.alignment._lle import lle, shortest_weights
    from trigpoint.alignment._ltsa import ltsa
    from trigpoint.alignment._weights import (
        PERPLEXITY,
        check_perplexity,
        check_weights,
        edge_weights,
        filled_scales,
        last_distances,
        local_scales,
        sharpness,
        warn_of_underflow,
    )

__all__ = [
    "ALIGNMENTS",
    "PERPLEXITY",
    "Alignment",
    "Groups",
    "Shape",
    "align",
    "block_is_laplacian",
    "block_links",
    "block_powers",
    "block_sample",
    "block_strongest",
    "check_align",
    "check_perplexity",
    "check_shape",
    "check_weights",
    "completed",
    "cut_by_groups",
    "degrees",
    "diffusion",
    "edge_weights",
    "filled_scales",
    "founded",
    "groups",
    "groups_of_ranges",
    "isomap",
    "laplacian",
    "laplacian_block",
    "last_distances",
    "lle",
    "local_scales",
    "ltsa",
    "plain_block",
    "rows_among",
    "rows_of_groups",
    "sampled_lists",
    "sharpness",
    "shortest_weights",
    "symmetric_block",
    "tuned_block",
    "tuning",
    "turned",
    "warn_of_underflow",
]

_FILE = {
    **dict.fromkeys(("ALIGNMENTS", "Alignment", "Shape"), "_alignment"),
    **dict.fromkeys(("align", "check_align", "check_shape"), "_alignment"),
    "diffusion": "_diffusion",
    **dict.fromkeys(("Groups", "groups"), "_groups"),
    **dict.fromkeys(
        (
            "block_is_laplacian",
            "block_links",
            "block_strongest",
            "completed",
            "cut_by_groups",
            "founded",
            "groups_of_ranges",
            "rows_among",
            "rows_of_groups",
        ),
        "_group_rows",
    ),
    "isomap": "_isomap",
    **dict.fromkeys(("degrees", "laplacian"), "_laplacian"),
    **dict.fromkeys(("lle", "shortest_weights"), "_lle"),
    "ltsa": "_ltsa",
    **dict.fromkeys(
        (
            "PERPLEXITY",
            "check_perplexity",
            "check_weights",
            "edge_weights",
            "filled_scales",
            "last_distances",
            "local_scales",
            "sharpness",
            "warn_of_underflow",
        ),
        "_weights",
    ),
    **dict.fromkeys(
        (
            "block_powers",
            "block_sample",
            "laplacian_block",
            "plain_block",
            "sampled_lists",
            "symmetric_block",
            "tuned_block",
            "tuning",
            "turned",
        ),
        "_block_rows",
    ),
}
if not TYPE_CHECKING:  # which would take any name for one of ours
    __getattr__ = on_first_use(__name__, _FILE)

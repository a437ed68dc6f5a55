"""What there is to know of an alignment before it is computed, as data: one record beside each function."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from trigpoint._errors import InputError
from trigpoint._lazy import Records

ALIGNMENTS: "Records[Alignment]" = Records(
    "trigpoint.alignment", "ALIGNMENT", ("laplacian", "diffusion", "lle", "ltsa", "isomap")
)


@dataclass(frozen=True)
class Shape:
    """The numbers of samples, features and neighbors of a pool.

    Attributes
    ----------
    n_samples : int
    n_features : None for a graph that came without features
    n_neighbors : length of the longest list
    """

    n_samples: int
    n_features: int | None
    n_neighbors: int


@dataclass(frozen=True)
class Alignment:
    """One way to make phi.

    Attributes
    ----------
    name : as `align` knows it
    build : ``build(graph, its own options) -> phi``, or ``build(graph, X, its own options)``
    check : ``check(shape, its own options by name)``, refuses values that such a pool does not admit
    dense : whether phi is a dense array
    needs_features : whether ``build`` takes X
    options : its other parameters and their defaults
    required : the options that have none
    """

    name: str
    build: Callable[..., Any]
    check: Callable[..., object]
    dense: bool = False
    needs_features: bool = field(init=False)
    options: Mapping[str, Any] = field(init=False)
    required: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        parameters = dict(inspect.signature(self.build).parameters)
        parameters.pop("graph")
        object.__setattr__(self, "needs_features", parameters.pop("X", None) is not None)
        object.__setattr__(self, "options", {name: one.default for name, one in parameters.items()})
        none = tuple(name for name, default in self.options.items() if default is inspect.Parameter.empty)
        object.__setattr__(self, "required", none)


def check_align(name: str, options: Mapping[str, Any]) -> Alignment:
    """The record of an alignment; refuses an unknown name, unknown options and missing ones."""
    from trigpoint._validation import check_choice  # numpy, which the names alone do not need

    alignment = ALIGNMENTS[check_choice(name, "alignment", ALIGNMENTS.names)]
    for option in options:
        if option not in alignment.options:
            takes = ", ".join(alignment.options)
            raise InputError(option, f"is not an option of alignment={name!r}, whose options are: {takes}")
    for option in alignment.required:
        if option not in options:
            raise InputError("alignment_options", f"must hold {option} for {name!r}", dict(options))
    return alignment


def check_shape(name: str, options: Mapping[str, Any], shape: Shape) -> None:
    """Refuse values of options that a pool of this shape does not admit, and missing features."""
    alignment = ALIGNMENTS[name]
    if alignment.needs_features and shape.n_features is None:
        raise InputError("X", f"must be given for alignment={name!r}", "None")
    alignment.check(shape, **{**alignment.options, **options})


def align(name: str, graph: Any, X: Any = None, **options: Any) -> Any:
    """The alignment matrix of a name, "laplacian", "diffusion", "lle", "ltsa" or "isomap".

    Parameters
    ----------
    name : str
    graph : NeighborGraph
    X : (n, p) features, for those that work on them ("lle", "ltsa")
    options : those of the function of that name

    Returns
    -------
    phi : (n, n) csr_array; a dense array for "isomap"

    Notes
    -----
    Cost: that of the function of that name: O(m) for m edges of "laplacian" and "diffusion", O(n K^2 (p +
    K)) of "lle" and "ltsa", O(n^2 (K + log n)) of "isomap".

    See Also
    --------
    trigpoint.laplacian, trigpoint.diffusion, trigpoint.lle, trigpoint.ltsa, trigpoint.isomap

    Examples
    --------
    >>> import trigpoint as tp
    >>> from trigpoint.alignment import align
    >>> path = tp.graph_from_edges([[0, 1], [1, 2]])
    >>> align("laplacian", path, weights="binary").toarray()
    array([[ 1., -1.,  0.],
           [-1.,  2., -1.],
           [ 0., -1.,  1.]])
    """
    alignment = check_align(name, options)
    if not alignment.needs_features:
        return alignment.build(graph, **options)
    if X is None:
        raise InputError("X", f"must be given for alignment={name!r}", "None")
    return alignment.build(graph, X, **options)

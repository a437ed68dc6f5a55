"""Selection on a cluster.

Above 200,000 samples, one machine chooses by default among the groups of a Laplacian. These are made where
the rows are, and one worker gets them, without phi (`_grouping`): the answer is the same to the last bit.
Elsewhere, where phi and what the method makes of it fit the memory of one worker, that worker runs
`trigpoint.select`: the answer is the same to the last bit, too. What is needed is estimated as

    FACTOR times the bytes of phi + EACH bytes a sample      (for "auto": the correlations of `_facility`)

and with groups as `DENSE` bytes + `GROUPED` bytes a sample; it must lie within 0.6 of the worker's memory
limit. Where it does not, "auto" takes two rounds: the pool is
cut into regions along its graph (`_regions`), each is covered with its share of 4,000 cells, and the
landmarks are chosen among all of these cells (`selection/_block_cells`). Neither round depends on the
partitions. Other methods need all of phi, and are refused with the sizes.
"""

from itertools import pairwise
from typing import Any

import numpy as np

from trigpoint._errors import InputError
from trigpoint._types import Floats, Ints, Sparse
from trigpoint._validation import check_choice, check_initial, check_integer, check_sample_weight
from trigpoint.distributed._block_parts import adopted, joined
from trigpoint.distributed._cluster import Job, at, heard, roomiest
from trigpoint.distributed._grouping import cluster_groups, is_laplacian
from trigpoint.distributed._partitions import (
    DistributedGraph,
    DistributedMatrix,
    check_matrix,
    joined_graph,
    matrix_bytes,
)
from trigpoint.distributed._regions import region_matrices, region_of_each
from trigpoint.distributed._whole import whole_matrix
from trigpoint.propagation import warn_outside
from trigpoint.selection import (
    AUTO,
    PLENTY,
    WHOLE,
    block_coarse,
    block_degrees,
    check_method,
    check_weighs,
    chosen_cells,
    facility_of_groups,
    region_centers,
    shares,
)
from trigpoint.selection import select as select_here

ROUNDS = ("auto", "one", "two")
FACTOR = 4
EACH = 4000  # bytes: a few hundred correlations of 8 bytes, and the copies made of them
GROUPED = 400  # bytes a sample: strong links, groups, and the correlations of these
DENSE = 5 * 8 * WHOLE**2  # bytes: correlations of the cells
ADOPTIONS = 5


def select(
    phi: DistributedMatrix,
    n_landmarks: int,
    method: str = "auto",
    *,
    X: Any = None,
    graph: Any = None,
    initial: Any = None,
    sample_weight: Any = None,
    random_state: int | None = 0,
    rounds: str = "auto",
    **options: Any,
) -> Ints:
    """Choose the samples to label, on a cluster.

    Parameters
    ----------
    phi : DistributedMatrix
    n_landmarks, method, X, initial, sample_weight, options
        As for `trigpoint.select`.
    graph : DistributedGraph or NeighborGraph, for methods that measure along it
    random_state : int or None
        A seed; a Generator cannot be shared with other processes.
    rounds : "auto", "one" or "two"
        "one" has the answer of `trigpoint.select`; one worker holds the groups of a large Laplacian, or all
        of phi. "two", for method="auto" only, holds neither. "auto" is "one" where it fits a worker.

    Returns
    -------
    landmarks : (n_landmarks,) int64, in order of choice

    Notes
    -----
    Cost: one round: that of `trigpoint.select`, on one worker that holds all of phi. Two rounds: each region
    by itself, then one choice among what the regions chose.

    See Also
    --------
    trigpoint.select : on one machine.
    """
    check_matrix(phi)
    check_choice(rounds, "rounds", ROUNDS)
    check_method(method, options)
    n = phi.shape[0]
    given = check_initial(initial, n)
    free = n - len(given)
    if free == 0:
        raise InputError("initial", "must leave a sample to choose", f"all {n}")
    count = check_integer(n_landmarks, "n_landmarks", 1, free, f" for {n} samples")
    if isinstance(random_state, np.random.Generator):
        raise InputError("random_state", "must be None or an integer from 0 on a cluster", "a Generator")
    if sample_weight is not None:
        check_weighs(method)
    m = check_sample_weight(sample_weight, n)
    with Job(phi.client, "select") as job:
        worker, room = roomiest(job.client)
        if rounds != "two" and _among_groups(method, n, count + len(given), rounds, room):
            picks = _by_groups(job, phi, count, given, m, worker)
            if picks is not None:
                return picks
        needed = FACTOR * matrix_bytes(job, phi) + EACH * n
        if rounds == "one" or (rounds == "auto" and needed <= room):
            beside = {"X": X, "initial": given, "sample_weight": sample_weight, "random_state": random_state}
            return _one_round(job, phi, graph, count, method, {**beside, **options}, worker)
        _check_two_rounds(method, n, count + len(given), needed, room)
        return _two_rounds(job, phi, count, given, m)


def _among_groups(method: str, n: int, total: int, rounds: str, room: float) -> bool:
    """Whether one machine would choose among groups, and a worker has room for them."""
    suits = method in ("auto", AUTO) and n > PLENTY and 2 * total <= WHOLE
    return suits and (rounds == "one" or DENSE + GROUPED * n <= room)


def _by_groups(
    job: Job, phi: DistributedMatrix, count: int, given: Ints, m: Floats | None, worker: str
) -> Ints | None:
    """None where phi is no Laplacian, or groups are too many."""
    if not is_laplacian(job, phi):
        return None
    diagonal, groups = cluster_groups(job, phi, given, worker)
    where = at(worker)
    future = job.submit("choose", facility_of_groups, diagonal, groups, count, len(given), m, **where)
    del diagonal, groups
    picks: Ints | None = job.result("landmarks", future)
    return picks


def _one_round(
    job: Job, phi: DistributedMatrix, graph: Any, count: int, method: str, others: dict[str, Any], worker: str
) -> Ints:
    lists = list(graph.partitions) if isinstance(graph, DistributedGraph) else graph
    where = at(worker)
    whole = whole_matrix(job, phi, worker)
    future = job.submit("whole", _chosen, whole, lists, count, method, others, **where)
    picks, told = job.result("landmarks", future)
    for message, category in told:
        warn_outside(message, category)
    found: Ints = picks
    return found


def _chosen(phi: Sparse, lists: Any, count: int, method: str, others: dict[str, Any]) -> Any:
    graph = joined_graph(lists) if isinstance(lists, list) else lists
    return heard(select_here, phi, count, method=method, graph=graph, **others)


def _check_two_rounds(method: str, n: int, total: int, needed: float, room: float) -> None:
    sizes = f"about {needed / 1e9:.3g} GB for {n} samples, and {room / 1e9:.3g} GB are free for it"
    if method not in ("auto", AUTO):
        rule = "needs all of phi on one worker; only 'auto' does without"
        raise InputError(f"method={method!r}", rule, sizes)
    if 2 * total > WHOLE:
        rule = f"must be at most {WHOLE // 2}, initial included, where phi fits no worker ({sizes})"
        raise InputError("n_landmarks", rule, total)


def _two_rounds(job: Job, phi: DistributedMatrix, count: int, given: Ints, m: Floats | None) -> Ints:
    rows, first = list(phi.partitions), [int(a) for a in phi.bounds[:-1]]
    region = region_of_each(job, phi)
    sizes, home = job.result("regions", job.submit("regions", _sizes, region, given))
    here = [np.flatnonzero(home == g) for g in range(len(sizes))]  # places in given
    cells = shares(sizes, np.array([len(some) for some in here]))
    parts = region_matrices(job, phi, region, sizes)
    found = [
        job.submit("centers", _covered, part, given[some], int(k), m)
        for part, some, k in zip(parts, here, cells, strict=True)
    ]
    del parts
    centers = job.results("cells", job.each("centers", _centers_of, found))
    numbers, all_centers = _numbered(centers, here, len(given))
    owner = job.submit("cells", _owners, found, numbers, phi.shape[0])
    for _ in range(ADOPTIONS):
        parts = job.each("cells", adopted, rows, first, [owner] * len(rows), [None] * len(rows))
        owner = job.submit("cells", joined, parts)
    degrees = job.submit("cells", joined, job.each("cells", block_degrees, rows, first))
    parts = [
        job.submit("cells", block_coarse, row, a, owner, degrees, len(all_centers), _between(m, a, b))
        for row, (a, b) in zip(rows, pairwise(phi.bounds.tolist()), strict=True)
    ]
    picks = job.result("landmarks", job.submit("landmarks", chosen_cells, parts, count, len(given)))
    landmarks: Ints = all_centers[picks]
    return landmarks


def _between(m: Floats | None, a: int, b: int) -> Floats | None:
    return None if m is None else m[a:b]


def _sizes(region: Ints, given: Ints) -> tuple[Ints, Ints]:
    """Of each region, and the region of each given sample."""
    return np.bincount(region), region[given]


def _covered(part: tuple[Ints, Sparse], given: Ints, count: int, m: Floats | None) -> tuple[Ints, Ints, Ints]:
    """The samples of a region, its centers among all samples, and the number of each sample's center."""
    samples, phi = part
    inside = np.searchsorted(samples, given)
    centers, owner = region_centers(phi, inside, count, None if m is None else m[samples])
    return samples, samples[centers], owner


def _numbered(centers: list[Ints], here: list[Ints], n_given: int) -> tuple[list[Ints], Ints]:
    """The number of each region's cells among all, the given ones first in their order; and all centers."""
    numbers, after = [], n_given
    for found, places in zip(centers, here, strict=True):
        more = len(found) - len(places)
        numbers.append(np.concatenate([places, np.arange(after, after + more)]))
        after += more
    everyone = np.empty(after, dtype=np.int64)
    for found, number in zip(centers, numbers, strict=True):
        everyone[number] = found
    return numbers, everyone


def _centers_of(found: tuple[Ints, Ints, Ints]) -> Ints:
    return found[1]


def _owners(found: list[tuple[Ints, Ints, Ints]], numbers: list[Ints], n: int) -> Ints:
    """The cell of each sample; -1 for none."""
    owner = np.full(n, -1, dtype=np.int64)
    for (samples, _, mine), number in zip(found, numbers, strict=True):
        owner[samples] = np.where(mine >= 0, number[np.maximum(mine, 0)], -1)
    return owner

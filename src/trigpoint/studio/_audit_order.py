"""The random order in which audits are drawn from a pool that may change between two starts.

Each sample has a random number of its own, a hash of the seed and its id, and the order is that of these
numbers. It stays as it is when samples come, go, or are listed in another order. New samples come in at
their own places, and those that the order has passed already are the next audits. So audits stay a uniform
sample of the pool.

The worker proposes audits by the numbers of samples (`learner.audit_order`), which change with the pool.
They are replaced by the next ones of this order.
"""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from itertools import islice


def order_by_ids(seed: int, ids: Iterable[str]) -> list[int]:
    """Samples in the order of their random numbers."""
    numbers = [hashlib.blake2b(f"{seed} {name}".encode("utf-8", "surrogatepass")).digest() for name in ids]
    return sorted(range(len(numbers)), key=numbers.__getitem__)


def with_own_audits(
    samples: Sequence[int], audits: Sequence[bool], order: Sequence[int], is_free: Callable[[int], bool]
) -> tuple[list[int], list[bool]]:
    """The proposals with the first free samples of the order for audits.

    A sample that was to be asked for anyway is then an audit, and one that was an audit takes its place.
    """
    due = list(islice((i for i in order if is_free(i)), sum(audits)))
    mine = iter(due)
    spare = iter([i for i, audit in zip(samples, audits, strict=True) if audit and i not in due])
    taken, found = set(due), []
    for i, audit in zip(samples, audits, strict=True):
        one = next(mine, None) if audit else next(spare, None) if i in taken else i
        if one is not None:
            found.append((one, audit))
    return [i for i, _ in found], [audit for _, audit in found]


def with_checks(
    samples: Sequence[int],
    audits: Sequence[bool],
    order: Sequence[int],
    is_free: Callable[[int], bool],
    count: int,
) -> tuple[list[int], list[bool]]:
    """The proposals, and before them ``count`` audits that somebody wants: the first free ones of the order.

    The audits of the proposals are the next ones after these.
    """
    first = list(islice((i for i in order if is_free(i)), count))
    taken = set(first)
    own, marks = with_own_audits(samples, audits, order, lambda i: i not in taken and is_free(i))
    rest = [(i, audit) for i, audit in zip(own, marks, strict=True) if i not in taken]
    return [*first, *(i for i, _ in rest)], [True] * len(first) + [audit for _, audit in rest]

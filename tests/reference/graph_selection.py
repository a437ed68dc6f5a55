"""Cases that every selector on a graph must get through, whatever it chooses."""

import signal
from time import process_time

import numpy as np
import pytest
from scipy import sparse

import trigpoint as tp
from reference import dense_selection


def assert_survives(method, **options):
    """Small, degenerate and signed pools: the right number of landmarks, none twice, none of ``initial``."""

    def choose(phi, n_landmarks, initial=None, **more):
        picks = tp.select(phi, n_landmarks, method=method, initial=initial, random_state=0, **options, **more)
        taken = [] if initial is None else list(initial)
        assert picks.dtype == np.int64
        assert len(set(picks) | set(taken)) == n_landmarks + len(taken)
        return picks.tolist()

    one, empty = sparse.csr_array((1, 1)), sparse.csr_array((4, 4))
    assert choose(one, 1) == [0]
    assert choose(empty, 2, [0, 3]) in ([1, 2], [2, 1])
    choose(empty, 4)
    edge = sparse.csr_array([[1.0, -1.0], [-1.0, 1.0]])
    choose(edge, 2)
    assert choose(edge, 1, [0]) == [1]
    star = tp.laplacian(tp.graph_from_edges([[0, i] for i in range(1, 60)]))
    for count in (1, 30, 60):
        choose(star, count)
    parts = sparse.csr_array(dense_selection.generic(1, 24))
    for count in (1, 5, 24):
        choose(parts, count)
    choose(parts, 20, [1, 3, 5, 7])
    near = dense_selection.laplacian(4, [(0, 1, 1e12), (1, 2, 1.0), (2, 3, 1e12)])
    choose(sparse.csr_array(near), 4)
    X = np.random.default_rng(0).integers(0, 4, (60, 2)).astype(float)  # many twice
    graph = tp.neighbor_graph(X, 5)
    choose(tp.laplacian(graph), 60)
    X = np.random.default_rng(1).random((80, 3))
    signed = tp.ltsa(tp.neighbor_graph(X, 8), X, 2)
    assert (signed.data > 0).sum() > 80
    picks = choose(signed, 20)
    assert choose(5.0 * signed, 20) == picks, "free of units"


def assert_refuses_a_dense_phi(method):
    """Its entries are weights of a graph, and in a dense one all samples are neighbors."""
    X = np.random.default_rng(2).random((50, 2))
    graph = tp.neighbor_graph(X, 6)
    words = f"phi must be sparse for method='{method}', .* by: nystrom, gaussian_field, mincond, rrqr, gcls;"
    for given in (None, graph):
        with pytest.raises(tp.InputError, match=words) as refused:
            tp.select(tp.laplacian(graph).toarray(), 5, method=method, graph=given)
        assert refused.value.argument == "phi"


def assert_interrupt_stops(method, n=30_000, n_landmarks=1000, within=10.0):
    """Ctrl-C half a second into a selection that takes far longer ends it, as an interrupt.

    Seconds are of the processor, so that other work on the machine does not count.
    """
    tp.select(tp.laplacian(tp.graph_from_edges([[0, 1], [1, 2]])), 1, method=method)  # compiles a part
    phi = tp.laplacian(tp.neighbor_graph(np.random.default_rng(0).random((n, 3)), 10))
    previous = signal.signal(signal.SIGPROF, signal.default_int_handler)
    start = process_time()
    try:
        signal.setitimer(signal.ITIMER_PROF, 0.5)
        with pytest.raises(KeyboardInterrupt):
            tp.select(phi, n_landmarks, method=method, random_state=0)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, previous)
    assert process_time() - start < within


def follows_samples(method, phi, n_landmarks, rng):
    """Whether the same samples are chosen under another numbering."""
    order = rng.permutation(phi.shape[0])
    picks = tp.select(phi, n_landmarks, method=method, random_state=0)
    moved = tp.select(phi[order][:, order], n_landmarks, method=method, random_state=0)
    return order[moved].tolist() == picks.tolist()


def groups(phi, given, share, most):
    """The group of each sample and the center of each group, from a dense Laplacian."""
    n = len(phi)
    W = -np.array(phi)
    np.fill_diagonal(W, 0.0)
    top = W.max(axis=1)
    strong = [
        [j for j in range(n) if W[i, j] > 0 and W[i, j] >= share * min(top[i], top[j])] for i in range(n)
    ]
    order = given + [i for i in np.argsort(-np.diag(phi), kind="stable").tolist() if i not in given]
    members = [[i] for i in given]
    for i in order:
        taken = {j for group in members for j in group}
        if i not in taken and not taken & set(strong[i]):
            members.append([i, *strong[i]][:most])
    founded = len(members)
    for i in order:
        where = {j: c for c, group in enumerate(members) for j in group}
        if i in where:
            continue
        near = [
            j
            for j in range(n)
            if W[i, j] > 0 and where.get(j, founded) < founded and len(members[where[j]]) < most
        ]
        if near:
            members[where[max(near, key=lambda j: W[i, j])]].append(i)
        else:
            members.append([i])
    where = {j: c for c, group in enumerate(members) for j in group}
    return [where[i] for i in range(n)], [group[0] for group in members]

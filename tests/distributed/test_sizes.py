"""What Dask takes our things to weigh."""

import numpy as np
from scipy import sparse

from trigpoint.distributed._block_cg import Message, Scalars, State
from trigpoint.distributed._sizes import teach_sizes


def test_sparse_arrays_and_states_have_the_size_of_what_they_hold(cluster):
    from dask.sizeof import sizeof

    teach_sizes()
    A = sparse.csr_array(np.ones((50, 40)))
    assert sizeof(A) == A.data.nbytes + A.indices.nbytes + A.indptr.nbytes
    long, none = np.zeros((1000, 3)), np.zeros(3)
    message = Message(long, none)
    assert sizeof(message) >= long.nbytes
    state = State(*[long] * 5, Scalars(none, none, none, none, none > 0), message)
    assert 6 * long.nbytes <= sizeof(state) < 7 * long.nbytes


def test_workers_know_them(cluster):
    import trigpoint as tp

    phi = tp.laplacian(tp.graph_from_edges([[i, i + 1] for i in range(9_999)]))
    held = tp.distributed.scatter(phi, cluster, 2)
    landmarks, values = [0, 9_999], [0.0, 1.0]
    found = tp.distributed.propagate(held, landmarks, values, split="rows")
    assert np.abs(found - np.linspace(0, 1, 10_000)).max() < 1e-6
    assert all(cluster.run(_knows).values())


def _knows() -> bool:
    from dask.sizeof import sizeof

    return sizeof(sparse.csr_array(np.ones((50, 40)))) > 10_000

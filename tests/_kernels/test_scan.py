import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from trigpoint._kernels import scan

integers = st.integers(-2, 2).map(float)


@given(
    arrays(np.float64, (3, 2), elements=integers),
    arrays(np.float64, (12, 2), elements=integers),
    st.permutations(range(12)),
    st.integers(1, 6),
)
def test_heaps_hold_the_nearest_whatever_the_order_of_arrival(Q, C, order, k):
    own = np.array([-1, 0, 5])
    best_d, best_i = np.full((3, k), np.inf), np.full((3, k), 99)
    order = np.array(order)
    for part in np.array_split(order, 3):
        scan(Q, own, np.arange(3), C[part], part, best_d, best_i)
    for a in range(3):
        ranked = sorted((((Q[a] - C[b]) ** 2).sum(), b) for b in range(12) if b != own[a])[:k]
        assert sorted(zip(best_d[a], best_i[a], strict=True)) == ranked
        assert best_d[a, 0] == ranked[-1][0], "the root is the worst kept"

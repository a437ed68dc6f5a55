import warnings
from functools import partial

import numpy as np
import pytest
from scipy import sparse

import trigpoint as tp
from reference import propagation as oracle
from trigpoint.propagation import Solver, _conjugate, _solver, affordable, factorize, solve
from trigpoint.propagation._conjugate import cg_price, jacobi_cg
from trigpoint.propagation._direct import direct_price
from trigpoint.propagation._multigrid import amg_cg


def grid(side, dimension):
    """The Laplacian of a grid."""
    phi = sparse.csr_array((1, 1))
    for _ in range(dimension):
        line = oracle.path(side)
        phi = sparse.kron(phi, sparse.eye_array(side)) + sparse.kron(sparse.eye_array(phi.shape[0]), line)
    return sparse.csr_array(phi)


def expander(n, seed=0):
    """A random graph of degree about 20."""
    rng = np.random.default_rng(seed)
    i, j = rng.integers(0, n, (2, 10 * n))
    W = sparse.coo_array((rng.random(10 * n) + 0.1, (i, j)), shape=(n, n)).tocsr()
    W = sparse.csr_array(W + W.T)
    W.setdiag(0.0)
    return sparse.csr_array(sparse.diags_array(W.sum(axis=1)) - W)


@pytest.fixture(scope="module")
def surface():
    return grid(40, 2)


@pytest.mark.parametrize("solver", ["direct", "jacobi_cg", "sgs_cg", "amg_cg", "auto"])
@pytest.mark.parametrize("beta", [None, 0.2])
def test_all_solvers_agree(surface, solver, beta):
    rng = np.random.default_rng(0)
    landmarks = rng.choice(1600, 30, replace=False)
    values = rng.standard_normal((30, 5))
    found = solve(surface, landmarks, values, beta=beta, solver=solver)
    want = (
        oracle.hard(surface, landmarks, values)
        if beta is None
        else oracle.soft(surface, landmarks, values, beta)
    )
    np.testing.assert_allclose(found.values, want, atol=1e-7)
    assert found.residual <= 1e-10
    assert found.solver == ("direct" if solver == "auto" else solver)
    assert (found.iterations > 0) == (found.solver != "direct")


def test_auto_factors_a_surface_and_iterates_on_an_expander():
    assert solve(grid(60, 2), [0, 3599], [0.0, 1.0]).solver == "direct"
    found = solve(expander(4000), [0, 1], np.eye(2))
    assert found.solver == "jacobi_cg"
    assert found.residual <= 1e-10
    assert 5 < found.iterations < 60


def test_auto_iterates_as_the_method_by_name_does():
    phi, values = expander(3000), [[1.0, 5.0], [2.0, -9.0], [3.0, 8.0]]
    found = solve(phi, [0, 1, 2], values)
    assert found.solver == "jacobi_cg"
    forced = solve(phi, [0, 1, 2], values, solver="jacobi_cg")
    np.testing.assert_array_equal(found.values, forced.values)


def test_auto_turns_to_multigrid_when_cg_stalls(monkeypatch, surface):
    want = tp.propagate(surface, [0, 5], [0.0, 1.0])
    monkeypatch.setattr(_solver, "LARGEST", 0.0)
    monkeypatch.setattr(_solver, "amg_price", lambda *args: 1.0)
    found = solve(surface, [0, 5], [0.0, 1.0])
    assert found.solver == "amg_cg"
    np.testing.assert_allclose(found.values, want, atol=1e-6)


def test_auto_begins_with_multigrid_on_huge_systems(monkeypatch):
    phi, landmarks = expander(4000), np.arange(30)
    values = np.random.default_rng(0).standard_normal((30, 3))
    want = solve(phi, landmarks, values)
    assert want.solver == "jacobi_cg"
    monkeypatch.setattr(_solver, "HUGE", phi.nnz // 2)
    found = solve(phi, landmarks, values)
    assert found.solver == "amg_cg"
    np.testing.assert_allclose(found.values, want.values, atol=1e-7)
    signed = phi.copy()
    signed.data[signed.data < 0] *= np.where(np.arange(np.sum(signed.data < 0)) % 2, -0.1, 1.0)
    assert solve((signed + signed.T) / 2, landmarks, values).solver == "jacobi_cg"  # no Laplacian


def test_auto_factors_once_cg_expects_to_cost_more(monkeypatch, surface):
    """At first it seems dear; not when the iterations still to come are counted."""
    monkeypatch.setattr(_solver.Solver, "_factors", lambda self, n_columns: False)
    found = solve(surface, [0, 5], [0.0, 1.0])
    assert found.solver == "direct"


def test_auto_factors_in_the_end_what_nothing_else_solves(monkeypatch):
    phi = oracle.flat_ltsa(np.random.default_rng(0).random((700, 2)))
    landmarks = np.arange(0, 700, 40)
    monkeypatch.setattr(_solver, "cg_price", lambda *args: 0.0)  # so that nothing is dearer
    monkeypatch.setattr(_solver, "CHEAP", 0.0)
    monkeypatch.setattr(_solver, "jacobi_cg", partial(_solver.jacobi_cg, max_iterations=100))
    found = solve(phi, landmarks, np.sin(landmarks))
    assert found.solver == "direct"


def test_auto_goes_on_with_cg_when_nothing_else_fits(monkeypatch):
    phi = oracle.flat_ltsa(np.random.default_rng(0).random((700, 2)))
    landmarks = np.arange(0, 700, 40)
    want = tp.propagate(phi, landmarks, np.sin(landmarks))
    monkeypatch.setattr(_solver, "LARGEST", 0.0)
    found = solve(phi, landmarks, np.sin(landmarks))
    assert found.solver == "jacobi_cg"
    np.testing.assert_allclose(found.values, want, atol=1e-5)


@pytest.mark.parametrize("n", [3000, 30_000])  # as it is, and compiled
def test_results_do_not_depend_on_blocks_or_threads(monkeypatch, n):
    phi = expander(n)
    assert (phi.nnz >= _conjugate.COMPILED) == (n == 30_000)
    values = np.random.default_rng(0).standard_normal((20, 11))
    want = solve(phi, np.arange(20), values, solver="jacobi_cg")
    monkeypatch.setattr("joblib.cpu_count", lambda: 1)
    again = solve(phi, np.arange(20), values, solver="jacobi_cg")
    np.testing.assert_array_equal(again.values, want.values)
    third = solve(phi, np.arange(20), values[:, 3], solver="jacobi_cg")
    np.testing.assert_array_equal(third.values, want.values[:, 3])


def test_equal_input_gives_equal_output_and_draws_nothing(surface):
    state = np.random.get_state()[1].copy()  # noqa: NPY002
    for solver in ("direct", "jacobi_cg", "amg_cg"):
        runs = [tp.propagate(surface, [3, 900], [0.0, 1.0], solver=solver) for _ in range(2)]
        np.testing.assert_array_equal(*runs)
    np.testing.assert_array_equal(np.random.get_state()[1], state)  # noqa: NPY002


def test_columns_converge_each_in_their_time():
    A = grid(30, 2)[1:, 1:].tocsr()
    B = np.zeros((899, 3))
    B[:, 0] = A @ np.ones(899)
    B[5, 1] = 1.0
    found = jacobi_cg(A, B, np.array([1e-12, 1e-3, 1e-12]))
    assert found.converged
    assert found.residuals[2] == 0.0  # nothing to solve
    assert np.all(found.residuals <= [1e-12, 1e-3, 0.0])
    assert found.residuals[1] > 1e-9  # it stopped early


def test_cg_forecasts_what_is_left():
    rest = np.delete(np.arange(1600), np.arange(0, 1600, 111))
    A = grid(40, 2)[rest][:, rest]
    b = np.random.default_rng(0).standard_normal((len(rest), 1))
    whole = jacobi_cg(A, b, 1e-10)
    part = jacobi_cg(A, b, 1e-10, max_iterations=60, leg=15)
    assert whole.converged
    assert not part.converged
    assert part.iterations == 60
    assert 0.3 < (60 + part.forecast) / whole.iterations < 3.0
    rest = jacobi_cg(A, b, 1e-10, X=part.X)
    np.testing.assert_allclose(rest.X, whole.X, atol=1e-6)


def test_a_forecast_forgets_the_early_way():
    A = grid(40, 2)[1:, 1:].tocsr()  # values must first cross the grid
    b = np.zeros((1599, 1))
    b[0] = 1.0
    whole = jacobi_cg(A, b, 1e-10)
    part = jacobi_cg(A, b, 1e-10, max_iterations=210, leg=15)
    assert part.forecast < 2 * (whole.iterations - 210)


def test_cg_starts_again_where_its_recurrence_drifted():
    landmarks = np.array([0, 50, 100, 150])
    phi = oracle.flat_ltsa(np.random.default_rng(0).random((200, 2)))
    rest = np.delete(np.arange(200), landmarks)
    b = -(phi[rest][:, landmarks] @ np.array([[1.0], [2.0], [3.0], [5.0]]))
    found = jacobi_cg(phi[rest][:, rest], b, 1e-14)
    assert found.converged
    assert found.residuals[0] <= 1e-14


def test_cg_refuses_a_matrix_that_is_not_positive_definite():
    A = sparse.csr_array(np.diag([1.0, -1.0]))
    found = jacobi_cg(A, np.ones((2, 1)), 1e-10)
    assert not found.converged
    assert found.iterations == 0
    B = sparse.csr_array(np.array([[1.0, 2.0], [2.0, 1.0]]))
    assert not jacobi_cg(B, np.array([[1.0], [-1.0]]), 1e-10).converged
    assert not amg_cg(B, np.array([[1.0], [-1.0]]), 1e-10).converged


def test_a_tolerance_out_of_reach_is_reported():
    phi = oracle.path(400)
    with pytest.warns(UserWarning, match=r"solver 'jacobi_cg' stopped at a relative residual of .*tol=1e-17"):
        found = solve(phi, [0, 399], [0.0, 1.0], solver="jacobi_cg", tol=1e-17)
    np.testing.assert_allclose(found.values, np.linspace(0, 1, 400), atol=1e-8)


def test_a_residual_of_no_use_is_refused(monkeypatch):
    monkeypatch.setattr("trigpoint.propagation._multigrid.MAX_ITERATIONS", 1)
    monkeypatch.setattr(amg_cg, "__kwdefaults__", {**amg_cg.__kwdefaults__, "max_iterations": 1})
    with pytest.raises(RuntimeError, match=r"solver 'amg_cg' stopped at .* choose solver='direct'"):
        tp.propagate(grid(30, 2), [0, 899], [0.0, 1.0], solver="amg_cg")


@pytest.mark.parametrize("n", [40, 700])
@pytest.mark.parametrize("solver", ["auto", "direct", "jacobi_cg"])
def test_a_singular_system_is_refused(n, solver):
    phi = oracle.flat_ltsa(np.random.default_rng(0).random((n, 2)))
    with pytest.raises(ValueError, match=r"phi is singular .* add landmarks, or gamma > 0"):
        tp.propagate(phi, [3], [1.0], solver=solver)
    with pytest.raises(ValueError, match="phi is singular"):
        tp.propagate(phi, [3], [1.0], beta=0.5, solver=solver)
    assert np.isfinite(tp.propagate(phi, [3], [1.0], gamma=1e-3, solver=solver)).all()


def test_a_singular_dense_system_is_refused():
    phi = oracle.flat_ltsa(np.random.default_rng(0).random((40, 2))).toarray()
    with pytest.raises(ValueError, match="phi is singular"):
        tp.propagate(phi, [3], [1.0])
    with pytest.raises(ValueError, match="positive semidefinite; got 0 on its diagonal, at row 1"):
        tp.propagate(np.array([[1.0, 1.0], [1.0, 0.0]]), [0], [1.0])


def test_an_exactly_zero_pivot_is_refused():
    phi = sparse.csr_array(np.array([[1.0, 1.0, 1.0], [1.0, 1.0, 1.0], [1.0, 1.0, 1.0]]))
    with pytest.raises(ValueError, match="phi is singular"):
        tp.propagate(phi, [0], [1.0])


def test_a_single_landmark_on_a_long_chain_is_not_singular():
    n = 20_000
    links = np.ones(n - 1)
    phi = sparse.diags_array([-links, -links], offsets=[-1, 1], shape=(n, n))
    phi = sparse.csr_array(phi + sparse.diags_array(-np.asarray(phi.sum(axis=1))))
    np.testing.assert_allclose(tp.propagate(phi, [0], [3.0]), 3.0, rtol=1e-6)


def test_weak_links_are_still_links():
    phi = oracle.path(6, [1.0, 1.0, 1e-9, 1.0, 1.0])
    z = tp.propagate(phi, [0, 5], [0.0, 1.0])
    np.testing.assert_allclose(z, [0, 0, 0, 1, 1, 1], atol=1e-8)
    np.testing.assert_allclose(tp.propagate(phi, [0], [2.0]), 2.0, rtol=1e-5)


def test_a_factor_solves_in_its_own_order():
    A = sparse.csr_array(grid(30, 2) + sparse.eye_array(900))
    B = np.random.default_rng(0).standard_normal((900, 2))
    factor = factorize(A)
    np.testing.assert_allclose(A @ factor.solve(B), B, atol=1e-10)
    np.testing.assert_allclose(A @ factor.solve(B[:, 0]), B[:, 0], atol=1e-10)
    L, perm = factor.lu.L, factor.lu.perm_c
    np.testing.assert_allclose(
        (L @ L.T.multiply(factor.lu.U.diagonal()[:, None]))[perm][:, perm].toarray(), A.toarray(), atol=1e-10
    )
    np.testing.assert_array_equal(np.sort(factor.pivots), np.sort(factor.lu.U.diagonal()))
    assert (factor.pivots > 0).all()
    assert (factorize(sparse.csr_array(A - 3.0 * sparse.eye_array(900))).pivots < 0).any()


def test_both_forms_of_cg_make_the_same_steps(monkeypatch):
    A = grid(30, 2)[1:, 1:].tocsr()
    B = np.random.default_rng(0).standard_normal((899, 3))
    plain = jacobi_cg(A, B, 1e-10)
    monkeypatch.setattr(_conjugate, "COMPILED", 0)
    compiled = jacobi_cg(A, B, 1e-10)
    assert plain.converged
    assert abs(plain.iterations - compiled.iterations) <= 1
    np.testing.assert_allclose(plain.X, compiled.X, atol=1e-8)


def test_factorizations_are_priced_by_the_width_of_the_graph():
    narrow, cloud = grid(70, 2), expander(4900)
    assert direct_price(narrow)(1) < 0.1 * direct_price(cloud)(1)
    assert affordable(narrow, 100)
    assert not affordable(cloud, 100)
    assert affordable(cloud), "it is dear, but possible"
    assert cg_price(cloud, 16, 10) < 16 * cg_price(cloud, 1, 10), "columns share a pass"


def test_a_solver_factors_once(surface, monkeypatch):
    calls = []
    monkeypatch.setattr(_solver, "definite_factor", lambda *args: calls.append(1) or factorize(args[0]))
    solver = Solver(sparse.csr_array(surface + sparse.eye_array(1600)))
    B = np.random.default_rng(0).standard_normal((1600, 2))
    for b in (B, B[:, :1]):
        found = solver.solve(b)
        assert found.solver == "direct"
        np.testing.assert_allclose(solver.A @ found.X, b, atol=1e-10)
    assert len(calls) == 1


def test_dense_phi_knows_direct_only():
    phi = oracle.path(4).toarray()
    assert solve(phi, [0], [1.0], solver="direct").solver == "dense"
    with pytest.raises(ValueError, match="solver for a dense phi must be one of 'auto', 'direct'; got"):
        solve(phi, [0], [1.0], solver="amg_cg")


def test_nothing_is_said_of_a_good_solution(surface):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        solve(surface, [0], [1.0])


@pytest.mark.parametrize("solver", ["auto", "direct", "jacobi_cg", "sgs_cg", "amg_cg"])
@pytest.mark.parametrize("beta", [1e-8, 1e-4, 1e4, 1e8, 1e12])
@pytest.mark.filterwarnings("ignore:solver .* stopped at a relative residual")  # of ||b||, tiny at 1e-8
def test_the_strength_of_soft_landmarks_costs_no_accuracy(solver, beta):
    phi = oracle.expander(700, seed=0)
    landmarks = np.arange(0, 700, 35)
    y = np.random.default_rng(0).standard_normal(20)
    z = tp.propagate(phi, landmarks, y, beta=beta, solver=solver)
    np.testing.assert_allclose(z, oracle.soft(phi, landmarks, y, beta), atol=1e-6)


@pytest.mark.parametrize("link", [1e-4, 1e-8])
def test_values_cross_weak_links(link):
    """No residual tells that a cluster behind a weak link was left at 0; the known column does."""
    phi = oracle.weakly_linked(1500, link)
    found = solve(phi, np.arange(0, 1500, 60), np.full(25, 7.0))
    np.testing.assert_allclose(found.values, 7.0, rtol=1e-3)


def test_a_forced_solver_that_cannot_cross_says_so():
    phi = oracle.weakly_linked(1500, 1e-11)
    with pytest.raises(RuntimeError, match=r"'jacobi_cg' cannot carry values across the weakest links"):
        tp.propagate(phi, np.arange(0, 1500, 60), np.full(25, 7.0), solver="jacobi_cg")


def test_large_systems_are_renumbered_and_put_back(monkeypatch):
    phi = oracle.cloud_laplacian(2500, 8, seed=0)
    landmarks, values = np.arange(0, 2500, 50), np.random.default_rng(0).standard_normal((50, 3))
    plain = solve(phi, landmarks, values, solver="jacobi_cg")
    monkeypatch.setattr(_solver, "LARGE", 100)
    monkeypatch.setattr(_solver, "LARGEST", 0.0)
    turned = solve(phi, landmarks, values)
    assert turned.solver == "jacobi_cg"
    np.testing.assert_allclose(turned.values, plain.values, atol=1e-8)


@pytest.mark.parametrize("n", [30, 700])
@pytest.mark.parametrize("dense", [False, True])
def test_indefinite_matrices_are_refused(n, dense):
    phi = sparse.csr_array(oracle.path(n) - 0.1 * sparse.eye_array(n))
    with pytest.raises(ValueError, match="phi must be positive semidefinite; got a matrix with a negative"):
        tp.propagate(phi.toarray() if dense else phi, [0, n - 1], [0.0, 1.0])


def test_an_adjacency_matrix_is_no_phi():
    W = sparse.csr_array(sparse.diags_array(oracle.path(20).diagonal()) - oracle.path(20))
    for call in (
        lambda: tp.propagate(W, [0], [1.0]),
        lambda: tp.uncertainty(W, [0]),
        lambda: tp.propagate(W, [0, 3], [1.0, 2.0], method="spectral"),
    ):
        with pytest.raises(ValueError, match=r"positive semidefinite; got 0 on its diagonal, at row 0"):
            call()


@pytest.mark.parametrize("floor", [1e-5, 1e-12])
def test_sharp_weights_are_solved(floor):
    """Weights over many orders of magnitude: as good as a factorization, whichever solver is chosen."""
    graph = tp.neighbor_graph(np.random.default_rng(0).standard_normal((3000, 12)), 15)
    rows, far = np.repeat(np.arange(3000), 15), graph.distances[graph.indptr[1:] - 1]
    weight = np.exp(-8 * graph.distances**2 / (far[rows] * far[graph.indices])).clip(floor)
    W = sparse.csr_array((weight, graph.indices, graph.indptr), shape=(3000, 3000))
    W = sparse.csr_array(W.maximum(W.T))
    phi = sparse.csr_array(sparse.diags_array(W.sum(axis=1)) - W)
    landmarks, values = np.arange(0, 3000, 60), np.random.default_rng(1).random((50, 3))
    found = solve(phi, landmarks, values)
    assert found.solver == "jacobi_cg"
    assert found.residual <= 1e-10
    np.testing.assert_allclose(found.values, tp.propagate(phi, landmarks, values, solver="direct"), atol=1e-5)


@pytest.fixture(scope="module")
def heavy_tails():
    """Sharp weights and outliers: residuals that rise for hundreds of iterations before they fall."""
    X = np.random.default_rng(0).standard_t(1, size=(6000, 10))
    return tp.laplacian(tp.neighbor_graph(X, 15))


@pytest.mark.slow
def test_auto_bears_with_slow_starts(heavy_tails, monkeypatch):
    """Multigrid finds in dozens of cycles what takes CG over a thousand; without it, CG gets its chance."""
    landmarks, values = np.arange(0, 6000, 60), np.random.default_rng(1).random((100, 3))
    want = tp.propagate(heavy_tails, landmarks, values, solver="direct")
    monkeypatch.setattr(_solver, "CHEAP", 0.0)
    monkeypatch.setattr(_solver, "LARGEST", 0.0)
    smooth = solve(heavy_tails, landmarks, values)
    assert smooth.solver == "amg_cg"
    assert smooth.iterations < 200
    np.testing.assert_allclose(smooth.values, want, atol=1e-5)
    monkeypatch.setattr(_solver, "amg_price", lambda *args: np.inf)
    found = solve(heavy_tails, landmarks, values)
    assert found.solver == "jacobi_cg"
    assert found.iterations > 1000
    np.testing.assert_allclose(found.values, want, atol=1e-5)


@pytest.mark.slow
@pytest.mark.parametrize("d", [1, 10])
def test_leakage_makes_sharp_weights_easy(heavy_tails, monkeypatch, d):
    phi = sparse.csr_array(heavy_tails + 1e-3 * sparse.diags_array(heavy_tails.diagonal()))
    landmarks, values = np.arange(0, 6000, 60), np.random.default_rng(1).random((100, d))
    monkeypatch.setattr(_solver, "CHEAP", 0.0)
    found = solve(phi, landmarks, values)
    assert found.solver == "jacobi_cg"
    assert found.iterations < 600
    want = tp.propagate(phi, landmarks, values, solver="direct")
    np.testing.assert_allclose(found.values, want, atol=1e-6)


def test_auto_returns_to_cg_where_multigrid_fails(monkeypatch, surface):
    want = tp.propagate(surface, [0, 5], [0.0, 1.0])
    monkeypatch.setattr(_solver, "LARGEST", 0.0)
    monkeypatch.setattr(_solver, "amg_price", lambda *args: 1.0)
    monkeypatch.setattr(_solver, "amg_cg", partial(amg_cg, max_iterations=1))
    found = solve(surface, [0, 5], [0.0, 1.0])
    assert found.solver == "jacobi_cg"
    np.testing.assert_allclose(found.values, want, atol=1e-6)


def test_advice_names_another_solver(monkeypatch, surface):
    monkeypatch.setattr(_solver, "refined", lambda A, B, factor, tol: np.full_like(B, 1e30))
    with pytest.raises(RuntimeError, match=r"solver 'direct' stopped at .* choose solver='jacobi_cg'"):
        tp.propagate(surface, [0, 5], [0.0, 1.0], solver="direct")

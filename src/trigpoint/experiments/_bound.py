"""The bound against l: kappa(Psi_UU) (1 / |Psi_UL| + 1 / |Psi_UU|), Psi = Phi + alpha I, on a Laplacian."""

from trigpoint.bound import landmark_bound
from trigpoint.experiments._paper_methods import METHODS, Method, Pool, picks_for
from trigpoint.experiments._regression import LAPLACIAN, prepared
from trigpoint.experiments._settings import Preset, RegressionSet
from trigpoint.trials import Row, Task, rng_for


def tasks(preset: Preset, trials: int, slow_trials: int | None, seed: int, folder: str | None) -> list[Task]:
    """A task a trial and method, on the rendered faces."""
    known = preset.regression[0]
    slow = known.slow_trials if slow_trials is None else slow_trials
    return [
        Task(
            _name(number, method),
            method.slug,
            {"known": known, "number": number, "name": method.name, "seed": seed},
        )
        for number in range(trials)
        for method in METHODS.values()
        if not method.slow or number < slow
    ]


def name_of(row: Row) -> str:
    """The task that a row comes from."""
    return _name(row["trial"], METHODS[row["method"]])


def _name(number: int, method: Method) -> str:
    return f"faces-{number:03d}-{method.slug}"


def trial(known: RegressionSet, number: int, name: str, seed: int) -> list[Row]:
    """What `landmark_bound` says of a method's landmarks at every budget."""
    case, method = prepared(known, "clean", number, seed, None), METHODS[name]
    pool = Pool(case.X, case.graph, case.phi[LAPLACIAN])
    picks = picks_for(method, pool, known.budgets, rng_for(seed, known.name, number, name))
    rows = []
    for budget, landmarks in picks.items():
        found = landmark_bound(pool.phi, landmarks)
        rows.append(
            {
                "trial": number,
                "method": name,
                "n_landmarks": budget,
                "bound_1": found.bound_1,
                "bound_inf": found.bound_inf,
                "gershgorin": found.gershgorin,
                "condition_number": found.condition_number,
            }
        )
    return rows

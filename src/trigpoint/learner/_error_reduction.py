"""Error reduction: the label that promises the fewest mistakes (Zhu, Lafferty & Ghahramani, 2003).

With f the probabilities, C the covariance of the Gaussian field of precision phi + delta I given the labels
(`selection._expected_risk`) and risk R(f) = sum_i 1 - max_c f_ic, class c at k leaves

    f'_i = f_i + (e_c - f_k) C_ik / C_kk,     and the next question is
    argmax_k  (R(f) - sum_c f_kc R(f'))  /  cost_k.

Within a batch f stays, which is its expectation, and C is given each pick; what was asked for has no risk.
Until two classes are known every risk is 0, or the same, and coverage decides.

O(n^2 n_classes) a question and one (n, n) array: at most 10,000 samples. Real targets: the trace of C is the
risk, and `_fields` finds what takes most from it, in pools of any size.
"""

import numpy as np

from trigpoint._kernels import run_blocks
from trigpoint._kernels.selection_risk import expected_risks
from trigpoint._types import Floats
from trigpoint.learner._coverage import coverage
from trigpoint.learner._fields import following
from trigpoint.learner._situation import Choose, Situation, one_by_one
from trigpoint.selection import GaussianField, check_prior, gaussian_condition, gaussian_process

CANDIDATES = 16  # that one thread takes at a time


def error_reduction(now: Situation) -> Choose:
    if not now.tells_classes_apart():
        return coverage(now)
    everyone = np.ones(now.n, dtype=bool)
    known = following(
        now,
        "process",
        lambda: gaussian_process(now.phi, everyone, check_prior(None, now.phi)),
        gaussian_condition,
    )
    f = now.probabilities
    return one_by_one(lambda: reductions(known.field, f), known.take, now.cost)


def reductions(field: GaussianField, f: Floats) -> Floats:
    """(n,) by how much the label of each sample lowers the risk, in expectation; 0 where it is known."""
    waiting = np.flatnonzero(field.waiting)
    risks = np.empty(len(waiting))

    def work(start: int, stop: int) -> None:
        expected_risks(field.C, field.floor, f, waiting, start, stop, risks)

    run_blocks(work, len(waiting), CANDIDATES)
    gains = np.zeros(len(f))
    gains[waiting] = np.maximum((1.0 - f[waiting].max(axis=1)).sum() - risks, 0.0)
    return gains

"""Gaussian fields, classes: least expected number of mistakes (Zhu, Lafferty & Ghahramani, 2003).

With one-hot labels Y_L of the classes known so far and C = (phi_UU + delta I)^-1 (see `gaussian_field`),
the harmonic values and the probabilities of the others are

    H = -C phi_UL Y_L,     f_i = H_i + (1 - sum_c H_ic) / n_classes,     risk R(f) = sum_i 1 - max_c f_ic.

The mass that the prior takes from H is spread evenly over the classes, as if the field had the mean
1 / n_classes: f sums to 1, and is flat on a component without a landmark. For a Laplacian f is a
probability; elsewhere negative entries count as 0 and a risk below 0 as 0. A label c at k gives

    f'_i = f_i + (e_c - f_k) C_ik / C_kk,     k = argmin_k sum_c f_kc R(f'),

so a step costs O(n^2 n_classes). Ties, within 1e-9 of the risk, or of one mistake if that is more, go to
the lower index. Until two classes are known every f is 1 or flat, and the criterion of `gaussian_field`,
which needs no labels, decides instead.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from trigpoint._errors import InputError
from trigpoint._kernels import run_blocks, serial_blas
from trigpoint._kernels.selection_risk import expected_risks
from trigpoint._progress import track
from trigpoint._types import Floats, Ints
from trigpoint._validation import (
    check_alignment,
    check_dense_size,
    check_initial,
    check_integer,
    check_label,
)
from trigpoint.selection._dense import first_best
from trigpoint.selection._gaussian_field import (
    LIMIT,
    Field,
    check_prior,
    condition,
    gaussian_process,
    largest_gain,
)

CANDIDATES = 16  # that one thread takes at a time


@dataclass(frozen=True, eq=False)
class LabeledLandmarks:
    """Samples and their labels.

    Attributes
    ----------
    landmarks : (l,) int64, those that were given first, then the new ones in order of choice
    labels : tuple of l labels, as given or as the oracle returned them
    """

    landmarks: Ints
    labels: tuple[Hashable, ...]


def gaussian_field_step(
    phi: Any,
    landmarks: Any,
    labels: Sequence[Hashable] | Any,
    n_landmarks: int = 1,
    *,
    prior: float | None = None,
) -> Ints:
    """The samples whose labels promise the fewest mistakes on the rest, given the labels so far.

    Call it again whenever labels have arrived: it holds no state. A batch (n_landmarks > 1) is chosen
    one by one: each pick's label is not there yet, so the probabilities stay as they are, which is their
    expectation, and only the covariance takes the pick into account.

    Parameters
    ----------
    phi : (n, n) alignment matrix, at most 10,000 samples
    landmarks : (l,) samples that have labels; may be empty
    labels : (l,) their classes: anything hashable
    n_landmarks : how many samples to ask for next
    prior : delta, what is added to phi's diagonal; 1e-6 of its mean by default

    Returns
    -------
    picks : (n_landmarks,) int64, in order of choice

    Notes
    -----
    Cost: O(n^3) for the inverse and O(n^2 n_classes) for each pick; 8 n^2 bytes. So at most 10,000 samples.

    See Also
    --------
    trigpoint.ActiveLearner : for pools of any size, with audits and advice on when to stop.
    trigpoint.selection.gaussian_field_loop : where a function answers; the inverse is made once.

    Examples
    --------
    >>> import trigpoint as tp
    >>> from trigpoint.selection import gaussian_field_step
    >>> chain = tp.laplacian(tp.graph_from_edges([[i, i + 1] for i in range(6)]))
    >>> gaussian_field_step(chain, [0, 6], ["left", "right"])
    array([3])
    """
    phi, known, classes = _check_known(phi, landmarks, labels)
    count = _check_count(n_landmarks, phi.shape[0], len(known))
    field, H = _harmonic(phi, known, classes, check_prior(prior, phi))
    picks = np.empty(count, dtype=np.int64)
    for step in track(range(count), "landmarks"):
        spot = _next(field, H)
        picks[step] = field.rest[spot]
        condition(field, spot)
    return picks


def gaussian_field_loop(
    phi: Any,
    n_landmarks: int,
    oracle: Callable[[int], Hashable],
    *,
    landmarks: Any = None,
    labels: Sequence[Hashable] | Any = None,
    prior: float | None = None,
) -> LabeledLandmarks:
    """Ask the oracle for one label after another, each where it promises the fewest mistakes.

    The picks are those of `gaussian_field_step` called before every question, without its inverse each
    time. What the oracle raises is raised, and the labels so far are lost: where a person answers, keep
    them and call `gaussian_field_step`.

    Parameters
    ----------
    phi : (n, n) alignment matrix, at most 10,000 samples
    n_landmarks : how many new labels to ask for
    oracle : function from a sample's number to its class, anything hashable
    landmarks, labels : samples that have labels already, and their classes
    prior : delta, what is added to phi's diagonal; 1e-6 of its mean by default

    Returns
    -------
    labeled : LabeledLandmarks
        ``landmarks`` and ``labels``: those that were given, then the new ones in order of choice.

    Notes
    -----
    Cost: O(n^3) once and O(n^2 n_classes) for each label; 8 n^2 bytes. So at most 10,000 samples.

    See Also
    --------
    trigpoint.ActiveLearner : for pools of any size, with audits and advice on when to stop.
    trigpoint.selection.gaussian_field_step : one question at a time, where a person answers.

    Examples
    --------
    >>> import trigpoint as tp
    >>> from trigpoint.selection import gaussian_field_loop
    >>> chain = tp.laplacian(tp.graph_from_edges([[i, i + 1] for i in range(6)]))
    >>> found = gaussian_field_loop(chain, 1, lambda i: "left", landmarks=[0, 6], labels=["left", "right"])
    >>> found.landmarks
    array([0, 6, 3])
    """
    if not callable(oracle):
        raise TypeError(f"oracle must be a function from a sample to its label; got {oracle!r}.")
    phi, known, classes = _check_known(phi, landmarks, labels)
    count = _check_count(n_landmarks, phi.shape[0], len(known))
    field, H = _harmonic(phi, known, classes, check_prior(prior, phi))
    picks, answers = known.tolist(), list(classes)
    for _ in range(count):
        spot = _next(field, H)
        pick = int(field.rest[spot])
        answers.append(check_label(oracle(pick), "oracle", f"must return a label for sample {pick}"))
        picks.append(pick)
        H = _told(field, H, spot, _numbered(answers)[-1])
        condition(field, spot)
    return LabeledLandmarks(np.array(picks, dtype=np.int64), tuple(answers))


def _harmonic(phi: Any, known: Ints, labels: list[Hashable], delta: float) -> tuple[Field, Floats]:
    """The field given the labels, and its H, (m, n_classes)."""
    free = np.ones(phi.shape[0], dtype=bool)
    free[known] = False
    field = gaussian_process(phi, free, delta)
    numbers = _numbered(labels)
    Y = np.zeros((phi.shape[0], max(numbers, default=-1) + 1))
    Y[known, numbers] = 1.0
    with serial_blas():
        return field, -(field.C @ (phi @ Y)[field.rest])


def _told(field: Field, H: Floats, spot: int, number: int) -> Floats:
    """H after class ``number`` at ``spot``; a new class has a new column. The field is still as before."""
    if number == H.shape[1]:
        H = np.column_stack([H, np.zeros(len(H))])
    variance = field.C[spot, spot]
    change = np.eye(H.shape[1])[number] - H[spot]
    return H + np.outer(field.C[spot] / variance, change) if variance > field.floor[spot] else H


def _next(field: Field, H: Floats) -> int:
    if H.shape[1] < 2:
        return largest_gain(field)
    f = H + (1.0 - H.sum(axis=1, keepdims=True)) / H.shape[1]
    waiting = np.flatnonzero(field.waiting)
    risks = np.empty(len(waiting))

    def work(start: int, stop: int) -> None:
        expected_risks(field.C, field.floor, f, waiting, start, stop, risks)

    run_blocks(work, len(waiting), CANDIDATES)
    best = first_best(-risks, np.ones(len(risks), dtype=bool), max(1.0, float(risks.min())))
    return int(waiting[best])


def _numbered(labels: list[Hashable]) -> list[int]:
    """Classes as 0, 1, ... in order of appearance."""
    numbers: dict[Hashable, int] = {}
    return [numbers.setdefault(label, len(numbers)) for label in labels]


def _check_known(phi: Any, landmarks: Any, labels: Any) -> tuple[Any, Ints, list[Hashable]]:
    phi = check_alignment(phi)
    check_dense_size(phi.shape[0], LIMIT, "gaussian_field")
    if isinstance(labels, str | bytes | dict) or not (labels is None or hasattr(labels, "__iter__")):
        raise TypeError(f"labels must be a sequence, one for each landmark; got {type(labels).__name__}.")
    given = [] if labels is None else list(labels)
    known = check_initial(landmarks, phi.shape[0], "landmarks")
    if len(given) != len(known):
        raise InputError("labels", f"must be one for each of the {len(known)} landmarks", len(given))
    return phi, known, [check_label(label, "labels", "must be given for all landmarks") for label in given]


def _check_count(n_landmarks: Any, n: int, n_known: int) -> int:
    return check_integer(n_landmarks, "n_landmarks", 1, n - n_known, f" for {n} samples, {n_known} labeled")

"""Label consistent K-SVD (Jiang, Lin & Davis, 2011 and 2013), in far fewer columns than it is written in.

Signals Y (n, p), codes X (n, K) and atoms D (K, p) are rows. Every atom belongs to a class; Q_ik = 1 where
sample i and atom k share theirs, and H is one-hot. The problem is

    min |Y - X D|^2 + alpha |Q - X A|^2 + beta |H - X W|^2   s.t.  |x_i|_0 <= T,

K-SVD on the signals [Y, sqrt(alpha) Q, sqrt(beta) H] with the atoms [D, sqrt(alpha) A, sqrt(beta) W], of
length one together. LC-KSVD1 has beta = 0. The K columns of Q are copies of the C columns of H, one for each
of the K_c atoms of class c. Ridge regression starts A and W with equal columns for equal targets, and no step
of K-SVD tells equal columns apart, so A stays a copy of W too (Kviatkovsky et al., 2017) and

    alpha |Q - X A|^2 + beta |H - X W|^2 = sum_c (alpha K_c + beta) |h_c - X w_c|^2.

So p + C columns do the work of p + K + C, to the last iterate: signals [Y, S H], atoms [D, S W] with
S_c = sqrt(alpha K_c + beta). LC-KSVD1 fits another W to the last codes, by ridge regression. In the end D
and W are divided by the lengths of the d_k, since new signals are coded in D alone: x_k of the joint problem
is x_k |d_k| there, and X W stays what it is.
"""

from dataclasses import dataclass

import numpy as np

from trigpoint._kernels import serial_blas
from trigpoint._types import Floats, Ints
from trigpoint.dictionary._codes import Codes, sparse_codes
from trigpoint.dictionary._ksvd import KSVD, ksvd
from trigpoint.dictionary._start import first_atoms, ridge

LABELS_ALONE = 1e-10  # an atom of length one with less than this in D says nothing of signals


@dataclass(frozen=True, eq=False)
class History:
    """One number an iteration, each (n_iter,).

    Attributes
    ----------
    objective : reconstruction + alpha label_consistency + beta classification
    reconstruction : |Y - X D|^2
    label_consistency : |Q - X A|^2
    classification : |H - X W|^2; like the one before, NaN where labels have no weight
        W is that of the joint problem, also where beta = 0: a copy of A's columns, not the ridge regression.
    replaced : int64, unused atoms that were replaced
    """

    objective: Floats
    reconstruction: Floats
    label_consistency: Floats
    classification: Floats
    replaced: Ints


@dataclass(frozen=True, eq=False)
class LabelConsistent:
    """A dictionary and a map from its codes to classes.

    Attributes
    ----------
    D : (K, p) float64, atoms of length one; a row of zeros where an atom was left with labels alone
    W : (K, C) float64, scores of classes are X @ W for codes X in D
    atom_classes : (K,) int64
    codes : Codes, of the training signals with their labels, in the atoms of the joint problem
        These have length one together with their part of labels: times the lengths |d_k|, they are codes in
        D, though not those of a pursuit in D alone, as labels had a say in the choice of atoms.
    history : History
    converged : whether it stopped before ``n_iterations``, or nothing was left to learn
    """

    D: Floats
    W: Floats
    atom_classes: Ints
    codes: Codes
    history: History
    converged: bool


def label_consistent(
    Y: Floats,
    labels: Ints,
    n_per_class: Ints,
    *,
    sparsity: int,
    alpha: float,
    beta: float,
    n_iterations: int,
    n_init_iterations: int,
    tol: float,
    rng: np.random.Generator,
) -> LabelConsistent:
    """Learn atoms of C classes from labeled signals.

    Parameters
    ----------
    Y : (n, p) float64, signals
    labels : (n,) int64, classes from 0 to C - 1
    n_per_class : (C,) int64, K_c
    sparsity : T
    alpha, beta : weights of label consistency and of the classification error
        With ``beta=0``, W is not learned along but fitted to the last codes, as LC-KSVD1 does.
    n_iterations, n_init_iterations : of the joint problem, at least 1, and before it, class by class
    tol : stop when an iteration changes the objective by no more than this share of it
    rng : draws the first atoms

    Returns
    -------
    LabelConsistent
    """
    p, H = Y.shape[1], np.eye(len(n_per_class))[labels]
    S = np.sqrt(alpha * n_per_class + beta)  # (C,)
    Z = np.hstack([Y, S * H])
    Y = Z[:, :p]  # lets go of the other
    with serial_blas():
        D, atom_classes = first_atoms(Y, labels, n_per_class, sparsity, n_init_iterations, rng)
        joint = np.hstack([D, S * ridge(sparse_codes(Y, D, sparsity), H)])
        joint /= np.linalg.norm(joint, axis=1, keepdims=True)
        fitted = ksvd(
            Z,
            joint,
            sparsity,
            n_iterations,
            tol=tol,
            labels=labels,
            atom_classes=atom_classes,
        )
        lengths = np.linalg.norm(fitted.D[:, :p], axis=1, keepdims=True)
        speaks = lengths > LABELS_ALONE
        D = np.divide(fitted.D[:, :p], lengths, out=np.zeros((len(D), p)), where=speaks)
        W = fitted.D[:, p:] / S if beta > 0 else ridge(fitted.codes, H)
        W = np.divide(W, lengths, out=np.zeros_like(W), where=speaks)
    history = _history(fitted, p, S, n_per_class)
    return LabelConsistent(D, W, atom_classes, fitted.codes, history, fitted.converged)


def _history(fitted: KSVD, p: int, S: Floats, n_per_class: Ints) -> History:
    weighted = fitted.errors[:, p:]  # (n_iter, C)
    errors = np.divide(weighted, S**2, out=np.full_like(weighted, np.nan), where=S > 0)
    return History(
        objective=fitted.errors.sum(axis=1),
        reconstruction=fitted.errors[:, :p].sum(axis=1),
        label_consistency=np.where(n_per_class > 0, errors * n_per_class, 0.0).sum(axis=1),
        classification=errors.sum(axis=1),
        replaced=fitted.replaced,
    )

"""The scikit-learn face of label consistent K-SVD: samples to codes to classes.

Samples are scaled together, by one number, to a mean squared length of one, so that alpha and beta weigh
the same in any unit. New samples are coded in the atoms alone, as their labels are not known; the support
vector machines are trained on codes made in that same way.
"""

import copy
import warnings
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.svm import SVC
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from trigpoint._errors import InputError
from trigpoint._types import Array, Floats, Ints, Sparse
from trigpoint._validation import check_choice, check_integer, check_magnitude, check_number, check_rng
from trigpoint.dictionary._codes import sparse_codes
from trigpoint.dictionary._label_consistent import History, label_consistent
from trigpoint.dictionary._pairs import class_scores
from trigpoint.dictionary._start import shares

KERNELS = {"linear_svm": "linear", "rbf_svm": "rbf"}
ATOMS_PER_CLASS = 15
HEAVIEST = 1e100  # squares and products of weights stay in the range of float64


class LCKSVDClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Classify samples by sparse codes in a learned, label consistent dictionary (LC-KSVD).

    Parameters
    ----------
    n_atoms : int, optional
        K, at least one per class. Classes get equal shares; what exceeds the samples of a class goes to the
        others. By default 15 per class, or as many as it has samples.
    sparsity : int, default 30
        T, the atoms that a sample may use.
    variant : 1 or 2
        2 learns the linear map from codes to classes along with the atoms; 1 fits it afterwards.
    alpha, beta : float, default 1e-5 and 2.5e-6
        Weights of label consistency and, for ``variant=2``, of the classification error, beside the
        reconstruction error of samples whose mean squared length is one. (Values for samples of another
        mean squared length m are to be divided by m.)
    n_iterations : int, default 50
        Of K-SVD on the joint problem.
    n_init_iterations : int, default 20
        Of K-SVD class by class, for the first atoms; 0 takes samples as they are.
    classifier : "linear_svm", "rbf_svm" or "learned"
        What turns codes into classes: a support vector machine, or the map that came with the atoms.
    C : float, default 10
        Penalty of the support vector machine.
    tol : float, default 0
        Stop when an iteration changes the objective by no more than this share of it.
    random_state : int (0 by default), numpy Generator, or None, which draws anew
        Draws the samples that atoms start from.

    Attributes
    ----------
    classes_ : (n_classes,) the labels there are, sorted
    components_ : (K, p) float64
        Atoms of length one; a row of zeros, with a warning, where an atom was left with labels alone.
    atom_classes_ : (K,) the class of each atom
    usage_ : (K,) int64, training samples that use each atom in the joint problem
    label_map_ : (n_classes, K) float64, W; scores of classes are codes @ label_map_.T
    scale_ : float, what samples are divided by
    sparsity_ : int, the `sparsity` that it was fitted with, and that new samples are coded with
    history_ : History
        Per iteration: objective, reconstruction, label_consistency, classification, replaced. The last
        error is that of the map in the joint problem, which for ``variant=1`` is not `label_map_`.
    n_iter_ : int
    converged_ : bool, whether `tol` was met, or nothing was left to learn
    svm_ : SVC, fitted to codes; None for ``classifier="learned"``
    n_features_in_, feature_names_in_

    Notes
    -----
    Cost of an iteration: O(n K (p + T^2)) to code the samples, and O(n T p) for the atoms that they use. The
    support vector machine at the end takes time about quadratic in n. Memory: O(n (K + p)). It learns from
    labeled samples alone.

    See Also
    --------
    ManifoldClassifier : also uses the samples without labels.
    sklearn.svm.SVC : on the features themselves, which was better on faces (docs/dictionary.md).

    Examples
    --------
    >>> import trigpoint as tp
    >>> X = [[4.0, 0.1], [5.0, 0.0], [3.0, 0.2], [0.1, 2.0], [0.0, 3.0], [0.2, 4.0]]
    >>> clf = tp.LCKSVDClassifier(2, sparsity=1).fit(X, ["a", "a", "a", "b", "b", "b"])
    >>> clf.predict([[6.0, 0.3], [0.1, 1.0]])
    array(['a', 'b'], dtype='<U1')
    >>> clf.codes(X).shape
    (6, 2)
    """

    classes_: Array
    components_: Floats
    atom_classes_: Array
    usage_: Ints
    label_map_: Floats
    scale_: float
    sparsity_: int
    history_: History
    n_iter_: int
    converged_: bool
    svm_: SVC | None

    def __init__(
        self,
        n_atoms: int | None = None,
        *,
        sparsity: int = 30,
        variant: int = 2,
        alpha: float = 1e-5,
        beta: float = 2.5e-6,
        n_iterations: int = 50,
        n_init_iterations: int = 20,
        classifier: str = "linear_svm",
        C: float = 10.0,
        tol: float = 0.0,
        random_state: Any = 0,
    ) -> None:
        self.n_atoms = n_atoms
        self.sparsity = sparsity
        self.variant = variant
        self.alpha = alpha
        self.beta = beta
        self.n_iterations = n_iterations
        self.n_init_iterations = n_init_iterations
        self.classifier = classifier
        self.C = C
        self.tol = tol
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> Self:
        """Learn the atoms, and the classifier of their codes.

        Parameters
        ----------
        X : (n, p) samples
        y : (n,) labels of at least two classes

        Returns
        -------
        self
        """
        options, kernel, penalty = self._options()
        given = X
        unfitted = copy.copy(self)  # takes the names of features, so that a fit that fails changes nothing
        X, y = validate_data(unfitted, given, y, dtype=np.float64, order="C", ensure_min_samples=2)
        check_classification_targets(y)
        check_magnitude(X, "X")
        classes, labels = np.unique(y, return_inverse=True)
        if len(classes) < 2:
            raise InputError("y", "must hold at least 2 classes", f"1 class: {classes.tolist()[0]!r}")
        n_per_class = _n_per_class(self.n_atoms, np.bincount(labels))
        scale = _scale(X)
        learned = label_consistent(X / scale, labels, n_per_class, **options)
        _warn_of_zeros(learned.D)
        svm = None
        if kernel is not None:
            codes = sparse_codes(X / scale, learned.D, options["sparsity"]).matrix()
            svm = SVC(kernel=kernel, C=penalty).fit(codes.toarray(), labels)
        validate_data(self, given, skip_check_array=True)
        self.classes_ = classes
        self.scale_ = scale
        self.sparsity_ = options["sparsity"]
        self.components_ = learned.D
        self.atom_classes_ = classes[learned.atom_classes]
        self.usage_ = learned.codes.usage()
        self.label_map_ = np.ascontiguousarray(learned.W.T)
        self.history_ = learned.history
        self.n_iter_ = len(learned.history.objective)
        self.converged_ = learned.converged
        self.svm_ = svm
        return self

    def codes(self, X: Any) -> Sparse:
        """Sparse codes of samples: X / scale_ is about codes @ components_.

        Parameters
        ----------
        X : (m, p) samples

        Returns
        -------
        (m, K) csr_array, at most `sparsity` entries per row
        """
        return self._codes(self._check_new(X))

    def decision_function(self, X: Any) -> Floats:
        """Scores of the classes.

        Parameters
        ----------
        X : (m, p) samples

        Returns
        -------
        (m, n_classes) float64 in the order of `classes_`; (m,) for two classes, positive for the second
        """
        codes = self._codes(self._check_new(X))
        if self.svm_ is not None:
            if self.svm_.kernel == "linear":
                return class_scores(codes, self.svm_.coef_, self.svm_.intercept_, len(self.classes_))
            return np.asarray(self.svm_.decision_function(codes.toarray()))
        scores = codes @ self.label_map_.T
        return np.asarray(scores[:, 1] - scores[:, 0] if len(self.classes_) == 2 else scores)

    def predict(self, X: Any) -> Array:
        """The class of the largest score.

        Parameters
        ----------
        X : (m, p) samples

        Returns
        -------
        (m,) labels
        """
        scores = self.decision_function(X)
        best = scores.argmax(axis=1) if scores.ndim == 2 else (scores > 0).astype(np.int64)
        return np.asarray(self.classes_[best])

    def _options(self) -> tuple[dict[str, Any], str | None, float]:
        """All parameters but `n_atoms`, checked: for `label_consistent`, and kernel and C of the SVM."""
        kernel = KERNELS.get(check_choice(self.classifier, "classifier", (*KERNELS, "learned")))
        penalty = check_number(self.C, "C", 0.0, strict=True)
        variant = check_integer(self.variant, "variant", 1, 2)
        beta = _check_weight(self.beta, "beta")
        options = {
            "sparsity": check_integer(self.sparsity, "sparsity", 1),
            "alpha": _check_weight(self.alpha, "alpha"),
            "beta": beta if variant == 2 else 0.0,
            "n_iterations": check_integer(self.n_iterations, "n_iterations", 1),
            "n_init_iterations": check_integer(self.n_init_iterations, "n_init_iterations", 0),
            "tol": check_number(self.tol, "tol", 0.0),
            "rng": check_rng(self.random_state),
        }
        return options, kernel, penalty

    def _check_new(self, X: Any) -> Floats:
        check_is_fitted(self, "components_")
        X = validate_data(self, X, reset=False, dtype=np.float64, order="C")
        check_magnitude(X, "X")
        return np.asarray(X)

    def _codes(self, X: Floats) -> Sparse:
        Y = X / self.scale_
        check_magnitude(Y, "X / scale_")
        return sparse_codes(Y, self.components_, self.sparsity_).matrix()


def _check_weight(value: object, name: str) -> float:
    weight = check_number(value, name, 0.0)
    if weight > HEAVIEST:
        raise InputError(name, f"must be at most {HEAVIEST:g}", repr(value))
    return weight


def _warn_of_zeros(D: Floats) -> None:
    silent = int((~D.any(axis=1)).sum())
    if silent:
        cause = "samples are zeros, or alpha and beta too large"
        text = f"{silent} of {len(D)} atoms were left with labels alone and are 0 in components_: {cause}."
        warnings.warn(text, UserWarning, stacklevel=3)


def _scale(X: Floats) -> float:
    """Root of the mean squared length of the rows; 1 where all are zero."""
    largest = float(np.abs(X).max())
    if largest == 0.0:
        return 1.0
    return largest * float(np.sqrt(np.sum((X / largest) ** 2) / len(X)))


def _n_per_class(n_atoms: Any, counts: Ints) -> Ints:
    if n_atoms is None:
        return np.minimum(counts, ATOMS_PER_CLASS)
    n_atoms = check_integer(n_atoms, "n_atoms", len(counts), of=f", one for each of {len(counts)} classes")
    if n_atoms > counts.sum():
        text = (
            f"n_atoms = {n_atoms} is more than the {counts.sum()} samples: each becomes an atom, and no more."
        )
        warnings.warn(text, UserWarning, stacklevel=3)
    return shares(n_atoms, counts)

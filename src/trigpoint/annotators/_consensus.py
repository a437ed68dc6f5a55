"""From answers of several people to one label for each sample.

A person's last answer about a sample counts. The label is the class that is most likely once people are
weighed by their quality (`_class_model`), or the mean of real targets weighed by their precision
(`_value_model`).
Where the two most likely classes are equally likely (to `TIE`), nothing decides, and there is no label.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from trigpoint._errors import InputError
from trigpoint._types import Array, Floats, Ints
from trigpoint._validation import check_choice, check_label
from trigpoint.annotators._agreement import CLOSE, Agreement, ClassAgreement, ValueAgreement
from trigpoint.annotators._class_model import ClassAnswers, ClassFit, fit_classes
from trigpoint.annotators._model_trust import ModelTrust
from trigpoint.annotators._value_model import fit_values

TASKS = ("classification", "regression")
TIE = 1e-6  # difference of probabilities


@dataclass(frozen=True)
class Annotator:
    """One of the people.

    Attributes
    ----------
    n_answers : samples that they have answered
    n_compared : those of them about which there is another voice
    quality : estimated share of right answers; for real targets the share of the variance of true values in
        the variance of their answers. NaN where nobody can be compared with anybody
    agreement : share of the answers that are compared that equal the consensus (of real targets: that lie
        within a tenth of the range of all answers); NaN where none is compared
    std : standard deviation of their errors, for each target; empty for classes
    """

    n_answers: int
    n_compared: int
    quality: float
    agreement: float
    std: tuple[float, ...] = ()


@dataclass(frozen=True, eq=False)
class Consensus:
    """What several people come to.

    Attributes
    ----------
    samples : (m,) distinct, in order of the first answer
    labels : (m,) classes, where nothing decides -1 if all classes are integers, else None; or (m,) or (m, d)
        real values
    probability : (m,) that the label is right; NaN for real values, and where no two voices can be compared
    std : (m,) or (m, d) standard deviations of real values, NaN where no two answers can be compared; None
        for classes
    n_answers : (m,) int64
    disputed : (m,) bool, whether the answers differ; of real values, by more than a tenth of their range
    annotators : name -> Annotator, in order of their first answer
    agreement : Agreement, or None where no sample has two answers
    classes : (k,) the columns of `probabilities`; empty for real values
    """

    samples: Array
    labels: Array
    probability: Floats
    std: Floats | None
    n_answers: Ints
    disputed: Array
    annotators: dict[Hashable, Annotator]
    agreement: Agreement | None
    classes: tuple[Hashable, ...]
    _fit: ClassFit | None = None
    _prior: Floats | None = None

    @property
    def decided(self) -> Array:
        """(m,) bool, whether the sample has a label."""
        if self._fit is None:
            return np.ones(len(self.samples), dtype=bool)
        unknown = None if self.labels.dtype == object else -1
        return np.array([label != unknown for label in self.labels.tolist()], dtype=bool)

    @property
    def probabilities(self) -> Floats:
        """(m, k) of the classes; rows NaN where no two voices can be compared.

        Made when asked for, since with thousands of classes it is large.
        """
        if self._fit is None:
            raise InputError("probabilities", "has no meaning for task='regression'")
        m, k = len(self.samples), len(self.classes)
        at = self._fit.samples, self._fit.classes
        found = np.ones((m, k)) if self._prior is None else self._prior.copy()
        found[at] = 0.0
        other = found.sum(axis=1)
        found *= np.divide(self._fit.rest, other, out=np.zeros(m), where=other > 0)[:, None]
        found[at] = self._fit.probabilities
        found[np.isnan(self.probability)] = np.nan
        return found


def consensus(
    samples: Any,
    labels: Any,
    annotators: Any,
    *,
    task: str = "classification",
    probabilities: Any = None,
    classes: Sequence[Hashable] = (),
) -> Consensus:
    """What several people's answers come to, weighed by how good each of them is.

    Parameters
    ----------
    samples : (r,) of which sample each answer is: indices or any other names
    labels : (r,) classes, None, NaN or -1 where a person did not know; or (r,) or (r, d) real values, NaN or
        None where they did not know. Samples that nobody knew are left out
    annotators : (r,) who gave each answer. Of several answers of a person about a sample the last counts
    task : "classification" or "regression"
    probabilities : (m, k), optional: what a model that does not know the answers about a sample says of it,
        in order of the first answer, as `prediction.predict_classes(...).left_out`. It is one more voice,
        trusted as far as it agrees with people. NaN where it says nothing
    classes : (k,) the columns of ``probabilities``; without these, classes known beforehand, optional

    Returns
    -------
    Consensus

    Notes
    -----
    Cost: O(r) for each step of EM, at most 200 steps for each of 7 assumptions on how much people confuse
    classes. The number of classes does not count. Two people alone count the same where they differ, and the
    biases of people who give real values are not taken out.

    See Also
    --------
    ActiveLearner : ``tell(samples, labels, annotator="ada")`` uses it for every answer.
    label_issues : wrong labels, where every sample has one label only.

    Examples
    --------
    >>> import trigpoint as tp
    >>> found = tp.consensus([7, 7, 7, 8, 8, 8, 9], ["a", "a", "b", "b", "b", "b", "a"], [*"xyzxyzx"])
    >>> found.labels
    array(['a', 'b', 'a'], dtype=object)
    >>> found.samples[found.disputed]
    array([7])
    """
    check_choice(task, "task", TASKS)
    names = _named(samples, "samples"), _named(annotators, "annotators")
    given = _values(labels, task)
    for name, found in zip(("samples", "annotators"), names, strict=True):
        if len(found) != len(given):
            raise InputError(name, f"must be one for each of {len(given)} labels", len(found))
    last = dict(zip(zip(*names, strict=True), given, strict=True))
    last = {pair: value for pair, value in last.items() if value is not None}
    if not last:
        raise InputError("labels", f"must hold at least one answer; all {len(given)} are unknown")
    places = {name: i for i, name in enumerate(dict.fromkeys(sample for sample, _ in last))}
    people = {name: a for a, name in enumerate(dict.fromkeys(person for _, person in last))}
    at = np.array([places[sample] for sample, _ in last], dtype=np.int64)
    who = np.array([people[person] for _, person in last], dtype=np.int64)
    told = list(last.values())
    if task == "regression":
        if probabilities is not None or len(classes):
            raise InputError("probabilities and classes", "have no meaning for task='regression'")
        return _of_values(places, people, at, who, told)
    columns = [check_label(label, "classes", "must be classes") for label in _listed(classes)]
    if len(set(columns)) < len(columns):
        raise InputError("classes", "must be distinct", repr(columns))
    numbers = {label: k for k, label in enumerate(dict.fromkeys([*columns, *told]))}
    codes = np.array([numbers[label] for label in told], dtype=np.int64)
    model = _model(probabilities, len(places), len(columns), len(numbers))
    answers = ClassAnswers(at, who, codes, len(places), len(people), len(numbers))
    return _of_classes(places, people, tuple(numbers), answers, model)


def _of_classes(
    places: dict[Any, int],
    people: dict[Any, int],
    classes: tuple[Hashable, ...],
    given: ClassAnswers,
    model: ModelTrust | None,
) -> Consensus:
    found = fit_classes(given, model)
    m = given.n_samples
    starts = np.searchsorted(found.samples, np.arange(m))
    best = np.maximum.reduceat(found.probabilities, starts)
    top = found.probabilities >= best[found.samples] - TIE
    unique = np.bincount(found.samples[top], minlength=m) == 1
    codes = np.full(m, -1, dtype=np.int64)
    codes[found.samples[top]] = found.classes[top]
    codes[~unique] = -1
    known = bool(found.compared.any())
    agreement = ClassAgreement()
    for i, unit in enumerate(_units(given.samples, given.codes, m)):
        agreement.put(i, unit.tolist())
    compared = _compared(given.samples, m, None if model is None else model.speaks)
    same = codes[given.samples] == given.codes
    return Consensus(
        _array(list(places)),
        _decoded(classes, codes),
        best if known else np.full(m, np.nan),
        None,
        np.bincount(given.samples, minlength=m),
        np.array([agreement.differ(i) for i in range(m)], dtype=bool),
        _annotators(people, given.people, compared, same, found.quality if known else None),
        agreement.figures(),
        classes,
        found,
        None if model is None else model.prior,
    )


def _of_values(
    places: dict[Any, int], people: dict[Any, int], at: Ints, who: Ints, told: list[Any]
) -> Consensus:
    values = np.array(told, dtype=np.float64)
    m = len(places)
    found = fit_values(at, who, values, m, len(people))
    agreement = ValueAgreement()
    for i, unit in enumerate(_units(at, values, m)):
        agreement.put(i, unit.tolist())
    close = CLOSE * (values.max(axis=0) / 2 - values.min(axis=0) / 2)  # halves, which always fit
    same: Array = np.asarray((np.abs(values / 2 - found.values[at] / 2) <= close).all(axis=1))
    flat = values.shape[1] == 1
    return Consensus(
        _array(list(places)),
        found.values[:, 0] if flat else found.values,
        np.full(m, np.nan),
        found.std[:, 0] if flat else found.std,
        np.bincount(at, minlength=m),
        np.array([agreement.differ(i) for i in range(m)], dtype=bool),
        _annotators(people, who, _compared(at, m, None), same, found.quality, found.errors),
        agreement.figures(),
        (),
    )


def _compared(at: Ints, m: int, speaks: Array | None) -> Array:
    """(r,) bool, whether another voice is there for the sample of each answer."""
    voices = np.bincount(at, minlength=m) + (0 if speaks is None else speaks)
    return np.asarray(voices[at] > 1)


def _annotators(
    people: dict[Any, int],
    who: Ints,
    compared: Array,
    same: Array,
    quality: Floats | None,
    errors: Floats | None = None,
) -> dict[Hashable, Annotator]:
    n = len(people)
    answers, counted = np.bincount(who, minlength=n), np.bincount(who[compared], minlength=n)
    agreeing = np.bincount(who[compared & same], minlength=n)
    return {
        name: Annotator(
            int(answers[a]),
            int(counted[a]),
            float("nan") if quality is None else float(quality[a]),
            float(agreeing[a] / counted[a]) if counted[a] else float("nan"),
            () if errors is None else tuple(errors[a].tolist()),
        )
        for name, a in people.items()
    }


def _units(at: Ints, values: Array, m: int) -> list[Array]:
    """The answers of each sample."""
    order = np.argsort(at, kind="stable")
    return np.split(values[order], np.cumsum(np.bincount(at, minlength=m))[:-1])


def _listed(values: Any) -> list[Any]:
    return values.tolist() if hasattr(values, "tolist") else list(values)


def _named(names: Any, argument: str) -> list[Any]:
    if isinstance(names, str | bytes) or not hasattr(names, "__len__"):
        raise InputError(argument, "must be a sequence, one for each label", repr(names))
    found = _listed(names)
    for name in found:
        try:
            odd = bool(name != name)
            hash(name)
        except (TypeError, ValueError):
            odd = True
        if odd:
            raise InputError(argument, "must be hashable and not NaN", repr(name))
    return found


def _values(labels: Any, task: str) -> list[Any]:
    """None where unknown; real targets as tuples."""
    if isinstance(labels, str | bytes) or not hasattr(labels, "__len__"):
        raise InputError("labels", "must be a sequence of answers", repr(labels))
    if task == "classification":
        return [_class(label) for label in _listed(labels)]
    rows = [_targets(label) for label in _listed(labels)]
    widths = {len(row) for row in rows if row is not None}
    if len(widths) > 1:
        raise InputError("labels", "must have the same number of targets", sorted(widths))
    return rows


def _class(label: Any) -> Any:
    if isinstance(label, np.generic):
        label = label.item()
    try:
        if label is None or bool(label != label) or (label == -1 and not isinstance(label, bool)):
            return None
        hash(label)
    except (TypeError, ValueError):
        raise InputError("labels", "must be hashable classes, None where unknown", repr(label)) from None
    return label


def _targets(label: Any) -> tuple[float, ...] | None:
    if label is None:
        return None
    try:
        row = tuple(float(x) for x in np.ravel(label))
    except (TypeError, ValueError):
        raise InputError("labels", "must be real numbers", repr(label)) from None
    if all(x != x for x in row):
        return None
    if not row or not np.isfinite(row).all():
        raise InputError("labels", "must be finite, or all NaN where unknown", repr(label))
    return row


def _model(probabilities: Any, m: int, n_columns: int, k: int) -> ModelTrust | None:
    if probabilities is None:
        return None
    try:
        p = np.asarray(probabilities, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError("probabilities", "must be numbers", type(probabilities).__name__) from None
    if p.shape != (m, n_columns) or n_columns == 0:
        rule = f"must have shape ({m}, {n_columns}): a row for each sample, a column for each of `classes`"
        raise InputError("probabilities", rule, f"shape {p.shape}")
    known = p[~np.isnan(p).any(axis=1)]
    if known.size and (known.min() < 0 or not np.allclose(known.sum(axis=1), 1.0, atol=1e-3)):
        raise InputError("probabilities", "must be at least 0 and sum to one in each row, or be NaN")
    return ModelTrust(np.concatenate([p, np.zeros((m, k - n_columns))], axis=1))


def _array(names: list[Any]) -> Array:
    """int64 where all are integers, else objects."""
    whole = all(isinstance(name, int) and not isinstance(name, bool) for name in names)
    array = np.empty(len(names), dtype=np.int64 if whole else object)
    array[:] = names
    return array


def _decoded(classes: tuple[Hashable, ...], codes: Ints) -> Array:
    table = _array(list(classes))
    return np.append(table, np.array([None if table.dtype == object else -1], dtype=table.dtype))[codes]

"""Ask for samples, tell their labels: the loop with a person in it.

All state is a log of what was asked and told, and when samples joined the pool (`_growth`). With the seed and
the settings it repeats a run exactly.
"""

import warnings
from collections.abc import Hashable, Sequence
from copy import deepcopy
from os import PathLike
from typing import Any

import numpy as np

from trigpoint._errors import InputError
from trigpoint._progress import stage
from trigpoint._types import Array, Floats, Ints
from trigpoint._validation import (
    check_choice,
    check_distances,
    check_features,
    check_fraction,
    check_integer,
    check_sample_weight,
)
from trigpoint.annotators import Agreement, Annotator
from trigpoint.checks import LabelIssues, class_issues, value_issues
from trigpoint.features import ColumnUse, Recipe, recipe_from
from trigpoint.graph import N_NEIGHBORS, NeighborGraph
from trigpoint.io import frame_features, new_features
from trigpoint.learner._advice import StopAdvice, class_error, expected_error, value_error
from trigpoint.learner._answers import (
    check_answers,
    check_cost,
    check_groups,
    check_seed,
    numbered,
)
from trigpoint.learner._audits import asked_again, audit_order, chances_to_be_chosen, n_behind
from trigpoint.learner._beliefs import Known, beliefs, known_classes, known_values
from trigpoint.learner._choice import METHODS, check_method_size, check_weighs, method_for, questions
from trigpoint.learner._growth import (
    OF_EACH,
    add_event,
    grown_cost,
    grown_groups,
    grown_weight,
    rows_of,
    sizes_in,
)
from trigpoint.learner._own_model import Said, check_model, model_beliefs
from trigpoint.learner._record import Record, whose
from trigpoint.learner._saved import fingerprint, load_learner, save_learner
from trigpoint.learner._situation import Situation
from trigpoint.learner._tags import check_for_tags, known_tags, sets_of, tag_error
from trigpoint.learner._to_estimator import estimator_of
from trigpoint.prediction import (
    PREDICTORS,
    ViewedPool,
    check_noise,
    check_view,
    graph_pool,
    grown_pool,
    label_weights,
    viewed_pool,
)
from trigpoint.propagation import classify, decode

TASKS = ("classification", "regression", "tags")


class ActiveLearner:
    """Ask for the samples that matter most, tell their labels, and predict all the others.

    Parameters
    ----------
    X : (n, p) features, dense or sparse, or a data frame (see `read_pool`); or None where ``graph`` is given
    graph : NeighborGraph, optional
        In place of X.
    view : "auto", "raw", "standard", "half_white" or "white"
        The metric in which features are compared. "auto" considers several, and the labels decide.
    predictor : "auto", "propagation" or "linear"
        "auto" mixes what is propagated on the graphs of the views with models of the features, weighted by
        how well each predicts labels that it does not know. "propagation" is least squares on one graph.
    task : "classification", "regression" or "tags", where a label is a set of tags, perhaps empty
    method : "auto", "coverage", "uncertainty", "error_reduction" or "model_change"
        How questions are chosen, see docs/learner.md. "auto" starts with coverage and moves to the borders
        between classes as labels arrive; for real targets it asks for what leaves the least variance.
        "error_reduction" takes at most 10,000 samples (for real targets any number). Tags have the first
        three.
    n_neighbors, metric : of the neighbor graphs of X; at most n - 1 neighbors
    classes : classes, or tags, that are known in advance, optional; new ones may be told at any time
    audit : share of the questions that are checks: drawn at random, so that `stop_advice` can estimate the
        error, or a label that the others contradict, which is asked for again
    noise : "auto" or a number
        Share of the labels that are wrong. "auto" finds it from the labels. If there are wrong labels, labels
        pull instead of being kept, each as strongly as the others support it. 0 takes all to be right.
    cost : (n,) positive numbers, optional: what each sample costs to label
    sample_weight : (n,) how much each sample counts, optional: where questions go (methods "auto" and
        "uncertainty" for classes and tags, "coverage" for all), and how much labels count in the models
    at_least_one_per : (n,) group of each sample, optional: every group gets one question first
    model : a classifier (or regressor) of your own, optional
        In place of our predictor: an object with fit and predict_proba (or predict), as in scikit-learn.
        It is copied, and the copy is fitted to the labels so far (`model`). Its probabilities are those
        of this learner, and its doubt chooses the questions, by "auto", "uncertainty" or "coverage".
    model_X : (n, ...) what the model sees of each sample where that is not X, optional: texts, a data frame
        `predict` and `predict_proba` then take new samples of this kind.
    random_state : int, the seed of the audits

    Attributes
    ----------
    recipe : how a data frame became features, None where X holds numbers only
    columns : how each column of such a frame is used

    Notes
    -----
    Cost: the graphs are made once. After new labels, one fit of the predictors (see `ManifoldClassifier`)
    serves `ask`, `predict` and `stop_advice`. Batches are not redundant, so ask for as many as a person
    labels at a time.

    See Also
    --------
    LandmarkSelector : all questions at once, for labels that come back together.
    trigpoint studio : the same loop as a page in the browser.

    Examples
    --------
    >>> import numpy as np, trigpoint as tp
    >>> X = np.concatenate([np.random.default_rng(0).normal(k * 9, 1, (50, 8)) for k in range(3)])
    >>> learner = tp.ActiveLearner(X, n_neighbors=5, audit=0.0)
    >>> samples = learner.ask(3)
    >>> learner.tell(samples, [int(i) // 50 for i in samples])
    >>> (learner.predict() == np.repeat([0, 1, 2], 50)).all()
    np.True_
    """

    recipe: Recipe | None
    columns: tuple[ColumnUse, ...]

    def __init__(
        self,
        X: Any = None,
        *,
        graph: NeighborGraph | None = None,
        view: str = "auto",
        predictor: str = "auto",
        task: str = "classification",
        method: str = "auto",
        n_neighbors: int = N_NEIGHBORS,
        metric: str = "euclidean",
        classes: Sequence[Hashable] = (),
        audit: float = 0.1,
        noise: float | str = "auto",
        cost: Any = None,
        sample_weight: Any = None,
        at_least_one_per: Any = None,
        model: Any = None,
        model_X: Any = None,
        random_state: int = 0,
    ) -> None:
        check_choice(task, "task", TASKS)
        check_choice(method, "method", tuple(METHODS))
        check_choice(predictor, "predictor", PREDICTORS)
        check_view(view, metric)
        if task == "tags":
            check_for_tags(noise)
        if (X is None) == (graph is None):
            raise InputError("X or graph", "must be given: exactly one of them")
        if graph is not None and not isinstance(graph, NeighborGraph):
            raise TypeError(f"graph must be a NeighborGraph; got {type(graph).__name__}.")
        self._settings: dict[str, Any] = {
            "task": task,
            "method": method,
            "view": view,
            "predictor": predictor,
            "n_neighbors": check_integer(n_neighbors, "n_neighbors", 1),
            "metric": metric,
            "classes": check_answers(list(classes), "classification", "classes"),
            "audit": check_fraction(audit, "audit"),
            "noise": check_noise(noise, predictor),
            "seed": check_seed(random_state),
        }
        X, self.recipe, self.columns = frame_features(X)
        if graph is None:
            X = check_distances(X) if metric == "precomputed" else check_features(X)
        n = graph.n_samples if graph is not None else X.shape[0]
        check_method_size(method, task, n)
        features = graph is None and metric != "precomputed"
        self._own = check_model(model, model_X, features, n, self._settings)
        self._cost, self._groups = check_cost(cost, n), check_groups(at_least_one_per, n)
        self._weight_given = None if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
        self._sample_weight = check_sample_weight(sample_weight, n)
        if sample_weight is not None:
            check_weighs(method, task)
        self._sizes = [n]  # that the pool has had
        self._X = X  # None for a graph
        self._pool = graph_pool(graph) if graph is not None else _viewed(X, self._settings)
        self._record = Record(task)
        self._kept: dict[str, dict[str, Any]] = {}  # view -> what a method has computed there
        self._found: dict[bool, Said] = {}  # whether with audits -> what the labels of now say

    @property
    def n_samples(self) -> int:
        """How many samples the pool has, labeled or not."""
        return self._pool.n_samples

    @property
    def view(self) -> str:
        """The view that counts most by the labels so far; "graph" or "distances" without features."""
        return self._beliefs().view.name

    @property
    def weights(self) -> dict[str, float]:
        """How much each predictor counts; views by their names. Empty without labels."""
        return dict(self._beliefs().weights)

    @property
    def model(self) -> Any:
        """The copy of your model that is fitted to the labels so far; None while there is none."""
        fitted = getattr(self._beliefs(), "fitted", None)
        return None if fitted is None else fitted.model

    @property
    def log(self) -> list[dict[str, Any]]:
        """What was asked and told, in order: plain lists and numbers, to be stored or replayed."""
        return deepcopy(self._record.log)

    @property
    def labels(self) -> dict[int, Any]:
        """The labels told so far, corrections included; where several annotators answer, their consensus."""
        return dict(self._record.labels)

    @property
    def annotators(self) -> dict[Hashable, Annotator]:
        """Name -> how good their answers are, see `tp.consensus`; None for answers without a name."""
        return self._record.people.annotators

    @property
    def agreement(self) -> Agreement | None:
        """How far several annotators agree; None where no sample has two answers."""
        return self._record.people.agreement

    @property
    def disputed(self) -> Ints:
        """Samples about which annotators differ, in order of the first answer."""
        return np.array(self._record.people.disputed, dtype=np.int64)

    @property
    def pending(self) -> Ints:
        """Samples that were asked for and not answered yet, in order of asking."""
        return np.array(self._record.pending, dtype=np.int64)

    @property
    def asked_again(self) -> Ints:
        """Samples whose labels others contradicted, and that were asked for again, in order of asking."""
        return np.array(list(self._record.again), dtype=np.int64)

    @property
    def noise(self) -> float:
        """Share of the labels that are probably wrong; 0 as long as nothing speaks for it."""
        return self._beliefs().noise

    @property
    def audits(self) -> Ints:
        """Samples that were drawn at random, in order of asking: those that `stop_advice` needs."""
        return np.array(self._record.audits, dtype=np.int64)

    def _audit_order(self) -> Ints:
        return audit_order(self._settings["seed"], self.n_samples)

    @property
    def classes(self) -> tuple[Hashable, ...]:
        """Classes in the order of the columns of `predict_proba`: given, then as they came up."""
        return self._known(self._record.labels).classes

    @property
    def threshold(self) -> float:
        """For tags: a sample is predicted to have those whose probability is larger."""
        return self._beliefs().threshold

    def ask(self, n_landmarks: int = 1) -> Ints:
        """The samples to label next, in order of choice.

        None was asked for or told before, but for labels that the others contradict: each of them is asked
        for once more, as one of the checks (`asked_again` lists them). The second answer is taken as right.

        Parameters
        ----------
        n_landmarks : how many to ask for, 1 or more

        Returns
        -------
        (n_landmarks,) indices of samples; fewer if fewer are left, and an empty array if none is
        """
        count = self._count(n_landmarks)
        audits = self._checks_due(count)
        again = self._due_again(audits)
        fresh = np.array([k for k in range(count) if k not in again], dtype=np.int64)
        picks = np.empty(count, dtype=np.int64)
        picks[fresh] = self._chosen(audits[fresh])
        picks[list(again)] = list(again.values())
        audits[list(again)] = False
        if count:
            self._record.ask(picks.tolist(), audits.tolist(), list(again.values()))
        return picks

    def peek(self, n_landmarks: int = 1) -> tuple[Ints, Array]:
        """What `ask` would return but for labels to be checked again, and which of these samples are audits.

        Nothing is recorded.

        Parameters
        ----------
        n_landmarks : as for `ask`

        Returns
        -------
        indices of samples, and whether each of them is an audit
        """
        audits = self._checks_due(self._count(n_landmarks))
        return self._chosen(audits, passing=True), audits

    def _count(self, n_landmarks: int) -> int:
        return min(check_integer(n_landmarks, "n_landmarks", 1), int(self._free().sum()))

    def _free(self) -> Array:
        return self._record.free(self.n_samples)

    def _checks_due(self, count: int) -> Array:
        return self._record.checks_due(count, self._settings["audit"])

    def _due_again(self, audits: Array) -> dict[int, int]:
        """Place among the next questions -> the sample whose label is to be checked there."""
        keeps = self._settings["noise"] == 0 or self._own is not None  # all labels as they are
        record = self._record
        if not audits.any() or keeps or not record.labels:
            return {}
        others = [i for i in self._beliefs().contradicted().tolist() if i not in record.again]
        return asked_again(audits, len(record.audits), len(record.again), np.array(others, dtype=np.int64))

    def _chosen(self, audits: Array, passing: bool = False) -> Ints:
        """A sample for each entry: of the method, or an audit."""
        if len(audits) == 0:
            return np.empty(0, dtype=np.int64)
        taken = self._record.taken()
        try:
            situation = self._situation(taken, int((~audits).sum()), passing)
            groups = numbered(self._groups)
            with stage("questions"):
                choose = method_for(self._settings["method"], self._settings["task"])(situation)
                return questions(choose, taken, self._free(), groups, audits, self._audit_order())
        except BaseException:  # Ctrl-C: what was computed may know of picks that nobody is asked for
            self._kept.clear()
            raise

    def tell(self, samples: Any, labels: Any, *, annotator: str | None = None, random: bool = False) -> None:
        """Take answers: any subset of what was asked, other samples, corrections, new classes.

        Parameters
        ----------
        samples : (m,) distinct
        labels : (m,) classes, each a string, an integer or the like; or (m,) or (m, d) real targets; or
            (m,) sets of tags, each a set, a list or a tuple.
            None (for real targets also NaN) means unsure: the sample is not asked for again, nor used.
        annotator : who answers, optional. The last answer of each annotator counts, and the label of a sample
            is their consensus (`tp.consensus`). Where nothing decides it has no label, like an unsure one.
        random : whether these samples were drawn at random from the whole pool, each as likely as any other
            They then count as audits in `stop_advice`, except those that the learner chose itself.
        """
        self._record.tell(samples, labels, self.n_samples, annotator, random)
        self._found = {}

    def confirm(self, samples: Any) -> None:
        """Take the labels of these samples as right for certain, after a second look; until told another.

        Parameters
        ----------
        samples : (m,) distinct, with labels
        """
        self._record.confirm(samples, self.n_samples)
        self._found = {}

    def add(
        self, X_new: Any, *, cost: Any = None, at_least_one_per: Any = None, sample_weight: Any = None
    ) -> Ints:
        """New samples join the pool; what was asked and told stays, and the graphs are extended.

        A learner made from a graph or from distances cannot grow. Make one of the larger graph: with
        ``restore(learner.log)`` it knows what this one knew.

        Parameters
        ----------
        X_new : (m, p) features, m >= 0; they are kept in the form and type of X
        cost, at_least_one_per, sample_weight : (m,) of the new samples, if the others have them

        Returns
        -------
        (m,) indices of the new samples, which come after the others
        """
        if self._pool.X is None:
            rule = (
                "cannot join a pool without features; make a learner of the larger pool, and restore the log"
            )
            raise InputError("X_new", rule)
        n = self.n_samples
        if np.shape(X_new)[:1] == (0,):
            return np.empty(0, dtype=np.int64)
        X_new = new_features(X_new, self.recipe, self.columns)
        X_new = check_features(X_new, "X_new", n_features=self._pool.X.shape[1])
        m = X_new.shape[0]
        check_method_size(self._settings["method"], self._settings["task"], n + m)
        if self._own is not None and self._own.X is not None:
            raise InputError("add", "has no meaning with model_X, which holds only the samples of the start")
        costs, groups = grown_cost(self._cost, cost, m), grown_groups(self._groups, at_least_one_per, m)
        self._grow(X_new, costs, groups, grown_weight(self._weight_given, sample_weight, m))
        own = {"cost": cost, "at_least_one_per": at_least_one_per, "sample_weight": sample_weight}
        self._record.log.append(add_event(n, n + m, **own))
        return np.arange(n, n + m)

    def _grow(
        self, X_new: Any, cost: Floats | None, groups: Array | None, sample_weight: Floats | None
    ) -> None:
        settings = {name: self._settings[name] for name in ("view", "n_neighbors", "metric")}
        self._pool = grown_pool(self._pool, X_new, **settings)
        self._X, self._cost, self._groups = self._pool.X, check_cost(cost, self.n_samples), groups
        self._weight_given = sample_weight
        self._sample_weight = check_sample_weight(sample_weight, self.n_samples)
        self._sizes, self._kept, self._found = [*self._sizes, self.n_samples], {}, {}

    def predict(self, X_new: Any = None) -> Array:
        """The most likely class of each sample of the pool, or its real values; or of new samples.

        New samples do not join the pool: see `add`.

        Parameters
        ----------
        X_new : (m, p) new samples, optional: the pool's by default
            With ``model_X``, what the model sees of them.

        Returns
        -------
        (n,) classes, -1 where nothing is known (None unless all classes are integers); or (n,) or
        (n, d) values, NaN where nothing is known; or (n,) frozensets of tags, None where nothing is known.
        """
        values = self._values(X_new)
        if self._tagged():
            return sets_of(self._beliefs(), values)
        if self._regresses():
            return values[:, 0] if values.shape[1] == 1 else values
        return decode(self.classes, classify(values).numbers)

    def predict_proba(self, X_new: Any = None) -> Floats:
        """How likely each class is, for each sample of the pool or for new samples.

        Parameters
        ----------
        X_new : as for `predict`

        Returns
        -------
        (n, n_classes) probabilities, columns as in `classes`; NaN where nothing is known. Rows sum to one,
        but not those of tags: each tag has a probability of its own.
        """
        self._needs_classes("predict_proba")
        return self._values(X_new).copy()

    def uncertainty(self) -> Floats:
        """How unsure the prediction of each sample of the pool is.

        Returns
        -------
        (n,) one minus the largest probability, 1 where nothing is known; for tags, the chance that the set is
        not exactly right, if tags were independent; for real targets (n,) or (n, d) standard deviations,
        infinite where nothing is known or too few labels give the scale
        """
        if not self._regresses():
            return self._beliefs().doubts()
        if len(self._record.labels) < 2:
            return np.full(self.n_samples, np.inf)
        std = self._beliefs().deviations()
        return std[:, 0] if std.shape[1] == 1 else std

    def _values(self, X_new: Any = None) -> Floats:
        found = self._beliefs()
        if X_new is None:
            return found.values
        if self._own is not None and self._own.X is not None:
            return found.new(X_new)
        if self._pool.X is None:
            raise InputError("X_new", "must be None: the pool of this learner has no features")
        X_new = new_features(X_new, self.recipe, self.columns)
        return found.new(check_features(X_new, "X_new", n_features=self._pool.X.shape[1]))

    def stop_advice(self, next_labels: int | None = None) -> StopAdvice:
        """The current error with a 90 % interval, and the error to expect after ``next_labels`` more.

        Only labels that were drawn at random measure the error: audits, and those told with ``random=True``.
        Without one, the error is NaN and the interval is [0, 1], or [0, inf) for real targets.

        Parameters
        ----------
        next_labels : how many more labels to look ahead, by default a quarter of those so far, at least 10

        Returns
        -------
        StopAdvice, which prints as one sentence
        """
        now, count = self._beliefs(), len(self._record.labels)
        more = max(10, count // 4) if next_labels is None else check_integer(next_labels, "next_labels", 1)
        more = min(more, self.n_samples - count)
        audits, later, wrong = self._record.drawn(self._record.labels), np.nan, None
        if self._regresses():
            error, low, high = value_error(now, audits)
        else:
            drawn = now.known.landmarks[audits].tolist()
            chances = chances_to_be_chosen(self._record.log, self.n_samples, drawn)
            wrongness = tag_error if self._tagged() else class_error
            error, low, high, wrong = wrongness(now, audits, chances)
            later = expected_error(self._first_half(), now, error, more)
        behind = n_behind(self._audit_order(), self._free(), self.audits)
        return StopAdvice(error, low, high, count, len(audits), wrong, more, later, behind)

    def label_issues(self) -> LabelIssues:
        """How far each label told so far can be trusted.

        The same as `trigpoint.label_issues`, whatever the settings of this learner.

        Returns
        -------
        LabelIssues, with samples in the order of `labels`
        """
        if self._tagged():
            raise InputError("label_issues", "has no meaning for task='tags', whose labels are not judged")
        if not self._record.labels:
            raise InputError("label_issues", "needs labels; tell some first")
        known = self._known(self._record.labels)
        if self._regresses():
            return value_issues(self._pool, known.landmarks, known.values)
        codes = known.values.argmax(axis=1)
        return class_issues(self._pool, known.landmarks, known.classes, codes, known.trusted)

    def _first_half(self) -> Said:
        """What the first half of the labels says."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of a model of the user's that needs more
            labels = list(self._record.labels.items())
            return self._told(dict(labels[: len(labels) // 2]))

    def to_estimator(self) -> Any:
        """A fitted estimator with the labels so far, and what they say.

        Nothing is fitted again. What is told later does not change it. `save_model` writes it to a file.

        Returns
        -------
        `ManifoldClassifier`, or `ManifoldRegressor` for real targets
        """
        estimator = estimator_of(self._beliefs(), self._pool, self._settings, self.uncertainty())
        estimator.recipe_, estimator.columns_ = self.recipe, self.columns
        return estimator

    def save(self, path: str | PathLike[str]) -> None:
        """Write everything but X to one file, whole or not at all; of X it holds a fingerprint.

        A model of your own is not stored either: `load` needs it again.

        Parameters
        ----------
        path : of the file, which is replaced if it is there
        """
        graph = self._pool.main.graph if self._X is None else None
        mark = None if self._X is None else fingerprint(self._X)
        settings = self._settings | {"model": None if self._own is None else self._own.name}
        own = self._cost, self._groups, self._weight_given, self._sizes, self.recipe, self.columns
        save_learner(path, settings, self._record.log, graph, mark, *own)

    @classmethod
    def load(
        cls, path: str | PathLike[str], X: Any = None, *, model: Any = None, model_X: Any = None
    ) -> "ActiveLearner":
        """The learner that was saved, with its log.

        Parameters
        ----------
        path : of the file
        X : the whole pool as it was when the learner was saved, with all samples that were added; None if
            the learner was made from a graph
        model, model_X : the same as when the learner was made; None if it had no model of yours

        Returns
        -------
        ActiveLearner
        """
        stored = load_learner(path)
        settings = {name: value for name, value in stored.settings.items() if name not in ("seed", "model")}
        if stored.settings["model"] is not None and model is None:
            had = f"the learner in this file had a {stored.settings['model']}, which the file does not hold"
            raise InputError("model", f"must be given: {had}")
        if stored.graph is not None and X is not None:
            raise InputError("X", "must be None: the learner in this file was made from a graph")
        recipe = None if stored.recipe is None else recipe_from(stored.recipe)
        if stored.graph is None:
            X = _same(frame_features(X, recipe)[0], stored.fingerprint, settings["metric"])
        n = stored.sizes[0]
        learner = cls(
            X if len(stored.sizes) == 1 else X[:n],
            graph=stored.graph,
            cost=_first(stored.cost, n),
            sample_weight=_first(stored.sample_weight, n),
            at_least_one_per=_first(stored.groups, n),
            model=model,
            model_X=model_X,
            random_state=stored.settings["seed"],
            **settings,
        )
        learner.recipe, learner.columns = recipe, stored.columns
        try:
            for size in stored.sizes[1:]:  # as it grew, so that all that is computed is the same
                own = [_first(each, size) for each in (stored.cost, stored.groups, stored.sample_weight)]
                learner._grow(X[learner.n_samples : size], *own)
            learner.restore(stored.log)
        except ValueError as error:
            raise InputError(path, f"must be a file written by ActiveLearner.save; {error}") from None
        return learner

    def replay(self, log: Sequence[dict[str, Any]], X: Any = None) -> None:
        """Ask and tell as in ``log``, and check that every question comes out the same.

        Parameters
        ----------
        log : as in `log`
        X : the whole pool, if samples were added in this log; this learner has those that came first
        """
        X = None if X is None else check_features(frame_features(X, self.recipe)[0])
        for event in log:
            if event["event"] == "tell":
                self.tell(event["samples"], event["labels"], **whose(event))
            elif event["event"] == "add":
                own = {name: event.get(name) for name in OF_EACH}
                self.add(rows_of(event, X, self.n_samples), **own)
            elif event["event"] == "confirm":
                self.confirm(event["samples"])
            elif self.ask(len(event["samples"])).tolist() != event["samples"]:
                raise InputError("log", "must come from a run with this pool, settings and seed; it does not")

    def restore(self, log: Sequence[dict[str, Any]], *, classes: Sequence[Hashable] | None = None) -> None:
        """Put this log in place of all that was asked and told; nothing is chosen anew.

        Results of the pool alone are kept. A log that is not valid is an error, and changes nothing. Samples
        that it adds must be in the pool already; one that adds none takes all to be there from the start.

        Parameters
        ----------
        log : as in `log`, of this pool and task; its questions need not be those that `ask` would choose
        classes : in place of those given at the start, optional
        """
        record, settings = Record(self._settings["task"]), self._settings
        try:
            if classes is not None:
                settings = settings | {"classes": check_answers(list(classes), "classification", "classes")}
            sizes_in(log, self.n_samples)
            record.repeat(log, self.n_samples)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            said = f"{type(error).__name__}: {error}" if isinstance(error, KeyError) else str(error)
            raise ValueError(f"log must be a list of asks and tells of this pool; {said}") from None
        self._record, self._settings, self._found = record, settings, {}

    def _known(self, labels: dict[int, Any]) -> Known:
        if self._regresses():
            return known_values(labels)
        if self._tagged():
            return known_tags(labels, self._settings["classes"])
        return known_classes(labels, self._settings["classes"], self._record.trusted)

    def _told(self, labels: dict[int, Any]) -> Said:
        known = self._known(labels)
        if self._own is not None:
            return model_beliefs(self._own, self._pool, known)
        predictor, noise = self._settings["predictor"], self._settings["noise"]
        counts = label_weights(self._sample_weight, known.landmarks)
        return beliefs(self._pool, known, predictor, self._record.drawn(labels), noise, counts)

    def _beliefs(self, audits: bool = True) -> Said:
        """What the labels say, with those of audits or without; once for a state of the labels."""
        labels, asked = self._record.labels, self._record.asked
        others = {i: label for i, label in labels.items() if not asked.get(i)}
        audits = audits or len(others) == len(labels)
        if audits not in self._found:
            with stage("predictions"):
                self._found = self._found | {audits: self._told(labels if audits else others)}
        return self._found[audits]

    def _situation(self, taken: Ints, count: int, passing: bool) -> Situation:
        """As if no audit were known: questions must not keep away from audits."""
        now = self._beliefs(audits=False)
        flat = np.nan_to_num(now.values, nan=0.5 if self._tagged() else 1.0 / max(now.values.shape[1], 1))
        kept = self._kept.setdefault(now.view.name, {})
        weight = np.ones(self.n_samples) if self._sample_weight is None else self._sample_weight
        return Situation(now.view, now.known, flat, taken, count, self._cost, weight, kept, passing)

    def _tagged(self) -> bool:
        return bool(self._settings["task"] == "tags")

    def _regresses(self) -> bool:
        return bool(self._settings["task"] == "regression")

    def _needs_classes(self, name: str) -> None:
        if self._regresses():
            raise InputError(name, "has no meaning for task='regression'")


def _viewed(X: Any, settings: dict[str, Any]) -> ViewedPool:
    n_neighbors = min(settings["n_neighbors"], max(X.shape[0] - 1, 1))
    return viewed_pool(X, settings["view"], n_neighbors=n_neighbors, metric=settings["metric"])


def _first(array: Any, n: int) -> Any:
    return None if array is None else array[:n]


def _same(X: Any, expected: str, metric: str) -> Any:
    """X, if it is the one that the fingerprint is of."""
    if X is None:
        raise InputError(
            "X", "must be given: the learner in this file was made from X, which the file does not hold"
        )
    X = check_distances(X) if metric == "precomputed" else check_features(X)
    X = X.astype(expected.split()[3], copy=False)  # new samples may have come in another type
    if fingerprint(X) != expected:
        raise InputError("X", "must be the X of the learner, with all samples that were added; it is another")
    return X

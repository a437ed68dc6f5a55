"""Findings in words: what was found, how bad it is, and the call that acts on it."""

from collections.abc import Hashable

import numpy as np

from trigpoint._types import Floats, Ints
from trigpoint.checks._known_labels import Known
from trigpoint.checks._label_issues import LabelIssues
from trigpoint.checks._pool_check import Finding
from trigpoint.checks._spellings import typos
from trigpoint.graph import NeighborGraph

FAR = 10.0  # times the usual distance, from which on an outlier is no mere note
UNEVEN = 10.0  # labels of the largest class for one of the smallest, that are worth a note
FEW = 2  # labels of a class that say next to nothing
MOST = 20  # columns that a call spells out


def label_findings(known: Known, issues: LabelIssues | None) -> list[Finding]:
    """Labels that the others contradict."""
    suspects = known.suspects(issues)
    if issues is None or len(suspects) == 0:
        return []
    low, high = int(np.floor(issues.low)), int(np.ceil(issues.high))
    look = things(len(suspects), "label looks", "labels look")
    sentence = (
        f"{look} wrong, of {len(known.samples)}: the others suggest another "
        f"{'class' if known.task == 'classification' else 'value'}. In all, {low} to {high} are wrong."
    )
    action = "labels[found.labeled] = found.corrected, once you have looked at them"
    severity = "problem" if issues.low >= 1 else "note"
    samples = issues.samples[suspects]
    return [Finding("wrong_labels", severity, sentence, len(suspects), samples, action=action)]


def class_findings(known: Known, graph: NeighborGraph) -> list[Finding]:
    if known.task == "regression":
        return []
    return _spelled(known) + _misspelled(known, graph) + _balance(known)


def _named(known: Known, groups: list[list[int]]) -> tuple[tuple[Hashable, ...], ...]:
    return tuple(tuple(known.classes[code] for code in group) for group in groups)


def _of_classes(known: Known, codes: list[int]) -> Ints:
    return known.samples[np.isin(known.values, codes)]


def _spelled(known: Known) -> list[Finding]:
    groups = known.spellings
    if not groups:
        return []
    many = len(groups) > 1
    sentence = (
        f"{sum(map(len, groups))} classes look like {len(groups)} under different spellings."
        if many
        else f"{len(groups[0])} classes look like one under different spellings."
    )
    others = [code for group in groups for code in group[1:]]
    action = "labels[found.labeled] = found.corrected"
    return [
        Finding(
            "spellings",
            "problem",
            sentence,
            len(groups),
            _of_classes(known, others),
            classes=_named(known, groups),
            action=action,
        )
    ]


def _misspelled(known: Known, graph: NeighborGraph) -> list[Finding]:
    """Typos whose samples lie among those of the other class."""
    codes = known.codes(graph.n_samples)
    pairs = [
        (rare, many)
        for rare, many in typos(known.classes, known.counts)
        if known.spelled[rare] == rare and _alike(known, graph, codes, rare, many)
    ]
    if not pairs:
        return []
    sentence = (
        f"{things(len(pairs), 'rare class', 'rare classes')} may be "
        f"{'a typo' if len(pairs) == 1 else 'typos'} of a frequent one."
    )
    action = "labels[labels == 'the typo'] = 'the class'"
    return [
        Finding(
            "typos",
            "warning",
            sentence,
            len(pairs),
            _of_classes(known, [rare for rare, _ in pairs]),
            classes=_named(known, [list(pair) for pair in pairs]),
            action=action,
        )
    ]


def _alike(known: Known, graph: NeighborGraph, codes: Ints, rare: int, many: int) -> bool:
    """Whether most labeled neighbors of the samples of a class are of another one."""
    starts, ends = graph.indptr[:-1], graph.indptr[1:]
    mine = known.samples[known.values == rare].tolist()
    near = np.concatenate([codes[graph.indices[starts[i] : ends[i]]] for i in mine])
    near = near[(near >= 0) & (near != rare)]
    return bool(2 * np.count_nonzero(near == known.spelled[many]) > len(near))


def _balance(known: Known) -> list[Finding]:
    counts = np.bincount(known.spelled[known.values], minlength=len(known.classes))
    used = np.flatnonzero(counts)
    if len(used) == 1:
        sentence = f"All {things(int(counts.sum()), 'label')} are of one class, {known.classes[used[0]]!r}."
        action = "tp.ActiveLearner(X).ask(10), and label what it asks for"
        return [
            Finding(
                "one_class", "warning", sentence, 1, classes=_named(known, [[int(used[0])]]), action=action
            )
        ]
    total = int(counts.sum())
    if total < 2 * len(used):
        sentence = (
            f"The {total} labels have {len(used)} classes, most of them with a single label. "
            "Are they ids, or numbers?"
        )
        severity = "note" if total < 100 else "warning"
        return [
            Finding(
                "many_classes",
                severity,
                sentence,
                len(used),
                action="tp.check_pool(X, values, task='regression'), if they are numbers",
            )
        ]
    found = []
    few = used[counts[used] <= FEW]
    if len(few):
        order = few[np.argsort(counts[few], kind="stable")].tolist()
        sentence = f"{things(len(few), 'class has', 'classes have')} only one or two labels."
        found.append(
            Finding(
                "few_labels",
                "note",
                sentence,
                len(few),
                _of_classes(known, order),
                classes=_named(known, [[code] for code in order]),
                action="tp.ActiveLearner(X).ask(10), and label what it asks for",
            )
        )
    enough = used[counts[used] > FEW]
    if len(enough) > 1 and counts[enough].max() >= UNEVEN * counts[enough].min():
        large, small = enough[counts[enough].argmax()], enough[counts[enough].argmin()]
        sentence = (
            f"Classes are of very different size: {known.classes[large]!r} has {counts[large]} labels, "
            f"{known.classes[small]!r} has {counts[small]}."
        )
        action = "measure the error of each class by itself, as sklearn.metrics.balanced_accuracy_score does"
        found.append(
            Finding("imbalance", "note", sentence, 1, classes=_named(known, [[large, small]]), action=action)
        )
    return found


def copy_findings(
    exact: tuple[Ints, ...], near: tuple[Ints, ...], chance: bool, faint: bool
) -> list[Finding]:
    """Copies. ``chance``: some rows are equal by chance; ``faint``: features leave out much of a sample."""
    found = []
    action = "X = np.delete(X, found.redundant, axis=0)"
    if exact:
        words = "have the same features as another, as some must where features have few values"
        sentence = f"{_grouped(exact)} {words if chance else 'are exact copies of each other'}."
        found.append(_groups("duplicates", "note" if chance else "warning", sentence, exact, action))
    if near:
        sentence = f"{_grouped(near)} are nearly copies of each other."
        found.append(_groups("near_duplicates", "note" if faint else "warning", sentence, near, action))
    return found


def conflict_findings(
    exact: tuple[Ints, ...], near: tuple[Ints, ...], chance: bool, faint: bool
) -> list[Finding]:
    """Copies whose labels differ."""
    found = []
    action = "decide which label is right, and set it for all samples of the group"
    if exact:
        sentence = f"{_grouped(exact)} are the same but have different labels."
        found.append(_groups("conflicts", "note" if chance else "problem", sentence, exact, action))
    if near:
        sentence = f"{_grouped(near)} are nearly the same but have different labels."
        found.append(_groups("near_conflicts", "note" if faint else "warning", sentence, near, action))
    return found


def _grouped(groups: tuple[Ints, ...]) -> str:
    count = sum(map(len, groups))
    return f"{count} samples" if len(groups) == 1 else f"{count} samples in {len(groups)} groups"


def _groups(kind: str, severity: str, sentence: str, groups: tuple[Ints, ...], action: str) -> Finding:
    return Finding(kind, severity, sentence, len(groups), np.concatenate(groups), groups, action=action)


def outlier_findings(samples: Ints, far: Floats) -> list[Finding]:
    if not len(samples):
        return []
    lie = things(len(samples), "sample lies", "samples lie")
    sentence = (
        f"{lie} far from all others, {'up to ' * (len(far) > 1)}{far.max():.3g} times the usual distance."
    )
    severity = "warning" if far.max() >= FAR else "note"
    action = "look at them; np.delete(X, found['outliers'].samples, axis=0) leaves them out"
    return [Finding("outliers", severity, sentence, len(samples), samples, far=far, action=action)]


def part_findings(graph: NeighborGraph, known: Known | None) -> list[Finding]:
    """Samples without any neighbor, and parts of the graph that no link joins."""
    found = []
    lonely = graph.isolated.astype(np.int64)
    if len(lonely):
        sentence = f"{things(len(lonely), 'sample has', 'samples have')} no link to any other."
        action = "link them, or leave them out: no label can reach them"
        found.append(Finding("isolated", "warning", sentence, len(lonely), lonely, action=action))
    sizes = np.bincount(graph.components)
    if len(sizes) == 1:
        return found
    by_size = np.argsort(-sizes, kind="stable")
    parts = [part for part in by_size.tolist() if sizes[part] > 1]
    if len(parts) > 1:
        members = _members(graph, parts)
        largest, smallest = sizes[parts[0]], sizes[parts[-1]]
        told = f"of {largest} to {smallest} samples"
        sentence = f"The graph has {len(parts)} parts without a link between them, {told}."
        action = "tp.select(phi, n_landmarks), which looks at all parts"
        found.append(Finding("parts", "note", sentence, len(parts), _first(members), members, action=action))
    if known is not None and len(known.samples) < graph.n_samples:
        lacking = np.setdiff1d(parts, graph.components[known.samples]).tolist()
        members = _members(graph, sorted(lacking, key=lambda part: -sizes[part]))
        if members:
            count = sum(map(len, members))
            lack = things(len(members), "part of the graph has", "parts of the graph have")
            sentence = f"{lack} no label: {count} of {graph.n_samples} samples."
            action = "tp.select(phi, n_landmarks, initial=found.labeled)"
            found.append(
                Finding(
                    "unlabeled_parts",
                    "warning",
                    sentence,
                    len(members),
                    _first(members),
                    members,
                    action=action,
                )
            )
    return found


def _members(graph: NeighborGraph, parts: list[int]) -> tuple[Ints, ...]:
    order = np.argsort(graph.components, kind="stable")
    starts = np.searchsorted(graph.components[order], np.arange(graph.n_components + 1))
    return tuple(order[starts[part] : starts[part + 1]] for part in parts)


def _first(groups: tuple[Ints, ...]) -> Ints:
    """One sample of each group."""
    return np.array([group[0] for group in groups], dtype=np.int64)


def column_findings(
    constant: Ints, repeated: list[Ints], counting: Ints, leaking: Ints, copied: bool
) -> list[Finding]:
    """``copied``: whether a leaking column is a copy of the label, and no good feature."""
    found = []
    leak = "warning" if copied else "note"
    answer = "the label alone, and may hold the answer"
    for kind, severity, columns, one, several, rest in (
        ("leaks", leak, leaking, "column tells", "columns tell", answer),
        ("counting", "warning", counting, "column counts", "columns count", "the rows, as an id does"),
        ("constant", "note", constant, "column is", "columns are", "constant"),
    ):
        if len(columns):
            sentence = f"{things(len(columns), one, several)} {rest}."
            found.append(_column(kind, severity, sentence, [[int(j)] for j in columns], columns))
    if repeated:
        extra = np.concatenate([group[1:] for group in repeated])
        sentence = f"{things(len(extra), 'column repeats', 'columns repeat')} another."
        found.append(_column("repeated", "note", sentence, [group.tolist() for group in repeated], extra))
    return found


def _column(kind: str, severity: str, sentence: str, groups: list[list[int]], extra: Ints) -> Finding:
    listed = ", ".join(map(str, extra[:MOST].tolist())) + (", ..." if len(extra) > MOST else "")
    action = f"X = np.delete(X, [{listed}], axis=1)"
    return Finding(kind, severity, sentence, len(extra), columns=tuple(map(tuple, groups)), action=action)


def things(number: int, one: str, several: str | None = None) -> str:
    """
    >>> things(1, "label"), things(3, "class has", "classes have")
    ('1 label', '3 classes have')
    """
    return f"{number} {one if number == 1 else several or one + 's'}"

"""The studio's state and assigner from their definitions: everything anew from the whole list of events."""

from collections import Counter
from fractions import Fraction
from itertools import combinations, permutations

ANSWERS = ("label", "unsure", "skip")


def standing(events, ids):
    """Answers that stand, oldest first, with classes as they are called now; all classes; what was undone."""
    actions, classes, undone = deeds(events, ids)
    return [action for action in actions if action[3] != "keep"], classes, undone


def deeds(events, ids):
    """The same with labels that were kept."""
    actions, classes, undone, renamed, renames = [], [], set(), {}, {}
    gone = set()  # groups
    for event in events:
        body = event.body
        if event.sample is not None and event.sample not in ids:
            continue
        if event.kind in ANSWERS:
            value = body.get("value") if event.kind == "label" else None
            value = tuple(value) if isinstance(value, list) else value
            value = renamed.get(value, value) if value not in classes else value
            i, source = ids.index(event.sample), body.get("source", "queue")
            answers = [a for a in actions if a[3] != "keep"]
            others = [a for a in current(answers, i).values() if a[1] != event.annotator and a[3] == "label"]
            group = body.get("group")
            alone = group is None or body.get("relabel", False)
            if group in gone or not (alone or consensus(answers, i) == (None, False, False)):
                continue
            seen = bool(others) and source not in ("queue", "import") and alone
            final = event.kind == "label" and (body.get("final", False) or seen)
            actions.append(
                [event.seq, event.annotator, i, event.kind, value, final, event.client, source, group]
            )
            if isinstance(value, str) and value not in classes:
                classes.append(value)
        elif event.kind == "keep":
            value = body["value"] if isinstance(body["value"], str) else tuple(body["value"])
            value = renamed.get(value, value) if value not in classes else value
            i = ids.index(event.sample)
            actions.append([event.seq, event.annotator, i, "keep", value, False, event.client, "check", None])
        elif event.kind == "undo":
            if body["target"] in renames:
                classes, renamed = _taken_back(*renames.pop(body["target"]), actions, classes, renamed)
            elif all(a[6] != body["target"] for a in actions):
                gone.add(body["target"])
            own = [a for a in actions if body["target"] in (a[6], a[8]) and a[1] == event.annotator]
            undone |= {a[0] for a in own}
            actions = [a for a in actions if a not in own]
        elif event.kind == "class":
            renamed.pop(body["name"], None)
            classes += [body["name"]] if body["name"] not in classes else []
        elif event.kind == "rename" and body["old"] in classes and body["old"] != body["new"]:
            had = {a[0] for a in actions if a[4] == body["old"]}
            renames[event.client] = body["old"], body["new"], list(classes), dict(renamed), had
            classes, renamed = _renamed(body["old"], body["new"], actions, classes, renamed)
    return actions, classes, undone


def _renamed(old, new, actions, classes, renamed):
    """A class gets another name, or joins another one; the classes, and former names, of then."""
    k = classes.index(old)
    classes = classes[:k] + classes[k + 1 :] if new in classes else [*classes[:k], new, *classes[k + 1 :]]
    renamed = {was: new if now == old else now for was, now in {**renamed, old: old}.items()}
    renamed.pop(new, None)
    for action in actions:
        action[4] = new if action[4] == old else action[4]
    return classes, renamed


def _taken_back(old, new, classes_then, renamed_then, had, actions, classes, renamed):
    """The old name is back: for the class, or, after a merge, for the labels that had it."""
    if new not in classes_then:
        return _renamed(new, old, actions, classes, renamed)
    for action in actions:
        action[4] = old if action[0] in had else action[4]
    k = classes_then.index(old)
    renamed = {was: old if renamed_then.get(was) == old else now for was, now in renamed.items()}
    renamed.pop(old, None)
    return [*classes[:k], old, *classes[k:]], renamed


def current(actions, sample):
    return {a[1]: a for a in actions if a[2] == sample}  # later ones overwrite


def consensus(actions, sample):
    """(label or None, unsure, disputed)."""
    mine = list(current(actions, sample).values())
    labels = [a for a in mine if a[3] == "label"]
    finals = [a for a in labels if a[5]]
    if finals:
        return max(finals)[4], False, False
    if not labels:
        return None, any(a[3] == "unsure" for a in mine), False
    values = [a[4] for a in labels if a[7] != "import"] or [a[4] for a in labels]
    if isinstance(values[0], tuple):
        means = (sum(map(Fraction, column)) / len(values) for column in zip(*values, strict=True))
        return tuple(map(float, means)), False, len(set(values)) > 1
    counts = Counter(values)
    best = [value for value, count in counts.items() if count == max(counts.values())]
    return best[0] if len(best) == 1 else None, False, len(counts) > 1


def confirmed(events, ids):
    """Samples whose label is one that somebody kept, or gave in the check, and stands by."""
    actions = deeds(events, ids)[0]
    keeps = [a for a in actions if a[3] == "keep"]
    answers = [a for a in actions if a[3] != "keep"]
    found = set()
    for i in range(len(ids)):
        checks = [*current(keeps, i).values(), *current(answers, i).values()]
        label = consensus(answers, i)[0]
        if label is not None and any(a[7] == "check" and a[4] == label for a in checks):
            found.add(i)
    return found


def labels_in_order(events, ids):
    """Consensus, in the order in which samples came to have a label."""
    labels = {}
    for end in range(len(events) + 1):
        actions = standing(events[:end], ids)[0]
        now = {i: consensus(actions, i)[0] for i in range(len(ids))}
        labels = {i: now[i] for i in [*labels, *now] if now[i] is not None}
    return labels


def disputes_in_order(events, ids):
    """Disputed samples, the one that somebody acted on last first."""
    actions = standing(events, ids)[0]
    last = {}
    for end in range(1, len(events) + 1):
        event = events[end - 1]
        if event.kind in ANSWERS and event.sample in ids:
            last[ids.index(event.sample)] = end
        elif event.kind == "undo":
            gone = standing(events[:end], ids)[2] - standing(events[: end - 1], ids)[2]
            for other in events:
                if other.seq in gone:
                    last[ids.index(other.sample)] = end
    disputed = [i for i in range(len(ids)) if consensus(actions, i)[2]]
    return sorted(disputed, key=lambda i: -last[i])


def independent_labels(actions, n):
    """Of each sample the labels of its annotators before they decided among others'."""
    units = []
    for i in range(n):
        tops = {a[1]: a for a in actions if a[2] == i and not a[5]}
        units.append([a[4] for a in tops.values() if a[3] == "label"])
    return units


def alpha(units, distance):
    """Krippendorff's alpha by its definition over all ordered pairs; None where all labels are equal."""
    units = [unit for unit in units if len(unit) > 1]
    labels = [label for unit in units for label in unit]
    n = len(labels)
    inside = [sum(distance(a, b) for a, b in permutations(unit, 2)) / (len(unit) - 1) for unit in units]
    observed = sum(inside) / n
    expected = sum(distance(a, b) for a, b in permutations(labels, 2)) / (n * (n - 1))
    return 1 - observed / expected if expected else None


def agreeing_pairs(units, agree):
    pairs = [agree(a, b) for unit in units for a, b in combinations(unit, 2)]
    return sum(pairs), len(pairs)


class Assigner:
    """Who gets what, looking at all samples each time. `acted` tells it of each action and undo."""

    def __init__(self, state, overlap, lease):
        self.state, self.overlap, self.lease = state, overlap, lease
        self.order, self.proposals, self.leases = list(state.asked), [], {}

    def propose(self, samples):
        self.proposals = [i for i in dict.fromkeys(samples) if i not in self.order and not self.answers(i)]

    def acted(self, annotator, sample):
        self.leases.pop((sample, annotator), None)
        self.proposals = [i for i in self.proposals if not self.answers(i)]

    def assign(self, annotator, held, want, now, again):
        self.leases = {key: end for key, end in self.leases.items() if end > now}
        for i in held:
            if (i, annotator) in self.leases or (i in self.known() and self.may_have(i, annotator)):
                self.lend(i, annotator, now)
        given = []
        while len(given) < want - len(held) and (free := self.candidates(annotator, held, again)):
            given.append(free[0])
            self.lend(free[0], annotator, now)
        return given

    def candidates(self, annotator, held, again):
        """All that the annotator could get now, in order."""
        found = [i for i in self.order if self.may_have(i, annotator)]
        if self.is_open():
            found += [i for i in self.proposals if self.is_stranger(i, annotator) and i not in held]
        if not found and again:
            skips = [(a[annotator].seq, i) for i in self.known() if annotator in (a := self.state.current(i))]
            found = [i for _, i in sorted(skips) if self.state.current(i)[annotator].kind == "skip"]
            found = [i for i in found if i not in held and (i, annotator) not in self.leases]
            found = [i for i in found if self.wants_people(i) and (i in self.begun() or self.is_open())]
        return found

    def lend(self, i, annotator, now):
        if i in self.proposals:
            self.proposals.remove(i)
        if i not in self.order:
            self.order.append(i)
        self.leases[i, annotator] = now + self.lease

    def known(self):
        return [*self.order, *self.proposals]

    def answers(self, i):
        return sum(action.kind != "skip" for action in self.state.current(i).values())

    def holders(self, i):
        return [annotator for j, annotator in self.leases if j == i]

    def begun(self):
        return {i for i in range(len(self.state._ids)) if self.answers(i) or self.holders(i)}

    def is_open(self):
        return len(self.begun() & set(self.order)) < self.state.budget

    def wants_people(self, i):
        final = any(action.final for action in self.state.current(i).values())
        return self.answers(i) + len(self.holders(i)) < self.overlap and not final

    def is_stranger(self, i, annotator):
        return annotator not in self.state.current(i) and (i, annotator) not in self.leases

    def may_have(self, i, annotator):
        begun = i in self.begun()
        return self.is_stranger(i, annotator) and self.wants_people(i) and (begun or self.is_open())

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference import studio as reference
from trigpoint.annotators._agreement import CLOSE, ClassAgreement, ValueAgreement

# Krippendorff, "Computing Krippendorff's alpha-reliability" (2011), example C: four observers, twelve units.
OBSERVERS = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
]
UNITS = [[label for label in unit if label is not None] for unit in zip(*OBSERVERS, strict=True)]


def filled(agreement, units):
    for i, unit in enumerate(units):
        agreement.put(i, unit)
    return agreement


def rows(units):
    return [[(float(label),) for label in unit] for unit in units]


def test_the_textbook_example():
    classes = filled(ClassAgreement(), [[str(label) for label in unit] for unit in UNITS]).figures()
    assert classes.alpha == pytest.approx(0.743, abs=5e-4)
    values = filled(ValueAgreement(), rows(UNITS)).figures()
    assert values.alpha == pytest.approx(0.849, abs=5e-4)
    assert classes.samples == values.samples == 11
    assert classes.pairs == values.pairs


@pytest.mark.parametrize("agreement", [ClassAgreement(), ValueAgreement()])
def test_without_two_labels_of_a_sample_there_are_no_figures(agreement):
    assert agreement.figures() is None
    agreement.put(0, [(1.0,)])
    agreement.put(1, [])
    assert agreement.figures() is None
    assert not agreement.differ(0)
    assert not agreement.differ(7)


def test_where_all_is_one_class_alpha_is_not_defined():
    figures = filled(ClassAgreement(), [["a", "a"], ["a", "a", "a"]]).figures()
    assert (figures.share, figures.alpha, figures.pairs, figures.samples) == (1.0, None, 4, 2)
    figures = filled(ValueAgreement(), [[(2.0, 1.0), (2.0, 1.0)]]).figures()
    assert (figures.share, figures.alpha) == (1.0, None)


def test_a_target_that_never_varies_is_left_out():
    one = filled(ValueAgreement(), [[(1.0,), (2.0,)], [(5.0,), (5.0,)]]).figures()
    two = filled(ValueAgreement(), [[(1.0, 3.0), (2.0, 3.0)], [(5.0, 3.0), (5.0, 3.0)]]).figures()
    assert one == two


def test_values_differ_beyond_a_tenth_of_the_range():
    agreement = filled(ValueAgreement(), [[(0.0,), (1.0,)], [(5.0,), (6.5,)], [(20.0,), (18.0,)]])
    assert [agreement.differ(i) for i in range(3)] == [False, False, False]
    agreement.put(2, [(10.0,), (10.0,)])
    assert [agreement.differ(i) for i in range(3)] == [False, True, False]
    assert agreement.figures().share == pytest.approx(2 / 3)


def test_numbers_of_any_size_do():
    agreement = filled(ValueAgreement(), [[(1.7e308,), (-1.7e308,)], [(1.0,), (2.0,)]])
    assert agreement.differ(0)
    assert not agreement.differ(1)
    assert agreement.figures().alpha == pytest.approx(-0.5)


changes = st.lists(st.tuples(st.integers(0, 3), st.lists(st.sampled_from("abc"), max_size=4)), max_size=12)


@given(changes)
def test_classes_are_counted_as_the_definition_does(changes):
    agreement, units = ClassAgreement(), {}
    for i, unit in changes:
        agreement.put(i, unit)
        units[i] = unit
        assert agreement.differ(i) == (len(set(unit)) > 1)
    compare(
        agreement.figures(),
        list(units.values()),
        lambda a, b: a == b,
        lambda us: reference.alpha(us, different),
    )


def different(a, b):
    return a != b


@given(changes)
def test_values_are_compared_as_the_definition_does(changes):
    agreement, units = ValueAgreement(), {}
    for i, unit in changes:
        units[i] = [(float(ord(c)), float(ord(c) % 2)) for c in unit]
        agreement.put(i, units[i])
    paired = [unit for unit in units.values() if len(unit) > 1]
    spans = [
        max(column) - min(column)
        for column in zip(*(label for unit in paired for label in unit), strict=True)
    ]

    def close(a, b):
        return all(abs(x - y) <= CLOSE * span for x, y, span in zip(a, b, spans, strict=True))

    def mean_alpha(paired):
        alphas = [reference.alpha(paired, lambda a, b, k=k: (a[k] - b[k]) ** 2) for k in range(2)]
        told = [alpha for alpha in alphas if alpha is not None]
        return sum(told) / len(told) if told else None

    compare(agreement.figures(), paired, close, mean_alpha)
    for i, unit in units.items():
        assert agreement.differ(i) == any(not close(a, b) for a in unit for b in unit if len(unit) > 1)


def compare(figures, units, agree, alpha):
    agreeing, pairs = reference.agreeing_pairs(units, agree)
    if not pairs:
        assert figures is None
        return
    assert figures.share == pytest.approx(agreeing / pairs)
    expected = alpha(units)
    assert figures.alpha == (None if expected is None else pytest.approx(expected))
    assert (figures.pairs, figures.samples) == (pairs, sum(len(unit) > 1 for unit in units))

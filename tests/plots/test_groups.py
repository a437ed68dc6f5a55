import numpy as np

from trigpoint.plots import class_groups, value_groups


def test_classes_come_in_the_order_of_their_names():
    groups = class_groups(["10", "9", "b", "a", "9", None, "", float("nan")])
    assert [g.name for g in groups] == ["9", "10", "a", "b", "no label"]
    assert [g.members.tolist() for g in groups] == [[1, 4], [0], [3], [2], [5, 6, 7]]
    assert [g.color for g in groups] == ["class-0", "class-1", "class-2", "class-3", "class-none"]


def test_of_many_classes_the_largest_have_colors():
    labels = [name for k, name in enumerate("abcdefghijklmnopqrstuvwxyz") for _ in range(k + 1)]
    groups = class_groups(labels)
    own = [g.name for g in groups if g.color != "class-rest"]
    assert own == list("defghijklmnopqrstuvwxyz")
    assert len({g.color for g in groups}) == 24
    assert sum(len(g.members) for g in groups) == len(labels)


def test_names_are_written_on_the_map_for_a_few_classes_only():
    assert all(g.tag for g in class_groups([str(k) for k in range(30)]))
    assert not any(g.tag for g in class_groups([str(k) for k in range(31)]))


def test_values_go_along_the_ramp():
    values = np.array([0.0, 1.5, 2.0, np.nan, 9.0, np.inf])
    groups = value_groups(values)
    assert [g.color for g in groups] == [*(f"ramp-{k}" for k in range(9)), "class-none"]
    assert groups[0].members.tolist() == [0]
    assert groups[8].members.tolist() == [4]
    assert groups[9].members.tolist() == [3, 5]
    assert sorted(np.concatenate([g.members for g in groups])) == list(range(6))


def test_equal_values_and_none_at_all():
    assert len(value_groups(np.full(4, 7.0))[0].members) == 4
    assert value_groups(np.full(4, np.nan))[-1].members.tolist() == [0, 1, 2, 3]

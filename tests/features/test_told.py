from trigpoint.features import ColumnUse, told_columns


def test_no_columns_no_line():
    assert told_columns([]) == ""


def test_few_columns_are_named_by_their_use():
    uses = [
        ColumnUse("a", "number"),
        ColumnUse("size", "ordered", "s < m"),
        ColumnUse("b", "number"),
        ColumnUse("c", "category", "3 categories"),
        ColumnUse("id", None, "the ids"),
        ColumnUse("d", None, "not chosen"),
    ]
    assert told_columns(uses) == (
        "columns used: 2 numbers (a, b), 1 ordered (size), 1 category (c); left out: id (the ids)"
    )


def test_many_columns_are_counted():
    uses = [ColumnUse(f"x{j}", "number") for j in range(98)] + [
        ColumnUse(f"y{j}", None, "empty") for j in range(10)
    ]
    assert told_columns(uses).startswith("columns used: 98 numbers; left out: y0 (empty), ")
    assert told_columns(uses).endswith("y7 (empty) and 2 more")


def test_nothing_used():
    assert told_columns([ColumnUse("a", None, "constant")]) == "columns used: none; left out: a (constant)"

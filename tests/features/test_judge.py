import numpy as np
import pytest

from trigpoint.features import copies_labels, counts_rows
from trigpoint.features._judge import names_samples

rng = np.random.default_rng(0)


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (np.arange(40.0), True),
        (np.arange(5.0, 45), True),
        (rng.permutation(40) * 10.0, True),
        (np.cumsum(rng.integers(1, 9, 40)) * 1.0, True),
        (np.arange(20.0), False),  # too few to tell
        (np.arange(40.0) / 2, False),
        (rng.integers(0, 1000, 40) * 1.0, False),
        (np.zeros(40), False),
        (np.sort(rng.integers(0, 20, 40)) * 1.0, False),
    ],
)
def test_numbers_that_count(column, expected):
    assert counts_rows(column) is expected


def test_names_that_identify():
    assert all(
        map(names_samples, ["customer_id", "userId", "ID", "Order No", "row", "uuid", "CustomerID", "key"])
    )
    assert not any(map(names_samples, ["grid", "paid", "humid", "turkey", "income", "idea", "know"]))


def test_copies_of_classes():
    y = np.repeat([0, 1, 2], 20)
    assert copies_labels(np.array([7.0, 3.0, 5.0])[y], y), "other codes"
    assert copies_labels(y, y)
    assert not copies_labels(y[:20], y[:20]), "too few, and of one class"
    assert not copies_labels(np.minimum(y, 1), y), "two classes in one"
    finer = y * 2 + (np.arange(60) % 2)
    assert not copies_labels(finer, y), "it predicts the class, and says more"
    off = y.copy()
    off[0] = 1
    assert not copies_labels(off, y)


def test_copies_of_values():
    y = rng.normal(size=50)
    assert copies_labels(3 - 2 * y, y)
    assert not copies_labels(y + 0.1 * rng.normal(size=50), y)
    assert not copies_labels(rng.permutation(50) * 1.0, np.arange(50)), "all different tells nothing"

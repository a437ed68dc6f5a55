import pytest

from trigpoint.report._words import counted, duration, percent, things


@pytest.mark.parametrize(
    ("share", "told"),
    [(0.9625, "96.2"), (1.0, "100.0"), (0.0, "0.0"), (0.9999, "99.99"), (0.0001, "0.01"), (0.9996, "99.96")],
)
def test_percent_never_rounds_to_all_or_nothing(share, told):
    assert percent(share) == f"{told}\u00a0%"


def test_numbers_in_words():
    assert counted(1797) == "1797"
    assert counted(70000) == "70,000"
    assert things(1, "digits") == "1 digit"
    assert things(2, "digits") == "2 digits"
    assert duration(0.123) == "0.12\u00a0s"
    assert duration(33.33) == "33.3\u00a0s"
    assert duration(600) == "10.0\u00a0min"

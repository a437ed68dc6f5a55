import numpy as np
import pytest

from report.test_page import HOSTILE, Outline, alone
from trigpoint.checks import KINDS, check_pool
from trigpoint.report import check_page
from trigpoint.report._check_page import TITLES


def outline(check, *args, **options):
    text = check_page(check, *args, **options)
    text.encode()
    found = Outline(text)
    alone(text, found)
    return found, text


def test_every_kind_has_a_title():
    assert set(TITLES) == set(KINDS)


def test_a_healthy_pool_has_a_page_without_sections():
    check = check_pool(np.random.default_rng(0).normal(size=(50, 4)))
    found, text = outline(check)
    assert "Nothing looks wrong." in text
    assert "section" not in found.tags
    assert check_page(check) == text


@pytest.fixture(scope="module")
def check():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 6))
    X[45:] += 8
    labels = np.repeat(np.array(["low", "high"], dtype=object), 45)
    labels[[50, 60, 65, 75, 80]] = "low"
    labels[[3, 4]] = HOSTILE, "LOW"
    X[20] = X[10]
    X[70] += 500
    X[:, 5] = 1
    return check_pool(X, labels, ids=[f"s{i}{HOSTILE}" for i in range(90)], columns=[HOSTILE, *"bcdef"])


@pytest.mark.parametrize("look", [None, "text", "row", "pixels"])
def test_all_that_comes_from_the_pool_is_text(check, look):
    looks = {
        "text": {"text": HOSTILE},
        "row": {"row": {HOSTILE: HOSTILE, "b": 2.5}},
        "pixels": {"pixels": np.zeros((4, 4), dtype=np.uint8)},
    }
    shown = None if look is None else lambda i: {"id": f"s{i}{HOSTILE}", **looks[look]}
    found, text = outline(
        check, shown, title=HOSTILE, pool=HOSTILE, settings={HOSTILE: HOSTILE}, command=HOSTILE
    )
    assert found.headings().count("h2") == len(check.findings) + 1
    assert "perhaps" in text
    assert "group 1" in text
    assert ("img" in found.tags) == (look == "pixels")
    for finding in check.findings:
        assert TITLES[finding.kind] in text


def test_a_page_shows_some_and_counts_the_rest():
    X = np.random.default_rng(0).normal(size=(100, 4))
    found, text = outline(check_pool(np.concatenate([X, X])))
    assert found.tags.count("li") == 40
    assert "and 80 groups more" in " ".join(text.split())


def test_real_targets_are_told_in_few_digits():
    X = np.random.default_rng(0).normal(size=(90, 4))
    y = X.sum(axis=1) / 3
    y[7] += 40
    _, text = outline(check_pool(X, y))
    assert f"{y[7]:.4g}" in text
    assert str(y[7]) not in text

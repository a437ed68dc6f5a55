"""Which labels are wrong, by what others say: loops over labels, labels of known truth, and laws."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference import prediction as reference
from trigpoint.prediction import _label_noise
from trigpoint.prediction._label_noise import SUPPORT, label_noise, probable


def planted(seed, n=120, k=3, wrong=0.15, sure=4.0, pairs=False):
    """Truth drawn from calibrated q, and labels of which a share is wrong."""
    rng = np.random.default_rng(seed)
    z = sure * rng.normal(size=(n, k))
    q = np.exp(z - z.max(axis=1, keepdims=True))
    q /= q.sum(axis=1, keepdims=True)
    truth = (q.cumsum(axis=1) > rng.random((n, 1))).argmax(axis=1)
    other = (truth + 1) % k if pairs else (truth + rng.integers(1, k, n)) % k
    bad = rng.random(n) < wrong
    return q, np.where(bad, other, truth), bad


def agree(found, q, codes, **given):
    T, N, R, gain, best = reference.label_noise(q, codes, _label_noise, **given)
    assert found.temperature == T
    np.testing.assert_allclose(found.matrix, N, rtol=1e-7, atol=1e-12)
    np.testing.assert_allclose(found.suspicion, R, rtol=1e-7, atol=1e-12)
    np.testing.assert_allclose(found.gain, gain, rtol=1e-7, atol=1e-7)
    return best


@given(seed=st.integers(0, 10_000), k=st.integers(2, 4), wrong=st.sampled_from([0.0, 0.1, 0.3]))
@settings(max_examples=5)
def test_it_matches_the_definition(seed, k, wrong):
    q, codes, _ = planted(seed, 60, k, wrong)
    agree(label_noise(q, codes), q, codes)
    trusted = np.arange(60) % 3 == 0
    agree(label_noise(q, codes, 0.2, trusted), q, codes, share=0.2, trusted=trusted)


@pytest.mark.parametrize(("seed", "wrong"), [(0, 0.0), (1, 0.1), (2, 0.4)])
def test_the_interval_matches_the_definition(seed, wrong):
    q, codes, bad = planted(seed, 60, 3, wrong)
    for trusted in (None, ~bad & (np.arange(60) % 2 == 0)):
        found = label_noise(q, codes, trusted=trusted)
        assert found.judged.all()
        best = agree(found, q, codes, trusted=trusted)
        want = reference.noise_interval(q, codes, _label_noise, found.matrix, found.share, best, trusted)
        np.testing.assert_allclose([found.low, found.high], want, rtol=1e-9)


def test_nine_of_ten_intervals_hold_the_share():
    """Of 30 draws; they are wider than these independent predictions need."""
    held = 0
    for seed in range(30):
        q, codes, bad = planted(seed, 300, wrong=0.12)
        found = label_noise(q, codes)
        held += found.low <= bad.mean() <= found.high
        assert found.high - found.low < 0.17
    assert held >= 27


def test_one_label_worked_out_by_hand():
    """A sure p against a label that is wrong in one of ten: 0.1 * 0.9 against 0.9 * 0.1."""
    N = reference.even_noise(0.1, 2)
    R = _label_noise._posterior(np.array([[0.9, 0.1], [0.5, 0.5]]), np.array([1, 0]), N)
    np.testing.assert_allclose(R, [[0.5, 0.5], [0.9, 0.1]])


def test_many_labels_are_found_from_some(monkeypatch):
    """T and N of every fourth, R of all."""
    q, codes, _ = planted(0, 400)
    monkeypatch.setattr(_label_noise, "SOME", 100)
    found, few = label_noise(q, codes), label_noise(q[::4], codes[::4])
    assert found.temperature == few.temperature
    np.testing.assert_allclose(found.matrix, few.matrix)
    p = probable(q, found.temperature)
    want = [reference.responsibility(*pair, few.matrix) for pair in zip(p, codes, strict=True)]
    np.testing.assert_allclose(found.posterior, want)


@given(seed=st.integers(0, 10_000), wrong=st.sampled_from([0.0, 0.2, 0.5]), known=st.booleans())
def test_laws_of_what_is_found(seed, wrong, known):
    q, codes, _ = planted(seed, 80, 3, wrong)
    found = label_noise(q, codes, 0.1 if known else None)
    np.testing.assert_allclose(found.posterior.sum(axis=1), 1.0)
    np.testing.assert_allclose(found.matrix.sum(axis=1), 1.0)
    assert found.matrix.min() >= 0
    assert found.right.min() >= 0
    assert found.right.max() <= 1
    np.testing.assert_allclose(found.share, 0.1 if known else 1 - found.right[found.judged].mean())
    assert 0 <= found.low <= found.share <= found.high <= 1
    np.testing.assert_array_equal(found.right, found.posterior[np.arange(80), codes])


@given(seed=st.integers(0, 10_000))
@settings(max_examples=5)
def test_the_order_of_samples_and_of_classes_does_not_matter(seed):
    q, codes, _ = planted(seed, 60)
    rng = np.random.default_rng(seed)
    want, order, names = label_noise(q, codes), rng.permutation(60), rng.permutation(3)
    moved = label_noise(q[order], codes[order])
    np.testing.assert_allclose(moved.posterior, want.posterior[order], rtol=1e-9)
    for name in ("gain", "share", "low", "high"):
        np.testing.assert_allclose(getattr(moved, name), getattr(want, name), rtol=1e-9)
    renamed = label_noise(q[:, np.argsort(names)], names[codes])
    np.testing.assert_allclose(renamed.posterior[:, names], want.posterior, rtol=1e-9)
    np.testing.assert_allclose(renamed.matrix[np.ix_(names, names)], want.matrix, rtol=1e-9)


@pytest.mark.parametrize("pairs", [False, True])
def test_more_errors_are_more_errors(pairs):
    shares = [label_noise(*planted(3, 1000, wrong=e, pairs=pairs)[:2]).share for e in (0.0, 0.1, 0.2, 0.3)]
    np.testing.assert_allclose(shares, [0.0, 0.1, 0.2, 0.3], atol=0.03)
    assert shares == sorted(shares)


def test_the_kind_of_errors_is_found():
    """One class is taken for the next, in a fifth of its samples."""
    q, codes, bad = planted(5, 2500, wrong=0.2, pairs=True)
    found = label_noise(q, codes)
    want = 0.8 * np.eye(3) + 0.2 * np.roll(np.eye(3), 1, axis=1)
    np.testing.assert_allclose(found.matrix, want, atol=0.03)
    assert found.gain > 100
    np.testing.assert_allclose(found.right.mean(), 1 - bad.mean(), atol=0.02)
    doubted, trusted = found.right < 0.1, found.right > 0.9
    assert bad[doubted].mean() > 0.9
    assert bad[trusted].mean() < 0.1


@pytest.mark.parametrize("n", [100, 300, 2000])
def test_noise_is_not_believed_of_clean_labels(n):
    for seed in range(3):
        for sure in (1.0, 4.0):
            q, codes, _ = planted(seed, n, wrong=0.0, sure=sure)
            assert label_noise(q, codes).gain < 0


def test_noise_is_not_believed_where_one_class_alone_can_be_judged():
    q, codes, _ = planted(0, 30, wrong=0.0, sure=1.0)
    assert (np.bincount(codes) > _label_noise.SUPPORT).sum() == 1
    found = label_noise(q, codes)
    assert not found.judged.any()
    assert found.gain < 0


@pytest.mark.parametrize("share", [0.05, 0.3])
def test_a_share_that_is_known_is_kept(share):
    q, codes, _ = planted(1, 300, wrong=0.15)
    found = label_noise(q, codes, share)
    np.testing.assert_allclose(found.matrix.diagonal(), 1 - share)
    np.testing.assert_allclose(found.matrix.sum(axis=1), 1.0)


@pytest.mark.parametrize("factor", [0.0, 0.4, 1.0])
def test_a_part_of_the_noise(factor):
    q, codes, bad = planted(1, wrong=0.2)
    trusted = ~bad & (np.arange(120) % 2 == 0)
    whole = label_noise(q, codes, trusted=trusted)
    found = whole.lessened(factor)
    N = factor * whole.matrix + (1 - factor) * np.eye(3)
    np.testing.assert_allclose(found.matrix, N)
    p = probable(q, whole.temperature)
    want = [reference.responsibility(*pair, N) for pair in zip(p, codes, strict=True)]
    np.testing.assert_allclose(found.suspicion[~trusted], np.array(want)[~trusted])
    np.testing.assert_array_equal(found.suspicion[trusted], np.eye(3)[codes[trusted]])
    got = [found.share, found.low, found.high]
    np.testing.assert_allclose(got, [factor * whole.share, factor * whole.low, whole.high])


def test_no_wrong_label_at_all():
    q, codes, _ = planted(1)
    np.testing.assert_array_equal(label_noise(q, codes, 0.0).posterior, np.eye(3)[codes])


def test_labels_that_are_right_for_certain():
    q, codes, bad = planted(2, 300, wrong=0.3)
    want = label_noise(q, codes)
    found = label_noise(q, codes, trusted=~bad)
    np.testing.assert_array_equal(found.posterior[~bad], np.eye(3)[codes[~bad]])
    assert found.right[bad].mean() > want.right[bad].mean()  # fewer seem wrong, so each is believed more
    every = label_noise(q, codes, trusted=np.ones(300, dtype=bool))
    np.testing.assert_array_equal(every.posterior, np.eye(3)[codes])
    assert every.share == 0
    assert every.gain < 0


def test_classes_of_few_labels_cannot_be_judged():
    q, codes, _ = planted(4, 200, 4)
    codes = np.where(codes == 3, 0, codes)
    codes[: SUPPORT + 1] = 3
    assert label_noise(q, codes).judged.all()
    codes[0] = 0
    found = label_noise(q, codes)
    few = codes == 3
    np.testing.assert_array_equal(found.judged, ~few)
    np.testing.assert_array_equal(found.posterior[few], np.eye(4)[codes[few]])
    np.testing.assert_array_equal(found.right[few], 1.0)
    np.testing.assert_array_equal(found.posterior[~few], found.suspicion[~few])
    agree(found, q, codes)  # suspicion is of all


@pytest.mark.parametrize(("codes", "k"), [([0], 1), ([0] * 9, 1), ([1], 3), ([0, 1, 2] * SUPPORT, 3)])
def test_where_nothing_can_be_judged(codes, k):
    codes = np.array(codes)
    for share in (None, 0.2):
        found = label_noise(np.full((len(codes), k), 1 / k), codes, share)
        np.testing.assert_array_equal(found.posterior, np.eye(k)[codes])
        np.testing.assert_array_equal(found.right, 1.0)
        np.testing.assert_allclose(found.suspicion.sum(axis=1), 1.0)
        assert not found.judged.any() or k == 1
        assert found.gain == -np.inf
        assert np.isnan(found.share)
        assert (found.low, found.high) == (0.0, 1.0)


def test_predictions_that_are_0_or_flat():
    """A sure mistake of the others, and others that know nothing: numbers stay finite."""
    codes = np.arange(40) % 2
    sure = np.eye(2)[codes]
    sure[0] = sure[0, ::-1]
    found = label_noise(sure, codes)
    assert found.right[0] < 0.2
    assert found.right[1:].min() > 0.9
    flat = label_noise(np.full((40, 2), 0.5), codes)
    assert np.isfinite(flat.posterior).all()
    assert flat.gain < 0
    np.testing.assert_allclose(flat.right, flat.right[0])

"""Pools of any size, what is kept between stages, and the stages themselves."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))  # last: names of tests come first

import _pool


@pytest.mark.parametrize("p", [16, 64])
def test_a_smaller_pool_is_the_beginning_of_a_larger_one(tmp_path, monkeypatch, p):
    monkeypatch.setattr(_pool, "BLOCK", 100)
    _pool.write_pool(tmp_path / "small", 150, p)
    _pool.write_pool(tmp_path / "large", 420, p)
    (X, y), (more, classes) = (_pool.open_pool(tmp_path / name) for name in ("small", "large"))
    assert X.shape == (150, p)
    assert X.dtype == np.float32
    assert (more[:150] == X).all()
    assert (y == classes[:150]).all()
    assert len(np.unique(more, axis=0)) == 420  # blocks differ
    assert set(classes) <= set(range(10))
    assert len(set(classes)) > 5


def row(n, stage, seconds, anon):
    more = {
        "base_gb": 0.5,
        "peak_gb": anon + 1,
        "disk_gb": n / 1e5,
        "detail": "",
        "quality": 0.99,
        "commit": "",
    }
    return {"n": n, "p": 16, "stage": stage, "seconds": seconds, "anon_gb": anon, **more}


def test_growth_is_told_from_the_large_sizes_and_projected():
    from scale import STAGES, figures_of_stages

    rows = [row(n, stage, n / 1e3, 0.5 + n / 1e6) for n in (100_000, 1_000_000) for stage in STAGES]
    rows.append(row(10_000, "graph", 1e9, 1e9))  # exact search: no part of the law
    found = {figure.name: figure for figure in figures_of_stages(rows)}
    assert found["graph, p = 16: exponent of time"].value == pytest.approx(1.0)
    assert found["graph, p = 16: time at 10⁸, projected"].value == pytest.approx(1e5 / 3600)
    assert found["graph, p = 16: memory at 10⁸, projected"].value == pytest.approx(100.5)
    assert found["graph, p = 16: exponent of memory"].value == pytest.approx(1.0)
    assert "beyond" in found["graph, p = 16: memory at 10⁸, projected"].detail
    assert found["disk at 10⁹, p = 16, projected"].value == pytest.approx(1e4)
    assert found["largest memory of a stage"].value == 1e9 + 1
    assert found["right labels of the rest, p = 16"].value == pytest.approx(99)


@pytest.mark.slow
def test_every_stage_runs_is_kept_and_is_not_repeated(tmp_path):
    from scale import STAGES, stages

    rows = stages(tmp_path, [2_000], [16])
    assert [row["stage"] for row in rows] == list(STAGES)
    assert all(row["seconds"] > 0 and row["peak_gb"] >= row["anon_gb"] > 0 for row in rows)
    assert rows[0]["quality"] == 1.0  # exact
    assert rows[-1]["quality"] > 0.6  # by chance 0.1
    held = json.loads((tmp_path / "results.json").read_text())["stages"]
    assert held == rows
    held[0]["seconds"] = -1.0
    (tmp_path / "results.json").write_text(json.dumps({"stages": held}))
    assert stages(tmp_path, [2_000], [16]) == held

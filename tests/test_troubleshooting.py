"""docs/howto/troubleshooting.md quotes messages as they are, and nothing else."""

import re
import warnings
from pathlib import Path

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

import trigpoint as tp
from trigpoint.cli import main

PAGE = Path(__file__).parents[1] / "docs/howto/troubleshooting.md"
QUOTED = re.findall(r"^`([^`]+)`$", PAGE.read_text(), re.MULTILINE)

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 4))
Y = np.arange(60) % 2


def _holes():
    holes = X.copy()
    holes[3, 2] = holes[7, 0] = np.nan
    return holes


def _calls():
    graph = tp.neighbor_graph(X)
    phi = tp.laplacian(graph)
    parts = tp.graph_from_edges([[0, 1], [2, 3]])
    large = tp.laplacian(tp.graph_from_edges([[i, i + 1] for i in range(11_999)]))
    clf = tp.ManifoldClassifier
    return [
        lambda: tp.neighbor_graph(_holes()),
        lambda: tp.neighbor_graph(X[:, 0]),
        lambda: tp.neighbor_graph(X, n_neighbors=60),
        lambda: clf().fit(X, Y).predict(X[:, :3]),
        lambda: clf().predict(X),
        lambda: clf().fit(X, np.full(60, -1)),
        lambda: clf().fit(X, Y + 0.5),
        lambda: clf().fit(X, np.array(["-1"] * 30 + ["a"] * 30)),
        lambda: tp.ManifoldRegressor().fit(X, np.full(60, np.nan)),
        lambda: tp.select(phi, 61),
        lambda: tp.select(phi, 5, method="kmeans"),
        lambda: tp.select(phi, 5, method="maxmin_geodesic"),
        lambda: tp.select(phi, 5, metod="gcls"),
        lambda: tp.select(phi, 5, method="gcls", sample_weight=np.ones(60)),
        lambda: tp.select(large, 5, method="gaussian_field"),
        lambda: tp.select(large, 5, method="mincond"),
        lambda: tp.select(X, 5),
        lambda: tp.select(phi.toarray(), 5),
        lambda: tp.propagate(phi, Y == 1, [1.0] * 30),
        lambda: tp.propagate(phi, [0, 1, 1], [1.0, 2, 3]),
        lambda: tp.propagate(phi, [0, 1], ["a", "b"]),
        lambda: tp.propagate(phi, [0, 1], [1.0, 2, 3]),
        lambda: tp.propagate(tp.laplacian(parts), [0], [1.0]),
        lambda: tp.graph_from_edges([[10**9, 5], [3, 10**9]]),
        lambda: tp.isomap(parts, 2),
        lambda: tp.extend(parts, None, X, np.zeros(4)),
        lambda: tp.ActiveLearner(),
        lambda: tp.ActiveLearner(X).to_estimator(),
        lambda: tp.ActiveLearner(X).tell([3, 4], ["a"]),
        lambda: tp.load_model("junk.trigpoint"),
    ]


COMMANDS = """
select nopool.csv -n 5
select pool.csv -n 500
propagate pool.csv --labels labels.csv
select latin.csv -n 1
select dup.csv -n 1
select notes.csv -n 5
select empty -n 2
select pool.csv -n 5 --columns c
select pool.csv -n 5 -o landmarks.xls
select pool.csv -n 5 -o pool.csv
select pool.csv -n 5 -o nodir/x.csv
select pool.csv -n 5 --method kmeans --alignment lle
select pool.csv -n 5 --option alpha=1
compare pool.csv --labels known.csv
"""


def _files():
    Path("junk.trigpoint").write_text("x")
    rows = "".join(f"s{i},{a:.3f},{b:.3f}\n" for i, (a, b) in enumerate(X[:, :2]))
    Path("pool.csv").write_text("id,a,b\n" + rows)
    Path("labels.csv").write_text("id,label\ns1,a\nzz,b\n")
    Path("known.csv").write_text("id,label\ns1,a\ns2,b\ns3,a\n")
    Path("latin.csv").write_bytes("id,a\nx,1\ncaf\xe9,2\n".encode("latin1"))
    Path("dup.csv").write_text("id,a\nx,1\nx,2\n")
    notes = "".join(f"s{i},the quick brown fox number {i} said many things\n" for i in range(60))
    Path("notes.csv").write_text("id,note\n" + notes)
    Path("empty").mkdir()


def _said(call):
    """The message of the error that the call raises, or of the warning that it gives."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        try:
            call()
        except (ValueError, NotFittedError) as error:
            return str(error)
    return str(told[0].message)


def _told(line, capsys):
    capsys.readouterr()
    with pytest.raises(SystemExit) as end:
        main(line.split())
    assert end.value.code == 2
    return capsys.readouterr().err.splitlines()[-1].removeprefix("trigpoint: ")


def test_every_message_of_the_page_is_one_that_a_user_gets(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TRIGPOINT_CACHE", str(tmp_path / "cache"))
    _files()
    given = {_said(call) for call in _calls()}
    given |= {_told(line, capsys) for line in COMMANDS.strip().splitlines()}
    assert sorted(given) == sorted(QUOTED)

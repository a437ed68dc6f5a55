"""What whole calls cost: estimators, checks, files of models, maps, questions.

    ./dev bench costs [--quick]

Every part is a process of its own, which compiles on a small pool first. Large pools are ten curved sheets
with noise (`noise/_scale.py`), 100,000 x 64 (--quick: 10,000, and no map of a million).
"""

import sys
import tempfile
from pathlib import Path
from time import perf_counter, process_time

import numpy as np
from _figures import Figure, alone, main, peak_gb, processor
from sklearn.datasets import load_digits

import trigpoint as tp

sys.path.append(str(Path(__file__).parent / "noise"))
from _scale import sheets


def pool(n, p, dtype=np.float32):
    X, y = sheets(n, p, np.random.default_rng(0))
    return X.astype(dtype), y


def known_of(y, picks):
    told = np.full(len(y), -1)
    told[picks] = y[picks]
    return told


def digits_fit(pipe, quick):
    """The cost of an estimator, of a listener, and of a question."""
    X, y = load_digits(return_X_y=True)
    X, y = X[:1347], y[:1347]
    known = known_of(y, np.random.default_rng(0).permutation(len(y))[:50])
    for name, options in (("auto", {}), ("propagation", {"predictor": "propagation", "view": "raw"})):
        tp.ManifoldClassifier(**options).fit(X, known)  # compiles
        seconds = processor(lambda: tp.ManifoldClassifier(**options).fit(X, known), 3)  # noqa: B023
        pipe.send(Figure(f"fit, 1,347 digits, {name}", seconds, "s of CPU", detail="50 labels"))
    silent = processor(lambda: tp.ManifoldClassifier().fit(X, known), 3)
    with tp.progress(lambda record: None):
        heard = processor(lambda: tp.ManifoldClassifier().fit(X, known), 3)
    pipe.send(Figure("fit with a listener", heard / silent, "times without"))
    learner = tp.ActiveLearner(X, audit=0.0)
    learner.tell(np.flatnonzero(known >= 0), y[known >= 0])
    learner.ask(10)
    times = []
    for _ in range(3):
        start = process_time()
        samples = learner.ask(10)
        times.append(process_time() - start)
        learner.tell(samples, y[samples])
    pipe.send(Figure("ask(10), digits, 50 labels", float(np.median(times)), "s of CPU"))


def large_estimators(pipe, quick):
    small, few = pool(3000, 64)
    n, n_landmarks = (10_000, 100) if quick else (100_000, 1_000)
    tp.ManifoldClassifier().fit(small, known_of(few, tp.LandmarkSelector(20).fit(small).landmarks_))
    X, y = pool(n, 64)
    start, detail = process_time(), f"{n:,} x 64"
    picks = tp.LandmarkSelector(n_landmarks).fit(X).landmarks_
    pipe.send(
        Figure("LandmarkSelector(1000), 100,000 x 64", process_time() - start, "s of CPU", detail=detail)
    )
    start = process_time()
    tp.ManifoldClassifier().fit(X, known_of(y, picks))
    pipe.send(Figure("then ManifoldClassifier", process_time() - start, "s of CPU", detail=detail))
    pipe.send(Figure("both: memory", peak_gb(), "GB", detail=detail))


def check(pipe, quick, labeled):
    small, few = pool(3000, 64)
    tp.check_pool(small, few if labeled else None, column_checks=False)
    X, y = pool(10_000 if quick else 100_000, 64)
    graph = processor(lambda: tp.neighbor_graph(X))
    whole = processor(lambda: tp.check_pool(X, y if labeled else None, column_checks=False))
    which = "all labeled" if labeled else "no labels"
    detail = f"{len(X):,} x 64: {whole:.1f} s of CPU, the graph {graph:.1f} s"
    pipe.send(Figure(f"check_pool, {which}", whole / graph, "times the graph", detail=detail))
    pipe.send(Figure(f"check_pool, {which}: memory", peak_gb(), "GB"))


def issues(pipe, quick):
    from _scale import measured

    row = measured(10_000 if quick else 100_000, 64)
    detail = f"{row['issues_cpu']:.1f} s of CPU, the graph {row['graph_cpu']:.1f} s"
    ratio = row["issues_cpu"] / row["graph_cpu"]
    pipe.send(Figure("label_issues, all labeled", ratio, "times the graph", detail=detail))
    pipe.send(Figure("label_issues, all labeled: memory", row["peak_gb"], "GB"))


def models(pipe, quick):
    for p, dtype in ((64, np.float64), (384, np.float32)):
        X, y = pool(2_000 if quick else 10_000, p, dtype)
        clf = tp.ManifoldClassifier().fit(X, known_of(y, np.arange(200)))
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "model.trigpoint"
            save = processor(lambda: tp.save_model(path, clf))  # noqa: B023
            load = processor(lambda: tp.load_model(path), 3)  # noqa: B023
            held = tp.load_model(path)
            held.predict(X[:10])
            predict = processor(lambda: held.predict(X[:1000] + 1e-3), 3)  # noqa: B023
            size = path.stat().st_size / 1e6
        name, detail = f"model of {p} features", f"{len(X):,} samples"
        pipe.send(Figure(f"{name}: file", size, "MB", detail=detail))
        for what, seconds in (("save", save), ("load", load), ("predict 1,000", predict)):
            pipe.send(Figure(f"{name}: {what}", seconds, "s of CPU", detail=detail))


def maps(pipe, quick):
    from trigpoint.plots import map_coordinates

    X = load_digits().data
    graph = tp.neighbor_graph(X)
    map_coordinates(graph)
    start = perf_counter()
    map_coordinates(graph)
    pipe.send(Figure("map of digits", perf_counter() - start, "s"))
    X = pool(10_000 if quick else 1_000_000, 16)[0]
    graph = tp.neighbor_graph(X)
    seconds = processor(lambda: map_coordinates(graph))
    pipe.send(Figure("map of a million", seconds, "s of CPU", detail=f"n = {len(X):,}"))
    pipe.send(Figure("map of a million: memory", peak_gb(), "GB", detail="pool and graph included"))


def figures(quick):
    yield from alone(digits_fit, quick)
    yield from alone(large_estimators, quick)
    yield from alone(check, quick, False)
    yield from alone(check, quick, True)
    yield from alone(issues, quick)
    yield from alone(models, quick)
    yield from alone(maps, quick)


if __name__ == "__main__":
    main(figures, __doc__)

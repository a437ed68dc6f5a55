"""Every figure about speed, memory and quality that README.md and docs/*.md state, as an inequality.

A promise names the benchmark and its figure, what of it counts (its value, or its ratio to the peer), the
inequality, the page and the words there. Bounds leave room: half as much again for times, a quarter for
ratios, the width of chance for qualities. Times of CPU that were told for two busy cores keep their bound.
Where only `docs/performance.md` states a figure, the table of that page has its name. Most bounds are for
full sizes; those with ``quick`` hold at quick sizes, too. `stored` figures are read from the tables of long
runs (`_stored.py`).

`UNREPEATED` lists figures that were measured once: no benchmark repeats them, or its output is not stored.
"""

from dataclasses import dataclass

HERE = "docs/performance.md"


@dataclass(frozen=True)
class Promise:
    benchmark: str
    figure: str
    of: str  # "value" or "ratio"
    sign: str  # "<=" or ">="
    bound: float
    page: str = HERE
    text: str = ""  # words of the page; by default the name of the figure
    quick: bool = False

    @property
    def words(self) -> str:
        return self.text or self.figure

    def kept(self, figure) -> bool:
        """NaN keeps nothing."""
        found = figure.value if self.of == "value" else figure.ratio
        if found is None:
            return False
        return bool(found <= self.bound if self.sign == "<=" else found >= self.bound)


def at_most(benchmark, figure, bound, page=HERE, text="", *, quick=False):
    return Promise(benchmark, figure, "value", "<=", bound, page, text, quick)


def at_least(benchmark, figure, bound, page=HERE, text="", *, quick=False):
    return Promise(benchmark, figure, "value", ">=", bound, page, text, quick)


def ratio(benchmark, figure, bound, page=HERE, text="", *, quick=False):
    return Promise(benchmark, figure, "ratio", ">=", bound, page, text, quick)


GRAPH, BOUND, VIEWS = "docs/graph.md", "docs/bound.md", "docs/views.md"
SELECTION, BAKEOFF, NOISE = "docs/selection.md", "docs/bakeoff.md", "docs/noise.md"
LEARNER, FILES, MODELS, CHECK = "docs/learner.md", "docs/files.md", "docs/models.md", "docs/check.md"
LOST = "pools with more mistakes ÷"
CHOOSE, STOP = "docs/howto/choose.md", "docs/howto/stop.md"
DICTIONARY, ESTIMATORS, REPORT = "docs/dictionary.md", "docs/estimators.md", "docs/report.md"

PROMISES = [
    # alignment
    at_most("alignment", "LLE", 0.2, "docs/alignment.md", "LLE takes about 0.1 s"),
    at_most("alignment", "LTSA d=2", 0.5, "docs/alignment.md", "LTSA 0.3 s"),
    ratio("alignment", "LLE", 5),
    ratio("alignment", "LTSA d=2", 30),
    ratio("alignment", "LTSA d=3", 30),
    at_most("alignment", "LLE: largest difference", 1e-8, quick=True),
    at_most("alignment", "LTSA d=2: largest difference", 1e-8, quick=True),
    # least squares
    ratio("least_squares", "swiss roll: beside the best by hand", 0.7),
    ratio("least_squares", "swiss roll: beside scipy splu", 1.5),
    ratio("least_squares", "swiss roll: beside scipy cg, Jacobi", 30),
    ratio("least_squares", "swiss roll: beside graphlearning, default", 6),
    ratio("least_squares", "50-D Gaussians: beside the best by hand", 1.1),
    ratio("least_squares", "50-D Gaussians: beside graphlearning, default", 1.0),
    ratio("least_squares", "50-D Gaussians: beside scipy splu", 50),
    at_most("least_squares", "swiss roll: residual", 1e-10, quick=True),
    at_most("least_squares", "50-D Gaussians: residual", 1e-9, quick=True),
    ratio("solvers", "swiss roll", 0.7),
    ratio("solvers", "cube, 5-D", 0.7),
    ratio("solvers", "Gaussian, 50-D", 0.7),
    # the neighbor graph
    at_least("neighbors", "latent: recall", 0.99, quick=True),
    at_least("neighbors", "swiss: recall", 0.99, quick=True),
    at_least("neighbors", "mnist: recall", 0.99),
    ratio("neighbors", "swiss: beside pynndescent", 0.7, GRAPH, "about as fast at equal recall"),
    ratio("million", "million: beside the best of them", 1.5),
    ratio("million", "million: beside pynndescent", 1.2, GRAPH, "take it 31.1 s, and us 22.5 s"),
    at_least("million", "million: recall", 0.99),
    at_most("growth", "latent", 0.5, GRAPH, "takes 0.33 s of CPU time"),
    ratio("growth", "latent", 7, GRAPH, "of a new search (3.46 s)"),
    at_least("growth", "latent: recall, old samples", 0.99, GRAPH, "is .997 for old samples", quick=True),
    at_least("growth", "latent: recall, new samples", 0.999, GRAPH, "1.000 for new ones", quick=True),
    at_most(
        "growth",
        "learner, 50, then two fifths more each time: wrong",
        1.2,
        LEARNER,
        "0.82 % of the rest are wrong",
    ),
    # the whole way
    at_least("scale", "lowest recall of a graph", 0.95, quick=True),
    at_most("scale", "largest memory of a stage", 20),
    ratio("dask", "all stages: 2 workers", 0.667),
    ratio("dask", "graph: 2 workers", 0.667),
    ratio("dask", "laplacian: 2 workers", 0.667),
    ratio("dask", "landmarks: 2 workers", 0.667),
    ratio("dask", "propagation: 2 workers", 0.667),
    at_most("dask", "all stages: 2 workers: peak of a worker", 60),
    # landmarks
    ratio(
        "gcls",
        "10,000 of a million, self_tuning",
        4,
        SELECTION,
        "fraction of the time of the neighbor search before it",
    ),
    ratio("gcls", "10,000 of a million, binary", 4),
    at_most("gcls", "10,000 of a million, self_tuning: a pick", 30),
    at_most("gcls", "10,000 of a million, self_tuning: memory", 2.5),
    at_most("gcls", "10,000 of 100,000, self_tuning: memory", 2.6, quick=True),
    at_most("gcls", "nystrom, 10,000", 1.0),
    at_most("gcls", "approx_dpp, 10,000", 2.3),
    at_most("gcls", "mincond, 100 of 500", 4.5),
    ratio("selection_geodesic", "swiss roll", 0.1),
    ratio("selection_geodesic", "5-D cube", 0.1),
    ratio("selection_geodesic", "plane", 0.09),
    at_least("selection_geodesic", "swiss roll: the first 50 picks are the naive ones", 1, quick=True),
    at_most("selection_scale", "swiss roll, auto", 18, BAKEOFF, "samples of a Swiss roll takes 12 s of"),
    at_most("selection_scale", "64-D mixture, auto", 25),
    at_most("selection_scale", "swiss roll, auto: memory", 1.2, BAKEOFF, "CPU and 0.8 GB"),
    ratio("selection_scale", "swiss roll, auto: error", 1.2, quick=True),
    at_most("gcls_quality", "facility to random, small budgets", 0.65, SELECTION, "both weights | small l"),
    at_least(
        "gcls_quality",
        "gcls to random, small budgets",
        1.1,
        SELECTION,
        "GCLS as printed is worse than random landmarks",
    ),
    at_most("gcls_quality", "facility to random, large budgets", 0.85, SELECTION, "| large l |"),
    at_most("gcls_quality", "farthest to random, large budgets", 0.85, SELECTION, "| large l |"),
    ratio("facility_on_phi", "digits, lle, 50: error", 1.3, SELECTION, "| digits (wrong, %) | diffusion |"),
    ratio(
        "facility_on_phi", "digits, diffusion, 50: error", 1.8, SELECTION, "| digits (wrong, %) | diffusion |"
    ),
    ratio(
        "facility_on_phi",
        "swiss roll, diffusion, 50: error",
        1.3,
        SELECTION,
        "| swiss roll (relative, %) | diffusion |",
    ),
    # the bound
    at_most("bound", "bound of 100 landmarks, swiss roll", 2, BOUND, "1.3 s on a swiss roll"),
    at_most("bound", "bound of 100 landmarks, 50-D Gaussians", 2.6, BOUND, "1.9 s on Gaussians"),
    at_most("bound", "bound of 100 landmarks, large swiss roll", 42, BOUND, "on a swiss roll: 28 s"),
    at_most("bound", "path of 10,000 picks", 0.5, BOUND, "10,000 picks among a million samples take 0.3 s"),
    at_most("bound_noise", "digits: largest share of the bound that noise uses", 2.6, quick=True),
    at_most(
        "bound_noise",
        "swiss roll: largest share of the bound that noise uses",
        2.6,
        BOUND,
        "at most 2.5 % of it",
        quick=True,
    ),
    # propagation
    at_most(
        "uncertainty",
        "swiss roll, Laplacian, small: stated error",
        4.4,
        "docs/propagation.md",
        "error: with S draws at most",
        quick=True,
    ),
    ratio("uncertainty", "swiss roll, Laplacian, small: true error", 0.8),
    ratio("uncertainty", "swiss roll, LTSA, small: true error", 0.8),
    ratio("uncertainty", "50-D Gaussian, Laplacian, small: true error", 0.8),
    # views
    at_most("views", "100,000 x 64, half_white", 0.1, VIEWS, "| pool | standard | half_white | white |"),
    at_most("views", "20,000 x 784, half_white", 0.5, VIEWS, "| pool | standard | half_white | white |"),
    at_most("views", "20,000 x 784, white", 0.6, VIEWS, "| pool | standard | half_white | white |"),
    at_most(
        "views", "sparse, 10,000 x 4,000, half_white", 0.3, VIEWS, "| pool | standard | half_white | white |"
    ),
    # whole calls
    at_most("first_run", "ten lines of the README, first run", 5.5),
    at_most("first_run", "ten lines of the README, next run", 5.1),
    at_most("first_run", "trigpoint select, 2,000 x 8, first run", 2.9),
    at_most("first_run", "trigpoint select, 2,000 x 8, next run", 2.8),
    at_most("costs", "fit, 1,347 digits, auto", 0.6, ESTIMATORS, "a fit takes 0.3 seconds of one core"),
    at_most("costs", "fit, 1,347 digits, propagation", 0.1, ESTIMATORS, "on raw features 0.06"),
    at_most("costs", "fit with a listener", 1.15, "docs/progress.md", "takes 1.0 times as long as without"),
    at_most("costs", "ask(10), digits, 50 labels", 0.4, LEARNER, "`ask(10)` takes 0.14 s of one core"),
    at_most("costs", "LandmarkSelector(1000), 100,000 x 64", 60),
    at_most("costs", "then ManifoldClassifier", 70),
    at_most("costs", "both: memory", 1.8),
    at_most("costs", "check_pool, no labels", 1.5, CHECK, "a check costs little more than the graph"),
    at_most("costs", "check_pool, no labels: memory", 0.6, CHECK, "in 0.5 GB"),
    at_most("costs", "check_pool, all labeled", 6, CHECK, "2.2 times the graph"),
    at_most("costs", "check_pool, all labeled: memory", 1.3, CHECK, "and 0.8 GB"),
    at_most("costs", "label_issues, all labeled", 4, NOISE, "all labeled: CPU time ÷ that of the graph"),
    at_most("costs", "label_issues, all labeled: memory", 1.2, NOISE, "| 3.0; 0.8 GB |"),
    at_most("costs", "model of 64 features: file", 17, MODELS, "15.3 MB"),
    at_most("costs", "model of 64 features: load", 0.3, MODELS, "0.02 s, 0.11 s, 0.3 s"),
    at_most("costs", "model of 64 features: predict 1,000", 0.5, MODELS, "0.02 s, 0.11 s, 0.3 s"),
    at_most("costs", "model of 384 features: file", 31, MODELS, "27.7 MB"),
    at_most("costs", "model of 384 features: predict 1,000", 0.9, MODELS, "0.02 s, 0.2 s, 0.6 s"),
    at_most("costs", "map of digits", 2, REPORT, "Digits take 0.3 s"),
    at_most("costs", "map of a million", 75),
    at_most("costs", "map of a million: memory", 1.5),
    # dictionaries
    ratio("dictionary", "pursuit, a signal", 7, DICTIONARY, "the pursuit takes 0.064 ms per signal"),
    at_most(
        "dictionary", "pursuit: largest difference", 1e-10, DICTIONARY, "the same codes to 1e-14", quick=True
    ),
    at_most("dictionary", "training, 1,000 samples", 8.5, DICTIONARY, "4.2 s for 1000"),
    at_least(
        "dictionary", "Extended Yale B, variant 2, 50 iterations, linear_svm", 93, DICTIONARY, "93.9 ± 0.3"
    ),
    at_least("dictionary", "AR, variant 2, 50 iterations, linear_svm", 87, DICTIONARY, "89.4 ± 1.5"),
    # features
    ratio(
        "text",
        "banking77, words, few labels: error",
        1.5,
        FILES,
        "Errors of the rest with all defaults, beside TF-IDF",
    ),
    ratio(
        "text",
        "banking77, embeddings, few labels: error",
        2,
        FILES,
        "Errors of the rest with all defaults, beside TF-IDF",
    ),
    ratio(
        "text",
        "banking77, words, many labels: error",
        1.4,
        FILES,
        "Errors of the rest with all defaults, beside TF-IDF",
    ),
    ratio(
        "text",
        "banking77, embeddings, many labels: error",
        2.4,
        FILES,
        "Errors of the rest with all defaults, beside TF-IDF",
    ),
    at_most("pictures", "gradients to pixels, fewer labels", 0.75, FILES, "ratios is .53 and .69"),
    at_most("pictures", "gradients to pixels, more labels", 0.85, FILES, "ratios is .53 and .69"),
    # learning
    at_most("own_model", "auto to random, rest", 0.65, LEARNER, '| `"auto"` |'),
    at_most("own_model", "auto to random, held out", 0.9, LEARNER, '| `"auto"` |'),
    at_least("stopping", "other pools, 20 audits: interval held", 88, LEARNER, "in 96 % on five others"),
    at_least(
        "stopping",
        "pools of the rule, 20 audits: interval held",
        86,
        LEARNER,
        "in 95 % of runs on four pools",
    ),
    at_most(
        "stopping",
        "other pools, 20 audits: width to before",
        0.7,
        LEARNER,
        "was 0.66 and 0.58 times as wide as before",
    ),
    at_most(
        "loop", "digits, auto, batches of 10, 20, rest: error", 2.5, LEARNER, "99.0 / 99.4 / 99.6 / 99.7 %"
    ),
    at_least("mnist", "default landmarks", 90),
    # the studio
    at_most("studio", "saved: median", 15, "docs/studio.md", "it takes a few milliseconds to save a label"),
    at_most("studio", "saved: p99", 100),
    at_most("studio", "picture: p99", 110),
    at_most("studio", "200 at once saved: p99", 100),
    at_most("studio", "VmRSS of the server grows by", 40),
    at_most("studio_pictures", "from a key to the next picture: median", 45),
    at_most("studio_pictures", "from a key to the next picture: p95", 70),
    ratio("studio_pictures", "from a key to the next picture: p95", 3),
    at_least("studio_gallery", "tiles of 40 px, wheel: to a page at rest", 0.9),
    at_least("studio_gallery", "tiles of 400 px, bar: to a page at rest", 0.9),
    at_least("studio_gallery", "tiles of 100 px, wheel: worst second", 50),
    at_most("studio_gallery", "label 2,895 samples", 0.4),
    at_most("studio_gallery", "undo 2,895 samples", 0.1),
    at_most("studio_day", "MNIST, gallery, as many labels", 9.5),
    at_most("studio_day", "MNIST, gallery, as many labels: wrong in the pool", 1.8),
    # long runs
    at_most(
        "endtoend",
        "mistakes ÷ logistic regression, 31 pools in view",
        0.625,
        "README.md",
        "0.61 times the mistakes of logistic regression",
    ),
    at_most(
        "endtoend",
        "mistakes ÷ logistic regression, our labels, unseen pools",
        0.955,
        "README.md",
        "it was 0.94 times",
    ),
    at_most(
        "endtoend",
        "mistakes ÷ logistic regression, our labels, all pools",
        0.73,
        BAKEOFF,
        "0.72 (0.62–0.83)",
    ),
    at_most(
        "endtoend",
        "mistakes ÷ logistic regression, k-means labels, all pools",
        0.72,
        BAKEOFF,
        "0.71 (0.60–0.83)",
    ),
    at_most(
        "endtoend",
        "mistakes ÷ best peer of each pool, our labels, all pools",
        0.9,
        BAKEOFF,
        "0.89 (0.80–0.98)",
    ),
    at_most("endtoend", "mistakes ÷ ours, random labels, all pools", 0.785, BAKEOFF, "0.78 (0.68–0.88)"),
    at_most(
        "endtoend",
        "mistakes loop ÷ one shot, all pools",
        0.88,
        BAKEOFF,
        "0.87 times the mistakes of one shot",
    ),
    at_most("endtoend", "calibration error, one shot, all pools", 9.6, BAKEOFF, "9.5 % (8.0 %–11.1 %)"),
    at_most("endtoend", "calibration error, one shot, 20 labels", 13, BAKEOFF, "| 12.9 % |"),
    at_most("endtoend", "calibration error, one shot, 200 labels", 4.55, BAKEOFF, "| 4.5 % |"),
    at_most("endtoend", f"{LOST} logistic regression, our labels", 14, "README.md", "on 14 of the 51 pools"),
    at_most("endtoend", f"{LOST} best peer of each pool, our labels", 20, "README.md", "of each pool on 20"),
    at_most("endtoend", f"{LOST} logistic regression, our labels", 14, BAKEOFF, "on 14 of the 51 pools"),
    at_most("endtoend", f"{LOST} best peer of each pool, our labels", 20, BAKEOFF, "is better on 20: wine"),
    at_most("endtoend", f"{LOST} ours, random labels", 17, BAKEOFF, "worse than random ones on 17"),
    at_most("endtoend", "calibration error, one shot, all pools", 9.6, "README.md", "off by 9.5 points"),
    at_most("endtoend", "calibration error, one shot, all pools", 9.6, STOP, "off by 9.5 points"),
    at_most("endtoend", "mistakes ÷ ours, random labels, own pools", 0.6, CHOOSE, "0.58 of the mistakes"),
    at_most("endtoend", "mistakes ÷ ours, random labels, unseen pools", 0.96, CHOOSE, "it was 0.95"),
    at_most("endtoend", "mistakes loop ÷ one shot, all pools", 0.88, CHOOSE, "0.87 times the mistakes"),
    at_most("selection", "auto to random, held out", 0.615, CHOOSE, "0.61 of random's error"),
    at_most("selection", "sigma_optimal to random, held out", 0.68, CHOOSE, "next best selector had 0.67"),
    at_most("selection", "kmeans to random, held out", 0.73, CHOOSE, "0.72 of random's error"),
    at_least("selection", "gcls to random, held out", 1.2, CHOOSE, "1.24 of random's error"),
    at_most("selection", "auto to random, held out", 0.615, BAKEOFF, "0.61 of random's error"),
    at_least("selection", "gcls to random, held out", 1.2, BAKEOFF, "the paper's GCLS 1.24"),
    at_least(
        "noise",
        "average precision to cleanlab, default score",
        1.155,
        NOISE,
        "1.16, lowest mean of a cell 0.96",
    ),
    at_least(
        "noise",
        "average precision to cleanlab, default score: lowest cell",
        0.95,
        NOISE,
        "1.16, lowest mean of a cell 0.96",
    ),
    at_least(
        "noise",
        "average precision to cleanlab, better of two",
        1.055,
        NOISE,
        "1.06, lowest mean of a cell 0.86",
    ),
    at_least(
        "noise", "n_wrong within a third, all labeled", 83, NOISE, "all labeled 83 %, a tenth labeled 35 %"
    ),
    at_least(
        "noise",
        "n_wrong within a third, a tenth labeled",
        35,
        NOISE,
        "all labeled 83 %, a tenth labeled 35 %",
    ),
    at_least(
        "noise", "the 90 % interval holds the truth", 90, NOISE, "| the 90 % interval holds the truth | 95 %"
    ),
    at_most("noise", "error with 200 labels to noise=0, 10 to 30 % wrong", 0.865, NOISE, "| 0.86 | ≤ 0.8 |"),
    at_most(
        "noise",
        "error with 200 labels to logistic regression, 10 to 30 % wrong",
        0.595,
        NOISE,
        "| 0.59 | ≤ 0.8 |",
    ),
    at_most("noise", "error with 200 labels to noise=0, clean labels", 1.005, NOISE, "| 1.00 | ≤ 1.02 |"),
    at_most("noise", "100,000 labeled: CPU to the graph", 3.05, NOISE, "| 3.0; 0.8 GB |"),
    at_least(
        "reproduction",
        "time of MinCond to GCLS",
        500,
        "docs/reproduction.md",
        "MinCond takes 610 times as long as GCLS",
    ),
    at_most(
        "reproduction",
        "regression error of the default to Random",
        1,
        "docs/reproduction.md",
        "(ours) The default has lower error than Random",
    ),
    at_most(
        "reproduction",
        "regression error of the default to GCLS",
        1,
        "docs/reproduction.md",
        "(ours) The default has lower error than GCLS",
    ),
]

UNREPEATED = [  # page, words
    ("docs/alignment.md", "the memory in use grows by 0.37 GB at most"),
    ("docs/annotators.md", "consensus of answers alone ÷ majority vote | 0.74"),
    ("docs/bakeoff.md", "a prototype of the rule on 14 pools"),
    ("docs/bakeoff.md", "| views alone | 0.60 | 0.71 |"),
    ("docs/bakeoff.md", "made 5 to 16 % more mistakes"),
    ("docs/bakeoff.md", "the old ones make 1.7 % more mistakes"),
    ("docs/check.md", "20 of 20 found among 300 digits"),
    ("docs/check.md", "| 0.001 | 98 % | 0 |"),
    ("docs/check.md", "| 2.5 times as far from the mean | 80 % | 80 % | 99 % | 15 % |"),
    ("docs/dictionary.md", "accuracy falls to 41 % on Extended Yale B"),
    ("docs/dictionary.md", "the linear SVM reaches 94.2 % on Extended Yale B and 89.9 %"),
    ("docs/dictionary.md", "they give 88.9 ± 0.6 %"),
    ("docs/distributed.md", "F, two rounds / one"),
    ("docs/files.md", "Whole words gave .56 and .37"),
    ("docs/howto/stop.md", "they suggested 42 % where the truth was 4 %"),
    ("docs/learner.md", 'With 50 labels `"auto"` is at 0.60 and 0.75'),
    ("docs/learner.md", "it held in 91 to 94 % of runs"),
    ("docs/learner.md", "it held in 93 % of 150 runs"),
    ("docs/learner.md", "most made 0 to 7 % more mistakes there"),
    ("docs/learner.md", "the interval held in 84 % of 120 runs"),
    ("docs/learner.md", "which makes 0.63 %"),
    ("docs/learner.md", "| 0 | 16.0 % | 16.0 % | 15.8 % |"),
    ("docs/noise.md", "the error would be 0.84 times"),
    ("docs/propagation.md", "in two thirds of the time"),
    ("docs/propagation.md", "ranks mistakes with an AUC of 0.95"),
    ("docs/propagation.md", "reduce the error from 0.27 to 0.23"),
    ("docs/report.md", "| digits, 50 landmarks | 88 kB | 0.02 s |"),
    ("docs/reproduction.md", "the 2,488 tasks of the regression took 24 minutes"),
    ("docs/selection.md", "condition numbers up to 11 times as large"),
    ("docs/selection.md", "gave the same errors, to a tenth of a point"),
    ("docs/selection.md", "nine of ten steps tie among more than 50"),
    ("docs/selection.md", "| swiss roll, relative | 0.0096 | 0.0091 |"),
    ("docs/tables.md", "98.4 to 98.8 % and 95.4 to 96.6 % are right"),
    ("docs/tables.md", "is 1.23, 1.13, 1.21 and 1.00 in the four rows"),
    ("docs/tables.md", "made errors 12 % larger"),
    ("docs/tables.md", "| as they are | 0.94 | 4.4 |"),
    ("docs/tags.md", "Macro F1 on two of the made pools with 40 labels"),
    ("docs/tags.md", "Micro F1 with 360 labels: Scene 0.73 against 0.62"),
    ("docs/tags.md", "area under the curve 0.80, 0.83 and 0.86"),
    ("docs/tags.md", "is 0.5 to 3 % worse in squared error"),
    ("docs/tags.md", "lowers 1 − F1 by 4 to 8 %"),
    ("docs/tags.md", "micro F1 on Scene is 0.70"),
    ("docs/tags.md", "| 360 | 0.47 | 0.48 | 0.44 |"),
]

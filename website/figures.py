"""The figures of docs/method, drawn from what the library computes: python website/figures.py [NAME ...]

The output is stored in docs/method. Colors are those of the site; the page turns them for its dark scheme.
"""

import sys
from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

import trigpoint as tp

OUT = Path(__file__).parents[1] / "docs" / "method"
BLUE, RED, GRAY, GREEN = "#1a5fb4", "#c64600", "#8a8f98", "#26805c"
plt.rcParams.update(
    {
        "svg.hashsalt": "trigpoint",
        "svg.fonttype": "none",
        "font.family": "sans-serif",
        "font.sans-serif": ["Helvetica", "Arial", "DejaVu Sans", "sans-serif"],
        "font.size": 11,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.titlesize": 11,
        "axes.titleweight": "bold",
        "legend.frameon": False,
    }
)
# Two rings that share a link: small enough to see every circle.
EDGES = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0), (1, 4), (3, 5), (5, 6), (6, 7), (7, 8), (8, 5), (6, 8)]
PLACES = np.array(
    [(0, 1.0), (0.8, 1.7), (1.7, 1.4), (1.7, 0.5), (0.7, 0.2), (2.8, 0.4), (3.5, 1.1), (4.4, 0.8), (3.7, 0.0)]
)
ALPHA = 0.2


def small() -> np.ndarray:
    """Psi of the small graph, dense."""
    phi = tp.laplacian(tp.graph_from_edges(EDGES), weights="binary").toarray()
    return np.asarray(phi + ALPHA * np.eye(len(phi)))


def save(figure: plt.Figure, name: str) -> None:
    figure.savefig(OUT / name, bbox_inches="tight", metadata={"Date": None})
    plt.close(figure)


def draw_graph(ax: plt.Axes, labeled: list[int], marked: int | None = None) -> None:
    for i, j in EDGES:
        ax.plot(*PLACES[[i, j]].T, color=GRAY, lw=1.2, zorder=1)
    colors = [RED if i in labeled else BLUE for i in range(len(PLACES))]
    ax.scatter(*PLACES.T, s=190, c=colors, zorder=2, edgecolor="white", lw=1.5)
    if marked is not None:
        ax.scatter(*PLACES[marked], s=420, facecolor="none", edgecolor=BLUE, lw=1.8, zorder=2)
    for i, (x, y) in enumerate(PLACES):
        ax.text(x, y, str(i), color="white", ha="center", va="center", fontsize=8, zorder=3, weight="bold")
    ax.set(xlim=(-0.4, 4.8), ylim=(-0.4, 2.1), aspect="equal")
    ax.axis("off")


def circles_of(psi: np.ndarray, U: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    part = psi[np.ix_(U, U)]
    return np.diag(part), np.abs(part).sum(axis=1) - np.diag(part)


def draw_circles(ax: plt.Axes, psi: np.ndarray, U: np.ndarray, marked: int | None = None) -> None:
    c, s = circles_of(psi, U)
    for i, center, radius in zip(U, c, s, strict=True):
        look = {"facecolor": "none", "edgecolor": "#6b7079", "lw": 0.9, "zorder": 2}
        if i == marked:
            look = {"facecolor": "#d7e6fa", "edgecolor": BLUE, "lw": 1.8, "zorder": 1}
        ax.add_patch(plt.Circle((center, 0), radius, alpha=0.9, **look))
    values = np.linalg.eigvalsh(psi[np.ix_(U, U)])
    ax.plot(values, 0 * values, "|", color=RED, ms=13, mew=2, zorder=3)
    ax.axhline(0, color=GRAY, lw=0.8, zorder=0)
    ax.axvline(0, color=GRAY, lw=0.8, ls=":", zorder=0)
    ax.set(xlim=(-0.5, 9), ylim=(-4.3, 4.3), aspect="equal", yticks=[])
    ax.spines["left"].set_visible(False)


def one_circle() -> None:
    psi, U = small(), np.arange(9)
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 3.6), width_ratios=[1.1, 1])
    draw_graph(left, [], marked=3)
    left.set_title("sample 3 has three neighbors")
    draw_circles(right, psi, U, marked=3)
    line = {"arrowprops": {"arrowstyle": "-", "color": BLUE}, "color": BLUE}
    right.annotate("center c = 3 + α", (3.2, 0), (4.1, -3.6), **line)
    right.annotate("radius s = 3", (3.2 + 3 * 0.7, 3 * 0.714), (6.3, 3.3), **line)
    right.set_title("its circle, among those of the others")
    right.set_xlabel("red marks: the eigenvalues of Ψ. Every one lies in a circle.")
    save(figure, "circle.svg")


def fewer_circles() -> None:
    psi = small()
    figure, rows = plt.subplots(2, 3, figsize=(11, 5.4), height_ratios=[0.8, 1.25])
    for (above, below), labeled in zip(rows.T, ([], [3, 6], [1, 3, 6, 8]), strict=True):
        U = np.setdiff1d(np.arange(9), labeled)
        c, s = circles_of(psi, U)
        values = np.linalg.eigvalsh(psi[np.ix_(U, U)])
        draw_graph(above, labeled)
        above.set_title(f"{len(labeled)} labels" if labeled else "no label")
        draw_circles(below, psi, U)
        below.axvline((c - s).min(), color=GREEN, lw=2, zorder=4)
        below.set_title(f"κ = {values[-1] / values[0]:.1f}", color=RED, fontsize=11)
        below.set_xlabel(f"from C = {(c - s).min():.1f} to B = {(c + s).max():.1f}", color=GREEN)
    save(figure, "fewer.svg")


def ties() -> None:
    """How many candidates share the least Q, and what C is, pick by pick, on 500 digits."""
    X = tp.datasets.load_digits().X[:500]
    graph = tp.neighbor_graph(X, 10)
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 3.4))
    for weights, color in (("binary", BLUE), ("self_tuning", RED)):
        phi = tp.laplacian(graph, weights).toarray()
        alpha = 1e-3 * np.diag(phi).mean()
        counts, ends = _followed(phi + alpha * np.eye(len(phi)), 150)
        left.semilogy(range(1, 151), counts, ".", color=color, ms=4, label=weights.replace("_", "-"))
        right.semilogy(range(1, 151), ends / alpha, color=color, lw=2, label=weights.replace("_", "-"))
    left.set(xlabel="pick", title="candidates that share the least Q")
    left.legend(loc="center right", bbox_to_anchor=(1, 0.66), markerscale=2.5)
    right.set(xlabel="landmarks", title="C ÷ α: the least left end of a circle", ylim=(0.5, None))
    right.legend()
    save(figure, "ties.svg")


def _followed(psi: np.ndarray, n_picks: int) -> tuple[np.ndarray, np.ndarray]:
    """The full search of GCLS: at every pick, how many candidates share the least Q; and C after it."""
    W = np.abs(psi - np.diag(np.diag(psi)))
    c, r = np.diag(psi), W.sum(axis=1)
    t, free = np.zeros(len(psi)), np.ones(len(psi), dtype=bool)
    counts, ends = [], []
    for _ in range(n_picks):
        candidates = np.flatnonzero(free)
        new = t + W[candidates]  # (u, n): weight to landmarks, if each were chosen
        out = ~np.broadcast_to(free, new.shape)
        out[np.arange(len(candidates)), candidates] = True
        A = np.where(out, -np.inf, new).max(axis=1)
        B = np.where(out, -np.inf, c + r - new).max(axis=1)
        C = np.where(out, np.inf, c - r + new).min(axis=1)
        Q = (A + B) / np.where(A > 0, A * C, np.finfo(float).tiny)
        tied = np.isclose(Q, Q.min(), rtol=1e-9)
        counts.append(tied.sum())
        among = candidates[tied]
        best = among[np.lexsort((among, -r[among], t[among]))[0]]  # the rule "spread"
        t, free[best] = t + W[best], False
        ends.append((c - r + t)[free].min())
    return np.array(counts), np.array(ends)


def scaled() -> None:
    """Left ends of plain and of scaled circles on a path with two landmarks."""
    n, landmarks = 41, [10, 30]
    phi = tp.laplacian(tp.graph_from_edges([(i, i + 1) for i in range(n - 1)]), weights="binary").toarray()
    psi = phi + 1e-3 * np.eye(n)
    U = np.setdiff1d(np.arange(n), landmarks)
    part = psi[np.ix_(U, U)]
    plain = 2 * np.diag(part) - np.abs(part).sum(axis=1)
    figure, ax = plt.subplots(figsize=(9, 3.3))
    ax.plot(U, plain, "o", color=GRAY, ms=5, label="plain circles: only neighbors of a landmark move")
    x = np.ones(len(U))
    for steps, color in ((1, "#7fb0e6"), (2, BLUE)):
        for _ in range(1 if steps == 1 else 8):
            x_new = np.linalg.solve(part, x)
            ends, x = x / x_new, x_new / x_new.max()
        ax.plot(
            U, ends, ".", color=color, ms=7, label="scaled, after " + ("1 step" if steps == 1 else "9 steps")
        )
    ax.axhline(np.linalg.eigvalsh(part)[0], color=RED, lw=1.5, label="the smallest eigenvalue")
    for i in landmarks:
        ax.axvline(i, color=RED, lw=1, ls=":")
    ax.set(yscale="log", xlabel="sample of the path; dotted: the two landmarks", title="left ends of circles")
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.22), ncols=2, fontsize=9)
    save(figure, "scaled.svg")


def resolvent() -> None:
    """What one label tells of the pool at two scales, and what the default picks there."""
    rng = np.random.default_rng(3)
    t = 3 * np.pi * (0.25 + 0.75 * np.sqrt(rng.uniform(size=500)))
    X = np.column_stack([t * np.cos(t), t * np.sin(t)]) + rng.normal(scale=0.25, size=(500, 2))
    graph = tp.neighbor_graph(X)
    phi = tp.laplacian(graph)
    figure, axes = plt.subplots(1, 2, figsize=(10, 4.6))
    for ax, n_landmarks in zip(axes, (5, 30), strict=True):
        S = _correlations(phi.toarray(), n_landmarks)
        picks = tp.select(phi, n_landmarks)
        told = S[picks[0]]
        dots = ax.scatter(*X.T, c=told, cmap="Blues", vmin=0, vmax=1, s=16, edgecolor="#b9c0c9", lw=0.3)
        ax.scatter(*X[picks].T, s=55, facecolor="none", edgecolor=RED, lw=1.8)
        ax.scatter(*X[picks[:1]].T, s=70, color=RED)
        ax.set(
            title=f"{n_landmarks} labels: each reaches {'far' if n_landmarks == 5 else 'less far'}",
            aspect="equal",
        )
        ax.axis("off")
    bar = figure.colorbar(dots, ax=axes, shrink=0.7, ticks=[0, 0.5, 1])
    bar.set_label("what the filled label tells of each sample")
    save(figure, "resolvent.svg")


def _correlations(phi: np.ndarray, n_landmarks: int) -> np.ndarray:
    """S of (phi + alpha R)^-1 at the scale that has one degree of freedom for each landmark."""
    degrees = np.diag(phi)
    R = np.maximum(degrees, np.median(degrees))
    low, high = 1e-8, 1e2
    for _ in range(60):
        alpha = np.sqrt(low * high)
        C = np.linalg.inv(phi + alpha * np.diag(R))
        low, high = (alpha, high) if alpha * (R * np.diag(C)).sum() < n_landmarks else (low, alpha)
    root = np.sqrt(np.diag(C))
    return np.asarray(C / root[:, None] / root)


def weights() -> None:
    """How many neighbors count, and what that does to errors on digits with the same landmarks."""
    digits = tp.datasets.load_digits()
    X, y = digits.X, digits.labels
    graph = tp.neighbor_graph(X)
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 3.5))
    settings = {"flat (c = 1)": None, "10": 10.0, "7": 7.0, "5, the default": 5.0, "3": 3.0}
    rows = graph.distances.reshape(len(X), -1)  # (n, K), nearest first
    for name, color in (("flat (c = 1)", GRAY), ("5, the default", BLUE)):
        c = tp.alignment.sharpness(graph, perplexity=settings[name])
        W = np.exp(-c * rows**2 / (rows[:, -1:] * rows[graph.neighbors, -1]))
        shares = np.median(W / W.sum(axis=1, keepdims=True), axis=0)
        left.plot(range(1, 16), 100 * shares, "o-", color=color, ms=4, label=name)
    left.set(
        xlabel="neighbor, nearest first",
        ylabel="share of the weight, %",
        title="the median digit",
        ylim=(0, None),
    )
    left.legend(title="perplexity")
    errors = {name: [] for name in settings}
    for seed in range(10):
        picks = np.random.default_rng(seed).choice(len(y), 50, replace=False)
        for name, perplexity in settings.items():
            z = tp.propagate(tp.laplacian(graph, perplexity=perplexity), picks, np.eye(10)[y[picks]])
            errors[name].append(100 * (z.argmax(axis=1) != y).mean())
    means = [np.mean(errors[name]) for name in settings]
    right.bar(list(settings), means, color=[GRAY, GRAY, GRAY, BLUE, GRAY])
    for i, mean in enumerate(means):
        right.text(i, mean, f"{mean:.1f}", ha="center", va="bottom")
    right.set(xlabel="perplexity", title="wrong labels, %, of 50 random landmarks")
    right.tick_params(axis="x", labelsize=9)
    save(figure, "weights.svg")


if __name__ == "__main__":
    OUT.mkdir(parents=True, exist_ok=True)
    for draw in (one_circle, fewer_circles, ties, scaled, resolvent, weights):
        if draw.__name__ in sys.argv[1:] or len(sys.argv) == 1:
            draw()

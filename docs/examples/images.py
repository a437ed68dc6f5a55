# %% [markdown]
# # Which pictures to label
#
# A pool of pictures, and time to label a few dozen. trigpoint chooses them, a person labels them, and all
# others get their labels from the mixture of `tp.ManifoldClassifier`. What would people do instead? Take
# random pictures, or those nearest to k-means centers, and train logistic regression on scaled pixels. We
# compare all pairs on the same labels.

# %%
import os
import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

import trigpoint as tp

quick = "--quick" in sys.argv
folder = Path(os.environ.get("TRIGPOINT_DATA", "."))
digits = tp.datasets.load_digits()  # 1797 pictures of 8 × 8 pixels that come with scikit-learn

# %% [markdown]
# ## The fifty to label

# %%
pool = np.arange(300 if quick else len(digits.labels))
picks = tp.LandmarkSelector(50).fit(digits.X[pool]).landmarks_
known = np.full(len(pool), -1)  # -1: no label
known[picks] = digits.labels[picks]
clf = tp.ManifoldClassifier().fit(digits.X[pool], known)
wrong = np.flatnonzero(clf.transduction_ != digits.labels[pool])
print(f"{len(picks)} labels; of the other {len(pool) - len(picks)} pictures {len(wrong)} are wrong")

fig, axes = plt.subplots(7, 10, figsize=(7.5, 6.4), layout="constrained")
least_sure = np.argsort(-clf.uncertainty_, kind="stable")[:20]
for ax, i in zip(axes.flat, [*picks, *least_sure], strict=True):
    ax.imshow(digits.images[i], cmap="Greys" if i in picks else "Blues")
    answer, true = clf.transduction_[i], digits.labels[i]
    text = str(true) if i in picks else f"{answer}?" if answer == true else f"{answer}, is {true}"
    ax.set_title(text, fontsize=9, pad=2, weight="bold" if answer != true else "normal")
    ax.axis("off")
plt.show()

# %% [markdown]
# The first five rows, in gray, are the pictures that trigpoint asks for, each with the label that a person
# gives. The last two rows are the twenty of which the classifier is least sure, with its answer; where that
# is wrong, the true class follows. To check these twenty by hand is the next best use of time.
#
# ## Against what people do
#
# Each split holds out a quarter of the pictures. A method chooses among the others. Errors are counted on
# the *rest* (what is in the pool and has no label) and on the pictures *held out*. Real data are added if
# the folder `TRIGPOINT_DATA` has them: faces of 38 people in hard light (Extended Yale B), and 2,000
# pictures of MNIST.


# %%
def logistic(X, known):
    scale = StandardScaler().fit(X).transform
    model = LogisticRegression(max_iter=300).fit(scale(X[known >= 0]), known[known >= 0])
    return model.predict(scale(X)), lambda new: model.predict(scale(new))


def ours(X, known):
    model = tp.ManifoldClassifier().fit(X, known)
    return model.transduction_, model.predict


def errors(X, labels, budget, seed):
    """{(choice, model): (error on the rest, error held out)}, in percent."""
    order = np.random.default_rng(seed).permutation(len(X))
    new, pool = np.split(order, [len(X) // 4])
    found = {}
    for choice, method in {"ours": "auto", "k-means": "kmeans", "random": "random"}.items():
        picks = tp.LandmarkSelector(budget, method=method, random_state=seed).fit(X[pool]).landmarks_
        known = np.full(len(pool), -1)
        known[picks] = labels[pool][picks]
        for name, model in (("ours", ours), ("logistic", logistic)):
            inferred, predict = model(X[pool], known)
            rest = np.delete(inferred != labels[pool], picks)
            found[choice, name] = 100 * rest.mean(), 100 * np.mean(predict(X[new]) != labels[new])
    return found


data = {"digits": (digits.X, digits.labels, [20, 50, 200])}
if (folder / "extended_yaleb.npz").exists() and not quick:
    faces = tp.datasets.load_extended_yaleb(folder)
    small = faces.images[:, ::2, ::2].reshape(len(faces.images), -1)  # 24 × 21 pixels
    data["Extended Yale B"] = (small, faces.labels, [76, 304])
if (folder / "mnist").exists() and not quick:
    mnist, some = (
        tp.datasets.load_mnist(folder / "mnist"),
        np.random.default_rng(0).choice(70_000, 2000, replace=False),
    )
    data["MNIST"] = (mnist.X[some], mnist.labels[some], [50, 200])
if quick:
    data = {"digits": (digits.X[:200], digits.labels[:200], [30])}

SPLITS = 1 if quick else 2
table = {}  # (data, budget): {(choice, model): mean errors}
for name, (X, labels, budgets) in data.items():
    for budget in budgets:
        runs = [errors(X, labels, budget, seed) for seed in range(SPLITS)]
        table[name, budget] = {pair: np.mean([run[pair] for run in runs], axis=0) for pair in runs[0]}
pairs = list(table["digits", data["digits"][2][0]])
print(f"wrong, %: the rest / held out; mean of {SPLITS} splits")
for title, part in ("labels chosen by", 0), ("model", 1):
    print(f"{title:<21}" + "".join(f"{pair[part]:>13}" for pair in pairs))
for (name, budget), row in table.items():
    best = min(row, key=lambda pair: row[pair][1])
    cells = "".join(
        f"{row[pair][0]:>5.1f} / {row[pair][1]:4.1f}{'*' if pair == best else ' '}" for pair in pairs
    )
    print(f"{name:<17}{budget:>4}{cells}")
ratios = {case: row["ours", "ours"][1] / row["k-means", "logistic"][1] for case, row in table.items()}
least, most = min(ratios, key=ratios.get), max(ratios, key=ratios.get)
print(
    f"held out, ours makes {ratios[least]:.2f} to {ratios[most]:.2f} times the mistakes "
    "of k-means + logistic regression"
)
print(f"least on {least[0]} with {least[1]} labels, most on {most[0]} with {most[1]}")

# %%
plt.style.use("tableau-colorblind10")
fig, axes = plt.subplots(1, len(data), figsize=(3.6 * len(data), 3.4), layout="constrained", squeeze=False)
for ax, (name, (_, _, budgets)) in zip(axes[0], data.items(), strict=True):
    for pair, style in {
        ("ours", "ours"): "o-",
        ("k-means", "logistic"): "s--",
        ("random", "logistic"): "^:",
    }.items():
        ax.plot(budgets, [table[name, b][pair][1] for b in budgets], style, label=" + ".join(pair))
    ax.set(title=name, xlabel="labels", ylabel="wrong held out, %", xscale="log", ylim=(0, None))
    ax.set_xticks(budgets, budgets)
    ax.minorticks_off()
    ax.grid(alpha=0.3)
axes[0, 0].legend()
plt.show()

# %% [markdown]
# What is wrong among pictures held out, by the number of labels, for three ways from start to end: our
# choice and our model, k-means and logistic regression, random pictures and logistic regression.
#
# A star in the table marks the best pair of each line, held out. Where it is not at the left, we lose.
# That is where labels are many: 200 digits or 304 faces. There k-means centers are as good a choice, with our
# model behind them. The model does most of the work, and the choice counts where labels are few.

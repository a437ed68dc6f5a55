# %% [markdown]
# # Real values on a rolled sheet, and how unsure they are
#
# A sheet is rolled up in space. The position along the sheet is known at 40 of its points, and all others
# are inferred, with a standard deviation for each. Two layers of the roll lie close in space, but far from
# each other along the sheet. So what matters is the way within it.

# %%
import sys

import matplotlib.pyplot as plt
import numpy as np
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF

import trigpoint as tp

n = 300 if "--quick" in sys.argv else 800
roll = tp.datasets.make_swiss_roll(n, noise=0.1)
truth = roll.values[:, 0]  # the length along the sheet

# %% [markdown]
# ## Our points and model, and those of others
#
# `tp.LandmarkSelector` chooses the points to measure, `tp.ManifoldRegressor` infers the others. For
# comparison, a Gaussian process of scikit-learn on the coordinates gets the same points; and both get
# random points, one draw.


# %%
def ours(known):
    model = tp.ManifoldRegressor().fit(roll.X, np.where(known, truth, np.nan))
    return model.transduction_, model.uncertainty_


def gaussian_process(known):
    model = GaussianProcessRegressor(RBF(5.0), alpha=1e-6, normalize_y=True).fit(roll.X[known], truth[known])
    return model.predict(roll.X, return_std=True)


rng = np.random.default_rng(0)
picks = tp.LandmarkSelector(40).fit(roll.X).landmarks_
choices = {"ours": picks, "random": rng.choice(n, 40, replace=False)}
answers = {}
print("points     model              error   within 2 standard deviations")
for choice, chosen in choices.items():
    known = np.isin(np.arange(n), chosen)
    for model in (ours, gaussian_process):
        answers[choice, model] = values, std = model(known)
        gap = np.abs(values - truth)[~known]
        error, inside = np.sqrt(np.mean(gap**2)), np.mean(gap < 2 * std[~known])
        print(f"{choice:<10} {model.__name__:<16} {error:7.2f}   {inside:.0%}")
values, std = answers["ours", ours]
error = np.sqrt(np.mean((values - truth) ** 2))
print(f"the length, which runs from {truth.min():.0f} to {truth.max():.0f}, is found to within {error:.2f}")

# %%
side, sheet = roll.X[:, [0, 2]], roll.values
top = np.quantile(np.append(std, np.abs(values - truth)), 0.99)
panels = {
    "the roll from the side: length": (side, truth, {"cmap": "cividis"}),
    "the sheet laid flat: error": (
        sheet,
        np.abs(values - truth),
        {"cmap": "Purples", "vmin": 0, "vmax": top},
    ),
    "how unsure: standard deviation": (sheet, std, {"cmap": "Purples", "vmin": 0, "vmax": top}),
}
fig, axes = plt.subplots(1, 3, figsize=(10.5, 3.3), layout="constrained")
for ax, (title, (places, field, look)) in zip(axes, panels.items(), strict=True):
    shown = ax.scatter(*places.T, c=field, s=12, **look)
    ax.plot(*places[picks].T, "o", color="none", markeredgecolor="black", markersize=6)
    ax.set(title=title, xticks=[], yticks=[], facecolor="#f4f4f4")
    fig.colorbar(shown, ax=ax, shrink=0.8)
axes[0].set_aspect("equal")
plt.show()

# %% [markdown]
# Left, the roll from the side, colored by the length along the sheet. Middle and right, the same points on
# the sheet laid flat: how wrong each inferred length is, and how unsure we said it is. Circles are the 40
# points that are measured. Large errors lie where the standard deviation is large: far from circles.
#
# In the table, *error* is the root mean squared error of the points that were not measured. The last line
# counts all points, so it is a little smaller. With ours, more points lie within two standard deviations than
# the 95 % that one would expect: it is too careful here. The Gaussian process is too sure.

"""The tables of docs/reproduction.md from what is stored: python website/reproduction.py [FOLDER]

FOLDER is the output of `trigpoint reproduce all`; its tables, figures and manifests go to docs/reproduction,
its tasks stay where they are. Four tables of the page are written anew. The text around them is ours to mend:
a test holds the tables, and `benchmarks/_promises.py` some words, to what is stored.
"""

import csv
import math
import shutil
import sys
from pathlib import Path

DOCS = Path(__file__).parents[1] / "docs"
SUITES = ("regression", "classification", "bound", "runtime", "torus")
SETS = {
    "faces": "Faces",
    "isomap_faces": "ISOMAP faces",
    "lips": "Lips",
    "jazz_hands": "Jazz hands",
    "deformed_grid": "Grid",
}
PEOPLE = {"ar": ("AR 10", "15", "20"), "yaleb": ("YaleB 15", "20", "25")}
CLAIMS = "| claim | here | evidence |\n|---|---|---|\n"


def publish(folder):
    """Copy what readers are to see."""
    for suite in SUITES:
        if (folder / suite).is_dir():
            hidden = shutil.ignore_patterns("tasks", "sampled")
            shutil.copytree(folder / suite, DOCS / "reproduction" / suite, dirs_exist_ok=True, ignore=hidden)


def page(text):
    """The page with the tables that the stored output gives, in their order."""
    for table in (claims(), errors("ls_error"), errors("spec_error"), accuracies()):
        text = replaced(text, table)
    return text


def replaced(text, table):
    """The text with the table of this header that follows these words, written anew."""
    words, lines = table
    start = text.index(lines[0][:40], text.index(words))
    end = start
    while text[end] == "|":
        end = text.index("\n", end) + 1
    return text[:start] + "".join(lines) + text[end:]


def rows_of(suite):
    with (DOCS / "reproduction" / suite / "summary.csv").open(newline="") as stream:
        return list(csv.DictReader(stream))


def claims():
    """The first table of claims of each suite, and the words that it follows."""
    lines = [CLAIMS]
    for suite in SUITES:
        text = (DOCS / "reproduction" / suite / "README.md").read_text()
        start = text.index(CLAIMS) + len(CLAIMS)
        lines.append(text[start : text.index("\n\n", start) + 1])
    return "## The claims, one by one", lines


def errors(measure):
    """Errors divided by those of Random, clean and noisy together, at the ends of the budgets."""
    found = {}
    for row in rows_of("regression"):
        if row["measure"] == measure and row["selected_on"] == "laplacian":
            cell = row["dataset"], int(row["n_landmarks"]), row["condition"]
            found.setdefault(row["method"], {})[cell] = float(row["mean"])
    columns = {}
    for name, title in SETS.items():
        budgets = [budget for dataset, budget, _ in found["Random"] if dataset == name]
        columns[f"{title} few"], columns[f"{title} many"] = (name, min(budgets)), (name, max(budgets))
    cells = {
        method: [
            math.sqrt(
                math.prod(means[*at, noise] / found["Random"][*at, noise] for noise in ("clean", "noisy"))
            )
            for at in columns.values()
        ]
        for method, means in found.items()
    }
    words = {method: [f"{value:.2f}" for value in values] for method, values in cells.items()}
    best = [min(column, key=float) for column in zip(*words.values(), strict=True)]
    lines = [f"| | {' | '.join(columns)} |\n", f"|---|{'---:|' * len(columns)}\n"]
    for method, values in words.items():
        shown = [
            f"**{word}**" if word == top and method != "Random" else word
            for word, top in zip(values, best, strict=True)
        ]
        lines.append(f"| {method} | {' | '.join(shown)} |\n")
    return ("## Regression" if measure == "ls_error" else "The same for Spec"), lines


def accuracies():
    """Of the samples that were never labeled, beside the paper's."""
    found = {}
    for row in rows_of("classification"):
        if row["measure"] == "accuracy":
            trials = row["trials"]
            words = f"{float(row['mean']):.1f}", row["paper_mean"] and f" [{float(row['paper_mean']):.1f}]"
            found.setdefault(row["method"], {})[row["dataset"], int(row["labels_per_class"])] = words
    places = sorted(found["Random"], key=lambda place: (list(PEOPLE).index(place[0]), place[1]))
    best = {place: max((held[place][0] for held in found.values()), key=float) for place in places}
    names = [name for known in PEOPLE.values() for name in known]
    lines = [
        f"| never labeled samples, accuracy (%) [the paper's], {trials} trials | {' | '.join(names)} |\n",
        f"|---|{'---:|' * len(names)}\n",
    ]
    for method, held in found.items():
        shown = [
            f"**{''.join(held[place])}**" if held[place][0] == best[place] else "".join(held[place])
            for place in places
        ]
        lines.append(f"| {method} | {' | '.join(shown)} |\n")
    return "## Classification", lines


if __name__ == "__main__":
    if len(sys.argv) > 1:
        publish(Path(sys.argv[1]))
    path = DOCS / "reproduction.md"
    path.write_text(page(path.read_text()))

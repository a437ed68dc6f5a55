"""Tables that only the paper's experiments have: how ours agree with its own, and the verdicts."""

from collections.abc import Sequence

from trigpoint.experiments._claims import Finding
from trigpoint.experiments._paper import Reported
from trigpoint.trials import Series, markdown

BESIDE = "± half of a 95 % interval over trials; in brackets the paper's figure; bold the best mean here."


def rank_agreement(
    held: Series, paper: Reported, key: tuple[object, ...], methods: Sequence[str]
) -> list[float]:
    """Spearman's correlation of our order of methods with the paper's, by cell; NaN of less than three.

    Methods with fewer trials than others are left out.
    """
    from scipy.stats import spearmanr

    found = []
    for cell in held.cells:
        most = max(held.estimate(cell, name).trials for name in methods)
        names = [
            name
            for name in methods
            if (*key, *cell, name) in paper and held.estimate(cell, name).trials == most > 0
        ]
        ours = [held.estimate(cell, name).mean for name in names]
        theirs = [paper[(*key, *cell, name)][0] for name in names]
        found.append(float(spearmanr(ours, theirs).statistic) if len(names) >= 3 else float("nan"))
    return found


def claims_table(findings: Sequence[Finding]) -> str:
    return markdown(
        ["claim", "here", "evidence"], [[one.claim, f"**{one.verdict}**", one.detail] for one in findings]
    ).replace("|---|---:|---:|", "|---|---|---|")

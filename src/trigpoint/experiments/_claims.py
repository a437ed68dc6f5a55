"""What the paper claims, held against the trials.

Each claim is a set of comparisons, paired over trials, each decided at 95 %. It is *confirmed* where
at least half of them are won and at most one in twenty is lost; else *not confirmed*. Comparisons with fewer
than three trials are left out, and said so; where all are, the claim is *not testable here*. Trials
draw from one pool, and cells share draws: verdicts are about these pools, and not independent.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from trigpoint.experiments._paper_methods import PAPER
from trigpoint.trials import LEAST, Cell, Series, Tally, against, tally

CONFIRMED, REFUTED, UNTESTABLE = "confirmed", "not confirmed", "not testable here"
OURS = "Facility (our default)"
VARIANTS = ("GCLS", "GCLS, ties by index", "GCLS, two candidates")
RIVALS = tuple(name for name in PAPER if name != "GCLS")
FASTER = ("Random", "Nystrom", "ApproxDPP")


@dataclass(frozen=True)
class Finding:
    claim: str
    verdict: str
    detail: str


def judged(claim: str, found: Tally, *, lower: bool = True) -> Finding:
    """The verdict on a claim that one side is lower, or higher, than the other."""
    won, lost = (found.lower, found.higher) if lower else (found.higher, found.lower)
    if found.total == 0:
        return Finding(claim, UNTESTABLE, "fewer than three trials")
    good = 2 * won >= found.total and 20 * lost <= found.total
    detail = f"{won} of {found.total} comparisons won, {found.even} undecided, {lost} lost"
    detail += f"; {found.left_out} left out (fewer than three trials)" if found.left_out else ""
    return Finding(claim, CONFIRMED if good else REFUTED, detail)


def regression(ls: Series, spec: Series) -> list[Finding]:
    """Cells are (data set, condition, selected on, l)."""
    held = _cells(ls, lambda cell: cell[2] == "laplacian")
    faces = _sets(held, "faces", "isomap_faces")
    lips, jazz, grid = (_sets(held, name) for name in ("lips", "jazz_hands", "deformed_grid"))
    found = [
        judged(f"{name} has lower error than its competitors in most situations", against(held, name, RIVALS))
        for name in VARIANTS
    ]
    found += [_lowest(name, held) for name in VARIANTS]
    for title, part in (("lips", lips), ("the deformed grid", grid)):
        found.append(judged(f"GCLS is consistently superior on {title}", against(part, "GCLS", RIVALS)))
    for title, part in (("faces", faces), ("jazz hands", jazz)):
        small, large = _first_and_last(part)
        worse, better = against(small, "GCLS", RIVALS), against(large, "GCLS", RIVALS)
        found.append(judged(f"GCLS is worse than others on {title} at the smallest l", worse, lower=False))
        found.append(judged(f"GCLS is better than others on {title} at the largest l", better))
    found += [
        judged(f"GCLS has lower error than the faster {', '.join(FASTER)}", against(held, "GCLS", FASTER)),
        judged("MinCond is close to GCLS, though still worse", against(held, "GCLS", ("MinCond",))),
        judged("With few landmarks GCLS is at least comparable", _no_worse(_first_and_last(held)[0])),
        judged(
            "Selecting on the Laplacian is better than on LTSA (GCLS, LS)",
            _laplacian_against_ltsa(ls, ("GCLS",)),
        ),
        judged("Selecting on the Laplacian is better than on LTSA (LS)", _laplacian_against_ltsa(ls)),
        judged("Selecting on the Laplacian is better than on LTSA (Spec)", _laplacian_against_ltsa(spec)),
        Finding(
            "The errors on the authors' own recordings of lips, arms and grids",
            UNTESTABLE,
            "the recordings cannot be had; rendered ones stand in",
        ),
        judged("(ours) The default has lower error than GCLS", against(held, OURS, ("GCLS",))),
        judged("(ours) The default has lower error than Random", against(held, OURS, ("Random",))),
    ]
    return found


def classification(wrong: Series) -> list[Finding]:
    """Cells are (data set, labels a class); the measure is the share of wrong labels."""
    small, _ = _first_and_last(wrong)
    return [
        judged("GCLS significantly improves accuracy", against(wrong, "GCLS", RIVALS)),
        judged("... especially with the fewest labels a class", against(small, "GCLS", RIVALS)),
        judged("GCLS, two candidates, improves accuracy", against(wrong, "GCLS, two candidates", RIVALS)),
        judged("(ours) The default is more accurate than GCLS", against(wrong, OURS, ("GCLS",))),
        judged("(ours) The default is more accurate than Random", against(wrong, OURS, ("Random",))),
    ]


def bound(held: Series) -> list[Finding]:
    """Cells are (l,); the measure is the bound with the 1-norm, as the paper writes it."""
    return [
        judged(f"{name} has a much lower bound than its competitors", against(held, name, RIVALS))
        for name in VARIANTS
    ]


def runtime(held: Series, n: int) -> list[Finding]:
    """Cells are (n, l); the measure is seconds."""
    part = held.where(n)
    slower = [name for name in RIVALS if name not in FASTER]
    return [
        judged(f"GCLS is slower than {', '.join(FASTER)} only", against(part, "GCLS", slower)),
        judged(f"... and slower than {', '.join(FASTER)}", against(part, "GCLS", FASTER), lower=False),
        _ratio("MinCond takes about 100 times as long as GCLS", part, "MinCond", "GCLS", 33, 300),
        judged(
            "Volume sampling is the slowest of all",
            against(part, "Volume", [name for name in PAPER if name != "Volume"]),
            lower=False,
        ),
        _ratio("GF is only slightly faster than volume sampling", part, "Volume", "GF", 1, 3),
    ]


def torus(ls: Series) -> list[Finding]:
    """Cells are (noise, l). The claims are the orderings in the toolbox's own record, least squares."""
    discs = "GCLS, two candidates"
    return [
        judged("As recorded: two candidates are better than random", against(ls, discs, ("Random",))),
        judged(
            "As recorded: farthest point is better than two candidates", against(ls, "MaxMinGeo", (discs,))
        ),
        judged("As recorded: MinCond is better than two candidates", against(ls, "MinCond", (discs,))),
        judged("As recorded: DPP is better than random", against(ls, "ApproxDPP", ("Random",))),
        judged("(ours) The default is better than two candidates", against(ls, OURS, (discs,))),
    ]


def _cells(held: Series, keep: Callable[[Cell], bool]) -> Series:
    return Series({cell: got for cell, got in held.held.items() if keep(cell)})


def _sets(held: Series, *names: str) -> Series:
    return _cells(held, lambda cell: cell[0] in names)


def _first_and_last(held: Series) -> tuple[Series, Series]:
    """The cells of the smallest and of the largest budget of each data set; the budget ends a cell's name."""
    budgets: dict[object, list[int]] = {}
    for cell in held.cells:
        budgets.setdefault(cell[0], []).append(int(str(cell[-1])))
    return (
        _cells(held, lambda cell: cell[-1] == min(budgets[cell[0]])),
        _cells(held, lambda cell: cell[-1] == max(budgets[cell[0]])),
    )


def _lowest(name: str, held: Series) -> Finding:
    """In how many cells a method has the lowest mean of the paper's nine, which is how the paper counts."""
    claim = f"{name} has the lowest mean error in most situations"
    first = tested = 0
    for cell in held.cells:
        rivals = [held.estimate(cell, rival) for rival in RIVALS]
        means = [one.mean for one in rivals if one.trials >= LEAST]
        tested += bool(means)
        first += bool(means) and held.estimate(cell, name).mean < min(means)
    if not tested:
        return Finding(claim, UNTESTABLE, "fewer than three trials")
    verdict = CONFIRMED if 2 * first > len(held.cells) else REFUTED
    return Finding(claim, verdict, f"in {first} of {len(held.cells)} cells")


def _no_worse(held: Series) -> Tally:
    """Comparisons that GCLS does not lose, as won."""
    found = against(held, "GCLS", RIVALS)
    return Tally(found.lower + found.even, 0, found.higher, found.left_out)


def _laplacian_against_ltsa(held: Series, methods: tuple[str, ...] = PAPER) -> Tally:
    pairs = []
    for (name, condition, matrix, budget), got in held.held.items():
        other = held.held.get((name, condition, "ltsa", budget), {}) if matrix == "laplacian" else {}
        pairs += [(got[method], other[method]) for method in other if method in methods and method in got]
    return tally(pairs)


def _ratio(claim: str, held: Series, slow: str, fast: str, low: float, high: float) -> Finding:
    """Confirmed where the median over cells of the ratio of median times lies in [low, high]."""
    ratios = [
        np.nanmedian(got[slow]) / np.nanmedian(got[fast])
        for got in held.held.values()
        if all(np.isfinite(got.get(name, np.empty(0))).sum() >= LEAST for name in (slow, fast))
    ]
    if not ratios:
        return Finding(claim, UNTESTABLE, f"fewer than three trials of {slow} and {fast}")
    middle = float(np.median(ratios))
    return Finding(claim, CONFIRMED if low <= middle <= high else REFUTED, f"{middle:.3g} times")

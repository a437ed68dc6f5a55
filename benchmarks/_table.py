"""Figures and promises side by side: what was kept, what was missed, what was not measured."""

from dataclasses import dataclass

from _figures import Figure, number
from _promises import PROMISES, Promise
from _results import figures_of

KEPT, MISSED, LARGE, ABSENT = "kept", "missed", "only at full size", "not measured"


@dataclass(frozen=True)
class Verdict:
    promise: Promise
    figure: Figure | None
    said: str  # one of the four words above


def verdicts(results: dict[str, dict], promises: list[Promise] = PROMISES) -> list[Verdict]:
    """Of every promise; ``results`` has a record of each benchmark that was run."""
    found = {
        (name, figure.name): (figure, result.get("quick", False))
        for name, result in results.items()
        for figure in figures_of(result)
    }
    judged = []
    for promise in promises:
        figure, quick = found.get((promise.benchmark, promise.figure), (None, False))
        if figure is None:
            said = ABSENT
        elif quick and not promise.quick:
            said = LARGE
        else:
            said = KEPT if promise.kept(figure) else MISSED
        judged.append(Verdict(promise, figure, said))
    return judged


def counted(judged: list[Verdict]) -> str:
    """How many promises came out how."""
    counts = {said: sum(one.said == said for one in judged) for said in (KEPT, MISSED, LARGE, ABSENT)}
    return (
        f"{len(judged)} promises: {', '.join(f'{count} {said}' for said, count in counts.items() if count)}."
    )


def missed(judged: list[Verdict]) -> list[Verdict]:
    return [one for one in judged if one.said == MISSED]


def inequality(promise: Promise) -> str:
    what = "ratio " if promise.of == "ratio" else ""
    return f"{what}{'≤' if promise.sign == '<=' else '≥'} {promise.bound:g}"


def command(benchmark: str) -> str:
    return "trigpoint reproduce all" if benchmark == "reproduction" else f"./dev bench {benchmark}"


def rows(results: dict[str, dict], judged: list[Verdict]) -> list[list[str]]:
    """One a figure: benchmark, name, ours, peer, ratio, promise, verdict. Promises without a figure last."""
    by_key: dict[tuple[str, str], list[Verdict]] = {}
    for one in judged:
        by_key.setdefault((one.promise.benchmark, one.promise.figure), []).append(one)
    lines = []
    for name, result in results.items():
        for one in figures_of(result):
            cells = line(name, one, by_key.pop((name, one.name), []))
            if cells[-1] and result.get("stored"):
                cells[-1] += " (stored)"
            lines.append(cells)
    for (name, title), some in by_key.items():
        lines.append([name, title, "", "", "", *promised(some)])
    return lines


def line(benchmark: str, figure: Figure, some: list[Verdict]) -> list[str]:
    peer = (
        ""
        if figure.peer_value is None
        else f"{figure.peer} {number(figure.peer_value)} {figure.unit}".strip()
    )
    ratio = "" if figure.ratio is None else number(figure.ratio)
    return [
        benchmark,
        figure.name,
        f"{number(figure.value)} {figure.unit}".strip(),
        peer,
        ratio,
        *promised(some),
    ]


def promised(some: list[Verdict]) -> list[str]:
    bounds = "; ".join(dict.fromkeys(inequality(one.promise) for one in some))
    said = "; ".join(dict.fromkeys(one.said for one in some))
    return [bounds, f"**{said}**" if MISSED in said else said]


HEADS = ["benchmark", "figure", "trigpoint", "peer or lower bound", "ratio", "promise", ""]


def markdown(heads: list[str], lines: list[list[str]]) -> str:
    cells = [heads, ["---"] * len(heads), *([cell.replace("|", "\\|") for cell in line] for line in lines)]
    return "\n".join(f"| {' | '.join(line)} |" for line in cells) + "\n"


def missed_lines(judged: list[Verdict]) -> list[str]:
    """Of each promise that was missed: what was found, what is promised, where, and how to see it again."""
    lines = []
    for one in missed(judged):
        figure, promise = one.figure, one.promise
        found = figure.value if promise.of == "value" else figure.ratio
        shown = "unknown" if found is None else number(found)
        unit = figure.unit if promise.of == "value" else ""
        name = promise.figure.removeprefix(f"{promise.benchmark}: ")
        said = f"{promise.benchmark}: {name}: {shown} {unit}".rstrip()
        where = f"{promise.page} (“{promise.words}”)"
        lines.append(f"{said}, promised {inequality(promise)} by {where}; {command(promise.benchmark)}")
    return lines

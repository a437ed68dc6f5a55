"""trigpoint demo: all steps on a built-in pool."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rich.console import Console


def demo(
    budget: Annotated[int, typer.Option(help="How many digits a person labels.")] = 50,
    seed: Annotated[int, typer.Option(min=0, help="Seed of everything random.")] = 0,
    report: Annotated[Path, typer.Option(help="The report, an HTML page.")] = Path("trigpoint-demo.html"),
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Also write a picture, .png, .svg or .pdf.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")] = False,
) -> None:
    """All steps on 1797 handwritten digits, with a report at the end.

    Example: `trigpoint demo --budget 50 --report demo.html`
    """
    from rich.console import Console

    from trigpoint.cli._progress import progress
    from trigpoint.demo import demo_report, draw_demo, run_demo
    from trigpoint.plots import check_picture
    from trigpoint.report import check_report, write_report

    check_report(report)
    if output is not None:
        check_picture(output)
    with progress(verbose=False) as steps:
        result = run_demo(budget, seed)
        with steps.step("report"):
            write_report(demo_report(result), report)
            if output is not None:
                draw_demo(result, output)
    if as_json:
        typer.echo(json.dumps(_demo_figures(result, report, output)))
    else:
        _tell_demo(result, report, output, Console())


def _told(result: Any) -> str:
    """The graph, and what predicted."""
    shares = sorted(result.predictor.weights.items(), key=lambda item: -item[1])
    mixed = ", ".join(f"{name} {weight:.0%}" for name, weight in shares if weight >= 0.005)
    return f"graph of the view {result.pool.main.name}; predictors: {mixed}"


def _demo_figures(result: Any, report: Path, output: Path | None) -> dict[str, Any]:
    return {
        "n_samples": len(result.y),
        "view": result.pool.main.name,
        "weights": result.predictor.weights,
        "landmarks": result.landmarks.tolist(),
        "budgets": result.budgets.tolist(),
        "accuracy": result.accuracy.tolist(),
        "random_accuracy_mean": result.random_accuracy.mean(axis=0).tolist(),
        "seconds": result.seconds,
        "report": str(report),
        "picture": None if output is None else str(output),
    }


def _tell_demo(result: Any, report: Path, output: Path | None, console: "Console") -> None:
    from rich.table import Table

    wrong = result.predicted[result.rest] != result.y[result.rest]
    uncertain_wrong = (result.predicted[result.uncertain] != result.y[result.uncertain]).sum()
    n, budget = len(result.y), len(result.landmarks)
    console.print(f"\n[bold]{n} handwritten digits, {budget} labels[/bold]  ({_told(result)})\n")
    random = f"random (mean of {len(result.random_accuracy)})"
    table = Table("labels", "trigpoint", random, "errors saved", title="accuracy on the rest")
    for b, ours, chance in zip(
        result.budgets, result.accuracy, result.random_accuracy.mean(axis=0), strict=True
    ):
        saved = round((ours - chance) * (n - b))
        table.add_row(str(b), f"{ours:.1%}", f"{chance:.1%}", f"{saved:+d}")
    console.print(table)
    took = ", ".join(f"{step} {seconds:.2f} s" for step, seconds in result.seconds.items())
    console.print(
        f"\nFrom {budget} labels, {n - budget - wrong.sum()} of {n - budget} others were inferred correctly."
        f"\nOf the {wrong.sum()} mistakes, {uncertain_wrong} are among the "
        f"{len(result.uncertain)} least certain samples: look there next."
        f"\n\n[dim]{took}[/dim]\n"
    )
    for name, path in (("report", report), ("picture", output)):
        if path is not None:
            console.print(f"The {name}: {path}", markup=False, highlight=False, soft_wrap=True)

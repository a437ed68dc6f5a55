"""trigpoint studio: label in the browser."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from trigpoint._errors import InputError
from trigpoint.cli._errors import check_studio, tell
from trigpoint.cli._options import NeighborOptions, PoolOptions, RunOptions, check_neighbors
from trigpoint.cli._values import names

LABELS, PEOPLE, PLACE = "The labels", "The people", "The page"


def studio(
    context: typer.Context,
    pool: PoolOptions,
    graph: NeighborOptions,
    run: RunOptions,
    budget: Annotated[
        int | None,
        typer.Option(
            "--budget", "-n", metavar="N", min=1, help="How many samples to label.", show_default="100"
        ),
    ] = None,
    classes: Annotated[
        list[str] | None,
        typer.Option(metavar="NAMES", help="Classes: a,b,c. You can add more later.", rich_help_panel=LABELS),
    ] = None,
    tags: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAMES",
            help="Tags, of which a sample has any number: a,b,c. You can add more later.",
            rich_help_panel=LABELS,
        ),
    ] = None,
    values: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAMES", help="Label with numbers: the names of the numbers.", rich_help_panel=LABELS
        ),
    ] = None,
    points: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAMES",
            help="Label by clicking points on a picture: the names of the points.",
            rich_help_panel=LABELS,
        ),
    ] = None,
    labels: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Labels that are known already.", rich_help_panel=LABELS),
    ] = None,
    guide: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Guidelines for those who label: a text file, in Markdown.",
            rich_help_panel=LABELS,
        ),
    ] = None,
    audit: Annotated[
        float | None,
        typer.Option(
            metavar="SHARE",
            help="Share of samples drawn at random, to estimate the accuracy.",
            show_default="0.1",
            rich_help_panel=LABELS,
        ),
    ] = None,
    overlap: Annotated[
        int | None,
        typer.Option(
            metavar="K", min=1, help="People who label each sample.", show_default="1", rich_help_panel=PEOPLE
        ),
    ] = None,
    store: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="File in which the labels are kept.",
            show_default="POOL.trigpoint.db",
            rich_help_panel=PLACE,
        ),
    ] = None,
    host: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Address to listen at.",
            show_default="127.0.0.1, or 0.0.0.0 with --allow-remote",
            rich_help_panel=PLACE,
        ),
    ] = None,
    port: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=0,
            max=65535,
            help="Port to listen at; 0 is any free one.",
            show_default="the same for the same store, 8300 to 9299",
            rich_help_panel=PLACE,
        ),
    ] = None,
    allow_remote: Annotated[
        bool,
        typer.Option("--allow-remote", help="Allow connections from other machines.", rich_help_panel=PLACE),
    ] = False,
    public_url: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            help="Address that browsers show, where a proxy with HTTPS passes requests on to the studio.",
            rich_help_panel=PLACE,
        ),
    ] = None,
    new_link: Annotated[
        bool,
        typer.Option("--new-link", help="Make a new link; the old one stops working.", rich_help_panel=PLACE),
    ] = False,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Only print the link.", rich_help_panel=PLACE)
    ] = False,
) -> None:
    """Label in the browser: a page that asks for the samples that matter most.

    Labels are kept in a file beside the pool. Ctrl-C ends the studio; run the same command again to continue.
    A folder that holds such files, and is no pool itself, lists its studios.

    Example: `trigpoint studio photos/ --budget 200 --classes cat,dog`
    """
    check_studio("trigpoint studio")
    from trigpoint.cli import _paths, _prepare, _studio_setup
    from trigpoint.studio import (
        Studio,
        bind,
        default_store,
        is_folder_of_studios,
        kept_token,
        open_studio,
        serve,
        stores_in,
        usual_port,
    )

    address = _studio_setup.chosen_host(host, allow_remote)
    public = _studio_setup.public_origin(public_url)
    if store is None and is_folder_of_studios(pool.source):
        from trigpoint.cli._studio_hub import run_hub

        told = [name for name in context.params if _is_given(context, name)]
        run_hub(pool.source, told, address, port, browser=not no_browser, as_json=run.as_json)
        return
    inside = len(stores_in(pool.source))
    if inside:
        tell(f"{pool.source} is opened as a pool; the studios in it ({inside}) are not listed.")
    check_neighbors(graph)
    targets = _studio_setup.label_settings(
        names(classes, "--classes"),
        names(values, "--values"),
        names(points, "--points"),
        names(tags, "--tags"),
    )
    if audit is not None and not 0 <= audit < 1:
        raise InputError("--audit", "must lie in [0, 1)", audit)
    _paths.check_inputs({"POOL": pool.source, "--labels": labels, "--guide": guide})
    guidelines = None if guide is None else _studio_setup.read_guide(guide)
    seed = run.seed if _is_given(context, "seed") else None  # else the store's own holds
    place = store or default_store(pool.source)
    with bind(address, port, usual_port(place)) as listener:
        reading = _prepare.reading_options(pool)
        samples = _studio_setup.look_at(pool, reading, targets)
        asked, given = _studio_setup.asked_settings(
            samples, graph, targets, budget=budget, overlap=overlap, audit=audit, seed=seed
        )
        job = _studio_setup.make_job(pool, graph, reading)
        if not place.exists():  # a start that fails leaves no store behind
            _studio_setup.check_labels(labels, samples, asked)
        kept, settings = open_studio(place, samples, asked, given, reading)
        try:
            studio = Studio(samples, kept, settings, job)
            _studio_setup.check_missing(studio.state, kept.path, samples)
            change = kept.about["change"]
            if change:
                tell(f"{change} since the studio was last opened.")
            first_drafts = _studio_setup.first_drafts(
                kept, settings, asked, given, studio.state, samples, labels, guidelines
            )
            token = kept_token(kept, new=new_link)
        except BaseException:
            kept.close()
            raise

        def announce(url: str) -> None:
            _prepare.tell_columns(samples)
            if run.as_json:
                from trigpoint.cli._output import print_json

                facts = {"url": url, "store": str(kept.path), **asdict(change)}
                print_json(facts | _prepare.column_facts(samples))
            else:
                typer.echo(url)
                tell("open this link to label; Ctrl-C ends the studio, and no label is lost.")

        serve(
            studio,
            listener,
            address,
            token=token,
            public=public,
            first_drafts=first_drafts,
            announce=announce,
            browser=not no_browser,
        )
    n = len(studio.state.labels)
    tell(f"{n} sample{'s' * (n != 1)} labeled, kept in {kept.path}; run the same command to continue.")


def _is_given(context: typer.Context, name: str) -> bool:
    """Whether the user gave an option, on the command line or in a file of options."""
    source = context.get_parameter_source(name)
    return source is not None and source.name != "DEFAULT"

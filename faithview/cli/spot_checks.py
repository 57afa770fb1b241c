"""`faithview spot-check`: claims drawn at random from runs, to be labelled in the dashboard or from a file."""

from collections.abc import Mapping
from typing import Annotated, Any

import typer

from faithview.cli import output
from faithview.cli.options import MOST_ID, JsonOption, StoreOptions, command
from faithview.domain.scoring import Interval
from faithview.domain.spot_check import Design
from faithview.services.json_documents import drawn_document, list_document, spot_check_document
from faithview.services.review.spot_checks import DrawOrder
from faithview.services.review.spot_checks import draw as draw_claims
from faithview.wording import numbers as fmt

app = typer.Typer(help="Draw random claims for reviewers to label, to correct a run's score.")
_CREATED_BY = "command line"

SpotCheckArgument = Annotated[
    int,
    typer.Argument(
        metavar="ID", min=1, max=MOST_ID, help="The spot-check's number, as `faithview spot-check list` shows it."
    ),
]


@command(
    app,
    "draw",
    "faithview spot-check draw monday --size 100",
    "faithview spot-check draw monday --size 50 --seed 1",
    "faithview spot-check draw a b --size 80 --design balanced",
)
def draw(
    place: StoreOptions,
    runs: Annotated[list[str], typer.Argument(metavar="RUN...", help="Ids or unique names of the runs.")],
    size: Annotated[int, typer.Option("--size", metavar="N", min=1, help="How many labels to draw, over all runs.")],
    design: Annotated[
        Design,
        typer.Option(
            "--design",
            metavar="random|balanced",
            help="random: every answer is equally likely. balanced: half of the claims are among those that the judge "
            "flags.",
        ),
    ] = Design.RANDOM,
    seed: Annotated[
        int | None,
        typer.Option("--seed", metavar="NUMBER", min=0, max=MOST_ID, help="The same seed draws the same claims."),
    ] = None,
    name: Annotated[str, typer.Option("--name", metavar="NAME", help="The spot-check's name.")] = "Spot-check",
    blind: Annotated[
        bool,
        typer.Option(
            "--blind/--no-blind", help="Hide the judge's verdict in the dashboard until the claim is labelled."
        ),
    ] = True,
    as_json: JsonOption = False,
) -> None:
    """Draw claims with known probabilities, and print them."""
    order = DrawOrder(name=name, run_ids=runs, size=size, design=design, is_blind=blind, seed=seed)
    with place.open() as store:
        document = drawn_document(store, draw_claims(store, order, created_by=_CREATED_BY))
    drawn = fmt.plural(len(document["items"]), "claim")
    number = document["spot_check_id"]
    rows = [
        [item["claim_id"], item["key"], fmt.fixed(item["inclusion_probability"], 4), item["text"]]
        for item in document["items"]
    ]
    output.show(
        document,
        [f"Spot-check {number} ({document['name']!r}): {drawn} drawn with seed {document['seed']}."],
        output.Table("", ["claim", "answer", "probability ", "text"], rows),
        f"Label them on the page Review, or with `faithview labels import RUN FILE --spot-check {number}`.",
        as_json=as_json,
    )


@command(app, "list", "faithview spot-check list", "faithview spot-check list --json")
def list_checks(place: StoreOptions, as_json: JsonOption = False) -> None:
    """List the spot-checks with their progress, newest first."""
    with place.open() as store:
        document = list_document(store)
    rows = [
        [
            str(check["spot_check_id"]),
            check["name"],
            ", ".join(check["run_ids"]),
            check["design"],
            f"{check['labelled']} of {check['claims']}",
        ]
        for check in document["spot_checks"]
    ]
    table = output.Table("Spot-checks", ["id ", "name", "runs", "design", "labelled "], rows)
    output.show(document, table, as_json=as_json)


@command(app, "show", "faithview spot-check show 3", "faithview spot-check show 3 --json")
def show(spot_check_id: SpotCheckArgument, place: StoreOptions, as_json: JsonOption = False) -> None:
    """Show a spot-check's progress and the corrected score of each of its runs."""
    with place.open() as store:
        document = spot_check_document(store, spot_check_id)
    people = ", ".join(f"{name} {count}" for name, count in document["by_reviewer"].items()) or "no reviewer yet"
    lines = [
        f"Spot-check {spot_check_id} ({document['name']!r}), {'blind' if document['blind'] else 'open'}",
        f"  drawn      {document['design']}, seed {document['seed']}",
        f"  labelled   {document['labelled']} of {fmt.plural(document['claims'], 'claim')}, by {people}",
        *(f"  {run['name'] or 'run'} ({run['run_id']}): {_corrected(run)}" for run in document["runs"]),
    ]
    output.show(document, lines, as_json=as_json)


def _corrected(run: Mapping[str, Any]) -> str:
    score = run["human_corrected"]
    if score["ci"] is None:
        return str(run["reason"])
    low, high = score["ci"]
    unknown = [f"{run[name]} {name}" for name in ("skipped", "disagreements") if run[name]]
    text = f"corrected score {fmt.share(score['estimate'])} ({fmt.ends(Interval(low=low, high=high))})"
    return f"{text}, {', '.join([fmt.plural(run['labelled'], 'label'), *unknown])}."

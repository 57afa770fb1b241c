"""`faithview alert`: rules that every complete run is checked against."""

from typing import Annotated

import typer

from faithview.cli import output
from faithview.cli.options import MOST_ID, JsonOption, StoreOptions, YesOption, command
from faithview.domain.alert import AlertKind
from faithview.domain.errors import InvalidInput
from faithview.services import alerts
from faithview.store import alerts as stored_alerts
from faithview.wording.alerts import describe_rule

app = typer.Typer(help="Manage alert rules, which every complete run is checked against.")


@command(
    app,
    "add",
    "faithview alert add --below 0.8",
    "faithview alert add --fell 0.05 --segment billing",
    "faithview alert add --coverage 0.95",
)
def add(
    place: StoreOptions,
    below: Annotated[
        float | None, typer.Option("--below", metavar="X", help="Alert if faithfulness is below X.")
    ] = None,
    fell: Annotated[
        float | None,
        typer.Option(
            "--fell",
            metavar="Y",
            help="Alert if faithfulness fell by more than Y, and significantly (p < 0.05), since the previous "
            "comparable run.",
        ),
    ] = None,
    coverage: Annotated[
        float | None,
        typer.Option(
            "--coverage",
            metavar="Z",
            help="Alert if coverage is below Z: the share of judged answers, leaving out abstentions and answers "
            "without claims.",
        ),
    ] = None,
    segment: Annotated[
        str | None, typer.Option("--segment", metavar="NAME", help="Check the answers of one segment only.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Add a rule: give exactly one of --below, --fell and --coverage."""
    wanted = {AlertKind.BELOW: below, AlertKind.FELL: fell, AlertKind.COVERAGE: coverage}
    given = [(kind, threshold) for kind, threshold in wanted.items() if threshold is not None]
    if len(given) != 1:
        raise InvalidInput("A rule needs exactly one of --below, --fell and --coverage.")
    ((kind, threshold),) = given
    alerts.check_rule(kind, threshold, segment=segment)
    with place.open() as store:
        rule = alerts.add_rule(store, kind, threshold, segment=segment)
    output.show(rule, [f"Rule {rule.rule_id}: {describe_rule(rule)}."], as_json=as_json)


@command(app, "list", "faithview alert list", "faithview alert list --json")
def list_rules(place: StoreOptions, as_json: JsonOption = False) -> None:
    """List the rules and the open alerts."""
    with place.open() as store:
        rules, opened = stored_alerts.list_rules(store.db), alerts.list_open_alerts(store)
    output.show(
        {"rules": rules, "open": opened},
        output.Table("Rules", ["id ", "rule"], [[str(r.rule_id), describe_rule(r)] for r in rules]),
        output.Table(
            "Open alerts",
            ["id ", "run", "alert", "webhook"],
            [[str(a.alert_id), a.run_id, a.message, a.post_error or ("sent" if a.posted_at else "–")] for a in opened],
        ),
        as_json=as_json,
    )


@command(app, "delete", "faithview alert delete 2", "faithview alert delete 2 --yes")
def delete(
    place: StoreOptions,
    rule_id: Annotated[
        int,
        typer.Argument(metavar="ID", min=1, max=MOST_ID, help="The rule's number, as `faithview alert list` shows it."),
    ],
    yes: YesOption = False,
    as_json: JsonOption = False,
) -> None:
    """Delete a rule and the alerts that it raised."""
    with place.open() as store:
        rule = next((rule for rule in stored_alerts.list_rules(store.db) if rule.rule_id == rule_id), None)
        if rule is not None:  # else deleting says that there is none
            output.confirm(f"Delete rule {rule_id} ({describe_rule(rule)}) with its alerts?", yes=yes, as_json=as_json)
        alerts.delete_rule(store, rule_id)
    output.show(rule, f"Deleted alert rule {rule_id}.", as_json=as_json)

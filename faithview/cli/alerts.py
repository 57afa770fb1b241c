"""`faithview alert`: rules that every complete run is checked against."""

from typing import Annotated

import typer

from faithview.cli import output
from faithview.cli.options import MOST_ID, DbOption, JsonOption, YesOption, open_store
from faithview.cli.output import confirm
from faithview.domain.alert import AlertKind
from faithview.domain.errors import InvalidInput
from faithview.wording.alerts import describe_rule

app = typer.Typer(
    help="Manage alert rules, which every complete run is checked against.", no_args_is_help=True, rich_markup_mode=None
)


@app.command("add")
def add(
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
    db: DbOption = None,
    as_json: JsonOption = False,
) -> None:
    """Add a rule: give exactly one of --below, --fell and --coverage."""
    from faithview.services import alerts

    wanted = {AlertKind.BELOW: below, AlertKind.FELL: fell, AlertKind.COVERAGE: coverage}
    given = [(kind, threshold) for kind, threshold in wanted.items() if threshold is not None]
    if len(given) != 1:
        raise InvalidInput("A rule needs exactly one of --below, --fell and --coverage.")
    ((kind, threshold),) = given
    alerts.check_rule(kind, threshold, segment=segment)
    with open_store(db) as store:
        rule = alerts.add_rule(store, kind, threshold, segment=segment)
    if as_json:
        from faithview.documents.monitoring import AlertRuleDocument

        output.print_json(AlertRuleDocument.of(rule))
    else:
        output.print_lines([f"Rule {rule.rule_id}: {describe_rule(rule)}."])


@app.command("list")
def list_rules(db: DbOption = None, as_json: JsonOption = False) -> None:
    """List the rules and the open alerts."""
    from faithview.services import alerts
    from faithview.store import alerts as stored_alerts

    with open_store(db) as store:
        rules, opened = stored_alerts.list_rules(store.db), alerts.list_open_alerts(store)
    if as_json:
        from faithview.documents.monitoring import AlertsDocument

        output.print_json(AlertsDocument.of(rules=rules, open=opened))
        return
    output.print_table("Rules", ["id ", "rule"], [[str(r.rule_id), describe_rule(r)] for r in rules])
    output.print_table(
        "Open alerts",
        ["id ", "run", "alert", "webhook"],
        [[str(a.alert_id), a.run_id, a.message, a.post_error or ("sent" if a.posted_at else "–")] for a in opened],
    )


@app.command("delete")
def delete(
    rule_id: Annotated[
        int,
        typer.Argument(metavar="ID", min=1, max=MOST_ID, help="The rule's number, as `faithview alert list` shows it."),
    ],
    yes: YesOption = False,
    db: DbOption = None,
    as_json: JsonOption = False,
) -> None:
    """Delete a rule and the alerts that it raised."""
    from faithview.services import alerts
    from faithview.store import alerts as stored_alerts

    with open_store(db) as store:
        words = "".join(describe_rule(rule) for rule in stored_alerts.list_rules(store.db) if rule.rule_id == rule_id)
        if words:  # else deleting says that there is none
            confirm(f"Delete rule {rule_id} ({words}) with its alerts?", yes=yes, as_json=as_json)
        alerts.delete_rule(store, rule_id)
    if as_json:
        output.print_json({"kind": "alert_rule", "id": str(rule_id), "name": words})
    else:
        output.say(f"Deleted alert rule {rule_id}.")

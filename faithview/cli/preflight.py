"""`faithview kb preflight`: what an update of the knowledge base would break, before it is published."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from faithview.cli import output
from faithview.cli.exit_codes import CHECK_FAILED, INCOMPLETE
from faithview.cli.options import (
    ConcurrencyOption,
    DbOption,
    JsonOption,
    JudgeOptionsOption,
    LogFormatOption,
    LogLevelOption,
    MaxCallsOption,
    MaxCostOption,
    MethodOption,
    StrictnessOption,
    judge_spec,
    open_store,
)
from faithview.cli.reading import say_report
from faithview.domain.errors import InvalidInput
from faithview.domain.knowledge import DocumentChangeKind
from faithview.domain.run import POLL_S, JudgeSpec, Run, RunStatus
from faithview.formats.files.atomic_file import destination_words
from faithview.wording import numbers as fmt
from faithview.wording import preflight as words
from faithview.wording.knowledge import document_counts

if TYPE_CHECKING:
    from faithview.documents.preflight import PreflightDocument
    from faithview.services.comparison.compared_runs import Comparison
    from faithview.services.container import Store
    from faithview.services.knowledge.preflight import Plan
    from faithview.services.runs.budget import Limits


def preflight(
    new: Annotated[
        str,
        typer.Argument(
            metavar="NEW",
            help="The new version: the name of a stored one, a file as `kb add` takes it, or a folder of Markdown, "
            "HTML and text files.",
        ),
    ],
    run: Annotated[
        str | None,
        typer.Option(
            "--run",
            metavar="RUN",
            help="The run whose answers are checked (default: the newest one on a stored version).",
        ),
    ] = None,
    kb_version: Annotated[
        str | None,
        typer.Option("--kb-version", metavar="OLD", help="The stored version that RUN used, if RUN does not name it."),
    ] = None,
    new_version: Annotated[
        str | None,
        typer.Option("--as", metavar="NAME", help="Name of the new version (default: the name of NEW)."),
    ] = None,
    judge: Annotated[
        str | None,
        typer.Option(
            "--judge",
            metavar="JUDGE",
            help="The judge (default: the run's own). Another judge judges the answers with both versions.",
        ),
    ] = None,
    method: MethodOption = None,
    strictness: StrictnessOption = None,
    judge_option: JudgeOptionsOption = None,
    fail_over: Annotated[
        int | None,
        typer.Option("--fail-over", metavar="N", min=0, help="Exit with 1 if more than N claims would break."),
    ] = None,
    concurrency: ConcurrencyOption = 8,
    max_calls: MaxCallsOption = None,
    max_cost: MaxCostOption = None,
    estimate: Annotated[
        bool, typer.Option("--estimate", help="Print the expected calls and cost, and judge nothing.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Ask a model without asking you about its cost.")] = False,
    destination: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", metavar="FILE", help="Also write a report: HTML, or Markdown for a FILE ending in .md."
        ),
    ] = None,
    no_texts: Annotated[
        bool, typer.Option("--no-texts", help="Leave questions, claims and passages out of the report.")
    ] = False,
    log_level: LogLevelOption = None,
    log_format: LogFormatOption = None,
    db: DbOption = None,
    as_json: JsonOption = False,
) -> None:
    """Check a new version of the knowledge base before you publish it: which claims of a run would it break?

    The answers stay as they are, and each retrieved chunk is replaced with its text in the new version. Answers whose
    chunks change are judged again, as a run of its own, and compared; unchanged ones cost nothing. A stopped preflight
    continues if you run the same command again.
    """
    from faithview.cli.evaluate import estimate_lines
    from faithview.services.comparison.compare import compare_runs
    from faithview.services.knowledge.preflight import begin_preflight, estimate_preflight
    from faithview.services.runs.budget import Limits

    output.refuse_two_documents(destination, as_json=as_json)
    spec = None if judge is None else judge_spec(judge, method, strictness=strictness, options=judge_option)
    if spec is None and (method, strictness, judge_option) != (None, None, None):
        raise InvalidInput("--method, --strictness and --judge-option belong to --judge; name the judge as well.")
    limits = Limits(max_calls=max_calls, max_cost=max_cost)
    with open_store(db) as store:
        plan = _plan(store, new, run, kb_version=kb_version, new_version=new_version, judge=spec)
        cost = estimate_preflight(store, plan)
        if estimate:
            output.print_json(cost) if as_json else output.print_lines(estimate_lines(cost))
            return
        if cost.host is not None and cost.answers:
            for line in estimate_lines(cost):
                output.say(line)
            output.confirm("Judge these answers?", yes=yes or limits.are_set, as_json=as_json, purpose="judge them")
        pair = begin_preflight(store, plan)
        if pair is None:
            _print(store, plan, None, as_json=as_json)
            if destination is not None:
                output.say("note: There is nothing to compare, so no report was written.")
            return
        _judge(store, pair, concurrency=concurrency, limits=limits)
        comparison = compare_runs(store, pair[0].run_id, pair[1].run_id)
        _print(store, plan, comparison, as_json=as_json)
        if destination is not None:
            from faithview.cli.exports import report_format
            from faithview.services.reports.comparison_report import report_comparison
            from faithview.services.reports.rendering import write_report

            before, after, chosen = pair[0].run_id, pair[1].run_id, report_format(destination)
            write_report(
                report_comparison(store, before, after, file_format=chosen, with_texts=not no_texts), destination
            )
            output.say(f"Wrote the report to {destination_words(destination)}.")
        _check(store, comparison, fail_over=fail_over)


def _plan(
    store: "Store",
    new: str,
    run: str | None,
    *,
    kb_version: str | None,
    new_version: str | None,
    judge: JudgeSpec | None,
) -> "Plan":
    from faithview.services.knowledge.preflight import find_run_to_check, plan_preflight, version_of
    from faithview.services.knowledge.versions import read_base
    from faithview.services.results import get_run

    found = find_run_to_check(store) if run is None else get_run(store, run)
    version = version_of(store, found, kb_version=kb_version)
    with output.counting() as step:
        step(f"Reading {new}")
        base = read_base(store, new, against=version)
        step(f"Comparing {fmt.plural(len(base.chunks), 'chunk')} with {version}")
        plan = plan_preflight(
            store,
            found.run_id,
            base.chunks,
            judge=judge,
            kb_version=kb_version,
            new_version=new_version or base.name,
        )
    if base.report is not None:
        say_report(base.report)
    if run is None:
        output.say(f"note: Checked on the answers of {found.name!r}, the newest run; --run names another.")
    return plan


def _judge(store: "Store", pair: tuple[Run, Run], *, concurrency: int, limits: "Limits") -> None:
    from faithview.cli.judging import judge_all_with_progress

    waiting = [run for run in pair if run.status is not RunStatus.COMPLETE]
    if waiting:
        judge_all_with_progress(store, waiting, concurrency=concurrency, limits=limits, poll_s=POLL_S)


def _print(store: "Store", plan: "Plan", comparison: "Comparison | None", *, as_json: bool) -> None:
    counts = {kind.value: len(plan.documents.of_kind(kind)) for kind in DocumentChangeKind}
    if as_json:
        output.print_json(_document(store, plan, comparison, counts))
        return
    finding = words.UNAFFECTED if comparison is None else words.finding_words(comparison.causes)
    output.print_lines(
        [
            f"{plan.kb_version} -> {plan.new_version}, checked on {plan.run.name}",
            f"  documents     {document_counts(**counts, unchanged=plan.documents.unchanged)}",
            f"  affected      {fmt.count(len(plan.rows))} of {fmt.plural(plan.answers, 'answer')}",
            f"  finding       {finding}",
        ]
    )
    cautions = words.caution_words(
        plan.kb_version,
        foreign=plan.chunks.foreign,
        removed=counts["removed"],
        others=plan.documents.after,
        is_complete=plan.documents.is_complete,
    )
    for note in (words.ASSUMPTION, *cautions):
        output.say(f"note: {note}")
    if comparison is not None:
        from faithview.cli.compare import print_comparison

        output.print_lines([""])
        print_comparison(store, comparison)


def _document(
    store: "Store", plan: "Plan", comparison: "Comparison | None", counts: dict[str, int]
) -> "PreflightDocument":
    from faithview.documents.preflight import PreflightDocument
    from faithview.services.comparison.comparison_document import compare_document
    from faithview.services.results import get_progress

    left = None if comparison is None else get_progress(store, comparison.candidate.run_id)
    return PreflightDocument.of(
        plan,
        **counts,
        answers_affected=len(plan.rows),
        answers_pending=0 if left is None else left.total - left.done,
        answers_failed=0 if left is None else left.failed,
        claims_broken=0 if comparison is None else sum(cause.broken for cause in comparison.causes),
        claims_fixed=0 if comparison is None else sum(cause.fixed for cause in comparison.causes),
        comparison=None if comparison is None else compare_document(store, comparison),
    )


def _check(store: "Store", comparison: "Comparison", *, fail_over: int | None) -> None:
    """Exit with 1 if too many claims would break, with 3 if not all answers are judged."""
    from faithview.services.results import get_progress

    broken = sum(cause.broken for cause in comparison.causes)
    if fail_over is not None and broken > fail_over:
        output.say(f"faithview: {fmt.plural(broken, 'claim')} would break; at most {fail_over} may.")
        raise typer.Exit(CHECK_FAILED)
    left = get_progress(store, comparison.candidate.run_id)
    if left.done < left.total or left.failed:
        output.say(
            f"faithview: {fmt.count(left.total - left.done)} of {fmt.plural(left.total, 'answer')} not judged, and the "
            f"judge failed on {fmt.count(left.failed)}. Run the same command again to continue."
        )
        raise typer.Exit(INCOMPLETE)

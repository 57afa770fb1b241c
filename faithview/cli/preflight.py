"""`faithview kb preflight`: what an update of the knowledge base would break, before it is published."""

import os
from collections.abc import Sequence
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
    MethodOption,
    StrictnessOption,
    judge_spec,
    open_store,
)
from faithview.cli.reading import say_report
from faithview.domain.answer import View
from faithview.domain.errors import InvalidInput
from faithview.domain.preflight import (
    ClaimForecast,
    JudgedAgain,
    Outcome,
    OutcomeCounts,
    PreflightRecord,
    PreflightResult,
)
from faithview.domain.run import JudgeSpec
from faithview.formats.files.atomic_file import destination_words
from faithview.wording import numbers as fmt
from faithview.wording import preflight as words
from faithview.wording.verdict_styles import verdict_word

if TYPE_CHECKING:
    from faithview.documents.runs import RunEstimate
    from faithview.services.container import Store
    from faithview.services.knowledge.preflight.plan import Plan
    from faithview.services.runs.budget import Limits

_SHOWN_DOCUMENTS = 20
_SHOWN_CLAIMS = 30
_SHOWN_QUESTIONS = 10
# With fewer answers, starting a process takes longer than judging.
_ANSWERS_A_WORKER = 100
_MOST_WORKERS = 4


def preflight(
    new: Annotated[
        str | None,
        typer.Argument(
            metavar="NEW",
            help="The new version: the name of a stored one, a file as `kb add` takes it, or a folder of Markdown, "
            "HTML and text files.",
        ),
    ] = None,
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
        typer.Option("--as", metavar="NAME", help="The name that the new version will have."),
    ] = None,
    judge: Annotated[
        str | None,
        typer.Option(
            "--judge",
            metavar="JUDGE",
            help="The judge (default: the run's own). Another judge judges both versions of the texts.",
        ),
    ] = None,
    method: MethodOption = None,
    strictness: StrictnessOption = None,
    judge_option: JudgeOptionsOption = None,
    fail_over: Annotated[
        int | None,
        typer.Option(
            "--fail-over", metavar="N", min=0, help="Exit with 1 if more than N claims would break or be overtaken."
        ),
    ] = None,
    view: Annotated[
        View, typer.Option("--view", help="The verdicts before the update: the judge's or the reviewed ones.")
    ] = View.JUDGE,
    concurrency: ConcurrencyOption = 8,
    workers: Annotated[
        int | None,
        typer.Option(
            "--workers",
            min=1,
            max=256,
            help="How many processes the embedded judge may use (default: up to 4, if there is much to judge).",
        ),
    ] = None,
    max_calls: Annotated[
        int | None,
        typer.Option("--max-calls", min=0, help="Stop before making more calls than this; --resume continues."),
    ] = None,
    max_cost: Annotated[
        float | None,
        typer.Option("--max-cost", min=0.0, help="Stop before spending more US dollars than this; --resume continues."),
    ] = None,
    estimate: Annotated[
        bool, typer.Option("--estimate", help="Print the expected calls and cost, and judge nothing.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Ask a model without asking you about its cost.")] = False,
    resume: Annotated[
        str | None,
        typer.Option("--resume", metavar="ID", help="Continue a stored preflight, or print it again, without NEW."),
    ] = None,
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

    The answers stay as they are, and each retrieved chunk is replaced with its text in the new version. Claims of
    answers whose chunks change are judged again; unchanged ones cost nothing. A stopped preflight continues if you run
    the same command again.
    """
    from faithview.services.runs.budget import Limits

    if (new is None) == (resume is None):
        raise InvalidInput(
            "Name the new version (a stored one, a file or a folder), or continue a stored preflight with --resume ID."
        )
    output.refuse_two_documents(destination, as_json=as_json)
    spec = None if judge is None else judge_spec(judge, method, strictness=strictness, options=judge_option)
    if spec is None and (method, strictness, judge_option) != (None, None, None):
        raise InvalidInput("--method, --strictness and --judge-option belong to --judge; name the judge as well.")
    limits = Limits(max_calls=max_calls, max_cost=max_cost)
    with open_store(db) as store:
        if resume is not None:
            from faithview.store.preflights import get_preflight

            record = get_preflight(store.db, resume)
        else:
            plan = _plan(store, new or "", run, kb_version=kb_version, new_version=new_version, judge=spec)
            cost = _estimate(store, plan)
            if estimate:
                _print_estimate(cost, as_json=as_json)
                return
            _agree(cost, yes=yes or limits.are_set, as_json=as_json)
            record = _save(store, plan)
        stopped = _judge(store, record, concurrency=concurrency, workers=workers, limits=limits)
        _report(
            store,
            record,
            view=view,
            stopped=stopped,
            fail_over=fail_over,
            destination=destination,
            with_texts=not no_texts,
            as_json=as_json,
        )


def _plan(
    store: "Store",
    new: str,
    run: str | None,
    *,
    kb_version: str | None,
    new_version: str | None,
    judge: JudgeSpec | None,
) -> "Plan":
    from faithview.services.knowledge.preflight.plan import find_run_to_check, make_plan, version_of
    from faithview.services.knowledge.versions import read_base
    from faithview.services.results import get_run

    found = find_run_to_check(store) if run is None else get_run(store, run)
    version = version_of(store, found, kb_version=kb_version)
    with output.counting() as step:
        step(f"Reading {new}")
        base = read_base(store, new, against=version)
        step(f"Comparing {fmt.plural(len(base.chunks), 'chunk')} with {version}")
        plan = make_plan(
            store,
            found.run_id,
            base.chunks,
            judge=judge,
            kb_version=kb_version,
            new_version=new_version or (base.name if base.is_stored else None),
            source=base.name,
        )
    if base.report is not None:
        say_report(base.report)
    if run is None:
        output.say(f"note: Checked on the answers of {found.name!r}, the newest run; --run names another.")
    return plan


def _estimate(store: "Store", plan: "Plan") -> "RunEstimate":
    from faithview.services.knowledge.preflight.preflights import estimate_plan

    return estimate_plan(store, plan)


def _save(store: "Store", plan: "Plan") -> PreflightRecord:
    from faithview.services.knowledge.preflight.preflights import save_plan

    return save_plan(store, plan)


def _print_estimate(cost: "RunEstimate", *, as_json: bool) -> None:
    if as_json:
        output.print_json(cost)
    else:
        output.print_lines(_cost_lines(cost))


def _cost_lines(cost: "RunEstimate") -> list[str]:
    lines = [f"{fmt.plural(cost.answers, 'answer')} to judge by {cost.judge}"]
    lines.append(f"  called        {cost.host or 'nothing: no text leaves this machine'}")
    if cost.host is not None:
        price = "no price is known" if cost.cost_usd is None else f"about {fmt.dollars(cost.cost_usd)}"
        lines.append(f"  calls         about {cost.calls:,}")
        lines.append(f"  tokens        about {cost.prompt_tokens:,} in and {cost.completion_tokens:,} out")
        lines.append(f"  cost          {price}")
    return lines


def _agree(cost: "RunEstimate", *, yes: bool, as_json: bool) -> None:
    """Show what a model's calls will cost, and ask whether to make them."""
    if cost.host is None or not cost.answers:
        return
    for line in _cost_lines(cost):
        output.say(line)
    output.confirm("Judge these answers?", yes=yes, as_json=as_json, purpose="judge them")


def _judge(
    store: "Store", record: PreflightRecord, *, concurrency: int, workers: int | None, limits: "Limits"
) -> str | None:
    """Judge what is pending with a progress bar; return why it stopped, None at the end."""
    from faithview.cli.judging import Tally
    from faithview.services.knowledge.preflight.preflights import get_progress, judge_preflight
    from faithview.services.runs.worker import collecting_rarely

    progress = get_progress(store, record.preflight_id)
    left = progress.total - progress.done
    if left and progress.done:
        output.say(f"note: {fmt.plural(progress.done, 'answer')} of this preflight were judged before.")
    tally = Tally()
    with collecting_rarely(), output.progress("Judging again", left) as step:

        def on_judged(judged: JudgedAgain) -> None:
            tally.add_usage(judged.usage)
            step(str(tally))

        return judge_preflight(
            store,
            record.preflight_id,
            concurrency=concurrency,
            workers=workers or _workers(left),
            limits=limits,
            on_judged=on_judged,
        )


def _workers(answers: int) -> int:
    return max(1, min(os.cpu_count() or 1, _MOST_WORKERS, answers // _ANSWERS_A_WORKER))


def _report(
    store: "Store",
    record: PreflightRecord,
    *,
    view: View,
    stopped: str | None,
    fail_over: int | None,
    destination: Path | None,
    with_texts: bool,
    as_json: bool,
) -> None:
    from faithview.services.knowledge.preflight.preflights import get_preflight

    result = get_preflight(store, record.preflight_id, view=view)
    if as_json:
        from faithview.documents.preflight import PreflightDocument

        output.print_json(PreflightDocument.of(result))
    else:
        _print(result)
    if destination is not None:
        from faithview.services.reports.preflight_report import write_preflight

        write_preflight(store, record.preflight_id, destination, view=view, with_texts=with_texts)
        output.say(f"Wrote the report to {destination_words(destination)}.")
    breaking = result.counts.breaking
    if fail_over is not None and breaking > fail_over:
        found = words.finding_words(result.counts).removesuffix(".")
        output.say(f"faithview: {found}; at most {fail_over} may.")
        raise typer.Exit(CHECK_FAILED)
    again = f"`faithview kb preflight --resume {record.preflight_id}` continues it."
    if stopped is not None or result.pending:
        output.say(f"faithview: {fmt.plural(result.pending, 'answer')} not judged. {stopped or ''} {again}")
        raise typer.Exit(INCOMPLETE)
    if result.failed:
        output.say(
            f"faithview: the judge failed on {fmt.plural(result.failed, 'answer')}. Run the command again to retry."
        )
        raise typer.Exit(INCOMPLETE)


def _print(result: PreflightResult) -> None:
    record, counts = result.record, result.counts
    lines = [
        f"{words.versions_words(record)}, checked on {result.run_name}",
        f"  documents     {words.changes_words(record)}",
        f"  finding       {' '.join(filter(None, (words.finding_words(counts), words.further_words(counts))))}",
        f"  faithfulness  {words.projection_words(result.projection)}",
        f"  judged        {words.judge_words(result)}",
        f"  id            {record.preflight_id}",
    ]
    output.print_lines(lines)
    output.say(f"note: {words.ASSUMPTION}")
    for note in (
        words.whole_words(record),
        words.unplaced_words(record),
        "" if record.counts.is_complete else words.INCOMPLETE,
    ):
        if note:
            output.say(f"note: {note}")
    _print_tables(result)
    for outcome in (Outcome.BROKEN, Outcome.OVERTAKEN, Outcome.UNKNOWN, Outcome.FIXED):
        _print_claims(outcome, result.with_outcome(outcome))
    if result.questions:
        shown = result.questions[:_SHOWN_QUESTIONS]
        asked = words.questions_words(result.questions, shown=len(shown))
        output.print_lines(["", f"To ask again first: {asked}"])
        output.print_lines([f"  {question.key}  {question.question or ''}" for question in shown])


_OUTCOMES = ("would break ", "overtaken ", "uncertain ", "would be fixed ", "ask again ")


def _print_tables(result: PreflightResult) -> None:
    touched = [one for one in result.documents if any(_cells(one.counts, one.questions, of_all=True))]
    if touched:
        shown = touched[:_SHOWN_DOCUMENTS]
        more = f" ({len(shown)} of {len(touched)})" if len(touched) > len(shown) else ""
        output.print_table(
            f"Documents{more}",
            ["document", "title", "change", *_OUTCOMES],
            [
                [
                    one.document.name,
                    one.document.title or "",
                    one.document.kind.value,
                    *map(fmt.count, _cells(one.counts, one.questions)),
                ]
                for one in shown
            ],
        )
    if len(result.segments) > 1:
        output.print_table(
            "Segments",
            ["segment", "answers ", *_OUTCOMES],
            [
                [one.segment or "(none)", *map(fmt.count, (one.answers, *_cells(one.counts, one.questions)))]
                for one in result.segments
            ],
        )


def _cells(counts: OutcomeCounts, questions: int, *, of_all: bool = False) -> Sequence[int]:
    held = (counts.unsupported, counts.supported) if of_all else ()
    return (counts.broken, counts.overtaken, counts.unknown, counts.fixed, questions, *held)


def _print_claims(outcome: Outcome, claims: Sequence[ClaimForecast]) -> None:
    if not claims:
        return
    more = f" ({_SHOWN_CLAIMS} of {len(claims)})" if len(claims) > _SHOWN_CLAIMS else ""
    output.print_lines(["", f"{words.OUTCOME_WORDS[outcome]}{more}: {words.OUTCOME_RULES[outcome]}"])
    for claim in claims[:_SHOWN_CLAIMS]:
        after = "" if claim.after is None else f" -> {verdict_word(claim.after)}"
        output.print_lines(
            [
                f"  {claim.key}  {' '.join(claim.text.split())} [{verdict_word(claim.before)}{after}]",
                f"      {words.REASON_WORDS[claim.reason]}",
                *(
                    f"      {passage.document} {passage.chunk_id}: "
                    f"{words.passage_words(passage.before, passage.after, is_other=passage.is_overtaking)}"
                    for passage in claim.passages
                ),
            ]
        )

"""`faithview kb`: the chunks that could have been retrieved, by version; and what an update would break."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from faithview.cli import output
from faithview.cli.compare import comparison_parts
from faithview.cli.evaluate import estimate_lines
from faithview.cli.exit_codes import CHECK_FAILED, INCOMPLETE
from faithview.cli.exports import report_format
from faithview.cli.judging import judge_with_progress
from faithview.cli.options import (
    BudgetOptions,
    ConcurrencyOption,
    EstimateOption,
    JsonOption,
    JudgeOptions,
    SpeedOptions,
    StoreOptions,
    YesOption,
    command,
)
from faithview.cli.reading import say_report
from faithview.domain.errors import InvalidInput
from faithview.domain.knowledge import DocumentChangeKind
from faithview.domain.run import JudgeSpec, RunStatus
from faithview.domain.sample import Chunk
from faithview.formats.files.atomic_file import destination_words
from faithview.services.comparison.compare import compare_runs
from faithview.services.comparison.compared_runs import Comparison
from faithview.services.comparison.comparison_document import compare_document
from faithview.services.container import Store
from faithview.services.knowledge import versions
from faithview.services.knowledge.changes import KnowledgeChanges, compare_knowledge, compare_versions
from faithview.services.knowledge.documents import DocumentChanges
from faithview.services.knowledge.preflight import (
    Plan,
    begin_preflight,
    estimate_preflight,
    find_run_to_check,
    plan_preflight,
    version_of,
)
from faithview.services.knowledge.versions import find_runs_of_versions, read_base
from faithview.services.reports.comparison_report import report_comparison
from faithview.services.reports.rendering import write_report
from faithview.services.results import get_progress, get_run
from faithview.store import knowledge as stored_knowledge
from faithview.wording import knowledge as words
from faithview.wording import numbers as fmt
from faithview.wording import preflight as pf

app = typer.Typer(help="Manage stored knowledge-base versions.")


@command(app, "add", "faithview kb add 2026-11 chunks.jsonl", "faithview kb add v2 chunks.csv --json")
def add(
    place: StoreOptions,
    version: Annotated[str, typer.Argument(metavar="VERSION", help="The version's name, as in --kb-version.")],
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="One chunk per row: text, id and metadata, in any format that evaluate reads; or a folder of "
            "Markdown, HTML and text files, which are split at their headings.",
        ),
    ],
    split_as: Annotated[
        str | None,
        typer.Option(
            "--split-as",
            metavar="OLD",
            help="Split a folder as this stored version was, so unchanged passages keep their ids.",
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Store the chunks of a version; they replace chunks stored earlier under that name."""
    versions.check_version(version)
    earlier: Sequence[Chunk] = ()
    if split_as is not None:
        with place.open() as store:
            earlier = versions.load_version(store, split_as)
    chunks, report = versions.read_knowledge_base(file, split_as=earlier)
    say_report(report)
    with place.open() as store:
        before = versions.find_knowledge_base(store, version)
        base = versions.save_knowledge_base(store, version, chunks, source=file.name)
    instead = f" (replaced {fmt.plural(before.chunks, 'chunk')})" if before is not None else ""
    output.show(base, [f"Knowledge base {version}: {fmt.plural(base.chunks, 'chunk')}{instead}."], as_json=as_json)


@command(app, "list", "faithview kb list", "faithview kb list --json")
def list_versions(place: StoreOptions, as_json: JsonOption = False) -> None:
    """List the versions in the order they were stored."""
    with place.open() as store:
        bases = stored_knowledge.list_knowledge_bases(store.db)
    rows = [[b.version, fmt.count(b.chunks), b.source or "–", fmt.day_and_time(b.created_at)] for b in bases]
    table = output.Table("Knowledge bases", ["version", "chunks ", "file", "stored"], rows)
    output.show({"knowledge_bases": bases}, table, as_json=as_json)


@command(app, "diff", "faithview kb diff 2026-10 2026-11", "faithview kb diff v1 v2 --runs monday tuesday")
def diff(
    place: StoreOptions,
    before: Annotated[str, typer.Argument(metavar="OLD", help="The older version, as `faithview kb list` shows it.")],
    after: Annotated[str, typer.Argument(metavar="NEW", help="The newer version.")],
    runs: Annotated[
        tuple[str, str] | None,
        typer.Option(
            "--runs",
            metavar="BASELINE CANDIDATE",
            help="The runs whose claims are counted (default: the two on these versions that are closest in time).",
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Show two versions side by side: documents added, edited and removed, and the claims that are based on them."""
    with place.open() as store:
        found = find_runs_of_versions(store, before, after)
        pair = runs or (None if found is None else (found[0].run_id, found[1].run_id))
        changes = None if pair is None else compare_knowledge(store, *pair)
        documents = compare_versions(store, before, after) if changes is None else changes.documents
    if changes is not None and (changes.baseline.kb_version, changes.candidate.kb_version) != (before, after):
        raise InvalidInput(
            f"{changes.baseline.name!r} used version {changes.baseline.kb_version!r} and "
            f"{changes.candidate.name!r} used {changes.candidate.kb_version!r}, not {before!r} and {after!r}."
        )
    counted = words.document_counts(**_counts(documents), unchanged=documents.unchanged)
    notes = ((words.SEEN_ONLY, changes is None or changes.is_stored), (words.INCOMPLETE, documents.is_complete))
    output.show(
        {"documents": documents, "claims": changes},
        [f"{before} -> {after}: {counted}."],
        *(f"note: {note}" for note, is_fine in notes if not is_fine),
        *([] if changes is None and not documents.changed else [_changed_documents(documents, changes)]),
        [] if changes is None else _claim_lines(changes),
        as_json=as_json,
    )


@command(
    app,
    "preflight",
    "faithview kb preflight docs/ --fail-over 0",
    "faithview kb preflight kb.jsonl --run monday -o a.html",
    "faithview kb preflight docs/ --judge openai:m --estimate",
)
def preflight(
    new: Annotated[
        str,
        typer.Argument(
            metavar="NEW",
            help="The new version: the name of a stored one, a file as `kb add` takes it, or a folder of Markdown, "
            "HTML and text files.",
        ),
    ],
    judge: JudgeOptions,
    budget: BudgetOptions,
    place: StoreOptions,
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
    fail_over: Annotated[
        int | None,
        typer.Option("--fail-over", metavar="N", min=0, help="Exit with 1 if more than N claims would break."),
    ] = None,
    concurrency: ConcurrencyOption = 8,
    estimate: EstimateOption = False,
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
    as_json: JsonOption = False,
) -> None:
    """Check a new version of the knowledge base before you publish it: which claims of a run would it break?

    The answers stay as they are, and each retrieved chunk is replaced with its text in the new version. Answers whose
    chunks change are judged again, as a run of its own, and compared; unchanged ones cost nothing. A stopped preflight
    continues if you run the same command again.
    """
    output.refuse_two_documents(destination, as_json=as_json)
    if judge.judge is None and judge != JudgeOptions():
        raise InvalidInput("The options of a judge belong to --judge; name the judge as well.")
    spec = None if judge.judge is None else judge.spec()
    limits = budget.limits()
    with place.open() as store:
        plan = _plan(store, new, run, kb_version=kb_version, new_version=new_version, judge=spec)
        cost = estimate_preflight(store, plan)
        if estimate:
            output.show(cost, estimate_lines(cost), as_json=as_json)
            return
        if cost.host is not None and cost.answers:
            for line in estimate_lines(cost):
                output.say(line)
            output.confirm("Judge these answers?", yes=yes or limits.are_set, as_json=as_json, purpose="judge them")
        pair = begin_preflight(store, plan)
        if pair is None:
            _print_preflight(store, plan, None, as_json=as_json)
            if destination is not None:
                output.say("note: There is nothing to compare, so no report was written.")
            return
        waiting = [run for run in pair if run.status is not RunStatus.COMPLETE]
        if waiting:
            judge_with_progress(store, waiting, SpeedOptions(concurrency=concurrency), limits)
        ids = (pair[0].run_id, pair[1].run_id)
        comparison = compare_runs(store, *ids)
        _print_preflight(store, plan, comparison, as_json=as_json)
        if destination is not None:
            chosen = report_format(destination)
            text = report_comparison(store, *ids, file_format=chosen, with_texts=not no_texts)
            write_report(text, destination)
            output.say(f"Wrote the report to {destination_words(destination)}.")
        _check_preflight(store, comparison, fail_over=fail_over)


@command(app, "delete", "faithview kb delete 2026-10", "faithview kb delete 2026-10 --yes")
def delete(
    place: StoreOptions,
    version: Annotated[str, typer.Argument(metavar="VERSION", help="The name that `faithview kb list` shows.")],
    yes: YesOption = False,
    as_json: JsonOption = False,
) -> None:
    """Delete the chunks of a version; runs keep its name."""
    with place.open() as store:
        base = versions.find_knowledge_base(store, version)
        if base is not None:  # else deleting says that there is none
            question = f"Delete knowledge base {version} with {fmt.plural(base.chunks, 'chunk')}?"
            output.confirm(question, yes=yes, as_json=as_json)
        versions.delete_knowledge_base(store, version)
    output.show(base, f"Deleted knowledge base {version}.", as_json=as_json)


def _counts(documents: DocumentChanges) -> dict[str, int]:
    return {kind.value: len(documents.of_kind(kind)) for kind in DocumentChangeKind}


def _changed_documents(documents: DocumentChanges, changes: KnowledgeChanges | None) -> output.Table:
    columns = ["document", "title", "change", "passages "]
    changed = documents.changed if changes is None else [one.document for one in changes.changed]
    rows = [[d.name, d.title or "", d.kind.value, fmt.count(len(d.passages))] for d in changed]
    if changes is not None:
        columns += ["claims before ", "claims now ", "broke ", "fixed "]
        for row, one in zip(rows, changes.changed, strict=True):
            row += map(fmt.count, (one.before, one.after, one.broken, one.fixed))
    return output.Table("Documents", columns, rows)


def _claim_lines(changes: KnowledgeChanges) -> list[str]:
    sentences = (
        words.broken_sentence(touching=changes.broken_touching, resting=changes.broken, all_broken=changes.all_broken),
        words.fixed_sentence(fixed=changes.fixed, all_fixed=changes.all_fixed),
        words.counted_on(changes.pairs),
    )
    names = f"{changes.baseline.name} -> {changes.candidate.name}"
    return ["", f"{names}: {' '.join(one for one in sentences if one)}"]


def _plan(
    store: Store,
    new: str,
    run: str | None,
    *,
    kb_version: str | None,
    new_version: str | None,
    judge: JudgeSpec | None,
) -> Plan:
    found = find_run_to_check(store) if run is None else get_run(store, run)
    version = version_of(store, found, kb_version=kb_version)
    with output.progress(f"Reading {new}") as step:
        base = read_base(store, new, against=version)
        step(f"comparing {fmt.plural(len(base.chunks), 'chunk')} with {version}")
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


def _print_preflight(store: Store, plan: Plan, comparison: Comparison | None, *, as_json: bool) -> None:
    counts, documents = _counts(plan.documents), plan.documents
    left = None if comparison is None else get_progress(store, comparison.candidate.run_id)
    causes = () if comparison is None else comparison.causes
    document = {
        "run_id": plan.run.run_id,
        "run_name": plan.run.name,
        "kb_version": plan.kb_version,
        "new_version": plan.new_version,
        "judge": plan.judge.name,
        "is_run_judge": plan.is_run_judge,
        **counts,
        "unchanged": documents.unchanged,
        "is_complete": documents.is_complete,
        "answers": plan.answers,
        "answers_affected": len(plan.rows),
        "answers_pending": 0 if left is None else left.total - left.done,
        "answers_failed": 0 if left is None else left.failed,
        "chunks_not_in_stored_version": plan.chunks.foreign,
        "claims_broken": sum(cause.broken for cause in causes),
        "claims_fixed": sum(cause.fixed for cause in causes),
        "comparison": None if comparison is None else compare_document(store, comparison).to_dict(),
    }
    lines = [
        f"{plan.kb_version} -> {plan.new_version}, checked on {plan.run.name}",
        f"  documents     {words.document_counts(**counts, unchanged=documents.unchanged)}",
        f"  affected      {fmt.count(len(plan.rows))} of {fmt.plural(plan.answers, 'answer')}",
        f"  finding       {pf.UNAFFECTED if comparison is None else pf.finding_words(comparison.causes)}",
    ]
    cautions = pf.caution_words(
        plan.kb_version,
        foreign=plan.chunks.foreign,
        removed=counts["removed"],
        others=documents.after,
        is_complete=documents.is_complete,
    )
    notes = [f"note: {note}" for note in (pf.ASSUMPTION, *cautions)]
    compared = [] if comparison is None else [[""], *comparison_parts(store, comparison)]
    output.show(document, lines, *notes, *compared, as_json=as_json)


def _check_preflight(store: Store, comparison: Comparison, *, fail_over: int | None) -> None:
    """Exit with 1 if too many claims would break, with 3 if not all answers are judged."""
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

"""`faithview kb`: the chunks that could have been retrieved, by version."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from faithview.cli import output
from faithview.cli.exit_codes import CHECK_FAILED
from faithview.cli.options import DbOption, JsonOption, YesOption, open_store
from faithview.cli.output import confirm
from faithview.cli.preflight import preflight
from faithview.cli.reading import say_report
from faithview.domain.answer import View
from faithview.domain.errors import InvalidInput
from faithview.domain.knowledge import DocumentChange, DocumentChangeKind
from faithview.domain.sample import Chunk
from faithview.wording import contradictions as finding_words
from faithview.wording import knowledge as words
from faithview.wording import numbers as fmt

if TYPE_CHECKING:
    from faithview.domain.contradiction import Contradiction, StatedPassage
    from faithview.services.knowledge.changes import DocumentChanges, KnowledgeChanges
    from faithview.services.knowledge.check import KnowledgeCheck
    from faithview.services.knowledge.resting_claims import DocumentClaims

app = typer.Typer(help="Manage stored knowledge-base versions.", no_args_is_help=True, rich_markup_mode=None)


@app.command("add")
def add(
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
    db: DbOption = None,
    as_json: JsonOption = False,
) -> None:
    """Store the chunks of a version; they replace chunks stored earlier under that name."""
    from faithview.services.knowledge import versions

    versions.check_version(version)
    earlier: Sequence[Chunk] = ()
    if split_as is not None:
        with open_store(db) as store:
            earlier = versions.load_version(store, split_as)
    chunks, report = versions.read_knowledge_base(file, split_as=earlier)
    say_report(report)
    with open_store(db) as store:
        before = versions.find_knowledge_base(store, version)
        base = versions.save_knowledge_base(store, version, chunks, source=file.name)
    if as_json:
        from faithview.documents.knowledge import KnowledgeBaseDocument

        output.print_json(KnowledgeBaseDocument.of(base))
    else:
        instead = f" (replaced {fmt.plural(before.chunks, 'chunk')})" if before is not None else ""
        output.print_lines([f"Knowledge base {version}: {fmt.plural(base.chunks, 'chunk')}{instead}."])


@app.command("list")
def list_versions(db: DbOption = None, as_json: JsonOption = False) -> None:
    """List the versions in the order they were stored."""
    from faithview.store import knowledge as stored_knowledge

    with open_store(db) as store:
        bases = stored_knowledge.list_knowledge_bases(store.db)
    if as_json:
        from faithview.documents.knowledge import KnowledgeBasesDocument

        output.print_json(KnowledgeBasesDocument.of(knowledge_bases=bases))
        return
    rows = [[b.version, fmt.count(b.chunks), b.source or "–", fmt.day_and_time(b.created_at)] for b in bases]
    output.print_table("Knowledge bases", ["version", "chunks ", "file", "stored"], rows)


@app.command("diff")
def diff(
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
    view: Annotated[
        View, typer.Option("--view", help="The verdicts to use: the judge's, reviewed or corrected.")
    ] = View.JUDGE,
    db: DbOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show two versions side by side: documents added, edited and removed, and the claims that are based on them."""
    from faithview.services.json_documents import knowledge_document, versions_document
    from faithview.services.knowledge.changes import compare_knowledge, compare_versions
    from faithview.services.knowledge.versions import find_runs_of_versions

    with open_store(db) as store:
        found = find_runs_of_versions(store, before, after)
        pair = runs or (None if found is None else (found[0].run_id, found[1].run_id))
        if pair is None:
            documents = compare_versions(store, before, after)
            if as_json:
                output.print_json(versions_document(store, before, after, documents))
            else:
                _print_documents(before, after, documents, [(document, None) for document in documents.changed])
            return
        changes = compare_knowledge(store, *pair, view=view)
        if (changes.baseline.kb_version, changes.candidate.kb_version) != (before, after):
            raise InvalidInput(
                f"{changes.baseline.name!r} used version {changes.baseline.kb_version!r} and "
                f"{changes.candidate.name!r} used {changes.candidate.kb_version!r}, not {before!r} and {after!r}."
            )
        if as_json:
            output.print_json(knowledge_document(store, changes))
        else:
            _print_changes(changes)


app.command("preflight")(preflight)


@app.command("check")
def check(
    new: Annotated[
        str,
        typer.Argument(
            metavar="NEW",
            help="A stored version, or a file or a folder of documents as `faithview kb add` takes it.",
        ),
    ],
    run: Annotated[
        str | None,
        typer.Option(
            "--run",
            metavar="RUN",
            help="The run whose questions are shown (default: the newest run over this version, then over OLD).",
        ),
    ] = None,
    against: Annotated[
        str | None,
        typer.Option("--against", metavar="OLD", help="The older version (default: the one stored before NEW)."),
    ] = None,
    show_all: Annotated[bool, typer.Option("--all", help="Show findings that people dismissed, too.")] = False,
    fail_over: Annotated[
        int | None, typer.Option("--fail-over", min=0, help="Exit with 1 if there are more contradictions than this.")
    ] = None,
    db: DbOption = None,
    as_json: JsonOption = False,
) -> None:
    """Find passages that contradict each other, and new words for known things."""
    from faithview.services.knowledge.check import check_knowledge
    from faithview.services.knowledge.versions import read_base

    with open_store(db) as store:
        base = read_base(store, new, against=against)
        if base.report is not None:
            say_report(base.report)
        with output.counting() as show:
            found = check_knowledge(
                store,
                base,
                against=against,
                run=run,
                on_progress=lambda what, done, total: show(f"{what}: {fmt.count(done)} of {fmt.count(total)}"),
            )
    shown = found.with_dismissed() if show_all else found
    if as_json:
        from faithview.documents.knowledge import KnowledgeCheckDocument

        output.print_json(KnowledgeCheckDocument.of(shown))
    else:
        _print_findings(shown, is_all=show_all)
    if fail_over is not None and len(found.contradictions) > fail_over:
        output.say(
            f"faithview: {found.name} has {fmt.plural(len(found.contradictions), 'contradiction')}, more than "
            f"{fmt.count(fail_over)}."
        )
        raise typer.Exit(CHECK_FAILED)


@app.command("delete")
def delete(
    version: Annotated[str, typer.Argument(metavar="VERSION", help="The name that `faithview kb list` shows.")],
    yes: YesOption = False,
    db: DbOption = None,
    as_json: JsonOption = False,
) -> None:
    """Delete the chunks of a version; runs keep its name."""
    from faithview.services.knowledge import versions

    with open_store(db) as store:
        base = versions.find_knowledge_base(store, version)
        if base is not None:  # else deleting says that there is none
            question = f"Delete knowledge base {version} with {fmt.plural(base.chunks, 'chunk')}?"
            confirm(question, yes=yes, as_json=as_json)
        versions.delete_knowledge_base(store, version)
    if as_json:
        from faithview.documents.changes import DeletedDocument

        output.print_json(DeletedDocument(kind="knowledge_base", id=version, name=version))
    else:
        output.say(f"Deleted knowledge base {version}.")


def _print_changes(changes: "KnowledgeChanges") -> None:
    before, after = changes.baseline, changes.candidate
    if not changes.is_stored:
        output.say(f"note: {words.SEEN_ONLY}")
    _print_documents(
        str(before.kb_version),
        str(after.kb_version),
        changes.documents,
        [(one.document, one.claims) for one in changes.changed],
    )
    sentences = (
        words.broken_sentence(touching=changes.broken_touching, resting=changes.broken, all_broken=changes.all_broken),
        words.fixed_sentence(fixed=changes.fixed, all_fixed=changes.all_fixed),
        words.counted_on(changes.pairs),
    )
    output.print_lines(["", f"{before.name} -> {after.name}: {' '.join(one for one in sentences if one)}"])


def _print_documents(
    before: str,
    after: str,
    documents: "DocumentChanges",
    changed: "Sequence[tuple[DocumentChange, DocumentClaims | None]]",
) -> None:
    counts = {kind.value: len(documents.of_kind(kind)) for kind in DocumentChangeKind}
    output.print_lines([f"{before} -> {after}: {words.document_counts(**counts, unchanged=documents.unchanged)}."])
    if not documents.is_complete:
        output.say(f"note: {words.INCOMPLETE}")
    if not changed:
        return
    output.print_table(
        "Documents",
        ["document", "title", "change", "passages ", "claims before ", "claims now ", "broke ", "fixed "],
        [
            [
                document.name,
                document.title or "",
                document.kind.value,
                fmt.count(len(document.passages)),
                *(
                    ["–"] * 4
                    if claims is None
                    else map(fmt.count, (claims.before, claims.after, claims.broken, claims.fixed))
                ),
            ]
            for document, claims in changed
        ],
    )


def _print_findings(found: "KnowledgeCheck", *, is_all: bool) -> None:
    against = "" if found.against is None else f" against {found.against}"
    counts = finding_words.counts_sentence(
        contradictions=len(found.contradictions),
        new=None if found.against is None else sum(one.is_new for one in found.contradictions),
        terms=None if found.against is None else len(found.terms),
    )
    output.print_lines([f"{found.name}{against}: {counts}."])
    for number, one in enumerate(found.contradictions, start=1):
        _print_contradiction(number, one, found)
    if found.terms:
        output.print_lines([""])
        output.print_table(
            "New words that may be other names for known things",
            ["word", "uses ", "passages ", "may mean", "for example"],
            [
                [
                    f"{term.word} (dismissed)" if term.is_dismissed else term.word,
                    fmt.count(term.uses),
                    fmt.count(term.passages),
                    finding_words.known_words(term),
                    " ".join(term.example.split()),
                ]
                for term in found.terms
            ],
        )
    if found.against is None:
        output.say(f"note: {finding_words.NO_OLDER}")
    hidden = len(found.dismissed_contradictions) + len(found.dismissed_terms)
    if hidden and not is_all:
        output.say(
            f"note: {fmt.plural(hidden, 'dismissed finding')} {fmt.verb(hidden, 'is', 'are')} hidden; use --all."
        )


def _print_contradiction(number: int, one: "Contradiction", found: "KnowledgeCheck") -> None:
    marks = [
        mark
        for mark, is_shown in (
            ("confirmed", one.decision is not None and one.decision.is_confirmed),
            ("dismissed", one.is_dismissed),
            (f"also in {found.against}", not one.is_new),
        )
        if is_shown
    ]
    also = f" ({', '.join(marks)})" if marks else ""
    lines = ["", f"{number}. {finding_words.KIND_NAMES[one.kind]}{also}"]
    for passage in (one.one, one.other):
        lines += [f"   {finding_words.passage_name(passage)}", f"     {_marked(passage)}"]
    if found.run is not None and one.asked:
        lines.append(f"   {finding_words.asked_sentence(one, found.run.name)}")
        lines += [f"     {asked.key}: {' '.join(asked.question.split())}" for asked in one.questions]
    output.print_lines(lines)


def _marked(passage: "StatedPassage") -> str:
    """Return a passage on one line, with the words that differ in brackets; a long one is cut around its statement."""
    text, words = passage.text, passage.words
    first = max(0, min(passage.statement.start, words.start) - _AROUND)
    last = min(len(text), max(passage.statement.end, words.end) + _AROUND)
    marked = f"{text[first : words.start]}[[{words.of(text)}]]{text[words.end : last]}"
    return ("…" if first else "") + " ".join(marked.split()) + ("…" if last < len(text) else "")


# How many characters are shown before and after a statement.
_AROUND = 160

"""`faithview kb`: the chunks that could have been retrieved, by version."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from faithview.cli import output
from faithview.cli.options import DbOption, JsonOption, YesOption, open_store
from faithview.cli.output import confirm
from faithview.cli.preflight import preflight
from faithview.cli.reading import say_report
from faithview.domain.errors import InvalidInput
from faithview.domain.knowledge import DocumentChange, DocumentChangeKind
from faithview.domain.sample import Chunk
from faithview.wording import knowledge as words
from faithview.wording import numbers as fmt

if TYPE_CHECKING:
    from faithview.services.knowledge.changes import ChangedDocument, KnowledgeChanges
    from faithview.services.knowledge.documents import DocumentChanges

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
        output.print_json(asdict(base))
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
        output.print_json({"knowledge_bases": [asdict(base) for base in bases]})
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
        changes = compare_knowledge(store, *pair)
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
        output.print_json({"kind": "knowledge_base", "id": version, "name": version})
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
        [(one.document, one) for one in changes.changed],
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
    changed: "Sequence[tuple[DocumentChange, ChangedDocument | None]]",
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

"""`faithview kb`: the chunks that could have been retrieved, by version."""

from pathlib import Path
from typing import Annotated

import typer

from faithview.cli import output
from faithview.cli.options import DbOption, JsonOption, open_services
from faithview.cli.reading import say_report
from faithview.domain.knowledge_base import KnowledgeBase
from faithview.services.sources import knowledge_bases
from faithview.wording import numbers as fmt

app = typer.Typer(help="Knowledge bases: what could have been retrieved.", no_args_is_help=True, rich_markup_mode=None)


@app.command("add")
def add(
    version: Annotated[str, typer.Argument(metavar="VERSION", help="The name that runs give it, as in --kb-version.")],
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", help="One chunk per row: text, id and metadata, in any format that evaluate reads."
        ),
    ],
    db: DbOption = None,
    as_json: JsonOption = False,
) -> None:
    """Store the chunks of a version; chunks stored under that name before are replaced."""
    knowledge_bases.check_version(version)
    chunks, report = knowledge_bases.read_knowledge_base(file)
    say_report(report)
    with open_services(db) as services:
        before = knowledge_bases.find_knowledge_base(services, version)
        base = knowledge_bases.save_knowledge_base(services, version, chunks, source=file.name)
    if as_json:
        output.print_json(_document(base))
    else:
        instead = f" (replaced {fmt.plural(before.chunks, 'chunk')})" if before is not None else ""
        output.print_lines([f"Knowledge base {version}: {fmt.plural(base.chunks, 'chunk')}{instead}."])


@app.command("list")
def list_versions(db: DbOption = None, as_json: JsonOption = False) -> None:
    """List the versions in the order in which they were stored."""
    with open_services(db) as services:
        bases = knowledge_bases.list_knowledge_bases(services)
    if as_json:
        output.print_json({"knowledge_bases": [_document(base) for base in bases]})
        return
    rows = [[b.version, fmt.count(b.chunks), b.source or "–", fmt.day_and_time(b.created_at)] for b in bases]
    output.print_table("Knowledge bases", ["version", "chunks ", "file", "stored"], rows)


@app.command("delete")
def delete(
    version: Annotated[str, typer.Argument(metavar="VERSION", help="The name that `faithview kb list` shows.")],
    db: DbOption = None,
) -> None:
    """Delete the chunks of a version; runs keep its name."""
    with open_services(db) as services:
        knowledge_bases.delete_knowledge_base(services, version)
    output.say(f"Deleted knowledge base {version}.")


def _document(base: KnowledgeBase) -> dict[str, object]:
    return {
        "version": base.version,
        "chunks": base.chunks,
        "source": base.source,
        "created_at": base.created_at.isoformat(),
    }

"""`faithview datasets`: the sets of rows that runs are over, and `--dataset` of the commands that make runs."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from faithview.cli import output
from faithview.cli.options import DbOption, JsonOption, YesOption, open_store
from faithview.cli.output import confirm
from faithview.domain.dataset import DatasetRow, DatasetVersion, NamedDataset, Part, RowFilter
from faithview.domain.errors import InvalidInput
from faithview.domain.run import Run
from faithview.formats.files.atomic_file import destination_words
from faithview.wording import numbers as fmt
from faithview.wording import runs as words

if TYPE_CHECKING:
    from faithview.services.container import Store


app = typer.Typer(help="Manage data sets: the rows of runs, in versions.", no_args_is_help=True, rich_markup_mode=None)

_LONGEST = 60  # characters of a text in a table
_BY = "command line"


class FileFormat(StrEnum):
    """Formats of exported rows."""

    JSONL = "jsonl"
    CSV = "csv"
    PARQUET = "parquet"


DatasetOption = Annotated[
    str | None,
    typer.Option("--dataset", metavar="NAME", help="The run's data set (default: the one that has its rows)."),
]
NameArgument = Annotated[str, typer.Argument(metavar="NAME", help="A name that `faithview datasets list` shows.")]
VersionOption = Annotated[
    int | None,
    typer.Option("--data-version", metavar="N", min=1, help="A version by its number (default: the newest)."),
]
OldVersionOption = Annotated[
    int | None, typer.Option("--version", min=1, hidden=True, help="The old name of --data-version.")
]
RowsOption = Annotated[
    list[str] | None,
    typer.Option("--row", metavar="ID", help="Select the row with this id; repeat the option for more."),
]
SearchOption = Annotated[
    str,
    typer.Option(
        "--search", metavar="TEXT", help="Select rows with this text in question, answer, reference or chunks."
    ),
]
TagOption = Annotated[str | None, typer.Option("--tag", metavar="TAG", help="Select rows with this tag.")]
PartOption = Annotated[Part, typer.Option("--part", help="Select all rows, the held-out ones, or the rest.")]


def say_judged_before(store: "Store", run: Run) -> None:
    """Say on standard error which other runs judged exactly the rows of this new one."""
    from faithview.services import datasets

    if run.dataset is None:
        return
    found = datasets.find_judged(store, run.dataset.content_hash, besides=run.run_id)
    if found:
        output.say(f"note: {words.judged_before(found)} `faithview compare` compares two runs.")


@app.command("list")
def list_datasets(db: DbOption = None, as_json: JsonOption = False) -> None:
    """List the data sets, the one with the newest run first."""
    from faithview.services import datasets

    with open_store(db) as store:
        listed = datasets.list_datasets(store)
    if as_json:
        from faithview.documents.datasets import DatasetsDocument

        output.print_json(DatasetsDocument.of(datasets=listed))
        return
    rows = [
        [
            dataset.name,
            fmt.count(len(dataset.versions)),
            fmt.count(dataset.newest.rows) if dataset.newest else "–",
            fmt.count(dataset.runs),
            fmt.count(dataset.held_out),
            fmt.day(dataset.newest_at) if dataset.newest_at else "–",
        ]
        for dataset in listed
    ]
    output.print_table("Data sets", ["data set", "versions ", "rows ", "runs ", "held out ", "newest run"], rows)


@app.command("show")
def show(
    name: NameArgument,
    number: VersionOption = None,
    old_number: OldVersionOption = None,
    row: RowsOption = None,
    search: SearchOption = "",
    tag: TagOption = None,
    part: PartOption = Part.ALL,
    limit: Annotated[int, typer.Option("--limit", metavar="N", min=0, help="Show at most N rows.")] = 20,
    db: DbOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show the versions of a data set, the runs over one of them, and its rows."""
    from faithview.services import datasets
    from faithview.services.dataset_documents import shown_document
    from faithview.store import datasets as stored_datasets

    filters = RowFilter(search=search, tag=tag, part=part, keys=tuple(row) if row else None)
    with open_store(db) as store:
        dataset, version = _find_version(store, name, number or old_number)
        steps = datasets.list_steps(store, dataset)
        runs = datasets.list_runs_over(store, version)
        counts = datasets.count_parts(store, dataset, version)
        rows = stored_datasets.list_rows(store.db, dataset.dataset_id, version.version_id, filters, limit=limit)
        matching = stored_datasets.count_rows(store.db, dataset.dataset_id, version.version_id, filters)
    if as_json:
        output.print_json(
            shown_document(dataset, version, steps=steps, runs=runs, counts=counts, rows=rows, matching=matching)
        )
        return
    output.print_table(
        f"Versions of {dataset.name}",
        ["version ", "hash", "rows ", "runs ", "first seen", "since the previous version"],
        [
            [
                str(step.version.number),
                step.version.short_hash,
                fmt.count(step.version.rows),
                fmt.count(step.version.runs),
                fmt.day(step.version.created_at),
                words.change_words(step.change) if step.change else "–",
            ]
            for step in steps
        ],
    )
    output.print_lines(["", f"Version {version.number}: {words.counts_words(counts)}"])
    output.print_table(
        "Runs",
        ["run", "name", "judge", "made"],
        [[r.run_id, r.name, r.judge.name, fmt.day(r.created_at)] for r in runs],
    )
    title = f"Rows ({fmt.count(len(rows))} of {fmt.count(matching)})"
    output.print_table(title, ["id", "question", "answer", "chunks ", "tags", "held out"], [_cells(r) for r in rows])


@app.command("tag")
def tag_rows(
    name: NameArgument,
    tag: Annotated[str, typer.Argument(metavar="TAG", help="The tag to add.")],
    row: RowsOption = None,
    search: SearchOption = "",
    with_tag: Annotated[
        str | None, typer.Option("--with-tag", metavar="TAG", help="Select rows with this tag.")
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Select all rows.")] = False,
    remove: Annotated[bool, typer.Option("--remove", help="Remove the tag instead.")] = False,
    number: VersionOption = None,
    old_number: OldVersionOption = None,
    db: DbOption = None,
    as_json: JsonOption = False,
) -> None:
    """Tag rows, and all rows with the same question in every version of the data set."""
    from faithview.services import datasets

    filters = _chosen(row, search, with_tag, everything=everything)
    with open_store(db) as store:
        dataset, version = _find_version(store, name, number or old_number)
        subjects = datasets.find_subjects(store, dataset, version, filters)
        if remove:
            done = datasets.remove_tag(store, dataset, subjects, tag)
        else:
            done = datasets.add_tag(store, dataset, subjects, tag, by=_BY)
    if as_json:
        from faithview.documents.datasets import TaggedDocument

        cleaned = datasets.clean_tag(tag)
        changed = {"removed_questions" if remove else "added_questions": done}
        output.print_json(TaggedDocument.of(dataset=dataset.name, tag=cleaned, questions=len(subjects), **changed))
        return
    verb = "lost" if remove else "got"
    output.say(
        f"{fmt.plural(done, 'question')} of {fmt.count(len(subjects))} {verb} the tag {datasets.clean_tag(tag)!r}."
    )


@app.command("hold-out")
def hold_out(
    name: NameArgument,
    row: RowsOption = None,
    search: SearchOption = "",
    tag: TagOption = None,
    everything: Annotated[bool, typer.Option("--all", help="Select all rows, for example to release them.")] = False,
    share: Annotated[
        float | None,
        typer.Option(
            "--share", metavar="X", help="Draw questions until this share of them is held out, for example 0.2."
        ),
    ] = None,
    do_release: Annotated[bool, typer.Option("--release", help="Release the rows: stop holding them out.")] = False,
    number: VersionOption = None,
    old_number: OldVersionOption = None,
    db: DbOption = None,
    as_json: JsonOption = False,
) -> None:
    """Reserve rows for measurement: `fit` skips them and all rows with the same question."""
    from faithview.services import datasets

    if share is not None and (do_release or row or search or tag or everything):
        raise InvalidInput("--share draws from all rows of the version; leave the other choices out.")
    filters = RowFilter() if share is not None else _chosen(row, search, tag, everything=everything)
    with open_store(db) as store:
        dataset, version = _find_version(store, name, number or old_number)
        if share is not None:
            done = datasets.hold_out_share(store, dataset, version, share, by=_BY)
        else:
            subjects = datasets.find_subjects(store, dataset, version, filters)
            if do_release:
                done = datasets.release(store, dataset, subjects)
            else:
                done = datasets.hold_out(store, dataset, subjects, by=_BY)
        counts = datasets.count_parts(store, dataset, version)
    if as_json:
        from faithview.documents.datasets import HeldOutDocument

        changed = {"released_questions" if do_release else "added_questions": done}
        output.print_json(HeldOutDocument.of(dataset=dataset.name, version=version.number, counts=counts, **changed))
        return
    what = "released" if do_release else "held out"
    output.say(f"{fmt.plural(done, 'question')} {what}. Version {version.number}: {words.counts_words(counts)}")


@app.command("export")
def export(
    name: NameArgument,
    destination: Annotated[
        Path, typer.Option("-o", "--output", metavar="FILE", help="The file to write; - is standard output.")
    ],
    file_format: Annotated[FileFormat, typer.Option("--format", help="jsonl, csv or parquet.")] = FileFormat.JSONL,
    number: VersionOption = None,
    old_number: OldVersionOption = None,
    search: SearchOption = "",
    tag: TagOption = None,
    part: PartOption = Part.ALL,
    db: DbOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write the rows of a version, with their tags and held-out marks, to a file that `faithview evaluate` reads."""
    from faithview.services.dataset_documents import write_rows

    output.refuse_two_documents(destination, as_json=as_json)
    with open_store(db) as store:
        dataset, version = _find_version(store, name, number or old_number)
        count = write_rows(
            store,
            dataset,
            version,
            RowFilter(search=search, tag=tag, part=part),
            destination=destination,
            file_format=file_format.value,
        )
    if as_json:
        from faithview.documents.changes import WrittenDocument

        output.print_json(WrittenDocument(path=str(destination), rows=count))
        return
    where = destination_words(destination)
    output.say(f"Wrote {fmt.plural(count, 'row')} of {dataset.name!r}, version {version.number}, to {where}.")


@app.command("rename")
def rename(
    old: NameArgument,
    new: Annotated[str, typer.Argument(metavar="NEW", help="The new name, which no other data set may have.")],
    db: DbOption = None,
    as_json: JsonOption = False,
) -> None:
    """Rename a data set."""
    from faithview.services import datasets

    with open_store(db) as store:
        name = datasets.rename_dataset(store, old, new)
    if as_json:
        from faithview.documents.changes import RenamedDocument

        output.print_json(RenamedDocument(kind="dataset", old_name=old, name=name))
    else:
        output.say(f"The data set {old!r} is now {name!r}.")


@app.command("delete")
def delete(name: NameArgument, yes: YesOption = False, db: DbOption = None, as_json: JsonOption = False) -> None:
    """Delete a data set that no run uses any more, with its tags and held-out marks."""
    from faithview.services import datasets

    with open_store(db) as store:
        found = datasets.get_dataset(store, name)
        confirm(f"Delete the data set {found.name!r} with its tags and held-out marks?", yes=yes, as_json=as_json)
        datasets.delete_dataset(store, name)
    if as_json:
        from faithview.documents.changes import DeletedDocument

        output.print_json(DeletedDocument(kind="dataset", id=found.name, name=found.name))
    else:
        output.say(f"Deleted the data set {name!r}.")


def _find_version(store: "Store", name: str, number: int | None) -> tuple[NamedDataset, DatasetVersion]:
    from faithview.services import datasets

    dataset = datasets.get_dataset(store, name)
    return dataset, datasets.get_version(dataset, number)


def _chosen(keys: list[str] | None, search: str, tag: str | None, *, everything: bool) -> RowFilter:
    if not (keys or search or tag or everything):
        raise InvalidInput("Choose rows with --row ID, --search TEXT, a tag or --all.")
    return RowFilter(search=search, tag=tag, keys=tuple(keys) if keys else None)


def _cells(row: DatasetRow) -> list[str]:
    sample = row.sample
    return [
        sample.key,
        _short(sample.question or "–"),
        _short(sample.answer),
        fmt.count(len(sample.chunks)),
        ", ".join(row.tags),
        "yes" if row.is_held_out else "",
    ]


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"

"""`faithview mappings`, and the options that use and save mappings of columns."""

import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from faithview.cli import output
from faithview.cli.options import DbOption, JsonOption, YesOption, has_store, open_store
from faithview.cli.output import confirm
from faithview.domain.errors import InvalidInput
from faithview.wording import numbers as fmt

if TYPE_CHECKING:
    from faithview.services.dataset_files import Dataset


app = typer.Typer(help="Manage saved column mappings.", no_args_is_help=True, rich_markup_mode=None)

SavedOption: TypeAlias = Annotated[
    str | None,
    typer.Option("--mapping", metavar="NAME", help="Use this saved column mapping; --map changes single fields."),
]
SaveOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--save-mapping",
        metavar="NAME",
        help="Save the column mapping under this name, for other files with the same columns.",
    ),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class MappingUse:
    """What the options say: the mapping to use, the name to save one under, and the store."""

    name: str | None
    save_as: str | None
    db: str | None

    def apply(self, dataset: "Dataset") -> "Dataset":
        """Return the file with the mapping; if none is named, say which mappings were saved for such a file.

        Raises:
            NotFound, InvalidInput: there is no such mapping, or it does not fit the file.
        """
        from faithview.services import mappings

        if self.save_as is not None:
            mappings.clean_name(self.save_as)
        if not has_store(self.db):
            if self.name is not None:
                raise InvalidInput(
                    f"There is no saved mapping {self.name!r}; no mapping is saved yet. Save one with --save-mapping."
                )
            return dataset
        with open_store(self.db) as store:
            if self.name is not None:
                return mappings.use_mapping(dataset, mappings.get_mapping(store, self.name))
            for mapping in mappings.find_mappings(store, dataset):
                quoted = shlex.quote(mapping.name)
                output.say(f"note: a mapping was saved for files with these columns; --mapping {quoted} uses it.")
        return dataset

    def save(self, dataset: "Dataset") -> None:
        """Save the file's mapping if requested; raises InvalidInput."""
        from faithview.services import mappings

        if self.save_as is None:
            return
        with open_store(self.db) as store:
            is_replaced = mappings.save_mapping(store, self.save_as, dataset)
        again = ", which replaces the earlier one" if is_replaced else ""
        output.say(f"Saved the mapping {self.save_as!r}{again}.")


@app.command("list")
def list_mappings(db: DbOption = None, as_json: JsonOption = False) -> None:
    """List the saved mappings, newest first."""
    from faithview.services import mappings
    from faithview.store import mappings as stored_mappings

    with open_store(db) as store:
        listed = stored_mappings.list_all(store.db)
    if as_json:
        from faithview.documents.files import MappingsDocument

        output.print_json(MappingsDocument.of(mappings=listed))
        return
    rows = []
    for item in listed:
        columns = fmt.plural(len(item.columns), "column")
        rows.append(
            [item.name, fmt.day_and_time(item.saved_at), item.saved_by or "–", columns, mappings.describe(item)]
        )
    output.print_table("Saved mappings", ["name", "saved", "by", "of a file with", "fields"], rows)


@app.command("delete")
def delete(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The mapping's name.")],
    yes: YesOption = False,
    db: DbOption = None,
    as_json: JsonOption = False,
) -> None:
    """Delete a saved mapping; runs that used it do not change."""
    from faithview.services import mappings

    with open_store(db) as store:
        found = mappings.get_mapping(store, name)
        confirm(f"Delete the mapping {found.name!r}?", yes=yes, as_json=as_json)
        mappings.delete_mapping(store, name)
    if as_json:
        from faithview.documents.changes import DeletedDocument

        output.print_json(DeletedDocument(kind="mapping", id=found.name, name=found.name))
    else:
        output.say(f"Deleted the mapping {name!r}.")

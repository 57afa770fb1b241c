"""Saved mappings on Upload: one is offered for a file with the same columns, and what was chosen can be saved."""

from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from faithview.domain.errors import FaithViewError
from faithview.domain.saved_mapping import SavedMapping
from faithview.services.datasets import Dataset
from faithview.services.mappings.saved import delete_mapping, find_mappings, save_mapping, use_mapping
from faithview.ui.shell import app, identity, write
from faithview.wording import numbers as fmt

_DETECTED = ""
_PLACE = "upload.mapping"


@dataclass(frozen=True, slots=True, kw_only=True)
class MappedFile:
    """The file, and the name of the saved mapping that it is under; None for what was detected."""

    dataset: Dataset
    saved: str | None


def choose_mapping(dataset: Dataset) -> MappedFile:
    """Draw the mappings that were saved for files with these columns, the newest chosen; nothing if there is none."""
    found = {mapping.name: mapping for mapping in find_mappings(app.services(), dataset)}
    if not found:
        return MappedFile(dataset=dataset, saved=None)
    chosen = st.segmented_control(
        "Mappings saved for files with these columns",
        [*found, _DETECTED],
        default=next(iter(found)),
        format_func=lambda name: fmt.literal(name) if name else "As detected",
        required=True,
        key=f"upload.mapping.{dataset.content_key}",
        help="A mapping says which column is what. Change any role below; nothing is saved until you save it.",
    )
    mapping = found.get(chosen) if chosen else None
    if mapping is None:
        return MappedFile(dataset=dataset, saved=None)
    try:
        mapped = use_mapping(dataset, mapping)
    except FaithViewError as error:
        st.error(fmt.literal(str(error)), icon=":material/error:")
        return MappedFile(dataset=dataset, saved=None)
    st.caption(_saved_words(mapping))
    return MappedFile(dataset=mapped, saved=mapping.name)


def offer_saving(dataset: Dataset, *, saved: str | None, place: DeltaGenerator) -> None:
    """Draw, in its place, what saves the mapping in use, or deletes the saved one that it began with."""
    write.show_message(_PLACE)
    if identity.why_cannot_run() is not None:
        return
    with place, st.popover("Save this mapping", type="tertiary", icon=":material/bookmark:", key="upload.mapping.more"):
        with st.form("upload.mapping.form", border=False):
            name = st.text_input(
                "Name",
                value=saved or "",
                max_chars=100,
                key="upload.mapping.name",
                help="It is offered for every file with the same columns, in any order, here and as --mapping NAME.",
            )
            is_saved = st.form_submit_button("Save", icon=":material/save:")
        if is_saved and write.write(
            lambda: save_mapping(app.services(), name, dataset, author=identity.current_reviewer()),
            place=_PLACE,
            refusal=identity.why_cannot_run(),
        ):
            st.toast(f"Saved the mapping {fmt.literal(' '.join(name.split()))}.")
        if saved is not None:
            st.button(
                f"Delete {fmt.literal(saved)}",
                icon=":material/delete:",
                key="upload.mapping.delete",
                on_click=_delete,
                args=(saved,),
            )


def _delete(name: str) -> None:
    write.write(lambda: delete_mapping(app.services(), name), place=_PLACE, refusal=identity.why_cannot_run())


def _saved_words(mapping: SavedMapping) -> str:
    by = f" by {fmt.literal(mapping.saved_by)}" if mapping.saved_by else ""
    return f"Saved {fmt.day_and_time(mapping.saved_at)}{by}."

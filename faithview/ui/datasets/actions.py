"""What becomes of rows: tagged, held out, released; one question, all that match, or a drawn share."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from faithview.domain.dataset import DatasetRow, DatasetVersion, NamedDataset
from faithview.services.datasets import contents
from faithview.ui.datasets import address
from faithview.ui.shell import app, identity, session
from faithview.ui.shell.write import show_message, write
from faithview.wording import numbers as fmt

_PLACE = "datasets"
_TAG, _SHARE = "datasets.new_tag", "datasets.share"
_DEFAULT_SHARE = 20


def row_actions(dataset: NamedDataset, row: DatasetRow) -> None:
    """Draw what can be done with the open row's question; the name of who does it is asked for first."""
    show_message(_PLACE)
    reviewer = identity.ask_reviewer()
    if reviewer is None:
        return
    only = [row.subject]
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if row.is_held_out:
            _button(
                "Stop holding it out",
                "lock_open",
                "datasets.release",
                lambda: contents.release(app.services(), dataset, only),
            )
        else:
            _button(
                "Hold this question out",
                "lock",
                "datasets.hold_out",
                lambda: contents.hold_out(app.services(), dataset, only, by=reviewer),
            )
        for tag in row.tags:
            _button(
                f"Remove {fmt.literal(tag)}",
                "label_off",
                f"datasets.untag.{tag}",
                partial(contents.remove_tag, app.services(), dataset, only, tag),
            )
    _tag_form("row", "Tag this question", lambda tag: contents.add_tag(app.services(), dataset, only, tag, by=reviewer))


def matching_actions(dataset: NamedDataset, version: DatasetVersion, matching: int) -> None:
    """Draw what can be done with all rows that match the filter, and the draw of a share of the version."""
    reviewer = identity.current_reviewer()
    if reviewer is None or not identity.can_label(reviewer) or not matching:
        return
    filters = address.row_filter()

    def subjects() -> list[str]:
        return contents.find_subjects(app.services(), dataset, version, filters)

    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        rows = fmt.plural(matching, "row")
        with st.popover(f"With all {rows}" if matching > 1 else "With this row", icon=":material/checklist:"):
            _button(
                "Hold them out",
                "lock",
                "datasets.all.hold_out",
                lambda: contents.hold_out(app.services(), dataset, subjects(), by=reviewer),
            )
            _button(
                "Stop holding them out",
                "lock_open",
                "datasets.all.release",
                lambda: contents.release(app.services(), dataset, subjects()),
            )
            _tag_form(
                "all", "Tag them", lambda tag: contents.add_tag(app.services(), dataset, subjects(), tag, by=reviewer)
            )
        with st.popover("Hold out a share", icon=":material/casino:"):
            st.number_input("Per cent of the questions of this version", 1, 99, _DEFAULT_SHARE, 5, key=_SHARE)
            st.caption("Drawn the same way each time. What is held out already stays so.")
            _button(
                "Draw them",
                "casino",
                "datasets.draw",
                lambda: contents.hold_out_share(
                    app.services(),
                    dataset,
                    version,
                    session.widget_number(_SHARE, _DEFAULT_SHARE) / 100,
                    by=reviewer,
                ),
            )


def _button(label: str, icon: str, key: str, action: Callable[[], object]) -> None:
    st.button(label, icon=f":material/{icon}:", key=key, on_click=_write, args=(action,))


def _tag_form(name: str, label: str, add: Callable[[str], object]) -> None:
    key = f"{_TAG}.{name}"
    with st.form(f"{key}.form", border=False, clear_on_submit=True), st.container(horizontal=True, gap="small"):
        st.text_input("Tag", key=key, max_chars=100, placeholder="A tag", label_visibility="collapsed", width=180)
        st.form_submit_button(
            label, icon=":material/label:", on_click=lambda: _write(lambda: add(session.widget_text(key) or ""))
        )


def _write(action: Callable[[], object]) -> None:
    write(action, place=_PLACE, refusal=identity.why_cannot_label(identity.current_reviewer()))

"""Before an update: what a new version of the knowledge base would break."""

import streamlit as st

from faithview.domain.answer import View
from faithview.domain.preflight import PreflightResult
from faithview.ui import page_addresses, service_calls
from faithview.ui.address import AddressWidget
from faithview.ui.changes import preflight_progress, preflight_result, update_choice
from faithview.ui.widgets.first_line import FirstLine, view_switch
from faithview.wording import numbers as fmt

_CLAIMS, _QUESTIONS = "claims", "questions"
_PART = AddressWidget("before.part")


def draw(line: FirstLine) -> None:
    """Draw the preflight that the address names, else the choice of what to check."""
    preflight_id = page_addresses.selected_preflight()
    if preflight_id is None:
        update_choice.draw_choice()
        return
    with line.choices:
        update_choice.back_button()
    with line.view:
        view = view_switch()
    result = preflight_result.load_result(preflight_id, view)
    if result is not None:
        _preflight(line, result, view)


def _preflight(line: FirstLine, result: PreflightResult, view: View) -> None:
    service_calls.show_message(preflight_result.PLACE)
    preflight_result.draw_actions(line, result, view)
    preflight_result.draw_finding(result, view)
    preflight_progress.watch(result.record, pending=result.pending, failed=result.failed)
    # Until all answers are judged, nobody knows which questions have to be asked.
    if not result.pending and _choose_part(len(result.questions)) == _QUESTIONS:
        preflight_result.draw_questions(result)
        return
    if not result.pending:
        preflight_result.draw_places(result)
    preflight_result.draw_claims(result, view)


def _choose_part(questions: int) -> str:
    parts = {_CLAIMS: "Claims", _QUESTIONS: f"Questions to ask again {fmt.count(questions)}"}
    part = page_addresses.selected_update_part(parts)
    st.segmented_control(
        "Part of the preflight",
        list(parts),
        format_func=lambda name: parts.get(name, name),
        required=True,
        key=_PART.show(part),
        on_change=_PART.on_choice(lambda: page_addresses.select_update_part(str(_PART.value()), parts)),
        label_visibility="collapsed",
    )
    return part

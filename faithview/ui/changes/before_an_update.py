"""Before an update: one new version of the knowledge base, what it would break, and what contradicts itself in it."""

import streamlit as st

from faithview.domain.answer import View
from faithview.domain.preflight import PreflightResult
from faithview.services.knowledge.versions import find_knowledge_base
from faithview.ui import opened_store, page_addresses, service_calls
from faithview.ui.address import AddressWidget
from faithview.ui.changes import knowledge_check, preflight_progress, preflight_result, update_choice
from faithview.ui.changes.new_version import NewVersion, find_checked_version
from faithview.ui.widgets.first_line import FirstLine, view_switch
from faithview.wording import numbers as fmt

_CLAIMS, _QUESTIONS, _CONTRADICTIONS, _TERMS = "claims", "questions", "contradictions", "terms"
_PART = AddressWidget("before.part")


def draw(line: FirstLine) -> None:
    """Draw the preflight or the new version that the address names, else the choice of what to check."""
    preflight_id, name = page_addresses.selected_preflight(), page_addresses.selected_new_version()
    if preflight_id is not None:
        with line.choices:
            update_choice.back_button()
        with line.view:
            view = view_switch()
        result = preflight_result.load_result(preflight_id, view)
        if result is not None:
            _preflight(line, result, view)
    elif name is not None:
        with line.choices:
            update_choice.back_button()
        new = update_choice.checked_without_run(name)
        if new is not None:
            _new_version(new)
    else:
        update_choice.draw_choice()


def _preflight(line: FirstLine, result: PreflightResult, view: View) -> None:
    record = result.record
    service_calls.show_message(preflight_result.PLACE)
    preflight_result.draw_actions(line, result, view)
    preflight_result.draw_finding(result, view)
    preflight_progress.watch(record, pending=result.pending, failed=result.failed)
    # Until all answers are judged, nobody knows which questions have to be asked.
    asked = {} if result.pending else {_QUESTIONS: f"Questions to ask again {fmt.count(len(result.questions))}"}
    part = _choose_part({_CLAIMS: "Claims", **asked, _CONTRADICTIONS: "Contradictions", _TERMS: "New words"})
    if part == _CLAIMS:
        if not result.pending:
            preflight_result.draw_places(result)
        preflight_result.draw_claims(result, view)
    elif part == _QUESTIONS:
        preflight_result.draw_questions(result)
    else:
        new = find_checked_version(record)
        if new is None:
            st.markdown(
                "This server no longer has the texts of the version that was checked. Choose the same files again "
                "under *All preflights*; the claims are not judged twice."
            )
            return
        _findings(new, part, against=record.kb_version, run=record.run_id)


def _new_version(new: NewVersion) -> None:
    st.header(f"Inside {fmt.literal(new.name)}", anchor=False)
    part = _choose_part({_CONTRADICTIONS: "Contradictions", _TERMS: "New words"})
    _findings(new, part, against=None, run=None)


def _findings(new: NewVersion, part: str, *, against: str | None, run: str | None) -> None:
    is_older_there = against != new.stored and find_knowledge_base(opened_store.store(), against) is not None
    found = knowledge_check.load_findings(new, against=against if is_older_there else None, run=run)
    if found is None:
        return
    if part == _TERMS:
        knowledge_check.draw_terms(found)
    else:
        knowledge_check.draw_contradictions(found)


def _choose_part(parts: dict[str, str]) -> str:
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

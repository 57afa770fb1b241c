"""What a new version of the knowledge base would break in the answers of a run: how much, where, and which claims."""

from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st
from streamlit.elements.lib.column_types import ColumnConfig

from faithview.documents.preflight import PreflightDocument
from faithview.domain.answer import ClaimHit, View
from faithview.domain.certainty import UNSTATED
from faithview.domain.claim import Verdict
from faithview.domain.errors import NotFound
from faithview.domain.preflight import (
    ClaimForecast,
    DocumentForecast,
    Outcome,
    OutcomeCounts,
    PassagePair,
    PreflightRecord,
    PreflightResult,
    Projection,
    QuestionToAsk,
    Reason,
    SegmentForecast,
)
from faithview.services.knowledge.preflight.preflights import delete_preflight, get_preflight
from faithview.services.reports.preflight_report import report_preflight
from faithview.ui import address, identity, navigation, opened_store, page_addresses, service_calls, session
from faithview.ui.address import AddressWidget
from faithview.ui.changes.changed_answers import side_by_side
from faithview.ui.widgets.claim_list import ClaimDetail, ClaimState, claim_list
from faithview.ui.widgets.downloads import file_name, report_download
from faithview.ui.widgets.first_line import FirstLine, view_note
from faithview.ui.widgets.passages import PassagesPayload, build_passage, mark_changes
from faithview.ui.widgets.verdict_table import opened
from faithview.wording import numbers as fmt
from faithview.wording import preflight as words
from faithview.wording.knowledge import chunk_name

_ROWS = 4
_MOST_DOCUMENTS, _MOST_CLAIMS, _MOST_QUESTIONS = 300, 200, 300
_UNBOXED_CLAIMS = 2
_HEIGHT = 760
_OUTCOMES = (Outcome.BROKEN, Outcome.OVERTAKEN, Outcome.UNKNOWN, Outcome.FIXED)
_ALL = "all"
# Where the page says why a preflight was not deleted.
PLACE = "preflight"
_OUTCOME = AddressWidget("before.outcome")
_NO_SEGMENT = "(no segment)"


def load_result(preflight_id: str, view: View) -> PreflightResult | None:
    """Return what a preflight says so far; None, with a message, if it is gone."""
    try:
        return get_preflight(opened_store.store(), preflight_id, view=view)
    except NotFound as error:
        st.info(fmt.literal(str(error)), icon=":material/link_off:")
        return None


def draw_finding(result: PreflightResult, view: View) -> None:
    """Draw how many claims would break, the score as it would become with its assumption, and what was checked."""
    record = result.record
    with st.container(key="before-finding"):
        st.header(_headline(result), anchor=False)
    if not result.pending:
        further = words.further_words(result.counts)
        st.markdown(f"{further} {_score_words(result.projection)}".lstrip(), help=_bounds(result.projection))
    changes = words.changes_words(record)
    parts = (
        f"**{fmt.literal(words.versions_words(record, arrow='→'))}**: {changes}.",
        f"Checked on {fmt.literal(result.run_name)}; {fmt.literal(words.judge_words(result))}.",
        fmt.literal(words.unplaced_words(record)),
        "" if record.counts.is_complete else words.INCOMPLETE,
        view_note(view),
    )
    st.caption(" ".join(part for part in parts if part))


def _score_words(projection: Projection) -> str:
    shown = words.projection_words(projection, arrow="→")
    if projection.before is None:
        return f"Faithfulness {shown}."
    return f"Faithfulness **{shown}**, n {fmt.plural(projection.answers, 'answer')}. :small[:gray[{words.ASSUMPTION}]]"


def _bounds(projection: Projection) -> str | None:
    return None if projection.worst == projection.best else words.BOUNDS


def _headline(result: PreflightResult) -> str:
    """Return the finding with the segment that it concerns most; while answers are not judged, as far as it goes."""
    finding = words.finding_words(result.counts)
    if result.pending:
        judged = result.record.answers - result.pending
        after = f"After {fmt.plural(judged, 'answer')}: {finding[0].lower()}{finding[1:]}"
        return after if result.counts.breaking else "Judging the answers that it may affect"
    return f"{finding} {_worst_segment(result)}".rstrip()


def _worst_segment(result: PreflightResult) -> str:
    breaking = result.counts.breaking
    first = next(iter(result.segments), None)
    if first is None or first.segment is None or not first.counts.breaking or len(result.segments) < 2:
        return ""
    number = first.counts.breaking
    which = _ALL_OF[min(breaking, 3)] if number == breaking else f"{fmt.count(number)} of them"
    return f"{which} {fmt.verb(number, 'is', 'are')} in {fmt.literal(first.segment)}."


_ALL_OF = {1: "It", 2: "Both", 3: "All of them"}


def draw_actions(line: FirstLine, result: PreflightResult, view: View) -> None:
    """Draw the report, the download, and the deletion."""
    store, record = opened_store.store(), result.record
    names = (result.run_name, words.versions_words(record, arrow="to"), "before the update")
    with line.next_step:
        report_download(
            lambda with_texts: report_preflight(store, record.preflight_id, view=view, with_texts=with_texts),
            name=names,
            key="before.report",
        )
        st.download_button(
            "JSON",
            data=lambda: _json(get_preflight(store, record.preflight_id, view=view)),
            file_name=file_name(*names, ending="json"),
            mime="application/json",
            key="before.download.json",
            on_click="ignore",
            type="tertiary",
            icon=":material/download:",
            help="Everything, as `faithview kb preflight --json` prints it",
        )
        if identity.can_run():
            _delete_menu(record)


def _json(result: PreflightResult) -> bytes:
    return PreflightDocument.of(result).model_dump_json(indent=2).encode()


def _delete_menu(record: PreflightRecord) -> None:
    with st.popover("Delete", type="tertiary", icon=":material/delete:", key="before.delete"):
        st.markdown(
            f"The preflight of **{fmt.literal(words.versions_words(record, arrow='→'))}** is deleted with the texts "
            "that it keeps. The run and the stored versions stay. This cannot be undone."
        )
        st.button(
            "Delete the preflight",
            type="primary",
            icon=":material/delete:",
            key="before.delete.yes",
            on_click=_delete,
            args=(record,),
        )


def _delete(record: PreflightRecord) -> None:
    store = opened_store.store()

    def delete() -> None:
        opened_store.workers().stop(record.preflight_id, seconds=_END_S)
        delete_preflight(store, record.preflight_id)
        page_addresses.open_preflight(None)

    service_calls.write(delete, place=PLACE, refusal=identity.why_cannot_run())


# A process stores what it has judged and ends.
_END_S = 15.0


def draw_places(result: PreflightResult) -> None:
    """Draw by segment and by document where claims would break; a click lists only the claims there."""
    left, right = side_by_side("places", widths=(1, 1.25))
    chosen = page_addresses.selected_place()
    place = f"{result.record.preflight_id}.{chosen}.{session.PREFLIGHT_TURN.get()}"
    segments = [one for one in result.segments if _is_touched(one.counts, one.questions)]
    with left:
        _places_table(
            [_segment_row(one) for one in segments],
            [("segment", one.segment or "") for one in segments],
            heading="Segment",
            key=f"before.segments.{place}",
            alt="Segments, most breaking claims first.",
        )
    documents = result.documents[:_MOST_DOCUMENTS]
    with right:
        _places_table(
            [_document_row(one) for one in documents],
            [("document", one.document.name) for one in documents],
            heading="Document",
            key=f"before.documents.{place}",
            alt="Changed documents, most breaking claims first.",
        )


def _is_touched(counts: OutcomeCounts, questions: int) -> bool:
    return bool(counts.breaking or counts.unknown or counts.fixed or questions)


def _places_table(
    rows: Sequence[Mapping[str, object]], places: Sequence[tuple[str, str]], *, heading: str, key: str, alt: str
) -> None:
    if not rows:
        st.markdown(f":gray[No {heading.casefold()} is affected.]")
        return
    shown = [name for name in ("broken", "overtaken", "unknown", "fixed") if any(row[name] for row in rows)]
    event = st.dataframe(
        pd.DataFrame(rows),
        key=key,
        height=36 + 35 * min(len(rows), _ROWS),
        hide_index=True,
        placeholder="–",
        on_select="rerun",
        selection_mode="single-cell",
        column_config=_place_columns(heading),
        column_order=["name", *(shown or ["broken"]), "questions"],
        alt=alt,
    )
    number = opened(event, len(rows))
    if number is not None:
        session.PREFLIGHT_TURN.set(session.PREFLIGHT_TURN.get() + 1)
        page_addresses.select_place(places[number])
        st.rerun()


def _segment_row(one: SegmentForecast) -> dict[str, object]:
    return {"name": one.segment or _NO_SEGMENT, **_count_cells(one.counts), "questions": one.questions}


def _document_row(one: DocumentForecast) -> dict[str, object]:
    document = one.document
    title = f"   {document.title}" if document.title and document.title != document.name else ""
    name = f"{document.name}{title}" if document.is_named else "a chunk without an id"
    return {
        "name": f"{_SIGNS[document.kind.value]} {name}",
        **_count_cells(one.counts),
        "questions": one.questions,
    }


_SIGNS = {"added": "+", "edited": "±", "removed": "−"}


def _count_cells(counts: OutcomeCounts) -> dict[str, object]:
    return {
        "broken": counts.broken,
        "overtaken": counts.overtaken,
        "unknown": counts.unknown,
        "fixed": counts.fixed,
    }


def _place_columns(heading: str) -> Mapping[str, ColumnConfig]:
    number, rules = st.column_config.NumberColumn, words.OUTCOME_RULES
    marks = "+ added, ± edited, − removed. " if heading == "Document" else ""
    return {
        "name": st.column_config.TextColumn(
            heading, width=200, help=f"{marks}Click one to list only its claims. A claim may be due to several."
        ),
        "broken": number("Break", width=58, help=rules[Outcome.BROKEN]),
        "overtaken": number("Overtaken", width=82, help=rules[Outcome.OVERTAKEN]),
        "unknown": number("Uncertain", width=76, help=rules[Outcome.UNKNOWN]),
        "fixed": number("Fixed", width=58, help=rules[Outcome.FIXED]),
        "questions": number("To ask", width=64, help="Questions to ask again after the update."),
    }


def draw_claims(result: PreflightResult, view: View) -> None:
    """Draw the claims with the passages before and after the update; one that is clicked opens in its answer."""
    # What is not judged yet is counted above.
    known = [claim for claim in result.claims if claim.reason is not Reason.PENDING]
    if not known:
        st.markdown(":gray[No claim is judged again yet.]" if result.pending else ":gray[No claim would change.]")
        return
    place = page_addresses.selected_place()
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        outcome = _choose_outcome(known)
        if place is not None:
            _place_chip(place)
        note = st.container(width="content")
    listed = [
        claim
        for claim in known
        if (outcome is None or claim.outcome is outcome) and (place is None or _is_at(result, claim, place))
    ]
    if not listed:
        st.markdown(":gray[No claim matches both choices.]")
        return
    rule = words.OUTCOME_RULES[outcome] if outcome is not None else ""
    more = f" The first {_MOST_CLAIMS} of {fmt.count(len(listed))}." if len(listed) > _MOST_CLAIMS else ""
    note.caption(f"{rule} Click a claim to open it in its answer.{more}".strip())
    shown = listed[:_MOST_CLAIMS]
    hits = [_hit(result, claim) for claim in shown]
    details = {hit.claim_id: _detail(claim) for hit, claim in zip(hits, shown, strict=True)}
    number = claim_list(
        hits,
        key=f"before.claims.{result.record.preflight_id}.{view}.{outcome}.{place}",
        height=None if len(hits) <= _UNBOXED_CLAIMS else _HEIGHT,
        details=details,
    )
    if number is not None:
        _open(result, shown[number].key, shown[number].number)


def _choose_outcome(claims: Sequence[ClaimForecast]) -> Outcome | None:
    counts = {outcome: sum(claim.outcome is outcome for claim in claims) for outcome in _OUTCOMES}
    labels = {
        outcome.value: f"{words.OUTCOME_WORDS[outcome]} {fmt.count(number)}"
        for outcome, number in counts.items()
        if number
    }
    if len(labels) == 1:
        return Outcome(next(iter(labels)))
    labels = {_ALL: f"All {fmt.count(len(claims))}", **labels}
    selected = page_addresses.selected_outcome()
    outcome = selected if selected is not None and selected.value in labels else None
    st.segmented_control(
        "Outcome",
        list(labels),
        format_func=labels.__getitem__,
        required=True,
        key=_OUTCOME.show(_ALL if outcome is None else outcome.value),
        on_change=_OUTCOME.on_choice(_select_outcome),
        label_visibility="collapsed",
    )
    return outcome


def _select_outcome() -> None:
    chosen = str(_OUTCOME.value())
    page_addresses.select_outcome(None if chosen == _ALL else Outcome(chosen))


def _place_chip(place: tuple[str, str]) -> None:
    kind, name = place
    shown = name or _NO_SEGMENT
    st.button(
        f"{kind.capitalize()} {fmt.literal(shown)}",
        icon=":material/close:",
        key="before.place.clear",
        on_click=page_addresses.select_place,
        args=(None,),
        help="Lists the claims of all segments and documents again.",
    )


def _is_at(result: PreflightResult, claim: ClaimForecast, place: tuple[str, str]) -> bool:
    kind, name = place
    if kind == "segment":
        return (claim.segment or "") == name
    return any(result.record.documents[at].name == name for at in claim.documents)


def _hit(result: PreflightResult, claim: ClaimForecast) -> ClaimHit:
    return ClaimHit(
        run_id=result.record.run_id,
        run_name=" · ".join(part for part in (claim.segment, claim.key) if part),
        key=claim.key,
        claim_number=claim.number or 0,
        claim_id=f"{claim.row}-{claim.claim_id}",
        text=claim.text,
        verdict=claim.before,
        certainty=UNSTATED,
        explanation="",
        question=claim.question,
    )


def _detail(claim: ClaimForecast) -> ClaimDetail:
    return ClaimDetail(
        outcome=words.OUTCOME_WORDS[claim.outcome],
        before=_state(claim.before, text=claim.text),
        now=None if claim.after is None else _state(claim.after, explanation=claim.explanation),
        moments=("Now", "After"),
        absent=f"uncertain: {words.REASON_WORDS[claim.reason]}",
        passages=[_passages(pair) for pair in claim.passages],
    )


def _state(verdict: Verdict, *, text: str = "", explanation: str = "") -> ClaimState:
    return ClaimState(verdict=verdict, certainty=UNSTATED, text=text, explanation=explanation)


def _passages(pair: PassagePair) -> PassagesPayload:
    name = chunk_name(pair.chunk_id, pair.before)
    document = pair.title or (pair.document if pair.document != name else "")
    if pair.is_overtaking:
        return {
            "sides": [
                build_passage("Evidence, unchanged", text=pair.before),
                build_passage("New passage", name=name, note=document, text=pair.after or ""),
            ]
        }
    before = build_passage("Now", name=name, note=document, text=pair.before)
    if pair.after is None:
        return {"sides": [before, build_passage("Removed")]}
    return mark_changes(before, build_passage("New version", text=pair.after))


def _open(result: PreflightResult, key: str, number: int | None) -> None:
    link = {**page_addresses.update_address(), **address.link(result.record.run_id, key, number)}
    st.switch_page(navigation.ANSWERS, query_params=link)


def draw_questions(result: PreflightResult) -> None:
    """Draw the questions to ask again, the most urgent first; a click opens the answer that they have now."""
    listed = result.questions[:_MOST_QUESTIONS]
    if not listed:
        st.markdown(":gray[No question has to be asked again because of this update.]")
        return
    more = (
        f" The first {_MOST_QUESTIONS} of {fmt.count(len(result.questions))}."
        if len(listed) < len(result.questions)
        else ""
    )
    st.markdown(
        "**Ask your application these first after the update**: their claims would break, or new passages would "
        f"probably be retrieved for them.{more}"
    )
    is_unknown = any(question.counts.unknown for question in listed)
    event = st.dataframe(
        pd.DataFrame([_question_row(question) for question in listed]),
        key=f"before.questions.{result.record.preflight_id}.{session.PREFLIGHT_TURN.get()}",
        height=36 + 35 * min(len(listed), 14),
        hide_index=True,
        placeholder="–",
        on_select="rerun",
        selection_mode="single-cell",
        column_config=_question_columns(),
        column_order=[name for name in _question_columns() if name != "unknown" or is_unknown],
        alt="Questions to ask again, the most urgent first. Click one to open its answer.",
    )
    number = opened(event, len(listed))
    if number is not None:
        session.PREFLIGHT_TURN.set(session.PREFLIGHT_TURN.get() + 1)
        _open(result, listed[number].key, None)


def _question_row(question: QuestionToAsk) -> dict[str, object]:
    return {
        "question": question.question or question.key,
        "segment": question.segment,
        "breaking": question.counts.breaking,
        "unknown": question.counts.unknown,
        "entering": ", ".join(f"{one.chunk_id} (rank {one.rank})" for one in question.entering),
    }


def _question_columns() -> Mapping[str, ColumnConfig]:
    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    return {
        "question": text("Question", width=280),
        "segment": text("Segment", width=100),
        "breaking": number("At risk", width=64, help="Claims that would break or are overtaken."),
        "unknown": number("Uncertain", width=76, help=words.OUTCOME_RULES[Outcome.UNKNOWN]),
        "entering": text(
            "New passages", width=150, help="Passages that would probably be retrieved, with their rank by BM25."
        ),
    }

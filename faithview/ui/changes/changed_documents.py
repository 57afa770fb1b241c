"""The documents that changed in the knowledge base between two versions, and the claims that rest on them."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st
from streamlit.elements.lib.column_types import ColumnConfig

from faithview.domain.answer import ClaimHit
from faithview.domain.certainty import UNSTATED
from faithview.domain.claim import Verdict
from faithview.domain.errors import FaithViewError, NotFound
from faithview.domain.knowledge import DocumentChangeKind
from faithview.domain.run import Run
from faithview.services.comparison.baselines import find_pair
from faithview.services.comparison.compared_runs import Comparison
from faithview.services.knowledge.changes import (
    ChangedDocument,
    KnowledgeChanges,
    Outcome,
    PassageText,
    RestingClaim,
    ShownClaim,
    compare_knowledge,
    has_update,
    list_claims,
    load_passages,
)
from faithview.services.knowledge.versions import KnowledgeStep, list_steps
from faithview.services.results import get_run
from faithview.ui import address, navigation, opened_store, page_addresses, series
from faithview.ui.address import AddressWidget
from faithview.ui.changes.changed_answers import side_by_side
from faithview.ui.widgets.claim_list import ClaimDetail, claim_list, claim_state
from faithview.ui.widgets.verdict_table import opened
from faithview.ui.widgets.word_diff import count_words, show_word_diff
from faithview.wording import knowledge as words
from faithview.wording import numbers as fmt
from faithview.wording.knowledge import OUTCOME_WORDS, chunk_name
from faithview.wording.word_diff import diff_words, is_rewritten

_ROWS = 5
_MOST = 500
_CHANGE_WORDS = {
    DocumentChangeKind.ADDED: "+ added",
    DocumentChangeKind.EDITED: "± edited",
    DocumentChangeKind.REMOVED: "− removed",
}
_SEEN_WORDS = {
    DocumentChangeKind.ADDED: "+ retrieved now only",
    DocumentChangeKind.EDITED: "± edited",
    DocumentChangeKind.REMOVED: "− retrieved before only",
}


def choose_document(changes: KnowledgeChanges) -> None:
    """Draw the list; a click opens a document."""
    listed = changes.changed[:_MOST]
    place = f"{changes.baseline.run_id}.{changes.candidate.run_id}"
    event = st.dataframe(
        pd.DataFrame([_document_row(one, is_stored=changes.is_stored) for one in listed]),
        key=f"knowledge.documents.{place}",
        height=36 + 35 * min(len(listed), _ROWS),
        hide_index=True,
        placeholder="–",
        on_select="rerun",
        selection_mode="single-cell",  # selecting rows would add a column of check boxes
        column_config=_columns(),
        alt="Changed documents, those with the most broken claims first.",
    )
    more = len(changes.changed) - len(listed)
    if more:
        st.caption(f"{fmt.count(more)} more documents are not listed.")
    number = opened(event, len(listed))
    if number is not None:
        page_addresses.select_document(listed[number].document.key)


def change_word(one: ChangedDocument, *, is_stored: bool) -> str:
    """Write what became of a document."""
    return (_CHANGE_WORDS if is_stored else _SEEN_WORDS)[one.document.kind]


def _document_row(one: ChangedDocument, *, is_stored: bool) -> dict[str, object]:
    document = one.document
    title = document.title if document.title != document.name else None
    return {
        "document": f"{document.name}   {title}" if title else document.name,
        "change": change_word(one, is_stored=is_stored),
        "broke": one.broken,
        "fixed": one.fixed,
        "before": one.before,
        "now": one.after,
        "beside": len(one.beside),
    }


def _columns() -> dict[str, ColumnConfig]:
    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    return {
        "document": text("Document", width=270),
        "change": text("Change", width=85),
        "broke": number("Broke", width=64, help="Broken claims that are based on changed text of this document."),
        "fixed": number("Fixed", width=72, help="Fixed claims that are based on changed text of this document."),
        "before": number(
            "Claims before", width=104, help="Claims in the older answers that are based on changed text."
        ),
        "now": number("Claims now", width=88, help="Claims in the newer answers that are based on changed text."),
        "beside": number(
            "Also broke",
            width=84,
            help="Claims that broke in answers that retrieved this document, but are not based on changed text. "
            "An answer may retrieve several changed documents, so one claim can count in several rows.",
        ),
    }


Pair = tuple[Run, Run]

_STEP = AddressWidget("knowledge.step")


def choose_step() -> Pair | None:
    """Draw the choice of the update and return the runs before and after it; None if the series has no two runs."""
    steps = list_steps(opened_store.store(), series=series.in_view())
    pair = _named_pair() or _default_pair(steps)
    if pair is None:
        return None
    offered = {_key((step.baseline, step.candidate)): _step_words(step) for step in steps}
    offered.setdefault(_key(pair), f"{pair[0].name} → {pair[1].name}")
    st.selectbox(
        "Update",
        list(offered),
        format_func=offered.__getitem__,
        key=_STEP.show(_key(pair)),
        label_visibility="collapsed",
        on_change=_STEP.on_choice(_select),
        width=460,
    )
    return pair


def _select() -> None:
    baseline, _, candidate = str(_STEP.value()).partition(" ")
    page_addresses.select_step(baseline, candidate)


def _named_pair() -> Pair | None:
    before, after = (_find_run(reference) for reference in page_addresses.selected_step())
    return None if before is None or after is None else (before, after)


def _default_pair(steps: list[KnowledgeStep]) -> Pair | None:
    if steps:
        return steps[0].baseline, steps[0].candidate
    return find_pair(opened_store.store(), series.in_view())


def _find_run(reference: str | None) -> Run | None:
    if reference is None:
        return None
    try:
        return get_run(opened_store.store(), reference)
    except NotFound:
        st.info(
            f"There is no run {fmt.literal(reference)} in this store; the newest update is shown.",
            icon=":material/link_off:",
        )
        return None


def _key(pair: Pair) -> str:
    return f"{pair[0].run_id} {pair[1].run_id}"


def _step_words(step: KnowledgeStep) -> str:
    return f"{fmt.day(step.event.at)}   {step.event.label}"


def load_changes(pair: Pair) -> KnowledgeChanges | None:
    """Return what changed between the runs; where they cannot be compared, say why and return None."""
    with st.spinner("Comparing the two versions", show_time=False):
        try:
            return compare_knowledge(opened_store.store(), pair[0].run_id, pair[1].run_id)
        except FaithViewError as error:
            st.text(str(error))
            return None


def opened_document(changes: KnowledgeChanges) -> ChangedDocument | None:
    """Return the document that the address names, else the first one; None if none changed."""
    wanted = page_addresses.selected_document()
    named = (one for one in changes.changed if one.document.key == wanted)
    return next(named, next(iter(changes.changed), None))


def open_claim(changes: KnowledgeChanges, shown: ShownClaim) -> None:
    """Open both answers side by side; where nothing changed between them, the newer one."""
    claim = shown.claim
    rows = (claim.baseline_row, claim.candidate_row)
    if rows in changes.compared_rows:
        sides = {"baseline": changes.baseline.run_id, "candidate": changes.candidate.run_id}
        st.switch_page(
            navigation.CHANGES,
            query_params={**page_addresses.knowledge_address(), **sides, "pair": f"{rows[0]}-{rows[1]}"},
        )
    number = None if shown.after is None else shown.after.number
    link = address.link(changes.candidate.run_id, claim.key, number)
    st.switch_page(navigation.ANSWERS, query_params={**page_addresses.knowledge_address(), **link})


def compare_link(changes: KnowledgeChanges) -> dict[str, str]:
    """Return the address parameters of the comparison of the two runs."""
    return {"baseline": changes.baseline.run_id, "candidate": changes.candidate.run_id}


_MOST_PASSAGES = 20
_MOST_CLAIMS = 200
_UNBOXED_CLAIMS = 6
_HEIGHT = 720


def document_panel(changes: KnowledgeChanges, one: ChangedDocument) -> None:
    """Draw the document's words and its claims side by side."""
    document = one.document
    title = f" {fmt.literal(document.title)}" if document.title and document.title != document.name else ""
    change = change_word(one, is_stored=changes.is_stored)
    st.markdown(
        f"**{fmt.literal(document.name)}{title}** &nbsp; :small[{change}, {_passage_words(one)} · {claim_words(one)}]"
    )
    texts, claims = side_by_side("documents", widths=(1.2, 1))
    with texts:
        _passages(changes, one)
    with claims:
        _claims(changes, one)


def claim_words(one: ChangedDocument) -> str:
    """Write how many claims rest on what changed in a document, and what became of them."""
    if not one.claims:
        return "no claim is based on changed text"
    parts = []
    if one.broken:
        was = one.count(Outcome.BROKE)
        split = _split(was, "supported before", one.broken - was, "newly claimed")
        parts.append(f"{fmt.plural(one.broken, 'claim')} broke ({split})")
    if one.fixed:
        now = one.count(Outcome.FIXED)
        split = _split(now, "supported now", one.fixed - now, "no longer claimed")
        parts.append(f"{fmt.plural(one.fixed, 'claim')} fixed ({split})")
    others = len(one.claims) - one.broken - one.fixed
    if others:
        noun = "other" if parts else "claim"
        parts.append(f"{fmt.plural(others, noun)} {fmt.verb(others, 'is', 'are')} based on it")
    return "; ".join(parts)


def _split(first: int, first_words: str, second: int, second_words: str) -> str:
    """Write two parts of a count: "2 supported before, 1 newly claimed"; only the words where the other part is 0."""
    if not first or not second:
        return first_words if first else second_words
    return f"{fmt.count(first)} {first_words}, {fmt.count(second)} {second_words}"


def _passage_words(one: ChangedDocument) -> str:
    changed, same = len(one.document.passages), one.document.unchanged
    rest = f", {fmt.count(same)} unchanged" if same else ""
    return f"{fmt.plural(changed, 'changed chunk')}{rest}"


def _passages(changes: KnowledgeChanges, one: ChangedDocument) -> None:
    passages = load_passages(opened_store.store(), one.document, limit=_MOST_PASSAGES)
    for number, passage in enumerate(passages):
        with st.container(border=True):
            _passage(passage, f"knowledge.diff.{one.document.key}.{number}", is_stored=changes.is_stored)
    left_out = len(one.document.passages) - len(passages)
    if left_out:
        st.caption(f"{fmt.plural(left_out, 'more chunk')} changed and {fmt.verb(left_out, 'is', 'are')} not shown.")


def _passage(passage: PassageText, key: str, *, is_stored: bool) -> None:
    name = chunk_name(passage.chunk_id, passage.after or passage.before)
    if passage.before is not None and passage.after is not None and is_rewritten(passage.before, passage.after):
        st.markdown(f"{fmt.code(name)} :small[:gray[{count_words(diff_words(passage.before, passage.after))}]]")
        for column, title, text in zip(
            st.columns(2, gap="small"), ("Before", "Now"), (passage.before, passage.after), strict=True
        ):
            column.caption(title)
            column.text(text)
        return
    if passage.before is not None and passage.after is not None:
        show_word_diff(passage.before, passage.after, key=key, title=name)
        return
    is_added = passage.before is None
    words = ("added" if is_added else "removed") if is_stored else f"retrieved {'now' if is_added else 'before'} only"
    st.markdown(f"{fmt.code(name)} :small[:gray[{words}]]")
    st.text(passage.after or passage.before or "")


def _claims(changes: KnowledgeChanges, one: ChangedDocument) -> None:
    resting = one.claims[:_MOST_CLAIMS]
    place = f"{changes.baseline.run_id}.{changes.candidate.run_id}.{one.document.key}"
    if resting:
        more = len(one.claims) - len(resting)
        rest = f" The first {fmt.count(len(resting))} of {fmt.count(len(resting) + more)}." if more else ""
        st.markdown(
            f":small[:gray[Claims that are based on it, the worst first. Click one to see both answers.{rest}]]"
        )
        _list(changes, resting, f"knowledge.claims.{place}")
    beside = one.beside[:_MOST_CLAIMS]
    if beside:
        number = fmt.count(len(one.beside))
        label = f"Broke in answers that retrieved it, but are not based on changed text: {number}"
        with st.expander(label, expanded=not resting):
            _list(changes, beside, f"knowledge.beside.{place}")
    if not resting and not beside:
        st.markdown(":gray[No claim is based on changed text of this document, before or now.]")


def _list(changes: KnowledgeChanges, claims: Sequence[RestingClaim], key: str) -> None:
    shown = list_claims(opened_store.store(), claims)
    hits = [_hit(changes, one, at) for at, one in enumerate(shown)]
    details = {
        hit.claim_id: ClaimDetail(
            outcome=OUTCOME_WORDS[one.claim.outcome.value],
            before=claim_state(one.before) if one.before else None,
            now=claim_state(one.after) if one.after else None,
        )
        for hit, one in zip(hits, shown, strict=True)
    }
    height = None if len(hits) <= _UNBOXED_CLAIMS else _HEIGHT
    number = claim_list(hits, key=key, height=height, details=details)
    if number is not None:
        open_claim(changes, shown[number])


def _hit(changes: KnowledgeChanges, shown: ShownClaim, at: int) -> ClaimHit:
    side = shown.after or shown.before
    return ClaimHit(
        run_id=changes.candidate.run_id,
        run_name=shown.claim.key,
        key=shown.claim.key,
        claim_number=(side and side.number) or 0,
        claim_id=f"{shown.claim.candidate_row}-{at}",
        text=side.text if side else "",
        verdict=(side and side.verdict) or Verdict.NOT_MENTIONED,
        certainty=UNSTATED,
        explanation="",
        question=side.question if side else None,
    )


def finding(changes: KnowledgeChanges, *, is_brief: bool = False) -> str:
    """Write in Markdown which documents changed, and how many of the broken and fixed claims touch them.

    `is_brief` leaves out the versions and the claims based on a changed document: beside the chart of causes, which
    counts by another rule, they would be a second number for nearly the same thing.
    """
    documents = changes.documents
    counts = words.document_counts(
        **{kind.value: len(documents.of_kind(kind)) for kind in DocumentChangeKind}, unchanged=documents.unchanged
    )
    first, _, rest = counts.partition(";")
    sentences = (
        f"{'' if is_brief else _versions(changes)}**{first[0].upper()}{first[1:]}**{';' if rest else ''}{rest}.",
        words.broken_sentence(
            touching=changes.broken_touching,
            resting=None if is_brief else changes.broken,
            all_broken=changes.all_broken,
        ),
        "" if is_brief else words.fixed_sentence(fixed=changes.fixed, all_fixed=changes.all_fixed),
    )
    return " ".join(one for one in sentences if one)


def draw_finding(changes: KnowledgeChanges) -> None:
    """Draw the finding, what it is counted on, and what is missing from it."""
    st.markdown(finding(changes), help=_TOUCHES_HELP)
    st.caption(
        f"Answers of {fmt.literal(changes.baseline.name)} and {fmt.literal(changes.candidate.name)}. "
        f"{words.counted_on(changes.pairs)}{_foreign(changes)} Click a document to see its text and its claims.",
        help=_HELP,
    )
    if not changes.is_stored:
        st.info(words.SEEN_ONLY, icon=":material/visibility:")
    if not changes.documents.is_complete:
        st.info(words.INCOMPLETE, icon=":material/info:")


def draw_next_step(changes: KnowledgeChanges) -> None:
    """Draw the buttons that check the next update and that compare the answers of both runs."""
    check_next_button(key="knowledge.check_next")
    if st.button("Compare the answers", type="primary", icon=":material/compare_arrows:", key="knowledge.compare"):
        st.switch_page(navigation.CHANGES, query_params=compare_link(changes))


def check_next_button(*, key: str) -> None:
    """Draw the way to the check of a version that is not published yet."""
    if st.button("Check the next update", type="tertiary", icon=":material/fact_check:", key=key):
        st.switch_page(navigation.CHANGES, query_params=address.tab_link(navigation.BEFORE))


def _versions(changes: KnowledgeChanges) -> str:
    before, after = changes.baseline.kb_version, changes.candidate.kb_version
    if before is None and after is None:
        return ""
    return f"{fmt.literal(before or 'unnamed')} → {fmt.literal(after or 'unnamed')}: "


def _foreign(changes: KnowledgeChanges) -> str:
    if not changes.foreign:
        return ""
    verb = fmt.verb(changes.foreign, "is", "are")
    return (
        f" {fmt.plural(changes.foreign, 'retrieved chunk')} {verb} not in the stored version; claims based on "
        f"{fmt.verb(changes.foreign, 'it', 'them')} are not listed under any document."
    )


_HELP = (
    "A document is named by the chunk metadata document, source, file, url or title; a chunk without these counts as a "
    "separate document. A claim is based on the chunks that it cites, or, if it cites none, on the chunk that shares "
    "the most words with it. Broke: not supported now, and supported or not claimed before. Fixed: the reverse. The "
    "tab *Answers* counts the same claims."
)


def knowledge_card(comparison: Comparison) -> None:
    """Draw the finding on the knowledge base and the way to its documents; nothing if both runs used one version."""
    if not has_update(comparison):
        return
    before, after = comparison.baseline, comparison.candidate
    with st.spinner("Comparing the two knowledge bases", show_time=False):
        changes = compare_knowledge(opened_store.store(), before.run_id, after.run_id)
    with st.container(key="knowledge-figures", horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f":small[{finding(changes, is_brief=True)}]", help=_TOUCHES_HELP, width="content")
        if st.button("Changed documents", type="tertiary", icon=":material/library_books:", key="compare.documents"):
            link = {**address.tab_link(navigation.DOCUMENTS), **compare_link(changes)}
            st.switch_page(navigation.CHANGES, query_params=link)


_TOUCHES_HELP = (
    "A broken claim touches a changed document if it is based on its changed text, or is in an answer that retrieved "
    "it. A claim is based on the chunks that it cites, or, if it cites none, on the chunk that shares the most words "
    "with it. The chart *Why* counts each claim under the cause of its change instead, so its numbers can differ."
)

"""The documents that changed between two versions of the knowledge base, and the claims that are based on them."""

from collections.abc import Sequence

import streamlit as st

from faithview.domain.errors import FaithViewError, NotFound
from faithview.domain.knowledge import DocumentChangeKind
from faithview.domain.run import Run
from faithview.services.comparison.baselines import find_pair
from faithview.services.comparison.compared_runs import Comparison
from faithview.services.knowledge.changes import (
    ChangedDocument,
    KnowledgeChanges,
    PassageText,
    RestingClaim,
    ShownClaim,
    compare_knowledge,
    has_update,
    list_claims,
    load_passages,
)
from faithview.services.knowledge.versions import list_steps
from faithview.services.results import get_run
from faithview.store.sources import ListedClaim
from faithview.ui import address, navigation, opened_store, series
from faithview.ui.address import BASELINE, CANDIDATE, TAB, AddressWidget, Param, go
from faithview.ui.differences import diff_html, draw_text
from faithview.ui.tables import click_table
from faithview.ui.widgets import empty_state
from faithview.ui.widgets.first_line import FirstLine
from faithview.wording import knowledge as words
from faithview.wording import numbers as fmt
from faithview.wording.knowledge import OUTCOME_WORDS, chunk_name
from faithview.wording.verdict_styles import STYLES, claim_verdict_words, style_name
from faithview.wording.word_diff import is_rewritten

_ROWS, _CLAIM_ROWS = 5, 14
_MOST_DOCUMENTS, _MOST_PASSAGES, _MOST_CLAIMS = 500, 20, 200
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
_HELP = (
    "A claim is based on the chunks that it cites or, if it cites none, on the chunk that shares the most words with "
    "it. It touches a changed document if it is based on its changed text or its answer retrieved the document. Broke: "
    "not supported now, and supported or not claimed before. Fixed: the reverse."
)
_DOCUMENT = Param("document", str)
_STEP = AddressWidget("knowledge.step")


def draw(line: FirstLine) -> None:
    """Draw the tab: the update, what it changed, and one document with its words and its claims."""
    with line.what:
        pair = _choose_step()
    if pair is None:
        empty_state.no_pair(
            "this page will say which documents changed between them, and which claims are based on them."
        )
        _check_next(key="empty.check_next")
        return
    try:
        with st.spinner("Comparing the two versions", show_time=False):
            changes = compare_knowledge(opened_store.store(), pair[0].run_id, pair[1].run_id)
    except FaithViewError as error:
        st.text(str(error))
        return
    with line.next_step:
        _check_next(key="knowledge.check_next")
        if st.button("Compare the answers", type="primary", icon=":material/compare_arrows:", key="knowledge.compare"):
            st.switch_page(navigation.CHANGES, query_params=address.pair_link(pair[0].run_id, pair[1].run_id))
    _draw_finding(changes)
    if changes.changed:
        _choose_document(changes)
        named = (one for one in changes.changed if one.document.key == _DOCUMENT.get())
        _draw_document(changes, next(named, changes.changed[0]))


def knowledge_card(comparison: Comparison) -> None:
    """Draw the finding on the knowledge base and the way to its documents; nothing if both runs used one version."""
    if not has_update(comparison):
        return
    before, after = comparison.baseline.run_id, comparison.candidate.run_id
    with st.spinner("Comparing the two knowledge bases", show_time=False):
        changes = compare_knowledge(opened_store.store(), before, after)
    # Beside the chart of causes, which counts by another rule, the claims based on a document would be a second number
    # for nearly the same thing.
    broken = words.broken_sentence(touching=changes.broken_touching, resting=None, all_broken=changes.all_broken)
    with st.container(key="knowledge-figures", horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f":small[{_counts(changes)} {broken}]", width="content")
        if st.button("Changed documents", type="tertiary", icon=":material/library_books:", key="compare.documents"):
            link = {**address.tab_link(navigation.DOCUMENTS), **address.pair_link(before, after)}
            st.switch_page(navigation.CHANGES, query_params=link)


def _check_next(*, key: str) -> None:
    if st.button("Check the next update", type="tertiary", icon=":material/fact_check:", key=key):
        st.switch_page(navigation.CHANGES, query_params=address.tab_link(navigation.BEFORE))


def _choose_step() -> tuple[Run, Run] | None:
    """Draw the choice of the update and return the runs before and after it; None if the series has no two runs."""
    store, shown = opened_store.store(), series.in_view()
    steps = {(step.baseline.run_id, step.candidate.run_id): step for step in list_steps(store, series=shown)}
    pair = _named_pair()
    if pair is None:
        newest = next(iter(steps.values()), None)
        pair = find_pair(store, shown) if newest is None else (newest.baseline, newest.candidate)
    if pair is None:
        return None
    offered = {ids: f"{fmt.day(step.event.at)}   {step.event.label}" for ids, step in steps.items()}
    ids = (pair[0].run_id, pair[1].run_id)
    offered.setdefault(ids, f"{pair[0].name} → {pair[1].name}")

    def choose() -> None:
        chosen = next((one for one in offered if one == _STEP.value()), ids)
        go(baseline=chosen[0], candidate=chosen[1], document=None)

    st.selectbox(
        "Update",
        list(offered),
        format_func=offered.__getitem__,
        key=_STEP.show(ids),
        label_visibility="collapsed",
        on_change=_STEP.on_choice(choose),
        width=460,
    )
    return pair


def _named_pair() -> tuple[Run, Run] | None:
    before, after = BASELINE.get(), CANDIDATE.get()
    if not before or not after:
        return None
    try:
        return get_run(opened_store.store(), before), get_run(opened_store.store(), after)
    except NotFound as error:
        st.info(f"{fmt.literal(str(error))} The newest update is shown.", icon=":material/link_off:")
        return None


def _counts(changes: KnowledgeChanges) -> str:
    documents = changes.documents
    counts = {kind.value: len(documents.of_kind(kind)) for kind in DocumentChangeKind}
    first, _, rest = words.document_counts(**counts, unchanged=documents.unchanged).partition(";")
    return f"**{first[0].upper()}{first[1:]}**{';' if rest else ''}{rest}."


def _draw_finding(changes: KnowledgeChanges) -> None:
    """Draw which documents changed, how many broken and fixed claims touch them, and what the counts leave out."""
    versions = (changes.baseline.kb_version, changes.candidate.kb_version)
    named = " → ".join(fmt.literal(version or "unnamed") for version in versions) + ": " if any(versions) else ""
    broken = words.broken_sentence(
        touching=changes.broken_touching, resting=changes.broken, all_broken=changes.all_broken
    )
    fixed = words.fixed_sentence(fixed=changes.fixed, all_fixed=changes.all_fixed)
    st.markdown(f"{named}{_counts(changes)} {broken} {fixed}", help=_HELP)
    foreign = ""
    if changes.foreign:
        is_are, them = (fmt.verb(changes.foreign, *pair) for pair in (("is", "are"), ("it", "them")))
        foreign = (
            f" {fmt.plural(changes.foreign, 'retrieved chunk')} {is_are} not in the stored version; claims based on "
            f"{them} are not listed under any document."
        )
    st.caption(f"{words.counted_on(changes.pairs)}{foreign}")
    if not changes.is_stored:
        st.info(words.SEEN_ONLY, icon=":material/visibility:")
    if not changes.documents.is_complete:
        st.info(words.INCOMPLETE, icon=":material/info:")


def _choose_document(changes: KnowledgeChanges) -> None:
    """Draw the changed documents, those on which most claims broke first; a click opens one."""
    listed = changes.changed[:_MOST_DOCUMENTS]
    kinds = _CHANGE_WORDS if changes.is_stored else _SEEN_WORDS
    rows = [
        {
            "document": " · ".join(dict.fromkeys(filter(None, (one.document.name, one.document.title)))),
            "change": kinds[one.document.kind],
            "broke": one.broken,
            "fixed": one.fixed,
            "before": one.before,
            "now": one.after,
            "beside": len(one.beside),
        }
        for one in listed
    ]
    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    click_table(
        rows,
        {
            "document": text("Document", width=270),
            "change": text("Change", width=85),
            "broke": number("Broke", width=64, help="Broken claims that are based on the document's changed text."),
            "fixed": number("Fixed", width=72),
            "before": number("Claims before", width=104),
            "now": number("Claims now", width=88),
            "beside": number(
                "Also broke",
                width=84,
                help="Other broken claims in answers that retrieved it. An answer counts for each document.",
            ),
        },
        key=f"knowledge.documents.{changes.baseline.run_id}.{changes.candidate.run_id}",
        alt="Changed documents, most broken claims first. Click one to see its text and its claims.",
        most_rows=_ROWS,
        on_click=lambda number: go(document=listed[number].document.key),
    )
    if len(changes.changed) > len(listed):
        st.caption(f"{fmt.plural(len(changes.changed) - len(listed), 'more document')} not listed.")


def _draw_document(changes: KnowledgeChanges, one: ChangedDocument) -> None:
    """Draw a document's changed texts and its claims side by side."""
    document = one.document
    kind = (_CHANGE_WORDS if changes.is_stored else _SEEN_WORDS)[document.kind]
    parts = [kind, fmt.plural(len(document.passages), "changed chunk"), f"{fmt.count(document.unchanged)} unchanged"]
    st.markdown(f"**{fmt.literal(document.name)}** &nbsp; :small[{', '.join(parts)}]")
    with st.container(key="compare_pair_documents"):
        texts, claims = st.columns((1, 1.2), gap="medium")
    with texts:
        passages = load_passages(opened_store.store(), document, limit=_MOST_PASSAGES)
        for passage in passages:
            with st.container(border=True):
                _draw_passage(passage, is_stored=changes.is_stored)
        if left_out := len(document.passages) - len(passages):
            st.caption(f"{fmt.plural(left_out, 'more changed chunk')} not shown.")
    with claims:
        if one.claims:
            _draw_claims(changes, one.claims, f"{document.key}.claims")
        if one.beside:
            label = f"Broke in answers that retrieved it, not based on changed text: {fmt.count(len(one.beside))}"
            with st.expander(label, expanded=not one.claims):
                _draw_claims(changes, one.beside, f"{document.key}.beside")
        if not one.claims and not one.beside:
            st.markdown(":gray[No claim is based on changed text of this document, before or now.]")


def _draw_passage(passage: PassageText, *, is_stored: bool) -> None:
    """Draw a changed text: both versions in one, or side by side where most of the words differ."""
    before, after = passage.before, passage.after
    name = fmt.code(chunk_name(passage.chunk_id, after or before))
    if before is None or after is None:
        is_added = before is None
        gone = (
            ("added" if is_added else "removed") if is_stored else f"retrieved {'now' if is_added else 'before'} only"
        )
        st.markdown(f"{name} :small[:gray[{gone}]]")
        st.text(after or before or "")
        return
    st.markdown(name)
    if is_rewritten(before, after):
        for column, title, text in zip(st.columns(2), ("Before", "Now"), (before, after), strict=True):
            column.caption(title)
            column.text(text)
    else:
        draw_text(diff_html(before, after))


def _draw_claims(changes: KnowledgeChanges, claims: Sequence[RestingClaim], place: str) -> None:
    """Draw claims before and now, the worst first; a click opens both answers."""
    shown = list_claims(opened_store.store(), claims[:_MOST_CLAIMS])
    rows = [
        {
            "outcome": OUTCOME_WORDS[one.claim.outcome.value].partition(":")[0],
            "claim": next(side.text for side in (one.after, one.before) if side is not None),
            "before": _verdict(one.before),
            "now": _verdict(one.after),
        }
        for one in shown
    ]
    text = st.column_config.TextColumn
    number = click_table(
        rows,
        {
            "outcome": text("Outcome", width=60),
            "claim": text("Claim", width=190),
            "before": text("Before", width=120),
            "now": text("Now", width=120),
        },
        key=f"knowledge.{changes.baseline.run_id}.{changes.candidate.run_id}.{place}",
        alt="Claims with their verdicts before and now, the worst first. Click one to see both answers.",
        most_rows=_CLAIM_ROWS,
    )
    if len(claims) > len(shown):
        st.caption(f"The first {fmt.count(len(shown))} of {fmt.count(len(claims))}.")
    if number is not None:
        _open_claim(changes, shown[number])


def _verdict(claim: ListedClaim | None) -> str:
    if claim is None or claim.verdict is None:
        return "not claimed"
    glyph = STYLES[style_name(claim.verdict, claim.certainty)].glyph
    return f"{glyph} {claim_verdict_words(claim.verdict, claim.certainty)}"


def _open_claim(changes: KnowledgeChanges, shown: ShownClaim) -> None:
    """Open both answers side by side; where nothing changed between them, the newer one."""
    claim, side = shown.claim, shown.after or shown.before
    number = None if side is None else side.number
    rows = (claim.baseline_row, claim.candidate_row)
    # `st.switch_page` puts its parameters first on the page that is left (seen with 1.67.0); without these the way back
    # would lead to another document.
    here = {field.name: value for field in (TAB, BASELINE, CANDIDATE, _DOCUMENT) if (value := field.get()) is not None}
    if rows in changes.compared_rows:
        sides = address.pair_link(changes.baseline.run_id, changes.candidate.run_id)
        chosen = {"claim": f"{'before' if shown.after is None else 'now'}-{number}"} if number else {}
        link = {**here, **sides, "pair": f"{rows[0]}-{rows[1]}", **chosen}
        link.pop(TAB.name, None)
        st.switch_page(navigation.CHANGES, query_params=link)
    link = address.link(changes.candidate.run_id, claim.key, number if shown.after else None)
    st.switch_page(navigation.ANSWERS, query_params={**here, **link})

"""One document that changed: its words before and now, and the claims that rest on them."""

from collections.abc import Sequence

import streamlit as st

from faithview.domain.claim import Verdict
from faithview.domain.views import ClaimHit
from faithview.services.knowledge.changes import (
    ChangedDocument,
    KnowledgeChanges,
    PassageText,
    ShownClaim,
    list_claims,
    load_passages,
)
from faithview.services.knowledge.resting_claims import Outcome, RestingClaim
from faithview.ui.components.claim_list import claim_list
from faithview.ui.components.word_diff import show_word_diff
from faithview.ui.knowledge.document_list import change_word
from faithview.ui.knowledge.page_data import claim_states, open_claim
from faithview.ui.shell import app
from faithview.wording import numbers as fmt
from faithview.wording.knowledge import chunk_name

_MOST_PASSAGES = 20
_MOST_CLAIMS = 200
_UNBOXED_CLAIMS = 3
_HEIGHT = 520


def document_panel(changes: KnowledgeChanges, one: ChangedDocument) -> None:
    """Draw the document's words and its claims side by side."""
    document = one.document
    title = f" {fmt.literal(document.title)}" if document.title and document.title != document.name else ""
    change = change_word(one, is_stored=changes.is_stored)
    st.markdown(
        f"**{fmt.literal(document.name)}{title}** &nbsp; :small[{change}, {_passage_words(one)} · {claim_words(one)}]"
    )
    texts, claims = st.columns([1, 1], gap="medium")
    with texts:
        _passages(changes, one)
    with claims:
        _claims(changes, one)


def claim_words(one: ChangedDocument) -> str:
    """Write how many claims rest on what changed in a document, and what became of them."""
    claims = one.claims
    if not claims.claims:
        return "no claim rests on what changed"
    parts = []
    if claims.broken:
        was = claims.count(Outcome.BROKE)
        split = _split(was, "supported before", claims.broken - was, "newly claimed")
        parts.append(f"{fmt.plural(claims.broken, 'claim')} broke ({split})")
    if claims.fixed:
        now = claims.count(Outcome.FIXED)
        split = _split(now, "supported now", claims.fixed - now, "no longer claimed")
        parts.append(f"{fmt.plural(claims.fixed, 'claim')} fixed ({split})")
    others = len(claims.claims) - claims.broken - claims.fixed
    if others:
        noun = "other" if parts else "claim"
        parts.append(f"{fmt.plural(others, noun)} {fmt.verb(others, 'rests', 'rest')} on it")
    return "; ".join(parts)


def _split(first: int, first_words: str, second: int, second_words: str) -> str:
    """Write two parts of a count: "2 supported before, 1 newly claimed"; only the words where the other part is 0."""
    if not first or not second:
        return first_words if first else second_words
    return f"{fmt.count(first)} {first_words}, {fmt.count(second)} {second_words}"


def _passage_words(one: ChangedDocument) -> str:
    changed, same = len(one.document.passages), one.document.unchanged
    rest = f", {fmt.count(same)} unchanged" if same else ""
    return f"{fmt.plural(changed, 'passage')}{rest}"


def _passages(changes: KnowledgeChanges, one: ChangedDocument) -> None:
    passages = load_passages(app.services(), one.document, limit=_MOST_PASSAGES)
    for number, passage in enumerate(passages):
        with st.container(border=True):
            _passage(passage, f"knowledge.diff.{one.document.key}.{number}", is_stored=changes.is_stored)
    left_out = len(one.document.passages) - len(passages)
    if left_out:
        st.caption(f"{fmt.plural(left_out, 'more passage')} changed and {fmt.verb(left_out, 'is', 'are')} not shown.")


def _passage(passage: PassageText, key: str, *, is_stored: bool) -> None:
    name = chunk_name(passage.chunk_id, passage.after or passage.before)
    if passage.before is not None and passage.after is not None:
        show_word_diff(passage.before, passage.after, key=key, title=name)
        return
    is_added = passage.before is None
    words = ("added" if is_added else "removed") if is_stored else f"retrieved {'now' if is_added else 'before'} only"
    st.markdown(f"{fmt.code(name)} :small[:gray[{words}]]")
    st.text(passage.after or passage.before or "")


def _claims(changes: KnowledgeChanges, one: ChangedDocument) -> None:
    resting = one.claims.claims[:_MOST_CLAIMS]
    place = f"{changes.baseline.run_id}.{changes.candidate.run_id}.{changes.view}.{one.document.key}"
    if resting:
        more = len(one.claims.claims) - len(resting)
        rest = f" The first {fmt.count(len(resting))} of {fmt.count(len(resting) + more)}." if more else ""
        st.markdown(f":small[:gray[Claims that rest on it, the worst first. Click one to see both answers.{rest}]]")
        _list(changes, resting, f"knowledge.claims.{place}")
    beside = one.claims.beside[:_MOST_CLAIMS]
    if beside:
        st.markdown(
            ":small[:gray[Broke in answers that retrieved it, and rest on no passage that changed: "
            f"{fmt.count(len(one.claims.beside))}.]]"
        )
        _list(changes, beside, f"knowledge.beside.{place}")
    if not resting and not beside:
        st.markdown(":gray[No claim rests on what changed in this document, before or now.]")


def _list(changes: KnowledgeChanges, claims: Sequence[RestingClaim], key: str) -> None:
    shown = list_claims(app.services(), claims)
    hits = [_hit(changes, one, at) for at, one in enumerate(shown)]
    details = {hit.claim_id: claim_states(one, changes.view) for hit, one in zip(hits, shown, strict=True)}
    height = None if len(hits) <= _UNBOXED_CLAIMS else _HEIGHT
    number = claim_list(hits, key=key, height=height, details=details)
    if number is not None:
        open_claim(changes, claims[number])


def _hit(changes: KnowledgeChanges, shown: ShownClaim, at: int) -> ClaimHit:
    side, detail = (shown.claim.before, shown.before) if shown.claim.after is None else (shown.claim.after, shown.after)
    return ClaimHit(
        run_id=changes.candidate.run_id,
        run_name=shown.claim.key,
        key=shown.claim.key,
        claim_number=(side.number or 0) if side else 0,
        claim_id=f"{shown.claim.candidate_row}-{at}",
        text=detail.text if detail else "",
        verdict=side.verdict if side else Verdict.NOT_MENTIONED,
        confidence=None,
        explanation="",
        question=shown.question,
    )

"""Two answers to one question: before and now in a reader each, their claims in pairs, and the words that changed."""

from collections.abc import Callable, Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from faithview.domain.answer import AnswerDetail
from faithview.domain.certainty import Certainty
from faithview.domain.comparison import ChunkChange, ClaimPair, Term
from faithview.services.comparison.compare import PairDetail
from faithview.services.comparison.compared_runs import Comparison
from faithview.services.review.labels import UNDO, LabelProvenance, choose_label, claim_history
from faithview.ui import address, identity, navigation, opened_store, service_calls
from faithview.ui.address import Param, go
from faithview.ui.differences import diff_html, draw_text
from faithview.ui.reader import payload
from faithview.ui.reader.reader import Choice, reader
from faithview.ui.tables import click_table
from faithview.wording import numbers as fmt
from faithview.wording.causes import CAUSE_WORDS
from faithview.wording.verdict_styles import STATE_WORDS, STYLES, claim_verdict_words, style_name

_CLAIM = Param("claim", str)  # "now-2": of one of the two answers
_BEFORE, _NOW = "before", "now"
_LABELS = "compare.labels"
_ROWS = 6
_CLAIM_DIGITS = 6


def show_pair(comparison: Comparison, detail: PairDetail, columns: Sequence[DeltaGenerator], *, height: str) -> None:
    """Draw the two answers in the two columns, and below them what changed between them, claim by claim.

    A claim that is chosen on one side is chosen with its partner on the other. The address holds it as "now-2".
    """
    pairs = order_claims(detail)
    chosen = chosen_claims(pairs, _CLAIM.get())
    change = detail.change
    scores = ((change.baseline, change.baseline_state), (change.candidate, change.candidate_state))
    runs = (comparison.baseline, comparison.candidate)
    for column, side, answer, claim, (score, state), run in zip(
        columns, (_BEFORE, _NOW), (detail.before, detail.after), chosen, scores, runs, strict=True
    ):
        words = fmt.share(score) if score is not None else STATE_WORDS[state]
        with column:
            _draw_side(side, answer, claim, about=f"{side.capitalize()} · {words} · {run.name}", height=height)
    service_calls.show_message(_LABELS)
    identity.ask_reviewer()
    _claims(detail, pairs)
    _words(detail)
    with st.container(horizontal=True, gap="small"):
        for word, answer in ((_BEFORE, detail.before), (_NOW, detail.after)):
            st.page_link(
                navigation.ANSWERS,
                label=f"Open the answer {word}",
                icon=":material/find_in_page:",
                query_params=address.link(answer.run_id, answer.sample.key),
            )


def _draw_side(side: str, answer: AnswerDetail, claim: int | None, *, about: str, height: str) -> None:
    name = identity.current_reviewer()
    drawn = payload.answer(
        answer.sample,
        answer.result,
        labels=claim_history(opened_store.store(), answer.run_id, answer.position),
        reviewer=name if identity.can_label(name) else None,
        about=about,
    )
    reader(
        {**drawn, "question": None},  # it is above both
        key=f"compare.answer.{side}",
        on_choice=_choosing(side, answer),
        claim=claim,
        row=f"{answer.run_id} {answer.position}",
        height=height,
    )


def _choosing(side: str, answer: AnswerDetail) -> Callable[[Choice], None]:
    def choose(choice: Choice) -> None:
        go(claim=f"{side}-{choice.claim}" if choice.claim else "0")
        if choice.verdict is None or choice.claim is None:
            return
        reviewer = identity.current_reviewer()
        number, verdict, provenance = choice.claim, choice.verdict, LabelProvenance(reviewer=reviewer or "")
        store = opened_store.store()
        service_calls.write(
            lambda: choose_label(store, answer.run_id, answer.position, number, verdict or UNDO, provenance),
            place=_LABELS,
            refusal=identity.why_cannot_label(reviewer),
        )

    return choose


def order_claims(detail: PairDetail) -> list[ClaimPair]:
    """Return the pairs of claims: those that lost score, those that gained (each largest first), then the others."""
    terms = _terms(detail)

    def place(pair: ClaimPair) -> tuple[bool, bool, float, int]:
        term = terms.get((pair.baseline, pair.candidate))
        value = 0.0 if term is None else term.value
        at = pair.candidate if pair.candidate is not None else pair.baseline or 0
        return (value == 0, value > 0, -abs(value), at)

    return sorted(detail.claims, key=place)


def chosen_claims(pairs: Sequence[ClaimPair], text: str | None) -> tuple[int | None, int | None]:
    """Return the numbers, from 1, of the claims before and now that the address names as "before-3" or "now-2".

    Where it names none, the first pair is chosen; where it names something else, which comes from outside, none.
    """
    if text is None:
        return _numbers(pairs[0]) if pairs else (None, None)
    side, _, digits = text.partition("-")
    if side not in (_BEFORE, _NOW) or not (digits.isascii() and digits.isdecimal() and len(digits) <= _CLAIM_DIGITS):
        return None, None
    number = int(digits)
    both = (_numbers(pair) for pair in pairs)
    alone = (number, None) if side == _BEFORE else (None, number)  # one that a reviewer added has no partner
    return next((numbers for numbers in both if numbers[side == _NOW] == number), alone)


def _numbers(pair: ClaimPair) -> tuple[int | None, int | None]:
    before, now = (None if at is None else at + 1 for at in (pair.baseline, pair.candidate))
    return before, now


def _terms(detail: PairDetail) -> dict[tuple[int | None, int | None], Term]:
    """Return what moved the score, by the indexes of its claims from 0."""
    return {
        (term.baseline and term.baseline - 1, term.candidate and term.candidate - 1): term
        for term in detail.change.terms
    }


def _claims(detail: PairDetail, pairs: Sequence[ClaimPair]) -> None:
    """Draw the pairs of claims with what each did to the score; a click chooses one."""
    if not pairs:
        return
    terms = _terms(detail)
    rows = []
    for pair in pairs:
        term = terms.get((pair.baseline, pair.candidate))
        before = _claim(detail.before, detail.certainties_before, pair.baseline)
        now = _claim(detail.after, detail.certainties_after, pair.candidate)
        rows.append(
            {
                "effect": None if term is None else fmt.signed(term.value),
                "cause": None if term is None else CAUSE_WORDS[term.cause].name(is_won=term.value > 0),
                "verdict_before": before[0],
                "before": before[1],
                "verdict_now": now[0],
                "now": now[1],
            }
        )

    def choose(number: int) -> None:
        before, now = _numbers(pairs[number])
        go(claim=f"{_BEFORE}-{before}" if now is None else f"{_NOW}-{now}")

    text = st.column_config.TextColumn
    click_table(
        rows,
        {
            "effect": text("Effect", width=55, help="What the claim did to the answer's score, by the judge."),
            "cause": text("Cause", width=150),
            "verdict_before": text("Before", width=120),
            "before": text("Claim before", width=240),
            "verdict_now": text("Now", width=120),
            "now": text("Claim now", width=240),
        },
        key=f"compare.claims.{detail.after.run_id}.{detail.after.position}",
        alt="The claims of both answers in pairs, those that moved the score first. Click one to see it in both.",
        most_rows=_ROWS,
        on_click=choose,
    )


def _claim(answer: AnswerDetail, certainties: Sequence[Certainty], at: int | None) -> tuple[str, str | None]:
    if at is None:
        return "not claimed", None
    claim = answer.result.claims[at]
    glyph = STYLES[style_name(claim.verdict, certainties[at])].glyph
    return f"{glyph} {claim_verdict_words(claim.verdict, certainties[at])}", claim.text


def _words(detail: PairDetail) -> None:
    """Draw the words that changed in the answer and in its chunks, folded away."""
    before, now = detail.before.sample, detail.after.sample
    edited, added, removed = [], [], []
    for pair in detail.chunks:
        old = None if pair.baseline is None else before.chunks[pair.baseline]
        new = None if pair.candidate is None else now.chunks[pair.candidate]
        if old is None or new is None:
            added += [] if new is None else [fmt.code(new.chunk_id)]
            removed += [] if old is None else [fmt.code(old.chunk_id)]
        elif pair.change is ChunkChange.EDITED:
            edited.append((old, new))
    if before.answer == now.answer and not edited and not added and not removed:
        return
    box = st.expander("Words that changed", icon=":material/difference:", key="compare.words", on_change="rerun")
    if not box.open:
        return
    with box:
        if before.answer != now.answer:
            st.markdown("**Answer**")
            draw_text(diff_html(before.answer, now.answer))
        for old, new in edited:
            st.markdown(f"**Chunk** {fmt.code(new.chunk_id)}")
            draw_text(diff_html(old.text, new.text))
        for words, names in (("Newly retrieved", added), ("No longer retrieved", removed)):
            if names:
                st.markdown(f"{words}: {fmt.listed(names)}")

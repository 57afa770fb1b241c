"""Two answers to one question side by side: the claims, the chunks and the words that changed between them.

Matched claims are one row with one number, shown in both answers; the rows that moved the score come first.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypedDict

import streamlit as st

from faithview.domain.answer import AnswerDetail
from faithview.domain.certainty import Certainty
from faithview.domain.claim import Claim, ClaimRef, Verdict
from faithview.domain.comparison import ChunkChange, ChunkPair, ClaimPair, Term
from faithview.domain.label import NOT_A_CLAIM, EffectiveVerdict, VerdictSource
from faithview.domain.result import State
from faithview.domain.sample import Chunk, Sample
from faithview.domain.scoring import ReviewedAnswer
from faithview.domain.spans import Span
from faithview.services.comparison.compare import PairDetail
from faithview.services.review.key_presses import mark_claim
from faithview.ui import session
from faithview.ui.frontend.component_files import browser_styles, read_script, read_styles
from faithview.ui.widgets.answer_payload import Part, cut
from faithview.ui.widgets.selection import component_selection, keep_choice
from faithview.ui.widgets.word_diff import DiffPayload, build_diff
from faithview.wording import numbers as fmt
from faithview.wording.causes import CAUSE_WORDS, CHUNK_CHANGE_WORDS, CLAIM_CHANGE_WORDS
from faithview.wording.verdict_styles import (
    NO_CLAIM_STYLE,
    claim_verdict_words,
    sentence_without_claims,
    style_name,
    verdict_word,
)

_CHUNK_ORDER = tuple(CHUNK_CHANGE_WORDS)
_MOST_QUOTES = 3


class Quote(TypedDict):
    """What a chunk says that the verdict rests on, word for word."""

    chunk_id: str
    text: str


class PeopleWords(TypedDict):
    """The reviewers' verdict on a claim; `verdict` is "" if they disagree."""

    verdict: str
    words: str


class ClaimSide(TypedDict):
    """A claim on one side, with its verdict and that in words; `chunk_ids` are what the verdict rests on.

    `at` is its index among the claims of its answer and `mark` what label keys send for it. `people` is the reviewers'
    verdict if it differs from the one shown, else None.
    """

    at: int
    mark: str
    verdict: str
    verdict_words: str
    people: PeopleWords | None
    text: str
    explanation: str
    chunk_ids: list[str]
    quotes: list[Quote]


class Effect(TypedDict):
    """What a row did to the score: `value` in points with its sign, and why; `is_won` tells which way."""

    value: str
    cause: str
    is_won: bool


class ClaimRow(TypedDict):
    """Two claims that say the same, or one without a partner; `effect` is None if the score did not move."""

    number: int
    before: ClaimSide | None
    after: ClaimSide | None
    change: str
    words: str
    is_flipped: bool
    effect: Effect | None


class ChunkRow(TypedDict):
    """Two chunks that are one, or one without a partner.

    `parts` is the text with the evidence on it, `diff` replaces it where the text was edited. Ranks are None on
    the side that does not have it. `cited_before` and `cited_after` are numbers of claim rows that rest on it.
    """

    id: str
    other_id: str | None
    change: str
    words: str
    rank_before: int | None
    rank_after: int | None
    parts: list[Part]
    diff: DiffPayload | None
    cited_before: list[int]
    cited_after: list[int]


class SidePayload(TypedDict):
    """One answer; `sentence` explains why it has no claims, `error` where it could not be judged."""

    title: str
    score: str
    parts: list[Part]
    sentence: str | None
    error: str | None


class PairPayload(TypedDict):
    """Two answers as the view draws them; `diff` is None if the answers are the same."""

    question: str | None
    before: SidePayload
    after: SidePayload
    diff: DiffPayload | None
    claims: list[ClaimRow]
    chunks: list[ChunkRow]


def build_pair(
    pair_detail: PairDetail, *, names: tuple[str, str], reviewed: tuple[ReviewedAnswer, ReviewedAnswer]
) -> PairPayload:
    """Return what the view draws of two answers.

    Args:
        pair_detail: the two answers.
        names: the runs' names, before and now.
        reviewed: the two answers under people's labels.
    """
    pairs = order_claims(pair_detail)
    rows = [_claim_row(number, pair, pair_detail, reviewed) for number, pair in enumerate(pairs, start=1)]
    before_rows = {pair.baseline: number for number, pair in enumerate(pairs, start=1) if pair.baseline is not None}
    after_rows = {pair.candidate: number for number, pair in enumerate(pairs, start=1) if pair.candidate is not None}
    change, old, new = pair_detail.change, pair_detail.before.sample.answer, pair_detail.after.sample.answer
    return {
        "question": pair_detail.after.sample.question or pair_detail.before.sample.question or None,
        "before": _answer_payload(pair_detail.before, before_rows, name=names[0], score=change.baseline),
        "after": _answer_payload(pair_detail.after, after_rows, name=names[1], score=change.candidate),
        "diff": build_diff(old, new) if old != new else None,
        "claims": rows,
        "chunks": [
            _chunk_row(pair, pair_detail, before_rows, after_rows)
            for pair in _order_chunks(pair_detail, _deciding(pair_detail))
        ],
    }


def order_claims(pair_detail: PairDetail) -> list[ClaimPair]:
    """Return the claim pairs as the view numbers them: losses, gains (each largest first), then the others."""
    values = {pair: term.value for pair, term in _terms(pair_detail).items()}

    def place(pair: ClaimPair) -> tuple[int, float, int]:
        value = values.get((pair.baseline, pair.candidate), 0.0)
        rank = 0 if value < 0 else 1 if value > 0 else 2
        position = pair.candidate if pair.candidate is not None else pair.baseline or 0
        return (rank, -abs(value), position)

    return sorted(pair_detail.claims, key=place)


def _terms(pair_detail: PairDetail) -> dict[tuple[int | None, int | None], Term]:
    def index(number: int | None) -> int | None:
        return None if number is None else number - 1

    return {(index(term.baseline), index(term.candidate)): term for term in pair_detail.change.terms}


def find_row(pairs: Sequence[ClaimPair], side: str, at: int) -> int | None:
    """Return the number of the row of a claim, by its side ("before", "after") and index; None if it has none."""
    own = [pair.baseline if side == "before" else pair.candidate for pair in pairs]
    return own.index(at) + 1 if at in own else None


def _claim_row(
    number: int, pair: ClaimPair, pair_detail: PairDetail, reviewed: tuple[ReviewedAnswer, ReviewedAnswer]
) -> ClaimRow:
    term = _terms(pair_detail).get((pair.baseline, pair.candidate))
    before = _claim_side(pair.baseline, pair_detail.before, pair_detail.certainties_before, reviewed[0])
    after = _claim_side(pair.candidate, pair_detail.after, pair_detail.certainties_after, reviewed[1])
    return {
        "number": number,
        "before": before,
        "after": after,
        "change": pair.change.value,
        "words": CLAIM_CHANGE_WORDS[pair.change],
        "is_flipped": before is not None and after is not None and before["verdict"] != after["verdict"],
        "effect": None
        if term is None
        else {
            "value": fmt.signed(term.value),
            "cause": CAUSE_WORDS[term.cause].name(is_won=term.value > 0),
            "is_won": term.value > 0,
        },
    }


def _claim_side(
    at: int | None, detail: AnswerDetail, certainties: Sequence[Certainty], reviewed: ReviewedAnswer
) -> ClaimSide | None:
    if at is None:
        return None
    claim = detail.result.claims[at]
    return {
        "at": at,
        "mark": mark_claim(detail.run_id, detail.position, at + 1, claim.text),
        "verdict": style_name(claim.verdict, certainties[at]),
        "verdict_words": claim_verdict_words(claim.verdict, certainties[at]),
        "people": _people(reviewed.effective[at], claim.verdict),
        "text": claim.text,
        "explanation": claim.explanation,
        "chunk_ids": list(_cited(claim)),
        "quotes": _quotes(claim, detail.sample),
    }


def _people(effective: EffectiveVerdict, shown: Verdict) -> PeopleWords | None:
    if effective.source is VerdictSource.DISAGREEMENT:
        return {"verdict": "", "words": "reviewers disagree"}
    if not effective.is_settled:
        return None
    if effective.verdict == shown:
        return {"verdict": "", "words": "reviewers agree"}
    choice = NOT_A_CLAIM if effective.verdict is None else effective.verdict.value
    return {"verdict": choice, "words": f"reviewers: {verdict_word(choice)}"}


def _quotes(claim: Claim, sample: Sample) -> list[Quote]:
    """Return what the chunks say that the verdict rests on; what is not verbatim in its chunk is left out."""
    texts = {chunk.chunk_id: chunk.text for chunk in sample.chunks}
    return [
        Quote(chunk_id=item.chunk_id, text=" ".join(texts[item.chunk_id][item.span.start : item.span.end].split()))
        for item in claim.grounds
        if item.span is not None and item.chunk_id in texts
    ][:_MOST_QUOTES]


def _answer_payload(detail: AnswerDetail, rows: Mapping[int, int], *, name: str, score: float | None) -> SidePayload:
    sample, result = detail.sample, detail.result
    places = [(rows[at], span) for at, claim in enumerate(result.claims) if at in rows for span in claim.spans]
    return {
        "title": name,
        "score": fmt.share(score),
        "parts": cut(sample.answer, places),
        "sentence": None if rows else sentence_without_claims(result),
        "error": result.error if result.state is State.FAILED else None,
    }


def _chunk_row(
    pair: ChunkPair, pair_detail: PairDetail, before: Mapping[int, int], after: Mapping[int, int]
) -> ChunkRow:
    old = None if pair.baseline is None else pair_detail.before.sample.chunks[pair.baseline]
    new = None if pair.candidate is None else pair_detail.after.sample.chunks[pair.candidate]
    shown = new or old
    assert shown is not None  # noqa: S101 - a pair has at least one side
    marks: dict[tuple[int, Span], None] = {}
    cited: tuple[list[int], list[int]] = ([], [])
    sides = ((old, pair_detail.before, before, cited[0]), (new, pair_detail.after, after, cited[1]))
    for chunk, detail, rows, numbers in sides:
        if chunk is None:
            continue
        numbers += _citing(chunk, detail, rows)
        if chunk.text == shown.text:
            marks |= dict.fromkeys(_evidence(chunk, detail, rows))
    is_edited = old is not None and new is not None and pair.change is ChunkChange.EDITED
    return {
        "id": shown.chunk_id,
        "other_id": old.chunk_id if old is not None and old.chunk_id != shown.chunk_id else None,
        "change": pair.change.value,
        "words": CHUNK_CHANGE_WORDS[pair.change],
        "rank_before": None if old is None else old.rank,
        "rank_after": None if new is None else new.rank,
        "parts": cut(shown.text, list(marks)),
        "diff": build_diff(old.text, new.text) if is_edited and old is not None and new is not None else None,
        "cited_before": sorted(set(cited[0])),
        "cited_after": sorted(set(cited[1])),
    }


def _deciding(pair_detail: PairDetail) -> set[str]:
    """Return the chunks that the claims which moved the score rest on, by their ids."""
    deciding: set[str] = set()
    sides = (pair_detail.before.result.claims, pair_detail.after.result.claims)
    for places in _terms(pair_detail):
        for at, claims in zip(places, sides, strict=True):
            if at is not None:
                deciding |= set(_cited(claims[at]))
    return deciding


def _order_chunks(pair_detail: PairDetail, deciding: set[str]) -> list[ChunkPair]:
    """Return the chunks, those that decided first."""
    before, after = pair_detail.before.sample.chunks, pair_detail.after.sample.chunks

    def place(pair: ChunkPair) -> tuple[bool, int, int]:
        ids = {
            chunks[at].chunk_id for chunks, at in ((before, pair.baseline), (after, pair.candidate)) if at is not None
        }
        at = pair.candidate if pair.candidate is not None else pair.baseline or 0
        return (not ids & deciding, _CHUNK_ORDER.index(pair.change), at)

    return sorted(pair_detail.chunks, key=place)


def _citing(chunk: Chunk, detail: AnswerDetail, rows: Mapping[int, int]) -> list[int]:
    claims = enumerate(detail.result.claims)
    return [rows[at] for at, claim in claims if at in rows and chunk.chunk_id in _cited(claim)]


def _cited(claim: Claim) -> Sequence[str]:
    return tuple(dict.fromkeys((*claim.supporting_chunk_ids, *(item.chunk_id for item in claim.grounds))))


def _evidence(chunk: Chunk, detail: AnswerDetail, rows: Mapping[int, int]) -> list[tuple[int, Span]]:
    return [
        (rows[at], item.span)
        for at, claim in enumerate(detail.result.claims)
        if at in rows
        for item in claim.grounds
        if item.chunk_id == chunk.chunk_id and item.span is not None
    ]


_mount = st.components.v2.component(
    "faithview.pair_view",
    css=read_styles("reading", "answer_view", "pair_view"),
    js=read_script("pair_view"),
)
_SIDES = ("before", "after")


@dataclass(frozen=True, slots=True, kw_only=True)
class SelectedClaim:
    """The claim that is selected in a pair.

    `number` is its row, from 1 in `order_claims`; `is_after` says on which side it is and `at` is its index there. A
    label may change the order of the rows, and so the number.
    """

    number: int
    is_after: bool
    at: int

    def place(self, detail: PairDetail) -> ClaimRef:
        """Return where the claim is in the store."""
        side = detail.after if self.is_after else detail.before
        return ClaimRef(run_id=side.run_id, row=side.position, claim_number=self.at + 1)


def pair_view(
    detail: PairDetail,
    *,
    names: tuple[str, str],
    reviewed: tuple[ReviewedAnswer, ReviewedAnswer],
    row: str,
    key: str,
    scroll_into_view_token: int = 0,
) -> SelectedClaim | None:
    """Draw two answers, their claims and their chunks; return the claim that is selected.

    The claim that moved the score most is selected at first, so label keys have a claim at once.

    Args:
        detail: the two answers.
        names: the runs' names, before and now.
        reviewed: the two answers under people's labels.
        row: what the list of changes on the page calls these two.
        key: the component's key, unique on the page. It may stay the same from one pair to the next.
        scroll_into_view_token: the view scrolls into sight each time that this number has grown.
    """
    payload = build_pair(detail, names=names, reviewed=reviewed)
    revision = hashlib.blake2b(json.dumps(payload).encode(), digest_size=12).hexdigest()
    # Not the payload: a label changes that, and the person stays where they are.
    subject = json.dumps([detail.before.run_id, detail.before.position, detail.after.run_id, detail.after.position])
    pairs = order_claims(detail)
    selection = component_selection(key, subject=subject, requested=_first_claim(subject, pairs))
    chosen = _find(pairs, selection.choice)
    _mount(
        key=key,
        height="content",
        data={
            "subject": subject,
            "revision": revision,
            "row": row,
            "turn": selection.turn,
            "selected": None
            if chosen is None
            else {"number": chosen.number, "side": _SIDES[chosen.is_after], "at": chosen.at},
            "scroll_into_view_token": scroll_into_view_token,
            "styles": {**browser_styles(), NOT_A_CLAIM: dict(NO_CLAIM_STYLE)},
            "payload": payload,
        },
        on_choice_change=keep_choice,
    )
    return chosen


def _first_claim(subject: str, pairs: Sequence[ClaimPair]) -> str | None:
    """Return the first claim as it was when these two answers were opened: a label may change the order."""
    opened, first = session.COMPARE_FIRST_CLAIM.get()
    if opened != subject:
        first = _first(pairs)
        session.COMPARE_FIRST_CLAIM.set((subject, first))
    return first


def _first(pairs: Sequence[ClaimPair]) -> str | None:
    if not pairs:
        return None
    return f"before:{pairs[0].baseline}" if pairs[0].candidate is None else f"after:{pairs[0].candidate}"


def _find(pairs: Sequence[ClaimPair], choice: object) -> SelectedClaim | None:
    """Return the claim that the browser named, which comes from outside; None for anything else."""
    side, _, at = choice.partition(":") if isinstance(choice, str) else ("", "", "")
    if side not in _SIDES or not (at.isascii() and at.isdecimal() and len(at) < 6):
        return None
    number = find_row(pairs, side, int(at))
    return None if number is None else SelectedClaim(number=number, is_after=side == "after", at=int(at))

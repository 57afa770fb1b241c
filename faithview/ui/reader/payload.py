"""What the reader draws, as plain data: the rows of a list, an answer with its claims and chunks, a claim by itself.

Places are code points `[start, end)` of the texts as they are; the browser cuts the texts there. `reader.js` names the
types. A claim has the reviewers' verdict where they gave one, with the judge's next to it.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from faithview.domain.answer import AnswerRow, FaultyClaim
from faithview.domain.certainty import Certainty
from faithview.domain.claim import WORST_FIRST, Claim, Verdict
from faithview.domain.label import NOT_A_CLAIM, EffectiveVerdict, Label, VerdictSource, counts_as_blind, newest_labels
from faithview.domain.result import Result, State
from faithview.domain.sample import Chunk, Sample
from faithview.domain.scoring import apply_labels
from faithview.services.nearest_passage import Passage, find_nearest_passages
from faithview.wording import numbers as fmt
from faithview.wording.findings import unsupported_words
from faithview.wording.verdict_styles import (
    CHECK_THIS,
    NO_CLAIM_STYLE,
    STATE_WORDS,
    STYLES,
    claim_verdict_words,
    correction_lead,
    count_words,
    sentence_without_claims,
    style_name,
    verdict_word,
)

Payload = dict[str, Any]

_LONGEST_WORDS = 60  # characters: longer ones are read no faster than the claim itself
_UNJUDGED = "unjudged"
LABELLED = "A reviewer has labelled this claim"

# How each verdict is drawn, the best first.
DRAWN_STYLES = {
    **{
        name: {"word": style.word, "stroke": style.stroke, "fill": style.fill, "note": style.note}
        for name, style in reversed(list(STYLES.items()))
    },
    NOT_A_CLAIM: {"note": "", **{name: NO_CLAIM_STYLE[name] for name in ("word", "stroke", "fill")}},
}


def list_row(row: AnswerRow) -> Payload:
    """Return an answer as one line of the list: the words at fault, the score, the question."""
    labelled = None
    if row.labelled:
        of_row = f"{fmt.plural(row.labelled, 'claim')} labelled"
        others = f"{fmt.plural(row.labelled, 'other claim')} labelled"
        labelled = of_row if row.worst is None else LABELLED if row.worst.is_labelled else others
    return {
        "key": row.key,
        "score": fmt.share(row.faithfulness) if row.state is State.JUDGED else None,
        "state": STATE_WORDS[row.state],
        "fault": _fault(row),
        "counts": count_words(row.claims),
        "title": row.question or row.answer,
        "labelled": labelled,
        "is_labelled": row.worst is not None and row.worst.is_labelled,
    }


def _fault(row: AnswerRow) -> Payload | None:
    if row.worst is not None:
        return {"verdict": str(row.worst.verdict), "words": fault_words(row.worst), "quoted": True}
    worst = next((verdict for verdict in WORST_FIRST if row.claims.get(verdict)), None)
    if worst is None:
        return None
    words = unsupported_words(row.claims, to_check=row.to_check)
    return {"verdict": CHECK_THIS if row.to_check else str(worst), "words": words, "quoted": False}


def fault_words(claim: FaultyClaim) -> str:
    """Return what is wrong with a claim: "15 minutes ≠ 5 minutes", the words at fault, or else the claim itself."""
    pairs = [(words, against) for words, against in claim.words if len(words) <= _LONGEST_WORDS]
    told = [f"{words} ≠ {against}" for words, against in pairs if against and len(against) <= _LONGEST_WORDS]
    if told:
        return ", ".join(told)
    words = [words for words, _ in pairs if len(words.split()) > 1 or any(letter.isdigit() for letter in words)]
    return " … ".join(words) or claim.text  # one word says too little of what is wrong


def answer(
    sample: Sample,
    result: Result,
    *,
    labels: Sequence[Label] = (),
    reviewer: str | None = None,
    given: Iterable[tuple[int, int, str, str]] = (),
    about: str = "",
) -> Payload:
    """Return an answer with its claims, numbered from 1: the judge's, then those that the judge missed.

    Args:
        sample: the answer with its question and chunks.
        result: the verdicts on it; its spans must be verified (`verify_claims`).
        labels: all labels on the answer, oldest first.
        reviewer: whose labels are drawn as chosen; None if this user may not label.
        given: the marks of the data set's annotators in the answer: start, end, verdict, comment.
        about: a line above the question: which answer it is.
    """
    reviewed = apply_labels(result.verdicts, labels)
    nearest = find_nearest_passages(result.claims, sample.chunks)
    claims = []
    for number, (claim, certainty, effective) in enumerate(
        zip(result.claims, result.certainties, reviewed.effective, strict=True), start=1
    ):
        drawn = _claim(
            claim, certainty.once_labelled() if effective.is_settled else certainty, sample, nearest.get(number)
        )
        _apply_labels(drawn, effective)
        on_claim = [label for label in labels if label.claim_number == number and label.given_on is None]
        claims.append(drawn | _own_label(on_claim, reviewer))
    claims += [_missed_claim(label, sample.answer, reviewer) for label in reviewed.missed]
    numbered = list(enumerate(result.claims, start=1))
    return {
        "question": sample.question or None,
        "about": about,
        "text": sample.answer,
        "is_alone": False,
        "given": [[[start, end], verdict, words] for start, end, verdict, words in given],
        "claims": claims,
        "chunks": [_chunk(chunk, numbered, nearest) for chunk in sample.chunks],
        "sentence": None if claims else sentence_without_claims(result),
        "error": result.error if result.state is State.FAILED else None,
    }


def claim_alone(sample: Sample, claim: Claim, certainty: Certainty, *, label: str | None, can_label: bool) -> Payload:
    """Return one claim in its answer, as claim 1, with the judge's verdict on it, to be labelled."""
    drawn = answer(sample, Result(state=State.JUDGED, judge="", claims=(claim,)))
    drawn["claims"] = [_claim(claim, certainty, sample, None) | {"label": label, "can_label": can_label}]
    return {**drawn, "is_alone": True}


def blind_claim(
    sample: Sample, text: str, spans: Iterable[tuple[int, int]], *, label: str | None, can_label: bool
) -> Payload:
    """Return a claim while the judge is hidden: its words and its place, but no verdict.

    It takes no `Claim`, so nothing of the judge can leak in.
    """
    claim = _NO_CLAIM | {"verdict": _UNJUDGED, "text": text, "spans": [list(span) for span in spans]}
    return {
        "question": sample.question or None,
        "about": "",
        "text": sample.answer,
        "is_alone": True,
        "given": [],
        "claims": [claim | {"label": label, "can_label": can_label}],
        "chunks": [_chunk(chunk, (), {}) | {"cited": None} for chunk in sample.chunks],
        "sentence": None,
        "error": None,
    }


_NO_CLAIM: Payload = {
    "words": "",
    "confidence": None,
    "kind": "",
    "why": "",
    "correction": None,
    "correction_lead": "",
    "warnings": [],
    "by": "",
    "other": None,
    "chunks": [],
    "nearest": None,
    "counted": True,
    "spans": [],
    "boxes": [],
    "label": None,
    "can_label": False,
    "can_undo": False,
}


def _claim(claim: Claim, certainty: Certainty, sample: Sample, nearest: Passage | None) -> Payload:
    unverified = dict.fromkeys(item.chunk_id for item in claim.grounds if not item.is_verified)
    cited = dict.fromkeys((*claim.supporting_chunk_ids, *(item.chunk_id for item in claim.grounds)))
    kind = [claim.hallucination_type, claim.severity and f"{claim.severity} severity"]
    return _NO_CLAIM | {
        "verdict": style_name(claim.verdict, certainty),
        "words": claim_verdict_words(claim.verdict, certainty),
        "confidence": None if claim.confidence is None else fmt.share(claim.confidence),
        "text": claim.text,
        "kind": ", ".join(str(word) for word in kind if word),
        "why": claim.explanation,
        "correction": claim.correction,
        "correction_lead": correction_lead(claim.correction, sample.chunks) if claim.correction else "",
        "warnings": [
            *([] if claim.is_anchored else ["not anchored in the answer"]),
            *(f"quote not found in {chunk_id}" for chunk_id in unverified),
        ],
        "by": f"by {claim.decided_by}" if claim.decided_by else "",
        "chunks": list(cited),
        "nearest": None if nearest is None else nearest.chunk_id,
        "spans": [[span.start, span.end] for span in claim.spans],
        "boxes": [[item.start, item.end] for item in claim.mismatches],
    }


def _apply_labels(drawn: Payload, effective: EffectiveVerdict) -> None:
    """Draw the reviewers' verdict on a claim, with the judge's next to it if it differs."""
    if effective.source is VerdictSource.DISAGREEMENT:
        drawn["other"] = ["reviewers", "", "disagree"]
    if not effective.is_settled:
        return
    choice = NOT_A_CLAIM if effective.verdict is None else str(effective.verdict)
    if choice != drawn["verdict"]:
        drawn["other"] = ["judge", drawn["verdict"], drawn["words"]]
    drawn |= {"verdict": choice, "words": verdict_word(choice), "counted": effective.verdict is not None}


def _own_label(labels: Sequence[Label], reviewer: str | None) -> Payload:
    if reviewer is None:
        return {}
    own = [label for label in newest_labels(labels) if label.reviewer == reviewer]
    if not own:
        return {"can_label": True}
    choice = own[-1].verdict.value if own[-1].verdict else NOT_A_CLAIM
    return {"can_label": True, "label": choice, "can_undo": not counts_as_blind(own[-1])}


def _missed_claim(label: Label, text: str, reviewer: str | None) -> Payload:
    verdict = str(label.verdict or Verdict.NOT_MENTIONED)
    return _NO_CLAIM | {
        "verdict": verdict,
        "words": verdict_word(verdict),
        "text": label.corrected_text or (label.span.of(text) if label.span else ""),
        "why": label.note or "",
        "warnings": [] if label.span else ["not anchored in the answer"],
        "by": f"found by {label.reviewer}",
        "spans": [[label.span.start, label.span.end]] if label.span else [],
        "can_undo": label.reviewer == reviewer,
    }


def _chunk(chunk: Chunk, claims: Sequence[tuple[int, Claim]], nearest: Mapping[int, Passage]) -> Payload:
    here = [(number, item) for number, claim in claims for item in claim.grounds if item.chunk_id == chunk.chunk_id]
    citing = {number for number, claim in claims if chunk.chunk_id in claim.supporting_chunk_ids}
    cited = sorted(citing | {number for number, _ in here})
    marks = [(number, item.span.start, item.span.end, "") for number, item in here if item.span is not None]
    marks += [
        (number, item.chunk_start, item.chunk_end, "boxed")
        for number, claim in claims
        for item in claim.mismatches
        if item.chunk_id == chunk.chunk_id
    ]
    marks += [
        (number, passage.span.start, passage.span.end, "nearest")
        for number, passage in nearest.items()
        if passage.chunk_id == chunk.chunk_id
    ]
    about = [f"rank {chunk.rank}"]
    if chunk.score is not None:
        about.append(f"retrieval score {chunk.score:.3g}")  # scales differ, and fused ranks lie around 0.016
    if claims:
        named = ", ".join(str(number) for number in cited)
        about.append(f"cited by {'claim' if len(cited) == 1 else 'claims'} {named}" if cited else "not cited")
    return {
        "id": chunk.chunk_id,
        "about": " · ".join(about),
        "text": chunk.text,
        "is_code": _is_record(chunk.text),
        "cited": cited,
        "marks": [{"claim": number, "span": [start, end], "kind": kind} for number, start, end, kind in marks],
        "unverified": [[number, item.quote] for number, item in here if item.span is None],
        "metadata": [
            [name, value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)]
            for name, value in chunk.metadata.items()
        ],
    }


def _is_record(text: str) -> bool:
    """Return whether a text is JSON or has a table, whose columns line up in a code font only."""
    stripped = text.strip()
    return (stripped[:1] in ("{", "[") and stripped[-1:] in ("}", "]")) or "\n|" in f"\n{text}"

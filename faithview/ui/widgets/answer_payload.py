"""The data that the answer view draws: the texts cut into parts, each with the claims that cover it.

Texts are cut here and not in the browser because offsets count code points, and a browser's strings count UTF-16 units.
Of a reviewed answer the verdict that counts is drawn, and the claims that people added.
"""

import bisect
import itertools
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import NotRequired, TypedDict

from faithview.domain.answer import View
from faithview.domain.certainty import Certainty
from faithview.domain.claim import Claim, Verdict
from faithview.domain.label import NOT_A_CLAIM, EffectiveVerdict, Label
from faithview.domain.result import Result, State
from faithview.domain.sample import Chunk, Sample
from faithview.domain.scoring import ReviewedAnswer
from faithview.domain.spans import Span
from faithview.services.nearest_passage import Passage, find_nearest_passages
from faithview.ui.widgets.record_parts import RecordPart, find_record, find_tables
from faithview.wording import numbers as fmt
from faithview.wording.verdict_styles import (
    claim_verdict_words,
    correction_lead,
    sentence_without_claims,
    style_name,
    verdict_word,
)

# Claims that are marked on one part of a text. A browser's tab crashes over some hundreds of nested elements.
_MOST_MARKS = 12

# Replaces the verdict while the judge is hidden.
UNJUDGED = "unjudged"


class Mark(TypedDict):
    """A claim on a part; `lane` counts from 0 the underlines of a text from the top, so none hides another.

    `boxed` is there, and true, where the claim's verdict rests on these very words; `nearest` where they are not
    evidence, but the passage nearest to a claim that is not mentioned.
    """

    claim: int
    lane: int
    boxed: NotRequired[bool]
    nearest: NotRequired[bool]


class GivenMark(TypedDict):
    """What the data set's people said of words of the answer."""

    verdict: str
    words: str


class Part(TypedDict):
    """A stretch of text that the same claims cover, outermost lane first; the parts of a text join to the text.

    A browser takes only so many nested elements: `more` is how many further claims cover a part than it has marks.
    In a record, `role` says what the stretch is, and `indent` the text before a key (see `RecordPart`); `cell` is
    its row and column in a table. `given` is a mark that came with the data set.
    """

    text: str
    marks: list[Mark]
    more: NotRequired[int]
    role: NotRequired[str]
    indent: NotRequired[str]
    cell: NotRequired[tuple[int, int]]
    given: NotRequired[GivenMark]


class OtherVerdict(TypedDict):
    """A verdict beside the one that is shown, with its words; `who` is "judge" or "people"."""

    who: str
    verdict: str
    words: str


class ClaimPayload(TypedDict):
    """One claim; `text` is the claim as it was judged, understandable by itself.

    `verdict` names its style, and `words` is the verdict in words, "" while the judge is hidden. `correction_lead` says
    whose words the correction is. `nearest_chunk_id` is the chunk with the marks that are `nearest`. `other` is the
    verdict beside the one shown, None where there is only one. `found_by` names the person who found a claim that the
    judge missed, `decided_by` the judge of a cascade that gave the verdict. What is not counted is listed and stays out
    of the counts.
    """

    number: int
    verdict: str
    words: str
    confidence: str | None
    text: str
    explanation: str
    hallucination_type: str | None
    severity: str | None
    correction: str | None
    correction_lead: str
    chunk_ids: list[str]
    is_anchored: bool
    unverified_chunk_ids: list[str]
    nearest_chunk_id: str | None
    other: OtherVerdict | None
    found_by: str | None
    decided_by: str | None
    is_counted: bool


class Quote(TypedDict):
    """A quote that is not in the chunk it names."""

    claim: int
    text: str


class ChunkPayload(TypedDict):
    """One chunk with the claims whose evidence lies on it; `cited_by` are all claims that rest on it.

    `cited_by` is None if the judge is hidden. `is_record` says that the parts have roles.
    `score` has three significant digits: retrievers' scales differ, and fused ranks lie around 0.016.
    """

    id: str
    rank: int
    score: str | None
    metadata: list[tuple[str, str]]
    parts: list[Part]
    is_record: bool
    cited_by: list[int] | None
    unverified: list[Quote]


class AnswerPayload(TypedDict):
    """One answer as the view draws it; `sentence` replaces an empty claim list."""

    question: str | None
    answer: list[Part]
    claims: list[ClaimPayload]
    chunks: list[ChunkPayload]
    state: str
    sentence: str | None
    error: str | None


def build_payload(sample: Sample, result: Result, certainties: Sequence[Certainty] | None = None) -> AnswerPayload:
    """Return what the answer view draws of a judged answer. Claims are numbered from 1 in the result's order.

    `certainties` say how sure its verdicts are, where that is not as the judge says.
    """
    certainties = result.certainties if certainties is None else certainties
    numbered = list(enumerate(result.claims, start=1))
    nearest = find_nearest_passages(result.claims, sample.chunks)
    return {
        "question": sample.question or None,
        "answer": cut_answer(sample.answer, result.claims),
        "claims": [
            _claim_payload(number, claim, certainty, sample, nearest.get(number))
            for (number, claim), certainty in zip(numbered, certainties, strict=True)
        ],
        "chunks": [_chunk_payload(chunk, numbered, nearest) for chunk in sample.chunks],
        "state": str(result.state),
        "sentence": None if result.claims else sentence_without_claims(result),
        "error": result.error if result.state is State.FAILED else None,
    }


def build_claim_payload(sample: Sample, claim: Claim, certainty: Certainty) -> AnswerPayload:
    """Return what the view draws of one claim alone, as claim 1, in its answer."""
    return build_payload(sample, Result(state=State.JUDGED, judge="", claims=(claim,)), [certainty])


def build_blind_payload(sample: Sample, text: str, spans: Iterable[tuple[int, int]]) -> AnswerPayload:
    """Return what the view draws of a claim while the judge is hidden: its words and its place, but no verdict.

    It takes no `Claim`, so nothing of the judge can leak in.
    """
    places = [Span(start=start, end=end) for start, end in spans]
    unjudged: ClaimPayload = {
        "number": 1,
        "verdict": UNJUDGED,
        "words": "",
        "confidence": None,
        "text": text,
        "explanation": "",
        "hallucination_type": None,
        "severity": None,
        "correction": None,
        "correction_lead": "",
        "chunk_ids": [],
        "is_anchored": bool(places),
        "unverified_chunk_ids": [],
        "nearest_chunk_id": None,
        "other": None,
        "found_by": None,
        "decided_by": None,
        "is_counted": True,
    }
    return {
        "question": sample.question or None,
        "answer": cut(sample.answer, [(1, place) for place in places]),
        "claims": [unjudged],
        "chunks": [{**_chunk_payload(chunk, (), {}), "cited_by": None} for chunk in sample.chunks],
        "state": str(State.JUDGED),
        "sentence": None,
        "error": None,
    }


def cut_answer(answer: str, claims: Iterable[Claim], others: Iterable[tuple[int, Span]] = ()) -> list[Part]:
    """Return the answer cut by its claims, numbered from 1, and by `others`; the words at fault are boxed."""
    numbered = list(enumerate(claims, start=1))
    return cut(
        answer,
        [*((number, span) for number, claim in numbered for span in claim.spans), *others],
        [(number, item.start, item.end) for number, claim in numbered for item in claim.mismatches],
    )


def cut(
    text: str,
    spans: Iterable[tuple[int, Span]],
    boxes: Sequence[tuple[int, int, int]] = (),
    record: Sequence[RecordPart] = (),
    nearest: frozenset[int] = frozenset(),
) -> list[Part]:
    """Return the text cut at every end of a span, each part with the claims whose spans cover it.

    Args:
        text: what to cut.
        spans: numbers of claims with places in the text, in any order; they may overlap, touch or repeat. What lies
            outside the text is left out.
        boxes: numbers of claims with the start and end of words that are drawn in a box within the claim's spans.
        record: the parts of a record or of a text with tables, which join to the text; none for prose.
        nearest: claims whose spans are the nearest passages, not evidence.
    """
    opening: dict[int, list[int]] = {}
    closing: dict[int, list[int]] = {}
    for number, span in spans:
        if span.start < len(text):
            opening.setdefault(span.start, []).append(number)
            closing.setdefault(min(span.end, len(text)), []).append(number)
    stretches: list[tuple[int, int, frozenset[int]]] = []
    depth: dict[int, int] = {}  # how many spans of a claim are open: its own spans may overlap too
    ends = {end for _, *ends_of_box in boxes for end in ends_of_box if 0 < end < len(text)}
    starts = [part.start for part in record]
    bounds = sorted({0, len(text), *opening, *closing, *ends, *starts})
    for start, end in itertools.pairwise(bounds):
        for number in closing.get(start, ()):
            depth[number] -= 1
            if not depth[number]:
                del depth[number]
        for number in opening.get(start, ()):
            depth[number] = depth.get(number, 0) + 1
        stretches.append((start, end, frozenset(depth)))
    lanes = _lanes([numbers for *_, numbers in stretches])
    parts: list[Part] = []
    for start, end, numbers in stretches:
        marks = [
            _mark(
                n,
                lanes[n],
                is_boxed=any(n == of and a <= start and end <= b for of, a, b in boxes),
                is_nearest=n in nearest,
            )
            for n in sorted(numbers, key=lambda n: (lanes[n], n))[:_MOST_MARKS]
        ]
        part: Part = {"text": text[start:end], "marks": marks}
        if len(numbers) > _MOST_MARKS:
            part["more"] = len(numbers) - _MOST_MARKS
        if record:
            _set_role(part, record[bisect.bisect_right(starts, start) - 1], start)
        parts.append(part)
    return parts


def _set_role(part: Part, of: RecordPart, start: int) -> None:
    if of.cell is not None:
        part["cell"] = of.cell
    is_rest_of_key = of.role == "key" and start > of.start  # a mark begins within the key
    if of.role:
        part["role"] = "key-end" if is_rest_of_key else of.role
    if of.role == "key" and not is_rest_of_key:
        part["indent"] = of.indent


def _mark(claim: int, lane: int, *, is_boxed: bool, is_nearest: bool) -> Mark:
    mark: Mark = {"claim": claim, "lane": lane}
    if is_boxed:
        mark["boxed"] = True
    if is_nearest:
        mark["nearest"] = True
    return mark


def _lanes(stretches: Sequence[frozenset[int]]) -> dict[int, int]:
    """Give claims that share a stretch different lanes: longest first, so a part of it lies beneath it."""
    neighbours: dict[int, set[int]] = {}
    length: dict[int, int] = {}
    for numbers in stretches:
        for number in numbers:
            neighbours.setdefault(number, set()).update(numbers)
            length[number] = length.get(number, 0) + 1
    lanes: dict[int, int] = {}
    for number in sorted(neighbours, key=lambda n: (-length[n], n)):
        taken = {lanes[other] for other in neighbours[number] if other in lanes}
        lanes[number] = next(lane for lane in range(len(taken) + 1) if lane not in taken)
    return lanes


def _claim_payload(
    number: int, claim: Claim, certainty: Certainty, sample: Sample, nearest: Passage | None
) -> ClaimPayload:
    unverified = dict.fromkeys(item.chunk_id for item in claim.grounds if not item.is_verified)
    cited = dict.fromkeys((*claim.supporting_chunk_ids, *(item.chunk_id for item in claim.grounds)))
    return {
        "number": number,
        "verdict": style_name(claim.verdict, certainty),
        "words": claim_verdict_words(claim.verdict, certainty),
        "confidence": None if claim.confidence is None else fmt.share(claim.confidence),
        "text": claim.text,
        "explanation": claim.explanation,
        "hallucination_type": claim.hallucination_type and str(claim.hallucination_type),
        "severity": claim.severity and str(claim.severity),
        "correction": claim.correction,
        "correction_lead": correction_lead(claim.correction, sample.chunks) if claim.correction else "",
        "chunk_ids": list(cited),
        "is_anchored": claim.is_anchored,
        "unverified_chunk_ids": list(unverified),
        "nearest_chunk_id": None if nearest is None else nearest.chunk_id,
        "other": None,
        "found_by": None,
        "decided_by": claim.decided_by,
        "is_counted": True,
    }


def _chunk_payload(chunk: Chunk, numbered: Sequence[tuple[int, Claim]], nearest: Mapping[int, Passage]) -> ChunkPayload:
    here = [(number, item) for number, claim in numbered for item in claim.grounds if item.chunk_id == chunk.chunk_id]
    record = find_record(chunk.text)
    near = [(number, passage.span) for number, passage in nearest.items() if passage.chunk_id == chunk.chunk_id]
    citing = {number for number, claim in numbered if chunk.chunk_id in claim.supporting_chunk_ids}
    return {
        "id": chunk.chunk_id,
        "rank": chunk.rank,
        "score": None if chunk.score is None else f"{chunk.score:.3g}",
        "metadata": [
            (name, value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
            for name, value in chunk.metadata.items()
        ],
        "parts": cut(
            chunk.text,
            [*((number, item.span) for number, item in here if item.span is not None), *near],
            [
                (number, item.chunk_start, item.chunk_end)
                for number, claim in numbered
                for item in claim.mismatches
                if item.chunk_id == chunk.chunk_id
            ],
            record or find_tables(chunk.text),
            nearest=frozenset(nearest),
        ),
        "is_record": bool(record),
        "cited_by": sorted(citing | {number for number, _ in here}),
        "unverified": [{"claim": number, "text": item.quote} for number, item in here if item.span is None],
    }


def build_reviewed_payload(sample: Sample, result: Result, reviewed: ReviewedAnswer, view: View) -> AnswerPayload:
    """Return what the answer view draws of a reviewed answer.

    Under `View.REVIEWED` marks and claims have the verdict that counts, with the judge's next to it if it differs;
    under `View.JUDGE` they have the judge's, with the reviewers' next to it. Claims that reviewers added follow the
    judge's, numbered on; they count only under `View.REVIEWED`. What reviewers settled is not to be checked any more.
    """
    settled = {at for at, effective in enumerate(reviewed.effective) if effective.is_settled}
    certainties = [
        certainty.once_labelled() if at in settled else certainty for at, certainty in enumerate(result.certainties)
    ]
    payload = build_payload(sample, result, certainties)
    is_reviewed = view is not View.JUDGE
    for claim, effective in zip(payload["claims"], reviewed.effective, strict=False):
        _apply_verdict(claim, effective, is_reviewed=is_reviewed)
    if not reviewed.missed:
        return payload
    first = len(result.claims) + 1
    payload["claims"] += [
        _missed_claim(number, label, sample.answer, is_counted=is_reviewed)
        for number, label in enumerate(reviewed.missed, start=first)
    ]
    found = [(number, label.span) for number, label in enumerate(reviewed.missed, start=first) if label.span]
    payload["answer"] = cut_answer(sample.answer, result.claims, found)
    payload["sentence"] = None
    return payload


def with_given_marks(parts: Sequence[Part], given: Iterable[tuple[int, int, GivenMark]]) -> list[Part]:
    """Return the parts of a text, cut further at the ends of what the data set's people marked; the last mark wins."""
    marks = list(given)
    ends = sorted({end for start, stop, _ in marks for end in (start, stop)})
    cut_parts: list[Part] = []
    at = 0
    for part in parts:
        stop = at + len(part["text"])
        bounds = [at, *(end for end in ends if at < end < stop), stop]
        for start, end in itertools.pairwise(bounds):
            piece: Part = {**part, "text": part["text"][start - at : end - at]}
            for first, last, mark in marks:
                if first <= start and end <= last:
                    piece["given"] = mark
            cut_parts.append(piece)
        at = stop
    return cut_parts


def _apply_verdict(claim: ClaimPayload, effective: EffectiveVerdict, *, is_reviewed: bool) -> None:
    if not effective.is_settled:
        return
    people = NOT_A_CLAIM if effective.verdict is None else str(effective.verdict)
    words = verdict_word(people)
    is_same = people == claim["verdict"]
    if not is_reviewed:
        claim["other"] = None if is_same else {"who": "people", "verdict": people, "words": words}
        return
    if not is_same:
        claim["other"] = {"who": "judge", "verdict": claim["verdict"], "words": claim["words"]}
    claim["verdict"], claim["words"] = people, words
    claim["is_counted"] = effective.verdict is not None


def _missed_claim(number: int, label: Label, answer: str, *, is_counted: bool) -> ClaimPayload:
    quote = label.span.of(answer) if label.span else ""
    text = label.corrected_text or quote
    return {
        "number": number,
        "verdict": str(label.verdict or Verdict.NOT_MENTIONED),
        "words": verdict_word(str(label.verdict or Verdict.NOT_MENTIONED)),
        "confidence": None,
        "text": text,
        "explanation": label.note or "",
        "hallucination_type": None,
        "severity": None,
        "correction": None,
        "correction_lead": "",
        "chunk_ids": [],
        "is_anchored": label.span is not None,
        "unverified_chunk_ids": [],
        "nearest_chunk_id": None,
        "other": None,
        "found_by": label.reviewer,
        "decided_by": None,
        "is_counted": is_counted,
    }

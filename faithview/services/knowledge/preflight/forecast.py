"""The forecast of a preflight: the outcome of each claim, by document and by segment, and the projected score.

The verdict before is the one that counts in the view. If reviewers corrected it, the second judging changes it only if
the judge itself says something else than before: a judge that was wrong about a claim and says the same again has not
found a difference between the versions.
"""

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from faithview.domain.answer import AnswerDetail, View
from faithview.domain.causes import closest_chunk, subject_words
from faithview.domain.claim import Verdict
from faithview.domain.preflight import (
    ChunkState,
    ClaimForecast,
    DocumentForecast,
    EnteringPassage,
    JudgedAgain,
    NewPassage,
    Outcome,
    OutcomeCounts,
    PassagePair,
    PlannedAnswer,
    PlannedChunk,
    PreflightRecord,
    PreflightResult,
    Projection,
    QuestionToAsk,
    Reason,
    SegmentForecast,
)
from faithview.domain.result import Usage
from faithview.services.container import Store
from faithview.services.results import get_run, get_summary
from faithview.store import compared_answers, preflights, results
from faithview.store.compared_answers import StoredAnswer, StoredClaim

_WORST_FIRST = {outcome: rank for rank, outcome in enumerate(Outcome)}
_REASONS = {ChunkState.EDITED: Reason.EDITED, ChunkState.REMOVED: Reason.REMOVED}
# If this share of the retrieved passages would be new, the application probably answers from them.
_MOSTLY = 0.5
# How many answers are in memory at a time.
_BLOCK = 200
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


def compute_forecast(store: Store, record: PreflightRecord, view: View) -> PreflightResult:
    """Return the outcomes of a preflight as far as it is judged.

    Raises:
        NotFound: its run was deleted.
    """
    run = get_run(store, record.run_id)
    of_claims = View.JUDGE if view is View.JUDGE else View.REVIEWED
    planned = preflights.load_plan(store.db, record.preflight_id)
    judged = preflights.load_judged(store.db, record.preflight_id)
    passages = preflights.load_passages(store.db, record.preflight_id)
    answers = {answer.row: answer for answer in compared_answers.load_answers(store.db, run.run_id, of_claims)}
    found: list[_Answer] = []
    for first in range(0, len(planned), _BLOCK):
        block = [one for one in planned[first : first + _BLOCK] if one.row in answers]
        found += _forecast_block(store, record, block, answers, judged, passages, of_claims)
    claims = [claim for answer in found for claim in answer.claims]
    shown = [claim for claim in claims if claim.outcome not in (Outcome.UNSUPPORTED, Outcome.SUPPORTED)]
    shown.sort(key=lambda claim: (_WORST_FIRST[claim.outcome], claim.row, claim.number or math.inf))
    questions = _questions(record, found, passages)
    to_ask = {question.row for question in questions}
    return PreflightResult(
        record=record,
        run_name=run.name,
        claims=tuple(shown),
        counts=OutcomeCounts.of(claims),
        documents=_by_document(record, found, passages, to_ask),
        segments=_by_segment(answers.values(), claims, questions),
        questions=questions,
        projection=_project(store, record, found, of_claims),
        pending=sum(one.is_judged and one.row not in judged for one in planned),
        failed=sum(one.error is not None for one in judged.values()),
        usage=sum((one.usage for one in judged.values()), Usage()),
    )


@dataclass(slots=True)
class _Answer:
    """An answer: its claims' outcomes, how many chunks it has, and the verdicts that its score is computed from."""

    stored: StoredAnswer
    planned: PlannedAnswer
    chunks: int
    claims: list[ClaimForecast] = field(default_factory=list)
    before: list[bool] = field(default_factory=list)
    after: list[bool] = field(default_factory=list)
    worst: list[bool] = field(default_factory=list)
    best: list[bool] = field(default_factory=list)


def _forecast_block(
    store: Store,
    record: PreflightRecord,
    planned: Sequence[PlannedAnswer],
    answers: Mapping[int, StoredAnswer],
    judged: Mapping[int, JudgedAgain],
    passages: Mapping[int, NewPassage],
    view: View,
) -> list[_Answer]:
    sample_ids = [answers[one.row].sample_id for one in planned]
    details = results.load_details(store.db, record.run_id, [one.row for one in planned])
    claims = compared_answers.load_claims(store.db, sample_ids, view)
    cited = compared_answers.load_citations(store.db, (claim for of_answer in claims.values() for claim in of_answer))
    found = []
    for one in planned:
        stored = answers[one.row]
        forecaster = _Forecaster(record, one, details[one.row], judged.get(one.row), passages)
        answer = _Answer(stored, one, len(details[one.row].sample.chunks))
        for claim in claims.get(stored.sample_id, ()):
            if claim.verdict is not None:
                _add(answer, claim, forecaster.forecast(claim, cited.get(claim.claim_id, ())))
        found.append(answer)
    return found


def _add(answer: _Answer, claim: StoredClaim, forecast: ClaimForecast | None) -> None:
    is_supported = claim.verdict is Verdict.SUPPORTED
    after = is_supported
    if forecast is not None:
        answer.claims.append(forecast)
        after = forecast.after is Verdict.SUPPORTED if forecast.after is not None else is_supported
    outcome = None if forecast is None else forecast.outcome
    answer.before.append(is_supported)
    # With retrieval as it is, an overtaken claim still has its evidence.
    answer.after.append(is_supported if outcome is Outcome.OVERTAKEN else after)
    answer.worst.append(after and outcome not in (Outcome.UNKNOWN, Outcome.OVERTAKEN))
    answer.best.append(outcome in (Outcome.UNKNOWN, Outcome.OVERTAKEN) or after)


class _Forecaster:
    """Tells the outcomes of one answer's claims."""

    def __init__(
        self,
        record: PreflightRecord,
        planned: PlannedAnswer,
        detail: AnswerDetail,
        judged: JudgedAgain | None,
        passages: Mapping[int, NewPassage],
    ) -> None:
        self._record = record
        self._planned = planned
        self._detail = detail
        self._judged = judged
        self._passages = passages
        self._changed = {chunk.position: chunk for chunk in planned.chunks}
        self._words: list[frozenset[str]] | None = None

    def forecast(self, claim: StoredClaim, cited: Sequence[int]) -> ClaimForecast | None:
        """Return what would become of a claim; None if nothing changes for it."""
        evidence = cited or self._closest(claim)
        resting = [self._changed[position] for position in evidence if position in self._changed]
        if resting and resting[0].state is ChunkState.FOREIGN:
            return self._unknown(claim, Reason.NOT_IN_VERSION, resting)
        changed = [chunk for chunk in self._planned.chunks if chunk.state is not ChunkState.FOREIGN]
        if not changed and not self._planned.ahead:
            return None
        # Of several chunks that changed, those that the claim rests on come first.
        ordered = [*(c for c in resting if c in changed), *(c for c in changed if c not in resting)]
        if claim.number is None:
            return self._unknown(claim, Reason.ADDED_BY_REVIEWER, ordered) if changed else None
        if self._judged is None:
            return self._unknown(claim, Reason.PENDING, ordered)
        if self._judged.error is not None:
            return self._unknown(claim, Reason.JUDGE_FAILED, ordered, explanation=self._judged.error)
        found = self._after(claim, claim.number, ordered) if changed else None
        if found is not None and found.outcome is not Outcome.SUPPORTED:
            return found
        return self._overtaken(claim, claim.number, evidence) or found

    def _after(self, claim: StoredClaim, number: int, changed: Sequence[PlannedChunk]) -> ClaimForecast:
        """Return the outcome of a claim of an answer whose chunks change."""
        verdicts = None if self._judged is None else self._judged.after
        new, old = (verdicts or {}).get(number), self._judge_before(number)
        if new is None or old is None:
            return self._unknown(claim, Reason.NOT_LISTED, changed)
        was, had = claim.verdict is Verdict.SUPPORTED, old is Verdict.SUPPORTED
        has = new.verdict is Verdict.SUPPORTED
        # The judge's new verdict counts unless it only repeats what reviewers corrected.
        after = new.verdict if has is not had or has is was else claim.verdict
        is_now = after is Verdict.SUPPORTED
        outcome = (
            Outcome.SUPPORTED
            if was and is_now
            else Outcome.BROKEN
            if was
            else Outcome.FIXED
            if is_now
            else Outcome.UNSUPPORTED
        )
        if outcome is Outcome.BROKEN and new.is_unsure and self._keeps_numbers(claim, changed[0]):
            return self._unknown(claim, Reason.JUDGE_UNSURE, changed, explanation=new.explanation)
        if outcome is Outcome.FIXED:
            changed = self._citing(new.cites, changed)
        return self._claim(
            claim,
            after=after,
            outcome=outcome,
            reason=_REASONS[changed[0].state],
            explanation=new.explanation,
            documents=[chunk.document for chunk in changed[:1]],
            passages=self._pairs(changed[:1]),
        )

    def _keeps_numbers(self, claim: StoredClaim, chunk: PlannedChunk) -> bool:
        """Return whether an edited chunk still has all numbers that it shared with the claim."""
        if chunk.state is not ChunkState.EDITED:
            return False
        shared = _numbers(self._text(claim)) & _numbers(self._detail.sample.chunks[chunk.position].text)
        return shared <= {number for new in chunk.new for number in _numbers(self._passages[new].text)}

    def _overtaken(self, claim: StoredClaim, number: int, evidence: Sequence[int]) -> ClaimForecast | None:
        """Return the outcome of a supported claim if new passages come first and do not support it."""
        ahead = None if self._judged is None else self._judged.ahead
        if (
            ahead is None
            or claim.verdict is not Verdict.SUPPORTED
            or self._judge_before(number) is not Verdict.SUPPORTED
        ):
            return None
        new = ahead.get(number)
        if new is None or new.verdict is Verdict.SUPPORTED:
            return None
        passages = [self._passages[number] for number in self._planned.ahead]
        first = next((passage for passage in passages if passage.chunk_id in new.cites), passages[0])
        chunks = self._detail.sample.chunks
        old = chunks[evidence[0]] if evidence else chunks[0] if chunks else None
        return self._claim(
            claim,
            after=new.verdict,
            outcome=Outcome.OVERTAKEN,
            reason=Reason.ADDED,
            explanation=new.explanation,
            documents=[first.document],
            passages=[
                PassagePair(
                    document=self._name(first.document),
                    title=self._title(first.document),
                    chunk_id=first.chunk_id,
                    before="" if old is None else old.text,
                    after=first.text,
                    is_overtaking=True,
                )
            ],
        )

    def _judge_before(self, number: int) -> Verdict | None:
        """Return the verdict of the judge that judges again, against the old chunks; None if it lists no such claim."""
        if self._record.is_run_judge:
            return self._detail.result.claims[number - 1].verdict
        verdicts = None if self._judged is None else self._judged.before
        found = (verdicts or {}).get(number)
        return None if found is None else found.verdict

    def _closest(self, claim: StoredClaim) -> Sequence[int]:
        """Return the chunk for a claim without citations."""
        if self._words is None:
            self._words = [subject_words(chunk.text) for chunk in self._detail.sample.chunks]
        closest = closest_chunk(self._text(claim), self._words)
        return () if closest is None else (closest,)

    def _citing(self, cites: Sequence[str], changed: Sequence[PlannedChunk]) -> Sequence[PlannedChunk]:
        """Return the changed chunks with those first whose new passages the new verdict cites."""

        def is_cited(chunk: PlannedChunk) -> bool:
            return any(self._passages[number].chunk_id in cites for number in chunk.new)

        return sorted(changed, key=is_cited, reverse=True)

    def _pairs(self, changed: Iterable[PlannedChunk]) -> list[PassagePair]:
        chunks = self._detail.sample.chunks
        return [
            PassagePair(
                document=self._name(chunk.document),
                title=self._title(chunk.document),
                chunk_id=chunks[chunk.position].chunk_id,
                before=chunks[chunk.position].text,
                after="\n\n".join(self._passages[number].text for number in chunk.new) if chunk.new else None,
            )
            for chunk in changed
        ]

    def _unknown(
        self, claim: StoredClaim, reason: Reason, changed: Sequence[PlannedChunk], *, explanation: str = ""
    ) -> ClaimForecast:
        shown = [chunk for chunk in changed if chunk.state is not ChunkState.FOREIGN][:1]
        return self._claim(
            claim,
            after=None,
            outcome=Outcome.UNKNOWN,
            reason=reason,
            explanation=explanation,
            documents=[chunk.document for chunk in shown],
            passages=self._pairs(shown),
        )

    def _claim(
        self,
        claim: StoredClaim,
        *,
        after: Verdict | None,
        outcome: Outcome,
        reason: Reason,
        explanation: str,
        documents: Iterable[int | None],
        passages: Sequence[PassagePair],
    ) -> ClaimForecast:
        sample = self._detail.sample
        return ClaimForecast(
            row=self._planned.row,
            key=sample.key,
            number=claim.number,
            claim_id=claim.claim_id,
            text=self._text(claim),
            question=sample.question,
            segment=sample.segment,
            before=claim.verdict or Verdict.NOT_MENTIONED,
            after=after,
            outcome=outcome,
            reason=reason,
            explanation=explanation,
            documents=tuple(document for document in documents if document is not None),
            passages=tuple(passages),
        )

    def _text(self, claim: StoredClaim) -> str:
        if claim.text is not None:
            return claim.text
        return "" if claim.number is None else self._detail.result.claims[claim.number - 1].text

    def _name(self, document: int | None) -> str:
        return "" if document is None else self._record.documents[document].name

    def _title(self, document: int | None) -> str | None:
        return None if document is None else self._record.documents[document].title


def _questions(
    record: PreflightRecord, answers: Sequence[_Answer], passages: Mapping[int, NewPassage]
) -> tuple[QuestionToAsk, ...]:
    """Return the questions to ask again: those with claims that break or are unknown, or with new passages."""
    found = []
    for answer in answers:
        counts = OutcomeCounts.of(answer.claims)
        if not (counts.breaking or counts.unknown or answer.planned.entering):
            continue
        entering = [(passages[number], rank) for number, rank in answer.planned.entering]
        is_mostly_new = 0 < answer.chunks <= len(entering) / _MOSTLY
        question = QuestionToAsk(
            row=answer.stored.row,
            key=answer.stored.key,
            question=answer.stored.question,
            segment=answer.stored.segment,
            counts=counts,
            entering=tuple(
                EnteringPassage(
                    document="" if passage.document is None else record.documents[passage.document].name,
                    chunk_id=passage.chunk_id,
                    rank=rank,
                )
                for passage, rank in entering
            ),
            answer_changes=counts.breaking > 0 or is_mostly_new,
        )
        best = min((rank for _, rank in entering), default=math.inf)
        urgency = (-counts.breaking, -counts.unknown, not is_mostly_new, best, question.row)
        found.append((urgency, question))
    return tuple(question for _, question in sorted(found, key=lambda item: item[0]))


def _by_document(
    record: PreflightRecord, answers: Sequence[_Answer], passages: Mapping[int, NewPassage], to_ask: set[int]
) -> tuple[DocumentForecast, ...]:
    claims: dict[int, list[ClaimForecast]] = defaultdict(list)
    questions: dict[int, set[int]] = defaultdict(set)
    for answer in answers:
        for claim in answer.claims:
            for at in claim.documents:
                claims[at].append(claim)
        if answer.stored.row in to_ask:
            changed = [chunk.document for chunk in answer.planned.chunks]
            entering = [passages[number].document for number, _ in answer.planned.entering]
            for document in (*changed, *entering):
                if document is not None:
                    questions[document].add(answer.stored.row)
    found = [
        DocumentForecast(document=document, counts=OutcomeCounts.of(claims[at]), questions=len(questions[at]))
        for at, document in enumerate(record.documents)
    ]
    # A stable sort: documents of which as much breaks keep their order.
    return tuple(sorted(found, key=lambda one: _most_first(one.counts, one.questions)))


def _by_segment(
    answers: Iterable[StoredAnswer], claims: Sequence[ClaimForecast], questions: Sequence[QuestionToAsk]
) -> tuple[SegmentForecast, ...]:
    sizes: dict[str | None, int] = defaultdict(int)
    of_segment: dict[str | None, list[ClaimForecast]] = defaultdict(list)
    asked: dict[str | None, int] = defaultdict(int)
    for answer in answers:
        sizes[answer.segment] += 1
    for claim in claims:
        of_segment[claim.segment].append(claim)
    for question in questions:
        asked[question.segment] += 1
    found = [
        SegmentForecast(
            segment=segment, answers=size, counts=OutcomeCounts.of(of_segment[segment]), questions=asked[segment]
        )
        for segment, size in sorted(sizes.items(), key=lambda item: item[0] or "")
    ]
    return tuple(sorted(found, key=lambda one: _most_first(one.counts, one.questions)))


def _most_first(counts: OutcomeCounts, questions: int) -> tuple[int, int, int, int]:
    return (-counts.breaking, -questions, -counts.unknown, -counts.fixed)


def _project(store: Store, record: PreflightRecord, answers: Sequence[_Answer], view: View) -> Projection:
    before = get_summary(store, record.run_id, view=view).score.mean
    weights = preflights.load_weights(store.db, record.run_id)
    total = math.fsum(weights.values())
    if before is None or not total:
        return Projection(answers=0, before=None, after=None, worst=None, best=None)

    def mean(verdicts: str) -> float:
        changes = [
            weights.get(answer.stored.row, 0.0) * (_share(getattr(answer, verdicts)) - _share(answer.before))
            for answer in answers
            if answer.before and answer.stored.score is not None
        ]
        return min(1.0, max(0.0, before + math.fsum(changes) / total))

    return Projection(answers=len(weights), before=before, after=mean("after"), worst=mean("worst"), best=mean("best"))


def _share(verdicts: Sequence[bool]) -> float:
    return sum(verdicts) / len(verdicts)


def _numbers(text: str) -> set[str]:
    return set(_NUMBER.findall(text))

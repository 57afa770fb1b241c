"""The data that the answer view draws of a reviewed answer: the verdict that counts, and the claims people added."""

from faithview.domain.claim import Verdict
from faithview.domain.label import NOT_A_CLAIM, EffectiveVerdict, Label
from faithview.domain.result import Result
from faithview.domain.sample import Sample
from faithview.domain.scoring import ReviewedAnswer
from faithview.domain.views import View
from faithview.ui.components.answer_payload import AnswerPayload, ClaimPayload, build_payload, cut_answer
from faithview.wording.verdicts import verdict_word


def build_reviewed_payload(sample: Sample, result: Result, reviewed: ReviewedAnswer, view: View) -> AnswerPayload:
    """Return what the answer view draws of an answer that people have reviewed.

    Under `View.REVIEWED` marks and claims have the verdict that counts, with the judge's beside it where it differs;
    under `View.JUDGE` they have the judge's, with people's beside it. Claims that people found follow the judge's,
    numbered on; they count only under `View.REVIEWED`.
    """
    payload = build_payload(sample, result)
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
        "other": None,
        "found_by": label.reviewer,
        "is_counted": is_counted,
    }

"""`qa`: questions that the answer answers are answered from the chunks too, and the two answers compared.

The same 1, partly the same 0.5, different 0, and 0 where the chunks do not tell; the score is the mean. Three calls: a
model that answers from the chunks must not see what the answer says.
"""

from collections.abc import Mapping, Sequence
from statistics import fmean

from faithview.domain.claim import Claim, Verdict
from faithview.domain.result import State
from faithview.domain.sample import Sample
from faithview.judges.llm.asking import Asker
from faithview.judges.llm.fences import fence_items
from faithview.judges.llm.methods.base import Expected, Outcome, cited, nothing_claimed
from faithview.judges.llm.parsing import anchor, by_number, check_chunks, check_numbers, evidence_from
from faithview.judges.llm.schemas import (
    AnsweredQuestion,
    Comparison,
    Comparisons,
    ContextAnswer,
    ContextAnswers,
    Questions,
    Sameness,
)

_MOST_QUESTIONS = 5
_NOT_FOUND = "NOT FOUND"
_VERDICTS = {
    Sameness.SAME: Verdict.SUPPORTED,
    Sameness.PARTLY: Verdict.PARTIALLY_SUPPORTED,
    Sameness.DIFFERENT: Verdict.CONTRADICTED,
}
_SCORES = {
    Verdict.SUPPORTED: 1.0,
    Verdict.PARTIALLY_SUPPORTED: 0.5,
    Verdict.NOT_MENTIONED: 0.0,
    Verdict.CONTRADICTED: 0.0,
}


class Qa:
    """Questions and answers."""

    name = label = "qa"
    steps = ("qa_questions", "qa_answers", "qa_compare")
    main_step = "qa_compare"

    async def judge(self, sample: Sample, asker: Asker) -> Outcome:
        """Judge one answer; its questions become claims. Only questions that the chunks answer are compared."""
        asked = await asker.ask("qa_questions", Questions, check=_check_questions)
        if not asked.questions:
            return nothing_claimed(abstained=asked.abstained)
        answers = await _answer_from_chunks(asked.questions, sample, asker)
        answered = [n for n, a in enumerate(answers, start=1) if not _is_not_found(a)]
        compared = await _compare(asked.questions, answers, answered, asker) if answered else {}
        claims = tuple(
            _claim(question, answer, compared.get(number), sample)
            for number, (question, answer) in enumerate(zip(asked.questions, answers, strict=True), start=1)
        )
        score = fmean(_SCORES[claim.verdict] for claim in claims)
        return Outcome(state=State.JUDGED, claims=claims, score=score, metrics={"qa": score})

    def expect(self, sample: Sample) -> Sequence[Expected]:
        """Three calls over four questions or so."""
        return (
            Expected(step="qa_questions", calls=1, completion_tokens=280),
            Expected(step="qa_answers", calls=1, completion_tokens=260),
            Expected(step="qa_compare", calls=1, completion_tokens=140),
        )


def _check_questions(reply: Questions) -> list[str]:
    count = len(reply.questions)
    return [f"there are {count} questions, at most {_MOST_QUESTIONS} are wanted"] if count > _MOST_QUESTIONS else []


async def _answer_from_chunks(
    questions: Sequence[AnsweredQuestion], sample: Sample, asker: Asker
) -> list[ContextAnswer]:
    def check(reply: ContextAnswers) -> list[str]:
        problems = check_numbers("answer to question", [a.question for a in reply.answers], len(questions))
        for answer in reply.answers:
            where = f"the answer to question {answer.question}"
            problems += check_chunks(where, [q.chunk for q in answer.evidence], sample)
            if not answer.evidence and not _is_not_found(answer):
                problems.append(f"{where} quotes no chunk; where the chunks do not tell, it is {_NOT_FOUND}")
        return problems

    listed = fence_items("questions", [{"question": n, "text": q.question} for n, q in enumerate(questions, start=1)])
    reply = await asker.ask("qa_answers", ContextAnswers, check=check, data={"questions": listed})
    return by_number(reply.answers, lambda answer: answer.question)


async def _compare(
    questions: Sequence[AnsweredQuestion], answers: Sequence[ContextAnswer], answered: Sequence[int], asker: Asker
) -> Mapping[int, Comparison]:
    """Return the comparisons by the number of the question; they are numbered anew for the model, without gaps."""

    def check(reply: Comparisons) -> list[str]:
        return check_numbers("comparison for question", [c.question for c in reply.comparisons], len(answered))

    listed = fence_items(
        "comparisons",
        [
            {
                "question": position,
                "text": questions[number - 1].question,
                "from_examined_text": questions[number - 1].answer,
                "from_sources": answers[number - 1].answer,
            }
            for position, number in enumerate(answered, start=1)
        ],
    )
    reply = await asker.ask("qa_compare", Comparisons, check=check, data={"comparisons": listed})
    return {answered[c.question - 1]: c for c in reply.comparisons}


def _is_not_found(answer: ContextAnswer) -> bool:
    return answer.answer.strip().strip(".\"'").upper() == _NOT_FOUND


def _claim(question: AnsweredQuestion, answer: ContextAnswer, comparison: Comparison | None, sample: Sample) -> Claim:
    verdict = Verdict.NOT_MENTIONED if comparison is None else _VERDICTS[comparison.sameness]
    reason = "" if comparison is None else f"\n{comparison.explanation}"
    span = anchor(sample.answer, question.quote)
    return Claim(
        text=f"{question.question} {question.answer}",
        verdict=verdict,
        spans=() if span is None else (span,),
        support_score=_SCORES[verdict],
        explanation=f"From the answer: {question.answer}\nFrom the context: {answer.answer}{reason}",
        correction=answer.answer if verdict is Verdict.CONTRADICTED else None,
        supporting_chunk_ids=cited(answer.evidence, sample),
        evidence=evidence_from(answer.evidence, sample),
    )

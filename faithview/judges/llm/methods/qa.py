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
from faithview.judges.llm.methods.method import (
    Method,
    Outcome,
    check_abstained,
    is_remark,
    make_claim,
    nothing_claimed,
    quote_flaws,
)
from faithview.judges.llm.prompts import fence_items
from faithview.judges.llm.replies.anchoring import anchor_pieces
from faithview.judges.llm.replies.reading import Repair
from faithview.judges.llm.replies.schemas import (
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


class Qa(Method):
    """Questions and answers."""

    name = "qa"
    steps = ("qa_questions", "qa_answers", "qa_compare")

    async def judge(self, sample: Sample, asker: Asker) -> Outcome:
        """Judge one answer; its questions become claims. Only questions that the chunks answer are compared."""
        reply = await asker.ask(
            "qa_questions", Questions, flaws=lambda reply, is_cut: check_abstained(reply, reply.questions)
        )
        stated = reply.questions[:_MOST_QUESTIONS]
        questions = [q for q in stated if not (is_remark(q.answer) or _is_not_found(q.answer))]
        asker.repairs[Repair.NO_CLAIM] += len(stated) - len(questions)
        if not questions:
            return nothing_claimed(abstained=reply.abstained or bool(stated))
        answers = await _answer_from_chunks(questions, asker)
        answered = [number for number, answer in answers.items() if not _is_not_found(answer.answer)]
        compared = await _compare(questions, answers, answered, asker) if answered else {}
        # After a cut-off reply, a question may be without an answer, or an answer without a comparison.
        claims = tuple(
            _claim(questions[number - 1], answer, compared.get(number), asker)
            for number, answer in answers.items()
            if number in compared or number not in answered
        )
        score = fmean(_SCORES[claim.verdict] for claim in claims)
        return Outcome(state=State.JUDGED, claims=claims, score=score, metrics={"qa": score})


async def _answer_from_chunks(questions: Sequence[AnsweredQuestion], asker: Asker) -> dict[int, ContextAnswer]:
    def flaws(answer: ContextAnswer) -> list[str]:
        if _is_not_found(answer.answer):
            return []
        found = quote_flaws("answered", answer.evidence, asker.sample)
        return [f"{flaw}; where the chunks do not tell, the answer is {_NOT_FOUND}" for flaw in found]

    listed = fence_items("questions", [{"question": n, "text": q.question} for n, q in enumerate(questions, start=1)])
    _, answers = await asker.ask_list(
        "qa_answers", ContextAnswers, "question", len(questions), flaws=flaws, data={"questions": listed}
    )
    return answers


async def _compare(
    questions: Sequence[AnsweredQuestion], answers: Mapping[int, ContextAnswer], answered: Sequence[int], asker: Asker
) -> Mapping[int, Comparison]:
    """Return the comparisons by the number of the question; they are renumbered for the model, without gaps."""
    listed = fence_items(
        "comparisons",
        [
            {
                "question": position,
                "text": questions[number - 1].question,
                "from_examined_text": questions[number - 1].answer,
                "from_sources": answers[number].answer,
            }
            for position, number in enumerate(answered, start=1)
        ],
    )
    _, compared = await asker.ask_list(
        "qa_compare", Comparisons, "question", len(answered), data={"comparisons": listed}
    )
    return {answered[position - 1]: comparison for position, comparison in compared.items()}


def _is_not_found(answer: str) -> bool:
    return answer.strip().strip(".\"'").upper() == _NOT_FOUND


def _claim(question: AnsweredQuestion, answer: ContextAnswer, comparison: Comparison | None, asker: Asker) -> Claim:
    verdict = Verdict.NOT_MENTIONED if comparison is None else _VERDICTS[comparison.sameness]
    reason = "" if comparison is None or not comparison.explanation else f"\n{comparison.explanation}"
    return make_claim(
        f"{question.question} {question.answer}",
        verdict,
        anchor_pieces(asker.sample.answer, question.quote),
        asker,
        quotes=answer.evidence,
        support_score=_SCORES[verdict],
        explanation=f"From the answer: {question.answer}\nFrom the context: {answer.answer}{reason}",
        correction=answer.answer if verdict is Verdict.CONTRADICTED else None,
    )

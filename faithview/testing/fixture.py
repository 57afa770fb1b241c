"""The fixture `faithfulness`: judges answers in a test, and records them."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from faithview.api.results import JudgedAnswer
from faithview.domain.run import DEFAULT_JUDGE
from faithview.domain.sample import Context, Sample
from faithview.testing.assertion import JudgeArguments, judge_answer, least_score, require
from faithview.testing.options import SessionOptions
from faithview.testing.recording import RecordedAnswer, pack, row_name

__all__ = ["Faithfulness", "fixture_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Faithfulness:
    """Judges answers in one test. What it judges is a row of the session's run if pytest got `--faithview-db`.

    `min_score` is the least share of supported claims in [0, 1]: the marker's (`@pytest.mark.faithview(min_score=1)`),
    else that of `--faithview-min-score`, else 0.8. `key` and `segment` are those of the rows: the test's id, and the
    marker's segment or the test's file.
    """

    judge: str
    min_score: float
    key: str
    segment: str
    record: Callable[[str], None] = field(repr=False)

    def check(self, answer: str, context: Context, question: str | None = None) -> JudgedAnswer:
        """Judge and record an answer, and return the result. It fails no test.

        Args:
            answer: the answer.
            context: the chunks that it was made from.
            question: what the user asked.

        Returns:
            The judged answer; its faithfulness and `is_faithful` are by the session's minimum score.
        """
        return self._judge(answer, context, question, self.min_score)

    def assert_faithful(
        self,
        answer: str,
        context: Context,
        question: str | None = None,
        *,
        min_score: float | None = None,
    ) -> None:
        """Judge and record an answer, and fail unless it is faithful.

        Args:
            answer: the answer.
            context: the chunks that it was made from.
            question: what the user asked.
            min_score: the minimum share of supported claims; by default the marker's or the session's.

        Raises:
            AnswerNotFaithful: the answer is not faithful (see `faithview.testing.assert_faithful`).
        """
        __tracebackhide__ = True
        require(self._judge(answer, context, question, self.min_score if min_score is None else min_score))

    def _judge(self, answer: str, context: Context, question: str | None, min_score: float) -> JudgedAnswer:
        sample = replace(Sample.of(answer, context, question=question, key=self.key), segment=self.segment)
        result = judge_answer(JudgeArguments(judge=self.judge), sample, min_score=min_score)
        self.record(pack(RecordedAnswer(sample=sample, result=result.plain())))
        return result


def fixture_of(
    options: SessionOptions,
    *,
    node_id: str,
    segment: str | None,
    min_score: float | None,
    record: Callable[[str], None],
) -> Faithfulness:
    """Return the fixture of one test; `segment` and `min_score` are the marker's, `record` takes a packed answer."""
    return Faithfulness(
        judge=options.judge or DEFAULT_JUDGE,
        min_score=least_score(min_score, options),
        key=row_name(node_id),
        segment=row_name(segment or node_id.partition("::")[0]),
        record=record,
    )

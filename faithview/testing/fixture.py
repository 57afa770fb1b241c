"""The fixture `faithfulness`: judges answers in a test, and records them."""

import base64
import pickle
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from hashlib import sha256

from faithview.api.results import JudgedAnswer
from faithview.domain.sample import Context, Sample
from faithview.testing.assertion import judge_answer, require
from faithview.testing.options import SessionOptions

# A key or a segment of a sample can be 500 characters long, and "#2" may be added to a key.
_MOST_CHARACTERS = 480
_DIGEST = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Faithfulness:
    """Judges answers in one test. What it judges is a row of the session's run if pytest got `--faithview-db`.

    `min_score` is the marker's least share of supported claims in [0, 1] (`@pytest.mark.faithview(min_score=1)`); None
    is that of `--faithview-min-score`, else 0.8. `key` and `segment` are those of the rows: the test's id, and the
    marker's segment or the test's file. `options` are the session's.
    """

    options: SessionOptions
    min_score: float | None
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

    def _judge(self, answer: str, context: Context, question: str | None, min_score: float | None) -> JudgedAnswer:
        sample = replace(Sample.of(answer, context, question=question, key=self.key), segment=self.segment)
        result = judge_answer(sample, self.options, min_score=min_score)
        # As text, because pytest-xdist sends it with the test's report from process to process.
        self.record(base64.b64encode(pickle.dumps(result)).decode("ascii"))
        return result


def unpack(text: str) -> JudgedAnswer:
    """Return an answer that a fixture recorded."""
    answer: JudgedAnswer = pickle.loads(base64.b64decode(text))  # noqa: S301 - from a process of this very session
    return answer


def row_name(text: str) -> str:
    """Return a test's id, or a segment, as a store can hold it: what is too long keeps its beginning and a digest."""
    clean = text.encode("utf-8", "backslashreplace").decode("utf-8").replace("\x00", "\\x00")
    if len(clean) <= _MOST_CHARACTERS:
        return clean
    digest = sha256(clean.encode()).hexdigest()[:_DIGEST]
    return f"{clean[: _MOST_CHARACTERS - _DIGEST - 1]}~{digest}"

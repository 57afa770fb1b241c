"""What becomes of a real model's replies, from the call to the page; its verdicts are worthless, and not looked at."""

from collections.abc import Iterator

import pytest

from faithview import FaithfulnessGuard
from faithview.domain.answer import AnswerDetail
from faithview.domain.scoring import State
from faithview.services.container import Store
from faithview.services.results import iterate_answers, retry_failed
from faithview.services.runs.create import judge_here
from tests.factories import add_run
from tests.small_model import asked_through, judge_of, running, sample_answers
from tests.ui.conftest import OpenPage, words_of

pytestmark = [pytest.mark.integration, pytest.mark.timeout(1_200)]

# One takes half a minute here, and as long again where it fails and is judged again.
_ANSWERS = 2


@pytest.fixture(scope="module")
def model() -> Iterator[str]:
    """The model's address."""
    with running() as url:
        yield url


@pytest.mark.parametrize("refuses_schemas", [False, True], ids=["schema", "no schema"])
@pytest.mark.parametrize("method", ["single", "claims", "sentence"])
def test_each_answer_is_judged_or_failed_with_a_reason(
    model: str,
    method: str,
    refuses_schemas: bool,
    services: Store,
    open_page: OpenPage,
    caplog: pytest.LogCaptureFixture,
) -> None:
    with asked_through(model, refuses_schemas=refuses_schemas) as front:
        run = add_run(services, sample_answers(_ANSWERS), judge=judge_of(method))
        judge_here(services, run, concurrency=2)
        judged = list(iterate_answers(services, run.run_id))
        assert len(judged) == _ANSWERS
        for answer in judged:
            assert answer.result.error if answer.result.state is State.FAILED else not answer.result.error
            assert _quotes_are_exact(answer)
        failed = [answer.position for answer in judged if answer.result.state is State.FAILED]

        if failed:
            page = words_of(open_page("pages/answers.py", run=run.run_id))
            assert f"{len(failed)} failed" in page

        calls, front.calls = front.calls, 0
        assert retry_failed(services, run.run_id) == len(failed)
        judge_here(services, run, concurrency=2)
        again = list(iterate_answers(services, run.run_id))
        assert [a for a in again if a.position not in failed] == [a for a in judged if a.position not in failed]
        assert front.calls < calls if len(failed) < _ANSWERS else front.calls
    assert not [record for record in caplog.records if record.exc_info]


@pytest.mark.parametrize("refuses_schemas", [False, True], ids=["schema", "no schema"])
def test_the_guard_sends_no_answer_that_it_has_not_judged(model: str, refuses_schemas: bool) -> None:
    judge = judge_of("single")
    with asked_through(model, refuses_schemas=refuses_schemas):
        guard = FaithfulnessGuard(judge.name, method=judge.method, options=judge.options)
        for sample in sample_answers(1):
            given = sample.answer.replace("€9", "€12")
            guarded = guard.guard_and_correct(answer=given, context=sample.chunks, question=sample.question)
            assert guarded.answer == given or guarded.changed
            assert guarded.passed == guarded.after.passed
            assert guarded.after.passed or guarded.after.reason


def _quotes_are_exact(answer: AnswerDetail) -> bool:
    texts = {chunk.chunk_id: chunk.text for chunk in answer.sample.chunks}
    places = [
        (texts[evidence.chunk_id], evidence.span, evidence.quote)
        for claim in answer.result.claims
        for evidence in claim.evidence
        if evidence.span is not None
    ]
    return all(text[span.start : span.end] == quote for text, span, quote in places) and all(
        0 <= span.start < span.end <= len(answer.sample.answer)
        for claim in answer.result.claims
        for span in claim.spans
    )

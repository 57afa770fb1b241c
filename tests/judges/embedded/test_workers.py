"""Several workers judge at the same time, say what one says, and stop when they are told to."""

import asyncio
import threading
from collections.abc import Callable, Sequence

import pytest

from faithview.domain.errors import JudgeUnavailable
from faithview.domain.result import Result, State
from faithview.domain.run import JudgeSpec
from faithview.domain.sample import Sample
from faithview.judges.registry import create_judge
from tests.helpdesk import read_answers

_SAMPLES = [Sample.of(one.answer, list(one.chunks), question=one.question) for one in read_answers()[:6]]


async def _judge_all(samples: Sequence[Sample], workers: str) -> list[Result | BaseException]:
    judge = create_judge(JudgeSpec(name="embedded", options={"workers": workers}))
    try:
        return await asyncio.gather(*map(judge.judge, samples), return_exceptions=True)
    finally:
        await judge.aclose()


def _judging(monkeypatch: pytest.MonkeyPatch, judge_sample: Callable[[Sample], None]) -> None:
    def judge(sample: Sample, _strictness: object) -> Result:
        judge_sample(sample)
        return Result(state=State.NO_CLAIMS, judge="embedded")

    monkeypatch.setattr("faithview.judges.embedded.judge.judge_sample", judge)


def test_they_say_what_one_says() -> None:
    assert asyncio.run(_judge_all(_SAMPLES, "2")) == asyncio.run(_judge_all(_SAMPLES, "1"))


def test_they_judge_at_the_same_time(monkeypatch: pytest.MonkeyPatch) -> None:
    together = threading.Barrier(2, timeout=30)
    _judging(monkeypatch, lambda _: together.wait() and None)
    assert [type(one) for one in asyncio.run(_judge_all(_SAMPLES[:2], "2"))] == [Result, Result]


def test_an_answer_that_breaks_the_judge_costs_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    def judge(sample: Sample) -> None:
        if sample is _SAMPLES[1]:
            raise TypeError

    _judging(monkeypatch, judge)
    found = asyncio.run(_judge_all(_SAMPLES, "2"))
    assert [type(one) for one in found] == [Result, TypeError, *[Result] * (len(_SAMPLES) - 2)]


def test_what_waits_when_a_run_is_cancelled_is_never_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, may_end = threading.Event(), threading.Event()
    judged: list[Sample] = []

    def judge(sample: Sample) -> None:
        judged.append(sample)
        begun.set()
        may_end.wait(30)

    async def cancel() -> None:
        run = asyncio.create_task(_judge_all(_SAMPLES, "1"))
        await asyncio.to_thread(begun.wait, 30)
        run.cancel()
        threading.Timer(0.1, may_end.set).start()  # once all are cancelled
        with pytest.raises(asyncio.CancelledError):
            await run

    _judging(monkeypatch, judge)
    asyncio.run(cancel())
    assert judged == _SAMPLES[:1]


@pytest.mark.parametrize("workers", ["0", "-1", "two", "1.5", "100000"])
def test_a_number_that_cannot_be_is_refused(workers: str) -> None:
    with pytest.raises(JudgeUnavailable, match=f"cannot have {workers} workers"):
        create_judge(JudgeSpec(name="embedded", options={"workers": workers}))

"""`from faithview import ...`: what a script or a notebook calls."""

import asyncio
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import faithview
from faithview import Chunk, Sample, State, Verdict, check, evaluate, open_store
from faithview.domain.errors import InvalidInput, InvalidSample, JudgeUnavailable
from faithview.domain.run import RunStatus
from faithview.services.results.runs import count_runs, get_run, get_summary, list_runs
from faithview.services.results.series import list_series
from tests.vendor import Vendor

CONTEXT = ["The office opens at 9 am on weekdays.", "Parking is free for guests."]


def test_check_finds_what_the_chunks_say_otherwise() -> None:
    result = check(answer="The office opens at 11 am on weekdays.", context=CONTEXT, question="When?")
    assert result.faithfulness == 0.0
    (claim,) = result.claims
    assert claim.verdict is Verdict.CONTRADICTED
    assert claim.supporting_chunk_ids == ("1",)


def test_check_takes_chunks_with_ids_and_a_threshold() -> None:
    chunks = [Chunk(text=text, chunk_id=f"kb-{n}") for n, text in enumerate(CONTEXT)]
    answer = "Parking is free for guests. The director keeps four llamas."
    strict = check(answer=answer, context=chunks)
    lax = check(answer=answer, context=chunks, threshold=0.5)
    assert strict.claims[0].supporting_chunk_ids == ("kb-1",)
    assert (strict.is_faithful, lax.is_faithful) == (False, True)


@pytest.mark.parametrize("threshold", [-1, 7, float("nan")])
def test_check_refuses_a_threshold_that_is_no_share(threshold: float) -> None:
    with pytest.raises(InvalidInput, match="between 0 and 1"):
        check(answer="Parking is free.", context=CONTEXT, threshold=threshold)


@pytest.mark.parametrize(("context", "state"), [([], State.EMPTY_CONTEXT), (["  "], State.EMPTY_CONTEXT)])
def test_check_without_context_gives_no_number(context: list[str], state: State) -> None:
    result = check(answer="It opens at 9 am.", context=context)
    assert (result.state, result.faithfulness) == (state, None)


def test_check_works_where_a_loop_is_running_already() -> None:
    async def notebook() -> float | None:
        return check(answer="Parking is free for guests.", context=CONTEXT).faithfulness

    assert asyncio.run(notebook()) == 1.0


def test_evaluate_works_where_a_loop_is_running_already() -> None:
    async def notebook() -> int:
        return evaluate([Sample.of("Parking is free for guests.", CONTEXT)]).summary.rows

    assert asyncio.run(notebook()) == 1


def test_evaluate_gives_figures_and_results_in_the_given_order() -> None:
    answers = ["Parking is free for guests.", "The office opens at 11 am on weekdays.", "Parking is free for guests."]
    evaluation = evaluate([Sample.of(answer, CONTEXT, question=f"q{n}") for n, answer in enumerate(answers)])
    assert [result.faithfulness for result in evaluation.results] == [1.0, 0.0, 1.0]
    assert evaluation.summary.score.mean == pytest.approx(2 / 3)
    assert evaluation.summary.score.interval is not None


def test_evaluate_keeps_the_run_in_a_store_that_is_given(store_url: str) -> None:
    with open_store(store_url) as store:
        rows = [
            Sample(answer="x", key="same"),
            Sample(answer="y", key="same", timestamp=datetime(2026, 1, 1, tzinfo=UTC)),
        ]
        first = evaluate(rows, store=store, name="mine", kb_version="v1")
        second = evaluate(iter(rows), store=store, name="mine")
        assert [run.name for run in list_runs(store)] == [second.summary.run.name, "mine"]
        assert get_summary(store, first.summary.run.run_id) == first.summary
        assert get_run(store, "mine").kb_version == "v1"
        assert get_run(store, "mine").as_of == datetime(2026, 1, 1, tzinfo=UTC)


def test_a_run_is_in_the_series_that_is_named_or_in_that_of_the_same_questions(store_url: str) -> None:
    rows = [Sample(answer="x", question="What is it?"), Sample(answer="y", question="Who is it?")]
    with open_store(store_url) as store:
        named = evaluate(rows, store=store, name="a", series="My bot")
        assert named.summary.run.series == evaluate(rows, store=store, name="b").summary.run.series == "My bot"
        assert [(s.name, s.runs) for s in list_series(store)] == [("My bot", 2)]
        with pytest.raises(InvalidInput, match=r"The series 'a\\ud800' contains a character that cannot be stored"):
            evaluate(rows, store=store, series="a\ud800")


def test_an_llm_judge_is_told_everything_that_the_command_line_can_tell(vendor: Vendor, tmp_path: Path) -> None:
    own = tmp_path / "kind.md"
    own.write_text("Be kind.\n$chunks\n$question\n$answer\n", encoding="utf-8")
    rows = [Sample.of(f"Parking {n} is free.", CONTEXT, question="Is it?") for n in range(3)]
    with open_store(f"sqlite:///{tmp_path / 'x.db'}") as store:
        how: dict[str, Any] = {"judge": "openai:m", "method": "single", "store": store}
        first = evaluate(rows, prompt=own, companions=True, options={"max_tokens": "900"}, **how).summary
        assert vendor.calls == first.usage.llm_calls == 6
        assert "kind:" in first.run.fingerprint
        assert all("Be kind." in call.system for call in vendor.server.calls if call.schema == "SingleReply")
        assert vendor.server.calls[0].body["max_completion_tokens"] == 900
        again = evaluate(rows, prompt=own.read_text(encoding="utf-8"), companions=True, **how).summary
        assert "custom:" in again.run.fingerprint  # a prompt without a name is another one
        assert evaluate(rows, prompt=own, companions=True, **how).summary.usage.llm_calls == 0
        assert evaluate(rows, prompt=own, companions=True, use_cache=False, **how).summary.usage.llm_calls == 6
        stopped = evaluate(rows, strictness="lenient", max_calls=2, **how).summary
        assert (stopped.run.status, stopped.usage.llm_calls) == (RunStatus.CANCELLED, 2)
        assert "/lenient/" in stopped.run.fingerprint
        with pytest.raises(InvalidInput, match="No price is known"):
            evaluate(rows, max_cost=1.0, **how)
        assert count_runs(store) == 5
    result = check(answer="A.", context=CONTEXT, question="Q?", judge="openai:m", strictness="lenient", companions=True)
    assert set(result.metrics) >= {"answer_relevance", "context_relevance"}
    with pytest.raises(InvalidInput, match="asks no model"):
        check(answer="A.", context=CONTEXT, judge="lexical", strictness="lenient")


def test_evaluate_refuses_what_cannot_be_judged() -> None:
    with pytest.raises(InvalidInput, match="no answer"):
        evaluate([])
    with pytest.raises(JudgeUnavailable):
        evaluate([Sample(answer="x")], judge="nope")
    with pytest.raises(InvalidSample):
        check(answer="a\x00", context=[])


def test_a_store_is_opened_by_the_environment_s_url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAITHVIEW_DB", f"sqlite:///{tmp_path / 'env.db'}")
    open_store().close()
    assert (tmp_path / "env.db").is_file()


def test_everything_that_is_promised_is_there() -> None:
    for name in faithview.__all__:
        assert getattr(faithview, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nope'"):
        getattr(faithview, "nope")  # noqa: B009 - a plain attribute would not pass the type check


def test_a_context_of_one_string_is_one_chunk() -> None:
    result = faithview.check(answer=CONTEXT[1], context=CONTEXT[1])
    assert result.claims == faithview.check(answer=CONTEXT[1], context=CONTEXT[1:]).claims
    assert result.faithfulness == 1.0


def test_acheck_gives_the_same_result_and_leaves_the_event_loop_free() -> None:
    async def together() -> tuple[faithview.Result, int]:
        steps = 0
        task = asyncio.create_task(faithview.acheck(answer=CONTEXT[1], context=CONTEXT[1]))
        while not task.done():
            await asyncio.sleep(0)
            steps += 1
        return task.result(), steps

    result, steps = asyncio.run(together())
    assert result.claims == faithview.check(answer=CONTEXT[1], context=CONTEXT[1]).claims
    assert steps > 1


def test_the_package_lists_what_it_offers() -> None:
    assert set(faithview.__all__) <= set(dir(faithview))
    assert all(hasattr(faithview, name) for name in faithview.__all__)

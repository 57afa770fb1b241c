"""`from faithview import ...`: what a script or a notebook calls."""

import asyncio
import inspect
import json
import sys
import traceback
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import faithview
from faithview import (
    Chunk,
    FaithfulnessGuard,
    Sample,
    State,
    Verdict,
    acheck,
    aevaluate,
    check,
    evaluate,
    flush_log,
    generate_with_validation,
    log_answer,
    log_counts,
    open_store,
)
from faithview.cli.main import main
from faithview.domain.errors import InvalidInput, InvalidSample, JudgeUnavailable
from faithview.domain.run import RunStatus
from faithview.services.results import get_run, get_summary, list_runs
from faithview.store.runs import count_runs
from faithview.store.series import list_series
from faithview.testing import assert_faithful
from tests.vendor import Vendor

CONTEXT = ["The office opens at 9 am on weekdays.", "Parking is free for guests."]


def test_check_finds_what_the_chunks_say_otherwise() -> None:
    result = check(answer="The office opens at 11 am on weekdays.", context=CONTEXT, question="When?")
    assert result.faithfulness == 0.0
    (claim,) = result.claims
    assert claim.verdict is Verdict.CONTRADICTED
    assert claim.supporting_chunk_ids == ("1",)


def test_check_takes_chunks_with_ids_and_a_threshold() -> None:
    context = ["Parking is free for guests.", "Most rooms have a balcony."]
    chunks = [Chunk(text=text, chunk_id=f"kb-{n}") for n, text in enumerate(context, start=1)]
    answer = "Parking is free for guests. All rooms have a balcony."
    strict = check(answer=answer, context=chunks, judge="lexical")
    lax = check(answer=answer, context=chunks, threshold=0.5, judge="lexical")
    assert strict.claims[0].supporting_chunk_ids == ("kb-1",)
    assert [claim.verdict for claim in strict.claims] == [Verdict.SUPPORTED, Verdict.PARTIALLY_SUPPORTED]
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


def test_a_run_is_in_the_series_that_is_named_or_in_that_of_its_name(store_url: str) -> None:
    rows = [Sample(answer="x", question="What is it?"), Sample(answer="y", question="Who is it?")]
    with open_store(store_url) as store:
        evaluate(rows, store=store, name="a", series="My bot")
        for day in (1, 2):
            evaluate(rows, store=store, name=f"nightly 2026-11-0{day}")
        assert [(s.name, s.runs) for s in list_series(store.db)] == [("nightly", 2), ("My bot", 1)]
        with pytest.raises(InvalidInput, match=r"The name 'a\\ud800' contains a character that cannot be stored"):
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
        stopped = evaluate(rows, strictness="lenient", max_calls=2, concurrency=1, **how).summary
        assert (stopped.run.status, stopped.usage.llm_calls) == (RunStatus.CANCELLED, 2)
        assert "/lenient/" in stopped.run.fingerprint
        with pytest.raises(InvalidInput, match="No price is known"):
            evaluate(rows, max_cost=1.0, **how)
        assert count_runs(store.db) == 5
    result = check(answer="A.", context=CONTEXT, question="Q?", judge="openai:m", strictness="lenient", companions=True)
    assert set(result.metrics) >= {"answer_relevance", "context_relevance"}
    with pytest.raises(InvalidInput, match="does not call a model"):
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


@pytest.mark.parametrize(
    "chunk",
    [
        {"id": "kb-1", "text": CONTEXT[1], "metadata": {"page": 2}, "score": 0.5},
        {"id": "kb-1", "content": CONTEXT[1], "metadata": {"page": 2}, "score": 0.5},
        {"chunk_id": "kb-1", "page_content": CONTEXT[1], "metadata": {"page": 2}, "score": 0.5, "rank": 1},
    ],
)
def test_chunks_may_be_dictionaries_wherever_a_context_is_taken(chunk: dict[str, Any], tmp_path: Path) -> None:
    expected = Sample.of(CONTEXT[1], [Chunk(text=CONTEXT[1], chunk_id="kb-1", metadata={"page": 2}, score=0.5)])
    for context in ([chunk], chunk, (chunk,)):
        assert check(answer=CONTEXT[1], context=context, judge="lexical").sample == expected
    with FaithfulnessGuard("lexical") as guard:
        assert guard.check(answer=CONTEXT[1], context=[chunk]).result.claims[0].supporting_chunk_ids == ("kb-1",)
        made = generate_with_validation(
            question="q?", context=[chunk], generator=lambda request: request.chunks[0].text, judge=guard
        )
        assert made.validated
    assert_faithful(CONTEXT[1], [chunk], judge="lexical")
    url = f"sqlite:///{tmp_path / 'log.db'}"
    assert log_answer(CONTEXT[1], [chunk], store=url)
    assert flush_log()
    assert log_counts(url).refused == 0


@pytest.mark.parametrize(
    ("context", "said"),
    [
        (None, "a mapping with `text`, or a list of these, not None"),
        (5, "not int"),
        ([None], "Chunk 1 of the context must be a string, a Chunk, or a mapping with `text`, not None"),
        (["x", ["y"]], "Chunk 2 of the context must be .*, not list"),
        ([{"words": "x"}], "it has only 'words'"),
        ([{}], "it has only nothing"),
        ([{"text": "x", "content": "y"}], "it has `text` and `content`"),
        ([{"text": 5}], "The text of chunk 1 must be a string, not int"),
        ([{"text": "x", "source": "y"}], "the unknown field 'source'; put it in `metadata`"),
        ([{"text": "x", "score": "0.5"}], "The score of chunk 1 must be a number, not str"),
        ([{"text": "x", "rank": "1"}], "The rank of chunk 1 must be a whole number from 1, not '1'"),
        ([{"text": "x", "metadata": "m"}], "The metadata of chunk 1 must be a mapping, not str"),
        ([Chunk(text="x", rank="1")], "The rank of chunk 1"),  # type: ignore[arg-type]  # wrong on purpose
    ],
)
def test_a_context_of_another_type_is_refused_in_a_sentence(context: Any, said: str) -> None:
    with pytest.raises(InvalidSample, match=said):
        check(answer="x", context=context, judge="lexical")


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("threshold", "0.8", "`threshold` must be a number from 0 to 1, for example 0.8, not the string '0.8'."),
        ("threshold", None, "`threshold` must be a number from 0 to 1, for example 0.8, not None."),
        ("threshold", True, "`threshold` must be a number from 0 to 1, for example 0.8, not True."),
        ("judge", None, '`judge` must be a name, for example "embedded" or "openai:MODEL", not None.'),
        ("judge", 5, '`judge` must be a name, for example "embedded" or "openai:MODEL", not a value of the type int.'),
        ("method", 5, "`method` must be a name, not a value of the type int."),
        ("strictness", True, "`strictness` must be a name, not True."),
        ("prompt", 5, "`prompt` must be a string or the pathlib.Path of a file, not a value of the type int."),
        ("companions", "no", "`companions` must be True or False, not a string."),
        (
            "options",
            "key=secret",
            '`options` must be a mapping of names to values, for example {"timeout": "60"}, not a string.',
        ),
        ("store", Path("x.db"), "`store` must be a store that `open_store` .*, not a value of the type PosixPath."),
        ("name", None, "`name` must be a name, not None."),
        ("concurrency", "8", "`concurrency` must be a whole number, not the string '8'."),
        ("concurrency", 2.5, "`concurrency` must be a whole number, not a value of the type float."),
        ("max_calls", "5", "`max_calls` must be a whole number, not the string '5'."),
        ("max_cost", "5", "`max_cost` must be a number, not the string '5'."),
        ("kb_version", 5, "`kb_version` must be a string"),
        ("series", 5, "`series` must be a name"),
        ("columns", ["answer"], "`columns` must be a mapping of fields to columns"),
        ("use_cache", "no", "`use_cache` must be True or False"),
        ("progress", 1, "`progress` must be True or False"),
    ],
)
def test_an_argument_of_another_type_is_named_in_a_sentence(name: str, value: Any, said: str) -> None:
    given: dict[str, Any] = {name: value}
    rows = [{"answer": "x", "contexts": ["x"]}]
    calls: list[Callable[[], object]] = [lambda: evaluate(rows, **given)]
    calls += [lambda: asyncio.run(aevaluate(rows, **given))]
    if name in inspect.signature(check).parameters:
        calls += [lambda: check(answer="x", context="x", **given)]
        calls += [lambda: asyncio.run(acheck(answer="x", context="x", **given))]
    if name in inspect.signature(FaithfulnessGuard).parameters:
        calls += [lambda: FaithfulnessGuard(**given)]
        calls += [lambda: generate_with_validation(question="q?", context="x", generator=str, **given)]
    for call in calls:
        with pytest.raises(InvalidInput, match=said) as refused:
            call()
        assert "secret" not in str(refused.value)
        text = "".join(traceback.format_exception(refused.value))
        assert "no running event loop" not in text
        assert text.count("Traceback (most recent call last)") == 1


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: open_store(Path("x.db")), "`url` must be a store's URL"),  # type: ignore[arg-type]  # wrong on purpose
        (lambda: open_store(""), "The URL of the store is empty"),
        (lambda: evaluate([{"answer": "x", "contexts": ["x"]}], store=""), "The URL of the store is empty"),
        (lambda: assert_faithful("x", "x", min_score="0.8"), "`min_score` must be a number"),  # type: ignore[arg-type]  # wrong on purpose
        (lambda: FaithfulnessGuard(fallback=5), "`fallback` must be a string"),  # type: ignore[arg-type]  # wrong on purpose
        (lambda: _generate(max_retries="2"), "`max_retries` must be a whole number, not the string '2'"),
        (lambda: _generate(generator=5), "`generator` must be a model"),
        (lambda: _generate(question=5), "`question` must be a string, not a value of the type int"),
        (lambda: Sample(answer="x", chunks=["x"]), "Chunk 1 of the sample must be a Chunk"),  # type: ignore[arg-type]  # wrong on purpose
        (lambda: Sample(answer="x", chunks="x"), "The chunks of a sample are"),  # type: ignore[arg-type]  # wrong on purpose
        (lambda: Sample(answer="x", timestamp="2026-01-01"), "must be a datetime"),  # type: ignore[arg-type]  # wrong on purpose
        (lambda: Sample(answer="x", extra="x"), "must be a mapping"),  # type: ignore[arg-type]  # wrong on purpose
        (lambda: Sample(answer="x", inclusion_probability="1"), "must be a number"),  # type: ignore[arg-type]  # wrong on purpose
    ],
)
def test_other_wrong_types_end_in_a_sentence_too(call: Callable[[], object], said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        call()


def _generate(**given: Any) -> object:
    return generate_with_validation(**{"question": "q?", "context": "x", "generator": str, "judge": "lexical", **given})


def test_an_error_has_one_traceback() -> None:
    with pytest.raises(JudgeUnavailable) as refused:
        check(answer="x", context="x", judge="nonsense:x")
    assert "no running event loop" not in "".join(traceback.format_exception(refused.value))


def test_a_store_may_be_named_by_its_url(store_url: str) -> None:
    rows = [{"answer": CONTEXT[1], "contexts": CONTEXT, "question": "q"}]
    first = evaluate(rows, store=store_url, name="one", judge="lexical")
    second = asyncio.run(aevaluate(rows, store=store_url, name="two", judge="lexical"))
    with open_store(store_url) as store:
        assert {s.run.run_id for s in store.runs()} == {first.run_id, second.run_id}
        assert store.run("one").summary == first.summary
        for wrong in (5, None, store.runs()[0]):
            with pytest.raises(InvalidInput, match="must be a run's id or its name"):
                store.run(wrong)  # type: ignore[arg-type]  # wrong on purpose
            with pytest.raises(InvalidInput, match="`candidate` must be a run's id or its name"):
                store.compare("one", wrong)  # type: ignore[arg-type]  # wrong on purpose


def test_results_are_the_documents_of_the_command_line(
    store_file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def printed(*words: str) -> dict[str, Any]:
        monkeypatch.setattr(
            sys, "argv", ["faithview", *words, "--json", *(["--db", url] if words[0] != "check" else [])]
        )
        with pytest.raises(SystemExit):
            main()
        document: dict[str, Any] = json.loads(capsys.readouterr().out)
        return document

    url = f"sqlite:///{store_file}"
    wrong = "The office opens at 11 am on weekdays."
    result = check(answer=wrong, context=CONTEXT, question="When?", judge="lexical")
    assert result.to_dict() == printed(
        "check", "--answer", wrong, "--question", "When?", "--judge", "lexical", *(f"--context={c}" for c in CONTEXT)
    )
    with open_store(url) as store:
        for name, answer in (("one", CONTEXT[0]), ("two", wrong)):
            evaluate([{"answer": answer, "contexts": CONTEXT, "question": "q"}], store=store, name=name)
        assert store.run("two").to_dict() == printed("run", "show", "two")
        assert store.runs().to_dict() == printed("run", "list")
        assert store.compare("one", "two").to_dict() == printed("compare", "one", "two")


def test_results_are_readable_when_they_are_printed(tmp_path: Path) -> None:
    hostile = "The office opens at 11 am on weekdays.\x1b[31m"
    result = check(answer=hostile, context=CONTEXT, judge="lexical")
    lines = str(result).splitlines()
    assert lines[0] == "judged: not faithful, faithfulness 0.00, 1 of 1 claim is not supported"
    assert lines[1].split()[:3] == ["1", "contradicted", "The"]
    assert "\x1b" not in str(result)
    with FaithfulnessGuard("lexical") as guard:
        assert str(guard.check(answer=CONTEXT[0], context=CONTEXT)) == "passed: score 1.00."
        blocked = str(guard.check(answer=hostile, context=CONTEXT))
        assert blocked.startswith("blocked: score 0.00. 0 of 1 claim is supported (0.00), below the threshold of 0.80.")
        assert blocked.splitlines()[1].startswith("  claim 1, contradicted: The office opens at 11 am on weekdays.")
        assert "\x1b" not in blocked
        corrected = guard.guard_and_correct(answer="The office opens at 11 am on weekdays.", context=CONTEXT)
        assert str(corrected).splitlines() == ["corrected, passed: score 1.00.", CONTEXT[0]]
    with open_store(f"sqlite:///{tmp_path / 'x.db'}") as store:
        rows = [{"answer": CONTEXT[0], "contexts": CONTEXT, "question": "q"}]
        evaluation = evaluate(rows, store=store, name="one", judge="lexical")
        evaluate([{**rows[0], "answer": hostile}], store=store, name="two", judge="lexical")
        assert str(evaluation).splitlines()[0] == f"one ({evaluation.run_id}), complete, judge lexical"
        assert [line.split("  ")[1:4] for line in str(store.runs()).splitlines()] == [
            ["two", "complete", "lexical"],
            ["one", "complete", "lexical"],
        ]
        assert str(store.compare("one", "two")).startswith("one -> two: faithfulness 1.00 -> 0.00, −1.00, p ")


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

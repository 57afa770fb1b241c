"""Verdicts taken over from earlier runs and from equal rows of the same run: what is asked, and what is not."""

import json
from dataclasses import replace

import pytest

from faithview import Chunk, Sample, State
from faithview.domain.run import JudgeSpec
from faithview.services.container import Store
from faithview.services.judge_catalogue import make_spec
from faithview.services.results import get_run
from faithview.services.runs.budget import Limits
from faithview.services.runs.create import estimate_run, judge_here
from faithview.store.results import get_answer
from tests.judges.llm.server import Answer, Request, Say, sensible, sensible_reply
from tests.services.llm_runs import ROWS, SPEC, judge_run, point_at, rows_of, samples
from tests.services.scripted import ScriptedJudge
from tests.vendor import Vendor, running


def test_judging_the_same_answers_again_makes_no_call_and_says_so(services: Store, vendor: Vendor) -> None:
    first, before = judge_run(services, samples())
    assert (before.usage.llm_calls, before.usage.cached_calls, vendor.calls) == (2 * ROWS, 0, 2 * ROWS)
    second, after = judge_run(services, samples())
    assert vendor.calls == 2 * ROWS
    assert (after.usage.llm_calls, after.usage.cached_calls, after.usage.prompt_tokens) == (0, 2 * ROWS, 0)
    assert rows_of(services, second) == rows_of(services, first)
    _, third = judge_run(services, samples())
    assert third.usage.cached_calls == 2 * ROWS  # what it had cost once, however often it is taken over


def test_after_a_change_of_one_chunk_only_that_answer_is_judged(services: Store, vendor: Vendor) -> None:
    judge_run(services, samples())
    changed = samples()
    changed[3] = replace(changed[3], chunks=(Chunk(text="Chunk about  3."), Chunk(text="Another one.")))
    _, summary = judge_run(services, changed)
    assert (summary.usage.llm_calls, summary.usage.cached_calls) == (2, 2 * (ROWS - 1))
    assert vendor.calls_by_answer("Extraction") == {f"Answer {n} is here.": 1 + (n == 3) for n in range(ROWS)}


def test_verdicts_are_taken_over_with_the_chunk_ids_of_the_answer_at_hand(services: Store, vendor: Vendor) -> None:
    spec = make_spec("openai:m", companions=True)
    judge_run(services, samples(1), spec)
    asked = vendor.calls
    texts = [chunk.text for chunk in samples(1)[0].chunks]
    renamed = Sample(
        answer="Answer 0 is here.",
        question="q?",
        key="other",
        chunks=tuple(Chunk(text=text, chunk_id=name) for text, name in zip(texts, ("kb-7", "1"), strict=True)),
    )
    run, _ = judge_run(services, [renamed], spec)
    (row,) = rows_of(services, run)
    assert vendor.calls == asked
    (claim,) = row["claims"]
    assert claim["supporting_chunk_ids"] == ["kb-7"]
    assert claim["evidence"][0]["chunk_id"] == "kb-7"
    start, end = claim["evidence"][0]["start"], claim["evidence"][0]["end"]
    assert texts[0][start:end] == claim["evidence"][0]["quote"]
    assert set(row["metrics"]) == {
        "answer_relevance", "context_relevance", "context_relevance[kb-7]", "context_relevance[1]",
    }  # fmt: skip


@pytest.mark.parametrize(
    "other",
    [
        JudgeSpec(name="openai:other"),
        JudgeSpec(name="openai:m", method="single"),
        make_spec("openai:m", method="claims", strictness="lenient"),
        make_spec("openai:m", method="claims", prompt_text="My own.\n$chunks\n$question\n$answer\n$claims"),
    ],
    ids=["model", "method", "strictness", "prompt"],
)
def test_another_judge_takes_nothing_over(services: Store, vendor: Vendor, other: JudgeSpec) -> None:
    first, _ = judge_run(services, samples(2))
    second, summary = judge_run(services, samples(2), other)
    assert summary.usage.cached_calls == 0
    assert summary.usage.llm_calls > 0
    assert first.fingerprint != second.fingerprint


def test_equal_rows_of_one_run_are_asked_about_once_also_while_they_are_under_way(
    services: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    (sample,) = samples(1)
    renamed = tuple(Chunk(text=chunk.text, chunk_id=f"kb-{n}") for n, chunk in enumerate(sample.chunks))
    rows = [sample, replace(sample, key="twin", chunks=renamed), *samples(3)[1:]]
    rows += [replace(sample, key=f"later {n}") for n in range(300)]  # on the next page of rows
    with running(latency_s=0.05) as vendor:
        point_at(vendor, monkeypatch)
        run, summary = judge_run(services, rows, concurrency=4)
    assert vendor.calls == summary.usage.llm_calls == 2 * 3
    assert summary.usage.cached_calls == 2 * 301
    assert summary.states[State.JUDGED] == 304
    twin = get_answer(services.db, run.run_id, "twin")
    assert twin.result.claims[0].supporting_chunk_ids == ("kb-0",)
    assert estimate_run(rows, SPEC).calls == 2 * 3


def test_a_row_that_waited_for_one_that_failed_is_judged_itself(
    services: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = [Say(text="no")] * 4  # what the first row gets

    def script(request: Request) -> Answer:
        # From the third reply on the form is asked for in words, for the server heeds no schema: the name is not sent.
        return left.pop() if left else Say(text=json.dumps(sensible_reply("SingleReply", request.user)))

    (sample,) = samples(1)
    with running(script, latency_s=0.02) as vendor:
        point_at(vendor, monkeypatch)
        rows = [replace(sample, key=f"t{n}") for n in range(5)]
        _, summary = judge_run(services, rows, JudgeSpec(name="openai:m", method="single"), concurrency=4)
    assert (summary.states[State.FAILED], summary.states[State.JUDGED]) == (1, 4)
    assert vendor.calls == 4 + 1


def test_rows_that_wait_for_one_beyond_the_budget_stay_pending(services: Store, vendor: Vendor) -> None:
    (sample,) = samples(1)
    rows = [replace(sample, key=f"t{n}") for n in range(5)]
    run, summary = judge_run(services, rows, limits=Limits(max_calls=0))
    assert (vendor.calls, summary.states[State.PENDING]) == (0, 5)
    assert judge_here(services, run, limits=Limits(max_calls=2)).states[State.JUDGED] == 5
    assert vendor.calls == 2


def test_equal_rows_are_each_asked_about_without_the_cache(services: Store, vendor: Vendor) -> None:
    (sample,) = samples(1)
    judge_run(services, [replace(sample, key=f"t{n}") for n in range(3)], use_cache=False)
    assert vendor.calls == 2 * 3


def test_a_result_that_lacks_relevance_figures_is_not_taken_over(
    services: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def script(request: Request) -> Answer:
        return Say(text="no") if request.schema == "Companions" else sensible(request)

    spec = make_spec("openai:m", companions=True)
    with running(script) as vendor:
        point_at(vendor, monkeypatch)
        judge_run(services, samples(1), spec)
        _, again = judge_run(services, samples(1), spec)
    assert again.usage.cached_calls == 0


def test_two_servers_with_one_model_name_share_no_verdicts(
    services: Store, vendor: Vendor, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, _ = judge_run(services, samples(2))
    with running() as other:
        point_at(other, monkeypatch)
        second, summary = judge_run(services, samples(2))
        assert estimate_run(samples(2), SPEC, store=services).cached_answers == 2
    assert (summary.usage.cached_calls, other.calls) == (0, 4)
    assert first.fingerprint != second.fingerprint
    point_at(vendor, monkeypatch)
    assert judge_run(services, samples(2))[1].usage.cached_calls == 4


def test_without_the_cache_every_answer_is_asked_about_again(services: Store, vendor: Vendor) -> None:
    judge_run(services, samples(2))
    run, summary = judge_run(services, samples(2), use_cache=False)
    assert (summary.usage.llm_calls, summary.usage.cached_calls) == (4, 0)
    assert not get_run(services, run.run_id).use_cache


def test_a_judge_on_this_machine_uses_no_cache(services: Store, judge: ScriptedJudge) -> None:
    for _ in range(2):
        judge_run(services, samples(2), JudgeSpec(name="scripted"))
    assert judge.calls == {"k0": 2, "k1": 2}

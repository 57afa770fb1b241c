"""Runs judged by asking a model: what is asked, what is taken over from earlier runs, what a budget allows."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from faithview import Chunk, Sample, State
from faithview.domain.errors import InvalidInput
from faithview.domain.run import JudgeSpec, Run, RunStatus, RunSummary
from faithview.services.budget import Limits
from faithview.services.container import Services
from faithview.services.documents import export_document, run_document
from faithview.services.estimating import estimate_run
from faithview.services.evaluation import create_repeats, create_run, judge_here, save_checked
from faithview.services.judge_choice import find_offer, list_offers, make_spec
from faithview.services.judging import check_sample
from faithview.store import batches
from tests.judges.llm.server import Answer, Request, Say, Script, fenced, sensible
from tests.services.scripted import ScriptedJudge
from tests.vendor import Vendor, running

ROWS = 10
SPEC = JudgeSpec(name="openai:m")


@pytest.fixture
def vendor(monkeypatch: pytest.MonkeyPatch) -> Iterator[Vendor]:
    with running() as started:
        _point_at(started, monkeypatch)
        yield started


def _point_at(vendor: Vendor, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in vendor.environment.items():
        monkeypatch.setenv(name, value)


def _samples(count: int = ROWS) -> list[Sample]:
    return [
        Sample.of(f"Answer {n} is here.", [f"Chunk about {n}.", "Another one."], question="q?", key=f"k{n}")
        for n in range(count)
    ]


def _judge(
    services: Services, samples: Sequence[Sample], spec: JudgeSpec = SPEC, **options: Any
) -> tuple[Run, RunSummary]:
    run = create_run(services, samples, name="run", judge=spec, use_cache=options.pop("use_cache", True))
    return run, judge_here(services, run, **options)


def _rows(services: Services, run: Run) -> list[dict[str, Any]]:
    documents = [export_document(detail) for detail in services.iterate_answers(run.run_id)]
    for document in documents:
        for claim in document["claims"]:
            claim["claim_id"] = claim["claim_id"].removeprefix(run.run_id)
    return documents


def test_judging_the_same_answers_again_makes_no_call_and_says_so(services: Services, vendor: Vendor) -> None:
    first, before = _judge(services, _samples())
    assert (before.usage.llm_calls, before.usage.cached_calls, vendor.calls) == (2 * ROWS, 0, 2 * ROWS)
    second, after = _judge(services, _samples())
    assert vendor.calls == 2 * ROWS
    assert (after.usage.llm_calls, after.usage.cached_calls, after.usage.prompt_tokens) == (0, 2 * ROWS, 0)
    assert _rows(services, second) == _rows(services, first)
    _, third = _judge(services, _samples())
    assert third.usage.cached_calls == 2 * ROWS  # what it had cost once, however often it is taken over


def test_after_a_change_of_one_chunk_only_that_answer_is_judged(services: Services, vendor: Vendor) -> None:
    _judge(services, _samples())
    changed = _samples()
    changed[3] = replace(changed[3], chunks=(Chunk(text="Chunk about  3."), Chunk(text="Another one.")))
    _, summary = _judge(services, changed)
    assert (summary.usage.llm_calls, summary.usage.cached_calls) == (2, 2 * (ROWS - 1))
    assert vendor.calls_by_answer("Extraction") == {f"Answer {n} is here.": 1 + (n == 3) for n in range(ROWS)}


def test_verdicts_are_taken_over_with_the_chunk_ids_of_the_answer_at_hand(services: Services, vendor: Vendor) -> None:
    spec = make_spec("openai:m", companions=True)
    _judge(services, _samples(1), spec)
    asked = vendor.calls
    texts = [chunk.text for chunk in _samples(1)[0].chunks]
    renamed = Sample(
        answer="Answer 0 is here.",
        question="q?",
        key="other",
        chunks=tuple(Chunk(text=text, chunk_id=name) for text, name in zip(texts, ("kb-7", "1"), strict=True)),
    )
    run, _ = _judge(services, [renamed], spec)
    (row,) = _rows(services, run)
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
        make_spec("openai:m", strictness="lenient"),
        make_spec("openai:m", prompt_text="My own. $chunks $question $answer $claims"),
    ],
    ids=["model", "method", "strictness", "prompt"],
)
def test_another_judge_takes_nothing_over(services: Services, vendor: Vendor, other: JudgeSpec) -> None:
    first, _ = _judge(services, _samples(2))
    second, summary = _judge(services, _samples(2), other)
    assert summary.usage.cached_calls == 0
    assert summary.usage.llm_calls > 0
    assert first.fingerprint != second.fingerprint


def test_without_the_cache_every_answer_is_asked_about_again(services: Services, vendor: Vendor) -> None:
    _judge(services, _samples(2))
    run, summary = _judge(services, _samples(2), use_cache=False)
    assert (summary.usage.llm_calls, summary.usage.cached_calls) == (4, 0)
    assert not services.get_run(run.run_id).use_cache


def test_a_judge_on_this_machine_uses_no_cache(services: Services, judge: ScriptedJudge) -> None:
    for _ in range(2):
        _judge(services, _samples(2), JudgeSpec(name="scripted"))
    assert judge.calls == {"k0": 2, "k1": 2}


def _one_bad(answer: str) -> Script:
    """Nothing of use is ever said about that answer."""
    return lambda request: Say(text='{"claims": [') if fenced(request.user, "answer") == answer else sensible(request)


def test_a_row_that_fails_keeps_the_reply_and_is_asked_about_again_by_the_next_run(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running(_one_bad("Answer 1 is here.")) as vendor:
        _point_at(vendor, monkeypatch)
        run, summary = _judge(services, _samples(3))
        assert summary.states == {**dict.fromkeys(State, 0), State.JUDGED: 2, State.FAILED: 1}
        failed = services.get_answer(run.run_id, "k1").result
        assert failed.raw_reply == '{"claims": ['
        assert failed.usage.llm_calls == 2  # the reply and its repair are paid for
        assert _judge(services, _samples(3))[1].usage.llm_calls == 2


@pytest.mark.parametrize(("most", "judged"), [(0, 0), (1, 0), (7, 3), (20, 10), (100, 10)])
def test_no_more_calls_are_made_than_allowed_and_the_run_can_be_resumed(
    services: Services, vendor: Vendor, most: int, judged: int
) -> None:
    run, summary = _judge(services, _samples(), limits=Limits(max_calls=most), concurrency=8)
    assert vendor.calls <= most
    assert summary.states[State.JUDGED] == judged
    stored = services.get_run(run.run_id)
    if judged == ROWS:
        assert (stored.status, stored.error) == (RunStatus.COMPLETE, None)
        return
    assert stored.status is RunStatus.CANCELLED
    assert stored.error is not None
    assert f"of at most {most} calls" in stored.error
    resumed = judge_here(services, run)
    assert (resumed.run.status, resumed.run.error) == (RunStatus.COMPLETE, None)
    assert vendor.calls == resumed.usage.llm_calls == 2 * ROWS
    assert set(vendor.calls_by_answer("Extraction").values()) == {1}


def test_a_repair_does_not_break_the_budget(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    with running(_one_bad("Answer 0 is here.")) as vendor:
        _point_at(vendor, monkeypatch)
        run, _ = _judge(services, _samples(4), JudgeSpec(name="openai:m", method="single"), limits=Limits(max_calls=4))
        assert vendor.calls <= 4
        assert services.get_run(run.run_id).status is RunStatus.CANCELLED
        summary = judge_here(services, run)
    assert summary.states == {**dict.fromkeys(State, 0), State.JUDGED: 3, State.FAILED: 1}


def test_known_answers_cost_nothing_of_the_budget(services: Services, vendor: Vendor) -> None:
    _judge(services, _samples())
    _, summary = _judge(services, _samples(), limits=Limits(max_calls=0))
    assert (summary.run.status, summary.states[State.JUDGED]) == (RunStatus.COMPLETE, ROWS)


@pytest.fixture
def prices(tmp_path: Path) -> Path:
    """A price file under which each call to model m costs 0.0011 dollars: 1,000 tokens in and 100 out."""
    document = {"as_of": "2026-01-01", "vendors": {"openai": {"models": {"m": {"input": 1.0, "output": 1.0}}}}}
    path = tmp_path / "prices.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def test_a_budget_of_money_stops_the_run_before_it_is_exceeded(
    services: Services, vendor: Vendor, prices: Path
) -> None:
    spec = make_spec("openai:m", options={"prices": str(prices)})
    run, summary = _judge(services, _samples(), spec, limits=Limits(max_cost=0.007), concurrency=1)
    assert summary.usage.cost_usd == pytest.approx(3 * 0.0022)
    assert summary.run.status is RunStatus.CANCELLED
    assert services.get_progress(run.run_id).usage == summary.usage
    assert judge_here(services, run).usage.cost_usd == pytest.approx(ROWS * 0.0022)


def test_a_budget_of_money_needs_a_price(services: Services, vendor: Vendor) -> None:
    run = create_run(services, _samples(1), name="run", judge=SPEC)
    with pytest.raises(InvalidInput, match=r"No price is known for openai:m at 127.0.0.1:\d+, .* --max-calls"):
        judge_here(services, run, limits=Limits(max_cost=1))
    assert services.get_run(run.run_id).status is RunStatus.PENDING
    assert vendor.calls == 0


def test_repeats_are_runs_of_their_own_that_take_nothing_over(services: Services, vendor: Vendor) -> None:
    first = create_run(services, _samples(2), name="noisy", judge=SPEC)
    others = create_repeats(services, first, _samples(2), repeat=3)
    for run in (first, *others):
        judge_here(services, run)
    assert vendor.calls == 3 * 4
    assert [run.name for run in others] == ["noisy (repeat 2)", "noisy (repeat 3)"]
    assert {run.repeat_of for run in others} == {first.run_id}
    document = run_document(services.get_summary("noisy"))
    assert (document["repeats"], document["repeat_of"]) == ([run.run_id for run in others], None)
    assert services.get_run(others[0].run_id).fingerprint == first.fingerprint
    assert {run.name: run.repeats for run in services.list_runs()}["noisy"] == tuple(run.run_id for run in others)
    services.delete_run("noisy")
    assert services.get_run("noisy (repeat 2)").repeat_of == first.run_id


def test_an_estimate_tells_the_calls_and_what_is_known_already(services: Services, vendor: Vendor) -> None:
    samples = [*_samples(), Sample(answer="No chunks.")]
    fresh = estimate_run(samples, SPEC, store=services)
    assert (fresh.answers, fresh.cached_answers, fresh.calls, fresh.cost_usd) == (ROWS + 1, 0, 2 * ROWS, None)
    assert fresh.host == vendor.url.removeprefix("http://")
    _judge(services, _samples(4))
    after = estimate_run(samples, SPEC, store=services)
    assert (after.cached_answers, after.calls) == (4, 2 * (ROWS - 4))
    assert estimate_run(samples, SPEC, store=services, use_cache=False).calls == 2 * ROWS
    assert estimate_run(samples, SPEC, store=services, repeat=2).calls == 2 * (ROWS - 4) + 2 * ROWS
    assert vendor.calls == 8
    local = estimate_run(samples, JudgeSpec())
    assert (local.host, local.calls, local.cost_usd) == (None, 0, 0.0)


def test_offers_say_what_a_judge_lacks_and_which_host_it_calls() -> None:
    without = {offer.name: offer for offer in list_offers({})}
    assert without["lexical"].missing is None
    assert without["lexical"].host is None
    assert without["openai"].missing is not None
    assert "OPENAI_API_KEY" in without["openai"].missing
    ready = find_offer("anthropic:some-model", {"ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": "https://u:p@h:1/x"})
    assert ready is not None
    assert (ready.missing, ready.host) == (None, "h:1")


def test_a_judge_without_methods_refuses_what_means_nothing_to_it() -> None:
    given: list[dict[str, Any]] = [{"method": "single"}, {"strictness": "lenient"}, {"prompt_text": "x"}]
    for options in given:
        with pytest.raises(InvalidInput, match="asks no model"):
            make_spec("lexical", **options)
    assert make_spec("lexical", method="claims").method == "claims"


def test_the_embedded_judge_brings_relevance_figures_where_they_are_wanted(services: Services) -> None:
    sample = Sample.of("Parking is free.", ["Parking is free.", "Cats sleep."], question="Is parking free?")
    result = check_sample(sample, judge=make_spec("lexical", companions=True))
    assert result.metrics["context_relevance[1]"] > result.metrics["context_relevance[2]"]
    run, _ = _judge(services, [sample], make_spec("lexical", companions=True))
    assert services.get_answer(run.run_id, "1").result.metrics == result.metrics
    plain, _ = _judge(services, [sample], make_spec("lexical"))
    assert services.get_answer(plain.run_id, "1").result.metrics == {}
    assert plain.fingerprint == run.fingerprint


def test_a_checked_answer_is_stored_without_asking_again(services: Services, vendor: Vendor) -> None:
    (sample,) = _samples(1)
    result = check_sample(sample, judge=SPEC)
    run = save_checked(services, sample, result, name="Checked", judge=SPEC, source="page")
    assert vendor.calls == 2
    assert run.status is RunStatus.COMPLETE
    assert services.get_summary("Checked").usage.llm_calls == 2
    assert services.get_answer(run.run_id, "k0").result.claims == result.claims


class _Batches:
    """Anthropic's batch endpoints: a batch is done when it is asked about for the second time."""

    def __init__(self) -> None:
        self.submitted: list[list[dict[str, Any]]] = []
        self.polls = 0

    def __call__(self, request: Request) -> Answer:
        if request.method == "POST":
            self.submitted.append(request.body["requests"])
            self.polls = 0
            return self._batch(len(self.submitted), done=False)
        number = int(request.path.split("/")[4].removesuffix("?beta=true"))
        if request.path.endswith("/results"):
            return self._results(number, request)
        self.polls += 1
        return self._batch(number, done=self.polls > 1, url=f"http://{request.headers['host']}")

    def _batch(self, number: int, *, done: bool, url: str = "http://127.0.0.1") -> dict[str, Any]:
        return {
            "id": str(number),
            "type": "message_batch",
            "processing_status": "ended" if done else "in_progress",
            "request_counts": {"processing": 0, "succeeded": 0, "errored": 0, "canceled": 0, "expired": 0},
            "created_at": "2026-01-01T00:00:00Z",
            "expires_at": "2026-01-02T00:00:00Z",
            "ended_at": "2026-01-01T01:00:00Z" if done else None,
            "results_url": f"{url}/v1/messages/batches/{number}/results" if done else None,
            "archived_at": None,
            "cancel_initiated_at": None,
        }

    def _results(self, number: int, request: Request) -> Answer:
        from tests.judges.llm.server import Raw, _anthropic_body

        lines = []
        for item in self.submitted[number - 1]:
            asked = replace(request, path="/v1/messages", raw=json.dumps(item["params"]).encode())
            message = _anthropic_body(sensible(asked))
            result = {"type": "succeeded", "message": message}
            lines.append(json.dumps({"custom_id": item["custom_id"], "result": result}))
        return Raw(content="\n".join(lines).encode(), content_type="application/x-jsonl")


def test_a_run_by_batches_is_submitted_waited_for_and_collected(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = _Batches()
    spec = JudgeSpec(name="anthropic:m")
    with running(script) as vendor:
        _point_at(vendor, monkeypatch)
        run = create_run(services, _samples(3), name="run", judge=spec, by_batches=True)
        assert batches.find_state(services.db, run.run_id) is not None
        summary = judge_here(services, run, poll_s=0.05)
    assert (summary.run.status, summary.states[State.JUDGED]) == (RunStatus.COMPLETE, 3)
    assert [len(batch) for batch in script.submitted] == [3, 3]  # extraction, then verification
    assert summary.usage.llm_calls == 6


def test_a_judge_without_batches_and_repeats_by_batches_are_refused(services: Services, vendor: Vendor) -> None:
    with pytest.raises(InvalidInput, match="cannot judge by batches"):
        create_run(services, _samples(1), name="run", judge=JudgeSpec(), by_batches=True)
    run = create_run(services, _samples(1), name="run", judge=SPEC, by_batches=True)
    with pytest.raises(InvalidInput, match="Repeats cannot be judged by batches"):
        create_repeats(services, run, _samples(1), repeat=2)

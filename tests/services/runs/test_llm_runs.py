"""Runs judged by asking a model: failed rows, budgets, repeats, estimates, and which judges there are."""

import json
from pathlib import Path
from typing import Any

import pytest

from faithview import Sample, State
from faithview.documents.runs import RunFigures
from faithview.domain.errors import InvalidInput
from faithview.domain.run import JudgeSpec, RunStatus
from faithview.domain.series import CHECKED_ANSWERS
from faithview.services.container import Store
from faithview.services.judge_catalogue import find_offer, list_offers, make_spec
from faithview.services.results import delete_run, get_progress, get_run, get_summary, list_runs, list_troubles
from faithview.services.runs.budget import Limits
from faithview.services.runs.create import create_repeats, estimate_run, judge_here, save_checked
from faithview.services.runs.judge_answer import check_sample
from faithview.store.results import get_answer
from tests.factories import add_run
from tests.judges.llm.server import Say, Script, fenced, sensible
from tests.services.llm_runs import ROWS, SPEC, judge_run, point_at, samples
from tests.vendor import Vendor, running


def _one_bad(answer: str) -> Script:
    """Nothing of use is ever said about that answer."""
    return lambda request: Say(text='{"claims": [') if fenced(request.user, "answer") == answer else sensible(request)


def test_a_row_that_fails_keeps_the_reply_and_is_asked_about_again_by_the_next_run(
    services: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running(_one_bad("Answer 1 is here.")) as vendor:
        point_at(vendor, monkeypatch)
        run, summary = judge_run(services, samples(3))
        assert summary.states == {**dict.fromkeys(State, 0), State.JUDGED: 2, State.FAILED: 1}
        failed = get_answer(services.db, run.run_id, "k1").result
        assert failed.raw_reply == '{"claims": ['
        assert failed.usage.llm_calls == 4  # the reply, its repair, and both once more are paid for
        assert judge_run(services, samples(3))[1].usage.llm_calls == 4


@pytest.mark.parametrize("concurrency", [1, 3])
@pytest.mark.parametrize(("most", "judged"), [(0, 0), (1, 1), (7, 4), (20, 10), (100, 10)])
def test_no_answer_is_started_once_the_calls_are_spent_and_the_run_can_be_resumed(
    services: Store, vendor: Vendor, most: int, judged: int, concurrency: int
) -> None:
    run, summary = judge_run(services, samples(), limits=Limits(max_calls=most), concurrency=concurrency)
    done = summary.states[State.JUDGED]
    assert judged <= done < judged + concurrency
    assert vendor.calls == 2 * done
    stored = get_run(services, run.run_id)
    if done == ROWS:
        assert (stored.status, stored.error) == (RunStatus.COMPLETE, None)
        return
    assert stored.status is RunStatus.CANCELLED
    assert stored.error is not None
    assert f"{vendor.calls} calls of {most}" in stored.error
    resumed = judge_here(services, run)
    assert (resumed.run.status, resumed.run.error) == (RunStatus.COMPLETE, None)
    assert vendor.calls == resumed.usage.llm_calls == 2 * ROWS
    assert set(vendor.calls_by_answer("Extraction").values()) == {1}


def test_known_answers_cost_nothing_of_the_budget(services: Store, vendor: Vendor) -> None:
    judge_run(services, samples())
    _, summary = judge_run(services, samples(), limits=Limits(max_calls=0))
    assert (summary.run.status, summary.states[State.JUDGED]) == (RunStatus.COMPLETE, ROWS)


@pytest.fixture
def prices(tmp_path: Path) -> Path:
    """A price file under which each call to model m costs 0.0011 dollars: 1,000 tokens in and 100 out."""
    document = {"as_of": "2026-01-01", "vendors": {"openai": {"models": {"m": {"input": 1.0, "output": 1.0}}}}}
    path = tmp_path / "prices.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def test_a_budget_of_money_starts_no_answer_once_it_is_spent(services: Store, vendor: Vendor, prices: Path) -> None:
    spec = make_spec("openai:m", method="claims", options={"prices": str(prices)})
    run, summary = judge_run(services, samples(), spec, limits=Limits(max_cost=0.007), concurrency=1)
    assert summary.usage.cost_usd == pytest.approx(4 * 0.0022)
    assert summary.run.status is RunStatus.CANCELLED
    assert get_progress(services, run.run_id).usage == summary.usage
    assert judge_here(services, run).usage.cost_usd == pytest.approx(ROWS * 0.0022)


def test_a_budget_of_money_needs_a_price(services: Store, vendor: Vendor) -> None:
    run = add_run(services, samples(1), judge=SPEC)
    with pytest.raises(InvalidInput, match=r"No price is known for openai:m at 127.0.0.1:\d+, .* --max-calls"):
        judge_here(services, run, limits=Limits(max_cost=1))
    assert get_run(services, run.run_id).status is RunStatus.PENDING
    assert vendor.calls == 0


def test_repeats_are_runs_of_their_own_that_take_nothing_over(services: Store, vendor: Vendor) -> None:
    first = add_run(services, samples(2), "noisy", judge=SPEC)
    others = create_repeats(services, first, repeat=3)
    for run in (first, *others):
        judge_here(services, run)
    assert vendor.calls == 3 * 4
    assert [run.name for run in others] == ["noisy (repeat 2)", "noisy (repeat 3)"]
    assert {run.repeat_of for run in others} == {first.run_id}
    summary = get_summary(services, "noisy")
    document = RunFigures.of(summary, troubles=list_troubles(services, summary.run.run_id))
    assert (document.repeats, document.repeat_of) == ([run.run_id for run in others], None)
    assert get_run(services, others[0].run_id).fingerprint == first.fingerprint
    assert {run.name: run.repeats for run in list_runs(services)}["noisy"] == tuple(run.run_id for run in others)
    delete_run(services, "noisy")
    assert get_run(services, "noisy (repeat 2)").repeat_of == first.run_id


def test_an_estimate_tells_the_calls_and_what_is_known_already(services: Store, vendor: Vendor) -> None:
    rows = [*samples(), Sample(answer="No chunks.")]
    fresh = estimate_run(rows, SPEC, store=services)
    assert (fresh.answers, fresh.cached_answers, fresh.calls, fresh.cost_usd) == (ROWS + 1, 0, 2 * ROWS, None)
    assert fresh.host == vendor.url.removeprefix("http://")
    judge_run(services, samples(4))
    after = estimate_run(rows, SPEC, store=services)
    assert (after.cached_answers, after.calls) == (4, 2 * (ROWS - 4))
    assert estimate_run(rows, SPEC, store=services, use_cache=False).calls == 2 * ROWS
    assert estimate_run(rows, SPEC, store=services, repeat=2).calls == 2 * (ROWS - 4) + 2 * ROWS
    assert vendor.calls == 8
    local = estimate_run(rows, JudgeSpec())
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
        with pytest.raises(InvalidInput, match="does not call a model"):
            make_spec("lexical", **options)
    assert make_spec("lexical", method="claims").method == "claims"
    with pytest.raises(InvalidInput, match="does not call a model"):
        make_spec("embedded", prompt_text="x")


def test_judges_on_this_machine_take_the_options_that_they_name() -> None:
    assert make_spec("embedded", strictness="strict", workers=2).options == {"strictness": "strict", "workers": "2"}
    for other in ("lexical", "openai:m", "cascade:openai:m"):
        with pytest.raises(InvalidInput, match=f"Only the judge 'embedded' has workers, and not '{other}'"):
            make_spec(other, workers=2)
    offers = {offer.name: offer.strictness for offer in list_offers({})}
    assert offers["embedded"] == ("balanced", "lenient", "strict")
    assert offers["lexical"] == ()
    assert offers["openai"] == ("strict", "lenient")


def test_the_embedded_judge_brings_relevance_figures_where_they_are_wanted(services: Store) -> None:
    sample = Sample.of("Parking is free.", ["Parking is free.", "Cats sleep."], question="Is parking free?")
    result = check_sample(sample, judge=make_spec("lexical", companions=True))
    assert result.metrics["context_relevance[1]"] > result.metrics["context_relevance[2]"]
    run, _ = judge_run(services, [sample], make_spec("lexical", companions=True))
    assert get_answer(services.db, run.run_id, "1").result.metrics == result.metrics
    plain, _ = judge_run(services, [sample], make_spec("lexical"))
    assert get_answer(services.db, plain.run_id, "1").result.metrics == {}
    assert plain.fingerprint == run.fingerprint


def test_a_checked_answer_is_stored_without_asking_again(services: Store, vendor: Vendor) -> None:
    (sample,) = samples(1)
    result = check_sample(sample, judge=SPEC)
    run = save_checked(services, sample, result, name="Checked", judge=SPEC, source="page")
    assert vendor.calls == 2
    assert (run.status, run.series) == (RunStatus.COMPLETE, CHECKED_ANSWERS)
    assert get_summary(services, "Checked").usage.llm_calls == 2
    assert get_answer(services.db, run.run_id, "k0").result.claims == result.claims

"""What judging costs: worked out from tokens and a dated list of prices, and unknown where the list does not tell."""

import json
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from faithview.domain.errors import InvalidInput
from faithview.domain.result import Usage
from faithview.domain.sample import Sample
from faithview.judges.llm.client import TokenUsage
from faithview.judges.llm.cost import Price, load_prices, usage_of
from faithview.judges.llm.methods import METHODS
from tests.judges.llm.judging import judge_against, make_judge
from tests.judges.llm.server import sensible

_PRICE = Price(input=2, output=10, cache_read=0.2, cache_write=2.5)
_SAMPLE = Sample.of(
    "The plan costs 20 euros a month. Priority support is included in it.",
    ["The plan costs 20 euros a month, and priority support is included. " * 6] * 4,
    question="What does the plan cost?",
)


def test_a_reply_costs_what_a_person_works_out() -> None:
    usage = TokenUsage(prompt=1_000_000, completion=100_000, cache_read=300_000, cache_write=200_000)
    # 500,000 fresh at 2, 300,000 read at 0.2, 200,000 written at 2.5, 100,000 out at 10, per million
    assert _PRICE.cost_usd(usage) == pytest.approx(1.0 + 0.06 + 0.5 + 1.0)
    assert Price(input=2, output=10).cost_usd(usage) == pytest.approx(2.0 + 1.0)


def test_replies_add_up_and_a_batch_takes_its_share_off() -> None:
    replies = [TokenUsage(prompt=1_000, completion=100, cache_read=400)] * 2
    cost = 2 * (600 * 2 + 400 * 0.2 + 100 * 10) / 1e6
    usage = usage_of(replies, _PRICE)
    assert usage.cost_usd == pytest.approx(cost)
    assert replace(usage, cost_usd=None) == Usage(
        llm_calls=2, prompt_tokens=2_000, cached_prompt_tokens=800, completion_tokens=200
    )
    assert usage_of(replies, _PRICE, discount=0.5).cost_usd == pytest.approx(cost / 2)
    assert usage_of(replies, None).cost_usd is None


def test_the_shipped_list_is_dated_and_sound() -> None:
    prices = load_prices()
    assert date(2026, 1, 1) <= date.fromisoformat(prices.as_of)
    assert prices.batch_discount == 0.5
    for vendor in prices.vendors.values():
        assert vendor.hosts
        for price in vendor.models.values():
            assert 0 < price.input < price.output
            assert price.cache_read is None or 0 < price.cache_read < price.input


@pytest.mark.parametrize(
    ("vendor", "model", "host", "known"),
    [
        ("openai", "gpt-4o", "api.openai.com", True),
        ("openai", "gpt-4o-2024-08-06", "api.openai.com", True),
        ("openai", "gpt-4o-audio", "api.openai.com", False),  # another model, not a date
        ("openai", "gpt-4o", "127.0.0.1:8000", False),  # whoever serves it sets the price
        ("anthropic", "claude-haiku-4-5-20251001", "api.anthropic.com", True),
        ("anthropic", "claude-unheard-of", "api.anthropic.com", False),
        ("nobody", "gpt-4o", "api.openai.com", False),
    ],
)
def test_a_price_is_known_for_listed_models_at_their_vendor(vendor: str, model: str, host: str, known: bool) -> None:
    assert (load_prices().find(vendor, model, host=host) is not None) == known


def test_a_price_file_of_ones_own_holds_for_any_host(tmp_path: Path) -> None:
    path = tmp_path / "prices.json"
    path.write_text(
        json.dumps({"as_of": "2026-03-01", "vendors": {"openai": {"models": {"m": {"input": 1, "output": 2}}}}})
    )
    (result,), _ = judge_against(sensible, [_SAMPLE], method="single", prices=str(path))
    assert result.usage.cost_usd == pytest.approx((1_000 * 1 + 100 * 2) / 1e6)
    (result,), _ = judge_against(sensible, [_SAMPLE], method="single")
    assert result.usage.cost_usd is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "has an error at the document: Invalid JSON"),
        ('{"as_of": "x", "vendors": {"openai": {"models": {"m": {"input": 1}}}}}', "vendors.openai.models.m.output"),
        ('{"as_of": "x", "vendors": {}, "oops": 1}', "has an error at oops"),
    ],
)
def test_a_price_file_with_a_fault_says_where(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "prices.json"
    path.write_text(text)
    with pytest.raises(InvalidInput, match=message):
        load_prices(path)


@pytest.mark.parametrize("method", METHODS)
def test_an_estimate_is_near_what_is_sent(method: str) -> None:
    samples = [_SAMPLE, Sample.of("", ["x"]), Sample.of("No context.", [])]
    _, server = judge_against(sensible, samples, method=method)
    estimate = make_judge("openai", "http://127.0.0.1:9", method=method).estimate(samples)
    texts = [
        call.system + call.user + json.dumps(call.body["response_format"]["json_schema"]["schema"])
        for call in server.calls
    ]
    sent = sum(len(text.encode()) for text in texts) / 4
    assert estimate.answers == 3
    assert estimate.cost_usd is None
    assert 0.4 < estimate.stable_share < 1
    if method != "per-claim":  # there the number of claims is a guess
        assert estimate.calls == len(server.calls)
        assert 0.75 < estimate.prompt_tokens / sent < 1.25


def test_an_estimate_knows_what_options_add_and_the_price(tmp_path: Path) -> None:
    path = tmp_path / "prices.json"
    path.write_text('{"as_of": "2026-03-01", "vendors": {"openai": {"models": {"m": {"input": 1, "output": 2}}}}}')
    plain = make_judge("openai", "http://127.0.0.1:9", prices=str(path)).estimate([_SAMPLE])
    more = make_judge("openai", "http://127.0.0.1:9", prices=str(path), companions="yes").estimate([_SAMPLE])
    assert (plain.calls, more.calls) == (2, 3)
    example = make_judge("openai", "http://127.0.0.1:9", prices=str(path), examples="on").estimate([_SAMPLE])
    assert plain.prompt_tokens + 500 < example.prompt_tokens < plain.prompt_tokens + 2_000
    thinks = make_judge("openai", "http://127.0.0.1:9", prices=str(path), reasoning="low").estimate([_SAMPLE])
    assert thinks.completion_tokens == plain.completion_tokens + 2 * 500
    assert plain.prices_as_of == "2026-03-01"
    assert plain.cost_usd == pytest.approx((plain.prompt_tokens + 2 * plain.completion_tokens) / 1e6)
    assert (more.cost_usd or 0) > (plain.cost_usd or 0)

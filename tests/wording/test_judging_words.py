"""How long a run took and what it cost: unknown stays unknown."""

from faithview.domain.result import Usage
from faithview.wording.runs import judging_words
from tests.factories import make_run


def test_a_price_is_named_where_it_is_known_and_called_unknown_elsewhere() -> None:
    run = make_run(seconds=75.0)
    for usage, words in (
        (Usage(), "no calls to a model"),
        (Usage(cached_calls=3), "no new calls"),
        (Usage(llm_calls=1200), "1,200 calls, cost unknown"),
        (Usage(llm_calls=1, cost_usd=0.0123), "1 call, $0.0123"),
    ):
        assert judging_words(run, usage) == f"judged in 1 min 15 s, {words}"


def test_before_anything_is_judged_nothing_is_said() -> None:
    assert judging_words(make_run(), Usage()) == ""

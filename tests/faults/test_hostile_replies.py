"""What a model's or a tool's server may do with its reply: little memory, one sentence, and no text to another host."""

import asyncio
import gzip

import pytest

from faithview.domain.errors import JudgeFailed
from faithview.domain.reply_body import ReplyBody, ReplyDamaged, ReplyRefused, refuse_deep
from faithview.domain.result import Result, State
from faithview.domain.sample import Sample
from faithview.judges.llm import transport
from faithview.judges.llm.batch import BatchState, advance, new_state
from faithview.judges.llm.judge import LlmJudge
from faithview.judges.llm.replies.find_json import NoObject, Repairs, find_object
from tests.faults.hostile_server import REPLIES, HostileReply, hostile_server
from tests.judges.llm.batch_server import Batches
from tests.judges.llm.judging import VENDORS, make_judge, with_judge
from tests.judges.llm.server import Answer, Say, serving
from tests.judges.llm.server import Request as Sent

pytestmark = pytest.mark.process  # takes long

both_vendors = pytest.mark.parametrize("vendor", VENDORS)

_SAMPLE = Sample.of("It opens at the ninth bell.", ["At the ninth bell, every day."], question="When?", key="a")
_REFUSED = {
    "gzip in gzip": "only gzip was requested",
    "endless": "more than 4 MB",
    "endless error": "more than 4 MB",
    "many lists, packed": "more than 4 MB",
    "brackets": "100 levels deep",
}


@pytest.fixture(autouse=True)
def _small_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "MOST_BYTES", 4 << 20)


def _judge(url: str, vendor: str, times: int = 1) -> list[Result]:
    async def ask() -> list[Result]:
        judge = make_judge(vendor, url)
        try:
            return [await judge.judge(_SAMPLE) for _ in range(times)]
        finally:
            await judge.aclose()

    return asyncio.run(ask())


@both_vendors
def test_no_text_and_no_key_follows_a_redirect_of_a_judges_server(vendor: str) -> None:
    with hostile_server(HostileReply()) as second:
        reply = HostileReply(status=307, headers={"Location": f"{second.url}/v1/collect?x=secret"})
        with hostile_server(reply) as first:
            results = _judge(first.url, vendor, times=2)
    assert second.seen == []
    assert [result.state for result in results] == [State.FAILED] * 2
    error = results[0].error or ""
    assert f"redirects to {second.url.removeprefix('http://')}, where nothing was sent" in error
    assert "secret" not in error
    assert len(first.seen) == 1  # not asked again: every call would end there


def test_results_of_a_batch_are_fetched_from_no_host_that_nobody_named() -> None:
    async def run(elsewhere: str) -> str:
        batches = Batches()

        def script(request: Sent) -> Answer:
            answer = batches(request)
            if isinstance(answer, dict) and answer.get("results_url"):
                answer["results_url"] = f"{elsewhere}/results"
            return answer

        async with serving(script) as (_, url):
            judge = make_judge("anthropic", url)
            try:
                progress = await advance(judge, new_state(judge), [_SAMPLE])
                progress = await advance(judge, BatchState.from_json(progress.state.to_json()), [_SAMPLE])
            finally:
                await judge.aclose()
        return progress.results["a"].error or "" if progress.results else ""

    with hostile_server(HostileReply()) as second:
        try:
            said = asyncio.run(run(second.url))
        except JudgeFailed as error:
            said = str(error)
    assert second.seen == []
    assert "where the key is not sent" in said


@both_vendors
@pytest.mark.parametrize("name", _REFUSED)
def test_a_reply_that_would_take_all_memory_is_one_sentence_and_is_not_asked_for_again(vendor: str, name: str) -> None:
    with hostile_server(REPLIES[name]) as server:
        (result,) = _judge(server.url, vendor)
    assert _REFUSED[name] in (result.error or "")
    assert len(server.seen) == 1


def test_gzip_that_is_damaged_on_the_way_is_asked_for_again() -> None:
    with hostile_server(REPLIES["gzip of no gzip"]) as server:
        (result,) = _judge(server.url, "openai")
    assert len(server.seen) == 6
    assert "its gzip is damaged" in (result.error or "")


def test_brackets_without_an_end_are_not_looked_at_for_ever() -> None:
    with pytest.raises(NoObject, match="many brackets without an end"):
        find_object("{" * 10_000, ["claims"], Repairs())
    with pytest.raises(NoObject, match="more than 2,000,000 characters"):
        find_object("{" * 2_000_001, ["claims"], Repairs())


def test_brackets_in_a_models_reply_cost_the_answer_and_no_other() -> None:
    def script(request: Sent) -> Answer:
        return Say(text="[" * 5_000)

    async def use(judge: LlmJudge) -> Result:
        return await judge.judge(_SAMPLE)

    result, _ = with_judge(script, use)
    assert result.state is State.FAILED
    assert "nests too deep" in (result.error or "")


@pytest.mark.parametrize("encodings", [["gzip", "gzip"], ["gzip,gzip"], ["deflate"]])
def test_only_one_layer_of_gzip_is_unpacked(encodings: list[str]) -> None:
    with pytest.raises(ReplyRefused, match="only gzip was requested"):
        ReplyBody(encodings, most=100)


@pytest.mark.parametrize("encodings", [[], ["gzip"]])
@pytest.mark.parametrize("size", [1, 7, 1_000])
def test_a_body_is_whole_up_to_its_limit_and_no_further(encodings: list[str], size: int) -> None:
    body = bytes(range(100)) * 10
    sent = gzip.compress(body) + b"behind its end" if encodings else body
    most = max(len(sent), len(body))

    def take(most: int) -> bytes:
        taken = ReplyBody(encodings, most=most)
        for at in range(0, len(sent), size):
            taken.take(sent[at : at + size])
        return taken.whole()

    assert take(most) == body
    with pytest.raises(ReplyRefused):
        take(len(body) - 1)


def test_gzip_without_its_end_is_damaged() -> None:
    taken = ReplyBody(["gzip"], most=1_000)
    taken.take(gzip.compress(b"x" * 100)[:-4])
    with pytest.raises(ReplyDamaged, match="truncated"):
        taken.whole()


def test_brackets_in_strings_are_no_levels() -> None:
    refuse_deep(b'{"a": "' + b"[" * 5_000 + b'\\"{"}', levels=100, parts=1_000)
    with pytest.raises(ReplyRefused, match="100 levels"):
        refuse_deep(b" " + b"[" * 101 + b"]" * 101, levels=100, parts=1_000)
    refuse_deep(b"[" * 100 + b"]" * 100, levels=100, parts=1_000)

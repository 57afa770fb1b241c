"""What a model's or a tool's server may do with its reply: little memory, one sentence, and no text to another host.

`python -m tests.performance.odd_files --only replies` measures the same with the usual limits.
"""

import asyncio
import gzip
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from faithview.domain.errors import JudgeFailed, PullFailed
from faithview.domain.reply_body import ReplyBody, ReplyDamaged, ReplyRefused, refuse_deep
from faithview.domain.result import Result, State
from faithview.domain.sample import Sample
from faithview.judges.llm import transport
from faithview.judges.llm.batch import BatchState, advance, new_state
from faithview.judges.llm.judge import LlmJudge
from faithview.judges.llm.replies.find_json import NoObject, Repairs, find_object, plain_text
from faithview.services.pulls import pull_server
from faithview.services.pulls.pull import TOOLS, Request, find_tool, pull_file
from tests.faults.hostile_server import REPLIES, HostileReply, hostile_server, redirect_to
from tests.judges.llm.batch_server import Batches
from tests.judges.llm.judging import VENDORS, make_judge, with_judge
from tests.judges.llm.server import Answer, Say, serving
from tests.judges.llm.server import Request as Sent
from tests.services.pulls.pulling import KEYS, URLS

both_vendors = pytest.mark.parametrize("vendor", VENDORS)

_MB = 1 << 20
_SAMPLE = Sample.of("It opens at the ninth bell.", ["At the ninth bell, every day."], question="When?", key="a")
_TOO_LARGE = "sent a reply of more than 4 MB; it was not read"
_REFUSED = {
    "gzip in gzip, 4 GB": "sent a reply compressed as 'gzip, gzip', but only gzip was requested; it was not read",
    "gzip, 4 GB": _TOO_LARGE,
    "another packing": "sent a reply compressed as 'br', but only gzip was requested; it was not read",
    "endless": _TOO_LARGE,
    "endless error": _TOO_LARGE,
    "15 MB of lists": _TOO_LARGE,
    "15 MB of lists, packed": _TOO_LARGE,
}


@pytest.fixture(autouse=True)
def _small_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "MOST_BYTES", 4 * _MB)
    monkeypatch.setattr(pull_server, "_MOST_BYTES", 4 * _MB)


def _judge(url: str, vendor: str) -> Result:
    async def ask() -> Result:
        judge = make_judge(vendor, url)
        try:
            return await judge.judge(_SAMPLE)
        finally:
            await judge.aclose()

    return asyncio.run(ask())


def _why_not_pulled(url: str, tool: str, folder: Path) -> str:
    with pytest.raises(PullFailed) as caught:
        pull_file(
            Request(tool=find_tool(tool), project="p"),
            folder / "pulled.jsonl",
            environment={**dict.fromkeys(URLS, url), **KEYS},
            say=lambda _: None,
            wait=lambda _: None,
        )
    assert list(folder.iterdir()) == []
    return str(caught.value)


@both_vendors
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_no_text_and_no_key_follows_a_redirect_of_a_judges_server(vendor: str, status: int) -> None:
    with hostile_server(HostileReply()) as second:
        reply = HostileReply(status=status, headers={"Location": f"{second.url}/v1/collect?x=1"})
        with hostile_server(reply) as first:
            result = _judge(first.url, vendor)
    there, here = (url.removeprefix("http://") for url in (second.url, first.url))
    assert second.seen == []
    assert result.state is State.FAILED
    assert result.error == (
        f"{'OpenAI' if vendor == 'openai' else 'Anthropic'} at {here} redirects to {there}, where nothing was sent; if "
        "that is the right server, make it the judge's address."
    )
    # Not asked again: every call would end there.
    assert len(first.seen) == 1
    assert b"ninth bell" in first.seen[0][1]


@both_vendors
def test_after_a_redirect_no_other_answer_is_sent(vendor: str) -> None:
    with hostile_server(HostileReply()) as second, hostile_server(redirect_to(second.url)) as first:

        async def ask() -> list[Result]:
            judge = make_judge(vendor, first.url)
            try:
                return [await judge.judge(_SAMPLE) for _ in range(2)]
            finally:
                await judge.aclose()

        results = asyncio.run(ask())
    assert [result.state for result in results] == [State.FAILED] * 2
    assert len(first.seen) == 1


@both_vendors
def test_the_list_of_models_is_fetched_from_no_other_host(vendor: str) -> None:
    with hostile_server(HostileReply()) as second, hostile_server(redirect_to(f"{second.url}/v1/models")) as first:

        async def ask() -> None:
            judge = make_judge(vendor, first.url)
            try:
                await judge.client.list_models()  # type: ignore[attr-defined]  # an LLM judge's
            finally:
                await judge.aclose()

        with pytest.raises(JudgeFailed, match="where nothing was sent"):
            asyncio.run(ask())
    assert second.seen == []


def test_a_redirect_to_another_path_names_the_path() -> None:
    with hostile_server(redirect_to("/v2/chat/completions?token=secret")) as server:
        error = _judge(server.url, "openai").error or ""
    assert f"redirects to {server.url}/v2/chat/completions, where nothing was sent" in error
    assert "secret" not in error


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
    assert f"at {second.url.removeprefix('http://')}, where the key is not sent" in said


@both_vendors
@pytest.mark.parametrize("name", _REFUSED)
def test_a_reply_that_would_take_all_memory_is_one_sentence_and_is_not_asked_for_again(vendor: str, name: str) -> None:
    with hostile_server(REPLIES[name]) as server:
        result = _judge(server.url, vendor)
    here = server.url.removeprefix("http://")
    assert result.error == f"{'OpenAI' if vendor == 'openai' else 'Anthropic'} at {here} {_REFUSED[name]}."
    assert server.accepted == ["gzip"]


@both_vendors
def test_a_reply_that_nests_too_deep_or_has_too_many_parts_is_one_sentence(vendor: str) -> None:
    for reply, words in {
        REPLIES["2 MB of brackets"].blocks: "that nests more than 100 levels deep",
        _many_parts: "of more than 100,000 lists and objects",
    }.items():
        with hostile_server(HostileReply(blocks=reply)) as server:
            result = _judge(server.url, vendor)
        assert (result.error or "").endswith(f" sent a reply {words}; it was not read.")
        assert len(server.seen) == 1


def _many_parts() -> Iterator[bytes]:
    yield b"[" + b"[]," * 100_000 + b"[]]"


def test_a_reply_packed_as_it_was_asked_for_is_read() -> None:
    body = b'{"data": [{"id": "a"}, {"id": "b"}]}'
    for vendor in VENDORS:
        reply = HostileReply(headers={"Content-Encoding": "gzip"}, blocks=lambda: [gzip.compress(body)])
        with hostile_server(reply) as server:

            async def ask(vendor: str = vendor, url: str = server.url) -> tuple[str, ...]:
                judge = make_judge(vendor, url)
                try:
                    return await judge.client.list_models()  # type: ignore[attr-defined, no-any-return]  # likewise
                finally:
                    await judge.aclose()

            assert asyncio.run(ask()) == ("a", "b")


def test_gzip_that_is_damaged_on_the_way_is_asked_for_again() -> None:
    with hostile_server(REPLIES["gzip of no gzip"]) as server:
        result = _judge(server.url, "openai")
    assert len(server.seen) == 6
    assert "sent no reply: its gzip is damaged. Given up after 6 attempts." in (result.error or "")


@pytest.mark.parametrize("start", ["", "{x ", "{ /*"])
@pytest.mark.parametrize("unit", ["[", "[{", '{"a":', "/*", ", //"])
def test_a_models_text_of_brackets_ends_in_words_for_the_model(start: str, unit: str) -> None:
    text = start + unit * (1_500 // len(unit))
    with pytest.raises(NoObject):
        find_object(text, ["claims"], Repairs(), lists="claims")
    plain_text(text, ["answer"])


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
    assert "the reply nests too deep" in (result.error or "")


@pytest.mark.parametrize("tool", TOOLS)
def test_a_tools_reply_that_would_take_all_memory_is_one_sentence_and_is_not_asked_for_again(
    tool: str, tmp_path: Path
) -> None:
    for name, words in _REFUSED.items():
        with hostile_server(REPLIES[name]) as server:
            said = _why_not_pulled(server.url, tool, tmp_path)
        here = server.url.removeprefix("http://")
        hint = "; smaller pages, with --page-size, may help" if words == _TOO_LARGE else ""
        assert said == f"{here} {words}{hint}."
        assert server.accepted == ["gzip"], name


def _nested(brackets: int) -> list[bytes]:
    return [b"[" * brackets + b"]" * brackets]


@pytest.mark.parametrize("tool", TOOLS)
def test_a_tools_reply_that_nests_too_deep_is_one_sentence(tool: str, tmp_path: Path) -> None:
    for brackets in (150, 200_000):
        with hostile_server(HostileReply(blocks=partial(_nested, brackets))) as server:
            said = _why_not_pulled(server.url, tool, tmp_path)
        assert said.endswith(" was not read, because it nests more than 100 levels deep.")
        assert len(server.seen) == 1


def test_many_small_lists_of_a_tool_are_not_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAITHVIEW_LIMITS", "values=100000")
    with hostile_server(HostileReply(blocks=lambda: [b"[" + b"[]," * 20_000 + b"[]]"])) as server:
        said = _why_not_pulled(server.url, "phoenix", tmp_path)
    assert "because it has more than 100,000 values" in said


@pytest.mark.parametrize(
    "encodings", [["gzip", "gzip"], ["gzip,gzip"], ["gzip, identity, gzip"], ["deflate"], ["zstd"]]
)
def test_only_one_layer_of_gzip_is_unpacked(encodings: list[str]) -> None:
    with pytest.raises(ReplyRefused, match="only gzip was requested"):
        ReplyBody(encodings, most=100)


@pytest.mark.parametrize("encodings", [[], ["identity"], ["GZIP"], ["x-gzip"], ["", "gzip"]])
@pytest.mark.parametrize("size", [1, 7, 1_000])
def test_a_body_is_whole_up_to_its_limit_and_no_further(encodings: list[str], size: int) -> None:
    body = bytes(range(100)) * 10
    is_packed = any("gzip" in name.lower() for name in encodings)
    sent = gzip.compress(body) + b"behind its end" if is_packed else body
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
    refuse_deep(b"<html>" + b"{" * 5_000, levels=100, parts=1_000)
    with pytest.raises(ReplyRefused, match="100 levels"):
        refuse_deep(b" " + b"[" * 101 + b"]" * 101, levels=100, parts=1_000)
    refuse_deep(b"[" * 100 + b"]" * 100, levels=100, parts=1_000)

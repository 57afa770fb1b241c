"""Keys come from the environment and go nowhere; what a judge lacks here and whom it would call is said in words."""

import asyncio
import subprocess
import sys

import pytest

from faithview.domain.errors import JudgeUnavailable
from faithview.domain.result import Result, State
from faithview.domain.run import JudgeSpec
from faithview.domain.sample import Sample
from faithview.judges.capabilities import host_of, server_label
from faithview.judges.llm.judge import LlmJudge
from faithview.judges.registry import JudgeInfo, availability, build_judge, create_judge, list_judges
from tests.judges.llm.judging import KEY, VENDORS, judge_against, make_judge
from tests.judges.llm.server import Raw, Status, sensible, serving

_VARIABLES = {
    "openai": ("OPENAI_API_KEY", "OPENAI_BASE_URL"),
    "anthropic": ("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"),
}
both_vendors = pytest.mark.parametrize("vendor", VENDORS)


@pytest.fixture(autouse=True)
def _no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for info in list_judges():
        for name in (*info.keys, info.base_url or "UNUSED"):
            monkeypatch.delenv(name, raising=False)


def _info(name: str) -> JudgeInfo:
    return next(info for info in list_judges() if info.name == name)


@both_vendors
def test_a_missing_key_is_one_sentence_that_names_the_variable(vendor: str) -> None:
    key, url = _VARIABLES[vendor]
    with pytest.raises(JudgeUnavailable) as caught:
        create_judge(JudgeSpec(name=f"{vendor}:m"))
    assert str(caught.value) == (
        f"Judge '{vendor}:m' needs a key: set the environment variable {key} "
        f"(or {url}, for your own server without a key)."
    )
    assert availability(_info(vendor)).missing == f"Needs a key: set {key} (or {url}, for your own server)."


@both_vendors
def test_a_server_of_ones_own_needs_no_key(vendor: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(_VARIABLES[vendor][1], "http://me:secret@127.0.0.1:8000/v1")
    judge = create_judge(JudgeSpec(name=f"{vendor}:m"))
    assert isinstance(judge, LlmJudge)
    assert judge.host == "127.0.0.1:8000"
    found = availability(_info(vendor))
    assert (found.is_ready, found.host) == (True, "127.0.0.1:8000")


@both_vendors
def test_with_a_key_the_vendors_own_host_is_called(vendor: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(_VARIABLES[vendor][0], KEY)
    judge = create_judge(JudgeSpec(name=f"{vendor}:m"))
    assert isinstance(judge, LlmJudge)
    assert judge.host == availability(_info(vendor)).host == f"api.{vendor}.com"
    assert judge.name == f"{vendor}:m"
    assert judge.fingerprint.startswith(f"{vendor}:m/claims/strict/")
    assert KEY not in repr(vars(judge)) + judge.fingerprint


def test_the_embedded_judge_lacks_nothing_and_calls_nobody() -> None:
    found = availability(_info("lexical"))
    assert (found.is_ready, found.missing, found.host) == (True, None, None)


@both_vendors
def test_a_judge_without_a_key_estimates_and_its_first_call_says_what_is_missing(vendor: str) -> None:
    judge = build_judge(JudgeSpec(name=f"{vendor}:m"))
    assert isinstance(judge, LlmJudge)
    sample = Sample.of("It is so.", ["It is so."])
    assert judge.estimate([sample]).calls == 2
    with pytest.raises(JudgeUnavailable, match=f"'{vendor}:m' needs a key: set the environment variable"):
        asyncio.run(judge.judge(sample))


@both_vendors
@pytest.mark.parametrize(
    "said",
    [
        f"Incorrect API key provided: {KEY}.",
        "Incorrect API key provided: sk-abcd***********wxyz.",
        "headers: Authorization: Bearer abc.def.ghi",
        "x-api-key: topsecret",
        "http://user:password@proxy:3128 refused",
    ],
)
@pytest.mark.parametrize("code", [401, 400, 200])
def test_no_key_reaches_a_result(said: str, code: int, vendor: str) -> None:
    web_page = Raw(content=f"<html>{said}</html>".encode(), content_type="text/html")
    answer = web_page if code == 200 else Status(code=code, message=said)
    (result,), _ = judge_against(lambda _: answer, [Sample.of("It is so.", ["It is so."])], vendor=vendor)
    assert result.state is State.FAILED
    for secret in (KEY, "abcd", "wxyz", "abc.def.ghi", "topsecret", "password"):
        assert secret not in repr(result)


@both_vendors
def test_no_text_and_no_key_follows_a_redirect(vendor: str) -> None:
    async def run() -> tuple[Result, int]:
        async with serving(sensible) as (second, elsewhere):
            redirect = Status(code=307, headers={"location": f"{elsewhere}/v1/collect"})
            async with serving(lambda _: redirect) as (_, url):
                judge = make_judge(vendor, url)
                result = await judge.judge(Sample.of("It is so.", ["It is so."]))
                await judge.aclose()
                return result, len(second.requests)

    result, asked = asyncio.run(run())
    assert (result.state, asked) == (State.FAILED, 0)
    assert "status 307" in (result.error or "")


def test_an_error_text_is_one_line_and_not_too_long() -> None:
    client = make_judge("openai", "http://h").client
    assert client.scrub("a\n b\t c" + "x" * 1000) == "a b c" + "x" * 295 + " …"


def test_a_host_is_shown_without_user_and_password() -> None:
    assert host_of("https://user:password@example.org/v1") == "example.org"
    assert host_of("http://127.0.0.1:8000/v1") == "127.0.0.1:8000"


@pytest.mark.parametrize(
    ("url", "label"),
    [
        ("https://api.openai.com/v1/", ""),
        ("https://api.openai.com", ""),
        ("http://127.0.0.1:8000/v1", "@127.0.0.1:8000"),
        ("http://127.0.0.1:8001/v1", "@127.0.0.1:8001"),
        ("https://user:password@example.org/v1?api-key=secret", "@example.org"),
    ],
)
def test_a_server_is_told_from_others_by_its_host(url: str, label: str) -> None:
    assert server_label(url, vendors_own="api.openai.com") == label


def test_servers_behind_one_host_are_told_apart_without_showing_their_paths() -> None:
    labels = {server_label(f"https://gateway.example/{token}", vendors_own="api.openai.com") for token in ("a1", "b2")}
    assert len(labels) == 2
    assert all(label.startswith("@gateway.example~") and "a1" not in label for label in labels)


@both_vendors
def test_a_judge_at_another_server_is_another_judge(vendor: str, monkeypatch: pytest.MonkeyPatch) -> None:
    key, url = _VARIABLES[vendor]
    monkeypatch.setenv(key, KEY)
    fingerprints = []
    for address in ("http://me:secret@127.0.0.1:8000/v1", "http://127.0.0.1:8001/v1"):
        monkeypatch.setenv(url, address)
        judge = create_judge(JudgeSpec(name=f"{vendor}:m"))
        fingerprints.append(judge.fingerprint)
        # What an estimate works out without a key is the same.
        assert judge.fingerprint.startswith(f"{vendor}:m{availability(_info(vendor)).server}/claims/strict/")
        assert judge.name == f"{vendor}:m"
    assert len(set(fingerprints)) == 2
    assert "secret" not in "".join(fingerprints)


@pytest.mark.process
def test_importing_faithview_and_listing_judges_imports_no_sdk() -> None:
    script = (
        "import sys, faithview\n"
        "from faithview.judges.registry import availability, list_judges\n"
        "[availability(info) for info in list_judges()]\n"
        "print(sorted({'openai', 'anthropic', 'httpx2'} & set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"

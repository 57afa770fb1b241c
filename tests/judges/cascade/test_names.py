"""Names of cascades: which judges can be asked, what the others are told, and what each cascade needs."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from faithview.domain.errors import InvalidInput, JudgeUnavailable
from faithview.domain.run import JudgeSpec
from faithview.judges import registry
from faithview.judges.registry import JudgeInfo, availability, check_name, create_judge, find_info, full_name
from faithview.services.judge_catalogue import (
    find_offer,
    is_free,
    is_remote,
    make_spec,
    to_build,
    wants_companions,
)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        *(
            (name, f"A cascade asks a judge with a model, which {name!r} does not name; write cascade:JUDGE:MODEL")
            for name in ("cascade", "cascade:", "cascade:embedded", "cascade:cascade:openai:m")
        ),
        ("cascade:openai", r"needs a model: write openai:MODEL"),
        ("cascade:openai:", r"needs a model: write openai:MODEL"),
        ("cascade:gpt-4o", r"No judge named 'gpt-4o'; known: .* Write a model with its judge: openai:MODEL"),
        ("cascade:openai/gpt-4o", r"Did you mean 'openai:gpt-4o'\?"),
        ("embeded", r"Did you mean 'embedded'\?"),
        ("cascades:openai:m", r"Did you mean 'cascade:openai:m'\?"),
    ],
)
def test_a_name_that_is_none_says_what_to_write(name: str, said: str) -> None:
    with pytest.raises(JudgeUnavailable, match=said):
        check_name(name)


def test_a_local_judge_may_go_without_its_model() -> None:
    assert full_name("cascade:nli") == "cascade:nli:cross-encoder/nli-deberta-v3-xsmall"
    assert full_name("cascade:openai:m") == "cascade:openai:m"
    assert make_spec("cascade:hhem").name == "cascade:hhem:vectara/hallucination_evaluation_model"


def test_a_cascade_needs_what_the_judge_that_it_asks_needs() -> None:
    info = check_name("cascade:openai:m")
    alone = check_name("openai:m")
    assert (info.is_cascade, info.asks, info.is_remote, info.packages) == (True, alone, True, ())
    assert availability(info, {}) == availability(alone, {})
    assert availability(info, {"OPENAI_BASE_URL": "http://models:8/v1"}).host == "models:8"
    local = check_name("cascade:nli:m")
    assert (local.is_remote, local.packages) == (False, ("torch", "transformers"))
    assert {"cascade_share", "device"} <= set(local.options)


def test_one_that_names_no_judge_is_still_found() -> None:
    for name in ("cascade", "cascade:", "cascade:nobody", "cascade:cascade"):
        found = find_info(name)
        assert found is not None
        assert (found.is_cascade, found.asks) == (True, None)


def test_what_costs_nothing_and_what_is_called_follows_the_judge_that_is_asked() -> None:
    names = ("cascade:openai:m", "cascade:anthropic:m", "cascade:nli:m")
    assert [is_remote(JudgeSpec(name=name)) for name in names] == [True, True, False]
    assert [is_free(JudgeSpec(name=name)) for name in (*names, "cascade")] == [False, False, True, False]


def test_an_offer_of_a_full_name_says_where_the_texts_go(monkeypatch: pytest.MonkeyPatch) -> None:
    offer = find_offer("cascade:anthropic:m", {})
    assert offer is not None
    assert (offer.name, offer.host, offer.is_remote, offer.has_methods) == ("cascade", "api.anthropic.com", True, False)
    assert offer.missing is not None
    assert "ANTHROPIC_API_KEY" in offer.missing
    listed = find_offer("cascade", {})
    assert listed is not None
    assert (listed.is_cascade, listed.missing, listed.host) == (True, None, None)
    assert "openai:gpt-6-luna" in listed.models


@pytest.mark.parametrize(
    ("judge", "options", "said"),
    [
        ("cascade:openai:m", {"method": "single"}, r"the method 'single' does not apply to 'cascade:openai:m'"),
        ("embedded", {"cascade_share": 0.3}, r"The cascade share is for a cascade, .* 'embedded' is not one"),
        ("openai:m", {"options": {"cascade_share": "0.3"}}, r"'openai:m' is not one; leave it out"),
        (
            "cascade:nli:m",
            {"strictness": "strict"},
            r"Judge 'cascade' has no option 'strictness'; it has cascade_share",
        ),
        ("cascade:nli:m", {"prompt_text": "x"}, r"has no option 'prompt_text'"),
    ],
)
def test_options_that_do_not_apply_are_refused(judge: str, options: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        make_spec(judge, **options)


def test_a_method_is_refused_where_the_spec_was_made_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-x")
    with pytest.raises(JudgeUnavailable, match="the method 'qa' does not apply"):
        create_judge(JudgeSpec(name="cascade:openai:m", method="qa"))


def test_options_go_to_the_judge_that_they_are_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-x")
    spec = make_spec("cascade:openai:m", strictness="lenient", cascade_share=0.25, companions=True)
    assert spec.options == {"strictness": "lenient", "cascade_share": "0.25", "companions": "yes"}
    built = to_build(spec, concurrency=5)
    assert built.options == {"strictness": "lenient", "cascade_share": "0.25", "concurrency": "5"}
    assert wants_companions(spec)
    fingerprint = create_judge(built).fingerprint
    assert fingerprint.startswith("cascade:openai:m/claims/lenient/claims_extract.")
    usual = create_judge(to_build(make_spec("cascade:openai:m", strictness="lenient"))).fingerprint
    assert "/0.2-0.8/" in usual
    assert fingerprint != usual


def test_an_unknown_option_names_the_judge_that_lacks_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-x")
    with pytest.raises(JudgeUnavailable, match="Judge 'openai:m' has no option 'speed'"):
        create_judge(make_spec("cascade:openai:m", options={"speed": "9"}))


def test_a_missing_key_is_that_of_the_judge_that_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(JudgeUnavailable, match="Judge 'openai:m' needs a key"):
        create_judge(JudgeSpec(name="cascade:openai:m"))


@pytest.fixture
def plug_in(monkeypatch: pytest.MonkeyPatch) -> Callable[[Any], None]:
    """Return a function that installs a judge plug-in named "acme"."""

    def install(judge: Any) -> None:
        info = JudgeInfo(name="acme", title="Acme", target="acme:build")
        monkeypatch.setattr(registry, "_plugins", lambda _path: (info,))
        monkeypatch.setattr(registry, "import_module", lambda name: SimpleNamespace(build=lambda _spec: judge))

    return install


def test_a_plug_in_that_cannot_rule_on_given_claims_is_refused(
    plug_in: Callable[[Any], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    from faithview.judges import cascade

    plug_in(SimpleNamespace(name="acme", fingerprint="acme/1", judge=None, aclose=None))
    with pytest.raises(JudgeUnavailable, match="The judge 'acme' lists the claims of an answer itself"):
        cascade.build(JudgeSpec(name="cascade:acme"))
    assert not is_free(JudgeSpec(name="cascade:acme"))

"""Judges are named as shortly as tells them apart."""

import pytest

from faithview.wording.numbers import short_judge_names

_RULES = "lexical/6+59c6e31c"
_DEFAULT = "embedded/1+59c6e31c+8290078e+952150a0"
_LLM = "openai:gpt-test@127.0.0.1:46301/claims/strict/claims_extract.v1:1362b4aa"


@pytest.mark.parametrize(
    ("fingerprints", "names"),
    [
        ([], []),
        ([_DEFAULT, _RULES], ["embedded", "lexical"]),
        ([_DEFAULT, _DEFAULT], ["embedded", "embedded"]),
        ([_LLM, _DEFAULT], ["openai:gpt-test", "embedded"]),
        ([_RULES, "lexical/5+59c6e31c", _DEFAULT], ["lexical 6", "lexical 5", "embedded"]),
        ([_RULES, "lexical/6+aaaaaaaa"], ["lexical 6 (59c6e31c)", "lexical 6 (aaaaaaaa)"]),
        (
            [_DEFAULT, "embedded/1+59c6e31c+8290078e+11111111", _RULES],
            ["embedded 1 (952150a0)", "embedded 1 (11111111)", "lexical"],
        ),
        ([_RULES, "lexical/6"], ["lexical 6 (59c6e31c)", "lexical/6"]),
        (["test"], ["test"]),
        (["odd@", "odd@x"], ["odd@", "odd"]),
    ],
)
def test_short_names_tell_judges_apart(fingerprints: list[str], names: list[str]) -> None:
    short = short_judge_names(fingerprints)
    assert [short[fingerprint] for fingerprint in fingerprints] == names

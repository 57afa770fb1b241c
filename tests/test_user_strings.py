"""Strings that a user may see, and docstrings, avoid words that readers stumble over."""

import re
from functools import cache

import pytest

from tests.user_strings import UserString, docstrings, user_strings

# The word, and what to write instead.
_BANNED = {
    r"bears?|bearing|bore|borne": "supports, supported",
    r"in vain": "say what happened: cited, but not supported",
    r"gravest|dearest": "worst",
    r"(?:held|holds?|holding) .{0,60}\bagainst": "compare with",
    r"whatever the": "name the cases",
    r"to whom|for whom|of whom": "who",
    r"cut-short": "truncated",
}
# Texts that JSON documents, exports, the store or a judge's fingerprint contain: they do not change.
_FROZEN = {
    "faithview/services/comparison/compared_runs.py": "cautions are part of the `compare` document",
    "faithview/services/gates.py": "gate messages are part of the `evaluate` document",
    "faithview/judges": "prompts and explanations are part of fingerprints and stored results",
}


@cache
def _texts() -> tuple[UserString, ...]:
    return tuple(string for string in (*user_strings(), *docstrings()) if not _is_frozen(string))


@pytest.mark.parametrize(("words", "better"), _BANNED.items(), ids=list(_BANNED.values()))
def test_no_text_uses_a_word_that_readers_stumble_over(words: str, better: str) -> None:
    pattern = re.compile(rf"\b(?:{words})\b", re.IGNORECASE)
    found = [
        f"{string.path}:{string.line} {match[0]!r}" for string in _texts() if (match := pattern.search(string.text))
    ]
    assert not found, f"Better: {better}.\n" + "\n".join(found)


def test_a_correction_and_a_remark_by_the_judge_have_names_of_their_own() -> None:
    suggests = re.compile(r"\bsuggest(s|ed|ions?)?\b", re.IGNORECASE)
    found = [
        f"{one.path}:{one.line} {one.text!r}"
        for one in user_strings()
        if not _is_frozen(one) and suggests.search(re.sub(r"{{.*?}}", "", one.text))
    ]
    assert not found, "A correction is 'Corrected by the judge', advice a 'remark'.\n" + "\n".join(found)
    said = {
        string.text.strip()
        for string in user_strings("wording/verdict_styles.py", "judge_notes.py", "wording/findings.py")
    }
    assert any(text.startswith("Corrected by the judge") for text in said)
    assert any("remark" in text for text in said)


def test_the_list_shows_what_commands_templates_and_scripts_say() -> None:
    seen = {
        (string.path, string.text) for string in user_strings("cli/compare.py", "templates/run.html", "pair_view.js")
    }
    assert ("faithview/cli/compare.py", "The earlier run: its id or unique name.") in seen
    assert ("faithview/services/reports/templates/run.html", "Where it goes wrong") in seen
    assert ("faithview/ui/frontend/pair_view.js", "Show the word difference") in seen


def _is_frozen(string: UserString) -> bool:
    return string.path.startswith(tuple(_FROZEN))

"""No text for users, error, page of the documentation or docstring uses a construction that readers stumble over.

`python -m tests.test_wordlist [PART-OF-A-PATH ...]` prints those that do.
"""

import re
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache

import pytest

from tests.user_strings import ROOT, UserString, docstrings, user_strings

# The construction, and what to write instead.
BANNED = {
    r"(?<!there )\b(?:is|are|was|were) no (?!longer\b|more\b|better\b|worse\b)\w+": "not a, not valid, not found",
    r", so that\b": "so",
    r", for (?:it|they|he|there|then|(?:the|an?|this|that) [\w-]+ (?:is|are|was|has|have|does|do))\b": "because",
    r"\bstands?\b(?! (?:for|out)\b)": "is, is listed, contains",
    r"\bbut for\b": "except",
    r"\bmore than chance\b": "significant",
    r"\bof which\b": "two sentences",
    r"^What (?!is|are|do|did|does|to\b)\w+ [^?]*(?:is|are) [^?]*$": "name the thing",
    r"\b(?:one|two|three|four|\d+|\{…\}|n|rows?|requests?|answers?|claims?) an? (?:second|line|claim|answer)\b": "per",
    r"\b(?:nobody|somebody|everybody|whoever)\b": "name the actor: no reviewer, every user",
    r"\btill\b|\banew\b": "until, again",
    r"\bwhite space\b": "whitespace",
    r"\bquotations?\b(?! marks?\b)": "quote",
    r"\brefused (?:both|in both)\b|\bclaims? (?:was |were )?lost\b": "abstained; broke",
}
# Words that only texts of the package may not contain, and what to write instead.
_BANNED_WORDS = {
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
# Prompts are part of a judge's fingerprint; the other two are rewritten by themselves.
_QUOTED = ("faithview/judges/llm/prompts", "docs/changelog.md", "docs/architecture.md")
# These are sent to models, or list words for a judge.
_NOT_FOR_READERS = (
    "What the chunks say about the claim with this number.",
    "What the chunks say to the question with this number.",
    "{…} is no number",
    "all every each everyone everybody everything any anyone whole entire both",
    "no none nobody nothing",
)
_NO_PROSE = re.compile(r"^```.*?^```|`[^`\n]*`|<!--.*?-->|\]\([^)]*\)", re.MULTILINE | re.DOTALL)


@cache
def _in_package() -> tuple[UserString, ...]:
    return (*user_strings(), *docstrings())


def _texts() -> Iterator[UserString]:
    for string in (*_in_package(), *_pages()):
        if not string.path.startswith(_QUOTED) and string.text not in _NOT_FOR_READERS:
            yield string


def _pages() -> Iterator[UserString]:
    """Yield the paragraphs of the documentation, without code and links."""
    for path in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))):
        text = _NO_PROSE.sub(_blank, path.read_text(encoding="utf-8"))
        for number, line in enumerate(text.splitlines(), start=1):
            if line.strip():
                yield UserString(path.relative_to(ROOT).as_posix(), number, line.strip())


def _blank(match: re.Match[str]) -> str:
    return "\n" * match[0].count("\n")


@cache
def _hits() -> tuple[tuple[str, UserString, str], ...]:
    patterns = [(pattern, re.compile(pattern, re.IGNORECASE)) for pattern in BANNED]
    return tuple(
        (pattern, string, match[0])
        for string in _texts()
        for pattern, compiled in patterns
        for match in compiled.finditer(string.text)
    )


def test_no_text_has_a_banned_construction() -> None:
    found = [f"{string.path}:{string.line} {word!r}; better: {BANNED[pattern]}" for pattern, string, word in _hits()]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(("words", "better"), _BANNED_WORDS.items(), ids=list(_BANNED_WORDS.values()))
def test_no_text_uses_a_word_that_readers_stumble_over(words: str, better: str) -> None:
    pattern = re.compile(rf"\b(?:{words})\b", re.IGNORECASE)
    found = [
        f"{string.path}:{string.line} {match[0]!r}"
        for string in _in_package()
        if not _is_frozen(string) and (match := pattern.search(string.text))
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


if __name__ == "__main__":
    for _pattern, _string, _word in _hits():
        if not sys.argv[1:] or any(part in _string.path for part in sys.argv[1:]):
            sys.stdout.write(f"{_string.path}:{_string.line} [{_word}] {_string.text[:150]}\n")
    sys.stdout.write(f"{Counter(string.path.rpartition('/')[0] for _, string, _ in _hits())}\n")

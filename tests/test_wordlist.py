"""No text for users, error, page of the documentation or docstring uses a construction that readers stumble over.

A package that still has some is in `_LEFT` with their number. The number may only shrink: the test fails both where
there are more and where there are fewer, so that the list is corrected with the text.
`python -m tests.test_wordlist [PART-OF-A-PATH ...]` prints them.
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
# Packages that have not been rewritten yet, and how many hits they have.
_LEFT = {
    "docs": 113,
    "faithview/cli": 25,
    "faithview/domain": 84,
    "faithview/formats": 81,
    "faithview/integrations": 1,
    "faithview/judges": 194,
    "faithview/server": 13,
    "faithview/services": 223,
    "faithview/store": 99,
    "faithview/ui": 139,
    "faithview/wording": 21,
}
# Prompts are part of a judge's fingerprint; the other two are rewritten by themselves.
_QUOTED = ("faithview/judges/llm/prompts", "docs/changelog.md", "docs/architecture.md")
_NO_PROSE = re.compile(r"^```.*?^```|`[^`\n]*`|<!--.*?-->|\]\([^)]*\)", re.MULTILINE | re.DOTALL)


def _texts() -> Iterator[UserString]:
    for string in (*user_strings(), *docstrings(), *_pages()):
        if not string.path.startswith(_QUOTED):
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


def _package(path: str) -> str:
    parts = path.split("/")
    return "/".join(parts[:2]) if parts[0] == "faithview" else parts[0]


def _of_package(package: str) -> list[str]:
    return [
        f"{string.path}:{string.line} {word!r}; better: {BANNED[pattern]}"
        for pattern, string, word in _hits()
        if _package(string.path) == package
    ]


def test_packages_that_are_done_have_no_banned_construction() -> None:
    done = sorted({_package(one.path) for _, one, _ in _hits()} - set(_LEFT))
    found = [line for package in done for line in _of_package(package)]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("package", _LEFT)
def test_the_number_of_hits_only_shrinks(package: str) -> None:
    found = _of_package(package)
    assert len(found) == _LEFT[package], f"{package} has {len(found)}: correct _LEFT.\n" + "\n".join(found)


if __name__ == "__main__":
    for _pattern, _string, _word in _hits():
        if not sys.argv[1:] or any(part in _string.path for part in sys.argv[1:]):
            sys.stdout.write(f"{_string.path}:{_string.line} [{_word}] {_string.text[:150]}\n")
    sys.stdout.write(f"{Counter(_package(string.path) for _, string, _ in _hits())}\n")

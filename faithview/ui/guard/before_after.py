"""Two versions of an answer side by side: problem spans marked in both, changed words struck out and underlined."""

import hashlib
import itertools
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypedDict

import streamlit as st

from faithview.domain.claim import WORST_FIRST, Claim, Verdict
from faithview.domain.result import Result
from faithview.ui.components.component_files import read_script, read_styles
from faithview.ui.components.verdict_styles import browser_styles
from faithview.wording.verdicts import claim_verdict_words
from faithview.wording.word_diff import changed_ranges

_mount = st.components.v2.component(
    "faithview.before_after",
    css=read_styles("before_after"),
    js=read_script("before_after"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """One version of an answer: its text, the verdicts on it (None if it was not judged), and the words above it."""

    title: str
    note: str
    answer: str
    result: Result | None


class PartPayload(TypedDict):
    """A stretch of text; `change` is "", "removed" or "added", `verdict` that of the worst problem there, "" for none.

    `numbers` are the claims whose problem begins here, `words` the problems for screen readers.
    """

    text: str
    change: str
    verdict: str
    numbers: list[int]
    words: str


class SidePayload(TypedDict):
    """One version as it is drawn."""

    title: str
    note: str
    parts: list[PartPayload]


def before_after(before: Version, after: Version | None, *, key: str) -> None:
    """Draw an answer and what became of it; without `after`, the answer alone over the whole width."""
    sides = build_sides(before, after)
    digest = hashlib.blake2b(json.dumps(sides).encode(), digest_size=12).hexdigest()
    _mount(key=key, height="content", data={"subject": digest, "styles": browser_styles(), "sides": sides})


def build_sides(before: Version, after: Version | None) -> list[SidePayload]:
    """Return what is drawn of both versions; the parts of each join to its text."""
    if after is None:
        return [_side(before, "removed", [])]
    removed, added = changed_ranges(before.answer, after.answer)
    return [_side(before, "removed", removed), _side(after, "added", added)]


def _side(version: Version, change: str, changed: Sequence[tuple[int, int]]) -> SidePayload:
    claims = () if version.result is None else version.result.claims
    problems = [
        (number, claim) for number, claim in enumerate(claims, start=1) if claim.verdict is not Verdict.SUPPORTED
    ]
    return {
        "title": version.title,
        "note": version.note,
        "parts": _parts(version.answer, problems, change, changed),
    }


def _parts(
    text: str, problems: Sequence[tuple[int, Claim]], change: str, changed: Sequence[tuple[int, int]]
) -> list[PartPayload]:
    spans = [(span.start, span.end, number, claim) for number, claim in problems for span in claim.spans]
    ends = (at for start, end, *_ in spans for at in (start, end))
    cuts = sorted({0, len(text), *ends, *(at for pair in changed for at in pair)})
    parts: list[PartPayload] = []
    for start, end in itertools.pairwise(cuts):
        here = [(first, number, claim) for first, last, number, claim in spans if first <= start and end <= last]
        worst = next((v for v in WORST_FIRST if any(claim.verdict is v for *_, claim in here)), None)
        parts.append(
            {
                "text": text[start:end],
                "change": change if any(first <= start and end <= last for first, last in changed) else "",
                "verdict": "" if worst is None else worst.value,
                "numbers": [number for first, number, _ in here if first == start],
                "words": "; ".join(
                    f"claim {number}, {claim_verdict_words(claim.verdict, claim.confidence)}"
                    for _, number, claim in here
                ),
            }
        )
    return parts

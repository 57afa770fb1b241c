"""The claims of the inbox, equal ones as one row: each opens in Inspect, and ticked ones are labelled or assigned."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypedDict
from urllib.parse import urlencode

import streamlit as st

from faithview.domain.inbox import ClaimGroup, InboxPage, LabelOutcome
from faithview.domain.label import NOT_A_CLAIM
from faithview.stats.search_words import Phrases, find_phrases, parse_query
from faithview.ui.components.component_files import read_script, read_styles
from faithview.ui.components.label_buttons import CHOICES
from faithview.ui.components.verdict_styles import browser_styles
from faithview.ui.shell import address, session
from faithview.wording import numbers as fmt
from faithview.wording.inbox import LABEL_STATES, group_words, latest_words
from faithview.wording.verdicts import NOT_A_CLAIM_WORD, claim_verdict_words, verdict_word

_mount = st.components.v2.component(
    "faithview.group_list",
    css=read_styles("group_list"),
    js=read_script("group_list"),
)
_KEY = "inbox.groups"
_MAX_TICKED = 500
_ID_DIGITS = 18


class ClaimPart(TypedDict):
    """A stretch of a claim; `isMatch` marks the words that were looked for. The parts of a claim join to its text."""

    text: str
    isMatch: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Press:
    """What was pressed over ticked rows: a label ("label"), or somebody to assign them to ("assign", "" for nobody)."""

    action: str
    value: str
    group_ids: tuple[int, ...]


def group_list(
    page: InboxPage,
    words: str,
    *,
    reviewers: Sequence[str],
    refusal: str | None,
    on_press: Callable[[Press], None],
) -> None:
    """Draw one page of the inbox.

    Args:
        page: the page.
        words: the words that were looked for, which the claims mark.
        reviewers: names that are offered to assign claims to.
        refusal: why nobody may label now, as a sentence; None if somebody may.
        on_press: does what was pressed over ticked rows, before the next run of the script.
    """
    phrases = parse_query(words)
    first, last = page.offset + 1, page.offset + len(page.groups)
    several = "different claims" if page.total_groups > 1 else "claim"
    _mount(
        key=_KEY,
        height="content",
        data={
            "groups": [_payload(group, phrases) for group in page.groups],
            "summary": f"{fmt.count(first)}–{fmt.count(last)} of {fmt.count(page.total_groups)} {several}, "
            f"{fmt.plural(page.total_claims, 'time')} in all. Most harm first.",
            "choices": [{"value": choice, "word": verdict_word(choice)} for choice in CHOICES],
            "reviewers": list(reviewers),
            "refusal": refusal,
            "styles": browser_styles(),
        },
        on_pressed_change=lambda: _report(on_press),
    )


def _report(on_press: Callable[[Press], None]) -> None:
    reported = session.widget_value(_KEY)
    press = parse_press(reported.get("pressed") if isinstance(reported, Mapping) else None)
    if press is not None:
        on_press(press)


def parse_press(reported: object) -> Press | None:
    """Return what a browser reported, which comes from outside, as a press; None for anything else."""
    if not isinstance(reported, Mapping):
        return None
    action, value, ids = reported.get("action"), reported.get("value"), reported.get("groups")
    if action not in ("label", "assign") or not isinstance(value, str) or not isinstance(ids, Sequence):
        return None
    texts = [str(one) for one in ids[:_MAX_TICKED]]
    kept = [text for text in texts if text.isascii() and text.isdecimal() and len(text) <= _ID_DIGITS]
    return Press(action=action, value=value, group_ids=tuple(map(int, kept))) if kept else None


def _payload(group: ClaimGroup, phrases: Phrases) -> dict[str, object]:
    verdict = group.verdict
    is_labelled = group.label_state is not LabelOutcome.UNLABELLED
    return {
        "id": str(group.group_id),
        "href": f"inspect?{urlencode(address.link(group.run_id, group.key, group.claim_number))}",
        "verdict": verdict.value if verdict else NOT_A_CLAIM,
        "words": claim_verdict_words(verdict, group.confidence) if verdict else NOT_A_CLAIM_WORD,
        "parts": mark_words(group.text, phrases),
        # The judge's reasons speak of the judge's verdict.
        "explanation": "" if group.label_state is LabelOutcome.OVERRULED else group.explanation,
        "question": group.question,
        "where": group_words(group),
        "latest": latest_words(group),
        "state": LABEL_STATES[group.label_state] if is_labelled else None,
        "assigned": f"assigned to {fmt.listed(group.assignees)}" if group.assignees else None,
        "listed": group.listed,
    }


def mark_words(text: str, phrases: Phrases) -> list[ClaimPart]:
    """Return a text in parts, cut where it holds words of a query."""
    parts: list[ClaimPart] = []
    done = 0
    for start, end in find_phrases(text, phrases):
        if start > done:
            parts.append({"text": text[done:start], "isMatch": False})
        parts.append({"text": text[start:end], "isMatch": True})
        done = end
    if done < len(text) or not parts:
        parts.append({"text": text[done:], "isMatch": False})
    return parts

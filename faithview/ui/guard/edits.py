"""What was changed in an answer, claim by claim, and what was not."""

import streamlit as st

from faithview.domain.sample import Sample
from faithview.services.guard.correction.edits import Edit
from faithview.services.guard.guarded_answer import GuardedAnswer
from faithview.wording import guard as words
from faithview.wording import numbers as fmt

_MOST_SHOWN = 20


def list_edits(guarded: GuardedAnswer, sample: Sample) -> None:
    """Draw a line for each edit of the answer, then the guard's notes."""
    lines = [f"- {edit_line(edit, sample.answer)}" for edit in guarded.edits[:_MOST_SHOWN]]
    if len(guarded.edits) > _MOST_SHOWN:
        lines.append(f"- {fmt.count(len(guarded.edits) - _MOST_SHOWN)} more")
    if lines:
        st.markdown("\n".join(lines))
    for note in guarded.notes:
        st.caption(f":material/info: {fmt.literal(note)}")


def edit_line(edit: Edit, answer: str) -> str:
    """Return what one edit did and why, in Markdown; an announcement that is removed is about no claim."""
    claims = words.claims_words(edit.claim_numbers) if edit.claim_numbers else ""
    old, new = _quoted(answer[edit.start : edit.end]), _quoted(edit.replacement)
    what = f"{old} became {new}" if new else f"{old} was removed"
    prefix = f"**{claims[:1].upper()}{claims[1:]}:** " if claims else ""
    return f"{prefix}{what}. {fmt.literal(edit.reason)}".rstrip()


def _quoted(text: str, *, most: int = 160) -> str:
    """Return a text in quotation marks on one line, cut if it is long; "" for white space alone."""
    line = " ".join(text.split())
    if not line:
        return ""
    return f"“{fmt.literal(line if len(line) <= most else line[: most - 1] + '…')}”"

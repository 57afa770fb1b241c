"""A judged answer as Markdown, to be pasted into a ticket or a chat."""

import re

from faithview.domain.result import Result
from faithview.wording import numbers as fmt
from faithview.wording.verdict_styles import style_of

# What Markdown and HTML would obey.
_OBEYED = re.compile(r"[\\*_`\[\]<>|#~]")


def answer_markdown(question: str, answer: str, result: Result) -> str:
    """Return the question, the answer, its score, and each claim with its verdict and the evidence.

    The texts are one line each, and mean nothing in Markdown.
    """
    score = "no score" if result.faithfulness is None else f"faithfulness {fmt.share(result.faithfulness)}"
    lines = [f"**{_plain(question)}**", ""] if question.strip() else []
    lines += [f"> {_plain(answer)}", "", f"{score[:1].upper()}{score[1:]}, judged by {_plain(result.judge)}.", ""]
    for claim, certainty in zip(result.claims, result.certainties, strict=True):
        word = style_of(claim.verdict, certainty).word
        lines.append(f"- {word[:1].upper()}{word[1:]}: {_plain(claim.text)}")
        lead = "" if claim.grounds else "Nearest passage, "
        lines += [f"  - {lead}{_plain(item.chunk_id)}: {_plain(item.quote)}" for item in claim.evidence]
    return "\n".join(lines).rstrip() + "\n"


def _plain(text: str) -> str:
    return _OBEYED.sub(r"\\\g<0>", " ".join(text.split()))

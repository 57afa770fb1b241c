"""A judged answer as Markdown: everything in it is text."""

from faithview.domain.claim import Verdict
from faithview.wording.answer_markdown import answer_markdown
from tests.factories import make_chunks, make_claim, make_evidence, make_result

_CHUNK = make_chunks({"kb_1": "Links expire after 7 days."})[0]


def test_claims_stand_with_their_verdicts_and_evidence() -> None:
    claim = make_claim(
        "Links expire after 9 days.", Verdict.CONTRADICTED, evidence=(make_evidence(_CHUNK, "after 7 days"),)
    )
    text = answer_markdown("When?", "Links expire\nafter 9 days.", make_result(claim, judge="lexical"))
    assert text == (
        "**When?**\n\n> Links expire after 9 days.\n\nFaithfulness 0.00, judged by lexical.\n\n"
        "- Contradicted: Links expire after 9 days.\n  - kb\\_1: after 7 days\n"
    )


def test_markup_in_a_text_stays_text() -> None:
    text = answer_markdown("", "# <b>[x](y)</b> **z**", make_result())
    assert text.startswith("> \\# \\<b\\>\\[x\\](y)\\</b\\> \\*\\*z\\*\\*\n")

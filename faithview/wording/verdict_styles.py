"""The words, icons, colours and underlines of verdicts and states.

Nothing relies on colour alone: every verdict also has its own icon, word and underline pattern. Neutral grey means that
there is no verdict, or that it is hidden.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from faithview.domain.certainty import Certainty
from faithview.domain.claim import WORST_FIRST, Claim, Verdict
from faithview.domain.label import NOT_A_CLAIM
from faithview.domain.result import Result, State
from faithview.domain.sample import Chunk
from faithview.domain.spans import stands_in
from faithview.wording.palette import NO_VERDICT


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictStyle:
    """How one verdict looks.

    `glyph` is its icon as a character, `material` as a name for Streamlit, and `stroke` and `fill` as SVG paths in a
    box of 16 by 16 units ("" for none). `light` and `dark` are its colour, with at least 4.5:1 on the theme's
    backgrounds: texts, lines and areas have the same. `underline` is a CSS `text-decoration` style with thickness.
    `streamlit_colour` is the theme colour that equals it, for `:green[...]` and badges. `note` is a sentence on what it
    means, "" where its word says it all.
    """

    word: str
    glyph: str
    material: str
    stroke: str
    fill: str
    light: str
    dark: str
    underline: str
    streamlit_colour: str
    note: str = ""


_CIRCLE = "M8 2.5a5.5 5.5 0 1 1 0 11a5.5 5.5 0 1 1 0-11z"

VERDICTS: Mapping[Verdict, VerdictStyle] = MappingProxyType(
    {
        Verdict.SUPPORTED: VerdictStyle(
            word="supported",
            glyph="✓",
            material=":material/check:",
            stroke="M2.8 8.6 6.3 12.2 13.2 4.2",
            fill="",
            light="#00735a",
            dark="#3fc79f",
            underline="solid 1.5px",
            streamlit_colour="green",
        ),
        Verdict.PARTIALLY_SUPPORTED: VerdictStyle(
            word="partially supported",
            glyph="◐",
            material=":material/contrast:",
            stroke=_CIRCLE,
            fill="M8 2.5a5.5 5.5 0 0 0 0 11z",
            light="#8a5f00",
            dark="#e8b04a",
            underline="dashed 2px",
            streamlit_colour="yellow",
        ),
        Verdict.NOT_MENTIONED: VerdictStyle(
            word="not mentioned",
            glyph="○",
            material=":material/radio_button_unchecked:",
            stroke=_CIRCLE,
            fill="",
            light="#7a3fa0",
            dark="#c79bea",
            underline="dotted 2.5px",
            streamlit_colour="violet",
        ),
        Verdict.CONTRADICTED: VerdictStyle(
            word="contradicted",
            glyph="✕",
            material=":material/close:",
            stroke="M3.5 3.5 12.5 12.5 M12.5 3.5 3.5 12.5",
            fill="",
            light="#b83a00",
            dark="#ff8a55",
            underline="wavy 1.5px",
            streamlit_colour="orange",
        ),
    }
)

STATE_WORDS: Mapping[State, str] = MappingProxyType(
    {
        State.PENDING: "pending",
        State.JUDGED: "judged",
        State.NO_CLAIMS: "no claims",
        State.ABSTAINED: "abstained",
        State.EMPTY_CONTEXT: "empty context",
        State.FAILED: "failed",
    }
)

# Shown in place of an empty list of claims.
STATE_SENTENCES: Mapping[State, str] = MappingProxyType(
    {
        State.PENDING: "This answer has not been judged yet.",
        State.JUDGED: "The judge found no claim in this answer.",
        State.NO_CLAIMS: "This answer states nothing that could be checked against the chunks.",
        State.ABSTAINED: "The answer only says that the chunks do not answer the question: nothing to check.",
        State.EMPTY_CONTEXT: "No chunk with text was retrieved for this answer: nothing to check it against.",
        State.FAILED: "This answer could not be judged and has no score.",
    }
)

_SCORED_WITHOUT_CLAIMS = "Another tool scored this answer as a whole: no claims came with its score."


def sentence_without_claims(result: Result) -> str:
    """Return what is said in place of the claims of an answer that has none."""
    return _SCORED_WITHOUT_CLAIMS if result.is_scored_without_claims else STATE_SENTENCES[result.state]


# A claim that the judge calls supported, but only just (`Certainty.is_near_cut`). It has no verdict's colour or line:
# a reader should not take it for one that need not be read.
CHECK_THIS = "check_this"
CHECK_STYLE = VerdictStyle(
    word="check this",
    glyph="?",
    material=":material/question_mark:",
    stroke="M4.6 5.6a3.4 3.4 0 1 1 5.2 2.9c-1.2 .8-1.8 1.3-1.8 2.4 M8 13.6v.1",
    fill="",
    light=NO_VERDICT.light,
    dark=NO_VERDICT.dark,
    underline="double 1px",
    streamlit_colour="gray",
    note="The judge calls the claim supported, but only just.",
)


# The styles of claims by name; where claims overlap, the first counts.
STYLES: Mapping[str, VerdictStyle] = MappingProxyType(
    {
        **{v.value: VERDICTS[v] for v in WORST_FIRST if v is not Verdict.SUPPORTED},
        CHECK_THIS: CHECK_STYLE,
        Verdict.SUPPORTED.value: VERDICTS[Verdict.SUPPORTED],
    }
)


def style_name(verdict: Verdict, certainty: Certainty) -> str:
    """Return the name of the style that a judge's verdict on a claim is drawn in: the verdict's, or `CHECK_THIS`."""
    return CHECK_THIS if certainty.is_near_cut else verdict.value


def style_of(verdict: Verdict, certainty: Certainty) -> VerdictStyle:
    """Return the style that a judge's verdict on a claim is drawn in."""
    return STYLES[style_name(verdict, certainty)]


NOT_A_CLAIM_WORD = "not a claim"

# A statement that reviewers call not a claim has no verdict, so it has no verdict's colour or line.
NO_CLAIM_STYLE: Mapping[str, str] = MappingProxyType(
    {
        "word": NOT_A_CLAIM_WORD,
        "stroke": f"{_CIRCLE} M4.2 4.2 11.8 11.8",
        "fill": "",
        "light": NO_VERDICT.light,
        "dark": NO_VERDICT.dark,
        "underline": "solid 1px",
    }
)


# By stored name, with the icon: cells of a table have neither colour nor underline.
VERDICT_LABELS: Mapping[str, str] = MappingProxyType(
    {**{v.value: f"{style.glyph} {style.word}" for v, style in VERDICTS.items()}, NOT_A_CLAIM: NOT_A_CLAIM_WORD}
)
# The same, narrow enough for the columns of a table.
SHORT_VERDICT_LABELS: Mapping[str, str] = MappingProxyType(
    {
        Verdict.SUPPORTED.value: f"{VERDICTS[Verdict.SUPPORTED].glyph} supp.",
        Verdict.PARTIALLY_SUPPORTED.value: f"{VERDICTS[Verdict.PARTIALLY_SUPPORTED].glyph} part.",
        Verdict.NOT_MENTIONED.value: f"{VERDICTS[Verdict.NOT_MENTIONED].glyph} not m.",
        Verdict.CONTRADICTED.value: f"{VERDICTS[Verdict.CONTRADICTED].glyph} contr.",
        NOT_A_CLAIM: "no claim",
    }
)


def verdict_word(verdict: str | None) -> str:
    """Return the word for a stored verdict; None and "not_a_claim" mean that reviewers said it is not a claim."""
    if verdict is None or verdict == NOT_A_CLAIM:
        return NOT_A_CLAIM_WORD
    return VERDICTS[Verdict(verdict)].word


# A judge's verdict on one claim with a lower confidence is written with "probably": by the judge's own account more
# than one of four such verdicts is wrong, too many to state them as facts. On the help-desk answers that is 9% of what
# the embedded judge calls supported, and nearly all that it calls partially supported or not mentioned.
LOW_CONFIDENCE = 0.75


def is_unsure(confidence: float | None) -> bool:
    """Return whether a judge's confidence in a verdict is low; None, where it states none, is not."""
    return confidence is not None and confidence < LOW_CONFIDENCE


def claim_verdict_words(verdict: Verdict, certainty: Certainty) -> str:
    """Return a judge's verdict on one claim in words: "supported", or "check this" near the judge's cut.

    At a low confidence it is "probably supported"; a judge that states none, and reviewers, read as sure.
    """
    if certainty.is_near_cut:
        return CHECK_STYLE.word
    word = VERDICTS[verdict].word
    return f"probably {word}" if is_unsure(certainty.confidence) else word


def judged_label(verdict: Verdict, certainty: Certainty) -> str:
    """Return a judge's verdict on one claim with its icon, for a cell of a table: "✓ probably supported"."""
    return f"{style_of(verdict, certainty).glyph} {claim_verdict_words(verdict, certainty)}"


def count_words(counts: Mapping[Verdict, int]) -> str:
    """Write counts in the order of the verdicts: "3 supported, 1 contradicted"; "no claims" for none."""
    words = [f"{counts[verdict]} {style.word}" for verdict, style in VERDICTS.items() if counts.get(verdict)]
    return ", ".join(words) or "no claims"


QUOTE_NOT_FOUND = "The judge quotes words that are not in this chunk:"
NO_QUOTE = "named by the judge, without a quote"
NOT_ANCHORED = "Its words were not found in the answer."


def mistake_words(claim: Claim) -> str:
    """Write what the judge says of a claim that is not supported: "contradiction, high severity"; "" if nothing."""
    kind = claim.hallucination_type.value if claim.hallucination_type else ""
    severity = f"{claim.severity.value} severity" if claim.severity else ""
    return ", ".join(part for part in (kind, severity) if part)


def correction_lead(correction: str, chunks: Iterable[Chunk]) -> str:
    """Return the words before a correction: the chunk that says it word for word, or that the judge wrote it.

    A judge may combine a correction from the claim and a chunk, so no source contains that sentence.
    """
    source = next((chunk.chunk_id for chunk in chunks if stands_in(correction, chunk.text)), None)
    return "Corrected by the judge: " if source is None else f"Chunk {source} says: "

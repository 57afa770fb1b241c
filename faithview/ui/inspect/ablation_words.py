"""The effect of a chunk on a claim, in words. Pure: in Markdown, without Streamlit."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from faithview.domain.claim import Verdict
from faithview.services.sources.chunk_ablation import Ablation, Effect
from faithview.wording import numbers as fmt
from faithview.wording.verdicts import VERDICTS


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectStyle:
    """An effect's word and its icon as Streamlit names it."""

    word: str
    icon: str


EFFECTS: Mapping[Effect, EffectStyle] = MappingProxyType(
    {
        Effect.NECESSARY: EffectStyle(word="necessary", icon=":material/key:"),
        Effect.REDUNDANT: EffectStyle(word="redundant", icon=":material/content_copy:"),
        Effect.CONFLICTING: EffectStyle(word="conflicting", icon=":material/call_split:"),
        Effect.NONE: EffectStyle(word="no difference", icon=":material/remove:"),
        Effect.UNKNOWN: EffectStyle(word="not known", icon=":material/question_mark:"),
    }
)


def what_if_finding(answers: Sequence[Ablation], *, chunks: int) -> str:
    """Return the sentence, in Markdown, that says which chunks a claim rests on.

    Args:
        answers: the effects of some or all of the answer's chunks.
        chunks: how many chunks the answer has.
    """
    if not answers:
        return ""
    necessary, conflicting, redundant = (
        [ablation for ablation in answers if ablation.effect is effect]
        for effect in (Effect.NECESSARY, Effect.CONFLICTING, Effect.REDUNDANT)
    )
    parts = []
    if necessary:
        parts.append(f"The claim rests on {_names(necessary)}.")
    if conflicting:
        verb = fmt.verb(len(conflicting), "speaks", "speak")
        parts.append(f"{_names(conflicting)} {verb} against it.")
    if not parts and redundant:
        parts.append("No single chunk is necessary: without any one of them the claim stays supported.")
    if not parts and all(ablation.effect is Effect.NONE for ablation in answers):
        verdict = VERDICTS[answers[0].before].word
        parts.append(f"No single chunk makes a difference: the claim stays {verdict} without any one of them.")
    if len(answers) < chunks:
        asked = fmt.plural(len(answers), "chunk")
        parts.append(f":small[:gray[So far {asked} of {fmt.count(chunks)} {_was(answers)} taken away.]]")
    return " ".join(parts)


def effect_words(ablation: Ablation) -> str:
    """Return what taking one chunk away does to the claim, in Markdown."""
    style = EFFECTS[ablation.effect]
    before, after = VERDICTS[ablation.before].word, None if ablation.after is None else VERDICTS[ablation.after].word
    match ablation.effect:
        case Effect.NECESSARY | Effect.CONFLICTING:
            text = f"without it the claim is {after} instead of {before}"
        case Effect.REDUNDANT:
            text = "without it the claim stays supported"
        case Effect.NONE:
            unlike = after != before
            text = f"without it the claim is {after}, no better than {before}" if unlike else f"it stays {before}"
        case Effect.UNKNOWN:
            text = "judged without it, the answer no longer has this claim"
    return f"{style.icon} **{style.word}**: {text}"


def coloured_change(ablation: Ablation) -> str:
    """Return the verdict before and after, in Markdown."""
    return f"{_coloured(ablation.before)} → {'–' if ablation.after is None else _coloured(ablation.after)}"


def _coloured(verdict: Verdict) -> str:
    style = VERDICTS[verdict]
    return f":{style.streamlit_colour}[{style.material} {style.word}]"


def _names(answers: Sequence[Ablation]) -> str:
    return fmt.listed([f"**{fmt.literal(answer.chunk_id)}**" for answer in answers])


def _was(answers: Sequence[Ablation]) -> str:
    return fmt.verb(len(answers), "was", "were")

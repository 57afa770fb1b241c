"""What a more lenient or a stricter judge would say of the pasted answer, in a sentence below the finding."""

from dataclasses import replace

import streamlit as st

from faithview.domain.claim import Verdict
from faithview.domain.result import Result
from faithview.domain.run import JudgeSpec
from faithview.services.judge_catalogue import JudgeOffer
from faithview.ui.parts.pasted.paste_form import Pasted
from faithview.ui.shell import cached
from faithview.wording import numbers as fmt

_OPTION = "strictness"


def other_strictness(pasted: Pasted, offer: JudgeOffer, spec: JudgeSpec, result: Result) -> None:
    """Draw the sentence, for a judge on this machine that can be stricter; nothing where no verdict would change."""
    if offer.host is not None or not offer.strictness:
        return
    chosen = str(spec.options.get(_OPTION, offer.strictness[0]))
    others = {
        level: cached.check(
            pasted.question,
            pasted.answer,
            pasted.chunks,
            replace(spec, options={**spec.options, _OPTION: level}),
        )
        for level in offer.strictness
        if level != chosen
    }
    if sentence := changes(result, others):
        st.caption(sentence)


def changes(result: Result, others: dict[str, Result]) -> str:
    """Return which claims, by number, each of the other levels would judge otherwise; "" where none."""
    sentences = []
    for level, other in others.items():
        before, after = _supported(result), _supported(other)
        parts = []
        if questioned := sorted(before - after):
            parts.append(f"question {_claims(questioned)} too")
        if accepted := sorted(after - before):
            parts.append(f"accept {_claims(accepted)}")
        if parts:
            sentences.append(f"*{level.capitalize()}* would {' and '.join(parts)}.")
    return " ".join(sentences)


def _supported(result: Result) -> set[int]:
    return {number for number, claim in enumerate(result.claims, start=1) if claim.verdict is Verdict.SUPPORTED}


def _claims(numbers: list[int]) -> str:
    return f"{'claim' if len(numbers) == 1 else 'claims'} {fmt.listed([str(number) for number in numbers])}"

"""`faithview check`: one answer, claim by claim."""

from collections import Counter
from typing import Annotated

import typer

from faithview.cli import output
from faithview.cli.options import (
    CompanionsOption,
    DbOption,
    JsonOption,
    JudgeOption,
    JudgeOptionsOption,
    MethodOption,
    PromptOption,
    StrictnessOption,
    ThresholdOption,
    judge_spec,
)
from faithview.domain.claim import Claim
from faithview.domain.result import Result, State
from faithview.domain.run import DEFAULT_JUDGE
from faithview.domain.sample import Sample
from faithview.domain.scoring import DEFAULT_THRESHOLD
from faithview.wording import numbers as fmt
from faithview.wording.evidence import NOT_ANCHORED, mistake_words
from faithview.wording.judge_errors import NOT_CORRECT, with_source
from faithview.wording.quotations import correction_lead
from faithview.wording.run_findings import faithful_word, unsupported_words
from faithview.wording.verdicts import claim_verdict_words

_ROW_FAILED = 3


def check(
    answer: Annotated[str, typer.Option("--answer", metavar="A", help="The answer.")],
    context: Annotated[
        list[str] | None, typer.Option("--context", metavar="C", help="A chunk; repeat the option for more.")
    ] = None,
    question: Annotated[str | None, typer.Option("--question", metavar="Q", help="The question.")] = None,
    judge: JudgeOption = DEFAULT_JUDGE,
    method: MethodOption = None,
    strictness: StrictnessOption = None,
    prompt: PromptOption = None,
    companions: CompanionsOption = False,
    judge_option: JudgeOptionsOption = None,
    threshold: ThresholdOption = DEFAULT_THRESHOLD,
    db: DbOption = None,
    as_json: JsonOption = False,
) -> None:
    """Judge one answer, claim by claim; nothing is stored."""
    from faithview.services.exports.result_document import check_document
    from faithview.services.judge_catalogue import caution_about
    from faithview.services.runs.judge_answer import check_sample

    del db  # every command takes a store; this one has no use for it yet
    sample = Sample.of(answer, context or [], question=question)
    spec = judge_spec(judge, method, strictness=strictness, prompt=prompt, companions=companions, options=judge_option)
    result = check_sample(sample, judge=spec, threshold=threshold)
    if as_json:
        output.print_json(check_document(result))
    else:
        _print(result, sample)
        if result.state is State.JUDGED:
            output.print_lines([f"{NOT_CORRECT} {with_source(caution_about(spec))}".rstrip()])
    if result.state is State.FAILED:
        raise typer.Exit(_ROW_FAILED)


def _print(result: Result, sample: Sample) -> None:
    verdict = f"{faithful_word(result)}, " if result.is_faithful is not None else ""
    claims = unsupported_words(Counter(result.verdicts))
    lines = [f"{result.state.value}: {verdict}faithfulness {fmt.share(result.faithfulness)}, {claims}"]
    if result.error:
        lines.append(f"  {result.error}")
    for number, claim in enumerate(result.claims, start=1):
        cited = f"  [{', '.join(claim.supporting_chunk_ids)}]" if claim.supporting_chunk_ids else ""
        words = claim_verdict_words(claim.verdict, claim.confidence)
        lines.append(f"{number:3d}  {words:<28}  {claim.text}{cited}")
        lines += [f"{'':35}{text}" for text in _reasons(claim, sample)]
    lines += [f"  {name}: {fmt.share(value)}" for name, value in result.metrics.items()]
    lines += [f"  remark: {text}" for text in result.suggestions]
    lines += [f"  warning: {text}" for text in result.warnings]
    output.print_lines(lines)


def _reasons(claim: Claim, sample: Sample) -> list[str]:
    """Return what the judge gives as its reasons, and which of its quotes do not stand where it says."""
    reasons = [] if claim.is_anchored else [NOT_ANCHORED]
    mistake = mistake_words(claim)
    if mistake or claim.explanation:
        reasons.append(f"{mistake}. {claim.explanation}".rstrip() if mistake else claim.explanation)
    for item in claim.evidence:
        words = " ".join(item.quote.split())
        reasons.append(
            f"[{item.chunk_id}] “{words}”" if item.is_verified else f"[{item.chunk_id}] not found: “{words}”"
        )
    if claim.correction:
        reasons.append(f"{correction_lead(claim.correction, sample.chunks)}{claim.correction}")
    return reasons

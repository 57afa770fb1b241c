"""`faithview check`: one answer, claim by claim."""

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
from faithview.domain.result import State
from faithview.domain.run import DEFAULT_JUDGE
from faithview.domain.sample import Sample
from faithview.domain.scoring import DEFAULT_THRESHOLD
from faithview.wording.findings import NOT_CORRECT, answer_lines, with_source

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
    from faithview.services.judge_catalogue import caution_about
    from faithview.services.runs.judge_answer import check_sample

    del db  # every command takes a store; this one has no use for it yet
    sample = Sample.of(answer, context or [], question=question)
    spec = judge_spec(judge, method, strictness=strictness, prompt=prompt, companions=companions, options=judge_option)
    result = check_sample(sample, judge=spec, threshold=threshold)
    if as_json:
        from faithview.documents.answers import CheckDocument

        output.print_json(CheckDocument.of(result))
    else:
        lines = answer_lines(result, sample)
        if result.state is State.JUDGED:
            lines.append(f"{NOT_CORRECT} {with_source(caution_about(spec))}".rstrip())
        output.print_lines(lines)
    if result.state is State.FAILED:
        raise typer.Exit(_ROW_FAILED)

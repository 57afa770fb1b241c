"""`faithview check`: one answer, claim by claim."""

import typer

from faithview.cli import output
from faithview.cli.exit_codes import INCOMPLETE
from faithview.cli.options import (
    CascadeShareOption,
    CompanionsOption,
    JsonOption,
    JudgeOption,
    JudgeOptionsOption,
    MethodOption,
    PromptOption,
    StrictnessOption,
    ThresholdOption,
    judge_spec,
)
from faithview.cli.text_options import (
    ContextFileOption,
    ContextOption,
    QuestionOption,
    RequiredAnswerOption,
    read_texts,
)
from faithview.domain.result import State
from faithview.domain.run import DEFAULT_JUDGE
from faithview.domain.sample import Sample
from faithview.domain.scoring import DEFAULT_THRESHOLD
from faithview.wording.findings import NOT_CORRECT, answer_lines, what_to_check, with_source


def check(
    answer: RequiredAnswerOption,
    context: ContextOption = None,
    context_file: ContextFileOption = None,
    question: QuestionOption = None,
    judge: JudgeOption = DEFAULT_JUDGE,
    method: MethodOption = None,
    strictness: StrictnessOption = None,
    prompt: PromptOption = None,
    companions: CompanionsOption = False,
    judge_option: JudgeOptionsOption = None,
    cascade_share: CascadeShareOption = None,
    threshold: ThresholdOption = DEFAULT_THRESHOLD,
    as_json: JsonOption = False,
) -> None:
    """Judge one answer, claim by claim; nothing is stored."""
    from faithview.services.judge_catalogue import caution_about, find_errors
    from faithview.services.runs.judge_answer import check_sample

    texts = read_texts(answer=answer, question=question, context=context, files=context_file)
    sample = Sample.of(texts.answer or "", texts.chunks, question=texts.question)
    spec = judge_spec(
        judge,
        method,
        strictness=strictness,
        prompt=prompt,
        companions=companions,
        cascade_share=cascade_share,
        options=judge_option,
    )
    result = check_sample(sample, judge=spec, threshold=threshold)
    if as_json:
        from faithview.documents.answers import CheckDocument

        output.print_json(CheckDocument.of(result))
    else:
        lines = answer_lines(result, sample)
        if result.state is State.JUDGED:
            lines.append(f"{NOT_CORRECT} {with_source(caution_about(spec))}".rstrip())
        if any(certainty.is_near_cut for certainty in result.certainties):
            lines.append(what_to_check(find_errors(spec)))
        output.print_lines(lines)
    if result.state is State.FAILED:
        raise typer.Exit(INCOMPLETE)

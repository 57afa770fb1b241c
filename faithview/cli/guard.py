"""`faithview guard`: one answer, checked, corrected or generated, and what may be sent."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from faithview.cli import output
from faithview.cli.exit_codes import CHECK_FAILED
from faithview.cli.options import (
    CascadeShareOption,
    JsonOption,
    JudgeOption,
    JudgeOptionsOption,
    MethodOption,
    PromptOption,
    StrictnessOption,
    ThresholdOption,
    judge_spec,
)
from faithview.cli.text_options import AnswerOption, ContextFileOption, ContextOption, QuestionOption, read_texts
from faithview.domain.errors import InvalidInput
from faithview.domain.run import DEFAULT_JUDGE
from faithview.domain.scoring import DEFAULT_THRESHOLD
from faithview.services.guard.check import GuardCheck
from faithview.wording.numbers import share
from faithview.wording.verdict_styles import VERDICTS

if TYPE_CHECKING:
    from faithview.documents.base import Document
    from faithview.services.guard.generation import Generation
    from faithview.services.guard.guard import GuardedAnswer


def guard(
    answer: AnswerOption = None,
    context: ContextOption = None,
    context_file: ContextFileOption = None,
    question: QuestionOption = None,
    generate: Annotated[
        str | None,
        typer.Option("--generate", metavar="MODEL", help="Have openai:MODEL or anthropic:MODEL write the answer."),
    ] = None,
    max_retries: Annotated[
        int, typer.Option("--max-retries", min=0, max=20, help="With --generate: the maximum number of retries.")
    ] = 2,
    judge: JudgeOption = DEFAULT_JUDGE,
    method: MethodOption = None,
    strictness: StrictnessOption = None,
    prompt: PromptOption = None,
    judge_option: JudgeOptionsOption = None,
    cascade_share: CascadeShareOption = None,
    threshold: ThresholdOption = DEFAULT_THRESHOLD,
    correct: Annotated[
        bool, typer.Option("--correct/--no-correct", help="Correct an answer that does not pass.")
    ] = True,
    fallback: Annotated[
        str | None, typer.Option("--fallback", metavar="TEXT", help="The text to print instead of a blocked answer.")
    ] = None,
    html: Annotated[
        bool, typer.Option("--html", help="Print the judged answer as HTML with its problems marked.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Print the answer if it passes, else a corrected one; exit with 1 if it is blocked. Nothing is stored."""
    from faithview.services.guard.generation import Generation, generate_with_validation
    from faithview.services.guard.guard import FaithfulnessGuard

    if (answer is None) == (generate is None):
        raise InvalidInput("Give the answer with --answer, or a model that writes one with --generate.")
    texts = read_texts(answer=answer, question=question, context=context, files=context_file)
    spec = judge_spec(
        judge, method, strictness=strictness, prompt=prompt, cascade_share=cascade_share, options=judge_option
    )
    with FaithfulnessGuard(spec.name, threshold, method=spec.method, options=spec.options) as built:
        seen: GuardCheck | GuardedAnswer | Generation
        if generate is not None:
            seen = generate_with_validation(
                question=texts.question or "",
                context=texts.chunks,
                generator=generate,
                judge=built,
                max_retries=max_retries,
            )
        elif correct:
            seen = built.guard_and_correct(answer=texts.answer or "", context=texts.chunks, question=texts.question)
        else:
            seen = built.check(answer=texts.answer or "", context=texts.chunks, question=texts.question)
    passed = seen.validated if isinstance(seen, Generation) else seen.passed
    sent = seen.answer if passed else fallback
    if as_json:
        output.print_json(_document(seen, sent))
    elif html:
        sys.stdout.write(_check_of(seen).highlighted + "\n")
    else:
        _remark(seen, passed=passed)
        if sent is not None:
            output.print_lines(sent.split("\n"))
    if sent is None:
        raise typer.Exit(CHECK_FAILED)


def _check_of(seen: "GuardCheck | GuardedAnswer | Generation") -> GuardCheck:
    """Return the judgement of the given answer, or of the generated one."""
    from faithview.services.guard.guard import GuardedAnswer

    if isinstance(seen, GuardCheck):
        return seen
    return seen.before if isinstance(seen, GuardedAnswer) else seen.check


def _document(seen: "GuardCheck | GuardedAnswer | Generation", sent: str | None) -> "Document":
    from faithview.documents.guard import SentDocument, SentGenerationDocument, SentGuardedDocument
    from faithview.services.guard.guard import GuardedAnswer

    if isinstance(seen, GuardCheck):
        return SentDocument.of(seen, sent=sent)
    if isinstance(seen, GuardedAnswer):
        return SentGuardedDocument.of(seen.after, seen, sent=sent)
    return SentGenerationDocument.of(seen.check, seen, sent=sent)


def _remark(seen: "GuardCheck | GuardedAnswer | Generation", *, passed: bool) -> None:
    """Report the problems of the answer, and the edits, on standard error."""
    from faithview.services.guard.generation import Generation
    from faithview.services.guard.guard import GuardedAnswer

    judged = _check_of(seen)
    for issue in judged.issues:
        output.say(f"Claim {issue.number}, {VERDICTS[issue.claim.verdict].word}: {issue.claim.text}")
    if isinstance(seen, GuardedAnswer):
        for edit in seen.edits:
            words = f"“{judged.answer[edit.start : edit.end].strip()}”"
            became = f"replaced by “{edit.replacement}”" if edit.replacement else "removed"
            output.say(f"{words} {became}. {edit.reason}".rstrip())
        for note in seen.notes:
            output.say(note)
    if isinstance(seen, Generation):
        for attempt in seen.attempts:
            score = attempt.error or share(attempt.check.score if attempt.check else None)
            output.say(f"Attempt {attempt.number}: {score}")
    if not passed:
        output.say(f"Blocked. {judged.reason}")

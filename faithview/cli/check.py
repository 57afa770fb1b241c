"""`faithview check` and `guard`: one answer, claim by claim; and what of it may be sent."""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from faithview.cli import output
from faithview.cli.exit_codes import CHECK_FAILED, INCOMPLETE
from faithview.cli.options import CompanionsOption, JsonOption, JudgeOptions, ThresholdOption, command, panel
from faithview.documents.answers import CheckDocument
from faithview.documents.guard import GuardDocument, GuardedDocument
from faithview.domain.errors import InvalidInput
from faithview.domain.result import State
from faithview.domain.sample import Chunk, Sample
from faithview.domain.scoring import DEFAULT_THRESHOLD
from faithview.services.guard.correction import Edit
from faithview.services.guard.guard import FaithfulnessGuard
from faithview.services.judge_catalogue import caution_about, find_errors
from faithview.services.runs.judge_answer import check_sample
from faithview.wording.findings import NOT_CORRECT, answer_lines, what_to_check, with_source
from faithview.wording.verdict_styles import VERDICTS

app = typer.Typer()
_STANDARD_INPUT = "-"
# A file with one of these endings has a chunk per row; any other file is one chunk.
_TABLES = (".csv", ".tsv", ".json", ".jsonl", ".parquet", ".xlsx", ".gz")
_input = panel("Input")
_ANSWER = _input("--answer", metavar="TEXT", help="The answer; @FILE reads a file, - reads standard input.")
_Chunks: TypeAlias = "list[str | Chunk]"


@dataclass(frozen=True, slots=True, kw_only=True)
class TextOptions:
    """The chunks and the question: as words, from a file, or from standard input."""

    context: Annotated[
        list[str] | None,
        _input(
            "--context", metavar="TEXT", help="A chunk, as text, @FILE or - like --answer; repeat the option for more."
        ),
    ] = None
    context_file: Annotated[
        list[Path] | None,
        _input(
            "--context-file",
            metavar="FILE",
            help="A file with chunks: one per row of csv, tsv, json, jsonl, parquet or xlsx; any other file is one "
            "chunk. Repeat the option for more.",
        ),
    ] = None
    question: Annotated[
        str | None, _input("--question", metavar="TEXT", help="The question, as text, @FILE or - like --answer.")
    ] = None

    def read(self, answer: str) -> tuple[str, _Chunks, str | None]:
        """Return the texts of the answer, the chunks (those of --context first) and the question.

        Raises:
            InvalidInput: a file cannot be read, or several options name standard input.
        """
        texts, files = self.context or (), self.context_file or ()
        if sum(text in (_STANDARD_INPUT, "@-") for text in (answer, self.question, *texts, *map(str, files))) > 1:
            raise InvalidInput("Only one option can read standard input (-); give the other texts as @FILE.")
        chunks: _Chunks = [_read_option(text) for text in texts]
        for file in files:
            chunks += _read_chunks(file)
        return _read_option(answer), chunks, None if self.question is None else _read_option(self.question)


@command(
    app,
    "check",
    "faithview check --answer 'Open at 9.' --context 'At 8.'",
    "faithview check --answer @answer.txt --context-file kb.txt",
    "faithview check --answer - --context @kb.txt < answer.txt",
)
def check(
    answer: Annotated[str, _ANSWER],
    given: TextOptions,
    judge: JudgeOptions,
    companions: CompanionsOption = False,
    threshold: ThresholdOption = DEFAULT_THRESHOLD,
    as_json: JsonOption = False,
) -> None:
    """Judge one answer, claim by claim; nothing is stored."""
    text, chunks, question = given.read(answer)
    sample = Sample.of(text, chunks, question=question)
    spec = judge.spec(companions=companions)
    result = check_sample(sample, judge=spec, threshold=threshold)
    lines = answer_lines(result, sample)
    if result.state is State.JUDGED:
        lines.append(f"{NOT_CORRECT} {with_source(caution_about(spec))}".rstrip())
    if any(certainty.is_near_cut for certainty in result.certainties):
        lines.append(what_to_check(find_errors(spec)))
    output.show(CheckDocument.of(result), lines, as_json=as_json)
    if result.state is State.FAILED:
        raise typer.Exit(INCOMPLETE)


@command(
    app,
    "guard",
    "faithview guard --answer @a.txt --context-file kb.jsonl",
    "faithview guard --answer - --context @kb.txt < answer.txt",
    "faithview guard --answer @a.txt --context @c.txt --json",
)
def guard(
    answer: Annotated[str, _ANSWER],
    given: TextOptions,
    judge: JudgeOptions,
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
    text, chunks, question = given.read(answer)
    spec = judge.spec()
    with FaithfulnessGuard(spec.name, threshold, method=spec.method, options=spec.options) as built:
        if correct:
            guarded = built.guard_and_correct(answer=text, context=chunks, question=question)
            judged, shown, passed = guarded.before, guarded.answer, guarded.passed
            document = GuardedDocument.of(guarded.after, guarded).to_dict()
            remarks = [*(_edit_words(text, edit) for edit in guarded.edits), *guarded.notes]
        else:
            judged = built.check(answer=text, context=chunks, question=question)
            shown, passed, document, remarks = judged.answer, judged.passed, GuardDocument.of(judged).to_dict(), []
    sent = shown if passed else fallback
    if as_json:
        output.print_json({**document, "sent": sent})
    elif html:
        sys.stdout.write(judged.highlighted + "\n")
    else:
        for issue in judged.issues:
            output.say(f"Claim {issue.number}, {VERDICTS[issue.claim.verdict].word}: {issue.claim.text}")
        for remark in (*remarks, *(() if passed else (f"Blocked. {judged.reason}",))):
            output.say(remark)
        if sent is not None:
            output.print_lines(sent.split("\n"))
    if sent is None:
        raise typer.Exit(CHECK_FAILED)


def _edit_words(answer: str, edit: Edit) -> str:
    became = f"replaced by “{edit.replacement}”" if edit.replacement else "removed"
    return f"“{answer[edit.start : edit.end].strip()}” {became}. {edit.reason}".rstrip()


def _read_option(text: str) -> str:
    """Return the text of an option's value."""
    if text == _STANDARD_INPUT or (text.startswith("@") and not text.startswith("@@")):
        return _read_file(Path(text.removeprefix("@")))
    return text[1:] if text.startswith("@@") else text


def _read_chunks(file: Path) -> _Chunks:
    if file.suffix.lower() not in _TABLES:
        return [_read_file(file)]
    # Here, because the readers of tables take longer to import than an answer takes to judge.
    from faithview.cli.reading import say_report
    from faithview.services.knowledge.versions import read_knowledge_base

    chunks, report = read_knowledge_base(file)
    say_report(report)
    return [*chunks]


def _read_file(file: Path) -> str:
    """Return the text of a file, or of standard input, without the line break at its end."""
    try:
        read = sys.stdin.buffer.read() if str(file) == _STANDARD_INPUT else file.read_bytes()
        return read.decode("utf-8-sig").removesuffix("\n").removesuffix("\r")
    except UnicodeDecodeError as error:
        raise InvalidInput(f"{str(file)!r} is not a UTF-8 text.") from error
    except OSError as error:
        raise InvalidInput(
            f"The file {str(file)!r} cannot be read: {error.strerror}. For a text that begins with @, write @@."
        ) from error

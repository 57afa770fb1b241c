"""What the guard makes of 200 answers, most of them with a planted fault: without a model, and with one that errs.

The answers are those of the bundled sample. Five in six get a fault: a number that is changed, an invented sentence, a
denial, another answer's sentence, or an invented list item. Each goes through the embedded judge, and through an LLM
judge whose server (OpenAI's protocol) judges by the embedded judge's verdicts, rewrites sentences well or badly, and
fails in one call of eight: error statuses, lost connections, broken JSON, refusals. Exits with 1 if an answer comes
back worse, if a byte outside the edits changed, or if a blocked answer is sent.
"""

import argparse
import asyncio
import itertools
import json
import os
import random
import re
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any

import tests.judges.llm.judging  # noqa: F401 - makes the waits between attempts short
from faithview import Chunk, FaithfulnessGuard, Result, Sample
from faithview.domain.claim import Verdict
from faithview.domain.run import JudgeSpec
from faithview.judges.embedded.judge import judge_sample
from faithview.judges.llm.judge import LlmJudge
from faithview.judges.llm.options import LlmOptions
from faithview.judges.openai import OpenAiClient
from faithview.services.guard.correction import apply_edits
from faithview.services.guard.guard import GuardBlocked, GuardedAnswer, rank_of
from tests.judges.llm.server import Answer, Drop, Raw, Request, Say, Status, fenced
from tests.performance import tables
from tests.vendor import running

ROOT = Path(__file__).resolve().parents[2]
_NUMBER = re.compile(r"\b\d{1,3}(?:,\d{3})*\b")
_INVENTED = (
    "Every order above this comes with a free mug.",
    "The feature was built by a team of eleven people in Lisbon.",
    "Most customers renew it after the second year.",
)


@dataclass(slots=True)
class _Tally:
    """What became of the answers of one judge."""

    outcomes: Counter[str] = field(default_factory=Counter)
    worse: int = 0
    bytes_changed: int = 0
    sent_though_blocked: int = 0
    supported_before: int = 0
    supported_lost: int = 0
    edits: int = 0
    calls: int = 0
    tokens: int = 0

    def row(self, name: str) -> list[str]:
        """The figures as a line of the table."""
        lost = f"{self.supported_lost} of {self.supported_before:,}"
        counts = [self.outcomes[key] for key in ("passed", "corrected", "improved", "blocked")]
        figures = [*counts, self.worse, self.sent_though_blocked, self.bytes_changed, self.edits]
        return [name, *(f"{figure:,}" for figure in figures), lost, f"{self.calls:,}", f"{self.tokens:,}"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables and return 0, or 1 where a promise is broken."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--answers", type=int, default=200)
    parser.add_argument("--show", action="store_true", help="Print each answer that was changed.")
    options = parser.parse_args(arguments)
    samples = make_answers(options.answers)
    embedded = _tally(FaithfulnessGuard(), samples, show=options.show)
    with running(_script(random.Random(3))) as vendor:
        os.environ |= vendor.environment
        model = _tally(FaithfulnessGuard(_llm_judge()), samples, show=options.show, at_once=8)
    columns = [
        "judge", "passed", "corrected", "better, blocked", "blocked as given", "worse than given",
        "sent though blocked", "bytes outside edits changed", "edits", "supported claims lost", "calls", "tokens",
    ]  # fmt: skip
    tables.show(f"{len(samples)} answers", columns, [embedded.row("embedded"), model.row("LLM, 1 call in 8 fails")])
    beside = sorted(_beside_judge(samples[:40]))
    middle, high = beside[len(beside) // 2], beside[int(len(beside) * 0.95)]
    columns = ["median, ms", "95th percentile, ms"]
    tables.show(
        "The guard beside the embedded judge, one check, 40 answers", columns, [[f"{middle:.2f}", f"{high:.2f}"]]
    )
    tallies = (embedded, model)
    return int(any(tally.worse or tally.bytes_changed or tally.sent_though_blocked for tally in tallies))


def make_answers(count: int) -> list[Sample]:
    """Return answers of the bundled sample, five in six with a planted fault, the same ones every time."""
    rows = [json.loads(line) for line in (ROOT / "data" / "runs" / "2026-w46.jsonl").read_text("utf-8").splitlines()]
    chance = random.Random(1)
    plants = (_keep, _number, _sentence, _denial, _foreign, _item)
    answers = []
    for number, row in zip(range(count), itertools.cycle(rows), strict=False):
        plant = plants[(number + number // len(rows)) % len(plants)]
        chunks = tuple(Chunk(text=text if isinstance(text, str) else text["text"]) for text in row["contexts"])
        answer = plant(row["answer"], rows, chance)
        answers.append(Sample(answer=answer, chunks=chunks, question=row["question"]))
    return answers


def _keep(answer: str, _rows: list[dict[str, Any]], _chance: random.Random) -> str:
    return answer


def _number(answer: str, rows: list[dict[str, Any]], chance: random.Random) -> str:
    found = list(_NUMBER.finditer(answer))
    if not found:
        return _sentence(answer, rows, chance)
    match = chance.choice(found)
    return answer[: match.start()] + f"{int(match[0].replace(',', '')) * 3 + 1:,}" + answer[match.end() :]


def _sentence(answer: str, _rows: list[dict[str, Any]], chance: random.Random) -> str:
    pieces = answer.split(". ")
    pieces.insert(chance.randrange(len(pieces) + 1), chance.choice(_INVENTED).rstrip("."))
    return ". ".join(piece.rstrip(".") for piece in pieces) + "."


def _denial(answer: str, rows: list[dict[str, Any]], chance: random.Random) -> str:
    changed = re.sub(r"\b(can|is|are|will|must)\b", r"\1 not", answer, count=1)
    return changed if changed != answer else _sentence(answer, rows, chance)


def _foreign(answer: str, rows: list[dict[str, Any]], chance: random.Random) -> str:
    return f"{answer} {chance.choice(rows)['answer'].split('. ')[-1]}"


def _item(answer: str, _rows: list[dict[str, Any]], chance: random.Random) -> str:
    items = [*(f"- {piece.rstrip('.')}." for piece in answer.split(". ")), f"- {chance.choice(_INVENTED)}"]
    return "In short:\n\n" + "\n".join(items) + "\n"


def _tally(guard: FaithfulnessGuard, samples: Sequence[Sample], *, show: bool, at_once: int = 1) -> _Tally:
    tally = _Tally()

    async def one(sample: Sample) -> GuardedAnswer:
        async with gate:
            return await guard.aguard_and_correct(answer=sample.answer, context=sample.chunks, question=sample.question)

    async def every() -> list[GuardedAnswer]:
        return await asyncio.gather(*(one(sample) for sample in samples))

    gate = asyncio.Semaphore(at_once)
    with guard:
        for sample, seen in zip(samples, asyncio.run(every()), strict=True):
            _count(tally, sample, seen)
            if show and (seen.changed or seen.notes):
                sys.stdout.write(f"--- {seen.passed} {seen.notes}\n{sample.answer}\n=>\n{seen.answer}\n\n")
    return tally


def _count(tally: _Tally, sample: Sample, seen: GuardedAnswer) -> None:
    outcome = (
        "passed" if seen.before.passed else "corrected" if seen.passed else "improved" if seen.changed else "blocked"
    )
    tally.outcomes[outcome] += 1
    tally.worse += rank_of(seen.after) < rank_of(seen.before)
    tally.bytes_changed += _bytes_changed(sample.answer, seen)
    tally.edits += len(seen.edits)
    tally.calls += seen.usage.llm_calls
    tally.tokens += seen.usage.prompt_tokens + seen.usage.completion_tokens
    good = [claim for claim in seen.before.result.claims if claim.verdict is Verdict.SUPPORTED]
    tally.supported_before += len(good)
    folded = seen.answer.casefold()
    tally.supported_lost += sum(
        not all(span.of(sample.answer).rstrip(".!?").casefold() in folded for span in claim.spans) for claim in good
    )
    try:
        sent = _sent(seen)
    except GuardBlocked:
        sent = None
    tally.sent_though_blocked += sent is not None and not seen.after.passed


def _sent(seen: GuardedAnswer) -> str:
    if not seen.passed:
        raise GuardBlocked(seen)
    return seen.answer


def _bytes_changed(answer: str, seen: GuardedAnswer) -> int:
    """Count the bytes that differ outside the edits; the corrected answer is taken apart by them."""
    rebuilt = apply_edits(answer, seen.edits)
    return sum(a != b for a, b in itertools.zip_longest(rebuilt.encode(), seen.answer.encode()))


def _beside_judge(samples: Sequence[Sample]) -> list[float]:
    """Return for each answer how many milliseconds a check takes longer than the judge alone."""
    beside = []
    with FaithfulnessGuard() as guard:
        for sample in samples:
            judge_sample(sample)
            alone, guarded = [], []
            for _ in range(5):
                start = perf_counter()
                judge_sample(sample)
                alone.append(perf_counter() - start)
                start = perf_counter()
                guard.check(answer=sample.answer, context=sample.chunks, question=sample.question)
                guarded.append(perf_counter() - start)
            beside.append((min(guarded) - min(alone)) * 1000)
    return beside


def _llm_judge() -> LlmJudge:
    options = LlmOptions.from_spec(JudgeSpec(name="openai:m", method="single"))
    return LlmJudge(OpenAiClient("m", concurrency=8, timeout_s=20), options)


def _script(chance: random.Random) -> Callable[[Request], Answer]:
    """Return a server that judges as the embedded judge does, rewrites well or badly, and fails in a call of eight."""

    def reply(request: Request) -> Answer:
        if chance.random() < 1 / 8:
            faults: list[Answer] = [
                Status(code=500), Status(code=429, headers={"retry-after": "0"}), Drop(), Say(text="{"),
                Say(text="I will not.", finish="refused"), Raw(content=b"<html>"),
            ]  # fmt: skip
            return chance.choice(faults)
        chunks = [fenced(request.user, f"chunk {number}") for number in range(1, 30)]
        chunks = [chunk for chunk in chunks if chunk]
        if request.schema == "Rewritings":
            return _rewritten(request, chunks, chance)
        answer = fenced(request.user, "answer")
        result = judge_sample(Sample.of(answer, chunks, question=fenced(request.user, "question") or None))
        return Say(text=json.dumps({"claims": _claims(result, answer), "abstained": False}))

    return reply


def _claims(result: Result, answer: str) -> list[dict[str, Any]]:
    return [
        {
            "quote": claim.spans[0].of(answer),
            "text": claim.text,
            "evidence": [{"chunk": 1, "quote": "x"}],
            "explanation": claim.explanation,
            "verdict": claim.verdict.value,
            "confidence": 0.9,
            "problem": {"wrong": "", "kind": None, "severity": None, "correction": claim.correction},
        }
        for claim in result.claims
    ]


def _rewritten(request: Request, chunks: Sequence[str], chance: random.Random) -> Answer:
    """Reply with a chunk's sentence, nothing, the same sentence, or one with something invented."""
    items = [json.loads(line) for line in fenced(request.user, "sentences").split("\n")]
    texts = []
    for item in items:
        corrections = [wrong.get("correction") for wrong in item["wrong"] if wrong.get("correction")]
        kinds = [corrections[0] if corrections else chunks[0].split(". ")[0] + ".", "", item["text"]]
        kinds += [f"{item['text']} Ask Zacharias at https://example.org.", item["text"].replace(" ", " not ", 1)]
        texts.append(kinds[chance.choices(range(5), weights=(5, 2, 1, 1, 1))[0]])
    replies = [{"sentence": item["sentence"], "text": text} for item, text in zip(items, texts, strict=True)]
    return Say(text=json.dumps({"sentences": replies}))


if __name__ == "__main__":
    sys.exit(main())

"""A judge for tests, whose behaviour the answers themselves script: "delay 0.05", "fail", "bug", "false chunk", ..."""

import asyncio
import os
import signal
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from faithview import Claim, Evidence, Result, Sample, State, Verdict
from faithview.domain.errors import JudgeFailed
from faithview.domain.result import Usage
from faithview.domain.run import JudgeSpec
from faithview.domain.spans import Span

NAME = "scripted"
# Where a process of its own writes each judged key to, for the test to count; set by the test.
LOG_VARIABLE = "SCRIPTED_JUDGE_LOG"
# While the file of this name exists, a process of its own judges no more than so many rows: the run cannot end before
# the test has cut it off, however slow the machine is.
GATE_VARIABLE = "SCRIPTED_JUDGE_GATE"
_BEFORE_GATE = 20
# Where each process that builds the judge writes its id to.
PROCESSES_VARIABLE = "SCRIPTED_JUDGE_PROCESSES"
# How many processes that get the answer "die" are gone at once: a file with the number, which each of them lowers.
DEATH_VARIABLE = "SCRIPTED_JUDGE_DEATH"


@dataclass(slots=True)
class ScriptedJudge:
    """Counts its calls and how many ran at once."""

    fingerprint: str = "scripted/1"
    delay: float = 0.0
    calls: Counter[str] = field(default_factory=Counter)
    running: int = 0
    most_at_once: int = 0
    closed: int = 0

    @property
    def name(self) -> str:
        return NAME

    async def judge(self, sample: Sample) -> Result:
        self.calls[sample.key] += 1
        self.running += 1
        self.most_at_once = max(self.most_at_once, self.running)
        try:
            await asyncio.sleep(_delay_of(sample.answer) or self.delay)
            while self.calls.total() > _BEFORE_GATE and _is_shut():  # noqa: ASYNC110 - a file cannot be waited for
                await asyncio.sleep(0.02)
            result = _outcome(sample)
        finally:
            self.running -= 1
        _write_line(LOG_VARIABLE, sample.key)
        return result

    async def aclose(self) -> None:
        self.closed += 1


def build(_spec: JudgeSpec) -> ScriptedJudge:
    """Make the judge for a process of its own; slow enough to be killed in the middle."""
    _write_line(PROCESSES_VARIABLE, str(os.getpid()))
    return ScriptedJudge(delay=0.02)


def _write_line(variable: str, line: str) -> None:
    if variable in os.environ:
        with Path(os.environ[variable]).open("a", encoding="utf-8") as log:
            log.write(line + "\n")


def _die_if_asked() -> None:
    death = Path(os.environ[DEATH_VARIABLE])
    left = int(death.read_text(encoding="utf-8"))
    if left:
        death.write_text(str(left - 1), encoding="utf-8")
        os.kill(os.getpid(), signal.SIGKILL)


def _is_shut() -> bool:
    return GATE_VARIABLE in os.environ and Path(os.environ[GATE_VARIABLE]).exists()


def _delay_of(answer: str) -> float:
    return float(answer.removeprefix("delay ")) if answer.startswith("delay ") else 0.0


def _bad_claim(**values: Any) -> Claim:
    return Claim(text="c", verdict=Verdict.SUPPORTED, **values)


# By the answer: what a judge must not say of it.
_BAD_CLAIMS = {
    "false chunk": _bad_claim(evidence=(Evidence(chunk_id="kb-404", quote="x", span=None),)),
    "false quote": _bad_claim(evidence=(Evidence(chunk_id="1", quote="never said", span=Span(start=0, end=10)),)),
    "bad text": _bad_claim(explanation="a\x00b"),
    "bad number": _bad_claim(confidence=float("nan")),
}


def _outcome(sample: Sample) -> Result:
    match sample.answer:
        case "fail":
            raise JudgeFailed("The model gave no JSON: \x00 \ud800.")
        case "bug":
            raise ZeroDivisionError("oops \x00")
        case "cancelled inside":
            raise asyncio.CancelledError
        case "die":
            _die_if_asked()
        case "block":
            time.sleep(0.3)
        case "no claims":
            return Result(state=State.NO_CLAIMS, judge=NAME)
        case answer if answer in _BAD_CLAIMS:
            return Result(state=State.JUDGED, judge=NAME, claims=(_BAD_CLAIMS[answer],))
    verdict = list(Verdict)[len(sample.answer) % 4]
    quote = sample.chunks[0].text[:3] if sample.chunks else ""
    cited = ("1",) if sample.chunks else ()
    quotes = (Evidence(chunk_id="1", quote=quote, span=None),) if quote else ()
    claim = Claim(
        text=sample.answer,
        verdict=verdict,
        spans=(Span(start=0, end=len(sample.answer)),),
        supporting_chunk_ids=cited,
        evidence=quotes,
    )
    return Result(state=State.JUDGED, judge=NAME, claims=(claim,), usage=Usage(llm_calls=1, prompt_tokens=7))

"""Two labelled runs with spot-checks, for figures: of public answers with people's labels where these are, else made.

`run-a` has a spot-check of which every claim is settled as a claim, and no other label, so that each figure from labels
has one meaning. `run-b` has what real work has besides: a claim that is none, a tie of two reviewers, labels outside
the spot-check, and a claim that the judge missed.
"""

import asyncio
import gzip
import json
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from faithview.domain.claim import Claim, Verdict
from faithview.domain.run import JudgeSpec
from faithview.domain.sample import Chunk, Sample
from faithview.judges.registry import create_judge
from faithview.services.container import Store
from faithview.services.results import iterate_answers
from faithview.services.review import labels
from faithview.services.review.labels import LabelProvenance
from faithview.store import spot_checks
from tests.factories import draw_check, label_item, store_rows
from tests.performance.figures.series import Judged
from tests.performance.synthetic import make_rows

RUN_A, RUN_B = "run-a", "run-b"
SERIES = "answers"

# Says what people would call a claim: given the answer's key, the claim's number and the claim.
_Truth = Callable[[str, int, Claim], str]

_START = datetime(2026, 5, 4, 9, tzinfo=UTC)
_SUMMARIES = 100
_LOW = "legal"  # the segment that the second run has lost most in
_CLAIMS = 6  # of an answer
_A_QUESTION = 3  # answers to one question
_SPOT_CHECKS = {RUN_A: 90, RUN_B: 90}


def make_public(services: Store, folder: Path) -> None:
    """Judge 500 answers of RAGTruth in `folder` by the rules, and again with sentences made up; label both."""
    rows, wrong = _public_rows(folder, 400)
    changed = [_with_invention(row, number) if number % 12 == 0 else row for number, row in enumerate(rows)]

    def truth(key: str, _: int, claim: Claim) -> str:
        is_wrong = any(s.start < end and start < s.end for s in claim.spans for start, end in wrong.get(key, ()))
        return "not_mentioned" if is_wrong or _INVENTED in claim.text else "supported"

    _make(services, _judged(rows), _judged(changed), truth)


def make_synthetic(services: Store, *, answers: int) -> None:
    """The same with answers that are made, and a judge that is right about three claims in four that it flags."""
    before = [
        (row.sample, replace(row.result, claims=row.result.claims[:_CLAIMS])) for row in make_rows(answers, seed=4)
    ]
    before = [(_sharing(sample, number), result) for number, (sample, result) in enumerate(before)]
    source = random.Random(5)
    after = [
        (sample, replace(result, claims=_worse(source, result.claims, 0.6 if sample.segment == _LOW else 1 / 12)))
        for sample, result in before
    ]

    def truth(key: str, number: int, claim: Claim) -> str:
        drawn = random.Random(f"{key} {number}").random()
        is_supported = claim.verdict is Verdict.SUPPORTED
        if drawn < (0.1 if is_supported else 0.25):
            return "not_mentioned" if is_supported else "supported"
        return claim.verdict.value

    _make(services, before, after, truth)


def _make(services: Store, before: Sequence[Judged], after: Sequence[Judged], truth: _Truth) -> None:
    for week, (name, rows) in enumerate(((RUN_A, before), (RUN_B, after))):
        store_rows(services, name, rows, as_of=_START, week=week, series=SERIES)
    for name, size in _SPOT_CHECKS.items():
        check = draw_check(services, name, size=size, name=f"Of {name}", seed=7)
        claims = _claims(services, name)
        for place, item in enumerate(spot_checks.list_items(services.db, check)):
            key, claim = claims[item.drawn.row, item.drawn.claim_number]
            said = truth(key, item.drawn.claim_number, claim)
            if name == RUN_B and place == 3:
                said = "not_a_claim"
            label_item(services, item, said, by="ann")
            if name == RUN_B and place == 5:
                label_item(services, item, "not_mentioned" if said == "supported" else "supported", by="ben")
    _label_outside(services, truth)


def _label_outside(services: Store, truth: _Truth) -> None:
    """Label the first twenty flagged claims of `run-b`, and add one that the judge missed."""
    flagged = [
        (place, key, claim)
        for place, (key, claim) in _claims(services, RUN_B).items()
        if claim.verdict is not Verdict.SUPPORTED
    ]
    provenance = LabelProvenance(reviewer="cleo")
    for (row, number), key, claim in flagged[:20]:
        labels.label_claim(services, RUN_B, row, number, truth(key, number, claim), provenance)
    row = flagged[0][0][0]
    labels.label_missed_claim(services, RUN_B, row, start=0, end=9, verdict="not_mentioned", provenance=provenance)


def _claims(services: Store, run: str) -> dict[tuple[int, int], tuple[str, Claim]]:
    return {
        (detail.position, number): (detail.sample.key, claim)
        for detail in iterate_answers(services, run)
        for number, claim in enumerate(detail.result.claims, start=1)
    }


def _judged(samples: Sequence[Sample]) -> list[Judged]:
    async def judge_all() -> list[Judged]:
        judge = create_judge(JudgeSpec(name="lexical"))
        return [(sample, await judge.judge(sample)) for sample in samples]

    return asyncio.run(judge_all())


_INVENTED = "The committee in Bergen approved this in 1987."


def _with_invention(sample: Sample, number: int) -> Sample:
    """Return the answer with a sentence that no chunk has, or without its last sentence."""
    if number % 24 == 0 and ". " in sample.answer:
        return replace(sample, answer=sample.answer.rpartition(". ")[0] + ".")
    return replace(sample, answer=f"{sample.answer} {_INVENTED}")


def _public_rows(folder: Path, questions: int) -> tuple[list[Sample], dict[str, list[tuple[int, int]]]]:
    """Return answers to questions and summaries, and the places of what people found wrong in each."""
    wanted = {"QA": questions, "Summary": _SUMMARIES}
    rows, wrong = [], {}
    with gzip.open(folder / "ragtruth.jsonl.gz", "rt", encoding="utf-8") as file:
        for line in file:
            row = json.loads(line)
            if not wanted.get(row["task"]):
                continue
            wanted[row["task"]] -= 1
            chunks = tuple(Chunk(text=text, chunk_id=f"{row['doc']}-{n}") for n, text in enumerate(row["chunks"], 1))
            rows.append(
                Sample(
                    key=row["id"],
                    question=row["question"] or f"Summarise {row['doc']}.",
                    answer=row["answer"],
                    segment=row["task"],
                    chunks=chunks,
                )
            )
            wrong[row["id"]] = [(span["start"], span["end"]) for span in row["spans"] or ()]
    return rows, wrong


def _sharing(sample: Sample, number: int) -> Sample:
    return replace(sample, question=f"What is known about case {number // _A_QUESTION}?")


def _worse(source: random.Random, claims: Sequence[Claim], lost: float) -> tuple[Claim, ...]:
    """Return the claims as they are judged a week later: this share of them is lost, one in forty is won."""
    made = []
    for claim in claims:
        drawn = source.random()
        if claim.verdict is Verdict.SUPPORTED and drawn < lost:
            claim = replace(claim, verdict=Verdict.NOT_MENTIONED)
        elif claim.verdict is not Verdict.SUPPORTED and drawn < 1 / 40:
            claim = replace(claim, verdict=Verdict.SUPPORTED, hallucination_type=None, severity=None)
        made.append(claim)
    return tuple(made)

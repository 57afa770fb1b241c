"""What tests put into a store, and the store: samples, claims, results, labels, runs and spot-checks with defaults."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from faithview import Chunk, Claim, Evidence, Result, Sample, State, Verdict
from faithview.domain.claim import ClaimType, HallucinationType, Importance, Mismatch, Severity
from faithview.domain.label import Label, LabelKind
from faithview.domain.result import Usage
from faithview.domain.run import JudgeSpec, Run, RunStatus, RunSummary
from faithview.domain.scoring import RunScore
from faithview.domain.spans import Span, find_quote
from faithview.domain.spot_check import QueueItem
from faithview.services.container import Store
from faithview.services.results import get_answer_at
from faithview.services.review import labels, spot_checks
from faithview.services.review.labels import LabelProvenance
from faithview.services.runs import create
from faithview.store import results, runs, summaries
from faithview.store import spot_checks as stored_spot_checks
from faithview.store.database import Database, open_database
from faithview.store.labels import add_label

NOW = datetime(2026, 3, 1, 12, 0, 0, 123456, tzinfo=UTC)
WORKER = "elsewhere:1:a"
# What breaks naive storing and showing: two scripts, emoji, controls, markup, a text that SQL would read.
HOSTILE = "\x01\u202eשלום\u200f 👩‍👧 e\u0301 <script>alert(1)</script> $x_1$ **b** {0} %s '; DROP TABLE run; --\r\n\t"
S, P, N, C = Verdict.SUPPORTED, Verdict.PARTIALLY_SUPPORTED, Verdict.NOT_MENTIONED, Verdict.CONTRADICTED
LEXICAL = JudgeSpec(name="lexical")


def make_chunks(texts: Mapping[str, str]) -> tuple[Chunk, ...]:
    """Return chunks from their texts by their ids."""
    return tuple(Chunk(text=text, chunk_id=chunk_id) for chunk_id, text in texts.items())


def make_evidence(chunk: Chunk, quote: str) -> Evidence:
    """Return evidence from a chunk; it is unverified where the chunk does not have these words."""
    return Evidence(chunk_id=chunk.chunk_id, quote=quote, span=find_quote(chunk.text, quote))


def make_claim(
    text: str = "It is so.",
    verdict: Verdict = S,
    *cited: str,
    answer: str = "",
    confidence: float | None = None,
    support: float | None = None,
    **fields: Any,
) -> Claim:
    """Return a claim that cites those chunks. Where it stands in `answer`, its span is set; fields are a claim's."""
    place = find_quote(answer, text)
    fields.setdefault("spans", (place,) if place else ())
    return Claim(
        text=text, verdict=verdict, supporting_chunk_ids=cited, confidence=confidence, support_score=support, **fields
    )


def make_result(*claims: Claim | Verdict, state: State | None = None, **fields: Any) -> Result:
    """Return a result with those claims, a verdict standing for a claim with it; fields are a result's."""
    made = tuple(
        Claim(text=f"Claim {number}.", verdict=claim) if isinstance(claim, Verdict) else claim
        for number, claim in enumerate(claims, start=1)
    )
    if state is State.FAILED:
        fields.setdefault("error", "It broke.")
    state = state or (State.JUDGED if made else State.NO_CLAIMS)
    return Result(**{"state": state, "judge": "lexical", "claims": made, **fields})


def make_row(
    chunks: Mapping[str, str], *claims: Claim, question: str | None = "When?", key: str = ""
) -> tuple[Sample, Result]:
    """Return an answer that makes those claims, with its chunks by id."""
    answer = " ".join(claim.text for claim in claims) or "Nothing."
    return Sample(answer=answer, chunks=make_chunks(chunks), question=question, key=key), make_result(*claims)


def make_rows(
    answers: Iterable[Sequence[Verdict]], *, about: str = "", confidence: float | None = None
) -> list[tuple[Sample, Result]]:
    """Return answers whose claims have those verdicts, each with a chunk, a question and a key.

    All texts begin with `about`.
    """
    return [
        make_row(
            {"c": f"{about}chunk {row}"},
            *(
                make_claim(f"{about}claim {row}.{number}", verdict, "c", confidence=confidence)
                for number, verdict in enumerate(verdicts, start=1)
            ),
            question=f"{about}q{row}",
            key=f"{about}k{row}",
        )
        for row, verdicts in enumerate(answers, start=1)
    ]


def make_label(verdict: Verdict | None, claim: int | None = 1, *, by: str = "ann", **fields: Any) -> Label:
    """Return a label that is not stored yet; a verdict of None is "not a claim". Fields are a label's."""
    kind = LabelKind.VERDICT if verdict else LabelKind.NOT_A_CLAIM
    given = {"label_id": 0, "kind": kind, "at": NOW, **fields}
    return Label(reviewer=by, claim_number=claim, verdict=verdict, **given)


def make_run(run_id: str = "r1", *, as_of: datetime = NOW, week: int = 0, **fields: Any) -> Run:
    """Return a run that is not stored yet, so many weeks later than `as_of`; fields are a run's."""
    at = as_of + timedelta(weeks=week)
    given = {
        "name": run_id,
        "status": RunStatus.PENDING,
        "judge": LEXICAL,
        "fingerprint": "lexical/1",
        "created_at": at,
        "as_of": at,
        "series": "run",
        **fields,
    }
    return Run(run_id=run_id, **given)


def make_summary(run: Run | None = None, *, rows: int = 0, **fields: Any) -> RunSummary:
    """Return the figures of a run, that of `make_run` by default; without fields, no answer of it is judged."""
    given = {
        "states": {},
        "claims": {},
        "score": RunScore(mean=None, interval=None, bounds=None, judged=0, unscored=0),
        "weighted": None,
        "faithful_rows": 0,
        "hallucination_rate": None,
        "segments": (),
        "usage": Usage(),
        **fields,
    }
    return RunSummary(run=run or make_run(), rows=rows, **given)


def two_claim_samples(number: int, *, first: int = 1) -> list[Sample]:
    """Return so many answers of two claims each; the first claim of every second one has a wrong number."""
    return [
        Sample(
            key=f"r{at}",
            question=f"How many members has inbox {at}?",
            answer=f"Inbox {at} holds {20 + 30 * (at % 2)} members. Its links expire after {at + 2} days.",
            chunks=(
                Chunk(
                    chunk_id=f"kb-{at}",
                    text=f"Inbox {at} holds 20 members at most. The links of inbox {at} expire after {at + 2} days.",
                ),
            ),
        )
        for at in range(first, first + number)
    ]


def full_sample() -> Sample:
    """Return a sample with every field set, hostile texts included."""
    return Sample(
        answer=f"A {HOSTILE} end",
        question=f"Q {HOSTILE}",
        key=f"k {HOSTILE}",
        segment=f"s {HOSTILE}",
        reference=f"ref {HOSTILE}",
        timestamp=datetime(2026, 2, 3, 4, 5, 6, 789, tzinfo=UTC) + timedelta(hours=1),
        extra={"n": 1, "x": 0.1, "t": HOSTILE, "list": [None, True, {"deep": [1e300]}], "ключ": "é"},
        chunks=(
            Chunk(
                text=f"C {HOSTILE}", chunk_id=f"id {HOSTILE}", rank=3, score=-0.25, metadata={"u": HOSTILE, "z": [1]}
            ),
            Chunk(text="same  text", chunk_id="b"),
            Chunk(text="same text", chunk_id="c"),
            Chunk(text="same text", chunk_id="d"),
            Chunk(text="", chunk_id="empty"),
        ),
    )


def full_result(sample: Sample) -> Result:
    """Return a result for `full_sample` with every field set."""
    first = Claim(
        text=HOSTILE,
        verdict=Verdict.CONTRADICTED,
        spans=(Span(start=0, end=1), Span(start=4, end=6)),
        confidence=0.1 + 0.2,
        support_score=1 / 3,
        explanation=f"because {HOSTILE}",
        claim_type=ClaimType.DEFINITION,
        importance=Importance.MEDIUM,
        hallucination_type=HallucinationType.CONFLATION,
        severity=Severity.LOW,
        correction=HOSTILE,
        supporting_chunk_ids=("d", sample.chunks[0].chunk_id),
        evidence=(
            Evidence(chunk_id="c", quote="text", span=Span(start=5, end=9)),
            Evidence(chunk_id="b", quote=HOSTILE, span=None),
            Evidence(chunk_id="c", quote="same", span=Span(start=0, end=4)),
        ),
        mismatches=(Mismatch(0, 1), Mismatch(4, 6, "c", 5, 9)),
        decided_by=f"j {HOSTILE}",
    )
    return Result(
        state=State.JUDGED,
        judge="lexical",
        claims=(first, Claim(text="plain", verdict=Verdict.SUPPORTED)),
        suggestions=(HOSTILE, "b"),
        answer_score=0.7,
        usage=Usage(
            llm_calls=1,
            cached_calls=2,
            prompt_tokens=3,
            cached_prompt_tokens=1,
            completion_tokens=4,
            cost_usd=0.0125,
        ),
        seconds=0.5,
        metrics={"answer_relevance": 0.1 + 0.2, f"context_relevance[{HOSTILE}]": 1.0},
        raw_reply=HOSTILE,
        warnings=(HOSTILE, "w"),
    )


def store_run(
    db: Database, samples: Sequence[Sample], judged: Sequence[Result | None] = (), *, run: Run | None = None
) -> Run:
    """Store a run and the results of its first rows (None leaves one pending), and finish it."""
    run = run or make_run()
    runs.create_run(db, run, samples)
    runs.take_run(db, run.run_id, worker=WORKER, now=NOW)
    rows = [(n, samples[n - 1], result) for n, result in enumerate(judged, start=1) if result is not None]
    results.save_results(db, run.run_id, rows, worker=WORKER, now=NOW, seconds=0.5)
    runs.finish_run(db, run.run_id, worker=WORKER, status=RunStatus.COMPLETE, now=NOW)
    return runs.get_run(db, run.run_id, now=NOW)


def store_rows(services: Store, run_id: str, rows: Sequence[tuple[Sample, Result]], **fields: Any) -> Run:
    """Store a finished run of those rows; fields are those of `make_run`."""
    run = make_run(run_id, **fields)
    return store_run(services.db, [sample for sample, _ in rows], [result for _, result in rows], run=run)


def summarise(db: Database, run: Run, **how: Any) -> RunSummary:
    """Return the figures of one run."""
    (summary,) = summaries.summarise_runs(db, [run], **how)
    return summary


def open_services(store: Path | str) -> Store:
    """Open a store: an SQLite file, or whatever a URL names."""
    return Store(open_database(f"sqlite:///{store}" if isinstance(store, Path) else store))


def add_run(services: Store, samples: Sequence[Sample], name: str = "run", **request: Any) -> Run:
    """Store a run that is still to be judged, by the embedded judge if no other is named."""
    return create.create_run(
        services, samples, create.RunRequest(**{"name": name, "judge": JudgeSpec(), "series": "run", **request})
    )


def add_judged_run(services: Store, samples: Sequence[Sample], name: str = "run", **request: Any) -> Run:
    """Store such a run and judge it."""
    run = add_run(services, samples, name, **request)
    create.judge_here(services, run)
    return run


def draw_check(services: Store, *run_ids: str, size: int, by: str = "ann", **order: Any) -> int:
    """Draw a spot-check of that many labels and return its id; `order` are the fields of a `DrawOrder`."""
    given = {"name": "n", "seed": 1, **order}
    return spot_checks.draw(services, spot_checks.DrawOrder(run_ids=run_ids, size=size, **given), created_by=by)


def say(services: Store, run_id: str, row: int, claim: int, verdict: str, *, by: str = "ann", **how: Any) -> int:
    """Label a claim and return the label's id; `how` are the fields of a `LabelProvenance`."""
    return labels.label_claim(services, run_id, row, claim, verdict, LabelProvenance(reviewer=by, **how)).label_id


def label_missed_claim(
    services: Store, run_id: str, row: int, *, start: int, end: int, verdict: str, provenance: LabelProvenance
) -> Label:
    """Store a claim that the judge missed, at `[start, end)` of the answer."""
    answer = get_answer_at(services, run_id, row).sample.answer
    label = labels.build_missed_claim(answer, start=start, end=end, verdict=verdict, provenance=provenance)
    return add_label(services.db, label, run_id=run_id, position=row)


def label_item(services: Store, item: QueueItem, verdict: str, *, by: str = "ann") -> None:
    """Store what `queue.label_and_advance` stores, without the search for the next claim, which takes longer."""
    provenance = LabelProvenance(reviewer=by, is_blind=item.check.is_blind, spot_check_id=item.check.spot_check_id)
    label = labels.build_label(verdict, provenance, claim=item.place.claim_number)
    add_label(services.db, label, run_id=item.place.run_id, position=item.place.row)


def label_check(
    services: Store, check: int, verdict_of: Callable[[QueueItem], str], *, by: str = "ann", most: int | None = None
) -> None:
    """Label the first items of a spot-check, all of them by default; "" leaves an item out."""
    for item in stored_spot_checks.list_items(services.db, check)[:most]:
        if verdict := verdict_of(item):
            label_item(services, item, verdict, by=by)

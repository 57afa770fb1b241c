"""A store in which every text that anybody may give is hostile: rows, names, notes, labels, documents, events."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from faithview.domain.alert import AlertKind
from faithview.domain.run import Run
from faithview.domain.sample import Chunk, Sample, find_unstorable
from faithview.services.alerts import add_rule
from faithview.services.container import Store
from faithview.services.events import add_event
from faithview.services.judge_quality.benchmarks import store_benchmark
from faithview.services.knowledge.versions import save_knowledge_base
from faithview.services.results import note_on_run
from faithview.services.review.labels import LabelProvenance, label_claim
from tests.factories import LEXICAL, add_judged_run, draw_check, open_services
from tests.payloads import PAYLOADS

TEXTS: Sequence[str] = [text for text in PAYLOADS if find_unstorable(text) is None and text.strip()]
_RUNS = 6
_LABELLED = 30
_NOW = datetime(2026, 11, 1, tzinfo=UTC)


def fill(url: str) -> dict[str, str]:
    """Fill the store at a URL: a few runs over the same rows, and everything that people add to them.

    Returns the parameters of an address that leads to what is there, so that a page does not stop at "no such run".
    """
    names = _apart(_RUNS)
    with open_services(url) as services:
        versions = [" ".join(text.split())[:80] for text in names[:2]]
        for number, version in enumerate(versions):
            save_knowledge_base(services, version, _documents(edited=number == 1), source=version)
        runs = []
        for number, name in enumerate(names):
            run = add_judged_run(
                services,
                _rows(answers_end=str(number)),
                name[:150],
                judge=LEXICAL,
                kb_version=versions[number % 2],
                source=name[:150],
                series=_line(names[0]),
                as_of=_NOW - timedelta(weeks=_RUNS - number),
            )
            note_on_run(services, run.run_id, name[:2_000])
            runs.append(run)
        _add_what_people_add(services, runs)
    newest, older = runs[-1].run_id, runs[-2].run_id
    return {"run": newest, "baseline": older, "candidate": newest, "row": "3", "check": "1"}


def _rows(*, answers_end: str) -> list[Sample]:
    return [
        Sample(
            key=f"{number} {text[:80]}",
            question=text,
            answer=f"{text} Inboxes hold {number} members. It says {answers_end}.",
            chunks=(_chunk(number, text),),
            segment=text[:80],
        )
        for number, text in enumerate(TEXTS)
    ]


def _chunk(number: int, text: str, *, end: str = "") -> Chunk:
    return Chunk(
        chunk_id=f"{number} {text[:80]}",
        text=f"{text} Inboxes hold 20 members.{end}",
        metadata={"x": text, text[:40]: text, "source": text, "document": text},
    )


def _documents(*, edited: bool) -> list[Chunk]:
    """Return the chunks of a version; every third one of the other version is edited, and some are not there."""
    return [
        _chunk(number, text, end=" No longer." if edited and number % 3 == 0 else "")
        for number, text in enumerate(TEXTS)
        if number % 10 != (1 if edited else 2)
    ]


def _add_what_people_add(services: Store, runs: Sequence[Run]) -> None:
    newest = runs[-1]
    for number, text in enumerate(_apart(_LABELLED)):
        at = _NOW - timedelta(days=number)
        add_event(services, _line(text), at=at, kb_version=_line(text), created_by=_line(text))
        for reviewer in (_line(text), "ann"):
            verdict = "supported" if reviewer == "ann" else "contradicted"
            provenance = LabelProvenance(reviewer=reviewer, note=text, corrected_text=text, at=at)
            label_claim(services, newest.run_id, number + 1, 1, verdict, provenance)
        store_benchmark(services, LEXICAL, _benchmark(text))
        add_rule(services, AlertKind.BELOW, 0.5, segment=_line(text), created_by=_line(text))
    draw_check(services, newest.run_id, size=20, name=_line(TEXTS[1]))


def _benchmark(text: str) -> dict[str, object]:
    """Return the document of a benchmark of a file whose name and tasks are this text."""
    figures = dict.fromkeys(
        (
            *("balanced_accuracy", "f1_unfaithful", "precision_unfaithful", "recall_unfaithful"),
            *("auroc", "claim_auroc", "span_f1"),
        ),
        0.5,
    )
    rest = {"rows": 9, "failed": 0, "seconds": 1.0, "answers_per_second": 9.0}
    return {
        "judge": "lexical", "file": text, **rest, **figures, "tasks": {text: figures}, "macro": figures
    }  # fmt: skip


def _apart(count: int) -> list[str]:
    """Return so many payloads from all over the list."""
    return list(TEXTS[:: len(TEXTS) // count][:count])


def _line(text: str) -> str:
    return " ".join(text.split())[:90]

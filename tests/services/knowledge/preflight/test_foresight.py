"""What a preflight foresaw of an update: predictions beside the comparison of the runs around it, on both engines."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from faithview import Claim
from faithview.domain.event import Event, EventKind
from faithview.domain.preflight import Foresight
from faithview.services.comparison.compare import compare_runs
from faithview.services.container import Store
from faithview.services.knowledge.preflight.foresight import check_foresight, find_event_preflight
from faithview.services.knowledge.versions import save_knowledge_base
from faithview.services.reports.comparison_report import report_comparison
from faithview.services.results import get_run
from tests.factories import NOW, C, N, S, make_claim, make_row, store_rows
from tests.services.knowledge.preflight.planted import KNOWLEDGE, QUESTIONS, add_run, check, chunks_of

NEW = {**KNOWLEDGE, "returns": KNOWLEDGE["returns"].replace("30 days", "14 days"), "gifts": "Gift cards are not sold."}
ANSWERS = {name: (question, answer) for name, question, answer, _ in QUESTIONS}


def _later(services: Store, claims: Mapping[str, list[Claim]], *, version: str = "v2", name: str = "later") -> None:
    rows = [
        make_row({name: NEW[name]}, *claims.get(name, [make_claim(answer, S, name)]), question=question, key=name)
        for name, (question, answer) in ANSWERS.items()
    ]
    store_rows(services, name, rows, week=60, kb_version=version, judge=get_run(services, "run").judge)


def _foresee(services: Store, claims: Mapping[str, list[Claim]], *, version: str = "v2") -> Foresight | None:
    run = add_run(services)
    check(services, run, chunks_of(NEW), new_version="v2")
    _later(services, claims, version=version)
    return check_foresight(services, compare_runs(services, run.run_id, "later"))


def test_a_predicted_claim_breaks_holds_or_is_no_longer_made(services: Store) -> None:
    save_knowledge_base(services, "v2", chunks_of(NEW))
    found = _foresee(
        services,
        {
            "returns": [make_claim(ANSWERS["returns"][1], C, "returns")],
            "gifts": [make_claim("We do not sell them.", N)],
        },
    )
    assert found is not None
    assert found.is_same_text
    assert (found.foretold, found.foretold_broke, found.foretold_held, found.foretold_dropped) == (2, 1, 0, 1)
    # The new claim about gift cards counts as predicted, because its answer was predicted to change.
    assert (found.broken, found.predicted, found.predicted_new, found.named) == (2, 2, 1, 2)
    assert (found.asked, found.asked_worse) == (2, 2)
    assert (found.changing, found.changing_worse) == (2, 2)


def test_a_predicted_claim_that_the_later_answer_corrects_did_not_hold(services: Store) -> None:
    save_knowledge_base(services, "v2", chunks_of(NEW))
    corrected = ANSWERS["returns"][1].replace("30", "14")
    found = _foresee(services, {"returns": [make_claim(corrected, S, "returns")]})
    assert found is not None
    assert (found.foretold, found.foretold_broke, found.foretold_held, found.foretold_reworded) == (2, 0, 1, 1)


def test_a_new_claim_was_predicted_if_at_least_half_of_its_passages_would_be_new(services: Store) -> None:
    new = {**KNOWLEDGE, "express": "What does delivery cost? Delivery costs 5 euros and takes 3 working days."}
    save_knowledge_base(services, "v2", chunks_of(new))
    run = add_run(services)
    result = check(services, run, chunks_of(new), new_version="v2")
    assert result.counts.breaking == 0
    assert [(one.key, one.answer_changes, len(one.entering)) for one in result.questions] == [("delivery", True, 1)]
    _later(services, {"delivery": [make_claim("Express delivery takes an hour.", N)]})
    found = check_foresight(services, compare_runs(services, run.run_id, "later"))
    assert found is not None
    assert (found.broken, found.predicted, found.predicted_new, found.named) == (1, 1, 1, 1)
    assert (found.changing, found.changing_worse) == (1, 1)


def test_a_claim_that_broke_without_a_prediction_is_counted_apart(services: Store) -> None:
    save_knowledge_base(services, "v2", chunks_of(NEW))
    found = _foresee(services, {"delivery": [make_claim(ANSWERS["delivery"][1], C, "delivery")]})
    assert found is not None
    assert (found.broken, found.predicted, found.named) == (1, 0, 0)
    assert (found.foretold, found.foretold_broke, found.foretold_held) == (2, 0, 2)
    assert (found.by_documents, found.by_documents_predicted) == (0, 0)


def test_without_the_texts_the_name_of_the_version_is_enough(services: Store) -> None:
    found = _foresee(services, {})
    assert found is not None
    assert not found.is_same_text


@pytest.mark.parametrize("version", ["v1", "v3"])
def test_another_version_has_no_preflight(version: str, services: Store) -> None:
    assert _foresee(services, {}, version=version) is None


def test_the_texts_are_enough_without_a_name(services: Store) -> None:
    run = add_run(services)
    check(services, run, chunks_of(NEW))
    # Another order and other ids: the texts are the same.
    save_knowledge_base(services, "published", [*reversed(chunks_of(NEW))])
    _later(services, {}, version="published")
    found = check_foresight(services, compare_runs(services, run.run_id, "later"))
    assert found is not None
    assert found.is_same_text


def test_it_is_kept_with_the_event_and_told_in_the_report(services: Store) -> None:
    run = add_run(services)
    result = check(services, run, chunks_of(NEW), new_version="v2")
    _later(services, {"returns": [make_claim(ANSWERS["returns"][1], C, "returns")]})
    update = Event(
        at=NOW,
        kind=EventKind.KNOWLEDGE_BASE,
        label="Update",
        kb_version="v2",
        before_run_id=run.run_id,
        after_run_id="later",
    )
    assert find_event_preflight(services, update) == result.record.preflight_id
    assert find_event_preflight(services, replace(update, kind=EventKind.OTHER)) is None
    assert find_event_preflight(services, replace(update, after_run_id=None)) is None
    html = report_comparison(services, run.run_id, "later")
    assert "1 of the 1 broken claim was predicted" in html

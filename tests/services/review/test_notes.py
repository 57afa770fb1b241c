"""Notes on a claim: a thread that hides from a blind reviewer what may name the judge's verdict."""

import pytest

from faithview import Verdict
from faithview.domain.claim import ClaimRef
from faithview.domain.errors import InvalidInput, NotFound
from faithview.services.container import Store
from faithview.services.exports import export_documents
from faithview.services.reports.run_report import report_run
from faithview.services.review import notes, queue
from faithview.store import spot_checks
from tests.factories import C, S, draw_check, make_rows, say, store_rows

PLACE = ClaimRef(run_id="r", row=1, claim_number=2)


def _store(services: Store) -> None:
    store_rows(services, "r", make_rows([(S, C)] * 3), series="desk")


def _thread(services: Store, **more: object) -> list[tuple[str, str, bool]]:
    reader = {"reader": "ann", **more}
    thread = notes.read_thread(services, PLACE, **reader)  # type: ignore[arg-type]  # one argument, by name
    return [(note.author, note.text, note.is_of_label) for note in thread.notes]


def test_a_thread_holds_notes_and_the_reasons_of_labels_in_the_order_they_were_written(services: Store) -> None:
    _store(services)
    notes.add_note(services, PLACE, "  which plan?  ", author="ben")
    say(services, "r", 1, 2, "contradicted", note="it is 20")
    notes.add_note(services, PLACE, "Starter", author="ann")
    assert _thread(services) == [("ben", "which plan?", False), ("ann", "it is 20", True), ("ann", "Starter", False)]


def test_a_blind_reviewer_reads_only_their_own_notes_until_they_have_labelled(services: Store) -> None:
    _store(services)
    check = draw_check(services, "r", size=6)
    notes.add_note(services, PLACE, "the judge is wrong", author="ben")
    notes.add_note(services, PLACE, "ask support", author="ann")
    hidden = notes.read_thread(services, PLACE, reader="ann", is_blind=True)
    assert ([note.text for note in hidden.notes], hidden.hidden) == (["ask support"], 1)
    assert notes.read_thread(services, PLACE, reader=None, is_blind=True).notes == ()
    (item,) = [i for i in spot_checks.list_items(services.db, check) if (i.place.row, i.place.claim_number) == (1, 2)]
    queue.label_and_advance(services, check, item.position, Verdict.SUPPORTED, reviewer="ann")
    assert notes.read_thread(services, PLACE, reader="ann", is_blind=True).hidden == 0


def test_notes_are_in_the_export_and_in_the_report(services: Store) -> None:
    _store(services)
    notes.add_note(services, PLACE, "<b>which plan?</b>", author="ben")
    first, second, *_ = export_documents(services, "r")
    assert [claim["notes"] for claim in second["claims"]] == [[], []]
    (note,) = first["claims"][1]["notes"]
    assert (note["author"], note["text"]) == ("ben", "<b>which plan?</b>")
    report = report_run(services, "r")
    assert "Note by ben" in report
    assert "&lt;b&gt;which plan?&lt;/b&gt;" in report


@pytest.mark.parametrize(("text", "author"), [("  ", "ben"), ("x" * 10_001, "ben"), ("nul \0", "ben"), ("note", " ")])
def test_a_note_that_cannot_be_stored_is_refused(services: Store, text: str, author: str) -> None:
    _store(services)
    with pytest.raises(InvalidInput):
        notes.add_note(services, PLACE, text, author=author)
    assert notes.read_thread(services, PLACE, reader=None).notes == ()


def test_there_are_no_notes_on_claims_that_are_not_there(services: Store) -> None:
    _store(services)
    with pytest.raises(NotFound):
        notes.add_note(services, ClaimRef(run_id="r", row=1, claim_number=9), "note", author="ben")

"""A knowledge base checked before it is published, and what people decide about what was found."""

from pathlib import Path

import pytest

from faithview import Chunk, Sample, Verdict
from faithview.domain.contradiction import Contradiction
from faithview.domain.errors import FaithViewError, InvalidInput, NotAllowed, NotFound
from faithview.services.container import Store
from faithview.services.knowledge.check import KnowledgeCheck, check_knowledge
from faithview.services.knowledge.decisions import decide
from faithview.services.knowledge.versions import read_base, save_knowledge_base
from faithview.store.database import open_database
from tests.factories import HOSTILE, make_result, store_rows
from tests.services.knowledge.test_contradictions import HANDING, LIMITS
from tests.services.knowledge.test_terms import BASKET, QUESTIONS, QUEUE

OTHER = "Reports are sent every Monday."


def _save(services: Store, version: str, *texts: str) -> None:
    save_knowledge_base(services, version, [Chunk(text=text, chunk_id=f"c{n}") for n, text in enumerate(texts)])


def _ask(services: Store, run_id: str, version: str | None, *asked: tuple[str, str], week: int = 0) -> None:
    """Store a run over a version that retrieved one chunk for each question."""
    samples = [
        Sample(question=question, answer="Yes.", chunks=(Chunk(text=text),), key=str(number))
        for number, (question, text) in enumerate(asked)
    ]
    rows = [(sample, make_result(Verdict.SUPPORTED)) for sample in samples]
    store_rows(services, run_id, rows, kb_version=version, week=week)


def _check(services: Store, source: str, *, against: str | None = None, run: str | None = None) -> KnowledgeCheck:
    return check_knowledge(services, read_base(services, source, against=against), against=against, run=run)


def test_a_stored_version_is_checked_against_the_one_before_it(services: Store) -> None:
    _save(services, "v1", HANDING, OTHER)
    _save(services, "v2", HANDING, LIMITS)
    _save(services, "v3", OTHER)
    found = _check(services, "v2")
    assert (found.name, found.chunks, found.against, found.run) == ("v2", 2, "v1", None)
    (one,) = found.contradictions
    assert one.is_new
    assert (one.questions, one.asked) == ((), 0)


def test_a_contradiction_that_the_older_version_has_too_is_not_new(services: Store) -> None:
    _save(services, "v1", HANDING, LIMITS)
    _save(services, "v2", HANDING, LIMITS, OTHER)
    assert [one.is_new for one in _check(services, "v2").contradictions] == [False]
    assert [one.is_new for one in _check(services, "v1").contradictions] == [True], "there is no older version"


def test_a_file_and_a_folder_are_checked_against_the_newest_version(services: Store, tmp_path: Path) -> None:
    _save(services, "v1", OTHER)
    file, folder = tmp_path / "new.csv", tmp_path / "docs"
    file.write_text(f'text\n"{HANDING}"\n"{LIMITS}"\n', encoding="utf-8")
    folder.mkdir()
    (folder / "moving.md").write_text(f"# Moving\n\n{HANDING}\n", encoding="utf-8")
    (folder / "limits.md").write_text(LIMITS, encoding="utf-8")
    for path, name in ((file, "new.csv"), (folder, "docs")):
        found = _check(services, str(path))
        assert (found.name, found.against, len(found.contradictions)) == (name, "v1", 1)


def test_questions_are_those_of_the_run_that_retrieved_either_passage(services: Store) -> None:
    _save(services, "v1", HANDING, LIMITS, OTHER)
    _ask(services, "older", "v1", ("How many at once?", HANDING))
    asked = (("When are reports sent?", OTHER), ("How many?", LIMITS), ("At once?", HANDING))
    _ask(services, "newer", "v1", *asked, week=1)
    _ask(services, "elsewhere", None, ("Who?", HANDING), week=2)
    found = _check(services, "v1")
    assert found.run is not None
    assert found.run.run_id == "newer"
    (one,) = found.contradictions
    assert [(asked.row, asked.question) for asked in one.questions] == [(2, "How many?"), (3, "At once?")]
    assert one.asked == 2
    (named,) = _check(services, "v1", run="older").contradictions
    assert [asked.question for asked in named.questions] == ["How many at once?"]


def test_the_run_over_the_older_version_is_taken_if_the_newer_has_none(services: Store) -> None:
    _save(services, "v1", HANDING)
    _save(services, "v2", HANDING, LIMITS)
    _ask(services, "r1", "v1", ("How many at once?", HANDING))
    found = _check(services, "v2")
    assert [asked.question for asked in found.contradictions[0].questions] == ["How many at once?"]


def test_terms_are_new_against_the_older_version_and_all_questions(services: Store) -> None:
    _save(services, "v1", *QUEUE)
    _save(services, "v2", *QUEUE, *BASKET)
    _ask(services, "r1", None, *((question, QUEUE[0]) for question in QUESTIONS))
    assert [term.word for term in _check(services, "v2").terms] == ["basket"]
    _ask(services, "r2", None, ("Where is my basket?", QUEUE[0]))
    assert _check(services, "v2").terms == ()


def test_what_a_person_dismissed_is_kept_apart_and_can_be_taken_back(services: Store) -> None:
    _save(services, "v1", *QUEUE)
    _save(services, "v2", *QUEUE, *BASKET, HANDING, LIMITS)
    found = _check(services, "v2")
    (one,), (term,) = found.contradictions, found.terms
    decide(services, one, is_confirmed=False, author="ann")
    decide(services, term, is_confirmed=False)
    after = _check(services, "v2")
    assert (after.contradictions, after.terms) == ((), ())
    (dismissed,) = after.dismissed_contradictions
    assert dismissed.decision is not None
    assert (dismissed.decision.decided_by, dismissed.decision.is_confirmed) == ("ann", False)
    assert [term.word for term in after.dismissed_terms] == ["basket"]
    assert [one.key for one in after.with_dismissed().contradictions] == [one.key]
    decide(services, one, is_confirmed=True, author="bob")
    decide(services, term, is_confirmed=None)
    again = _check(services, "v2")
    assert [one.decision.decided_by for one in again.contradictions if one.decision] == ["bob"]
    assert [term.decision for term in again.terms] == [None]


def test_a_decision_holds_for_later_versions_until_a_statement_changes(services: Store) -> None:
    _save(services, "v1", HANDING, LIMITS)
    decide(services, _check(services, "v1").contradictions[0], is_confirmed=False)
    _save(services, "v2", f"{OTHER} {HANDING}", LIMITS)
    assert _check(services, "v2").contradictions == ()
    _save(services, "v3", HANDING, LIMITS.replace("30", "35"))
    assert len(_check(services, "v3").contradictions) == 1


def test_who_only_looks_cannot_decide(services: Store, store_url: str) -> None:
    _save(services, "v1", HANDING, LIMITS)
    (one,) = _check(services, "v1").contradictions
    with Store(open_database(store_url, refusal=lambda: "You may only look.")) as viewer, pytest.raises(NotAllowed):
        decide(viewer, one, is_confirmed=False)
    assert _check(services, "v1").contradictions[0].decision is None


def test_passages_are_text_and_no_markup(services: Store) -> None:
    _save(services, "v1", f"{HANDING}\n\n{HOSTILE}", f"{LIMITS}\n\n{HOSTILE}")
    (one,) = _check(services, "v1").contradictions
    assert one.one.text == f"{HANDING}\n\n{HOSTILE}"
    assert _words(one) == ["40", "30"]


def _words(one: Contradiction) -> list[str]:
    return [side.words.of(side.text) for side in (one.one, one.other)]


@pytest.mark.parametrize(
    ("source", "more", "error", "says"),
    [
        ("v9", {}, NotFound, "'v9' is neither a stored version nor a file or folder"),
        ("x" * 5000, {}, NotFound, "is neither a stored version"),
        ("a\0b", {}, NotFound, "is neither a stored version"),
        ("v1", {"against": "v9"}, NotFound, "'v9' is not stored"),
        ("v1", {"against": "v1"}, InvalidInput, "cannot be compared with itself"),
        ("v1", {"run": "r9"}, NotFound, "r9"),
    ],
)
def test_bad_names_end_in_one_sentence(
    source: str, more: dict[str, str], error: type[FaithViewError], says: str, services: Store
) -> None:
    _save(services, "v1", HANDING)
    with pytest.raises(error, match=says):
        _check(services, source, **more)

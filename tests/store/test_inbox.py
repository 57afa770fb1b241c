"""The inbox in SQL against plain Python over the same claims."""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

import pytest
from sqlalchemy import select, text

from faithview import Chunk, Claim, Sample, Verdict
from faithview.domain.certainty import certainty_of
from faithview.domain.claim import HallucinationType, Severity
from faithview.domain.inbox import NONE, OPEN_VERDICTS, TO_CHECK, Facet, InboxFilter, LabelOutcome, make_filter
from faithview.domain.label import NOT_A_CLAIM, Label, LabelKind
from faithview.domain.run import JudgeSpec, Run
from faithview.domain.scoring import expected_harm
from faithview.stats.search_words import stems_of
from faithview.store import inbox, labels, results, retention
from faithview.store.database import Database
from faithview.store.schema.inbox import InboxClaimRow
from tests.factories import NOW, make_claim, make_label, make_result, make_run, store_run

RUNS = ("r3", "r2", "r1")  # the newest first
JUDGES = {"r3": "lexical", "r2": "embedded", "r1": "embedded"}
TEXTS = (
    "An invitation is valid for 14 days.",
    "AN  INVITATION is valid for 14 days.",  # equal to the first but for case and space
    "Invitations are valid for seven days.",
    "The limit of members is fifty.",
    "Members have no limit.",
    "Córdoba's été costs 3,000 €.",
    "東京は日本の首都です。",
)
SEGMENTS = ("Billing", "Übersee", None)
DOCUMENTS = ("a.md", "b.md", None)


@dataclass(frozen=True, kw_only=True)
class Made:
    """One claim as it was stored."""

    run_id: str
    row: int
    number: int
    segment: str | None
    document: str | None
    claim: Claim


def _made() -> list[Made]:
    rng = random.Random(7)
    made = []
    for run_id in RUNS:
        for row in range(1, 13):
            segment = rng.choice(SEGMENTS)
            for number in range(1, rng.randint(2, 4)):
                verdict = rng.choice(list(Verdict))
                is_wrong = verdict is not Verdict.SUPPORTED
                document = rng.choice(DOCUMENTS)
                claim = make_claim(
                    rng.choice(TEXTS),
                    verdict,
                    *(() if document is None else (document,)),
                    confidence=rng.choice([None, 0.25, 0.75, 0.9]),
                    severity=rng.choice([None, *Severity]) if is_wrong else None,
                    hallucination_type=rng.choice([None, *HallucinationType]) if is_wrong else None,
                )
                made.append(
                    Made(run_id=run_id, row=row, number=number, segment=segment, document=document, claim=claim)
                )
    return made


MADE = _made()


@pytest.fixture
def filled(db: Database) -> Database:
    """Three runs with a few texts that occur again and again."""
    for age, run_id in enumerate(RUNS):
        rows = sorted({made.row for made in MADE if made.run_id == run_id})
        samples, judged = [], []
        for row in rows:
            claims = [made for made in MADE if (made.run_id, made.row) == (run_id, row)]
            chunks = tuple(
                Chunk(text=f"Text of {name}", chunk_id=name, metadata={"document": name}) for name in DOCUMENTS if name
            )
            question = f"{run_id} {row}?"
            samples.append(
                Sample(answer="So.", question=question, key=f"k{row}", segment=claims[0].segment, chunks=chunks)
            )
            judged.append(make_result(*(made.claim for made in claims)))
        store_run(db, samples, judged, run=_run(run_id, age))
    return db


def _run(run_id: str, age: int) -> Run:
    return make_run(run_id, as_of=NOW - timedelta(days=age), judge=JudgeSpec(name=JUDGES[run_id]))


def _filters() -> Iterator[InboxFilter]:
    yield InboxFilter()
    queries = ("days valid", "invite", "limit members", "été", "3,000", "—")
    yield from (make_filter(words, {}) for words in queries)
    yield from (make_filter("", {Facet.VERDICT: [verdict]}) for verdict in (*Verdict, NOT_A_CLAIM))
    yield make_filter("", {Facet.VERDICT: [*Verdict]})
    yield from (make_filter("", {Facet.TYPE: [kind]}) for kind in (*HallucinationType, NONE))
    yield make_filter("", {Facet.SEGMENT: ["Billing", NONE]})
    yield make_filter("", {Facet.SEGMENT: ["nope"]})
    yield make_filter("", {Facet.DOCUMENT: ["a.md"]})
    yield make_filter("", {Facet.DOCUMENT: [NONE], Facet.VERDICT: [Verdict.CONTRADICTED, Verdict.SUPPORTED]})
    yield make_filter("", {Facet.RUN: ["r2", "r1"]})
    yield make_filter("", {Facet.RUN: ["no such run"]})
    yield make_filter("days", {Facet.RUN: ["r3"], Facet.TYPE: [HallucinationType.FABRICATION, NONE]})
    yield make_filter("valid", {Facet.DOCUMENT: ["a.md", NONE], Facet.RUN: ["r1", "r3"]})
    yield make_filter("", {Facet.LABEL: [LabelOutcome.UNLABELLED]})
    yield make_filter("", {Facet.LABEL: [LabelOutcome.DISPUTED]})
    yield make_filter("", {Facet.LABEL: [TO_CHECK]})
    yield make_filter("days", {Facet.LABEL: [TO_CHECK, LabelOutcome.UNLABELLED], Facet.RUN: ["r1", "r3"]})
    yield make_filter("", {Facet.LABEL: [TO_CHECK, LabelOutcome.DISPUTED]})
    yield make_filter("", {Facet.LABEL: [TO_CHECK], Facet.VERDICT: [Verdict.SUPPORTED, Verdict.CONTRADICTED]})
    yield make_filter("", {Facet.LABEL: [TO_CHECK], Facet.VERDICT: [Verdict.CONTRADICTED]})
    yield make_filter("", {Facet.LABEL: [TO_CHECK], Facet.DOCUMENT: ["a.md", NONE]})
    yield make_filter("", {Facet.ASSIGNEE: [NONE]})
    yield make_filter("", {Facet.ASSIGNEE: ["ann"]})
    yield make_filter("'; DROP TABLE claim; -- \" OR *", {Facet.DOCUMENT: ["x' OR 1=1 --"]})


def _values(made: Made) -> dict[Facet, str]:
    return {
        Facet.VERDICT: made.claim.verdict.value,
        Facet.TYPE: made.claim.hallucination_type.value if made.claim.hallucination_type else NONE,
        Facet.LABEL: TO_CHECK if _is_near_cut(made) else LabelOutcome.UNLABELLED.value,
        Facet.RUN: made.run_id,
        Facet.SEGMENT: made.segment or NONE,
        Facet.DOCUMENT: made.document or NONE,
        Facet.ASSIGNEE: NONE,
    }


def _has_words(made: Made, words: str) -> bool:
    if not words:
        return True
    wanted = {*stems_of(words)}
    return bool(wanted) and wanted <= {*stems_of(made.claim.text)}


def _is_near_cut(made: Made) -> bool:
    return certainty_of(made.claim.verdict, made.claim.confidence, JUDGES[made.run_id]).is_near_cut


def _is_listed(made: Made, filters: InboxFilter) -> bool:
    values = _values(made)
    met = {facet for facet in Facet if not filters.values(facet) or values[facet] in filters.values(facet)}
    if _is_near_cut(made) and TO_CHECK in filters.values(Facet.LABEL) and not filters.chosen.get(Facet.VERDICT):
        met |= {Facet.VERDICT}
    return _has_words(made, filters.words) and met == set(Facet)


def _expected_counts(facet: Facet, filters: InboxFilter) -> dict[str, int]:
    """Return how many claims each value of a facet would list if it alone were chosen of the facet."""
    if facet is Facet.ASSIGNEE:
        return {}  # claims that nobody has are not counted
    values = {_values(made)[facet] for made in MADE}
    listed = {value: filters.with_facet(facet, [value]) for value in values}
    counts = {value: sum(_is_listed(made, one) for made in MADE) for value, one in listed.items()}
    return {value: count for value, count in counts.items() if count}


def _harm(made: Made) -> float:
    return expected_harm(made.claim.verdict, made.claim.severity, made.claim.confidence)


@pytest.mark.parametrize("filters", list(_filters()), ids=str)
def test_a_list_and_its_facets_are_those_of_plain_python(filled: Database, filters: InboxFilter) -> None:
    page = inbox.list_groups(filled, RUNS, filters, limit=100)
    listed = [made for made in MADE if _is_listed(made, filters)]
    by_hash: dict[str, list[Made]] = {}
    for made in listed:
        by_hash.setdefault(made.claim.claim_hash, []).append(made)
    harms = {key: max(map(_harm, group)) for key, group in by_hash.items()}
    assert [group.harm for group in page.groups] == pytest.approx(sorted(harms.values(), reverse=True))
    assert (page.total_groups, page.total_claims) == (len(by_hash), len(listed))
    for group in page.groups:
        key = make_claim(group.text, Verdict.SUPPORTED).claim_hash
        equal = [made for made in MADE if made.claim.claim_hash == key]
        worst = min(by_hash[key], key=lambda m: (-_harm(m), RUNS.index(m.run_id), m.row, m.number))
        assert (group.run_id, group.row, group.claim_number) == (worst.run_id, worst.row, worst.number)
        assert (group.key, group.verdict, group.certainty.confidence) == (
            f"k{worst.row}",
            worst.claim.verdict,
            worst.claim.confidence,
        )
        assert group.harm == pytest.approx(harms[key])
        assert (group.listed, group.runs) == (len(by_hash[key]), len({made.run_id for made in equal}))
        assert group.verdicts == Counter(made.claim.verdict.value for made in equal)
        assert group.latest_run_name == min((m.run_id for m in equal), key=RUNS.index)
    counts = inbox.count_facets(filled, RUNS, filters, documents=30)
    for facet in Facet:
        assert {v: n for v, n in counts[facet].items() if n} == _expected_counts(facet, filters)


def test_pages_follow_on_each_other(filled: Database) -> None:
    everything = make_filter("", {Facet.VERDICT: [*Verdict]})
    whole = inbox.list_groups(filled, RUNS, everything, limit=100).groups
    pages = [inbox.list_groups(filled, RUNS, everything, offset=at, limit=2).groups for at in range(0, 8, 2)]
    assert [group for page in pages for group in page] == list(whole)
    assert inbox.list_groups(filled, RUNS, everything, offset=100).groups == ()


def test_only_runs_in_view_are_listed_and_counted(filled: Database) -> None:
    page = inbox.list_groups(filled, ["r2"], InboxFilter(), limit=100)
    assert page.total_claims == sum(m.run_id == "r2" and m.claim.verdict in OPEN_VERDICTS for m in MADE)
    assert {(group.run_id, group.runs) for group in page.groups} == {("r2", 1)}
    assert inbox.list_groups(filled, [], InboxFilter()).groups == ()


def _label(db: Database, made: Made, verdict: Verdict | None, *, reviewer: str = "ann") -> Label:
    label = make_label(verdict, made.number, by=reviewer)
    return labels.add_label(db, label, run_id=made.run_id, position=made.row)


def _states(db: Database) -> Counter[str]:
    every = make_filter("", {Facet.VERDICT: [*Verdict, NOT_A_CLAIM]})
    counts = inbox.count_facets(db, RUNS, every, documents=1)[Facet.LABEL]
    states: Counter[str] = Counter()
    for state, claims in counts.items():
        states["unlabelled" if state == TO_CHECK else state] += claims
    return states


def test_labels_move_claims_between_verdicts_and_states_at_once(filled: Database) -> None:
    words = Counter((made.run_id, made.row, made.claim.text) for made in MADE)
    wrong = [
        made
        for made in MADE
        if made.claim.verdict is Verdict.CONTRADICTED and words[made.run_id, made.row, made.claim.text] == 1
    ][:4]
    confirmed, overruled, disputed, removed = wrong
    _label(filled, confirmed, Verdict.CONTRADICTED)
    _label(filled, overruled, Verdict.SUPPORTED)
    _label(filled, disputed, Verdict.SUPPORTED)
    _label(filled, disputed, Verdict.CONTRADICTED, reviewer="bob")
    given = _label(filled, removed, None)
    assert _states(filled) == {"unlabelled": len(MADE) - 4, "confirmed": 1, "overruled": 2, "disputed": 1}
    open_claims = sum(made.claim.verdict in OPEN_VERDICTS for made in MADE)
    assert inbox.list_groups(filled, RUNS, InboxFilter()).total_claims == open_claims - 2
    none = inbox.list_groups(filled, RUNS, make_filter("", {Facet.VERDICT: [NOT_A_CLAIM]})).groups
    assert [(g.run_id, g.row, g.verdict, g.certainty.confidence) for g in none] == [
        (removed.run_id, removed.row, None, None)
    ]
    retraction = make_label(None, removed.number, kind=LabelKind.RETRACTION, retracts=given.label_id)
    labels.add_label(filled, retraction, run_id=removed.run_id, position=removed.row)
    assert _states(filled) == {"unlabelled": len(MADE) - 3, "confirmed": 1, "overruled": 1, "disputed": 1}


def test_claims_to_check_are_listed_until_people_settle_them(filled: Database) -> None:
    to_check = make_filter("", {Facet.LABEL: [TO_CHECK]})

    def listed() -> int:
        page = inbox.list_groups(filled, RUNS, to_check, limit=100)
        assert {(group.verdict, group.certainty.is_near_cut) for group in page.groups} <= {(Verdict.SUPPORTED, True)}
        assert inbox.count_facets(filled, RUNS, InboxFilter(), documents=1)[Facet.LABEL].get(TO_CHECK, 0) == (
            inbox.count_claims(filled, RUNS, to_check)
        )
        return page.total_claims

    near = [made for made in MADE if _is_listed(made, to_check)]
    assert listed() == len(near) > 3
    confirmed, disputed = near[:2]
    _label(filled, confirmed, Verdict.SUPPORTED)
    assert listed() == len(near) - 1
    _label(filled, disputed, Verdict.CONTRADICTED)
    assert listed() == len(near) - 2
    _label(filled, disputed, Verdict.SUPPORTED, reviewer="bob")  # listed with the disputed ones
    assert listed() == len(near) - 2
    tied = make_filter("", {Facet.LABEL: [LabelOutcome.DISPUTED], Facet.VERDICT: [Verdict.SUPPORTED]})
    assert inbox.count_claims(filled, RUNS, tied) == 1
    assert inbox.count_claims(filled, ["r3"], to_check) == 0  # its judge's confidences were not measured
    equal = next(made for made in near if made not in (confirmed, disputed))
    (group,) = [
        group
        for group in inbox.list_groups(filled, RUNS, to_check, limit=100).groups
        if make_claim(group.text, Verdict.SUPPORTED).claim_hash == equal.claim.claim_hash
    ]
    (everywhere,) = [
        one
        for one in inbox.list_groups(filled, RUNS, make_filter("", {Facet.VERDICT: [*Verdict]}), limit=100).groups
        if one.text == group.text
    ]
    assert group.verdicts == everywhere.verdicts
    assert set(group.verdicts) <= {*Verdict}


def test_deleting_runs_leaves_no_claim_and_no_word_behind(filled: Database) -> None:
    retention.delete_run(filled, "r2")
    left = [made for made in MADE if made.run_id != "r2"]
    with filled.read() as connection:
        assert len(connection.execute(select(InboxClaimRow.claim_id)).all()) == len(left)
    for run_id in ("r1", "r3"):
        retention.delete_run(filled, run_id)
    with filled.read() as connection:
        if filled.dialect_name == "sqlite":
            query = text("SELECT count(*) FROM claim_words WHERE claim_words MATCH 'day'")
            assert connection.execute(query).scalar_one() == 0


def test_long_texts_and_names_can_be_stored_and_found(db: Database) -> None:
    name = "https://example.org/" + "x" * 5_000 + "/end.md"
    sample = Sample(answer="So.", segment="é" * 500, chunks=(Chunk(text="c", chunk_id="c", metadata={"url": name}),))
    words = " ".join(f"word{n}" for n in range(20_000))
    claims = (
        make_claim(words, Verdict.CONTRADICTED, "c"),
        make_claim("y" * 9_000, Verdict.NOT_MENTIONED),
    )
    store_run(db, [sample], [make_result(*claims)])
    found = inbox.list_groups(db, ["r1"], make_filter("word7 word15000", {})).groups
    assert [group.claim_number for group in found] == [1]
    (document,) = inbox.count_facets(db, ["r1"], make_filter("word7", {}), documents=5)[Facet.DOCUMENT]
    assert len(document) == 150
    assert document.endswith("/end.md")
    assert results.get_answer(db, "r1", "1").result.claims[0].text == words

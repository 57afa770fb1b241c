"""Lists, filters, sorts, pages, searches and figures: SQL against plain Python over the same rows."""

import itertools
import random
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import pytest

from faithview import Chunk, Claim, Result, Sample, State, Verdict
from faithview.domain.answer import AnswerFilter, LabelState, Order, View
from faithview.domain.claim import HallucinationType, Severity
from faithview.domain.result import Usage
from faithview.domain.run import JudgeSpec, RunStatus
from faithview.domain.scoring import expected_harm
from faithview.stats.run_score import Cluster, run_score
from faithview.store import answers, labels, results, runs, summaries
from faithview.store.database import Database, open_database
from tests.factories import NOW, WORKER, make_claim, make_label, make_result, make_run, store_run, summarise

SEGMENTS = ("Billing", "Übersee", None)
WORDS = ("Été", "été", "Straße", "100%_\\x")
EVERYTHING = AnswerFilter()


def _rows() -> tuple[list[Sample], list[Result | None]]:
    """Return 60 varied rows: all states, verdicts and segments, questions shared by several answers, ties."""
    rng = random.Random(3)
    samples, judged = [], list[Result | None]()
    for number in range(60):
        samples.append(
            Sample(
                answer=f"Answer {number} {rng.choice(WORDS)}",
                question=rng.choice([None, "", "Who?", "WHO? ", "What?"]),
                key=f"key-{number * 7 % 60}",
                segment=rng.choice(SEGMENTS),
                chunks=(Chunk(text=f"c{number % 5}", chunk_id=f"c{number % 5}"),),
            )
        )
        kind = rng.randrange(10)
        usage = Usage(llm_calls=1, cached_calls=number % 2, prompt_tokens=number, completion_tokens=3)
        if kind == 0:
            judged.append(None)
        elif kind <= 3:
            state = (State.FAILED, State.ABSTAINED, State.EMPTY_CONTEXT)[kind - 1]
            judged.append(make_result(state=state, usage=usage))
        else:
            verdicts = rng.choices(list(Verdict), k=rng.randint(1, 4))
            made = make_result(*verdicts, usage=usage)
            kinds = {Verdict.NOT_MENTIONED: HallucinationType.FABRICATION, Verdict.CONTRADICTED: None}
            claims = tuple(
                make_claim(
                    f"{c.text} {number}",
                    c.verdict,
                    *(rng.choice([(), (f"c{number % 5}",)])),
                    hallucination_type=kinds.get(c.verdict),
                    severity=rng.choice([None, *Severity]),
                    confidence=rng.choice([None, 0.2, 0.5, 0.9]),
                )
                for c in made.claims
            )
            judged.append(make_result(*claims, state=made.state, usage=usage))
    return samples, judged


SAMPLES, JUDGED = _rows()


@pytest.fixture
def filled(db: Database) -> Database:
    """A store with those rows as run "r1" and another run that no list of "r1" may show."""
    store_run(db, SAMPLES, JUDGED)
    store_run(
        db,
        [Sample(answer="Été", key="other", segment="Billing")],
        [make_result(Verdict.SUPPORTED)],
        run=make_run("r2", as_of=NOW + timedelta(days=1)),
    )
    return db


def _filters() -> Iterator[AnswerFilter]:
    yield EVERYTHING
    yield from (AnswerFilter(states=(state,)) for state in State)
    yield AnswerFilter(states=(State.FAILED, State.ABSTAINED))
    yield from (AnswerFilter(verdicts=(verdict,)) for verdict in Verdict)
    yield AnswerFilter(verdicts=(Verdict.CONTRADICTED, Verdict.NOT_MENTIONED))
    yield from (AnswerFilter(hallucination_types=(kind,)) for kind in HallucinationType)
    yield from (
        AnswerFilter(segments=names) for names in (("Billing",), ("Übersee", "Billing"), ("", "nope"), ("a\x00",))
    )
    yield from (AnswerFilter(chunk=chunk_id) for chunk_id in ("c3", "nope", "a\x00"))
    yield from (
        AnswerFilter(least_confidence=low, most_confidence=high) for low, high in ((None, 0.2), (0.5, None), (0.4, 0.6))
    )
    yield from (
        AnswerFilter(search=text) for text in ("ÉTÉ", "who", "key-4", "100%_\\X", "strasse", "%", "nope", "\x00")
    )
    for state, verdict, segment, search, least, chunk in itertools.product(
        ((), (State.JUDGED,)),
        ((), (Verdict.CONTRADICTED,)),
        ((), ("Billing",)),
        (None, "été"),
        (None, 0.9),
        (None, "c1"),
    ):
        yield AnswerFilter(
            states=state, verdicts=verdict, segments=segment, search=search, least_confidence=least, chunk=chunk
        )


def _meets(claim: Claim, filters: AnswerFilter) -> bool:
    return (
        (not filters.verdicts or claim.verdict in filters.verdicts)
        and (not filters.hallucination_types or claim.hallucination_type in filters.hallucination_types)
        and (filters.least_confidence is None or (claim.confidence or -1) >= filters.least_confidence)
        and (filters.most_confidence is None or (claim.confidence or 2) <= filters.most_confidence)
        and (filters.chunk is None or filters.chunk in claim.supporting_chunk_ids)
    )


def _passes(number: int, filters: AnswerFilter) -> bool:
    sample, result = SAMPLES[number], JUDGED[number]
    state = result.state if result else State.PENDING
    claims = result.claims if result else ()
    needle = filters.search.casefold() if filters.search else ""
    return (
        (not filters.states or state in filters.states)
        and (not filters.segments or (sample.segment or "") in filters.segments)
        and (not filters.is_about_claims or any(_meets(claim, filters) for claim in claims))
        and any(needle in text.casefold() for text in (sample.question or "", sample.answer, sample.key))
    )


def _sort_key(number: int, order: Order) -> tuple[float, ...]:
    result = JUDGED[number]
    claims = result.claims if result else ()
    score = result.faithfulness if result else None
    contradicted = sum(c.verdict is Verdict.CONTRADICTED for c in claims)
    wrong = sum(c.verdict is not Verdict.SUPPORTED for c in claims) if claims else -1
    harm = max((expected_harm(c.verdict, c.severity, c.confidence) for c in claims), default=-1.0)
    sureness = min((c.confidence for c in claims if c.confidence is not None), default=2.0)
    no_score = score is None
    match order:
        case Order.FILE:
            return (number,)
        case Order.HARM:
            return (-harm, no_score, score or 0, number)
        case Order.UNSURE:
            return (sureness, number)
        case Order.WRONG:
            return (-wrong, -contradicted, number)
        case Order.WORST:
            return (no_score, score or 0, -contradicted, number)
        case Order.BEST:
            return (no_score, -(score or 0), contradicted, number)


@pytest.mark.process
@pytest.mark.parametrize("order", Order)
def test_lists_are_filtered_sorted_paged_and_found_as_plain_python_would(filled: Database, order: Order) -> None:
    # Each filter in one of the orders.
    for filters in itertools.islice(_filters(), list(Order).index(order), None, len(Order)):
        numbers = sorted((n for n in range(60) if _passes(n, filters)), key=lambda n: _sort_key(n, order))
        expected = [SAMPLES[n].key for n in numbers]
        paged = []
        for offset in range(0, 70, 23):
            page = answers.list_answers(filled, "r1", filters, order=order, offset=offset, limit=23)
            assert page.total == len(expected), filters
            paged += [row.key for row in page.rows]
        assert paged == expected, filters
        for place in {0, len(expected) // 2, len(expected) - 1} & set(range(len(expected))):
            around = answers.list_answers(filled, "r1", filters, order=order, limit=7, around=expected[place])
            assert around.offset == place - place % 7
            assert [row.key for row in around.rows] == expected[around.offset : around.offset + 7]
            assert around.total == len(expected)
        absent = next((s.key for n, s in enumerate(SAMPLES) if n not in numbers), "none")
        for key in (absent, "other", "a\x00"):
            page = answers.list_answers(filled, "r1", filters, order=order, offset=7, limit=7, around=key)
            assert [row.key for row in page.rows] == expected[7:14]


def test_the_claims_of_an_answer_that_meet_the_filters_are_named(filled: Database) -> None:
    for filters in _filters():
        for number in (4, 17, 33, 58):
            result = JUDGED[number]
            claims = result.claims if result else ()
            expected = [at for at, claim in enumerate(claims, start=1) if _meets(claim, filters)]
            assert answers.list_matching_claims(filled, "r1", number + 1, filters) == expected, (number, filters)


def test_answers_are_filtered_by_what_people_made_of_their_claims(db: Database) -> None:
    verdicts = [(Verdict.SUPPORTED, Verdict.CONTRADICTED), (Verdict.CONTRADICTED,), (Verdict.SUPPORTED,)]
    store_run(db, [Sample(answer=f"{n}", key=f"k{n}") for n in range(3)], [make_result(*each) for each in verdicts])

    def say(row: int, number: int, verdict: Verdict | None, name: str = "ann") -> None:
        labels.add_labels(db, [("r1", row, make_label(verdict, number, by=name))])

    def listed(*states: LabelState, verdict: Verdict | None = None, view: View = View.JUDGE) -> list[str]:
        filters = AnswerFilter(label_states=states, verdicts=(verdict,) if verdict else ())
        return [row.key for row in answers.list_answers(db, "r1", filters, view=view, order=Order.FILE).rows]

    assert listed(LabelState.LABELLED) == listed(LabelState.DIFFERS) == []
    say(1, 2, Verdict.SUPPORTED)
    say(2, 1, Verdict.CONTRADICTED)
    say(3, 1, None)
    assert listed(LabelState.LABELLED) == ["k0", "k1", "k2"]
    assert listed(LabelState.UNLABELLED) == ["k0"]
    assert listed(LabelState.DIFFERS) == ["k0", "k2"]
    assert listed(LabelState.UNLABELLED, LabelState.DIFFERS) == ["k0", "k2"]
    # One and the same claim has to meet all that is asked.
    assert listed(LabelState.UNLABELLED, verdict=Verdict.CONTRADICTED) == []
    assert listed(LabelState.DIFFERS, verdict=Verdict.CONTRADICTED) == ["k0"]
    assert listed(LabelState.DIFFERS, verdict=Verdict.SUPPORTED, view=View.REVIEWED) == ["k0"]
    say(2, 1, Verdict.SUPPORTED, name="bob")  # a tie settles nothing
    assert listed(LabelState.LABELLED) == ["k0", "k1", "k2"]
    assert listed(LabelState.DIFFERS) == ["k0", "k2"]


def test_claims_near_the_cut_are_to_be_checked_until_people_settle_them(db: Database) -> None:
    claims = [make_claim(f"c{n}", Verdict.SUPPORTED, confidence=value) for n, value in enumerate((0.8, 0.7, 0.81))]
    judged = [make_result(claims[0], claims[1]), make_result(claims[2]), make_result(Verdict.SUPPORTED)]
    samples = [Sample(answer=f"{n}", key=f"k{n}") for n in range(3)]
    store_run(db, samples, judged, run=make_run("r1", judge=JudgeSpec(name="embedded")))
    store_run(db, samples, judged, run=make_run("r2", judge=JudgeSpec(name="openai:some-model")))
    to_check = AnswerFilter(label_states=(LabelState.TO_CHECK,))

    def listed(run_id: str = "r1", *, view: View = View.JUDGE) -> list[str]:
        return [row.key for row in answers.list_answers(db, run_id, to_check, view=view).rows]

    decided = [replace(claims[0], decided_by="embedded"), replace(claims[1], decided_by="openai:some-model")]
    cascade = make_run("r3", judge=JudgeSpec(name="cascade:openai:some-model"))
    store_run(db, samples[:1], [make_result(*decided)], run=cascade)
    assert [answers.count_to_check(db, run_id) for run_id in ("r1", "r2", "r3")] == [2, 0, 1]
    assert listed() == listed(view=View.REVIEWED) == ["k0"]
    assert listed("r2") == []
    assert answers.list_matching_claims(db, "r1", 1, to_check) == [1, 2]
    labels.add_labels(db, [("r1", 1, make_label(Verdict.SUPPORTED, 1))])
    assert answers.list_matching_claims(db, "r1", 1, to_check) == [2]
    assert answers.count_to_check(db, "r1") == 1
    labels.add_labels(db, [("r1", 1, make_label(Verdict.CONTRADICTED, 2)), ("r1", 1, make_label(None, 2, by="bob"))])
    assert answers.count_to_check(db, "r1") == 1  # a tie settles nothing
    labels.add_labels(db, [("r1", 1, make_label(None, 2, by="cid"))])
    assert answers.count_to_check(db, "r1") == 0
    assert listed() == []


def test_people_s_verdicts_change_what_harm_an_answer_can_do(db: Database) -> None:
    results_ = [make_result(Verdict.CONTRADICTED, Verdict.NOT_MENTIONED), make_result(Verdict.SUPPORTED)]
    store_run(db, [Sample(answer="a", key="a"), Sample(answer="b", key="b")], results_)
    given = [(1, 1, Verdict.SUPPORTED), (1, 2, Verdict.SUPPORTED), (2, 1, Verdict.CONTRADICTED)]
    for row, number, verdict in given:
        label = make_label(verdict, number)
        labels.add_labels(db, [("r1", row, label)])
    for view, keys in ((View.JUDGE, ["a", "b"]), (View.REVIEWED, ["b", "a"])):
        page = answers.list_answers(db, "r1", EVERYTHING, view=view, order=Order.HARM)
        assert [row.key for row in page.rows] == keys


def test_a_row_of_a_list_says_what_the_answer_is(filled: Database) -> None:
    page = answers.list_answers(filled, "r1", EVERYTHING, order=Order.FILE, limit=60)
    for number, row in enumerate(page.rows):
        result = JUDGED[number]
        sample = SAMPLES[number]
        assert (row.position, row.key, row.question, row.answer) == (
            number + 1,
            sample.key,
            sample.question,
            sample.answer,
        )
        assert row.segment == sample.segment
        assert row.state is (result.state if result else State.PENDING)
        assert row.faithfulness == (result.faithfulness if result else None)
        assert row.is_faithful is (result.is_faithful if result else None)
        assert row.error == (result.error if result else None)
        assert row.claims == {v: sum(c.verdict is v for c in result.claims) if result else 0 for v in Verdict}


def test_long_texts_are_cut_in_lists_only(db: Database) -> None:
    store_run(db, [Sample(answer="é" * 5000, question="q" * 5000)])
    (row,) = answers.list_answers(db, "r1", EVERYTHING).rows
    assert (row.answer, row.question) == ("é" * 240, "q" * 240)
    assert len(results.get_answer(db, "r1", "1").sample.answer) == 5000


def test_segments_are_those_of_the_run(filled: Database) -> None:
    assert answers.list_segments(filled, "r1") == ["Billing", "Übersee"]
    assert answers.list_segments(filled, "nope") == []


def _question(number: int) -> str:
    question = (SAMPLES[number].question or "").strip().casefold()
    return question or f"row {number}"


def _clusters(numbers: list[int]) -> list[Cluster]:
    scores: dict[str, list[float]] = {}
    for number in numbers:
        result = JUDGED[number]
        if result and result.state is State.JUDGED:
            scores.setdefault(_question(number), []).append(result.faithfulness or 0.0)
    return [Cluster(answers=len(each), total=sum(each)) for each in scores.values()]


def _unscored(numbers: list[int]) -> int:
    return sum((result := JUDGED[n]) is None or result.state is State.FAILED for n in numbers)


def test_figures_are_those_of_plain_python(filled: Database) -> None:
    summary = summarise(filled, runs.get_run(filled, "r1", now=NOW))
    everyone = list(range(60))
    states = [r.state if r else State.PENDING for r in JUDGED]
    claims = [c for r in JUDGED if r for c in r.claims]
    judged = [r for r in JUDGED if r and r.state is State.JUDGED]
    assert summary.rows == 60
    assert summary.states == {state.value: states.count(state) for state in State}
    assert summary.claims == {v.value: sum(c.verdict is v for c in claims) for v in Verdict}
    expected = run_score(_clusters(everyone), unscored=_unscored(everyone))
    for name in ("mean", "judged", "unscored"):
        assert getattr(summary.score, name) == pytest.approx(getattr(expected, name))
    for name in ("interval", "bounds"):
        found, wanted = getattr(summary.score, name), getattr(expected, name)
        assert (found.low, found.high) == pytest.approx((wanted.low, wanted.high))
    assert summary.weighted == pytest.approx(sum(r.faithfulness_weighted or 0 for r in judged) / len(judged))
    assert summary.faithful_rows == sum(bool(r.is_faithful) for r in judged)
    assert summary.hallucination_rate == pytest.approx(
        sum(c.verdict is not Verdict.SUPPORTED for c in claims) / len(claims)
    )
    assert summary.usage == Usage(
        llm_calls=sum(r is not None for r in JUDGED),
        cached_calls=sum(n % 2 for n in everyone if JUDGED[n]),
        prompt_tokens=sum(n for n in everyone if JUDGED[n]),
        completion_tokens=3 * sum(r is not None for r in JUDGED),
    )
    assert [s.segment for s in summary.segments] == ["Billing", "Übersee"]
    for segment in summary.segments:
        numbers = [n for n in everyone if SAMPLES[n].segment == segment.segment]
        wanted = run_score(_clusters(numbers), unscored=_unscored(numbers))
        assert segment.rows == len(numbers)
        assert segment.score.mean == pytest.approx(wanted.mean)
        assert (segment.score.judged, segment.score.unscored) == (wanted.judged, wanted.unscored)


def test_a_known_price_is_summed_and_an_unknown_one_is_not_zero(db: Database) -> None:
    known = make_result(Verdict.SUPPORTED, usage=Usage(cost_usd=0.25))
    store_run(db, [Sample(answer="a"), Sample(answer="b")], [known, make_result()])
    store_run(db, [Sample(answer="a")], [make_result(Verdict.SUPPORTED)], run=make_run("r2"))
    costs = [summarise(db, runs.get_run(db, i, now=NOW)).usage.cost_usd for i in ("r1", "r2")]
    assert costs == [0.25, None]


def test_kept_figures_are_those_that_were_computed_and_go_with_the_next_write(db: Database) -> None:
    rows = [Sample(answer="a", segment="s"), Sample(answer="b", segment="s"), Sample(answer="c")]
    run = store_run(db, rows, [make_result(Verdict.SUPPORTED), make_result(Verdict.CONTRADICTED)])
    computed = summarise(db, run)
    assert summaries.keep_summary(db, run) == computed
    assert summarise(db, run) == computed
    runs.take_run(db, "r1", worker=WORKER, now=NOW)
    results.save_results(db, "r1", [(3, rows[2], make_result(Verdict.SUPPORTED))], worker=WORKER, now=NOW, seconds=1.0)
    runs.finish_run(db, "r1", worker=WORKER, status=RunStatus.COMPLETE, now=NOW)
    after = summarise(db, runs.get_run(db, "r1", now=NOW))
    assert after.score.mean == pytest.approx(2 / 3)
    assert after.score.unscored == 0


def test_kept_figures_are_really_used(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    run = store_run(db, [Sample(answer="a")], [make_result(Verdict.SUPPORTED)])
    kept = summaries.keep_summary(db, run)

    def refuse(*_: object) -> None:
        raise AssertionError("computed again")

    monkeypatch.setattr(summaries, "_compute", refuse)
    assert summaries.summarise_runs(db, [run]) == [kept]


def test_a_reader_sees_one_state_of_the_store_throughout(db: Database, store_url: str) -> None:
    store_run(db, [Sample(answer="a")])
    other = open_database(store_url)
    with db.read() as connection:
        first = connection.exec_driver_sql("SELECT count(*) FROM run").scalar_one()
        store_run(other, [Sample(answer="a")], run=make_run("r2"))
        assert connection.exec_driver_sql("SELECT count(*) FROM run").scalar_one() == first
    other.close()
    assert runs.count_runs(db) == 2

"""What answers can have in common: every kind of property, its words, and what is left out."""

import random
from collections import Counter, defaultdict
from itertools import pairwise
from typing import Any

import pytest

from faithview.domain.answer import SliceDefinition, SliceKind
from faithview.judges.text.tokens import tokenize
from faithview.services.weak_spots.slices import Properties, Terms, asks, list_properties, naturalness, number_bands
from faithview.store.slices import AnswerFact, ChunkFact, CitationFact, ClaimFact
from faithview.wording.slices import plain_slice, slice_words


def _answer(at: int, **changes: Any) -> AnswerFact:
    fields: dict[str, Any] = {
        "sample_id": 100 + at, "position": at + 1, "segment": None, "cluster": str(at), "faithfulness": 1.0,
        "claims": 1, "question": None, "answer": "Yes.", "extra": {},
    }  # fmt: skip
    return AnswerFact(**{**fields, **changes})


def _inside(properties: Properties) -> dict[str, list[int]]:
    """Return the answers of each slice by its words, those that share a row included."""
    return {
        plain_slice(definition): properties.members[[number]].indices.tolist()
        for number, first in enumerate(properties.definitions)
        for definition in (first, *properties.same.get(number, ()))
    }


def test_every_kind_of_property_is_looked_at() -> None:
    half = range(10)
    answers = [
        _answer(
            at,
            segment="Billing" if at in half else "Other",
            claims=4 if at in half else 1,
            question="How many refunds can I get?" if at in half else "Where are my settings kept, please?",
            answer="Word. " * (30 if at in half else 5),
            extra={"plan": "Scale" if at in half else "Team", "ms": float(at), "id": f"u{at}", "tags": ["a"]},
        )
        for at in range(20)
    ]
    chunks = [
        ChunkFact(
            100 + at, position, f"kb-{at % 2}", position + 1, 9.0 - at / 10, {"title": f"T{at // 10}", "v": at // 10}
        )
        for at in range(20)
        for position in range(3 if at in half else 1)
    ]
    claims = [ClaimFact(100 + at, "The invoices are sent." if at in half else "It is so.") for at in range(20)]
    citations = [CitationFact(100 + at, 0, 2 if at in half else 0) for at in range(20)]
    inside = _inside(list_properties(answers, chunks, claims, citations))
    first, last = list(range(10)), list(range(10, 20))
    for words, expected in {
        "Segment “Billing”": first,
        "“plan” is “Scale”": first,
        "“ms” at most 9": first,
        "“ms” at least 10": last,
        "“T0” was retrieved": first,
        "A chunk with “v” “1” was retrieved": last,
        "A claim cites “T1”": last,
        "The question asks “how many”": first,
        "The question asks “where”": last,
        "“refunds” in the question": first,
        "“invoices” in a claim": first,
        "Answers with at least 4 claims": first,
        "Answers of at least 30 words": first,
        "Answers with at least 3 chunks": first,
        "A claim is based on a chunk at rank 3 or later": first,
    }.items():
        assert inside[words] == expected, words
    assert not [words for words in inside if "“u1”" in words or "tags" in words]


def test_what_is_rare_or_nearly_everywhere_is_no_slice() -> None:
    answers = [_answer(at, segment="Rare" if at < 7 else "Common") for at in range(40)]
    assert list_properties(answers, (), (), ()).definitions == ()
    assert list_properties((), (), (), ()).members.shape == (0, 0)


def test_the_same_answers_are_one_slice_under_its_most_natural_name() -> None:
    answers = [
        _answer(at, segment="A" if at < 10 else "B", extra={"team": "x" if at < 10 else "y"}) for at in range(20)
    ]
    properties = list_properties(answers, (), (), ())
    assert [definition.kind for definition in properties.definitions] == [SliceKind.SEGMENT] * 2
    assert properties.same[0] == (SliceDefinition(kind=SliceKind.COLUMN, field="team", value="x"),)
    assert naturalness(properties) == [0, 0]


def test_a_term_is_a_stem_or_two_in_a_row() -> None:
    terms = Terms()
    terms.add(0, ["A refunded yearly plan", "and refunds"])
    terms.add(1, ["Refunds for yearly plans"])
    terms.add(2, ["Yearly, plans; refunds"])
    found = dict(terms.frequent(fewest=1, limit=100))
    assert found["refunds"] == [0, 1, 2]
    assert found["yearly plan"] == [0, 1]
    assert not [term for term in found if term in ("a", "and", "for")]
    assert list(dict(terms.frequent(fewest=3, limit=9))) == ["yearly", "plans", "refunds"]


def test_terms_are_those_that_reading_text_by_text_finds() -> None:
    rng = random.Random(3)
    words = ["Refund", "refunds", "refunded", "plan", "Plans", "the", "of", "3", "14", "Noël", "noel", "东京", "e"]
    marks = [" ", " ", " ", "-", ", ", ". ", "  "]
    texts = [
        [
            "".join(rng.choice(words) + rng.choice(marks) for _ in range(rng.randint(0, 9)))
            for _ in range(rng.randint(0, 3))
        ]
        for _ in range(80)
    ]
    terms = Terms()
    answers: dict[str, set[int]] = defaultdict(set)
    forms: dict[str, Counter[str]] = defaultdict(Counter)
    for at, own in enumerate(texts):
        terms.add(at, own)
        for text in own:
            tokens = tokenize(text)
            pairs = [(a, b) for a, b in pairwise(tokens) if text[a.end : b.start] in (" ", "-")]
            for term in [*((token,) for token in tokens), *pairs]:
                if all(token.word.is_content for token in term):
                    stem = " ".join(token.word.stem for token in term)
                    answers[stem].add(at)
                    forms[stem][" ".join(token.word.lower for token in term)] += 1
    often = sorted((-len(inside), stem) for stem, inside in answers.items() if len(inside) >= 2)
    expected = [
        (min((-uses, form) for form, uses in forms[stem].items())[1], sorted(answers[stem])) for _, stem in often
    ]
    assert len(expected) > 10
    assert list(terms.frequent(fewest=2, limit=1_000)) == expected
    assert list(terms.frequent(fewest=2, limit=5)) == expected[:5]
    assert list(Terms().frequent(fewest=1, limit=5)) == []


@pytest.mark.parametrize(
    "column",
    ["label", "Labels", "gold_label", "is_hallucinated", "hallucination_type", "isCorrect", "judge score", "score",
     "faithful", "human verdict", "ground_truth_score", "passed", "annotation_1", "overall_rating"],
)  # fmt: skip
@pytest.mark.parametrize("values", [(0, 1), ("good", "bad"), (True, False)], ids=str)
def test_the_answer_key_is_no_property_and_is_named(column: str, values: tuple[Any, Any]) -> None:
    answers = [_answer(at, extra={column: values[at % 2], "plan": "AB"[at % 2]}) for at in range(40)]
    properties = list_properties(answers, (), (), ())
    assert properties.left_out == (column,)
    assert "“plan” is “A”" in _inside(properties)
    assert not [words for words in _inside(properties) if column in words]


@pytest.mark.parametrize(
    "column", ["ticket_label", "lead_score", "retrieval_score", "label_source", "plan", "quality_plan"]
)
def test_what_only_sounds_like_a_label_is_looked_at(column: str) -> None:
    properties = list_properties([_answer(at, extra={column: at % 2}) for at in range(40)], (), (), ())
    assert properties.left_out == ()
    assert f"“{column}” is “1”" in _inside(properties)


def test_another_tool_s_scores_of_the_answers_are_no_property() -> None:
    answers = [
        _answer(at, extra={"faithfulness": float(at % 2), "answer_relevancy": at / 20, "latency": float(at % 2)})
        for at in range(20)
    ]
    assert {words for words in _inside(list_properties(answers, [], [], [])) if words.startswith("“")} == {
        "“latency” is “0.0”",
        "“latency” is “1.0”",
    }


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How many seats, and when is it due?", {"how many", "when"}),
        ("Could I leave?", {"can"}),
        ("It fails. Why?", {"why"}),
        ("I know what I did.", set()),
        ("WHO IS IT", {"who"}),
    ],
)
def test_what_a_question_asks(question: str, expected: set[str]) -> None:
    assert asks(question) == expected


def test_bands_never_part_equal_numbers() -> None:
    values = dict(enumerate([1.0] * 10 + [2.0] * 5 + [7.0] * 5))
    bands = {plain_slice(d): inside for d, inside in number_bands(SliceKind.CLAIM_COUNT, values)}
    assert bands == {
        "Answers with at most 1 claim": list(range(10)),
        "Answers with at most 2 claims": list(range(15)),
        "Answers with at least 2 claims": list(range(10, 20)),
        "Answers with at least 7 claims": list(range(15, 20)),
    }
    assert dict(number_bands(SliceKind.CLAIM_COUNT, {0: 3.0, 1: 3.0})) == {}


def test_names_from_the_data_are_shown_as_they_are_and_cut() -> None:
    hostile = SliceDefinition(kind=SliceKind.SEGMENT, value="<b>*x*</b>\n" + "y" * 100)
    assert slice_words(hostile).startswith("Segment *\\<b\\>\\*x\\*\\<\\/b\\> yyy")
    assert plain_slice(hostile).endswith("…”")


def test_an_id_stands_for_its_definition() -> None:
    one = SliceDefinition(kind=SliceKind.COLUMN, field="plan", value="Scale")
    assert one.slice_id == SliceDefinition(kind=SliceKind.COLUMN, field="plan", value="Scale").slice_id
    assert one.slice_id != SliceDefinition(kind=SliceKind.COLUMN, field="plan", value="Team").slice_id

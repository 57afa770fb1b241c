"""Whatever the text: claims and evidence stand exactly where their spans say."""

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from faithview.domain.result import Result
from faithview.domain.sample import Sample
from faithview.domain.spans import Occurrences, span_at
from faithview.judges.lexical.judge import judge_sample
from faithview.judges.lexical.splitting.claims import split_answer
from faithview.judges.text.sentences import plain_lines, plain_words, tidy

# What breaks splitters: emoji with joiners, right-to-left text, control characters, markup, line ends, odd digits.
_PIECES = st.sampled_from(
    [
        "The sky is blue. ",
        "Dr. Smith paid $5.50. ",
        "He said: “No.” ",
        "e.g. this, i.e. that. ",
        "👩‍👩‍👧‍👦 smiled. ",
        "שלום עולם. ",
        "مرحبا بالعالم. ",
        "\u202eevil\u202c. ",
        "\x07\x1b[31m. ",
        "<script>alert(1)</script>. ",
        "**bold** _it_. ",
        "\r\n",
        "\n\n",
        "\u2028",
        "\x85",
        "- item one\n",
        "1. item two\n",
        "a; b, but c is d. ",
        "...",
        "?!",
        "½ of 3,000 m. ",
        "١٢٣ كم. ",
        "天空是蓝色的。",
        "3rd May 2021, 5 pm. ",
        "cafe\u0301. ",
        "ﬁne. ",
        "İstanbul. ",
        "ß. ",
        '{"a": false}',
        " ",
        "not ",
        "U.S. ",
        "A. ",
        "$x_1$ ",
        "`code` ",
        "| a | b |\n",
        "(passage 2). ",
        "10-12% ",
        "12:30 ",
        "1/0 ",
        "99/99/9999 ",
    ]
)
_TEXTS = st.one_of(
    st.lists(_PIECES, max_size=12).map("".join),
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=120),
)


def assert_spans_are_exact(sample: Sample, result: Result) -> None:
    chunks = {chunk.chunk_id: chunk.text for chunk in sample.chunks}
    split = split_answer(sample.answer, sample.question)
    for claim, statement in zip(result.claims, split.claims, strict=bool(result.claims)):
        (span,) = claim.spans
        assert (span.start, span.end) == (statement.start, statement.end)
        assert claim.text == (statement.stated or tidy(plain_words(plain_lines(sample.answer))[span.start : span.end]))
        assert span == span_at(sample.answer, span.start, span.end)
        assert claim.text.strip() == claim.text != ""
        for evidence in claim.evidence:
            assert evidence.span is not None
            assert evidence.span.of(chunks[evidence.chunk_id]) == evidence.quote
            assert evidence.span == span_at(chunks[evidence.chunk_id], evidence.span.start, evidence.span.end)
        assert {e.chunk_id for e in claim.evidence} == set(claim.supporting_chunk_ids)
        assert claim.support_score is not None
        assert claim.confidence is not None
        assert 0 <= claim.support_score <= 1
        assert 0 <= claim.confidence <= 1


@given(answer=_TEXTS, chunks=st.lists(_TEXTS, max_size=3), question=st.none() | _TEXTS)
@settings(max_examples=3 * settings().max_examples)
def test_spans_are_exact_for_any_text(answer: str, chunks: list[str], question: str | None) -> None:
    sample = Sample.of(answer, chunks, question=question)
    assert_spans_are_exact(sample, judge_sample(sample))


@given(text=_TEXTS)
@settings(max_examples=2 * settings().max_examples)
def test_spans_are_exact_when_the_chunk_is_the_answer(text: str) -> None:
    sample = Sample.of(text, [text])
    result = judge_sample(sample)
    assert_spans_are_exact(sample, result)
    assert result == judge_sample(sample)


@given(answer=_TEXTS)
@settings(max_examples=2 * settings().max_examples)
def test_claims_come_in_order_and_do_not_overlap(answer: str) -> None:
    claims = split_answer(answer).claims
    for one, following in pairwise(claims):
        assert one.end <= following.start


@given(text=st.text("ab .", min_size=1, max_size=60), cuts=st.lists(st.tuples(st.integers(0, 59), st.integers(1, 8))))
def test_occurrences_are_counted_as_the_domain_counts_them(text: str, cuts: list[tuple[int, int]]) -> None:
    occurrences = Occurrences(text)
    for start, length in cuts:
        if start + length <= len(text):
            assert occurrences.span_at(start, start + length) == span_at(text, start, start + length)


def test_repeated_sentences_get_the_right_occurrence() -> None:
    answer = "The sky is blue. Snow is white. The sky is blue. The sky is blue."
    result = judge_sample(Sample.of(answer, ["The sky is blue."]))
    assert [claim.spans[0].occurrence for claim in result.claims] == [0, 0, 1, 2]


def test_evidence_of_a_repeated_sentence_says_which_one_it_is() -> None:
    chunk = "The sky is blue. Snow is white. The sky is blue."
    sample = Sample.of("The sky is blue.", [chunk])
    assert_spans_are_exact(sample, judge_sample(sample))

"""The judge that marks words, with a model that marks the word "wrong"."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from faithview.domain.claim import Verdict, verify_claims
from faithview.domain.errors import JudgeFailed
from faithview.domain.result import Result
from faithview.domain.run import JudgeSpec
from faithview.domain.sample import Chunk, Sample
from faithview.judges.local.judge import marked_words
from faithview.judges.local.loading import token_model
from faithview.judges.local.models import Answered, Marked, TokenModel
from faithview.judges.local.networks import Encoded
from faithview.judges.local.options import read_options
from tests.judges.local.conftest import MakeModel, judge_once
from tests.judges.local.tiny_models import hand_set_marks, modernbert_marks

pytestmark = pytest.mark.torch


def _judge(name: str, sample: Sample, **options: str) -> Result:
    result = judge_once(name, sample, **options)
    assert verify_claims(result.claims, sample) == result.claims
    return result


def test_a_claim_is_judged_by_its_marked_words(model: MakeModel) -> None:
    sample = Sample(
        answer="The lake is deep. The old stone house is wrong in that year. It is wrong wrong wrong wrong.",
        question="How deep is the lake?",
        chunks=(Chunk(chunk_id="a", text="The weather was mild."), Chunk(chunk_id="b", text="The lake is deep.")),
    )
    result = _judge(f"lettucedetect:{model(hand_set_marks)}", sample)
    supported, partly, wrong = result.claims
    assert [claim.verdict for claim in result.claims] == [
        Verdict.SUPPORTED,
        Verdict.PARTIALLY_SUPPORTED,
        Verdict.NOT_MENTIONED,
    ]
    assert supported.supporting_chunk_ids == ("b",)
    assert [item.quote for item in supported.evidence] == ["The lake is deep."]
    assert [sample.answer[m.start : m.end] for m in partly.mismatches] == ["wrong"]
    assert partly.explanation == "No chunk supports “wrong”."
    assert [sample.answer[m.start : m.end] for m in wrong.mismatches] == ["wrong wrong wrong wrong"]
    assert wrong.support_score == result.answer_score
    assert wrong.support_score is not None
    assert wrong.support_score < 0.1
    assert result.warnings == ()


def test_marked_words_outside_claims_are_told(model: MakeModel) -> None:
    sample = Sample.of("# wrong\n\nThe lake is deep.", ["The lake is deep."])
    result = _judge(f"lettucedetect:{model(hand_set_marks)}", sample)
    assert [claim.verdict for claim in result.claims] == [Verdict.SUPPORTED]
    assert result.warnings == ("The model also marks words that belong to no claim: “wrong”.",)


def test_marks_are_widened_to_words_and_neighbours_joined() -> None:
    answer = "It opened in 1987, they say"
    tokens = [Marked(0, 2, 0.1), Marked(13, 15, 0.9), Marked(15, 17, 0.2), Marked(17, 18, 0.7), Marked(19, 23, 0.6)]
    assert [answer[a:b] for a, b in marked_words(answer, tokens)] == ["1987, they"]
    assert marked_words(answer, [Marked(3, 9, 0.49)]) == []


def test_the_prompt_is_that_of_the_models_training(model: MakeModel) -> None:
    loaded = token_model(read_options(JudgeSpec(name=f"lettucedetect:{model(modernbert_marks)}")))
    seen: list[Encoded] = []
    watched = _with(loaded, _Recorder(seen, loaded), limit=loaded.limit)
    watched.read([Answered("How deep?", "Very deep.", ("one {question}", "two {number}"))])
    watched.read([Answered(None, "Very deep.", ("one",))])
    asked = (
        "Briefly answer the following question:\nHow deep?\nBear in mind that your response should be strictly based "
        "on the following 2 passages:\npassage 1: one {question}\npassage 2: two {number}\nIn case the passages do not "
        "contain the necessary information to answer the question, please reply with: "
        '"Unable to answer based on given passages."\noutput:'
    )
    assert seen[0].tokens == loaded.texts.pair(asked, "Very deep.")[0]
    assert (
        seen[1].tokens == loaded.texts.pair("Summarize the following text:\npassage 1: one\noutput:", "Very deep.")[0]
    )


class _Recorder:
    def __init__(self, seen: list[Encoded], loaded: TokenModel) -> None:
        self._seen = seen
        self._loaded = loaded

    def run(self, inputs: Sequence[Encoded]) -> Any:
        self._seen.extend(inputs)
        return self._loaded.network.run(inputs)


class _SupportedBeside:
    """Marks every token, unless a word stands in the same input."""

    def __init__(self, word: int) -> None:
        self._word = word
        self.lengths: list[int] = []

    def run(self, inputs: Sequence[Encoded]) -> list[Any]:
        self.lengths += [len(given.tokens) for given in inputs]
        good, bad = (0.0, -9.0), (0.0, 9.0)
        return [np.array([good if self._word in given.tokens else bad] * len(given.tokens)) for given in inputs]


@pytest.mark.parametrize("at", [0, 7, 14], ids=["first", "in the middle", "last"])
def test_a_token_is_supported_where_any_group_of_chunks_supports_it(model: MakeModel, at: int) -> None:
    loaded = token_model(read_options(JudgeSpec(name=f"lettucedetect:{model(modernbert_marks)}")))
    network = _SupportedBeside(loaded.texts.ids("agrees")[0])
    chunks = tuple("The green hill agrees." if n == at else "The green hill is far away. " * 5 for n in range(15))
    marks = _with(loaded, network, limit=160).read([Answered("How deep?", "The lake is deep.", chunks)])[0]
    assert len(network.lengths) > 3
    assert max(network.lengths) <= 160
    assert [(mark.start, mark.end) for mark in marks] == [(0, 3), (4, 8), (9, 11), (12, 16), (16, 17)]
    assert all(mark.unsupported < 0.01 for mark in marks)
    marks = _with(loaded, network, limit=160).read([Answered("How?", "The lake.", ("The green hill. " * 90,))])[0]
    assert all(mark.unsupported > 0.99 for mark in marks)


def test_one_chunk_and_an_answer_longer_than_the_model_are_read_in_windows(model: MakeModel) -> None:
    loaded = token_model(read_options(JudgeSpec(name=f"lettucedetect:{model(modernbert_marks)}")))
    network = _SupportedBeside(loaded.texts.ids("agrees")[0])
    answer = "The lake is deep. " * 60
    chunk = "The green hill is far away. " * 60 + "It agrees."
    marks = _with(loaded, network, limit=200).read([Answered("How deep?", answer, (chunk,))])[0]
    assert max(network.lengths) <= 200
    assert len(marks) == 60 * 5
    assert all(mark.unsupported < 0.01 for mark in marks)


def test_a_question_that_fills_the_model_fails_and_says_so(model: MakeModel) -> None:
    loaded = token_model(read_options(JudgeSpec(name=f"lettucedetect:{model(modernbert_marks)}")))
    given = Answered("How deep? " * 80, "The lake is deep.", ("The green hill. " * 50,))
    with pytest.raises(JudgeFailed, match="leave no room for a chunk: the model reads at most 200 tokens at once"):
        _with(loaded, _SupportedBeside(0), limit=200).read([given])


def _with(loaded: TokenModel, network: Any, *, limit: int) -> TokenModel:
    return TokenModel(texts=loaded.texts, network=network, limit=limit)

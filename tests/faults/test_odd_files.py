"""A text too long to look at is looked at up to a stated limit."""

import pytest

from faithview.domain.sample import Chunk, Sample
from faithview.judges.lexical.splitting.claims import first_claims, split_answer
from faithview.judges.text.tokens import within_reach

pytestmark = pytest.mark.process  # takes long


def test_a_text_is_looked_at_up_to_a_stated_limit() -> None:
    text = "The sky is blue today. " * 86_956
    sample, warnings = within_reach(Sample.of(text, [Chunk(text="Short.", chunk_id="a"), Chunk(text=text)]))
    assert text.startswith(sample.answer)
    assert len(sample.answer) == 99_996
    assert [chunk.chunk_id for chunk in sample.chunks] == ["a", "2"]
    assert ["99,996" in warnings[0], "1,500,000" in warnings[1]] == [True, True]
    short = Sample.of("Short.", ["Short."])
    assert within_reach(short) == (short, ())


def test_claims_are_looked_at_up_to_a_stated_limit() -> None:
    split, warnings = first_claims(split_answer("It is blue. " * 5_001))
    assert len(split.claims) == 5_000
    assert warnings == ("The answer has 5,001 claims; it was not checked beyond the first 5,000.",)

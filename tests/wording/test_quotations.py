"""A correction is called a chunk's only where a chunk says it word for word; no cause speaks for a chunk."""

from faithview.domain.sample import Chunk
from faithview.wording.causes import CAUSE_WORDS
from faithview.wording.verdict_styles import correction_lead

_CHUNKS = (Chunk(chunk_id="kb-1", text="Inboxes are blue."), Chunk(chunk_id="kb-2", text="The cost was $300 in all."))


def test_a_sentence_of_a_chunk_is_said_by_that_chunk() -> None:
    assert correction_lead("The cost was  $300 in all.", _CHUNKS) == "Chunk kb-2 says: "


def test_a_sentence_that_no_chunk_has_is_the_judges_own() -> None:
    assert correction_lead("The cost was $3 x 100 units = $300.", _CHUNKS) == "Corrected by the judge: "
    assert correction_lead("Inboxes are blue.", ()) == "Corrected by the judge: "


def test_no_cause_quotes_anything() -> None:
    for words in CAUSE_WORDS.values():
        for text in (words.lost, words.won, words.because_lost, words.because_won, words.rule):
            assert not set(text) & set('“”"«»'), text

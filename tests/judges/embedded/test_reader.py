"""The packaged reader: deterministic, whole passages, probabilities, and what it was made for."""

import pytest

from faithview.judges.embedded.passages import ReaderInput
from faithview.judges.embedded.reader import MOST_TOKENS, OnnxReader, encode, packaged_reader, read_packaged


@pytest.fixture(scope="module")
def reader() -> OnnxReader:
    return packaged_reader()


def _input(claim: str, passages: str, asked: str = "") -> ReaderInput:
    return ReaderInput(claim=claim, asked=asked, passages=passages)


def test_probabilities_add_up_and_are_the_same_each_time_alone_or_among_others(reader: OnnxReader) -> None:
    one = _input("A device can be returned within 14 days.", "You can return a device within 14 days.")
    other = _input("Batteries can be returned.", "Batteries are excluded. " * 30)
    alone = reader.read([one])[0]
    assert alone.entailed + alone.neutral + alone.contradicted == pytest.approx(1, abs=2e-4)
    fresh = OnnxReader(*read_packaged())
    assert fresh.read([other, one, one])[1:] == [alone, alone]
    assert reader.read([one])[0] == alone


def test_no_inputs_are_no_readings(reader: OnnxReader) -> None:
    assert reader.read([]) == []


def test_long_passages_are_read_to_their_end_in_windows(reader: OnnxReader) -> None:
    from tokenizers import Tokenizer

    tokenizer: Tokenizer = reader.tokenizer
    passages = " ".join(f"word{number}" for number in range(700))
    windows = encode(tokenizer, _input("A claim.", passages, asked="A question?"))
    assert len(windows) > 2
    assert all(len(window.tokens) <= MOST_TOKENS for window in windows)
    expected = tokenizer.encode(passages, add_special_tokens=False).ids
    head = windows[0].sides.count(0)
    read = {token for window in windows for token in window.tokens[head:]}
    assert set(expected) <= read
    assert windows[-1].tokens[-2] == expected[-1]


def test_a_claim_longer_than_the_input_is_cut_and_its_passages_are_not(reader: OnnxReader) -> None:
    windows = encode(reader.tokenizer, _input("word " * 2000, "The passage is here."))
    assert len(windows) == 1
    assert len(windows[0].tokens) <= MOST_TOKENS
    assert reader.read([_input("word " * 2000, "The passage is here.")])


@pytest.mark.parametrize("text", ["", "\x00\ud7ff", "🙂" * 50, "<b>ignore previous instructions</b>"])
def test_any_text_is_read(reader: OnnxReader, text: str) -> None:
    (reading,) = reader.read([_input(text, text, text)])
    assert 0 <= reading.entailed <= 1
    assert all(0 <= start < end <= len(text) for start, end in reading.wrong)


def test_the_network_holds_no_notes_of_the_machine_that_exported_it() -> None:
    network, _ = read_packaged()
    assert b"stack_trace" not in network
    assert b'File "' not in network

"""Models that mark the words of an answer that its chunks do not support (LettuceDetect)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from faithview.domain.errors import JudgeFailed
from faithview.judges.local.networks import Encoded, Network, shares
from faithview.judges.local.pair_models import DIGITS
from faithview.judges.local.texts import Texts, windows
from faithview.judges.text.sentences import Range

# The prompts that the models were trained with, word for word (KRLabsOrg/LettuceDetect, lettucedetect/prompts).
_QUESTION_PROMPT = (
    "Briefly answer the following question:\n{question}\n"
    "Bear in mind that your response should be strictly based on the following {number} passages:\n{passages}\n"
    "In case the passages do not contain the necessary information to answer the question, please reply with: "
    '"Unable to answer based on given passages."\noutput:'
)
_SUMMARY_PROMPT = "Summarize the following text:\n{passages}\noutput:"

# Fewer tokens leave no room for a passage worth reading.
_LEAST_PASSAGE = 32

# The text around a passage in the prompt: "passage 12: " and the end of its line.
_AROUND_PASSAGE = 8


class Answered(NamedTuple):
    """An answer with its question and chunks."""

    question: str | None
    answer: str
    chunks: tuple[str, ...]


class Marked(NamedTuple):
    """A token `[start, end)` of an answer, and the probability in [0, 1] that no chunk supports it."""

    start: int
    end: int
    unsupported: float


@dataclass(frozen=True, slots=True, kw_only=True, weakref_slot=True)
class TokenModel:
    """A loaded model; `limit` is how many tokens prompt and answer have together at most."""

    texts: Texts
    network: Network
    limit: int

    def read(self, given: Sequence[Answered]) -> list[list[Marked]]:
        """Return the tokens of each answer with their probabilities, in their order.

        Chunks that do not fit into one prompt are read in groups, and a token counts as supported where any group
        supports it. (The authors' own code takes the worst group, which also marks text that the other groups support.)

        Raises:
            JudgeFailed: the question leaves no room for a passage.
        """
        inputs: list[Encoded] = []
        places: list[tuple[int, list[tuple[int, Range]]]] = []
        for number, one in enumerate(given):
            for encoded, tokens in self._inputs(one):
                inputs.append(encoded)
                places.append((number, tokens))
        found: list[dict[Range, float]] = [{} for _ in given]
        for (number, tokens), logits in zip(places, self.network.run(inputs), strict=True):
            chances = shares(logits)[:, 1]
            for at, place in tokens:
                chance = round(float(chances[at]), DIGITS)
                found[number][place] = min(chance, found[number].get(place, 1.0))
        return [[Marked(*place, chance) for place, chance in sorted(marks.items())] for marks in found]

    def _inputs(self, given: Answered) -> Iterator[tuple[Encoded, list[tuple[int, Range]]]]:
        """Yield the inputs of an answer, each with the numbers and places of the answer's tokens in it."""
        for start, end in windows(given.answer, self.texts.offsets, most=self.limit // 2):
            piece = given.answer[start:end]
            for passages in self._groups(given, piece):
                tokens, sides, places = self.texts.pair_with_places(_prompt(given.question, passages), piece)
                yield Encoded(tokens, sides), [(at, (start + a, start + b)) for at, (a, b) in places]

    def _groups(self, given: Answered, piece: str) -> Iterator[list[str]]:
        """Yield the passages of each prompt: all chunks if they fit, else as many windows of them as fit."""
        whole = [text for text in given.chunks if text.strip()]
        if self._length(given.question, whole, piece) <= self.limit:
            yield whole
            return
        room = self.limit - self._length(given.question, [""], piece)
        if room < _LEAST_PASSAGE:
            raise JudgeFailed(
                f"Question and answer leave no room for a chunk: the model reads at most {self.limit:,} tokens at once."
            )
        parts = [text[a:b] for text in whole for a, b in windows(text, self.texts.offsets, most=room - _AROUND_PASSAGE)]
        group: list[str] = []
        for part in parts:
            if group and self._length(given.question, [*group, part], piece) > self.limit:
                yield group
                group = []
            group.append(part)
        yield group

    def _length(self, question: str | None, passages: Sequence[str], piece: str) -> int:
        return len(self.texts.pair(_prompt(question, passages), piece)[0])


def _prompt(question: str | None, passages: Sequence[str]) -> str:
    listed = "\n".join(f"passage {number}: {text}" for number, text in enumerate(passages, start=1))
    if question is None or not question.strip():
        return _SUMMARY_PROMPT.replace("{passages}", listed)
    before, _, after = _QUESTION_PROMPT.partition("{passages}")
    return f"{before.replace('{number}', str(len(passages))).replace('{question}', question)}{listed}{after}"

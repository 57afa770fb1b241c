"""Models that read a claim with a passage, or mark the words of an answer that no chunk supports (LettuceDetect).

Their inputs, and the meaning of their outputs.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

from faithview.domain.errors import JudgeFailed, JudgeUnavailable
from faithview.judges.local.networks import Encoded, Logits, Network, shares
from faithview.judges.local.texts import Texts, halves, windows
from faithview.judges.text.sentences import Range

# An input's logits to the probabilities of support and of contradiction; None if the model knows no contradiction.
Meaning = Callable[[Logits], tuple[float, float | None]]

# Inputs that are in memory as token ids at a time, so a long answer over many chunks needs little memory.
MOST_INPUTS = 2048


class Opinion(NamedTuple):
    """A model's output for a claim and one passage `[start, end)` of a chunk.

    `supported` and `contradicted` are probabilities in [0, 1]; `contradicted` is None for a model that cannot tell
    a contradiction from silence.
    """

    chunk: int
    start: int
    end: int
    supported: float
    contradicted: float | None


class Question(NamedTuple):
    """The claims of an answer and the chunks to read each of them with."""

    claims: tuple[str, ...]
    chunks: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True, weakref_slot=True)
class PairModel:
    """A loaded model.

    `encode` makes one input of a passage and a claim, and `meaning` says what its logits mean. `window` is how many
    tokens of a chunk are read at a time, `limit` how many tokens an input can have; None for a network that takes any
    number.
    """

    texts: Texts
    network: Network
    encode: Callable[[str, str], Encoded]
    meaning: Meaning
    window: int
    limit: int | None

    def read(self, questions: Sequence[Question]) -> list[list[list[Opinion]]]:
        """Return for each question and each of its claims one opinion a passage, in the order of the chunks.

        A claim that leaves no room for a passage is read in parts, and there is then one opinion a chunk: it supports
        what it supports all parts of, and contradicts what it contradicts any part of.

        Raises:
            JudgeFailed: the model is too small for any passage, or the memory is.
        """
        parts = [[self._split_long_claim(claim) for claim in question.claims] for question in questions]
        found: list[list[list[list[Opinion]]]] = [[[[] for _ in of_claim] for of_claim in given] for given in parts]
        places: list[tuple[list[Opinion], int, Range]] = []
        inputs: list[Encoded] = []
        for question, claims, opinions in zip(questions, parts, found, strict=True):
            asked = list(zip(chain(*claims), chain(*opinions), strict=True))
            for number, text in enumerate(question.chunks):
                for window in windows(text, self.texts.offsets, most=self.window):
                    for claim, into in asked:
                        for place, encoded in self._inputs(text, window, claim):
                            places.append((into, number, place))
                            inputs.append(encoded)
                        if len(inputs) >= MOST_INPUTS:
                            self._run_inputs(places, inputs)
        self._run_inputs(places, inputs)
        return [[_joined(of_parts) for of_parts in of_question] for of_question in found]

    def _split_long_claim(self, claim: str) -> list[str]:
        """Return the claim, in parts of half the model's input where it has more tokens than that."""
        if self.limit is None or len(self.texts.ids(claim)) <= self.limit // 2:
            return [claim]
        return [claim[start:end] for start, end in windows(claim, self.texts.offsets, most=self.limit // 2)]

    def _inputs(self, text: str, window: Range, claim: str) -> list[tuple[Range, Encoded]]:
        """Return the inputs for one window: one, or more where the claim leaves too little room for all of it."""
        encoded = self.encode(text[window[0] : window[1]], claim)
        if self.limit is None or len(encoded.tokens) <= self.limit:
            return [(window, encoded)]
        parts = halves(text, window)
        if parts is None:
            raise JudgeFailed(f"The model takes {self.limit:,} tokens, too few for a claim and a passage.")
        return [given for part in parts if part[0] < part[1] for given in self._inputs(text, part, claim)]

    def _run_inputs(self, places: list[tuple[list[Opinion], int, Range]], inputs: list[Encoded]) -> None:
        """Run the collected inputs, store the results, and start again."""
        logits = self.network.run(inputs) if inputs else []
        for (into, number, (start, end)), row in zip(places, logits, strict=True):
            supported, contradicted = self.meaning(row)
            into.append(Opinion(number, start, end, supported, contradicted))
        places.clear()
        inputs.clear()


def _joined(parts: Sequence[list[Opinion]]) -> list[Opinion]:
    """Return the opinions about a claim from those about its parts."""
    if len(parts) == 1:
        return parts[0]
    joined = []
    for chunk in dict.fromkeys(opinion.chunk for opinion in parts[0]):
        here = [[opinion for opinion in part if opinion.chunk == chunk] for part in parts]
        denials = [opinion.contradicted for part in here for opinion in part if opinion.contradicted is not None]
        joined.append(
            Opinion(
                chunk=chunk,
                start=min(opinion.start for part in here for opinion in part),
                end=max(opinion.end for part in here for opinion in part),
                supported=min(max(opinion.supported for opinion in part) for part in here),
                contradicted=max(denials, default=None),
            )
        )
    return joined


# Labels by the beginnings of their names, as published models write them.
_NOT_ENTAILED = ("not_entail", "notentail", "non_entail", "not entail", "not-entail")
_ENTAILED = ("entail", "support")
_CONTRADICTED = ("contradict", "refute")
_NEUTRAL = ("neutral", "not enough", "not_enough", "nei")

# Probabilities are rounded, for processors differ in the last digits and so do batches.
DIGITS = 4


def label_order(model: str, id2label: Mapping[int, str], given: Sequence[str]) -> Meaning:
    """Return what turns a model's logits into the probabilities of support and of contradiction.

    `id2label` is the model's configuration, `given` the labels that the user named in its place. A model with two
    labels does not detect contradictions.

    Raises:
        JudgeUnavailable: the labels do not say which of them means support, or their number is another.
    """
    names = [str(name) for name in given] or [str(id2label[number]) for number in sorted(id2label)]
    if len(names) != len(id2label):
        raise JudgeUnavailable(
            f"The model {model!r} has {len(id2label)} labels, and the option labels names {len(names)}."
        )
    kinds = [_kind(name) for name in names]
    is_whole = kinds.count("entailed") == 1 and kinds.count("contradicted") <= 1
    if not is_whole or None in kinds or (len(kinds) > 2 and "contradicted" not in kinds):
        raise JudgeUnavailable(
            f"The labels of the model {model!r} do not say what they mean: {', '.join(names)}. Name them in their "
            "order: labels=contradiction,entailment,neutral."
        )
    entailed = kinds.index("entailed")
    contradicted = kinds.index("contradicted") if "contradicted" in kinds else None

    def meaning(logits: Logits) -> tuple[float, float | None]:
        found = shares(logits)
        denied = None if contradicted is None else round(float(found[contradicted]), DIGITS)
        return round(float(found[entailed]), DIGITS), denied

    return meaning


def _kind(name: str) -> str | None:
    folded = name.strip().casefold()
    if folded.startswith(_NOT_ENTAILED):
        return "rest"
    if folded.startswith(_ENTAILED):
        return "entailed"
    if folded.startswith(_CONTRADICTED):
        return "contradicted"
    return "rest" if folded.startswith(_NEUTRAL) else None


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

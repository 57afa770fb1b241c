"""The sentence that a claim nearly repeats, and the operator in which the two differ."""

from dataclasses import dataclass

from faithview.domain.claim import Verdict
from faithview.judges.lexical.retrieval.passage import Passage


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorDifference:
    """What a claim has at `claim_span` and the sentence that says nearly the same at `passage_span` of its chunk.

    Where only one side has such a word, the span of the other side is None. `verdict` is what the difference makes of
    the claim, and `family` names the kind of word.
    """

    family: str
    verdict: Verdict
    claim_span: tuple[int, int] | None
    passage_span: tuple[int, int] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class NearSentence:
    """A sentence of the chunks that says nearly the same as a claim.

    `closeness` is the share by weight of the claim's words that it has. `difference` is None where the two differ in no
    operator. `is_turned`: the two have words that turn a statement round, so that what one denies the other may
    say in another way. `is_in_short_text`: the chunks are so short that the claim is about this sentence.
    """

    passage: Passage
    closeness: float
    is_in_short_text: bool
    difference: OperatorDifference | None
    is_turned: bool

"""The embedded judge: rules and reader together."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from faithview.domain.result import Result, State
from faithview.domain.sample import Sample
from faithview.judges.embedded.combination import (
    Combination,
    Evidence,
    Strictness,
    entailed_odds,
    packaged_combination,
    text_figures,
    with_readings,
)
from faithview.judges.embedded.passages import PassageIndex, reader_input
from faithview.judges.embedded.reader import OnnxReader, Reading, packaged_reader
from faithview.judges.embedded.verdict import decide
from faithview.judges.lexical.analysis import Reading as Analysis
from faithview.judges.lexical.analysis import is_denied, read_answer, support_of
from faithview.judges.lexical.judge import anchored, as_read, judge_without_claims
from faithview.judges.lexical.scoring.model import Model, answer_figures, kind_of, packaged_model, weakest_claims
from faithview.judges.lexical.splitting.claims import SplitAnswer, first_claims, split_answer
from faithview.judges.lexical.verdicts.decide import Decision
from faithview.judges.parallel import ParallelJudge, SampleJudge
from faithview.judges.text.tokens import within_reach

NAME = "embedded"

# A new number whenever the code changes a verdict; the digests of rules, reader and combination follow it.
_RULES = "embedded/4"

# Claims of one answer. The reader takes a hundredth of a second for each, and no real answer has this many.
_MOST_READ = 250


class EmbeddedJudge:
    """Judges without a network or a key. It holds no state besides its models, so it may be shared."""

    def __init__(self, strictness: Strictness = Strictness.BALANCED) -> None:
        self._strictness = strictness

    @property
    def name(self) -> str:
        """Always "embedded"."""
        return NAME

    @property
    def fingerprint(self) -> str:
        """Version of the code, digests of the models and the strictness: equal ones give comparable runs."""
        parts = [_RULES, packaged_model().digest, packaged_reader().digest, packaged_combination().digest]
        return "+".join(parts) + ("" if self._strictness is Strictness.BALANCED else f"+{self._strictness}")

    async def judge(self, sample: Sample) -> Result:
        """Judge one answer (see `judge_sample`)."""
        return self.judge_now(sample)

    def judge_now(self, sample: Sample) -> Result:
        """Do what `judge` does, in any thread."""
        return judge_sample(sample, self._strictness)

    async def aclose(self) -> None:
        """Nothing to release."""


def parallel_judge(strictness: Strictness, workers: int) -> ParallelJudge:
    """Return the judge in several processes, each with models of its own."""
    return ParallelJudge(workers, EmbeddedJudge(strictness), partial(_judge_with, strictness))


def _judge_with(strictness: Strictness) -> SampleJudge:
    packaged_reader()
    return partial(judge_sample, strictness=strictness)


class GatheredEvidence(NamedTuple):
    """The findings of rules and reader in an answer: for each claim, and the rules' score of the whole.

    `wanted` is how many claims the rules wanted the reader to look at.
    """

    analysis: Analysis
    about: Mapping[str, float]
    claims: list[Evidence]
    rules_score: float
    wanted: int


def judge_sample(sample: Sample, strictness: Strictness = Strictness.BALANCED) -> Result:
    """Judge one answer: the same sample always gives the same result, to about four digits on another processor.

    Answers without text, context or claims get the states that the rules alone give them.
    """
    whole = sample
    sample, warnings = within_reach(whole)
    split, left_out = first_claims(split_answer(sample.answer, sample.question))
    plain = judge_without_claims(sample, split, judge=NAME)
    result = plain or _judge_claims(sample, split, strictness)
    is_cut = len(sample.answer) < len(whole.answer) or bool(left_out)
    return replace(result, warnings=(*warnings, *left_out, *result.warnings), is_cut=is_cut)


def _judge_claims(sample: Sample, split: SplitAnswer, strictness: Strictness) -> Result:
    combination = packaged_combination()
    known = gather(sample, split, packaged_model(), packaged_reader(), combination)
    support = [combination.support(evidence) for evidence in known.claims]
    answer_score = combination.answer_support(known.about, support, known.rules_score)
    # An answer that is hardly faithful as a whole has claims to be checked, and they are its weakest.
    kind = kind_of(len(support), is_record=known.analysis.context.is_record)
    is_doubtful = answer_score < combination.answer_cut(known.about, kind, strictness)
    weakest = weakest_claims(support) if is_doubtful else set[int]()
    # With one short text, or if it is copied, a claim is read closely enough; the whole answer adds nothing.
    near = {
        number
        for number, evidence in enumerate(known.claims)
        if evidence.comparison.is_near_in_short_text or evidence.comparison.is_verbatim
    }
    read = as_read(sample, split)
    decisions: list[Decision] = []
    for number, (evidence, value) in enumerate(zip(known.claims, support, strict=True)):
        cut = combination.cut(known.about, strictness, is_near=evidence.comparison.is_near_in_short_text)
        is_supported = value >= cut and (number in near or number not in weakest)
        decisions.append(
            decide(read, known.analysis.context, evidence, value, is_supported=is_supported, sure=combination.sure)
        )
    warnings = (
        (f"The reader looked at {_MOST_READ} of {known.wanted} claims; the rules alone judged the others.",)
        if known.wanted > _MOST_READ
        else ()
    )
    claims = anchored(sample, split, decisions)
    return Result(state=State.JUDGED, judge=NAME, claims=claims, answer_score=answer_score, warnings=warnings)


def gather(
    sample: Sample,
    split: SplitAnswer,
    rules: Model,
    reader: OnnxReader,
    combination: Combination,
    *,
    reads_all: bool = False,
) -> GatheredEvidence:
    """Return what rules and reader find about an answer, whose claims are split already.

    With `reads_all` the reader is asked about every claim but those of records, as fitting the combination needs it.
    """
    analysis = read_answer(sample, split)
    probabilities = rules.supports(analysis.view)
    is_record = analysis.context.is_record
    about = combination.about(text_figures(analysis.view, probabilities), is_record=is_record)
    asked = [
        number
        for number, (probability, comparison) in enumerate(zip(probabilities, analysis.comparisons, strict=True))
        if combination.needs_reading(about, probability, is_near=comparison.is_near_in_short_text)
        or (reads_all and not is_record)
    ]
    wanted = len(asked)
    asked = asked[:_MOST_READ]
    readings = dict(zip(asked, _read(sample, analysis, asked, reader), strict=True))
    about = with_readings(about, [entailed_odds(reading) for reading in readings.values()])
    support = [
        support_of(probability, in_conflict=is_denied(comparison))
        for comparison, probability in zip(analysis.comparisons, probabilities, strict=True)
    ]
    return GatheredEvidence(
        analysis=analysis,
        about=about,
        claims=[
            Evidence(probability=value, comparison=comparison, about=about, reading=readings.get(number))
            for number, (comparison, value) in enumerate(zip(analysis.comparisons, support, strict=True))
        ],
        rules_score=rules.answer_support(answer_figures(support, analysis.beside)),
        wanted=wanted,
    )


def _read(sample: Sample, analysis: Analysis, asked: Sequence[int], reader: OnnxReader) -> list[Reading]:
    if not asked:
        return []
    index = PassageIndex(sample.chunks, sample.question)
    comparisons = [analysis.comparisons[number] for number in asked]
    read = as_read(sample, analysis.split)
    return reader.read([reader_input(read, index, c.start, c.end) for c in comparisons])

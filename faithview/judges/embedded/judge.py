"""The embedded judge: from what rules and reader find to verdicts with reasons."""

import asyncio
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import NamedTuple

from faithview.domain.certainty import SURELY_SUPPORTED
from faithview.domain.claim import HallucinationType, Mismatch, Severity, Verdict
from faithview.domain.result import Result, State
from faithview.domain.sample import Sample
from faithview.judges.embedded.combination import (
    SURELY_ENTAILED,
    Combination,
    Evidence,
    Strictness,
    entailed_odds,
    is_decided_against,
    is_told_otherwise,
    packaged_combination,
    text_figures,
    with_readings,
)
from faithview.judges.embedded.passages import PassageIndex, reader_input
from faithview.judges.embedded.reader import OnnxReader, Reading, packaged_reader
from faithview.judges.embedded.wording import packaged_wording, wording_figures
from faithview.judges.lexical import verdicts as rules
from faithview.judges.lexical.analysis import Reading as Analysis
from faithview.judges.lexical.analysis import is_denied, read_answer, support_of
from faithview.judges.lexical.comparing.comparison import Comparison
from faithview.judges.lexical.judge import anchored, as_read, judge_without_claims
from faithview.judges.lexical.operators.pair import is_short
from faithview.judges.lexical.passages.index import Context
from faithview.judges.lexical.scoring.model import Cuts, Model, answer_figures, kind_of, packaged_model, weakest_claims
from faithview.judges.lexical.splitting.claims import SplitAnswer, first_claims, split_answer
from faithview.judges.lexical.verdicts import Decision
from faithview.judges.text.lexicon import word_set
from faithview.judges.text.sentences import Range
from faithview.judges.text.tokens import within_reach

# Below this probability no part of a claim is considered supported.
_UNSUPPORTED = 0.2

# The reader alone can call a claim contradicted only if its probability of support is below this.
_DENIED = 0.5

# For a claim whose words are in no chunk, apart from the question's: "Not straight away."
_NO_WORDS = "No chunk uses its words, but the chunks imply it."

_MOST_WORDS = 5

# If more than this share of a claim is marked, the whole claim is wrong, and no single words are named.
_MOST_MARKED = 0.6

# Stop words: marking only "the" helps no reader.
_TELL_NOTHING = word_set("""
    a an the this that these those it its he she they them him her their his i you we us your our there here
    of in on at by for with to from and or as is are was were be been being am has have had having do does did
    """)

_PUNCTUATION = " \t\n.,;:!?()[]*_\"'“”"


def decide(sample: Sample, context: Context, known: Evidence, support: float, *, is_supported: bool) -> Decision:
    """Decide on one claim whose probability is `support`; `is_supported` where that reaches the cut.

    A value or a name that no chunk has forbids "supported" unless the reader is sure that the claim follows, or the
    support is high where the reader leads: documentation is often retold in worked-out numbers. Where no chunk has any
    word of the claim, only the latter makes it supported. Where the
    claim is supported, a conflict that the rules found is ignored, because the reader has read both sides. Otherwise it
    is contradicted where the rules found a conflict or the reader sees the claim denied, and else partly supported or
    not mentioned, as the rules have it.
    """
    comparison, reading = known.comparison, known.reading
    # If the sentence says something else as well, the reader's verdict weighs more than a conflict.
    is_against = is_decided_against(comparison) or _is_denied_beside(context, known)
    is_supported = is_supported and _has_all_details(known, support) and not is_against
    if is_supported:
        comparison = replace(comparison, conflict=None, untold=None, missing_names=[], missing_values=[])
    # The rules cut at 0.5; below it their verdict depends on the words found.
    value = max(0.5, support) if is_supported else min(0.49, support)
    cuts = Cuts(supported=0.5, unsupported=_UNSUPPORTED, answer={})
    decision = rules.decide(sample, comparison, context, value, cuts, is_weak=False)
    confidence = support if is_supported else round(1 - support, 4)
    if comparison.is_decided_against and not is_supported:
        confidence = max(confidence, decision.confidence)  # nine in ten such claims are wrong, whatever their words
    decision = decision._replace(support=support, confidence=confidence)
    if is_supported:
        # Override the rules, which call a claim not mentioned if no chunk has a word of it.
        decision = decision._replace(verdict=Verdict.SUPPORTED, hallucination_type=None, severity=None, mismatches=())
        return decision._replace(explanation=_explain_support(sample, known, decision))
    if comparison.conflict is not None or comparison.untold is not None or reading is None:
        return decision
    return _by_reading(sample, known, decision, reading)


def _has_all_details(known: Evidence, support: float) -> bool:
    comparison, reading = known.comparison, known.reading
    if comparison.windows and not comparison.missing_names and not comparison.missing_values:
        return True
    if comparison.near is not None:
        return False  # a sentence that says nearly the same has no other word for a name or a number
    if reading is None:
        return False
    is_sure = reading.entailed >= SURELY_ENTAILED and bool(comparison.windows)
    return is_sure or is_told_otherwise(known.about, support)


def _is_denied_beside(context: Context, known: Evidence) -> bool:
    """Return whether the reader sees a claim denied by a short text in which no sentence is near enough to compare."""
    reading = known.reading
    if reading is None or known.comparison.near is not None or not is_short(context):
        return False
    return _denies(reading)


def _denies(reading: Reading) -> bool:
    return reading.contradicted > max(reading.neutral, reading.entailed)


def _by_reading(sample: Sample, known: Evidence, decision: Decision, reading: Reading) -> Decision:
    """Add the reader's findings to the decision: whether the claim is denied, and which of its words are wrong."""
    places = _doubted_words(sample, known.comparison, reading)
    doubted = _listed(list(dict.fromkeys(sample.answer[start:end] for start, end in places)))
    if places:
        decision = decision._replace(mismatches=tuple(Mismatch(start, end) for start, end in places))
    # If nothing of a claim is found anywhere, nothing contradicts it, even if the reader says so. A claim that is more
    # likely supported than not is only marked for checking.
    is_denied = _denies(reading) and decision.support < _DENIED
    if is_denied and decision.verdict is Verdict.PARTIALLY_SUPPORTED and decision.chunk_ids:
        return decision._replace(
            verdict=Verdict.CONTRADICTED,
            explanation=f"Chunk {decision.chunk_ids[0]} does not agree with {doubted or 'this'}.",
            hallucination_type=HallucinationType.CONTRADICTION,
            severity=Severity.HIGH,
        )
    if not doubted:
        return decision
    return decision._replace(explanation=f"{decision.explanation} Check {doubted}.")


def _explain_support(sample: Sample, known: Evidence, decision: Decision) -> str:
    missing = _missing(sample, known.comparison)
    if not known.comparison.windows:
        return _NO_WORDS
    if missing and known.reading is not None and decision.chunk_ids:
        return f"Chunk {decision.chunk_ids[0]} comes closest; no chunk has {missing}."
    text = decision.explanation
    if decision.support <= SURELY_SUPPORTED:  # to be checked, so nothing is said of it for certain
        text = text.replace(" says this.", " comes closest.")
    return f"{text} No chunk has {missing}." if missing and missing not in text else text


def _missing(sample: Sample, comparison: Comparison) -> str:
    """Return the values and names that no chunk has, and the heaviest of the words that no chunk has."""
    ranked = sorted(comparison.missing, key=lambda token: (-token.word.weight, token.start))[:_MOST_WORDS]
    details = [(value.start, value.end) for value in comparison.missing_values]
    details += [(name.start, name.end) for name in comparison.missing_names]
    words = [(t.start, t.end) for t in ranked if not any(a <= t.start < b for a, b in details)]
    return _listed(list(dict.fromkeys(sample.answer[start:end] for start, end in sorted([*details, *words]))))


def _doubted_words(sample: Sample, comparison: Comparison, reading: Reading) -> list[Range]:
    """Return the places of the answer's words that the reader marks, whole words each; word pieces end within words.

    Nothing if it marks nearly all of the claim, and nothing for single articles, pronouns and the like:
    that tells nothing.
    """
    places: list[Range] = []
    for start, end in reading.wrong[:_MOST_WORDS]:
        a, b = comparison.start + start, comparison.start + end
        while a > comparison.start and not sample.answer[a - 1].isspace():
            a -= 1
        while b < comparison.end and not sample.answer[b].isspace():
            b += 1
        text = sample.answer[a:b]
        a += len(text) - len(text.lstrip(_PUNCTUATION))
        b -= len(text) - len(text.rstrip(_PUNCTUATION))
        if a < b and (a, b) not in places and not _TELL_NOTHING.issuperset(sample.answer[a:b].lower().split()):
            places.append((a, b))
    marked = sum(b - a for a, b in places)
    return places if marked <= _MOST_MARKED * (comparison.end - comparison.start) else []


def _listed(words: list[str]) -> str:
    shown = [f"“{word}”" for word in words]
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}" if shown else ""


NAME = "embedded"

# A new number whenever the code changes a verdict; the digests of rules, reader, wording and combination follow it.
_RULES = "embedded/5"

# Claims of one answer. The reader takes a hundredth of a second for each, and no real answer has this many.
_MOST_READ = 250


class EmbeddedJudge:
    """Judges offline, without a key, in threads that share its models.

    The network runs without Python's lock, so two threads are faster than one on a machine with two cores.
    """

    def __init__(self, strictness: Strictness = Strictness.BALANCED, *, workers: int = 1) -> None:
        self._strictness = strictness
        self._threads = ThreadPoolExecutor(workers, thread_name_prefix="faithview-judge")

    @property
    def name(self) -> str:
        """Always "embedded"."""
        return NAME

    @property
    def fingerprint(self) -> str:
        """Version of the code, digests of the models and the strictness: equal ones give comparable runs."""
        models = (packaged_model(), packaged_reader(), packaged_wording(), packaged_combination())
        parts = [_RULES, *(model.digest for model in models)]
        return "+".join(parts) + ("" if self._strictness is Strictness.BALANCED else f"+{self._strictness}")

    async def judge(self, sample: Sample) -> Result:
        """Judge one answer in one of the threads (see `judge_sample`)."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, self.judge_now, sample)

    def judge_now(self, sample: Sample) -> Result:
        """Do what `judge` does, in the thread that calls."""
        return judge_sample(sample, self._strictness)

    async def aclose(self) -> None:
        """End the threads, each after the answer that it judges."""
        self._threads.shutdown(cancel_futures=True)


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
    # If the answer as a whole is probably not faithful, mark its weakest claims for checking.
    kind = kind_of(len(support), is_record=known.analysis.context.is_record)
    is_doubtful = answer_score < combination.answer_cut(known.about, kind, strictness)
    weakest = weakest_claims(support) if is_doubtful else set[int]()
    # Exempt claims near to one short text and verbatim ones: they were compared closely, and the answer adds nothing.
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
        decisions.append(decide(read, known.analysis.context, evidence, value, is_supported=is_supported))
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
    support = [
        support_of(probability, in_conflict=is_denied(comparison))
        for comparison, probability in zip(analysis.comparisons, probabilities, strict=True)
    ]
    index = PassageIndex(sample.chunks if asked else (), sample.question)
    readings = dict(zip(asked, _read_passages(sample, analysis, asked, index, reader), strict=True))
    wording = dict(zip(asked, _judge_wording(analysis, support, asked, index), strict=True))
    about = with_readings(about, [entailed_odds(reading) for reading in readings.values()])
    return GatheredEvidence(
        analysis=analysis,
        about=about,
        claims=[
            Evidence(
                probability=value,
                comparison=comparison,
                about=about,
                reading=readings.get(number),
                wording=wording.get(number, 0.0),
            )
            for number, (comparison, value) in enumerate(zip(analysis.comparisons, support, strict=True))
        ],
        rules_score=rules.answer_support(answer_figures(support, analysis.beside)),
        wanted=wanted,
    )


def _read_passages(
    sample: Sample, analysis: Analysis, asked: Sequence[int], index: PassageIndex, reader: OnnxReader
) -> list[Reading]:
    read = as_read(sample, analysis.split)
    comparisons = [analysis.comparisons[number] for number in asked]
    return reader.read([reader_input(read, index, c.start, c.end) for c in comparisons])


def _judge_wording(
    analysis: Analysis, support: Sequence[float], asked: Sequence[int], index: PassageIndex
) -> list[float]:
    if not asked:
        return []
    claims = [analysis.view.claims[number] for number in asked]
    figures = wording_figures(claims, analysis.view, [support[number] for number in asked], index)
    return packaged_wording().odds(figures)

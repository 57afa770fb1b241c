"""UpTrain: rows of `EvalLLM.evaluate`, with a score and an explanation for each check."""

import re
from dataclasses import dataclass, field, replace

from faithview.domain.claim import Claim, Verdict
from faithview.formats.files.tables import Table
from faithview.formats.limits import load_json
from faithview.formats.reading.reader import Judged, Match, Question, Reader, Row
from faithview.formats.reading.score_columns import by_columns
from faithview.formats.reading.values import (
    VERDICTS,
    all_claims,
    as_metric,
    as_object,
    as_verdict,
    make_claim,
    read_claims,
    text_of,
)
from faithview.formats.rows.cells import BadCell
from faithview.formats.rows.mapping import Mapping as ColumnMapping

_SCORE, _WHY = "score_", "explanation_"
_FACTS = "factual_accuracy"
# Columns of UpTrain's checks that no other tool has.
_CHECKS = frozenset(
    {
        _FACTS,
        "context_relevance",
        "context_conciseness",
        "context_reranking",
        "context_utilization",
        "response_completeness",
        "response_completeness_wrt_context",
        "response_conciseness",
        "response_consistency",
        "response_relevance",
        "valid_response",
    }
)
_UNCLEAR = {**VERDICTS, "unclear": Verdict.PARTIALLY_SUPPORTED}
# Explanations of older versions: a numbered fact, reasons for both, and a judgement, each on separate lines.
_FACT = re.compile(r"\s*(\d{1,9})\.\s*(\S.*)")
_JUDGEMENT = re.compile(r"\s*Judgement:\s*(\w*)[.:]?(.*)", re.IGNORECASE)
_JUDGEMENTS = {word: _UNCLEAR[word] for word in ("yes", "no", "unclear")}
_FENCE = re.compile(r"^\s*```(?:json)?|```\s*$")


def recognise(table: Table) -> Match | None:
    """Return a match if there is a check of UpTrain's with its score, else None."""
    columns = frozenset(table.columns)
    checks = sorted(check for check in _CHECKS if f"{_SCORE}{check}" in columns)
    if not checks or "response" not in columns:
        return None
    explained = [check for check in checks if f"{_WHY}{check}" in columns]
    column = f"{_SCORE}{_FACTS}"
    questions: tuple[Question, ...] = ()
    if _FACTS not in checks:
        listed = tuple(f"{_SCORE}{check}" for check in checks)
        why = "UpTrain's check of faithfulness, 'score_factual_accuracy', is not in the file."
        questions = (Question(field="score", candidates=listed, why=why),)
    return Match(
        score=0.97 if explained else 0.9,
        reasons=(f"The column '{_SCORE}{(explained or checks)[0]}' is that of an UpTrain check.",),
        mapping=ColumnMapping(
            question="question" if "question" in columns else None,
            answer="response",
            contexts=("context",) if "context" in columns else (),
            score=column if _FACTS in checks else None,
        ),
        questions=questions,
        has_results=True,
    )


def _judged(row: Row) -> Judged | None:
    column = row.mapping.score or row.mapping.hallucination or ""
    name = column.removeprefix(_SCORE)
    mapped = by_columns(row)
    score = mapped.score
    why = text_of(row.at(f"{_WHY}{name}"))
    metrics = _metrics(row, column)
    if score is None and not mapped.claims:
        return replace(mapped, error=mapped.error or "UpTrain could not score this answer.", metrics=metrics)
    claims, notes = _facts(why, row.sample.answer) if name == _FACTS and not mapped.claims else ((), ())
    reason = why if not claims else ""
    return replace(
        mapped, claims=claims or mapped.claims, notes=(*mapped.notes, *notes), reason=reason, metrics=metrics
    )


def _facts(text: str, answer: str) -> tuple[tuple[Claim, ...], tuple[str, ...]]:
    """Return the facts in an explanation: JSON with `Fact`, `Judgement` and optionally `Reasoning`, or older prose."""
    if not text.strip():
        return (), ()
    try:
        found = as_object(load_json(_FENCE.sub("", text.strip()))).get("Result")
    except ValueError:
        found = None
    if isinstance(found, list):
        items = [
            {"claim": item.get("Fact"), "verdict": item.get("Judgement"), "reason": item.get("Reasoning")}
            for item in map(as_object, found)
        ]
        return read_claims(
            [{**item, "claim": _unnumbered(item["claim"])} for item in items], answer=answer, words=_UNCLEAR
        )
    claims, notes = all_claims(_older_facts(text), lambda fact: _older_claim(fact, answer))
    if not claims and not notes:
        return (), ("UpTrain's facts cannot be read in its explanation, so only the score was used.",)
    return claims, notes


@dataclass(slots=True)
class _OlderFact:
    """A fact of an older explanation; `judgement` is the word after it with the rest of the line, if any."""

    number: int
    text: str
    reasons: list[str] = field(default_factory=list)
    judgement: tuple[str, str] | None = None


def _older_facts(text: str) -> list[_OlderFact]:
    """Return the facts in prose. A number within the reasons starts a fact only if it is the next fact's number."""
    facts: list[_OlderFact] = []
    for line in text.splitlines():
        last = facts[-1] if facts else None
        fact = _FACT.match(line)
        if fact and (last is None or last.judgement is not None or int(fact[1]) == last.number + 1):
            facts.append(_OlderFact(int(fact[1]), fact[2].strip()))
        elif last is not None and last.judgement is None:
            if judgement := _JUDGEMENT.match(line):
                last.judgement = (judgement[1], judgement[2])
            else:
                last.reasons.append(line)
    return facts


def _older_claim(fact: _OlderFact, answer: str) -> Claim:
    if fact.judgement is None:
        raise BadCell("it has no judgement")
    word, why = fact.judgement
    verdict = as_verdict(word, words=_JUDGEMENTS)
    return make_claim(fact.text, verdict, answer=answer, reason=" ".join(" ".join([*fact.reasons, why]).split()))


def _unnumbered(fact: object) -> str:
    return re.sub(r"^\s*\d+\.\s+", "", text_of(fact))


def _metrics(row: Row, column: str) -> dict[str, float]:
    found = {}
    for name in row.cells:
        if not name.startswith(_SCORE) or name == column:
            continue
        if (score := as_metric(row.at(name))) is not None:
            found[name.removeprefix(_SCORE)] = score
    return found


READER = Reader(name="uptrain", title="UpTrain", recognise=recognise, judged=_judged)

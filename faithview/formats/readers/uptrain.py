"""UpTrain: rows of `EvalLLM.evaluate`, with a score and an explanation for each check."""

import re
from dataclasses import replace

from faithview.domain.claim import Claim, Verdict
from faithview.formats.files.tables import Table
from faithview.formats.limits.json_value import load_json
from faithview.formats.reading.by_columns import by_columns
from faithview.formats.reading.judged import Judged
from faithview.formats.reading.match import Match, Question
from faithview.formats.reading.reader import Reader, Row
from faithview.formats.reading.values import VERDICTS, as_object, as_score, as_verdict, make_claim, read_claims, text_of
from faithview.formats.rows.cells import BadCell
from faithview.formats.rows.mapping import Mapping as ColumnMapping

_SCORE, _WHY = "score_", "explanation_"
_FACTS = "factual_accuracy"
# Checks of UpTrain that no other tool has a column for.
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
# Explanations of older versions: a numbered fact, reasons for both, and a judgement.
_FACT = re.compile(
    r"^\s*\d+\.\s*(?P<fact>.+?)\n(?P<reason>.*?)^\s*Judgement:\s*(?P<verdict>yes|no|unclear)\b[.:]?(?P<why>[^\n]*)",
    re.MULTILINE | re.DOTALL | re.IGNORECASE,
)
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
        reasons=(f"The column '{_SCORE}{(explained or checks)[0]}' is that of a check of UpTrain's.",),
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
    """Return the facts in an explanation: JSON with `Fact`, `Judgement` and maybe `Reasoning`, or older prose."""
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
    claims = tuple(
        make_claim(
            match["fact"].strip(),
            as_verdict(match["verdict"], words=_UNCLEAR),
            answer=answer,
            reason=" ".join(f"{match['reason']} {match['why']}".split()),
        )
        for match in _FACT.finditer(text)
    )
    return claims, () if claims else ("UpTrain's facts cannot be read in its explanation, so the score stands alone.",)


def _unnumbered(fact: object) -> str:
    return re.sub(r"^\s*\d+\.\s+", "", text_of(fact))


def _metrics(row: Row, column: str) -> dict[str, float]:
    found = {}
    for name in row.cells:
        if not name.startswith(_SCORE) or name == column:
            continue
        try:
            score = as_score(row.at(name))
        except BadCell:
            continue  # it stays an extra column, as it is
        if score is not None:
            found[name.removeprefix(_SCORE)] = score
    return found


READER = Reader(name="uptrain", title="UpTrain", recognise=recognise, judged=_judged)

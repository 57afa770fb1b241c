"""Fit how claims about documentation are worded when they are right and when they are wrong.

    python -m tests.training.fit_wording -o faithview/judges/embedded/wording.json

It is fitted to the answers that the reader is trained on, the part `fit` less the fifth that is kept aside and the
drills: every claim as it is, with its error put right, and with each trap sprung. It does not need the reader, so
another reader changes nothing of it.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from faithview.domain.sample import Chunk, Sample
from faithview.judges.embedded.passages import PassageIndex
from faithview.judges.embedded.wording import wording_figures
from faithview.judges.lexical.analysis import is_denied, read_answer, support_of
from faithview.judges.lexical.scoring.boosted_trees import Settings, fit_forest, fit_line
from faithview.judges.lexical.scoring.model import LEAF_STEP, packaged_model
from faithview.judges.lexical.splitting.claims import split_answer
from faithview.stats import judge_quality
from tests.helpdesk import DRILLS, Change, HelpdeskAnswer, Part, read_answers
from tests.training.reader_pairs import changed, is_kept_for_combining

_SETTINGS = Settings(trees=300, depth=5, rate=0.06, ridge=30.0, rows=0.7)
_LINE_SHARE = 0.3
# Wrong versions are written for nearly every right one; in use fewer claims are wrong.
_WRONG_SHARE = 0.3
# Single statements count less than claims of whole answers.
_DRILL_WEIGHT = 0.4

Row = tuple[dict[str, float], int]


def versions(answer: HelpdeskAnswer) -> Iterator[Row]:
    """Return the figures and labels of an answer's claims, and of those that differ in its other versions."""
    yield from _claims(answer, answer.answer, answer.errors, None)
    if answer.errors:
        text, places = changed(answer.answer, answer.errors)
        yield from _claims(answer, text, (), places)
    for trap in answer.traps:
        changes = sorted((*answer.errors, trap))
        text, places = changed(answer.answer, changes)
        place = places[changes.index(trap)]
        yield from _claims(answer, text, (Change(*place, "", trap.type),), [place])


def _claims(
    answer: HelpdeskAnswer, text: str, errors: Sequence[Change], only: Sequence[tuple[int, int]] | None
) -> Iterator[Row]:
    chunks = tuple(Chunk(chunk_id=str(number), text=chunk) for number, chunk in enumerate(answer.chunks, start=1))
    sample = Sample(answer=text, chunks=chunks, question=answer.question)
    split = split_answer(text, answer.question)
    if not split.claims:
        return
    reading = read_answer(sample, split)
    support = [
        support_of(value, in_conflict=is_denied(comparison))
        for value, comparison in zip(packaged_model().supports(reading.view), reading.comparisons, strict=True)
    ]
    rows = wording_figures(reading.view.claims, reading.view, support, PassageIndex(chunks, answer.question))
    for claim, row in zip(split.claims, rows, strict=True):
        if only is None or any((a < claim.end and b > claim.start) or a == b for a, b in only):
            yield row, int(not any(error.start < claim.end and error.end > claim.start for error in errors))


def main(arguments: Sequence[str] | None = None) -> int:
    """Fit, print the AUROC of claims of the answers that were left out, and write the document."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", type=Path, required=True)
    options = parser.parse_args(arguments)
    known = [a for a in read_answers() if a.part is Part.FIT and not is_kept_for_combining(a)]
    rows = [(row, 1.0) for answer in known for row in versions(answer)]
    rows += [(row, _DRILL_WEIGHT) for answer in read_answers(DRILLS) for row in versions(answer)]
    names = list(rows[0][0][0])
    table = np.array([[figures[name] for name in names] for (figures, _), _ in rows])
    labels = np.array([label for (_, label), _ in rows], dtype=np.float64)
    shares = np.where(labels == 0, _WRONG_SHARE / (labels == 0).sum(), (1 - _WRONG_SHARE) / (labels == 1).sum())
    weights = shares * len(labels) * np.array([weight for _, weight in rows])
    forest = fit_forest(table, labels, weights, _SETTINGS)
    line = fit_line(table, labels, weights, np.zeros(len(labels), dtype=np.int64))
    document: dict[str, Any] = {
        "features": names,
        "base": round(forest.base + _LINE_SHARE * line.intercept, 4),
        "line": [round(_LINE_SHARE * slope, 6) for slope in line.slopes],
        "trees": [
            {
                "questions": [list(question) for question in questions],
                "leaves": [round((1 - _LINE_SHARE) * leaf / LEAF_STEP) for leaf in leaves],
            }
            for questions, leaves in zip(forest.questions, forest.leaves, strict=True)
        ],
    }
    trees = ",\n".join(json.dumps(tree, separators=(",", ":")) for tree in document.pop("trees"))
    text = f'{json.dumps(document)[:-1]}, "trees": [\n{trees}\n]}}\n'
    options.output.write_text(text, encoding="utf-8")
    _measure(text.encode("utf-8"), len(labels), int((labels == 0).sum()))
    return 0


def _measure(content: bytes, claims: int, wrong: int) -> None:
    from faithview.judges.embedded.wording import WordingModel

    model = WordingModel(content)
    print(f"fitted to {claims} claims, {wrong} of them wrong")
    for part in (Part.FIT, Part.TUNE):
        answers = [a for a in read_answers() if a.part is part and (part is Part.TUNE or is_kept_for_combining(a))]
        rows = [row for answer in answers for row in _claims(answer, answer.answer, answer.errors, None)]
        odds = model.odds([figures for figures, _ in rows])
        auroc = judge_quality.auroc([label == 0 for _, label in rows], [-value for value in odds])
        print(f"claims of {part.value} that nothing was fitted to: AUROC {auroc:.3f} of {len(rows)}")


if __name__ == "__main__":
    sys.exit(main())

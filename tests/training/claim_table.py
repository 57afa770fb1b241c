"""What rules and reader find about every labelled claim, kept in a file: the table that the combination is fitted to.

    python -m tests.training.claim_table -o claims.json

Claims of files that the rules were fitted to are judged by trees that have not seen their document; the reader was
trained on half of RAGTruth's documents and on most help-desk answers of `Part.FIT`, which are left out.
"""

import argparse
import json
import random
import sys
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path

from faithview.domain.sample import Chunk, Sample
from faithview.formats.labelled import LabelledSample
from faithview.judges.embedded.combination import Combination, claim_figures, text_figures
from faithview.judges.embedded.judge import gather
from faithview.judges.embedded.reader import packaged_reader
from faithview.judges.lexical.scoring.model import answer_figures, packaged_model
from faithview.judges.lexical.splitting.claims import split_answer
from tests.helpdesk import FIRST_DOMAINS, HelpdeskAnswer, Part, read_answers
from tests.performance.first_pairs import read_pairs
from tests.performance.judge_quality import FITTED, judged_out_of_fold, read_rows
from tests.training.contrasts.plain import without_markup
from tests.training.reader_pairs import is_kept_for_combining

_MOST_ROWS = {"ragtruth": 500, "begin": 300, "summedits": 600}
_NEVER_FITTED = ("summedits", "bump", "records_kept_aside")

_MOST = 0.998

# Collecting the table needs a combination's interface and none of its numbers.
NOTHING = {"intercept": 0.0}
NO_LINES = {
    "lead": NOTHING,
    "read": dict.fromkeys(("documentation", "other", "near"), NOTHING),
    "unread": dict.fromkeys(("record", "text"), NOTHING),
    "answer": NOTHING,
}
OPEN = Combination(
    {
        **NO_LINES,
        "shifts": {},
        "cuts": {},
        "answer_cuts": {},
        "unsure": _MOST,
        "few": 1,
    },
    "open",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledAnswer:
    """An answer's claims: `known` is 1 for a supported claim, 0 for another and -1 where nobody said.

    `types` names the error of each claim, "" where it has none or it is not known. `unread` and `read` are the claims'
    figures without and with the reader's, `text` are those of the whole answer, and `rules_score` is what the rules
    alone give the answer. `is_plain`: the chunks are without their markup.
    """

    file: str
    part: str
    doc: str
    is_faithful: bool
    has_spans: bool
    is_record: bool
    known: list[int]
    types: list[str]
    texts: list[str]
    text: dict[str, float]
    is_plain: bool
    rules_score: float
    unread: list[dict[str, float]]
    read: list[dict[str, float]]

    @property
    def fold(self) -> int:
        """A number of the document, to be taken modulo the number of folds."""
        return zlib.crc32(self.doc.encode())


def read_table(path: Path) -> list[LabelledAnswer]:
    """Return the table that `main` wrote."""
    with path.open(encoding="utf-8") as lines:
        return [LabelledAnswer(**json.loads(line)) for line in lines]


def plain(sample: Sample) -> Sample:
    """Return a sample with its chunks' markup taken away."""
    chunks = tuple(replace(chunk, text=without_markup(chunk.text)) for chunk in sample.chunks)
    return replace(sample, chunks=chunks)


def first_pairs_table() -> Iterator[LabelledAnswer]:
    """Return the first pairs, each a document of its own."""
    for pair in read_pairs():
        sample = pair.sample()
        claims = split_answer(sample.answer, sample.question).claims
        if claims and (pair.is_right or len(claims) == 1):
            yield _answer(
                sample,
                file=f"first_pairs {pair.hand}",
                part="",
                doc=pair.id,
                is_faithful=pair.is_right,
                has_spans=False,
                known=[int(pair.is_right)] * len(claims),
                types=[""] * len(claims),
            )


def helpdesk_table() -> Iterator[LabelledAnswer]:
    """Return the help-desk answers of the parts that the reader was not trained on, with markup and without."""
    for answer in read_answers():
        if answer.part is Part.FIT and not is_kept_for_combining(answer):
            continue
        chunks = tuple(Chunk(chunk_id=str(number), text=text) for number, text in enumerate(answer.chunks, start=1))
        sample = Sample(answer=answer.answer, chunks=chunks, question=answer.question)
        yield from _of_helpdesk(answer, sample, is_plain=False)
        if (stripped := plain(sample)) != sample:
            yield from _of_helpdesk(answer, stripped, is_plain=True)


def _of_helpdesk(answer: HelpdeskAnswer, sample: Sample, *, is_plain: bool) -> Iterator[LabelledAnswer]:
    claims = split_answer(sample.answer, sample.question).claims
    if not claims:
        return
    hits = [
        [error.type for error in answer.errors if error.start < claim.end and error.end > claim.start]
        for claim in claims
    ]
    yield _answer(
        sample,
        file="helpdesk_first" if answer.domain in FIRST_DOMAINS else "helpdesk",
        part=answer.part,
        doc=f"{answer.domain}/{answer.doc}",
        is_faithful=not answer.errors,
        has_spans=True,
        known=[int(not hit) for hit in hits],
        types=[hit[0] if hit else "" for hit in hits],
        is_plain=is_plain,
    )


def bench_table(folder: Path) -> Iterator[LabelledAnswer]:
    """Return the answers of the labelled files in that folder, some of each large file."""
    judged = judged_out_of_fold(folder)
    for name in (*FITTED, *_NEVER_FITTED):
        rows = read_rows(name, folder)
        places = list(range(len(rows)))
        random.Random(7).shuffle(places)
        chosen = [at for at in places if not was_read(name, rows[at].doc)]
        for at in sorted(chosen[: _MOST_ROWS.get(name, len(rows))]):
            support = judged[name][at].support if name in judged else None
            yield from _labelled(name, rows[at], support)
            if name != "records" and (stripped := plain(rows[at].sample)) != rows[at].sample:
                yield from _labelled(name, replace(rows[at], sample=stripped), support, is_plain=True)


def was_read(name: str, doc: str) -> bool:
    """Return whether the reader was trained on that document's claims: half of RAGTruth's."""
    return name == "ragtruth" and zlib.crc32(doc.encode()) % 2 == 0


def _labelled(
    name: str, row: LabelledSample, support: Sequence[float] | None, *, is_plain: bool = False
) -> Iterator[LabelledAnswer]:
    claims = split_answer(row.sample.answer, row.sample.question).claims
    if not claims or not row.sample.has_context:
        return
    known = []
    for claim in claims:
        if row.label == 1:
            known.append(1)
        elif row.spans and row.claim is None:
            known.append(int(not any(s.start < claim.end and claim.start < s.end for s in row.spans)))
        else:
            known.append(0 if len(claims) == 1 else -1)
    yield _answer(
        row.sample,
        file=name,
        part="",
        doc=row.doc,
        is_faithful=row.label == 1,
        has_spans=row.spans is not None and row.claim is None,
        known=known,
        types=[""] * len(known),
        support=support,
        is_plain=is_plain,
    )


def _answer(
    sample: Sample, *, support: Sequence[float] | None = None, is_plain: bool = False, **facts: object
) -> LabelledAnswer:
    split = split_answer(sample.answer, sample.question)
    rules = packaged_model()
    found = gather(sample, split, rules, packaged_reader(), OPEN, reads_all=True)
    analysis = found.analysis
    values = [claim.probability for claim in found.claims] if support is None else support
    rows = [
        (value, claim.comparison, claim.reading, claim.wording)
        for value, claim in zip(values, found.claims, strict=True)
    ]
    return LabelledAnswer(
        **facts,  # type: ignore[arg-type]  # the callers' own fields
        is_record=analysis.context.is_record,
        is_plain=is_plain,
        texts=[sample.answer[claim.start : claim.end] for claim in split.claims],
        text=text_figures(analysis.view, values),
        rules_score=rules.answer_support(answer_figures(values, analysis.beside)),
        unread=[claim_figures(value, comparison, None) for value, comparison, *_ in rows],
        read=[claim_figures(*row) for row in rows],
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=Path(__file__).parents[3] / "shared" / "bench")
    parser.add_argument("--only", choices=("helpdesk", "bench", "pairs"), help="only these answers")
    parser.add_argument("-o", "--output", type=Path, required=True)
    options = parser.parse_args(arguments)
    tables: dict[str, Callable[[], Iterator[LabelledAnswer]]] = {
        "helpdesk": helpdesk_table,
        "bench": partial(bench_table, options.folder),
        "pairs": first_pairs_table,
    }
    with options.output.open("w", encoding="utf-8") as file:
        for name, table in tables.items():
            for answer in table() if options.only in (None, name) else ():
                file.write(json.dumps(asdict(answer)) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())

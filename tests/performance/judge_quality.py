"""What the embedded judge is worth on labelled files: out of fold, and on each by a fit without it. See README.md."""

import argparse
import hashlib
import json
import re
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from faithview.formats.labelled import LabelledSample
from faithview.judges import lexical
from faithview.services.dataset_files import open_dataset
from faithview.services.judge_quality import fit
from faithview.services.judge_quality.fit import (
    SETTINGS,
    Answer,
    Fitted,
    answer_figures,
    cross_validated,
    fit_pooling,
    odds_out_of_fold,
    read_answers,
    support_scores,
    write_model,
)
from faithview.stats import judge_quality
from tests.dashboard import ROOT
from tests.performance import tables

_FOLDER = ROOT.parent / "shared" / "bench"
FITTED = ("ragtruth", "wice", "refchecker_dolly", "factcheck_stance", "begin", "records")
_SHOWN_TOO = ("summedits", "bump", "records_kept_aside")
# These are the repository's own; the others are not in it.
_OWN = {name: ROOT / "tests" / "data" / f"{name}.jsonl" for name in ("records", "records_kept_aside")}
_WORD = re.compile(r"[^\W_]{3,}")


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedAnswer:
    """An answer's claims as a judge sees them: the support score of each in [0, 1], and whether it is supported."""

    support: tuple[float, ...]
    supported: tuple[bool, ...]


def main(arguments: Sequence[str] | None = None) -> int:
    """Fit, print the tables, and return 0; 2 where the labelled files are not there."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=_FOLDER, help="where the labelled files are")
    parser.add_argument("--write", type=Path, default=None, help="write the model that is fitted to all files here")
    parser.add_argument("--skip-held-out", action="store_true", help="leave the second table out, which takes longest")
    options = parser.parse_args(arguments)
    if not options.folder.exists():
        sys.stderr.write(f"No labelled files in {options.folder}; name their folder with --folder.\n")
        return 2
    rows = {name: read_rows(name, options.folder) for name in (*FITTED, *_SHOWN_TOO)}
    answers = {name: read_answers(labelled) for name, labelled in rows.items()}
    files = {name: answers[name] for name in FITTED}
    sys.stdout.write(f"{tables.machine()}\n")
    fitted, figures = cross_validated(files, SETTINGS)
    if options.write is not None:
        write_model(fitted, options.write)
    lines = [[name, len(rows[name]), *_cells(figures[name])] for name in FITTED]
    lines += [
        [f"{name} (never fitted)", len(rows[name]), *_cells(held_out(answers[name], fitted))] for name in _SHOWN_TOO
    ]
    columns = ["file", "rows", "claim AUROC", "answer AUROC", "balanced accuracy"]
    tables.show("Fitted to all files, each document judged by trees that have not seen it", columns, lines)
    if not options.skip_held_out:
        _show_held_out(rows, files)
    return 0


def _show_held_out(rows: dict[str, list[LabelledSample]], files: dict[str, list[Answer]]) -> None:
    lines: list[list[object]] = []
    for name in files:
        others = {other: answers for other, answers in files.items() if other != name}
        figures = held_out(files[name], cross_validated(others, SETTINGS)[0])
        actual = [row.label == 0 for row in rows[name]]
        simple = [
            judge_quality.auroc(actual, [-score(row) for row in rows[name]]) for score in (_words_found, _best_sentence)
        ]
        lines.append([name, len(rows[name]), *_cells(figures), *(_cell(value) for value in simple)])
    columns = [
        "file left out",
        "rows",
        "claim AUROC",
        "answer AUROC",
        "balanced accuracy",
        "AUROC of words found",
        "AUROC of best sentence",
    ]
    tables.show("Each file judged by a fit to the others, beside two simple scorers", columns, lines)


def judged_out_of_fold(folder: Path) -> dict[str, list[JudgedAnswer]]:
    """Return what the rules say of every row of the fitted files, by trees that have not seen its document.

    The fit takes minutes, so it is stored until a file or a rule changes.
    """
    digest = hashlib.sha256()
    sources = [*Path(lexical.__file__).parent.rglob("*.*"), *Path(fit.__file__).parent.glob("training*.py")]
    for source in [*(labelled_path(name, folder) for name in FITTED), *sorted(sources)]:
        if source.suffix != ".pyc":
            digest.update(source.read_bytes())
    cache = Path(tempfile.gettempdir()) / f"faithview-rules-out-of-fold-{digest.hexdigest()[:20]}.json"
    if not cache.exists():
        judged = _judge_out_of_fold({name: read_answers(read_rows(name, folder)) for name in FITTED})
        unfinished = cache.with_suffix(".part")
        unfinished.write_text(
            json.dumps({name: [asdict(answer) for answer in answers] for name, answers in judged.items()}),
            encoding="utf-8",
        )
        unfinished.replace(cache)
    stored = json.loads(cache.read_text(encoding="utf-8"))
    return {
        name: [JudgedAnswer(support=tuple(a["support"]), supported=tuple(a["supported"])) for a in answers]
        for name, answers in stored.items()
    }


def _judge_out_of_fold(files: dict[str, list[Answer]]) -> dict[str, list[JudgedAnswer]]:
    """Judge every answer by trees that have not seen its document; the pooling and the cuts have, as in the fit."""
    odds = odds_out_of_fold(files)
    shift, pooling = fit_pooling(files, odds)
    judged: dict[str, list[JudgedAnswer]] = {}
    for name, answers in files.items():
        support = [support_scores(a, o + shift) for a, o in zip(answers, odds[name], strict=True)]
        judged[name] = [
            JudgedAnswer(support=tuple(scores), supported=tuple(pooling.supported(answer, scores)))
            for answer, scores in zip(answers, support, strict=True)
        ]
    return judged


def held_out(answers: Sequence[Answer], fitted: Fitted) -> dict[str, float | None]:
    """Return the figures of answers that the fit has not seen."""
    return answer_figures(answers, [fitted.support(answer) for answer in answers], fitted.pooling)


def labelled_path(name: str, folder: Path) -> Path:
    """Return where a labelled file is: in the repository, or in the folder of the others."""
    return _OWN.get(name, folder / f"{name}.jsonl.gz")


def read_rows(name: str, folder: Path) -> list[LabelledSample]:
    """Return the rows of a labelled file."""
    return open_dataset(labelled_path(name, folder)).read_labelled()[0]


def _words_found(row: LabelledSample) -> float:
    """Return the share of the answer's words of three letters and more that stand in a chunk."""
    known = {word for chunk in row.sample.chunks for word in _WORD.findall(chunk.text.lower())}
    return _share(row, known)


def _best_sentence(row: LabelledSample) -> float:
    """Return the largest share of the answer's words that one sentence of the chunks holds."""
    sentences = (sentence for chunk in row.sample.chunks for sentence in re.split(r"(?<=[.!?])\s|\n", chunk.text))
    return max((_share(row, set(_WORD.findall(sentence.lower()))) for sentence in sentences), default=0.0)


def _share(row: LabelledSample, known: set[str]) -> float:
    words = _WORD.findall(row.sample.answer.lower())
    return sum(word in known for word in words) / len(words) if words else 1.0


def _cells(figures: dict[str, float | None]) -> list[object]:
    return [_cell(figures[name]) for name in ("claim_auroc", "auroc", "balanced_accuracy")]


def _cell(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


if __name__ == "__main__":
    sys.exit(main())

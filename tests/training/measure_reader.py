"""What a trained reader is worth on the help-desk answers it has not seen, beside the rules.

    python -m tests.training.measure_reader reader.pt --start WEIGHTS

A claim is ranked by the reader's chance that its passages entail it, and by the support score of the judge `lexical`;
an answer by its weakest claim. Answers without claims are left out.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import torch
from tokenizers import Tokenizer

from faithview.domain.sample import Sample
from faithview.judges.lexical.judge import judge_sample
from faithview.stats import classification
from tests.helpdesk import FIRST_DOMAINS, HelpdeskAnswer, Part, read_answers
from tests.performance import tables
from tests.training.network import Reader
from tests.training.reader_pairs import Pair, helpdesk_pairs
from tests.training.train_reader import encode, predict


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("weights", type=Path)
    parser.add_argument("--start", type=Path, required=True, help="folder of the weights that training started from")
    options = parser.parse_args(arguments)
    reader = Reader()
    reader.load_state_dict(torch.load(options.weights))
    tokenizer = Tokenizer.from_file(str(options.start / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    answers = read_answers()
    sets = {
        "the first 160": [a for a in answers if a.domain in FIRST_DOMAINS],
        "others of the end": [a for a in answers if a.part is Part.END and a.domain not in FIRST_DOMAINS],
        "tune": [a for a in answers if a.part is Part.TUNE],
    }
    rows = [[name, *_figures(part, reader, tokenizer)] for name, part in sets.items()]
    tables.show(
        "AUROC on help-desk answers that the reader has not seen",
        ["answers", "claims", "claims: rules", "claims: reader", "answers: rules", "answers: reader"],
        rows,
    )
    return 0


def _figures(answers: Sequence[HelpdeskAnswer], reader: Reader, tokenizer: Tokenizer) -> list[str]:
    pairs: list[Pair] = []
    rules: list[float] = []
    sizes: list[int] = []
    wrong_answers: list[bool] = []
    for answer in answers:
        own = list(helpdesk_pairs([answer], versions=False))
        result = judge_sample(Sample.of(answer.answer, list(answer.chunks), question=answer.question))
        if len(own) != len(result.claims) or not own:
            continue
        pairs += own
        rules += [claim.support_score or 0.0 for claim in result.claims]
        sizes.append(len(own))
        wrong_answers.append(bool(answer.errors))
    read = predict(reader, [encode(tokenizer, pair) for pair in pairs])[:, 0].tolist()
    wrong = [pair.label != "entailed" for pair in pairs]
    return [
        str(len(pairs)),
        *(f"{classification.auroc(wrong, [-v for v in scores]):.3f}" for scores in (rules, read)),
        *(
            f"{classification.auroc(wrong_answers, [-v for v in _lowest(scores, sizes)]):.3f}"
            for scores in (rules, read)
        ),
    ]


def _lowest(scores: Sequence[float], sizes: Sequence[int]) -> list[float]:
    rest = iter(scores)
    return [min(next(rest) for _ in range(size)) for size in sizes]


if __name__ == "__main__":
    sys.exit(main())

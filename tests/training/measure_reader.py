"""What a trained reader is worth on the help-desk answers it has not seen, beside the rules.

    python -m tests.training.measure_reader reader.pt --start WEIGHTS
    python -m tests.training.measure_reader "0.5*late.pt" "0.5*before.pt" --start WEIGHTS --tune -o mean.pt
    python -m tests.training.measure_reader reader.onnx --start WEIGHTS --tune

A claim is ranked by the reader's chance that its passages entail it, and by the support score of the judge `lexical`;
an answer by its weakest claim. Answers without claims are left out. With `--tune` only the part `tune` is measured: a
reader is chosen by it alone. Also printed is the share of sentences that the reader believes beside the chunk that has
them: what is trained on reworded claims may stop to believe copies. A file `.onnx` is an exported reader, which rounds
as it does in the product.
"""

import argparse
import random
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import onnxruntime
import torch
from tokenizers import Tokenizer
from torch import Tensor

from faithview.domain.sample import Sample
from faithview.judges.embedded.passages import PassageIndex, reader_input
from faithview.judges.lexical.judge import judge_sample
from faithview.judges.text.sentences import split_sentences_quickly
from faithview.stats import judge_quality
from tests.helpdesk import FIRST_DOMAINS, HelpdeskAnswer, Part, read_answers
from tests.performance import tables
from tests.training.network import Reader
from tests.training.reader_pairs import Pair, helpdesk_pairs
from tests.training.train_reader import Encoded, encode, predict

# Returns the classes' probabilities of encoded pairs, shape (rows, 3).
Predict = Callable[[Sequence[Encoded]], np.ndarray]

_COPIES, _SHORTEST = 200, 40


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("weights", nargs="+", help="a file, or several as SHARE*FILE, whose weighted mean is measured")
    parser.add_argument("--tune", action="store_true", help="measure only on the part tune")
    parser.add_argument("-o", "--output", type=Path, help="where to write the mean")
    parser.add_argument("--start", type=Path, required=True, help="folder of the weights that training started from")
    options = parser.parse_args(arguments)
    predicted = _exported(options.weights[0]) if options.weights[0].endswith(".onnx") else _mean(options)
    tokenizer = Tokenizer.from_file(str(options.start / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    answers = read_answers()
    tune = [a for a in answers if a.part is Part.TUNE]
    ends = {
        "the first 160": [a for a in answers if a.domain in FIRST_DOMAINS],
        "others of the end": [a for a in answers if a.part is Part.END and a.domain not in FIRST_DOMAINS],
    }
    sets = {"tune": tune} if options.tune else {**ends, "tune": tune}
    rows = [[name, *_figures(part, predicted, tokenizer)] for name, part in sets.items()]
    tables.show(
        "AUROC on help-desk answers that the reader has not seen",
        ["answers", "claims", "claims: rules", "claims: reader", "answers: rules", "answers: reader"],
        rows,
    )
    copies = [encode(tokenizer, pair) for pair in copied_sentences(tune)]
    print(f"copies believed: {(predicted(copies)[:, 0] > 0.5).mean():.0%} of {len(copies)}")
    return 0


def _mean(options: argparse.Namespace) -> Predict:
    reader = Reader()
    reader.load_state_dict(mean_of(options.weights))
    if options.output:
        torch.save(reader.state_dict(), options.output)
    return lambda rows: predict(reader, rows)


def _exported(file: str) -> Predict:
    session = onnxruntime.InferenceSession(file, providers=["CPUExecutionProvider"])

    def run(row: Encoded) -> np.ndarray:
        # By itself, as the product does: in 8 bits the scales of a batch depend on what else is in it.
        tokens, sides = (np.array([part], dtype=np.int64) for part in (row.tokens, row.sides))
        classes = session.run(["classes"], {"tokens": tokens, "sides": sides, "mask": np.ones_like(tokens)})[0][0]
        shares = np.exp(classes - classes.max())
        found: np.ndarray = shares / shares.sum()
        return found

    return lambda rows: np.array([run(row) for row in rows])


def mean_of(weights: Sequence[str]) -> dict[str, Tensor]:
    """Return the weighted mean of files of weights, each given as "FILE" or "SHARE*FILE"."""
    parts = [(float(share or 1), torch.load(file)) for share, _, file in (given.rpartition("*") for given in weights)]
    total = sum(share for share, _ in parts)
    return {name: sum(share * part[name].float() for share, part in parts) / total for name in parts[0][1]}


def copied_sentences(answers: Sequence[HelpdeskAnswer]) -> list[Pair]:
    """Return sentences of the answers' chunks, each beside the chunk that has it; some of them, always the same."""
    found: list[tuple[str, str]] = []
    for chunk in dict.fromkeys(chunk for answer in answers for chunk in answer.chunks):
        for line in chunk.split("\n"):
            sentences = (line[start:end].strip() for start, end in split_sentences_quickly(line, 0, len(line)))
            found += [
                (chunk, text) for text in sentences if len(text) > _SHORTEST and text[-1] == "." and "|" not in text
            ]
    pairs = []
    for chunk, text in random.Random(3).sample(found, min(_COPIES, len(found))):
        sample = Sample.of(text, [chunk])
        shown = reader_input(sample, PassageIndex(sample.chunks, ""), 0, len(text))
        pairs.append(Pair(claim=shown.claim, asked=shown.asked, passages=shown.passages, label="entailed"))
    return pairs


def _figures(answers: Sequence[HelpdeskAnswer], predicted: Predict, tokenizer: Tokenizer) -> list[str]:
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
    read = predicted([encode(tokenizer, pair) for pair in pairs])[:, 0].tolist()
    wrong = [pair.label != "entailed" for pair in pairs]
    return [
        str(len(pairs)),
        *(f"{judge_quality.auroc(wrong, [-v for v in scores]):.3f}" for scores in (rules, read)),
        *(
            f"{judge_quality.auroc(wrong_answers, [-v for v in _lowest(scores, sizes)]):.3f}"
            for scores in (rules, read)
        ),
    ]


def _lowest(scores: Sequence[float], sizes: Sequence[int]) -> list[float]:
    rest = iter(scores)
    return [min(next(rest) for _ in range(size)) for size in sizes]


if __name__ == "__main__":
    sys.exit(main())

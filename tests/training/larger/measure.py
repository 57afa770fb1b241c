"""What the larger reader is worth by itself: the AUROC of its chance that passages entail a statement.

    python -m tests.training.larger.measure STATE --start all-mpnet-base-v2 --written tests/data/pairs

`STATE` is a folder of `train`, or files of weights, whose mean is measured (and written with `-o`). Samples are drawn
by a fixed seed; `--whole` takes everything. *Turned* is the share of statements with another label beside the twin that
the reader ranks right: no statement gives that away by itself.
"""

import argparse
import random
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import save_file
from scipy.stats import rankdata
from tokenizers import Tokenizer

from tests.helpdesk import Part, read_answers
from tests.training.larger import network
from tests.training.larger.pairs import TRAINED_HANDS, Group, Row, encode, first_pairs, written_groups
from tests.training.measure_reader import copied_sentences
from tests.training.reader_pairs import Pair, helpdesk_pairs
from tests.training.train_reader import stacked

_HANDS = "abcde"
_TOKENS_A_BATCH = 4096
_STATEMENTS = 150
_SEED = 0


def predict(reader: network.Reader, rows: Sequence[Row]) -> np.ndarray:
    """Return the chance that each row is entailed."""
    order = sorted(range(len(rows)), key=lambda at: len(rows[at].tokens))
    found = np.zeros(len(rows))
    reader.eval()
    with torch.inference_mode(), network.precision():
        while order:
            size = max(1, _TOKENS_A_BATCH // len(rows[order[-1]].tokens))
            part, order = order[-size:], order[:-size]
            tokens, _, mask, _ = stacked([rows[at] for at in part])
            classes, _ = reader(tokens.masked_fill(mask == 0, network.PADDING), mask, first=1)
            found[part] = torch.softmax(classes.float(), dim=1)[:, 0].numpy()
    return found


def auroc(chances: np.ndarray, rows: Sequence[Row]) -> float:
    """Return how well entailed rows are told from the others."""
    right = np.array([row.label == 0 for row in rows])
    count = right.sum()
    ranks = rankdata(chances)
    return float((ranks[right].sum() - count * (count + 1) / 2) / max(1, count * (len(rows) - count)))


def aside_figures(
    reader: network.Reader, tokenizer: Tokenizer, groups: Sequence[Group], most: int | None
) -> list[tuple[str, float, int]]:
    """Return AUROC and *turned* on at most so many statements of the kept-aside groups, each beside both premises."""
    twinned = [group for group in groups if group.is_aside and len(group.sides) > 1]
    found = []
    for name, chosen in (("all", twinned), ("of 100 words and more", [group for group in twinned if group.is_long])):
        # The pairs of a group come side by side: those beside its premise, then those beside the twin.
        both = [two for group in chosen for two in _beside_both(group)]
        if most and most < len(both):
            both = random.Random(_SEED).sample(both, most)
        rows = [encode(tokenizer, pair) for two in both for pair in two]
        chances = predict(reader, rows)
        found.append((f"kept-aside groups with twins, {name}", auroc(chances, rows), len(rows)))
        turned = [
            (chances[at] > chances[at + 1]) == (rows[at].label == 0)
            for at in range(0, len(rows), 2)
            if (rows[at].label == 0) != (rows[at + 1].label == 0)
        ]
        found.append((f"the same, turned, {name}", float(np.mean(turned)), len(turned)))
    return found


def _beside_both(group: Group) -> list[tuple[Pair, Pair]]:
    pairs = list(group.pairs())
    half = len(pairs) // 2
    return list(zip(pairs[:half], pairs[half:], strict=True))


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("weights", type=Path, nargs="+", help="a folder of training, or files whose mean is measured")
    parser.add_argument("--start", type=Path, required=True, help="folder of all-mpnet-base-v2")
    parser.add_argument("--written", type=Path, nargs="+", required=True, help="folders of written groups")
    parser.add_argument("--characters", type=int, nargs="+", default=[500], help="of passages, for the help desk")
    parser.add_argument("--asked", action="store_true", help="show help-desk questions too")
    parser.add_argument("--whole", action="store_true", help="measure on all groups, not on a sample")
    parser.add_argument("-o", "--output", type=Path, help="where to write the mean")
    options = parser.parse_args(arguments)
    torch.set_num_threads(2)
    files = [path / "weights.safetensors" if path.is_dir() else path for path in options.weights]
    reader = network.read(options.start, files)
    tokenizer = network.tokenizer(options.start)
    if options.output:
        save_file(network.own_weights(reader), str(options.output))

    def show(name: str, value: float, count: int) -> None:
        print(f"{name:55} {value:.3f} ({count:,})", flush=True)

    for figure in aside_figures(
        reader, tokenizer, written_groups(options.written), None if options.whole else _STATEMENTS
    ):
        show(*figure)
    for hand in _HANDS:
        rows = [encode(tokenizer, pair) for pair in first_pairs(hand)]
        name = f"first pairs {hand}{' (trained on)' if hand in TRAINED_HANDS else ''}"
        show(name, auroc(predict(reader, rows), rows), len(rows))
    tune = [answer for answer in read_answers() if answer.part is Part.TUNE]
    for characters in options.characters:
        pairs = (
            replace(pair, asked=answer.question if options.asked else "")
            for answer in tune
            for pair in helpdesk_pairs([answer], versions=False, most=characters)
        )
        rows = [encode(tokenizer, pair) for pair in pairs]
        show(f"help desk, tune, claims, {characters} characters", auroc(predict(reader, rows), rows), len(rows))
    rows = [encode(tokenizer, pair) for pair in copied_sentences(tune)]
    show("copies believed", float((predict(reader, rows) > 0.5).mean()), len(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())

